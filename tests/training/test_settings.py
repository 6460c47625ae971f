"""Settings: options, help, bounds and tables are made from the fields; old run folders keep theirs."""

import json
import re
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

import vitienv.training
from vitienv import cli
from vitienv.commands.train import METHODS, OPTIONS
from vitienv.training.run import settings_in
from vitienv.training.selfplay import settings as selfplay
from vitienv.training.settings import bounds_of, check, default_of, parsed, setting, settings_of, table, type_of

SOURCES = [path.read_text(encoding="utf-8") for path in Path(vitienv.training.__file__).parent.rglob("*.py")
           if path.name != "settings.py"]  # fmt: skip


@dataclass(frozen=True)
class Small:
    """A few settings."""

    share: float = setting(0.5, "a share", above=0, maximum=1)
    n: int | None = setting(None, "a number", minimum=2)
    bots: tuple[str, ...] = setting(("random",), "some bots", bots=True)
    name: str | None = setting("heuristic", "a bot, or none", flag="called")
    is_so: bool = setting(False, "whether it is", flag="")


def test_bounds_are_told_and_checked():
    assert [bounds_of(one) for one in fields(Small)] == ["above 0 and at most 1", "at least 2", "", "", ""]
    check(Small(share=1.0, n=2))
    for wrong, said in (
        ({"share": 0.0}, "share must be above 0 and at most 1, got 0.0"), ({"n": 1}, "n must be at least 2, got 1"),
        ({"share": 1.5}, "share must be above 0 and at most 1, got 1.5"),
        ({"share": float("nan")}, "share must be a finite number, got nan"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            check(Small(**wrong))


def test_a_table_has_a_row_for_each_option():
    assert table([Small]).splitlines()[2:] == [
        "| `--share` | `0.5` | a share (above 0 and at most 1) |", "| `--n` |  | a number (at least 2) |",
        "| `--bots` | `random` | some bots |", "| `--called` | `heuristic` | a bot, or none |",
    ]  # fmt: skip


def test_options_are_read_as_their_fields_say():
    assert [type_of(Small, one.name) for one in fields(Small)] == [float, int, str, str, bool]
    split = lambda text, _: text.split(",")  # noqa: E731
    assert parsed(Small, "bots", "a,b", split) == ("a", "b") and parsed(Small, "bots", "none", split) == ()
    assert parsed(Small, "name", "none", split) is None and parsed(Small, "share", 0.25, split) == 0.25


@pytest.mark.parametrize("method", METHODS)
def test_every_setting_is_read_somewhere(method):
    """A field that nothing uses would be an option that does nothing."""
    module = METHODS[method][0]
    for one in (*fields(module.Settings), *fields(module.Call)):
        assert any(re.search(rf"\.{one.name}\b", text) for text in SOURCES), one.name
    assert not any(re.search(r"\.no_such_setting\b", text) for text in SOURCES)


@pytest.mark.parametrize("method", METHODS)
def test_defaults_stand_in_the_help(method, capsys):
    assert cli.run(["train", "--help"]) == 0
    help = " ".join(re.sub(r"[│╭╮╰╯─]", " ", capsys.readouterr().out).split())
    for flag, (_, one) in OPTIONS[method].items():
        assert f"--{flag.replace('_', '-')} " in help
        assert default_of(one) in help


def test_a_run_of_before_goes_on_where_its_settings_are_what_they_always_are(tmp_path):
    """Settings that are constants now are no reason to refuse a run that has those values."""
    made = settings_of(selfplay.Settings, {"mix": "2:1"})
    old = {one.name: getattr(made, one.name) for one in fields(made)} | selfplay.FROZEN
    (tmp_path / "checkpoint.pt").touch()

    def read(saved):
        (tmp_path / "settings.json").write_text(json.dumps({"kind": "selfplay", "settings": saved}), encoding="utf-8")
        make = lambda values: settings_of(selfplay.Settings, values)  # noqa: E731
        return settings_in(tmp_path, "selfplay", selfplay.Settings, {}, make, selfplay.FROZEN)

    assert read(old) == made
    with pytest.raises(ValueError, match=r"sure of the run in .* must be 0\.9, got 1\.0"):
        read(old | {"sure": 1.0})
