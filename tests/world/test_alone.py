"""One seat: with the simulated partner or without (W97 to W100), and training visitors that take off hats (W105)."""

import numpy as np
import pytest

from tests.world.invariants import problems
from tests.world.table import give, hats, in_season, legal, new, play, put, rich, show, winter
from vitienv import Game
from vitienv.core.batch import Batch, keys_of
from vitienv.viticulture.cards import CARD_NAMES
from vitienv.world.enums import N_LETTERS, Metric, Place, Tile
from vitienv.world.options import Options
from vitienv.world.tables import DEFAULT

ON_SPACE, BESIDE = 1, 2


def beside(seed=1, **options):
    """The first turn of the first summer beside the partner, which has not acted."""
    game = Game.new(seed=seed, game="world", num_players=1, **options)
    while game.decision != "place_worker":
        game.step("option:2" if game.decision == "papa_gift" else game.legal_actions()[-1])
    return game


def standing(game, *places):
    """The partner's workers stand on these places and on no others."""
    on = np.zeros(N_LETTERS, np.int8)
    for place in places:
        on[Place[place.upper()]] = ON_SPACE
    return put(game, partner_on=on)


def test_one_seat_plays_beside_the_partner_if_nothing_else_is_said():
    game = Game.new(game="world", num_players=1, seed=1)
    assert (game.state.tile[:N_LETTERS] == Tile.IN_STACK).all()  # H and N are in the stack with it
    assert (new(1).state.tile[:N_LETTERS] == Tile.IN_STACK).sum() == 14


def test_a_card_each_season_puts_four_workers_and_three_lira():
    game = beside()
    r = game.state
    gone = [i for i in range(14) if int(r.partner_gone) >> i & 1]
    assert len(gone) == 1 and r.partner_lira == 3
    places = {i for i in range(N_LETTERS) if r.partner_on[i]}
    assert places == {i for i in range(N_LETTERS) if int(DEFAULT.partner[gone[0], 0]) >> i & 1} and len(places) == 4
    while game.phase != "winter" or game.decision != "place_worker":
        game.step("pass" if game.decision == "place_worker" else game.legal_actions()[-1])
    assert int(r.partner_gone).bit_count() == 2 and r.partner_lira in (6, 2)
    assert (r.partner_on > 0).sum() == 8
    while game.year == 1:
        game.step("pass" if in_season(game) and "pass" in game.legal_actions() else game.legal_actions()[-1])
    assert not r.partner_on.any()


def test_its_workers_block_free_spaces_and_nothing_else():
    game = standing(rich(beside()), "give_tour")
    assert legal(game, "place:give_tour") == ["place:give_tour:crowd:grande"]
    on = game.state.partner_on.copy()
    on[Place.GIVE_TOUR] = BESIDE
    assert "place:give_tour:plain:hatted" in legal(put(game, partner_on=on), "place:give_tour")
    covered = show(standing(rich(beside()), "give_tour"), "vp")
    play(covered, "place:innovate:plain:hatted", "tile:vp", "letter:C")
    assert covered.state.partner_on[Place.GIVE_TOUR] == BESIDE


def test_it_may_innovate_or_buy_a_step_from_its_own_purse():
    for seed in range(40):
        game = Game.new(seed=seed, game="world", num_players=1)
        while game.decision != "wake_up":
            game.step("option:2" if game.decision == "papa_gift" else game.legal_actions()[0])
        put(game, partner_lira=5)
        game.step("wake_up:1")
        if game.decision == "partner_acts":
            break
    assert game.legal_actions() == ["yes", "no"]
    lira = int(game.state.lira[0])
    assert game.copy().step("no").state.partner_lira == 8
    game.step("yes")
    assert game.decision == "choose_tile" and game.state.partner_lira == 4 and game.state.lira[0] == lira
    game.step(next(name for name in game.legal_actions() if len(name) == len("tile:A")))
    assert game.decision == "place_worker" and not game.state.deeds[0, Metric.INNOVATIONS_TAKEN]


@pytest.mark.parametrize("tile", [Tile.IN_STACK, Tile.PLACED])
def test_it_buys_a_step_at_the_printed_price(tile):
    """The rectangle upgrades the action for players; the partner's price stands on its own card."""

    def in_winter(seed, lira):
        """It has 3 lira more then; it is asked about P if it stands there and has the price."""
        game = beside(seed)
        tiles = game.state.tile.copy()
        tiles[Place.BUY_INFLUENCE] = tile
        put(game, partner_lira=lira, tile=tiles)
        while game.decision != "partner_acts" and game.phase != "winter":
            game.step("pass" if in_season(game) and "pass" in game.legal_actions() else game.legal_actions()[0])
        return game

    there = next(seed for seed in range(40) if in_winter(seed, 5).decision == "partner_acts")
    assert in_winter(there, 4).decision != "partner_acts"
    game = in_winter(there, 5)
    start = int(game.state.influence)
    assert game.step("yes").state.influence == start + 1 and game.state.partner_lira == 0


def test_one_trades_with_it_without_its_consent():
    game = put(standing(beside(), "give_tour"), lira=[5] * 6, partner_lira=4)
    r = game.state
    r.crush[0, 0, 2] = 1
    put(game)
    play(game, "place:give_tour:crowd:grande", "yes", "seat:+1")
    assert {"kind:lira", "kind:grape", "kind:nothing"} <= set(game.legal_actions())
    play(game, "kind:grape", "grape:red:3")
    assert set(game.legal_actions()) == {"kind:lira", "kind:vine", "kind:order", "kind:nothing"}
    lira = play(game.copy(), "kind:lira")
    assert lira.legal_actions() == [f"amount:{n}" for n in range(1, 5)]  # its purse
    lira.step("amount:4")
    assert lira.state.lira[0] == 5 + 4 + 2 and lira.state.partner_lira == 0 and not lira.state.crush.any()
    cards = play(game.copy(), "kind:order")
    orders = int(cards.state.n_hand[0, 1])
    assert cards.legal_actions() == ["amount:1", "amount:2"]
    cards.step("amount:2")
    assert cards.state.n_hand[0, 1] == orders + 2 and cards.state.deeds[0, Metric.TRADES] == 1
    assert cards.decision == "place_worker"


def test_cards_that_it_gets_are_discarded():
    game = standing(beside(), "give_tour")
    r = game.state
    give(game, 0, "vine", "pinot")
    vines = int(r.n_hand[0, 0])
    play(game, "place:give_tour:crowd:grande", "yes", "seat:+1", "kind:vine", "amount:1", "kind:nothing")
    assert game.decision == "discard_card"
    game.step(game.legal_actions()[0])
    assert r.n_hand[0, 0] == vines - 1 and r.n_pile[0] == 1


def test_rectangle_n_fills_two_orders_with_a_point_for_both():
    game = winter(1)
    r = game.state
    hats(game, 0, 2, 2, 2, 2)
    r.tile[Place.FILL_ORDER] = Tile.PLACED
    r.structures[0, 6:] = 1
    r.cellar[0] = 1
    r.cellar[0, 2, :3] = r.cellar[0, 3, :6] = 0
    give(game, 0, "order", "order_01", "order_02")
    game.step("place:fill_order:plain:hatted")
    for order in ("order_01", "order_02"):
        game.step(f"card:order:{order}")
        while game.decision == "choose_wine":
            game.step(game.legal_actions()[0])
        if order == "order_01":
            assert "done" in game.legal_actions()
            before = int(r.vp[0])
    from vitienv.viticulture.cards import ORDERS

    assert r.vp[0] == before + ORDERS[1].vp + 1


@pytest.mark.parametrize("continent", ["greengully", "asia", "north_america", "africa"])
def test_random_games_beside_the_partner_keep_every_invariant(continent):
    batch = Batch(3, Options(num_players=1, continent=continent, training_visitors="hats"))
    batch.start(keys_of(4, 3))
    while len(batch.playing()):
        assert problems(batch.games.view(np.ndarray)) == []
        batch.step_random(restart=False)
    assert all(int(gone).bit_count() == 12 for gone in batch.games["partner_gone"])


def test_trainers_stay_in_the_deck_if_they_take_off_hats():
    r = winter(training_visitors="hats").state
    assert (r.deck + r.hand.sum(axis=0))[CARD_NAMES.index("winter:governess")] == 1
    assert (r.deck + r.hand.sum(axis=0))[CARD_NAMES.index("summer:planner")] == 0
