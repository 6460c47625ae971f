"""Rules play the same games compiled and interpreted, and as published."""

import json
import os
import subprocess
import sys

import pytest

from tests.engine.kinds import KINDS
from vitienv.commands.bench.signature import signature, signature_of
from vitienv.registry import game_names, game_spec

PROGRAM = """
import json, sys
from vitienv.commands.bench.signature import signature, signature_of
from vitienv.registry import game_spec
game, tables = json.loads(sys.argv[1])
of = game_spec(game).options.of
parts = signature_of({name: of(**options) for name, options in tables.items()}) if tables else signature(game)
print(json.dumps(parts.parts))
"""
TABLES = {
    "viticulture": {
        "2": {"num_players": 2}, "3": {"num_players": 3, "friendly": True},
        "5": {"num_players": 5, "draft_parents": True},
        **{name: KINDS[name] for name in ("hard", "challenge_1", "blocker", "original_3")},
    },
    "world": {"2": {"num_players": 2, "continent": "europe", "events": "shuffled"}, "1": {"num_players": 1}},
    "toscana": {"5": {"num_players": 5}, **game_spec("toscana").signature},
}  # fmt: skip


@pytest.mark.parametrize("game", game_names())
def test_signature_is_published(game):
    from vitienv.training.evaluation import published

    command = f"vitienv bench --signature{'' if game == 'viticulture' else f' --game {game}'}"
    (value,) = (row.value for row in published.read() if (row.command, row.pick) == (command, "signature"))
    assert signature(game).total == value


@pytest.mark.parametrize(("game", "tables"), [
    *TABLES.items(), *(pytest.param(game, {}, marks=pytest.mark.slow) for game in TABLES)
])  # fmt: skip
def test_interpreted_rules_play_the_same_games(game, tables):
    """tables: some of the game, or {} for those of the signature."""
    settings, command = os.environ | {"NUMBA_DISABLE_JIT": "1"}, [sys.executable, "-c", PROGRAM]
    done = subprocess.run([*command, json.dumps([game, tables])], env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    of = game_spec(game).options.of
    compiled = signature_of({name: of(**options) for name, options in tables.items()}) if tables else signature(game)
    assert json.loads(done.stdout.splitlines()[-1]) == compiled.parts
