"""Examples of the documentation run: code, commands of the README and of docs/usage.md, notebooks."""

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
WITHOUT_PICTURE = ("first_look", "bot_in_20_lines")  # notebooks that run without rendering
BOTS = {"agents", "agent", "against", "bots", "bot", "opponents"}  # parameters of commands
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def blocks(language: str, page: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, flags=re.DOTALL)


PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}


def commands(pages: Iterable[str] = (README, PAGES["usage"])) -> list[list[str]]:
    """Return the documented command lines, except those of make."""
    code = [block.replace("\\\n", " ") for page in pages for block in blocks("sh", page)]
    lines = [line.split("#")[0].strip() for block in code for line in block.splitlines()]
    return [shlex.split(line) for line in lines if line.startswith("vitienv")]


# The examples of the page about CUDA need a GPU.
EXAMPLE_PAGES = {
    "README": README,
    **{name: text for name, text in PAGES.items() if "```python" in text and name != "cuda"},
}


def shorten(block: str) -> str:
    """Reduce a training example to one rollout of eight games, evaluated in four games."""
    for number, small in (
        (r"DECISIONS = .*", "DECISIONS = 1_024"),
        (r"DECISIONS, ROLLOUT, GAMES = .*", "DECISIONS, ROLLOUT, GAMES = 1_024, 1_024, 8"),
        (r"VecEnv\(64,", "VecEnv(8,"),
        ("games=200", "games=4"),
        ("minutes=10", "steps=8_192, evaluation_games=4"),
    ):
        block = re.sub(number, small, block)
    return block


@pytest.mark.parametrize("page", EXAMPLE_PAGES)
def test_documented_code_runs(page, tmp_path):
    """Each block starts with an empty namespace."""
    code = "import sys\nfor block in sys.argv[1:]: exec(block, {'__name__': '__main__'})"
    examples = [shorten(block) for block in blocks("python", EXAMPLE_PAGES[page])]
    command = [sys.executable, "-c", code, *examples]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert examples
    assert result.returncode == 0, result.stderr


def inline_names() -> list[str]:
    """Return names outside of code blocks, such as `vitienv.envs.sb3.SingleAgentVecEnv(64)`."""
    prose = re.sub(r"```.*?```", "", "\n".join([README, *PAGES.values()]), flags=re.DOTALL)
    spans = " ".join(re.findall(r"`([^`\n]+)`", prose))
    return sorted(set(re.findall(r"(?<![\w./])vitienv(?:\.[A-Za-z_]\w*)+", spans)))


@pytest.mark.parametrize("name", inline_names())
def test_inline_names_exist(name):
    if name == "vitienv.envs.openspiel":
        pytest.importorskip("pyspiel")  # installed by `make test-integrations`
    pkgutil.resolve_name(name)


def test_inline_names_need_no_other_import():
    done = subprocess.run([sys.executable, "-c", "import vitienv; vitienv.envs.sb3.SingleAgentVecEnv"])
    assert done.returncode == 0


# Smaller settings of slow commands.
SMALL = {
    "train": {"--minutes": "0.02", "--evaluation-games": "4"},
    # The time limit is checked after each file of games.
    "search": {"--minutes": "0.02", "--evaluation-games": "4", "--games": "2", "--processes": "1"},
    "tournament": {"--games": "4", "--processes": "1"},
    "evaluate": {"--games": "2", "--processes": "1"},
    "data": {"--games": "4", "--processes": "1"},
    "campaign": {"--max-games": "3", "--processes": "1"},
    "verify": {"--only": "^engine", "--processes": "1"},  # other results take hours
}


@pytest.mark.parametrize("command", commands(), ids=lambda command: command[1])
def test_documented_commands_run(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    name, arguments = command[1], command[2:]
    if (name in ("analyse", "bench", "compare", "mcp", "play", "replay") and "verify" not in arguments) or {
        "--backend", "--merge"
    } & {*arguments}:  # fmt: skip
        # these need minutes, a person, a cluster or files, and have other tests
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


def test_documented_commands_parse():
    """Commands, options and bots of all pages exist."""
    line = command_line()
    todo = [line]
    while todo:
        command = todo.pop()
        command.callback = lambda **parameters: parameters
        todo += getattr(command, "commands", {}).values()
    names = {name for game in game_names() for name in agent_names(game)}
    n_specs = 0
    for words in commands([README, *PAGES.values()]):
        parameters = line(args=words[1:], standalone_mode=False)
        if parameters.get("merge"):
            continue  # its arguments are run directories instead of bots
        for name in BOTS & parameters.keys():
            specs = [parameters[name]] if isinstance(parameters[name], str) else parameters[name] or []
            for bot in (part.partition(":")[0] for spec in specs for part in re.split(r",(?![a-z_]+=)", spec)):
                assert bot in names or is_dotted(bot), words
                n_specs += 1
    assert n_specs > 50


def test_all_commands_are_documented():
    from vitienv.cli import COMMANDS

    assert {command[1] for command in commands()} == set(COMMANDS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_have_outputs(path):
    """Each notebook starts with its aim, and has the outputs of a complete run, in order, without errors."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    assert re.match(r"# .+\n\n[A-Z].{40}", notebook.cells[0].source)
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    assert outputs and not any(output.output_type == "error" for output in outputs)
    assert any("image/png" in output.get("data", {}) for output in outputs) or path.stem in WITHOUT_PICTURE


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path, monkeypatch):
    """With fewer games and less training, as the notebooks suggest."""
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("VITIENV_NOTEBOOKS", "small")
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert outputs and not any(output["output_type"] == "error" for output in outputs)
