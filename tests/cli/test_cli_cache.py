"""vitienv cache: what is shown, and that nothing else than kept code is ever removed."""

import json

import numpy as np
import pytest

from tests.command import run as run_command
from vitienv import cli
from vitienv.commands.cache import folders_in_use
from vitienv.core.compiling.code_cache import ABOUT
from vitienv.core.compiling.jit import cache_on_disk, can_compile
from vitienv.registry import game_spec

pytestmark = pytest.mark.skipif(not can_compile(), reason="nothing is compiled")
NEW, OLD = "engine-0123456789abcdef", "fedcba9876543210-agents-0123456789ab"


def double(numbers):
    for i in range(len(numbers)):
        numbers[i] *= 2


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A cache with code in use, code of an old version, and what is somebody else's."""
    place = tmp_path / "cache"
    monkeypatch.setenv("VITIENV_CACHE", str(place))
    cache_on_disk(double, place / NEW, "the engine")(np.arange(3))
    description = json.loads((place / NEW / ABOUT).read_text())
    (place / OLD).mkdir()
    versions = description["versions"] | {"vitienv": "0.0.1"}
    (place / OLD / ABOUT).write_text(json.dumps(description | {"versions": versions}))
    (place / OLD / "run-0a1b.kernel").write_bytes(b"x" * 2_000_000)
    (place / "letters").mkdir()
    (place / "engine-00000000000000aa").mkdir()
    (place / "engine-00000000000000aa" / "thesis.tex").write_text("all of it")
    (place / "notes.txt").write_text("mine")
    return place


def run(capsys, *arguments):
    return run_command(capsys, "cache", *arguments)


def test_directory_size_and_versions_are_shown(capsys, place):
    status, out, _ = run(capsys)
    assert status == 0 and str(place) in out and "VITIENV_CACHE" in out
    assert "1 directory in use" in out and "1 directory of other versions or games, 2.0 MB" in out
    new, old = json.loads(run(capsys, "--json")[1])["folders"]
    assert (new["name"], new["in_use"], old["name"], old["in_use"]) == (NEW, True, OLD, False)
    assert set(new["versions"]) == {"vitienv", "numba", "numpy", "python"} and old["versions"]["vitienv"] == "0.0.1"
    assert new["bytes"] > 1000 and 2_000_000 < old["bytes"] < 2_010_000


def test_searches_and_all_rulesets_are_current():
    in_use = set(folders_in_use())  # before the next line, which puts its directories in use
    specs = [game_spec().options.of(ruleset=ruleset).game_spec for ruleset in game_spec().rulesets]
    assert {spec.searching.folder for spec in specs} | {spec.kernels.folder for spec in specs} <= in_use


def remaining_files(place):
    return {path.name for path in place.iterdir()}


def test_warm_compiles_the_kernels_of_bots(capsys, monkeypatch):
    warmed_bots = []
    monkeypatch.setattr(
        "vitienv.training.evaluation.match.warm_up", lambda bots, *_: warmed_bots.extend(bot.name for bot in bots)
    )
    status, out, _ = run(capsys, "warm", "random", "heuristic", "--option", "ruleset=original")
    assert status == 0 and warmed_bots == ["random", "heuristic"] and "MB of compiled code in use" in out
    assert run(capsys, "warm", "--game", "toscana")[0] == 0
    assert [name.split()[0] for name in warmed_bots[2:]] == ["heuristic", "ismcts", "policy:champion", "ismcts"]
    assert run(capsys, "warm", "nobody")[0] == cli.BAD_INPUT


FOREIGN = {"letters", "notes.txt", "engine-00000000000000aa"}


def test_clear_removes_compiled_code_only(capsys, place):
    status, out, _ = run(capsys, "clear")
    assert status == 0 and "Removed 2 directories" in out and remaining_files(place) == FOREIGN
    assert (place / "engine-00000000000000aa" / "thesis.tex").read_text() == "all of it"
    assert run(capsys, "clear")[1].startswith("Removed 0 directories")


def test_clear_old_keeps_current_versions(capsys, place):
    assert json.loads(run(capsys, "clear", "--old", "--json")[1])["removed"][0]["name"] == OLD
    assert remaining_files(place) == FOREIGN | {NEW}


def test_missing_cache_is_empty(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("VITIENV_CACHE", str(tmp_path / "none"))
    assert run(capsys)[0] == 0 and not (tmp_path / "none").exists()


def test_interpreted_rules_use_no_cached_code(capsys, place, monkeypatch):
    monkeypatch.setattr("vitienv.core.compiling.jit.is_interpreted", lambda: True)
    status, out, errors = run(capsys, "clear", "--old")
    assert (status, out) == (2, "") and "interpreted" in errors and remaining_files(place) == FOREIGN | {NEW, OLD}
