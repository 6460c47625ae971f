"""The wheel and the source archive."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath
from urllib.request import urlopen

import pytest
from safetensors import safe_open
from safetensors.numpy import load_file

from vitienv.registry import game_names
from vitienv.version import __version__

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"vitienv": "vitienv", "vitienv/agents": "agents", "vitienv/training": "training"}
KERNELS = ROOT / "vitienv" / "kernels"
PROJECT = ("pyproject.toml", "setup.py", "README.md")

pytestmark = pytest.mark.slow


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """A wheel built from a source archive, which is built from a copy: the repository is unchanged."""
    copy = tmp_path_factory.mktemp("source")
    for name in PROJECT:
        shutil.copy(ROOT / name, copy)
    for folder in FOLDERS.values():
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "kernels"))
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", "out", cwd=copy)
    [built] = (copy / "out").glob("*.whl")
    return built


def install(wheel: Path, target: Path) -> Path:
    """Install only a wheel into a directory."""
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", target, wheel, cwd=target)
    return target


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """A directory with the installed wheel only."""
    return install(wheel, tmp_path_factory.mktemp("installed"))


def test_wheel_without_prebuilt_kernels_is_pure(wheel):
    assert wheel.name == f"vitienv-{__version__}-py3-none-any.whl"


def test_wheel_has_one_top_level_name(wheel):
    with zipfile.ZipFile(wheel) as archive:
        tops = {PurePosixPath(name).parts[0] for name in archive.namelist()}
    assert tops == {"vitienv", f"vitienv-{__version__}.dist-info"}


def test_wheel_contains_every_file(wheel):
    expected = set()
    for inside, folder in FOLDERS.items():
        files = [path for path in (ROOT / folder).rglob("*")
                 if path.is_file() and path.suffix != ".pyc" and path.parent != KERNELS]  # fmt: skip
        expected |= {f"{inside}/{path.relative_to(ROOT / folder).as_posix()}" for path in files}
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == expected


def test_wheel_imports_from_its_directory(installed):
    # -I ignores the working directory and PYTHONPATH, so the editable install is not imported.
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


# Modules `sitecustomize`, which all processes of a command import, and the code that they then run.
WITHOUT_NUMBA = "import sys\nsys.modules |= dict.fromkeys(['llvmlite', 'numba'])\n"
WITH_NUMBA = "from pathlib import Path\nfrom vitienv.core.compiling import prebuilt\nprebuilt.FOLDER = Path('none')\n"
COMMANDS = {
    "tournament": ["tournament", "heuristic", "policy:champion", "ismcts:simulations=8", "--games=6", "--processes=2"],
    "train": ["train", "--steps", "2048", "--num-envs", "32", "--num-steps", "32", "--minibatch-size", "256",
              "--hidden", "32", "--evaluation-games", "0", "--threads", "1"],
}  # fmt: skip


def results_of(folder: Path) -> dict[str, object]:
    """Return the contents of a run's files by name, without the checkpoint, which contains times."""
    contents: dict[str, object] = {}
    for path in folder.glob("*.*"):
        if path.suffix == ".safetensors":  # the order of its metadata is random
            with safe_open(path, "numpy") as file:
                contents[path.name] = file.metadata()
            contents |= {f"{path.name}/{name}": array.tobytes() for name, array in load_file(path).items()}
        elif path.suffix != ".pt":
            contents[path.name] = path.read_bytes()
    return contents


@pytest.fixture(scope="module")
def prebuilt_wheel(tmp_path_factory) -> Path:
    wheels = sorted((ROOT / "build" / "wheel-test").glob("*-abi3-*.whl"))
    if not wheels:
        pytest.skip("no wheel with prebuilt kernels (make wheel-test)")
    return install(wheels[-1], tmp_path_factory.mktemp("prebuilt"))


@pytest.mark.parametrize("name", COMMANDS)
def test_prebuilt_kernels_give_the_results_of_numba(name, prebuilt_wheel, tmp_path, monkeypatch):
    results = []
    for source, customization in ((prebuilt_wheel, WITHOUT_NUMBA), (ROOT, WITH_NUMBA)):
        folder = tmp_path / source.name
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(customization)
        monkeypatch.setenv("PYTHONPATH", f"{folder}:{source}")
        vitienv = [sys.executable, "-m", "vitienv.cli"]
        codes = run(*vitienv, "--version", cwd=folder).splitlines()[1:]
        assert [": prebuilt" in code for code in codes] == [source is prebuilt_wheel] * len(game_names())
        run(*vitienv, *COMMANDS[name], "--seed", "1", "--run", "run", cwd=folder)
        results.append(results_of(folder / "run"))
    assert len(results[0]) > 5 and results[0] == results[1]


def runner(name: str) -> str:
    """Return a program that runs wheels, from the directory of `make release-check`, or from PATH."""
    program = shutil.which(name, path=os.environ.get("VITIENV_RUNNERS")) or shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed (see make release-check)")
    return program


PLAY = ["play", "--players", "2", "--bots", "random", "--seed", "1"]


@pytest.mark.parametrize("name", ["pipx", "uvx"])
def test_wheel_runs_without_installation(name, wheel, tmp_path):
    """A game is started and saved, in an environment without training."""
    spec = f"{wheel}[play]"
    launcher = [runner("pipx"), "run", "--spec", spec] if name == "pipx" else [runner("uvx"), "--from", spec]
    # Interpreted rules start at once; `make wheel-test` tests compilation.
    variables = {"NUMBA_DISABLE_JIT": "1", "PIPX_HOME": tmp_path / "pipx", "UV_CACHE_DIR": tmp_path / "uv",
           "VITIENV_HOME": tmp_path / "home"}  # fmt: skip
    env = os.environ | {key: str(value) for key, value in variables.items()}

    def ask(*arguments, stdin=""):
        command = [str(part) for part in (*launcher, "vitienv", *arguments)]
        result = subprocess.run(command, cwd=tmp_path, env=env, input=stdin, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
        return result.stdout

    assert ask("--version").splitlines()[0] == __version__
    assert "You left the game" in ask(*PLAY, stdin="1\nquit\n")
    command = [str(part) for part in (*launcher, "vitienv", "play", "--web", "--port", "0")]
    with subprocess.Popen(
        command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as web:
        try:
            address = re.search(r"http://\S+", web.stdout.readline()).group()
            assert "world" in json.load(urlopen(f"{address}api/options", timeout=60))["rulesets"]
        finally:
            os.killpg(web.pid, signal.SIGTERM)
    assert not [path for path in tmp_path.rglob("torch") if path.is_dir()]
