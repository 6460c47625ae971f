"""Names from files and command lines: commands print them as they are, never as markup or terminal control."""

import json

import pandas as pd
import pytest

import vitienv
from tests.command import run
from tests.external_players.programs import write_player
from vitienv import console
from vitienv.session import saves
from vitienv.training.evaluation.ladder import Champion, Ladder
from vitienv.training.evaluation.standings import NOTE

MARKUP = "[/][red]:bomb:"  # a closing tag without an opening one, a style, an emoji
CONTROLS = "\x1b]0;title\x07\x08\x7f\x9b31m\u202e\u2066\u200f"
NAME = MARKUP + CONTROLS
IN_FILES = NAME + "\r\nforged\ud800"
SHORT = "--games 2 --option max_years=1 --processes 1 --players 2".split()


def bot(folder):
    return f"{write_player(folder / 'player.py')} {NAME}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a program that plays, and files whose names are hostile."""
    folder = tmp_path_factory.mktemp("names")
    Ladder([Champion("2", IN_FILES, beaten="heuristic", date=NAME)]).save(folder / "ladder.json")
    Ladder([Champion("2", bot(folder), beaten="heuristic")]).save(folder / "champion.json")
    game = vitienv.Game.new(seed=1, num_players=2, max_years=1)
    while not game.is_over:
        game.step(game.legal_actions()[0])
    considered = [[{"action": IN_FILES, "value": 0.5}] for _ in game.moves]
    fault = {"seat": 0, "kind": IN_FILES, "text": IN_FILES}
    log = game.log | {"agents": [IN_FILES, "random"], "candidates": considered, "forfeit": fault, "seed": 1}
    (folder / "log.json").write_text(json.dumps(log))
    (folder / f"{NAME}D").mkdir(parents=True)
    return folder


@pytest.fixture
def work_dir(folder, monkeypatch):
    monkeypatch.chdir(folder)
    return folder


def printed(capsys, *arguments, status=0):
    """Return the output of a command, which must be printable."""
    code, out, error = run(capsys, *map(str, arguments))
    assert code == status, error
    controls = {char for char in out + error if not char.isprintable()} - {"\n"}
    assert not controls, (controls, out, error)
    return out + error


COMMANDS = {
    "ladder show": "ladder show --file ladder.json",
    "ladder show --json": "ladder show --file ladder.json --json",
    "replay": "replay log.json",
    "replay --text": "replay log.json --text",
    "replay --json": "replay log.json --json",
    "analyse": "analyse log.json --simulations 4 --top 2",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_names_in_files_are_printed_as_text(command, work_dir, capsys):
    text = printed(capsys, *command.split())
    assert MARKUP in text and "\nforged" not in text


def test_names_of_saved_games_are_printed_as_text(work_dir, capsys):
    path = saves.folder() / "games" / f"{MARKUP.replace('/', '')}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    log = json.loads((work_dir / "log.json").read_text())
    path.write_text(json.dumps(log | {"game": NAME}))
    try:
        assert MARKUP in printed(capsys, "replay") and path.stem in printed(capsys, "replay")
    finally:
        path.unlink()


BOT_COMMANDS = {
    "evaluate": ["evaluate", "BOT", "--opponents", "random", *SHORT],
    "evaluate alone": "evaluate BOT --players 1 --games 1 --processes 1".split(),
    "evaluate --campaign": "evaluate BOT --campaign 1 --max-games 1 --processes 1".split(),
    "evaluate World": "evaluate BOT --game world --option continent=greengully --games 1 --processes 1".split(),
    "bot check": "bot check BOT --games 2".split(),
    "ladder challenge": "ladder challenge BOT --file own.json --table solo --max-pairs 8 --processes 1".split(),
    "data generate": "data generate data --bots BOT,random --games 2 --option max_years=1 --processes 1".split(),
}


@pytest.mark.parametrize("command", BOT_COMMANDS.values(), ids=BOT_COMMANDS)
def test_bots_are_printed_as_text(command, work_dir, capsys):
    text = printed(capsys, *(part.replace("BOT", bot(work_dir)) for part in command))
    assert MARKUP in "".join(text.split())
    if command[0] == "data":
        assert MARKUP in printed(capsys, "data", "info", "data")


def test_names_in_tournaments_are_printed_as_text(work_dir, capsys):
    for name in ("run", "other"):
        seed = ("--seed", len(name), "--run", name)
        assert MARKUP in "".join(printed(capsys, "tournament", bot(work_dir), "random", *SHORT, *seed).split())
        frame = pd.read_parquet(work_dir / name / "games.parquet")
        frame[NOTE + NAME] = 1
        frame.loc[frame.index[frame["rank"] == 2][:1], "forfeit"] = IN_FILES.removesuffix("\ud800")
        frame.to_parquet(work_dir / name / "games.parquet", index=False)
    text = printed(capsys, "tournament", "--merge", "run", "other", "--run", "merged")
    assert "".join(text.split()).count(MARKUP) >= 3
    assert "".join(printed(capsys, "tournament", "--resume", "run", "--trust").split()).count(MARKUP) >= 3
    printed(capsys, "analyse", "run", "--processes", "1")


REFUSED = {
    "evaluate": "evaluate NAME --opponents random",
    "tournament": "tournament NAME random",
    "replay": "replay NAME",
    "analyse": "analyse NAME",
    "option": "evaluate random --opponents random --option NAME=1",
    "game": "evaluate random --opponents random --game NAME",
    "command": "NAME",
    "cards": "cards NAME",
    "ladder": "ladder show --file NAME",
    "analyse a directory": "analyse NAMED",
    "champion": "ladder challenge BOT --file champion.json",
}


@pytest.mark.parametrize("command", REFUSED.values(), ids=REFUSED)
def test_errors_are_printable(command, work_dir, capsys):
    words = [bot(work_dir) if part == "BOT" else part.replace("NAME", NAME) for part in command.split()]
    text = printed(capsys, *words, status=2)
    assert text.startswith("vitienv: ") and text.count("\n") == 1 and "[red]" in text


def test_json_keeps_every_character(capsys):
    value = {IN_FILES: [IN_FILES, 1.5, None], "plain": "Grüße ±"}
    console.print_json(value)
    text = capsys.readouterr().out
    assert json.loads(text) == value and text.isascii()
    assert all(char.isprintable() or char == "\n" for char in text)
