"""Bots of World: a team, or one seat among others."""

import numpy as np
import pytest

import vitienv
from tests.table.case import make_moves
from tests.test_imports import imported
from tests.world.cases.positions import at, table
from tests.world.table import put, summer, winter
from vitienv.agents import GameViews, make_agent
from vitienv.agents.search.searcher import TreeBatch
from vitienv.core.search.forest import Tree
from vitienv.training.evaluation.match import play
from vitienv.viticulture.state import Rule

TABLES = [("greengully", 1), ("asia", 2), ("europe", 3), ("africa", 6)]
NUM_GAMES = 12


def results(bot, continent, num_players):
    options = vitienv.game_spec("world").options.of(continent=continent, num_players=num_players)
    team = [make_agent(bot, seed=1, game="world")]
    match = play(options, range(NUM_GAMES), [[0] * num_players] * NUM_GAMES, team)
    return match.points, match.records.reshape(-1).view(options.game_spec.dtype)["influence"]


@pytest.mark.parametrize(("continent", "num_players"), TABLES)
def test_heuristic_team_beats_random_team(continent, num_players):
    points, influence = results("heuristic", continent, num_players)
    random_points, random_influence = results("random", continent, num_players)
    assert points.mean() > random_points.mean() + 8 and influence.mean() > random_influence.mean()


def scores(game, bot="heuristic"):
    return make_agent(bot, game=game.game_spec).explain(game.observation(), game.mask)


def best_action(game, bot="heuristic"):
    return max(scores(game, bot).items(), key=lambda pair: pair[1])[0]


def preference(game, action):
    return scores(game)[action] - scores(game)["pass"]


def test_lira_of_the_last_winter_buys_missing_influence():
    game = put(winter(), lira=[30] * 6, year=6, influence=8)
    assert best_action(game).startswith("place:buy_influence")
    assert game.step(best_action(game)).state.influence == 9
    complete = put(winter(), lira=[30] * 6, year=6, influence=10)
    assert not best_action(complete).startswith("place:buy_influence")


def test_unharvested_vines_do_not_change_the_value_of_lira():
    board = {"gain_lira": [at(0, "grande"), at(0)]}
    games = [vitienv.Game.from_dict(table("winter", seat, event="oceania 6", board=board))
             for seat in ({}, {"fields": {5: ["sangiovese"]}})]  # fmt: skip
    assert len({preference(game, "place:gain_lira:plain:hatted") for game in games}) == 1


def test_oval_goes_to_an_action_with_a_rectangle():
    games = [vitienv.Game.from_dict(table("summer", {"lira": 30}, event="oceania 2", display="lira", placed=placed))
             for placed in ("", "K")]  # fmt: skip
    for game in games:
        make_moves(game, "place:innovate:plain:hatted", "tile:lira")
    assert scores(games[1])["letter:K"] > scores(games[0])["letter:K"]


def test_seat_with_its_points_values_influence_more():
    few, enough = (put(winter(), lira=[9] * 6, year=6, influence=9, vp=[vp] * 6) for vp in (10, 27))
    action = "place:buy_influence:plain:hatted"
    assert preference(enough, action) >= preference(few, action) > 0


GIFT, NOTHING, MUCH = ("kind:lira", "amount:4"), ("kind:nothing",), ("kind:lira", "amount:6")
SELFISH = "heuristic:team=no"


@pytest.mark.parametrize(
    ("offer", "demand", "fields", "answers"),
    [
        (GIFT, NOTHING, {"lira": (0, 20)}, {"heuristic": "yes", SELFISH: "yes"}),
        (NOTHING, MUCH, {"lira": (20, 0), "vp": (30, 0)}, {"heuristic": "yes", SELFISH: "no"}),
    ],
    ids=["gift", "demand"],
)
def test_answer_to_a_trade(offer, demand, fields, answers):
    """fields: of the seat that answers, and of the other one."""
    game = summer()
    partner = game.current_seat
    put(game, **{name: [pair[seat != partner] for seat in range(6)] for name, pair in fields.items()})
    make_moves(game, "place:give_tour:plain:hatted", "place:give_tour:crowd:grande", "yes", "seat:+1", *offer, *demand)
    assert game.decision == "trade_answer" and game.current_seat == partner
    assert {bot: best_action(game, bot) for bot in answers} == answers


def test_trade_that_the_continent_counts_is_started():
    game = make_moves(summer(continent="asia"), "place:give_tour:plain:hatted", "place:give_tour:crowd:grande")
    assert game.decision == "trade_start" and best_action(game) == "yes"


def test_tiles_and_hats_can_be_chosen():
    game = make_moves(put(summer(), lira=[30] * 6), "place:innovate:plain:hatted")
    assert best_action(game) in game.legal_actions()
    game = make_moves(put(winter(), lira=[30] * 6), "place:train_worker:plain:hatted")
    assert best_action(game) in ("hat:yellow", "hat:blue")


def test_chooser_chooses_the_same_action():
    game, actions = summer(), np.zeros(1, np.int64)
    bot = make_agent("heuristic", game=game.game_spec)
    bot.chooser().choose(game.observation()[None], game.mask[None], actions)
    assert actions[0] == bot.act(game.observation()[None], game.mask[None])[0]


@pytest.mark.slow  # compiled for this test only
def test_shape_and_maximum_of_prior_scores():
    game = summer()
    bot = make_agent("heuristic", game=game.game_spec)
    prior_scores = bot.prior_scores(game.observation()[None], game.mask[None])[0]
    legal = game.mask.astype(bool)
    assert len(prior_scores) == len(game.mask) + 1
    assert prior_scores[:-1][legal].max() == 0 and not prior_scores[:-1][~legal].any()


def test_viticulture_does_not_import_world():
    assert not any(".world" in name for name in imported("vitienv.agents.viticulture.heuristic", lazily=False))


@pytest.mark.parametrize("bot", ["visitors", "cellar"])
def test_bots_of_viticulture_raise(bot):
    with pytest.raises(ValueError, match="does not support Viticulture World"):
        play(vitienv.game_spec("world").options.of(continent="asia"), [1], [[0, 0]], [make_agent(bot)])


@pytest.mark.parametrize(
    ("game", "last_round"),
    [(summer(), 1), (winter(), 2), (put(winter(), year=6), 6), (vitienv.Game.new(ruleset="solo", aggressive=True), 1)],
    ids=["year", "late", "last year", "against a mark"],
)
def test_last_round_of_a_tree(game, last_round):
    last_year = game.state.rules[Rule.LAST_YEAR]
    network, playouts = ",policy=champion,playout=none", ",policy=champion,playout=heuristic,years=1"
    for spec, expected in (("", last_round), (network, last_year), (playouts, last_round)):
        bot, seeds = make_agent(f"ismcts:simulations=1{spec}", seed=1), np.zeros((1, 2), np.uint32)
        forest = TreeBatch(GameViews(game._batch, [0]), np.array([0]), game.mask[None], seeds, bot.guide, bot.limits)
        assert forest.trees[0, Tree.LAST_ROUND] == expected
        if not spec and game.num_players == 1:  # the value is what the seat gained
            assert forest.bases[0] == pytest.approx(
                bot.guide.bind(game.game_spec).heuristic_values(game.observation()[None])[0]
            )


@pytest.mark.slow
def test_search_has_one_value_for_the_team():
    game = put(winter(), lira=[30] * 6, year=6, influence=9, vp=[25] * 6)
    for playout in ("heuristic", "random", "none"):
        bot = make_agent(f"ismcts:simulations=24,playout={playout}", seed=1)
        root = bot.search_row(game.observation()[None], game.mask[None], GameViews(game._batch, [0]), 0)
        name = game._batch.game_spec.actions.name(int(root.actions[0]))
        assert name.startswith("place:buy_influence") or playout == "none"
        if playout != "none":
            assert root.values[0] > 0.9  # both seats win
