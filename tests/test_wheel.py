"""The wheel and the source archive, as somebody else would get them."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"vitienv": "vitienv", "vitienv/agents": "agents", "vitienv/training": "training"}
PROJECT = ("pyproject.toml", "setup.py", "README.md")

pytestmark = pytest.mark.slow


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """A wheel built from a source archive, which is built from a copy: nothing is left in the repository."""
    copy = tmp_path_factory.mktemp("source")
    for name in PROJECT:
        shutil.copy(ROOT / name, copy)
    for folder in FOLDERS.values():
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", "out", cwd=copy)
    [built] = (copy / "out").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder that the wheel alone was installed into."""
    target = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", target, wheel, cwd=target)
    return target


def test_wheel_is_pure(wheel):
    assert wheel.name == "vitienv-0.1.0-py3-none-any.whl"


def test_wheel_has_one_top_level_name(wheel):
    with zipfile.ZipFile(wheel) as archive:
        tops = {PurePosixPath(name).parts[0] for name in archive.namelist()}
    assert tops == {"vitienv", "vitienv-0.1.0.dist-info"}


def test_wheel_holds_every_module(wheel):
    expected = {"vitienv/py.typed"}
    for inside, folder in FOLDERS.items():
        found = [path for kind in ("*.py", "*.safetensors", "static/*") for path in (ROOT / folder).rglob(kind)]
        for path in found:
            expected.add(f"{inside}/{path.relative_to(ROOT / folder).as_posix()}")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert not expected - names and sum(name.endswith(".safetensors") for name in expected) == 3
    assert not {name for name in names if name.endswith(".py")} - expected


def test_wheel_imports_from_its_own_place(installed):
    # -I leaves out the working folder and PYTHONPATH; the editable install of the repository must not answer.
    code = f"""
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in repr(finder).lower()]
sys.path.insert(0, {str(installed)!r})
import vitienv.agents, vitienv.training, importlib.util
print(vitienv.__file__, vitienv.agents.__file__, vitienv.training.__file__)
assert importlib.util.find_spec("agents") is None and importlib.util.find_spec("training") is None
"""
    files = run(sys.executable, "-I", "-c", code, cwd=installed).split()
    assert len(files) == 3 and all(Path(file).is_relative_to(installed) for file in files)
