"""What is installed, under which names and at which versions, and what the Makefile promises."""

import ast
import importlib
import re
import shutil
import subprocess
import tomllib
import venv
from pathlib import Path

import pytest

from vitienv.extras import EXTRA_OF

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"vitienv": "vitienv", "vitienv.agents": "agents", "vitienv.training": "training"}
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def normal(name: str) -> str:
    """A distribution's name as pip compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def required(*groups: str) -> set[str]:
    """Names of the distributions that the project, or the given extras, ask for on x86-64 Linux."""
    project = PYPROJECT["project"]
    extras = project["optional-dependencies"]
    lines = [line for group in groups for line in extras[group]] if groups else project["dependencies"]
    return {normal(re.match(r"[\w.-]+", line).group()) for line in lines if ";" not in line}  # numba, elsewhere


def pins(name: str = "constraints.txt") -> dict[str, str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in wanted), "a pin is NAME==VERSION, nothing more"
    return {normal(name): version for name, version in (line.split("==") for line in wanted)}


def targets() -> set[str]:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return {name for line in re.findall(r"^([a-z][\w -]*):(?!=)", text, re.MULTILINE) for name in line.split()}


def sources() -> list[Path]:
    folders = ("agents", "training", "vitienv", "tests")
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("name", FOLDERS)
def test_installed_name_is_the_folder(name):
    assert Path(importlib.import_module(name).__file__).resolve().parent == ROOT / FOLDERS[name]


def test_each_folder_with_code_is_a_package():
    # What lacks an __init__.py works from the repository and is missing from the wheel.
    folders = {path.parent for path in sources() if path.relative_to(ROOT).parts[0] in FOLDERS.values()}
    assert not [folder for folder in sorted(folders) if not (folder / "__init__.py").is_file()]


def test_each_file_beside_the_code_is_installed():
    # What no pattern names is there in the repository and missing from the wheel.
    patterns, missing = PYPROJECT["tool"]["setuptools"]["package-data"], []
    for name, folder in FOLDERS.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_dir() or path.suffix in (".py", ".pyc"):
                continue
            package = next(above for above in path.parents if (above / "__init__.py").is_file())
            dotted = ".".join([name, *package.relative_to(ROOT / folder).parts])
            inside = path.relative_to(package)
            named = [*patterns["*"], *patterns.get(dotted, ())]
            if not any(inside.match(one) and len(inside.parts) == one.count("/") + 1 for one in named):
                missing.append(path.relative_to(ROOT).as_posix())
    assert not missing


def test_nothing_imports_the_folders_by_their_own_names():
    # `import agents` works inside the repository only, and gives a second copy of each module.
    found = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            else:
                continue
            found += [f"{path}:{node.lineno}" for name in names if name.split(".")[0] in ("agents", "training")]
    assert not found


def test_command_and_marker_of_types():
    assert PYPROJECT["project"]["scripts"] == {"vitienv": "vitienv.cli:main"}
    assert (ROOT / "vitienv" / "py.typed").is_file()


def test_an_environment_needs_few_packages():
    assert required() == {
        "numpy", "gymnasium", "pettingzoo", "typer", "rich", "safetensors", "filelock", "platformdirs"
    }  # fmt: skip
    assert required("train") >= {"torch", "stable-baselines3", "sb3-contrib", "tensorboard"}
    assert {*PYPROJECT["project"]["optional-dependencies"]} == {
        "rules", "play", "analysis", "train", "llm", "openspiel", "cluster", "cuda", "docs", "dev", "all"
    }  # fmt: skip


def test_a_missing_module_is_of_an_extra():
    named = {"sb3_contrib": "sb3-contrib", "stable_baselines3": "stable-baselines3", "pyspiel": "open-spiel"}
    for module, extra in EXTRA_OF.items():
        assert named.get(module, module) in required(extra) and normal(module) not in required(), module


def test_constraints_pin_what_is_installed():
    pinned = pins()
    assert pinned["torch"] == "2.13.0"
    assert not (required() | required("play", "analysis", "train", "docs", "dev")) - {"vitienv"} - pinned.keys()


def installed_by_name() -> set[tuple[str, str]]:
    """What the Makefile lets pip install: constraints, "" for none, and a name or NAME==VERSION."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    for name in ("PIP", "ON_CARD"):
        [meant] = re.findall(rf"^{name} :?= (.*)", text, re.MULTILINE)
        text = text.replace(f"$({name})", meant)
    found = set()
    for line in re.findall(r"pip install (.*)", text):
        line = line.split(";")[0]
        files = re.findall(r"-c (\S+)", line) or [""]
        names = {name for extras in re.findall(r"(?<!\w)\[([a-z,]+)\]", line) for name in required(*extras.split(","))}
        line = re.sub(r"\$\(.*?\)\S*|-[ce] \S+|\[.*?\]|\"", " ", line)
        names |= {word for word in line.split() if re.match(r"\w", word) and "/" not in word}
        found |= {(file, name) for file in files for name in names}
    return found


def test_what_the_makefile_installs_by_name_has_a_pin():
    pinned = {"constraints.txt": pins(), "constraints-integrations.txt": pins("constraints-integrations.txt"), "": {}}
    pinned["$$pins"] = pins("constraints-lowest.txt")  # one after the other, and constraints.txt
    named = installed_by_name()
    assert {name for _, name in named} >= {"setuptools", "pytest", "nvidia-cuda-nvcc", "cupy-cuda13x", "ray", "torch"}
    assert not [
        (file, name)
        for file, name in sorted(named)
        if "==" not in name and normal(name) not in {*pinned[file], "vitienv"}
    ]


def test_the_range_of_numba_ends_where_make_test_versions_tests():
    [(lowest, above)] = [re.fullmatch(r"numba>=([\d.]+),<([\d.]+)", line).groups()
                         for line in PYPROJECT["project"]["optional-dependencies"]["rules"]]  # fmt: skip
    assert pins("constraints-lowest.txt")["numba"] == f"{lowest}.0"
    major, minor, _ = pins()["numba"].split(".")
    assert above == f"{major}.{int(minor) + 1}"


def test_both_commands_install_with_the_constraints():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "-c constraints.txt" in makefile
    assert {'.[rules,train]"', '.[rules,play,train,docs,dev]"'} <= set(re.findall(r'-e "(\S+)', makefile))


def test_make_commands_of_the_readme_exist():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^|`)make ([a-z][\w-]*)", readme, re.MULTILINE))
    assert named >= {"demo", "test"}
    assert not named - targets()


def told() -> dict[Path, str]:
    """What users read: pages, and sources, whose errors and help are read too."""
    patterns = ("*.md", "docs/*.md", ".github/**/*.md", "notebooks/*.ipynb")
    pages = [path for pattern in patterns for path in ROOT.glob(pattern)]
    own = [path for path in sources() if path.relative_to(ROOT).parts[0] != "tests"]
    return {path: path.read_text(encoding="utf-8") for path in (*pages, *own)}


def test_there_is_one_way_to_install():
    """From the folder of the sources: the package is in no index, where anybody could give its name to something."""
    from_index = re.compile(r"""(?<![/\w])vitienv\[|\binstall +(?:-\S+ +)*["']?vitienv\b""")
    texts = told()
    assert [f"{path}: {found}" for path, text in texts.items() for found in from_index.findall(text)] == []
    extras = PYPROJECT["project"]["optional-dependencies"].keys()
    shown = {name for text in texts.values() for name in re.findall(r'pip install (?:-e )?"?\.[^\s`]*', text)}
    groups = {re.fullmatch(r'pip install -e (?:\.|"\.\[([a-z,]+|\{extra\})\]")\W*', one) for one in shown}
    assert None not in groups, shown
    named = {extra for group in groups for extra in (group[1] or "").split(",")} - {"", "{extra}"}
    used = {extra for text in texts.values() for extra in re.findall(r'\bmissing\([^()]+, "([a-z]+)"\)', text)}
    assert {"train", "analysis", "cluster"} <= named & used and named | used <= extras


@pytest.mark.slow
def test_the_tutorial_begins_in_an_empty_environment(tmp_path):
    """As a newcomer gives it in the folder of the sources: installing, a game, the code of step two. Needs an index."""
    page = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    install, play = re.search(r"```sh\n([^#\n]+)\n(.*?) *#", page).groups()
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    folder = tmp_path / "sources"
    for name in FOLDERS.values():
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    venv.create(tmp_path / "empty", with_pip=True)
    # Interpreted rules begin at once; that an installed engine compiles is seen by `make wheel-test`.
    env = {"PATH": f"{tmp_path / 'empty' / 'bin'}:/usr/bin:/bin", "HOME": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}

    def give(command: str, said: str = "") -> str:
        done = subprocess.run(command, shell=True, cwd=folder, env=env, input=said, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    give(install)
    assert "You leave the table" in give(play.replace("--web", "--bots random"), "quit\n")
    give("python -", code)


def test_ci_runs_make_test():
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert "make test" in script.read_text(encoding="utf-8")
