"""Innovation tiles, what rectangles do, and arrows (W32, W54 to W67, W58, W106)."""

from itertools import product

import numpy as np
import pytest

from tests.world.cases import table, tiles
from tests.world.table import (
    give,
    hats,
    in_season,
    legal,
    oval,
    play,
    put,
    rectangle,
    rich,
    show,
    stand,
    summer,
    winter,
)
from tests.world.whole import game_of
from vitienv.viticulture.names import DECKS
from vitienv.world.names import (
    LETTERS,
    N_LETTERS,
    N_STANDS,
    OVALS,
    Metric,
    Place,
    Stands,
    Tile,
)
from vitienv.world.ops.tiles import bonus_oval
from vitienv.world.tables import DEFAULT

GRID = ("ABIJ", "CDKL", "EFMN", "GHOP")
STEPS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


def place_of(letter):
    return int(DEFAULT.place_of_letter[LETTERS.index(letter)])


def shown(game):
    return np.flatnonzero(game.record.tile == Tile.SHOWN)


def test_two_of_each_shape_are_turned_up_each_spring_and_the_rest_is_discarded():
    game = summer()
    for year in range(1, 7):
        tiles = shown(game)
        assert (tiles < N_LETTERS).sum() == 2 and (tiles >= N_LETTERS).sum() == 2
        before = set(tiles.tolist())
        while not game.is_over and (game.year == year or not in_season(game)):
            game.step("pass" if in_season(game) and "pass" in game.legal_actions() else game.legal_actions()[0])
            if game.year == year:
                assert set(shown(game).tolist()) == before  # none is refilled, all stay until spring
        assert game.is_over or all(game.record.tile[tile] == Tile.GONE for tile in before)
    assert (game.record.tile[N_LETTERS:] != Tile.IN_STACK).all()  # twelve ovals in six springs


def test_innovating_costs_four_lira_and_a_tile_on_show():
    game = show(put(summer(), lira=[4] * 6), "A", "vp")
    assert legal(game, "place:innovate")
    game.step("place:innovate:plain:hatted")
    assert game.decision == "choose_tile" and set(game.legal_actions()) == {"tile:A", "tile:vp"}
    assert not legal(show(put(summer(), lira=[4] * 6)), "place:innovate")
    assert not legal(show(put(summer(), lira=[3] * 6), "A"), "place:innovate")


def test_a_rectangle_goes_on_its_letter_for_everybody_and_for_good():
    game = show(rich(summer()), "C", "vp")
    play(game, "place:innovate:plain:hatted", "tile:C")
    assert game.record.tile[Place.GIVE_TOUR] == Tile.PLACED and game.record.deeds[:2, 11].sum() == 1
    seat = game.seat
    before = int(game.record.lira[seat])
    game.step("place:give_tour:plain:hatted")
    assert game.record.lira[seat] == before + 5


def test_an_oval_goes_on_any_action_of_either_season_that_has_none():
    game = oval(show(rich(summer()), "vp"), "J", "lira")
    play(game, "place:innovate:plain:hatted", "tile:vp")
    assert game.decision == "place_oval"
    assert game.legal_actions() == [f"letter:{letter}" for letter in LETTERS if letter != "J"]
    game.step("letter:P")
    assert game.record.oval_on[Place.BUY_INFLUENCE] == OVALS.index("vp")


@pytest.mark.parametrize(("letter", "change"), [("A", 1), ("C", 1), ("B", -1), ("P", -1), ("D", 0), ("H", 0)])
def test_covering_brings_or_costs_what_is_printed_there(letter, change):
    game = show(rich(summer(), 10), "vp")
    seat = game.seat
    play(game, "place:innovate:plain:hatted", "tile:vp", f"letter:{letter}")
    assert game.record.lira[seat] == 6 + change


def test_who_cannot_pay_for_covering_puts_the_tile_elsewhere():
    game = show(put(summer(), lira=[4] * 6), "vp")
    play(game, "place:innovate:plain:hatted", "tile:vp")
    assert game.legal_actions() == [f"letter:{letter}" for letter in LETTERS if letter not in "BJNP"]


def test_workers_there_move_onto_the_oval_and_gain_nothing():
    game = show(rich(summer()), "vp")
    seat, other = game.seat, 1 - game.seat
    stand(game, other, "give_tour", "grande")
    points = game.record.vp.copy()
    play(game, "place:innovate:plain:grande", "tile:vp", "letter:H")
    assert game.record.at[seat].tolist()[4] == Place.INNOVATE * N_STANDS + Stands.OVAL
    assert (game.record.vp == points).all()
    game = show(rich(summer()), "vp")
    stand(game, 1 - game.seat, "give_tour", "grande")
    play(game, "place:innovate:plain:hatted", "tile:vp", "letter:C")
    assert game.record.at[:, 4].max() == Place.GIVE_TOUR * N_STANDS + Stands.OVAL


@pytest.mark.parametrize("word", OVALS[:8])
def test_what_each_plain_oval_gives(word):
    game = oval(summer(), "C", word)
    seat = game.seat
    r = game.record
    r.crush[seat, 1, 3] = 1
    r.cellar[seat, 0, 0] = 1
    put(game)
    before = game.copy().record
    play(game, "place:give_tour:oval:grande", "yes")
    if game.decision in ("age_grape", "age_wine"):
        game.step(game.legal_actions()[0])
    lira = int(r.lira[seat]) - int(before.lira[seat]) - 2
    cards = {deck: int(r.n_hand[seat, i]) - int(before.n_hand[seat, i]) for i, deck in enumerate(DECKS)}
    gained = {"lira": lira, "vp": int(r.vp[seat]) - int(before.vp[seat]), **cards}
    gained |= {"age_grape": int(r.crush[seat, 1, 4]), "age_wine": int(r.cellar[seat, 0, 1])}
    assert {key for key, n in gained.items() if n} == {word} and gained[word] == 1


# Arrows against a plain version.


def plain_bonus(ovals, letter):
    """The plain oval that a letter's bonus comes from, in ten lines."""
    at = {GRID[y][x]: (y, x) for y in range(4) for x in range(4)}
    passed = set()
    while letter in ovals and letter not in passed:
        passed.add(letter)
        if ovals[letter] not in STEPS:
            return ovals[letter]
        dy, dx = STEPS[ovals[letter]]
        y, x = at[letter][0] + dy, at[letter][1] + dx
        letter = GRID[y][x] if 0 <= y < 4 and 0 <= x < 4 else None
    return None


def engine_bonus(ovals, letter):
    record = np.zeros(1, [("oval_on", "i1", (N_LETTERS,))]).view(np.recarray)[0]
    record.oval_on[:] = -1
    for own, word in ovals.items():
        record.oval_on[place_of(own)] = OVALS.index(word)
    found = getattr(bonus_oval, "py_func", bonus_oval)(record, place_of(letter))
    return None if found < 0 else OVALS[found]


def test_every_pair_of_ovals_gives_what_the_plain_version_says():
    words = ("vp", "left", "right", "up", "down")
    for first, second in product(LETTERS, LETTERS):
        if first != second:
            for one, other in product(words, words):
                ovals = {first: one, second: other}
                assert engine_bonus(ovals, first) == plain_bonus(ovals, first)


def test_random_boards_of_arrows_give_what_the_plain_version_says():
    chance = np.random.default_rng(3)
    words = (*STEPS, *STEPS, "vp", "lira")
    for _ in range(400):
        letters = chance.choice(list(LETTERS), chance.integers(3, 13), replace=False)
        ovals = {str(letter): str(chance.choice(words)) for letter in letters}
        for letter in ovals:
            assert engine_bonus(ovals, letter) == plain_bonus(ovals, letter), ovals


def test_arrows_cross_the_seasons_and_do_not_wrap():
    assert engine_bonus({"I": "left", "B": "vp"}, "I") == "vp"
    assert engine_bonus({"A": "left", "J": "vp"}, "A") is None
    assert engine_bonus({"A": "right", "B": "right", "I": "vp"}, "A") == "vp"
    assert engine_bonus({"A": "right", "B": "left"}, "A") is None  # back to a tile already passed


def test_an_arrow_is_read_when_the_worker_is_placed():
    game = oval(oval(summer(), "C", "right"), "D", "vp")
    seat = game.seat
    play(game, "place:give_tour:oval:grande", "yes")
    assert game.record.vp[seat] == 1


# What the rectangles do.


def test_rectangle_a_gives_two_vines_and_any_card():
    game = rectangle(summer(), "A")
    seat = game.seat
    vines = int(game.record.n_hand[seat, 0])
    game.step("place:draw_vine:plain:hatted")
    assert game.record.n_hand[seat, 0] == vines + 2 and game.decision == "choose_deck"
    game.step("deck:order")
    assert game.decision == "place_worker"


def test_rectangle_b_gives_a_point_with_the_second_visitor():
    for both in (True, False):
        game = rectangle(summer(), "B")
        seat = game.seat
        give(game, seat, "summer", "tour_guide", "sponsor")
        play(game, "place:play_summer_visitor:plain:hatted", "card:summer:tour_guide")
        while game.decision == "choose_option":
            game.step(game.legal_actions()[0])
        assert game.decision == "play_visitor" and "done" in game.legal_actions()
        points = int(game.record.vp[seat])
        if not both:
            assert game.step("done").record.vp[seat] == points
            continue
        play(game, "card:summer:sponsor", "option:1", "done")
        assert game.record.vp[seat] == points + 1 and game.record.deeds[:, Metric.VISITORS_PLAYED].sum() == 2


@pytest.mark.parametrize("both", [True, False])
def test_rectangle_d_builds_two_for_a_lira_less_and_a_point_for_both(both):
    game = rectangle(rich(summer(), 20), "D")
    seat = game.seat
    game.record.structures[seat] = 0
    play(game, "place:build_structure:plain:hatted", "structure:trellis")
    assert game.record.lira[seat] == 19 and game.decision == "build_structure"
    game.step("structure:windmill" if both else "done")
    assert game.record.lira[seat] == (15 if both else 19) and game.record.vp[seat] == int(both)


@pytest.mark.parametrize("both", [True, False])
def test_rectangle_e_plants_two_and_a_point_for_both(both):
    game = rectangle(summer(), "E")
    seat = game.seat
    give(game, seat, "vine", "pinot", "pinot")
    game.record.structures[seat, :2] = 1
    put(game)
    play(game, "place:plant_vine:plain:hatted", "card:vine:pinot", "field:5")
    assert game.decision == "plant_vine" and "done" in game.legal_actions()
    play(game, *(("card:vine:pinot", "field:6") if both else ("done",)))
    assert game.record.vp[seat] == int(both) and game.record.deeds[seat, Metric.PLANTS] == 1 + both


def test_action_f_sells_grapes_or_a_field():
    game = summer()
    seat = game.seat
    game.record.crush[seat, 0, 3] = 1
    put(game).step("place:sell_grapes_or_field:plain:hatted")
    assert set(game.legal_actions()) == {"grape:red:4", "field:5", "field:6", "field:7"}
    before = int(game.record.lira[seat])
    assert game.copy().step("grape:red:4").record.lira[seat] == before + 2
    sold = game.step("field:7").record
    assert sold.lira[seat] == before + 7 and sold.sold[seat].tolist() == [0, 0, 1]


def test_rectangle_f_buys_a_grape_by_the_row():
    game = rectangle(rich(summer(), 3), "F")
    seat = game.seat
    game.record.crush[seat, 0, 3:6] = 1  # the middle row of red is full
    game.record.crush[seat, 1, 0] = 1
    put(game).step("place:sell_grapes_or_field:plain:hatted")
    assert "kind:grape" in game.legal_actions()
    game.step("kind:grape")
    assert game.decision == "buy_grape"
    rows = {f"grape:{colour}:{value}" for colour in ("red", "white") for value in (1, 4, 7)}
    assert set(game.legal_actions()) == rows
    low = game.copy().step("grape:white:1").record
    assert low.lira[seat] == 2 and low.crush[seat, 1, :3].tolist() == [1, 1, 0]
    lower = game.copy().step("grape:red:4").record  # full: into the next lower row, at the price paid
    assert lower.lira[seat] == 1 and lower.crush[seat, 0, 0] == 1
    high = game.copy().step("grape:red:7").record
    assert high.lira[seat] == 0 and high.crush[seat, 0, 6] == 1
    put(game, lira=[1] * 6)
    assert set(game.legal_actions()) == {"grape:red:1", "grape:white:1"}


def test_rectangle_g_exchanges_twice_and_gives_a_lira():
    game = rectangle(rich(summer(), 7), "G")
    seat = game.seat
    play(game, "place:exchange:plain:hatted", "kind:lira", "kind:vp")
    assert game.decision == "exchange_lose" and "done" in game.legal_actions()
    once = game.copy().step("done").record
    assert once.lira[seat] == 5 and once.vp[seat] == 1
    twice = play(game, "kind:lira", "kind:vp").record
    assert twice.lira[seat] == 2 and twice.vp[seat] == 2


def test_rectangle_i_gives_two_orders_and_any_card():
    game = rectangle(winter(), "I")
    seat = game.seat
    orders = int(game.record.n_hand[seat, 1])
    play(game, "place:draw_order:plain:hatted", "deck:vine")
    assert game.record.n_hand[seat, 1] == orders + 2


def test_rectangle_k_harvests_two_fields_and_ages_a_grape():
    game = rectangle(winter(), "K")
    seat = game.seat
    game.record.vines[seat, 0, 0] = game.record.vines[seat, 1, 1] = 1
    game.record.deck[:2] -= 1
    put(game)
    play(game, "place:harvest_field:plain:hatted", "field:5", "field:6")
    assert game.decision == "age_grape"
    game.step(game.legal_actions()[0])
    assert game.record.deeds[seat, Metric.HARVESTS] == 2 and game.decision == "place_worker"


def test_rectangle_m_makes_four_wines():
    game = rectangle(winter(), "M")
    seat = game.seat
    game.record.crush[seat, 0, :3] = game.record.crush[seat, 1, :3] = 1
    put(game).step("place:make_wine:plain:hatted")
    for colour, value in (("red", 1), ("white", 1), ("red", 2), ("white", 2)):
        play(game, f"make:{colour}", f"grape:{colour}:{value}")
    assert game.decision == "place_worker" and game.record.deeds[seat, Metric.WINES_MADE] == 4


@pytest.mark.parametrize("both", [True, False])
def test_rectangle_o_sells_two_wines_and_a_point_for_both(both):
    game = rectangle(winter(), "O")
    seat = game.seat
    game.record.cellar[seat, 0, :2] = 1
    before = int(put(game).record.lira[seat])
    play(game, "place:sell_wine:plain:hatted", "wine:red:2", "wine:red:1" if both else "done")
    assert game.record.lira[seat] == before + (3 if both else 2) and game.record.vp[seat] == int(both)


def test_rectangle_p_buys_up_to_two_steps_for_six_lira_each():
    game = rectangle(rich(winter(), 12), "P")
    seat = game.seat
    start = int(game.record.influence)
    game.step("place:buy_influence:plain:hatted")
    assert game.legal_actions() == ["amount:1", "amount:2"]
    one = game.copy().step("amount:1").record
    assert one.influence == start + 1 and one.lira[seat] == 6
    two = game.copy().step("amount:2").record
    assert two.influence == start + 2 and two.lira[seat] == 0
    put(game, influence=9)
    assert game.legal_actions() == ["amount:1"]


def test_rectangles_of_the_partner_do_what_they_say():
    """H: two tiles for one price; N: two orders, and a point with the second."""
    game = show(rectangle(rich(summer(), 10), "H"), "A", "C")
    seat = game.seat
    play(game, "place:innovate:plain:hatted", "tile:A", "tile:C")
    assert game.record.lira[seat] == 6 and game.record.deeds[seat, Metric.INNOVATIONS_TAKEN] == 2


# The Manager.


def test_the_manager_takes_an_action_as_it_stands():
    game = oval(rectangle(winter(), "C"), "C", "vp")
    seat = game.seat
    hats(game, seat, 2, 2, 2, 2)
    give(game, seat, "winter", "manager")
    play(game, "place:play_winter_visitor:plain:grande", "card:winter:manager")
    assert game.decision == "manage_action"
    offered = {name.split(":")[1] for name in game.legal_actions()}
    assert offered <= {p.name.lower() for p in Place if p < 8} and offered >= {"draw_vine", "exchange", "innovate"}
    before = int(game.record.lira[seat])
    game.step("place:give_tour:plain:regular")
    assert game.record.lira[seat] == before + 5 and game.record.vp[seat] == 0  # the rectangle, without the bonus
    assert game.record.deeds[seat, Metric.TOURS] == 1


def test_one_part_of_a_rectangle_is_enough_and_its_reward_alone_is_not():
    position = table("winter", {"crush_pad": {"red": [1], "white": []}}, tiles=tiles(placed="K"))
    assert "place:harvest_field:plain:hatted" in game_of(position).legal_actions()
    position = table("summer", {"victory_points": -5}, tiles=tiles(placed="G"))
    assert "place:exchange:plain:hatted" not in game_of(position).legal_actions()
