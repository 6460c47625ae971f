"""Queries of bots: at tables of several game specs, and with invalid arrays."""

from copy import copy
from dataclasses import dataclass, replace
from types import ModuleType
from typing import ClassVar

import numpy as np
import pytest

import vitienv
from tests.toy import game_spec as toy
from vitienv.agents import champions, make_agent
from vitienv.agents.champions import Champions
from vitienv.agents.network import PolicyPrior
from vitienv.agents.protocol import Bot, GameViews, check_game
from vitienv.agents.query import query_agent
from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.search.guides import NetworkGuide, RuleGuide, make_chooser
from vitienv.agents.search.networks import NetworkEvaluator
from vitienv.agents.viticulture.heuristic import HeuristicAgent
from vitienv.agents.world.team import RULES as OF_WORLD
from vitienv.core.batch import Batch, make_keys
from vitienv.registry import game_spec

WORLD = game_spec("world")
KEEP, DRAW = 0, 1


@dataclass(frozen=True)
class Options(toy.Options):
    """Options of two rulesets with separate game specs, whose layouts have equal sizes."""

    RULESETS: ClassVar[tuple[str, ...]] = ("high", "low")

    @property
    def game_spec(self):
        return TABLES[self.ruleset]


class Follower(Bot):
    """Bot that keeps its card by the rules of one table, and draws by those of the other."""

    def __init__(self, game) -> None:
        super().__init__("follower", game_spec(game))

    @property
    def _choice(self) -> int:
        return KEEP if self.table.rule_parameters is HIGH.rule_parameters else DRAW

    def _act(self, observations, action_masks, games):
        return np.full(len(action_masks), self._choice)

    def preferences(self, observations, masks):
        return np.where(np.arange(masks.shape[1]) == self._choice, 0, -100 + 0 * masks)

    def prior_scores(self, observations, masks):
        return np.full((len(masks), masks.shape[1] + 1), self._choice, np.int16)

    def heuristic_values(self, observations):
        return np.full(len(observations), self._choice)


HIGH = replace(
    toy.GAME_SPEC, name="cards", options=Options, agents={"follower": Follower}, heuristic_bot="follower",
    champions="networks_of_cards",
)  # fmt: skip
LOW = replace(HIGH, title="Low card", rule_parameters=copy(HIGH.rule_parameters))
TABLES = {"high": HIGH, "low": LOW}
BOTH = pytest.mark.parametrize(("ruleset", "expected"), [("high", KEEP), ("low", DRAW)])


@pytest.fixture(autouse=True)
def no_networks(monkeypatch):
    """The heuristic bot of the table replaces its champion."""
    module = ModuleType("networks_of_cards")
    module.NETWORKS = ()
    monkeypatch.setattr(champions, "import_module", lambda name: module)


def games_of(ruleset) -> Batch:
    batch = Batch(3, Options(ruleset=ruleset, num_players=2))
    batch.start(make_keys(1, 3))
    return batch


@BOTH
@pytest.mark.parametrize("made_for", [HIGH, LOW], ids=["made for high", "made for low"])
@pytest.mark.parametrize("spec", ["follower", "policy:champion"])
def test_bot_uses_the_rules_of_the_table(spec, made_for, ruleset, expected):
    bot, batch = make_agent(spec, game=made_for), games_of(ruleset)
    check_game(bot, batch.game_spec)
    assert query_agent(bot, batch, np.arange(3)).tolist() == [expected] * 3
    assert bot.bind(batch.game_spec).act(batch.obs, batch.masks).tolist() == [expected] * 3
    assert bot.bind(batch.game_spec) is bot.bind(batch.game_spec)


@BOTH
def test_search_uses_the_guide_of_the_table(ruleset, expected):
    table, batch = TABLES[ruleset], games_of(ruleset)
    bot = make_agent("follower", game=HIGH)
    guides = [RuleGuide(bot, "heuristic", True, 80.0, 6.0),
              NetworkGuide(NetworkEvaluator(Champions(HIGH)), "heuristic", bot)]  # fmt: skip
    actions = np.zeros(3, np.int64)
    for guide in guides:
        bound = guide.bind(table)
        assert bound.evaluate(batch.obs, batch.masks)[0].argmax(axis=1).tolist() == [expected] * 3
        make_chooser(bound.bot)(batch.obs, batch.masks, actions)
        assert actions.tolist() == [expected] * 3
        assert guide.bot is bot  # the guide is unchanged
    assert (PolicyPrior("follower", table)(batch.obs, batch.masks) == expected).all()


@BOTH
def test_search_binds_its_network_to_the_table(ruleset, expected):
    tables = []

    class Network:
        def bind_agent(self, table):
            tables.append(table)
            return self

        def evaluate(self, observations, masks):
            return np.zeros(masks.shape), np.zeros(len(masks))

    batch = games_of(ruleset)
    bot = IsmctsAgent(4, seed=1, game=HIGH).use_network(Network())
    assert batch.are_legal(bot.act(batch.obs, batch.masks, GameViews(batch, [0, 1, 2]))).all()
    assert tables and all(table is TABLES[ruleset] for table in tables)


def test_heuristic_bot_is_selected_by_rule_parameters():
    game = game_spec("viticulture")
    equal_rows = replace(WORLD, observation=game.observation, actions=game.actions)
    assert HeuristicAgent().bind(equal_rows).rules is OF_WORLD and HeuristicAgent().bind(game).rules is not OF_WORLD
    assert HeuristicAgent().bind(WORLD).rules is OF_WORLD
    with pytest.raises(ValueError, match="agent 'heuristic' plays world, not viticulture"):
        HeuristicAgent().bind(WORLD).bind(game)
    unknown = replace(game, rule_parameters=copy(game.rule_parameters))
    for bot in ("heuristic", "visitors"):
        with pytest.raises(ValueError, match="does not support Viticulture"):
            make_agent(bot).bind(unknown)
    with pytest.raises(ValueError, match="'heuristic' does not support Viticulture"):
        HeuristicAgent(game=unknown)


# Arrays.

N, ACTIONS = game_spec("viticulture").observation.n, game_spec("viticulture").actions.n
VALID = np.zeros((2, N), np.int16), np.ones((2, ACTIONS), np.int8)
NO_ACTION = VALID[1] * np.array([[1], [0]], np.int8)
TOSCANA = game_spec("toscana")
INVALID = {
    "short observations": (VALID[0][:, :10], VALID[1], rf"int16 of shape \(n, {N}\) .*got int16 of shape \(2, 10\)"),
    "observations of another game": (np.zeros((2, TOSCANA.observation.n), np.int16), VALID[1], "must be int16"),
    "no batch axis": (VALID[0][0], VALID[1][0], "observations must be int16"),
    "observations of floats": (VALID[0].astype(np.float64), VALID[1], "observations must be int16 .*got float64"),
    "large observations": (VALID[0].astype(np.int64) + 40_000, VALID[1], "observations must be from -32768"),
    "masks of another game": (VALID[0], np.ones((2, TOSCANA.actions.n), np.int8), "masks must be int8"),
    "fewer masks": (VALID[0], VALID[1][:1], "got 2 observations and 1 masks"),
    "no legal action": (VALID[0], NO_ACTION, "row 1 of the masks has no legal action"),
}
BOTS = ["random", "heuristic", "visitors", "cellar", "policy:champion", "ismcts:simulations=4"]


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("case", INVALID)
def test_invalid_arrays_raise_in_one_line(bot, case):
    observations, masks, message = INVALID[case]
    agent = make_agent(bot, seed=1)
    with pytest.raises(ValueError, match=message) as refused:
        agent.act(observations, masks)
    assert "\n" not in str(refused.value) and agent.name in str(refused.value)


@pytest.mark.parametrize("game", ["viticulture", WORLD, "toscana"], ids=["viticulture", "world", "toscana"])
def test_heuristic_bot_checks_its_arrays(game):
    bot, table = make_agent("heuristic", game=game), game_spec(game)
    short, masks = np.zeros((1, 10), np.int16), np.ones((1, table.actions.n), np.int8)
    for call in (
        lambda: bot.preferences(short, masks),
        lambda: bot.prior_scores(short, masks),
        lambda: bot.heuristic_values(short),
        lambda: bot.explain(short[0], masks[0]),
    ):
        with pytest.raises(ValueError, match="observations must be int16"):
            call()


def test_other_integer_types_are_accepted():
    game = vitienv.Game.new(num_players=2, seed=3)
    observations, mask = game.observation()[None], game.mask[None]
    expected = make_agent("heuristic").act(observations, mask)
    assert (make_agent("heuristic").act(observations.astype(np.int64), mask.astype(bool)) == expected).all()
    assert (make_agent("heuristic").act(observations[:, ::-1][:, ::-1], mask) == expected).all()
