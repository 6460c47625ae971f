"""Game specification of World for environments, bots, training and commands."""

from dataclasses import replace
from typing import Any

from vitienv.core.game_spec import IDENTICAL, GameSpec, SharedToken
from vitienv.viticulture.game_spec import GAME_SPEC as VITICULTURE
from vitienv.world.enums import CONTINENTS
from vitienv.world.kernel import Built, build_for, default
from vitienv.world.observation import OBSERVATION
from vitienv.world.options import Options
from vitienv.world.state import FIELDS, GAME_DTYPE, RULE_PARAMETERS
from vitienv.world.tables import DEFAULT, Tables
from vitienv.world.vocabulary import ACTIONS

# Options of the games in the bench signature of World.
SIGNATURE: dict[str, dict[str, Any]] = {
    "1/asia": {"num_players": 1, "partner": "none", "continent": "asia"},
    "1/burattino": {"num_players": 1},
    "2/greengully": {"num_players": 2},
    "2/europe": {"num_players": 2, "continent": "europe", "events": "shuffled"},
    "3/oceania": {"num_players": 3, "continent": "oceania"},
    "4/south_america": {"num_players": 4, "continent": "south_america", "parents": "mixed"},
    "5/north_america": {"num_players": 5, "continent": "north_america"},
    "6/africa": {"num_players": 6, "continent": "africa", "events": "shuffled"},
}


def _build_spec(built: Built, data: str) -> GameSpec:
    return replace(
        VITICULTURE,
        name="world",
        title="Viticulture World",
        options=Options,
        base_game=VITICULTURE.name,
        fields=FIELDS,
        dtype=GAME_DTYPE,
        actions=ACTIONS,
        observation=OBSERVATION,
        operations=built.operations,
        kernels=built.kernels,
        rule_parameters=RULE_PARAMETERS,
        utility=IDENTICAL,
        positions="vitienv.world.positions",
        text="vitienv.world.render.text",
        drawing="vitienv.world.render.svg.draw",
        outcome="vitienv.world.game_spec.outcome",
        rival_score=None,
        lead=None,
        agents={"heuristic": "vitienv.agents.world.heuristic.HeuristicAgent"},
        template=None,
        champions="vitienv.agents.world.champions",
        signature=SIGNATURE,
        tables={"world": {"ruleset": "world"}},
        training={
            "mix": ",".join(f"world/{name}:1" for name in CONTINENTS),
            "league": ("heuristic",),
            "num_envs": 64,
            "num_steps": 512,  # whole games, as a value of few games misleads the policy
            "minibatch_size": 4096,
            "gamma": 1.0,
            "gae_lambda": 1.0,
            "gae_lambda_value": 1.0,
        },
        campaign=None,
        report="vitienv.training.world.report",
        levels={"world": ("continent", CONTINENTS)},
        data=data,
        token=SharedToken("influence", "influence_end", "vp_each"),
    )


def outcome(game: Any) -> str:
    """Return "win" or "loss", the result of the team in a finished game (W4, W5)."""
    return "loss" if game.state.lost else "win"


GAME_SPEC = _build_spec(default(), DEFAULT.digest)
_by_digest: dict[str, GameSpec] = {DEFAULT.digest: GAME_SPEC}


def spec_for(tables: Tables) -> GameSpec:
    """Return the game specification for some data; custom data have their own kernels."""
    if tables.digest not in _by_digest:
        _by_digest[tables.digest] = _build_spec(build_for(tables), tables.digest)
    return _by_digest[tables.digest]
