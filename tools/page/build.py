"""`make page`: a folder of static files in which a person plays the bots, without a server (`docs/page.md`)."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from tools.wasm.build import write as write_engines
from vitienv.registry import game_spec
from vitienv.web.start_form import ruleset_forms
from vitienv.web.table import PERSON

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path("build/page")
GAMES = ["toscana", "viticulture", "world"]
PYODIDE = "314.0.7"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
CODE = re.compile(r'```js title="engine\.mjs"\n(.*?)```', re.DOTALL)
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "worker-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'"
)
HONEST = (
    "Everything runs in this page, all hands too: it is for honest players. Games stay in this browser; the log of a "
    "finished game can be taken home and taken up in <code>vitienv play --web</code>."
)
LEFT_OUT = ("commands", "data")  # of the package: what no page needs
PAGE_MODULES = ("__init__.py", "entries.py", "service.py")
UNUSED = (
    "_pyrepl", "doctest", "ftplib", "imaplib", "mailbox", "multiprocessing", "pdb", "pydoc", "pydoc_data", "smtplib",
    "unittest", "wsgiref", "xml", "xmlrpc",
)  # fmt: skip  # of Python's own modules
CAMPAIGN = re.compile(r"(\w+/)?(__init__|campaign)\.py")  # of the training: campaigns are played here


def main() -> None:
    """Write the folder and print its size."""
    try:
        write(FOLDER)
    except (ValueError, RuntimeError, OSError) as error:
        sys.exit(str(error))
    size = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    print(f"{FOLDER}: {size / 1e6:.1f} MB; python -m http.server --directory {FOLDER} serves it")


def missing() -> str | None:
    """What is not installed that is needed, in one line, or None."""
    return None if shutil.which("npm") else "the page needs npm, for Pyodide: apt-get install npm"


def write(folder: Path, engines: Path | None = None) -> None:
    """Write the folder. engines: a folder with the games' WebAssembly, which is made if there is none. ValueError or
    RuntimeError, in one line, if something is not installed."""
    if (told := missing()) is not None:
        raise ValueError(told)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "static").mkdir(parents=True)
    if engines is None:
        write_engines(GAMES, folder)
    else:
        for game in GAMES:
            shutil.copytree(engines / game, folder / game)
    found = CODE.search((ROOT / "docs/wasm.md").read_text(encoding="utf-8"))
    assert found is not None
    (folder / "engine.mjs").write_text(found[1], encoding="utf-8")
    _runtime(folder / "pyodide")
    _python(folder / "python.zip")
    _compiled(folder / "pyodide", folder / "python.zip")
    _options(folder / "options.json")
    _static(folder)


def _runtime(folder: Path) -> None:
    """Pyodide, as npm has it."""
    folder.mkdir()
    with tempfile.TemporaryDirectory() as made:
        command = ["npm", "pack", "--silent", f"pyodide@{PYODIDE}"]
        done = subprocess.run(command, cwd=made, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"npm gives no Pyodide {PYODIDE}: {done.stderr.strip()}")
        with tarfile.open(next(Path(made).glob("*.tgz"))) as packed:
            for name in RUNTIME:
                part = packed.extractfile(f"package/{name}")
                assert part is not None
                (folder / name).write_bytes(part.read())


def _python(path: Path) -> None:
    """The package and what takes the place of NumPy."""
    import platformdirs

    trees = {"vitienv": ROOT / "vitienv", "vitienv/agents": ROOT / "agents",
             "numpy": ROOT / "tools/page/pyodide_numpy/numpy",
             "vitienv/training": ROOT / "training", "tools/page": ROOT / "tools/page",
             "platformdirs": Path(platformdirs.__file__).parent}  # fmt: skip
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(zipfile.ZipInfo("tools/__init__.py"), "")
        for name, tree in trees.items():
            for file in sorted(tree.rglob("*")):
                inner = file.relative_to(tree)
                is_kept = file.suffix in (".py", ".toml", ".md", ".html", ".css", ".js")
                is_kept &= name != "vitienv/training" or CAMPAIGN.fullmatch(inner.as_posix()) is not None
                is_kept &= name != "vitienv" or inner.parts[0] not in LEFT_OUT
                is_kept &= name != "tools/page" or str(inner) in PAGE_MODULES
                if is_kept:
                    packed.writestr(zipfile.ZipInfo(f"{name}/{inner.as_posix()}"), file.read_bytes())


def _compiled(runtime: Path, package: Path) -> None:
    """Compiled modules in the place of sources: each visit would compile them anew."""
    archives = [package, runtime / "python_stdlib.zip"]
    script = ROOT / "tools/page/compile.mjs"
    command = ["node", *map(str, (script, runtime.resolve(), ",".join(UNUSED), *archives))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the page's Python cannot compile its modules: {done.stderr.strip()}")


def _options(path: Path) -> None:
    """What people are asked before a game, with the bots that the page has."""
    rulesets = ruleset_forms({game: game_spec(game) for game in GAMES})
    for own in rulesets.values():
        kept = ("level:", "random", game_spec(own["game"]).heuristic_bot, "policy:champion")
        own["bots"] = {bot: told for bot, told in own["bots"].items() if bot.startswith(kept)}
    told = {"first": next(iter(rulesets)), "rulesets": rulesets, "person": PERSON}
    path.write_text(json.dumps(told), encoding="utf-8")


def _static(folder: Path) -> None:
    """The files of `vitienv play --web`, some of them in the form for a page alone."""
    web, offline = ROOT / "vitienv/web/static", ROOT / "tools/page/static"
    for source in (web, offline):
        for file in source.glob("*.*"):
            if not file.name.startswith(("replay", "games", "offline")) and file.suffix != ".html":
                shutil.copy(file, folder / "static" / file.name)
    page = (web / "table.html").read_text(encoding="utf-8")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<title>'
    lobby = '<section id="lobby" hidden>\n'
    page = page.replace("<title>", policy, 1).replace(lobby, f"{lobby}<p>{HONEST}</p>\n", 1)
    (folder / "index.html").write_text(page, encoding="utf-8")
    files = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    version = hashlib.sha256(b"".join((folder / name).read_bytes() for name in files)).hexdigest()[:16]
    text = (offline / "offline.js").read_text(encoding="utf-8")
    text = text.replace("VERSION", version).replace("/* files */", ", ".join(map(json.dumps, ["./", *files])))
    (folder / "offline.js").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
