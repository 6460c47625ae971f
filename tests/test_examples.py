"""What the documentation shows runs: its code, the commands of README and of the page of commands, notebooks."""

import pkgutil
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from vitienv import cli
from vitienv.agents.registry import agent_names
from vitienv.cli import command_line
from vitienv.registry import game_names, is_dotted

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
WITHOUT_PICTURE = ("first_look", "bot_in_20_lines")  # the first shows the drawing of a game
BOTS = {"agents", "agent", "against", "bots", "bot", "opponents"}  # what commands call them
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def blocks(language: str, page: str = README) -> list[str]:
    """The fenced blocks of a language in a page, by default the README."""
    return re.findall(rf"```{language}\n(.*?)```", page, flags=re.DOTALL)


PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}


def commands(pages: Iterable[str] = (README, PAGES["usage"])) -> list[list[str]]:
    """The command lines that are shown, without make."""
    shown = [block.replace("\\\n", " ") for page in pages for block in blocks("sh", page)]
    lines = [line.split("#")[0].strip() for block in shown for line in block.splitlines()]
    return [shlex.split(line) for line in lines if line.startswith("vitienv")]


# What the page of cards shows needs one.
SHOWN = {"README": README, **{name: text for name, text in PAGES.items() if "```python" in text and name != "cuda"}}


def test_code_is_shown():
    assert len(blocks("python")) >= 1 and len(blocks("python", PAGES["usage"])) >= 4


def shorten(block: str) -> str:
    """The code of a training with one rollout of eight games, evaluated in four games."""
    for number, small in (
        (r"DECISIONS = .*", "DECISIONS = 1_024"),
        (r"VecEnv\(64,", "VecEnv(8,"),
        ("games=200", "games=4"),
    ):
        block = re.sub(number, small, block)
    return block


@pytest.mark.parametrize("page", SHOWN)
def test_code_that_is_shown_runs(page, tmp_path):
    """The blocks of a page know nothing of each other: each begins with no names."""
    code = "import sys\nfor block in sys.argv[1:]: exec(block, {'__name__': '__main__'})"
    own = [sys.executable, "-c", code, *(shorten(block) for block in blocks("python", SHOWN[page]))]
    done = subprocess.run(own, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def named() -> list[str]:
    """What is named in passing, outside of the blocks: such as `vitienv.envs.sb3.ViticultureVecEnv(64)`."""
    prose = re.sub(r"```.*?```", "", "\n".join([README, *PAGES.values()]), flags=re.DOTALL)
    spans = " ".join(re.findall(r"`([^`\n]+)`", prose))
    return sorted(set(re.findall(r"(?<![\w./])vitienv(?:\.[A-Za-z_]\w*)+", spans)))


@pytest.mark.parametrize("name", named())
def test_what_is_named_is_there(name):
    if name == "vitienv.envs.openspiel":
        pytest.importorskip("pyspiel")  # `make test-integrations` has it
    pkgutil.resolve_name(name)


def test_what_is_named_needs_no_other_import():
    done = subprocess.run([sys.executable, "-c", "import vitienv; vitienv.envs.sb3.ViticultureVecEnv"])
    assert done.returncode == 0


# Smaller settings for the commands that take long, and what stands for the reader's part.
SMALL = {
    "train": {"--minutes": "0.02", "--evaluation-games": "4"},
    # Time is looked at after a file, all of whose games are played.
    "search": {"--minutes": "0.02", "--evaluation-games": "4", "--games": "2", "--processes": "1"},
    "tournament": {"--games": "4", "--processes": "1"},
    "evaluate": {"--games": "2", "--processes": "1"},
    "data": {"--games": "4", "--processes": "1"},
    "campaign": {"--max-games": "3", "--processes": "1"},
    "verify": {"--only": "^engine", "--processes": "1"},  # strength takes hours; make test holds what must be equal
}


@pytest.mark.parametrize("command", commands(), ids=lambda command: command[1])
def test_shown_commands_run(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    name, arguments = command[1], command[2:]
    if (name in ("analyse", "bench", "compare", "mcp", "play", "replay") and "verify" not in arguments) or {
        "--backend", "--merge"
    } & {*arguments}:  # fmt: skip
        # bench takes minutes, play a person, a cluster other machines, the others files; each has its own tests
        arguments = ["--help"]
    else:
        kind = "campaign" if "--campaign" in arguments else "search" if "search" in arguments else name
        kind = "verify" if "verify" in arguments else kind
        for option, value in SMALL.get(kind, {}).items():
            if option in arguments:
                arguments[arguments.index(option) + 1] = value
            else:
                arguments += [option, value]
    arguments = [re.sub(r"milliseconds=\d+", "milliseconds=4", argument) for argument in arguments]
    assert cli.run([name, *arguments]) == 0, capsys.readouterr().err
    assert capsys.readouterr().out.strip() or name == "train"


def test_every_shown_command_can_be_told():
    """All pages: there are such commands and options, and such bots."""
    line = command_line()
    todo = [line]
    while todo:
        command = todo.pop()
        command.callback = lambda **given: given
        todo += getattr(command, "commands", {}).values()
    known = {name for game in game_names() for name in agent_names(game)}
    n_specs = 0
    for words in commands([README, *PAGES.values()]):
        given = line(args=words[1:], standalone_mode=False)
        if given.get("merge"):
            continue  # it names run folders in the place of bots
        for name in BOTS & given.keys():
            specs = [given[name]] if isinstance(given[name], str) else given[name] or []
            for bot in (one.partition(":")[0] for spec in specs for one in re.split(r",(?![a-z_]+=)", spec)):
                assert bot in known or is_dotted(bot), words
                n_specs += 1
    assert n_specs > 50


def test_every_command_is_shown():
    from vitienv.cli import COMMANDS

    assert {command[1] for command in commands()} == set(COMMANDS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_keep_what_they_showed(path):
    """Every notebook opens with what the reader will know, and has the outputs of a whole run, in order, without
    errors."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    assert re.search("After(wards| this) you", notebook.cells[0].source)
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    assert outputs and not any(output.output_type == "error" for output in outputs)
    assert any("image/png" in output.get("data", {}) for output in outputs) or path.stem in WITHOUT_PICTURE


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path, monkeypatch):
    """With fewer games and less training, as the notebooks themselves say."""
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("VITIENV_NOTEBOOKS", "small")
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert outputs and not any(output["output_type"] == "error" for output in outputs)
