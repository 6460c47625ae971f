"""Settings: options, help, bounds and tables are generated from the fields."""

import re
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

import vitienv.training
from tools.doc_tables import training_options_table
from vitienv import cli
from vitienv.commands.train import METHODS, OPTIONS
from vitienv.training.settings import bounds_of, check, default_of, parsed, setting, type_of

SOURCES = [path.read_text(encoding="utf-8") for path in Path(vitienv.training.__file__).parent.rglob("*.py")
           if path.name != "settings.py"]  # fmt: skip


@dataclass(frozen=True)
class Small:
    share: float = setting(0.5, "a share", above=0, maximum=1)
    n: int | None = setting(None, "a number", minimum=2)
    bots: tuple[str, ...] = setting(("random",), "some bots", bots=True)
    name: str | None = setting("heuristic", "a bot, or none", flag="called")
    is_so: bool = setting(False, "whether it is", flag="")


def test_bounds_are_described_and_checked():
    assert [bounds_of(member) for member in fields(Small)] == ["above 0 and at most 1", "at least 2", "", "", ""]
    check(Small(share=1.0, n=2))
    for values, message in (
        ({"share": 0.0}, "share must be above 0 and at most 1, got 0.0"), ({"n": 1}, "n must be at least 2, got 1"),
        ({"share": 1.5}, "share must be above 0 and at most 1, got 1.5"),
        ({"share": float("nan")}, "share must be a finite number, got nan"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            check(Small(**values))


def test_table_of_options():
    assert training_options_table([Small]).splitlines()[2:] == [
        "| `--share` | `0.5` | a share (above 0 and at most 1) |", "| `--n` |  | a number (at least 2) |",
        "| `--bots` | `random` | some bots |", "| `--called` | `heuristic` | a bot, or none |",
    ]  # fmt: skip


def test_options_are_parsed_by_the_types_of_their_fields():
    assert [type_of(Small, member.name) for member in fields(Small)] == [float, int, str, str, bool]
    split = lambda text, _: text.split(",")  # noqa: E731
    assert parsed(Small, "bots", "a,b", split) == ("a", "b") and parsed(Small, "bots", "none", split) == ()
    assert parsed(Small, "name", "none", split) is None and parsed(Small, "share", 0.25, split) == 0.25


@pytest.mark.parametrize("method", METHODS)
def test_settings_are_used(method):
    """An unused field would be an option without effect."""
    module = METHODS[method][0]
    for member in (*fields(module.Settings), *fields(module.Call)):
        assert any(re.search(rf"\.{member.name}\b", text) for text in SOURCES), member.name
    assert not any(re.search(r"\.no_such_setting\b", text) for text in SOURCES)


@pytest.mark.parametrize("method", METHODS)
def test_help_contains_defaults(method, capsys):
    assert cli.run(["train", "--help"]) == 0
    help = " ".join(re.sub(r"[│╭╮╰╯─]", " ", capsys.readouterr().out).split())
    for flag, (_, member) in OPTIONS[method].items():
        assert f"--{flag.replace('_', '-')} " in help
        assert default_of(member) in help
