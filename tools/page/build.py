"""Build the static page, on which a person plays bots without a server (`make page`, `docs/page.md`)."""

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
NOTICE = (
    "Everything runs in this page, including the hands of all players, so cheating is possible. Games are stored in "
    "this browser; the log of a finished game can be saved and loaded in <code>vitienv play --web</code>."
)
EXCLUDED_PACKAGES = ("commands", "data")
PAGE_MODULES = ("__init__.py", "entries.py", "service.py")
EXCLUDED_STDLIB = (
    "_pyrepl", "doctest", "ftplib", "imaplib", "mailbox", "multiprocessing", "pdb", "pydoc", "pydoc_data", "smtplib",
    "unittest", "wsgiref", "xml", "xmlrpc",
)  # fmt: skip
TRAINING_MODULES = re.compile(r"(\w+/)?(__init__|campaign)\.py")


def main() -> None:
    """Run the command line."""
    try:
        write(FOLDER)
    except (ValueError, RuntimeError, OSError) as error:
        sys.exit(str(error))
    size = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    print(f"{FOLDER}: {size / 1e6:.1f} MB; serve it with: python -m http.server --directory {FOLDER}")


def missing() -> str | None:
    """Return an error message if npm is not installed, or None."""
    return None if shutil.which("npm") else "npm is required to install Pyodide: apt-get install npm"


def write(folder: Path, engines: Path | None = None) -> None:
    """Write the page, with WebAssembly from `engines` or built. ValueError or RuntimeError without a requirement."""
    if (message := missing()) is not None:
        raise ValueError(message)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "static").mkdir(parents=True)
    if engines is None:
        write_engines(GAMES, folder)
    else:
        for game in GAMES:
            shutil.copytree(engines / game, folder / game)
    code = CODE.search((ROOT / "docs/wasm.md").read_text(encoding="utf-8"))
    assert code is not None
    (folder / "engine.mjs").write_text(code[1], encoding="utf-8")
    _runtime(folder / "pyodide")
    _python(folder / "python.zip")
    _compiled(folder / "pyodide", folder / "python.zip")
    _options(folder / "options.json")
    _static(folder)


def _runtime(folder: Path) -> None:
    folder.mkdir()
    with tempfile.TemporaryDirectory() as temporary:
        command = ["npm", "pack", "--silent", f"pyodide@{PYODIDE}"]
        process = subprocess.run(command, cwd=temporary, capture_output=True, text=True, check=False)
        if process.returncode != 0:
            raise RuntimeError(f"npm could not install pyodide {PYODIDE}: {process.stderr.strip()}")
        with tarfile.open(next(Path(temporary).glob("*.tgz"))) as archive:
            for name in RUNTIME:
                file = archive.extractfile(f"package/{name}")
                assert file is not None
                (folder / name).write_bytes(file.read())


def _python(path: Path) -> None:
    """Write an archive of the package and the substitute for NumPy."""
    import platformdirs

    trees = {"vitienv": ROOT / "vitienv", "vitienv/agents": ROOT / "agents",
             "numpy": ROOT / "tools/page/pyodide_numpy/numpy",
             "vitienv/training": ROOT / "training", "tools/page": ROOT / "tools/page",
             "platformdirs": Path(platformdirs.__file__).parent}  # fmt: skip
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("tools/__init__.py"), "")
        for name, tree in trees.items():
            for file in sorted(tree.rglob("*")):
                inner = file.relative_to(tree)
                is_included = file.suffix in (".py", ".toml", ".md", ".html", ".css", ".js")
                is_included &= name != "vitienv/training" or TRAINING_MODULES.fullmatch(inner.as_posix()) is not None
                is_included &= name != "vitienv" or inner.parts[0] not in EXCLUDED_PACKAGES
                is_included &= name != "tools/page" or str(inner) in PAGE_MODULES
                if is_included:
                    archive.writestr(zipfile.ZipInfo(f"{name}/{inner.as_posix()}"), file.read_bytes())


def _compiled(runtime: Path, package: Path) -> None:
    """Replace sources by bytecode, which each visit would otherwise compile."""
    archives = [package, runtime / "python_stdlib.zip"]
    script = ROOT / "tools/page/compile.mjs"
    command = ["node", *map(str, (script, runtime.resolve(), ",".join(EXCLUDED_STDLIB), *archives))]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        # Node prints the source of the failing line, which is a whole minified module.
        error = "\n".join(line for line in process.stderr.splitlines() if 0 < len(line) < 300)
        raise RuntimeError(f"Pyodide could not compile the modules: {error}")


def _options(path: Path) -> None:
    """Write the options of the start form, with the bots of the page."""
    rulesets = ruleset_forms({game: game_spec(game) for game in GAMES})
    for ruleset in rulesets.values():
        prefixes = ("level:", "random", game_spec(ruleset["game"]).heuristic_bot, "policy:champion")
        ruleset["bots"] = {bot: title for bot, title in ruleset["bots"].items() if bot.startswith(prefixes)}
    options = {"first": next(iter(rulesets)), "rulesets": rulesets, "person": PERSON}
    path.write_text(json.dumps(options), encoding="utf-8")


def _static(folder: Path) -> None:
    """Write the files of `vitienv play --web`, with those of the static page in place of some."""
    web, offline = ROOT / "vitienv/web/static", ROOT / "tools/page/static"
    for source in (web, offline):
        for file in source.glob("*.*"):
            if not file.name.startswith(("replay", "games", "offline")) and file.suffix != ".html":
                shutil.copy(file, folder / "static" / file.name)
    page = (web / "table.html").read_text(encoding="utf-8")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<title>'
    lobby = '<section id="lobby" hidden>\n'
    page = page.replace("<title>", policy, 1).replace(lobby, f"{lobby}<p>{NOTICE}</p>\n", 1)
    (folder / "index.html").write_text(page, encoding="utf-8")
    files = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    version = hashlib.sha256(b"".join((folder / name).read_bytes() for name in files)).hexdigest()[:16]
    text = (offline / "offline.js").read_text(encoding="utf-8")
    text = text.replace("VERSION", version).replace("/* files */", ", ".join(map(json.dumps, ["./", *files])))
    (folder / "offline.js").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
