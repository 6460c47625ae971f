"""Installed packages, their versions, and the targets of the Makefile."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

from vitienv.extras import EXTRA_OF

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"vitienv": "vitienv", "vitienv.agents": "agents", "vitienv.training": "training"}
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def normal(name: str) -> str:
    """Return the normalised name of a distribution."""
    return re.sub(r"[-_.]+", "-", name).lower()


def required(*groups: str) -> set[str]:
    """Return the requirements of the project, or of extras, on x86-64 Linux."""
    project = PYPROJECT["project"]
    extras = project["optional-dependencies"]
    lines = [line for group in groups for line in extras[group]] if groups else project["dependencies"]
    return {
        normal(re.match(r"[\w.-]+", line).group()) for line in lines if ";" not in line
    }  # except markers of other platforms, as of numba


def pins(name: str = "constraints.txt") -> dict[str, str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    pin_lines = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in pin_lines), "a pin is NAME==VERSION, nothing more"
    return {normal(name): version for name, version in (line.split("==") for line in pin_lines)}


def targets() -> set[str]:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return {name for line in re.findall(r"^([a-z][\w -]*):(?!=)", text, re.MULTILINE) for name in line.split()}


def sources() -> list[Path]:
    folders = ("agents", "training", "vitienv", "tests")
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("name", FOLDERS)
def test_installed_names_match_directories(name):
    assert Path(importlib.import_module(name).__file__).resolve().parent == ROOT / FOLDERS[name]


def test_directories_with_code_are_packages():
    # A directory without __init__.py works in the repository and is missing from the wheel.
    folders = {path.parent for path in sources() if path.relative_to(ROOT).parts[0] in FOLDERS.values()}
    assert not [folder for folder in sorted(folders) if not (folder / "__init__.py").is_file()]


def test_data_files_are_installed():
    # A file without a pattern works in the repository and is missing from the wheel.
    patterns, missing = PYPROJECT["tool"]["setuptools"]["package-data"], []
    for name, folder in FOLDERS.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_dir() or path.suffix in (".py", ".pyc"):
                continue
            package = next(above for above in path.parents if (above / "__init__.py").is_file())
            dotted = ".".join([name, *package.relative_to(ROOT / folder).parts])
            inside = path.relative_to(package)
            globs = [*patterns["*"], *patterns.get(dotted, ())]
            if not any(inside.match(glob) and len(inside.parts) == glob.count("/") + 1 for glob in globs):
                missing.append(path.relative_to(ROOT).as_posix())
    assert not missing


def test_packages_are_imported_by_installed_name():
    # `import agents` works in the repository only, and loads a second copy of each module.
    pattern = re.compile(r"^\s*(import|from) (agents|training)\b", re.MULTILINE)
    assert [path for path in sources() if pattern.search(path.read_text(encoding="utf-8"))] == []


def test_core_has_few_requirements():
    assert required() == {
        "numpy", "gymnasium", "pettingzoo", "typer", "rich", "safetensors", "filelock", "platformdirs"
    }  # fmt: skip
    assert required("train") >= {"torch", "stable-baselines3", "sb3-contrib", "tensorboard"}
    assert {*PYPROJECT["project"]["optional-dependencies"]} == {
        "rules", "play", "analysis", "train", "llm", "openspiel", "cluster", "cuda", "docs", "dev", "all"
    }  # fmt: skip


def test_missing_modules_belong_to_extras():
    distributions = {"sb3_contrib": "sb3-contrib", "stable_baselines3": "stable-baselines3", "pyspiel": "open-spiel",
                     "llvmlite": "numba"}  # fmt: skip
    for module, extra in EXTRA_OF.items():
        assert distributions.get(module, module) in required(extra) and normal(module) not in required(), module


def test_constraints_pin_all_requirements():
    pinned = pins()
    assert pinned["torch"] == "2.13.0"
    assert not (required() | required("play", "analysis", "train", "docs", "dev")) - {"vitienv"} - pinned.keys()


def installed_by_name() -> set[tuple[str, str]]:
    """Return the packages that the Makefile installs: file of constraints ("" for none), and NAME or NAME==VERSION."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    for name in ("PIP", "CUDA_EXTRAS"):
        [meant] = re.findall(rf"^{name} :?= (.*)", text, re.MULTILINE)
        text = text.replace(f"$({name})", meant)
    packages = set()
    for line in re.findall(r"pip install (.*)", text):
        line = line.split(";")[0]
        files = re.findall(r"-c (\S+)", line) or [""]
        names = {name for extras in re.findall(r"(?<!\w)\[([a-z,]+)\]", line) for name in required(*extras.split(","))}
        line = re.sub(r"\$\(.*?\)\S*|-[ce] \S+|\[.*?\]|\"", " ", line)
        names |= {word for word in line.split() if re.match(r"\w", word) and "/" not in word}
        packages |= {(file, name) for file in files for name in names}
    return packages


def test_makefile_installs_pinned_packages():
    pinned = {"constraints.txt": pins(), "constraints-integrations.txt": pins("constraints-integrations.txt"), "": {}}
    pinned["$$2"] = pins("constraints-lowest.txt")  # tested one by one, together with constraints.txt
    packages = installed_by_name()
    names = {"setuptools", "pytest", "nvidia-cuda-nvcc", "cupy-cuda13x", "ray", "torch"}
    assert {name for _, name in packages} >= names
    assert not [
        (file, name)
        for file, name in sorted(packages)
        if "==" not in name and normal(name) not in {*pinned[file], "vitienv"}
    ]


def test_numba_range_equals_tested_versions():
    [(lowest, above)] = [re.fullmatch(r"numba>=([\d.]+),<([\d.]+)", line).groups()
                         for line in PYPROJECT["project"]["optional-dependencies"]["rules"]]  # fmt: skip
    assert pins("constraints-lowest.txt")["numba"] == f"{lowest}.0"
    major, minor, _ = pins()["numba"].split(".")
    assert above == f"{major}.{int(minor) + 1}"


def test_documented_make_targets_exist():
    pages = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "AGENTS.md", "llms.txt"))
    lines = re.findall(r"(?:^|`)make ([a-z][a-z -]*)", pages, re.MULTILINE)
    commands = {name for line in lines for name in line.split()}
    assert commands >= {"demo", "test", "quick", "lint"} and commands - targets() == set()


def user_texts() -> dict[Path, str]:
    """Return pages, and sources with errors and help texts, by path."""
    patterns = ("*.md", "docs/*.md", ".github/**/*.md", "notebooks/*.ipynb")
    pages = [path for pattern in patterns for path in ROOT.glob(pattern)]
    code = [path for path in sources() if path.relative_to(ROOT).parts[0] != "tests"]
    return {path: path.read_text(encoding="utf-8") for path in (*pages, *code)}


def test_installation_from_sources_only():
    """The package is not on an index, where its name could be taken."""
    from_index = re.compile(r"""(?<![/\w])vitienv\[|\binstall +(?:-\S+ +)*["']?vitienv\b""")
    texts = user_texts()
    assert [f"{path}: {match}" for path, text in texts.items() for match in from_index.findall(text)] == []
    extras = PYPROJECT["project"]["optional-dependencies"].keys()
    commands = {name for text in texts.values() for name in re.findall(r'pip install (?:-e )?"?\.[^\s`]*', text)}
    groups = {re.fullmatch(r'pip install -e (?:\.|"\.\[([a-z,]+|\{extra\})\]")\W*', command) for command in commands}
    assert None not in groups, commands
    documented = {extra for group in groups for extra in (group[1] or "").split(",")} - {"", "{extra}"}
    used = {extra for text in texts.values() for extra in re.findall(r'\bmissing_message\(.+?, "([a-z]+)"\)', text)}
    assert {"train", "analysis", "cluster"} <= documented & used and documented | used <= extras


def test_ci_runs_make_test():
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert "make test" in script.read_text(encoding="utf-8")
