"""One seat with the simulated partner or without (W97 to W100)."""

import numpy as np
import pytest

from tests.states import contradictions
from tests.table.case import make_moves
from tests.world.cases.positions import table
from tests.world.table import new, pass_until, put
from vitienv import Game
from vitienv.core.batch import Batch, make_keys
from vitienv.viticulture.enums import Season
from vitienv.world.enums import N_LETTERS, Metric, Place, Tile
from vitienv.world.options import Options
from vitienv.world.tables import DEFAULT

ON_SPACE, BESIDE = 1, 2


def with_partner(*seats, places=(), state=ON_SPACE, **top):
    """Return a position in summer in which the partner has workers on these places."""
    game = Game.from_dict(table("summer", *seats, n=1, **top))
    partner_on = np.zeros(N_LETTERS, np.int8)
    partner_on[[Place[place.upper()] for place in places]] = state
    return put(game, partner_on=partner_on)


def before_summer(seed):
    """Return a game with the partner before its first card."""
    game = Game.new(seed=seed, game="world", num_players=1)
    return pass_until(game, lambda game: game.decision == "wake_up")


def tours(game):
    return {name for name in game.legal_actions() if name.startswith("place:give_tour")}


def test_partner_is_the_default_of_one_seat():
    """H and N are in the stack only with the partner."""
    game = Game.new(game="world", num_players=1, seed=1)
    assert (game.state.tile[:N_LETTERS] == Tile.IN_STACK).all()
    assert (new(1).state.tile[:N_LETTERS] == Tile.IN_STACK).sum() == 14


def test_partner_places_four_workers_and_gains_three_lira_each_season():
    game = before_summer(1)
    state = pass_until(game, lambda game: game.decision == "place_worker").state
    [card] = [i for i in range(14) if int(state.partner_gone) >> i & 1]
    assert state.partner_lira == 3 and (state.partner_on > 0).sum() == 4
    assert all((state.partner_on[i] > 0) == bool(int(DEFAULT.partner[card, 0]) >> i & 1) for i in range(N_LETTERS))
    pass_until(game, lambda game: game.state.season == Season.WINTER and game.decision == "place_worker")
    assert int(state.partner_gone).bit_count() == 2 and state.partner_lira in (6, 2)
    assert (state.partner_on > 0).sum() == 8
    pass_until(game, lambda game: game.year == 2)
    assert not state.partner_on.any()


def test_partner_occupies_spaces():
    assert tours(with_partner(places=["give_tour"])) == {"place:give_tour:crowd:grande"}
    assert "place:give_tour:plain:hatted" in tours(with_partner(places=["give_tour"], state=BESIDE))
    covered = with_partner({"lira": 30}, places=["give_tour"], display="vp")
    make_moves(covered, "place:innovate:plain:hatted", "tile:vp", "letter:C")
    assert covered.state.partner_on[Place.GIVE_TOUR] == BESIDE


def test_partner_innovates_with_its_lira():
    for seed in range(40):
        game = put(before_summer(seed), partner_lira=5).step("wake_up:1")
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
def test_partner_buys_influence_at_the_printed_price(tile):
    """The rectangle upgrades the action for players only."""

    def in_winter(seed, lira):
        """Return a game in winter, where the partner has 3 lira more."""
        game = pass_until(before_summer(seed), lambda game: game.decision == "place_worker")
        game.state.tile[Place.BUY_INFLUENCE] = tile
        put(game, partner_lira=lira)
        return pass_until(game, lambda game: game.decision == "partner_acts" or game.phase == "winter")

    seed = next(seed for seed in range(40) if in_winter(seed, 5).decision == "partner_acts")
    assert in_winter(seed, 4).decision != "partner_acts"
    game = in_winter(seed, 5)
    influence = int(game.state.influence)
    assert game.step("yes").state.influence == influence + 1 and game.state.partner_lira == 0


def test_partner_trades_without_its_consent():
    game = put(with_partner({"lira": 5, "grapes": {"red": [3]}}, places=["give_tour"]), partner_lira=4)
    make_moves(game, "place:give_tour:crowd:grande", "yes", "seat:+1")
    assert {"kind:lira", "kind:grape", "kind:nothing"} <= set(game.legal_actions())
    make_moves(game, "kind:grape", "grape:red:3")
    assert set(game.legal_actions()) == {"kind:lira", "kind:vine", "kind:order", "kind:nothing"}
    lira = game.copy().step("kind:lira")
    assert lira.legal_actions() == [f"amount:{n}" for n in range(1, 5)]  # all its lira
    lira.step("amount:4")
    assert lira.state.lira[0] == 5 + 4 + 2 and lira.state.partner_lira == 0 and not lira.state.crush.any()
    cards = game.copy().step("kind:order")
    assert cards.legal_actions() == ["amount:1", "amount:2"]
    cards.step("amount:2")
    assert cards.state.n_hand[0, 1] == 2 and cards.state.deeds[0, Metric.TRADES] == 1
    assert cards.decision == "place_worker"


def test_cards_given_to_the_partner_are_discarded():
    game = with_partner({"vine": ["pinot", "merlot"]}, places=["give_tour"])
    make_moves(game, "place:give_tour:crowd:grande", "yes", "seat:+1", "kind:vine", "amount:1", "kind:nothing")
    assert game.decision == "discard_card"
    game.step(game.legal_actions()[0])
    assert game.state.n_hand[0, 0] == 1 and game.state.n_pile[0] == 1


@pytest.mark.parametrize("continent", ["greengully", "asia", "north_america", "africa"])
def test_invariants_of_random_games_with_the_partner(continent):
    batch = Batch(3, Options(num_players=1, continent=continent, training_visitors="hats"))
    batch.start(make_keys(4, 3))
    while len(playing := batch.active_rows()):
        assert not contradictions(batch, playing[:1])
        batch.step_random(restart=False)
    assert all(int(gone).bit_count() == 12 for gone in batch.games["partner_gone"])
