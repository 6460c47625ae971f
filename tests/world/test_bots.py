"""The heuristic bots of a team, and alone among others."""

import numpy as np
import pytest

import vitienv
from tests.test_imports import imported
from tests.world.table import put, rectangle, rich, show, stand, summer, winter
from vitienv.agents import GameViews, make_agent
from vitienv.agents.search.searcher import TreeBatch
from vitienv.core.search.forest import Tree
from vitienv.training.evaluation.match import play
from vitienv.viticulture.state import Rule

TABLES = [("greengully", 1), ("asia", 2), ("europe", 3), ("africa", 6)]


def options(continent, seats, **given):
    return vitienv.game_spec("world").options.of(continent=continent, num_players=seats, **given)


def played(bot, continent="greengully", seats=2, games=12, **given):
    """The points of games that one bot plays in all seats, and where the token stood."""
    team = [make_agent(bot, seed=1, game="world")]
    found = play(options(continent, seats, **given), range(games), [[0] * seats] * games, team)
    dtype = vitienv.Game.new(game="world")._batch.game_spec.dtype
    return found.points, found.records.reshape(-1).view(dtype)["influence"]


@pytest.mark.parametrize(("continent", "seats"), TABLES)
def test_a_team_plays_to_the_end_and_better_than_by_chance(continent, seats):
    points, token = played("heuristic", continent, seats)
    by_chance, token_by_chance = played("random", continent, seats)
    assert points.mean() > by_chance.mean() + 8 and token.mean() > token_by_chance.mean()


def chosen(game, bot="heuristic"):
    """The name of the bot's choice for whoever is to act."""
    scores = make_agent(bot, game=game.game_spec).explain(game.observation(), game.mask)
    return max(scores.items(), key=lambda pair: pair[1])[0]


def with_options(game, *names):
    """The scores of some actions."""
    scores = make_agent("heuristic", game=game.game_spec).explain(game.observation(), game.mask)
    return [scores[name] for name in names]


def test_money_of_the_last_winter_buys_the_steps_that_are_lacking():
    game = put(rich(winter()), year=6, influence=8)
    assert chosen(game).startswith("place:buy_influence")
    game.step(chosen(game))
    assert game.state.influence == 9
    done = put(rich(winter()), year=6, influence=10)
    assert not chosen(done).startswith("place:buy_influence")


def test_grapes_that_nobody_harvests_keep_no_worker_from_work():
    gains = []
    for planted in (0, 1):
        game = winter()
        seat = game.current_seat
        stand(stand(game, seat, "gain_lira", "grande"), seat, "gain_lira", "blue")
        put(game, year=6, **{f"vines__{seat}__0__0": planted})
        earned, nothing = with_options(game, "place:gain_lira:plain:hatted", "pass")
        gains.append(earned - nothing)
    assert gains[0] == gains[1]


def test_an_oval_goes_where_a_rectangle_lies_rather_than_on_a_bare_action():
    scores = []
    for lies in (False, True):
        game = rich(show(summer(), "lira"))
        if lies:
            rectangle(game, "K")
        for name in ("place:innovate:plain:hatted", "tile:lira"):
            game.step(name)
        scores.append(with_options(game, "letter:K")[0])
    assert scores[1] > scores[0]


def test_a_seat_that_has_its_points_leaves_more_for_the_token():
    lacking, there = (put(rich(winter(), 9), year=6, influence=9, vp=[vp] * 6) for vp in (10, 27))
    names = ("place:buy_influence:plain:hatted", "pass")
    (step, nothing), (step_there, nothing_there) = with_options(lacking, *names), with_options(there, *names)
    assert step_there - nothing_there >= step - nothing > 0


GIFT, NOTHING, MUCH = ("kind:lira", "amount:4"), ("kind:nothing",), ("kind:lira", "amount:6")


def answered(give, take, bot="heuristic", **of_seats):
    """How the seat that has placed first answers what the other one proposes with its grande, both at a tour.

    of_seats: fields, each for the seat that answers and for the other one.
    """
    game = summer()
    first = game.current_seat
    put(game, **{name: [own if seat == first else other for seat in range(6)]
                 for name, (own, other) in of_seats.items()})  # fmt: skip
    for name in ("place:give_tour:plain:hatted", "place:give_tour:crowd:grande", "yes", "seat:+1", *give, *take):
        game.step(name)
    assert game.decision == "trade_answer" and game.current_seat == first
    return chosen(game, bot)


@pytest.mark.parametrize("bot", ["heuristic", "heuristic:team=no"])
def test_a_gift_of_the_rich_is_taken(bot):
    assert answered(GIFT, NOTHING, bot, lira=(0, 20)) == "yes"


def test_who_has_enough_gives_to_who_lacks_and_the_selfish_bot_does_not():
    assert answered(NOTHING, MUCH, lira=(20, 0), vp=(30, 0)) == "yes"
    assert answered(NOTHING, MUCH, "heuristic:team=no", lira=(20, 0), vp=(30, 0)) == "no"


def test_a_trade_that_the_continent_counts_is_worth_a_lira():
    game = summer(continent="asia")
    game.step("place:give_tour:plain:hatted")
    game.step("place:give_tour:crowd:grande")
    assert game.decision == "trade_start" and chosen(game) == "yes"


def test_tiles_and_hats_are_named_by_what_is_on_show_and_worn():
    game = put(rich(summer()))
    game.step("place:innovate:plain:hatted")
    assert chosen(game) in game.legal_actions()
    hats = put(rich(winter()))
    hats.step("place:train_worker:plain:hatted")
    assert chosen(hats) in ("hat:yellow", "hat:blue")


def test_a_chooser_chooses_the_same():
    game, actions = summer(), np.zeros(1, np.int64)
    bot = make_agent("heuristic", game=game.game_spec)
    bot.chooser().choose(game.observation()[None], game.mask[None], actions)
    assert actions[0] == bot.act(game.observation()[None], game.mask[None])[0]


@pytest.mark.slow  # it is compiled for itself
def test_prior_scores_have_the_length_of_the_layout_and_are_at_most_0():
    game = summer()
    bot = make_agent("heuristic", game=game.game_spec)
    prior_scores = bot.prior_scores(game.observation()[None], game.mask[None])[0]
    legal = game.mask.astype(bool)
    assert len(prior_scores) == len(game.mask) + 1
    assert prior_scores[:-1][legal].max() == 0 and not prior_scores[:-1][~legal].any()


def test_whoever_never_plays_world_loads_none_of_it():
    assert not any(".world" in name for name in imported("vitienv.agents.viticulture.heuristic", lazily=False))


@pytest.mark.parametrize("bot", ["visitors", "cellar"])
def test_bots_that_do_not_know_the_layouts_are_refused(bot):
    with pytest.raises(ValueError, match="does not support Viticulture World"):
        play(options("asia", 2), [1], [[0, 0]], [make_agent(bot)])


@pytest.mark.parametrize(
    ("game", "last"),
    [(summer(), 1), (winter(), 2), (put(winter(), year=6), 6), (vitienv.Game.new(ruleset="solo", aggressive=True), 1)],
    ids=["year", "late", "last year", "against a mark"],
)
def test_playouts_end_with_the_year_and_a_tree_alone_goes_on_to_the_last(game, last):
    last_year = game.state.rules[Rule.LAST_YEAR]
    alone, played = ",policy=champion,playout=none", ",policy=champion,playout=heuristic,years=1"
    for spec, expected in (("", last), (alone, last_year), (played, last)):
        bot, seeds = make_agent(f"ismcts:simulations=1{spec}", seed=1), np.zeros((1, 2), np.uint32)
        forest = TreeBatch(GameViews(game._batch, [0]), np.array([0]), game.mask[None], seeds, bot.guide, bot.limits)
        assert forest.trees[0, Tree.LAST_ROUND] == expected
        if not spec and game.num_players == 1:  # alone its position is worth what it gained
            assert forest.bases[0] == pytest.approx(
                bot.guide.bind(game.game_spec).heuristic_values(game.observation()[None])[0]
            )


@pytest.mark.slow
def test_a_search_has_one_value_for_the_team():
    game = put(rich(winter()), year=6, influence=9, vp=[25] * 6)
    for playout in ("heuristic", "random", "none"):
        bot = make_agent(f"ismcts:simulations=24,playout={playout}", seed=1)
        root = bot.search_row(game.observation()[None], game.mask[None], GameViews(game._batch, [0]), 0)
        name = game._batch.game_spec.actions.name(int(root.actions[0]))
        assert name.startswith("place:buy_influence") or playout == "none"
        if playout != "none":
            assert root.values[0] > 0.9  # whoever of the two buys it, both have won
