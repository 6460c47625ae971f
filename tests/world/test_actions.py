"""The actions of World's board that the others do not have, and those that are as there (W50 to W53, W72, W74, W75)."""

import pytest

from tests.world.table import give, hats, legal, play, put, rich, summer, winter
from vitienv.world.names import LETTERS, N_LETTERS, PLACES, Metric
from vitienv.world.tables import DEFAULT


def test_the_letters_of_both_seasons():
    told = {LETTERS[int(DEFAULT.letter_of_place[i])]: PLACES[i] for i in range(N_LETTERS)}
    assert [told[letter] for letter in LETTERS] == PLACES[:N_LETTERS]


def test_core_actions_are_at_base_strength():
    game = summer()
    seat = game.seat
    before = game.copy().record
    tour = game.copy().step("place:give_tour:plain:hatted").record
    assert tour.lira[seat] == before.lira[seat] + 2
    vine = game.copy().step("place:draw_vine:plain:hatted").record
    assert vine.n_hand[seat, 0] == before.n_hand[seat, 0] + 1
    order = winter()
    seat, n = order.seat, int(order.record.n_hand[order.seat, 1])
    assert order.step("place:draw_order:plain:hatted").record.n_hand[seat, 1] == n + 1


def test_an_action_must_be_possible_at_least_minimally():
    game = put(summer(), lira=[0] * 6)
    for name in ("build_structure", "innovate", "plant_vine"):
        assert not legal(game, f"place:{name}") or name == "plant_vine"
    game = put(winter(), lira=[3] * 6)
    for name in ("harvest_field", "train_worker", "make_wine", "sell_wine", "buy_influence"):
        assert not legal(game, f"place:{name}")


def test_an_exchange_loses_one_thing_and_gains_one():
    game = summer()
    seat = game.seat
    r = game.record
    r.lira[seat], r.vp[seat], r.crush[seat, 0, 4] = 3, 1, 1
    give(game, seat, "vine", "pinot", "syrah")
    game.step("place:exchange:plain:hatted")
    assert game.decision == "exchange_lose"
    assert set(game.legal_actions()) == {"kind:cards", "kind:lira", "kind:grape", "kind:vp"}
    lira = game.copy().step("kind:lira")
    assert lira.record.lira[seat] == 0 and lira.decision == "exchange_gain"
    assert lira.copy().step("kind:lira").record.lira[seat] == 3  # of the same kind
    grape = play(game.copy(), "kind:grape", "grape:red:5", "kind:grape")
    assert grape.decision == "buy_grape" and grape.legal_actions() == ["grape:red:1", "grape:white:1"]
    assert grape.step("grape:white:1").record.crush[seat, 1, 0] == 1
    point = play(game.copy(), "kind:vp", "kind:vp")
    assert point.record.vp[seat] == 1 and point.record.deeds[seat, Metric.ACTION_G_USES] == 1


def test_two_cards_for_two_cards_of_one_deck_or_two():
    game = summer()
    seat = game.seat
    give(game, seat, "vine", "pinot", "syrah")
    hand = int(game.record.n_hand[seat].sum())
    play(game, "place:exchange:plain:hatted", "kind:cards", "card:vine:pinot", "card:vine:syrah", "kind:cards")
    assert game.decision == "choose_deck" and game.record.n_hand[seat].sum() == hand - 2
    orders = int(game.record.n_hand[seat, 1])
    same = play(game.copy(), "deck:order", "deck:order").record
    assert same.n_hand[seat, 1] == orders + 2 and same.n_hand[seat].sum() == hand
    assert play(game.copy(), "deck:vine", "deck:order").record.n_hand[seat].sum() == hand


def test_no_point_is_lost_at_the_floor_and_no_grape_gained_without_a_slot():
    game = summer()
    seat = game.seat
    r = game.record
    r.vp[seat], r.lira[seat] = -5, 3
    r.crush[seat, 0, 0] = r.crush[seat, 1, 0] = 1
    put(game).step("place:exchange:plain:hatted")
    assert "kind:vp" not in game.legal_actions()
    game.step("kind:lira")
    assert "kind:grape" not in game.legal_actions() and "kind:vp" in game.legal_actions()


def test_a_wine_is_sold_for_its_value():
    game = winter()
    seat = game.seat
    game.record.structures[seat, 6] = 1
    game.record.cellar[seat, 0, 4] = game.record.cellar[seat, 1, 1] = 1
    before = int(put(game).record.lira[seat])
    game.step("place:sell_wine:plain:hatted")
    assert game.legal_actions() == ["wine:red:5", "wine:white:2"]
    sold = game.copy().step("wine:red:5").record
    assert sold.lira[seat] == before + 5 and sold.vp[seat] == 0 and sold.cellar[seat, 0].sum() == 0
    assert sold.deeds[seat, Metric.WINES_SOLD_VALUE_4_PLUS] == 1
    assert game.step("wine:white:2").record.deeds[seat, Metric.WINES_SOLD_VALUE_4_PLUS] == 0


def test_influence_costs_eight_lira_a_step_and_not_at_the_end_of_the_track():
    game = put(winter(), lira=[8] * 6)
    seat, start = game.seat, int(game.record.influence)
    bought = game.copy().step("place:buy_influence:plain:hatted").record
    assert bought.influence == start + 1 and bought.lira[seat] == 0
    assert not legal(put(game, lira=[7] * 6), "place:buy_influence")
    assert not legal(put(rich(game), influence=10), "place:buy_influence")


@pytest.mark.parametrize("name", ["build_structure", "plant_vine", "harvest_field", "make_wine", "fill_order"])
def test_deeds_are_counted(name):
    game = rich(winter() if name in ("harvest_field", "make_wine", "fill_order") else summer())
    seat = game.seat
    r = game.record
    hats(game, seat, 0, 0, 0, 0)
    r.structures[seat, :2] = 0
    r.vines[seat, 0, 0], r.crush[seat, 1, 2] = 1, 1
    r.deck[0] -= 1
    r.cellar[seat, :2, 0] = r.cellar[seat, 0, 1] = r.cellar[seat, 1, 1] = r.cellar[seat, 0, 2] = 1
    r.cellar[seat, 0, 3:6] = r.cellar[seat, 1, 3:6] = 1
    r.structures[seat, 6] = 1
    r.hand[seat] = r.n_hand[seat] = 0
    give(game, seat, "vine", "pinot")
    give(game, seat, "order", *(f"order_{i:02}" for i in range(1, 6)))
    r.structures[seat, 0] = 1
    metric = {"build_structure": Metric.STRUCTURES_BUILT, "plant_vine": Metric.PLANTS,
              "harvest_field": Metric.HARVESTS, "make_wine": Metric.WINES_MADE,
              "fill_order": Metric.ORDERS_FILLED}[name]  # fmt: skip
    put(game)
    game.step(f"place:{name}:plain:regular")
    while game.seat == seat and game.decision != "place_worker":
        game.step(next(each for each in game.legal_actions() if each != "done"))
        if r.deeds[seat, metric]:
            break
    assert game.record.deeds[seat, metric] == 1
