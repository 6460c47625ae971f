"""The games as WebAssembly, played in Node, beside the compiled loops of this machine: equal in every byte."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import vitienv
from vitienv.commands import wasm as command
from vitienv.core.batch import Batch, keys_of
from vitienv.core.kernel import Run
from vitienv.core.targets import wasm
from vitienv.signature import SEED, STEPS

ROOT = Path(vitienv.__file__).resolve().parent.parent
NODE = shutil.which("node")
WHY = "no Node here (apt-get install nodejs)" if NODE is None else wasm.missing()
needs_both = pytest.mark.skipif(WHY is not None, reason=str(WHY))
GAMES = 8  # the first one is that of the signature
ROUND = int(Run.STEP | Run.RANDOM | Run.RESTART | Run.OBSERVE)
HASHED = ("games", "masks", "seats", "decisions", "obs", "actions", "keys", "rewards", "ended", "scores", "ranks")
BLOCKS = dict(re.findall(r'```\w+ title="(\S+)"\n(.*?)```', (ROOT / "docs/wasm.md").read_text("utf-8"), re.DOTALL))


def tables_of(game):
    """The tables of the bench signature, by name."""
    made = vitienv.definition(game)
    found = {name: made.options.of(**options) for name, options in made.signature.items()}
    for ruleset in made.rulesets if made.varies is None else ():
        for n in made.options.of(ruleset=ruleset).players():
            found[f"{ruleset}/{n}"] = made.options.of(ruleset=ruleset, num_players=n)
    return {name: options for name, options in found.items() if options.definition is made}


def calls_of(options, keys):
    """Random games with their successors; then, for each seat, what it sees, how it stands, and what is hidden from it
    dealt anew; then playouts."""

    def call(entry, what=0, **given):
        return {"entry": entry, "what": int(what), "given": given}

    calls = [call("run", Run.START | Run.OBSERVE, keys=keys.ravel().tolist(), rules=options.rules().tolist())]
    calls += [call("run", ROUND)] * STEPS[options.num_players]
    for seat in range(options.num_players):
        viewers = [seat] * GAMES
        calls += [call("observe_seat", viewers=viewers), call("stand"), call("determinize", viewers=viewers)]
        calls.append(call("run", Run.REFRESH | Run.OBSERVE))
    return [*calls, call("run", Run.STEP | Run.RANDOM | Run.PLAYOUT)]


def natively(options, calls):
    """A hash of all arrays after each call."""
    batch = Batch(GAMES, options)
    kernels = {kernel.function.__name__: kernel for kernel in wasm.kernels_of(batch)}
    arrays = {name: value for kernel in kernels.values() for name, value in kernel.arguments.items()}
    told = []
    for call in calls:
        for name, numbers in call["given"].items():
            arrays[name].reshape(-1)[:] = numbers
        kernel = kernels[call["entry"]]
        taken = kernel.function(*({**kernel.arguments, "what": call["what"]}[name] for name in kernel.arguments))
        sha = hashlib.sha256(str(taken or 0).encode())
        for name in HASHED:
            sha.update(arrays[name].tobytes())
        told.append(sha.hexdigest())
    return told


def in_node(folder, game, calls):
    """The same of several tables in Node. calls: of each, by its name."""
    tables = {name: {"games": GAMES, "hashed": HASHED, "calls": own} for name, own in calls.items()}
    asked = json.dumps({"address": f"{game}/{game}", "tables": tables})
    return json.loads(run_node(Path(__file__).with_name("play.mjs"), folder, stdin=asked))


def run_node(*arguments, stdin=""):
    done = subprocess.run([NODE, *map(str, arguments)], input=stdin, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with what docs/wasm.md says, and a function that writes a game into it."""
    folder = tmp_path_factory.mktemp("wasm")
    for name, text in BLOCKS.items():
        (folder / name).write_text(text, encoding="utf-8")
    made = set()

    def build(game):
        if game not in made:
            command.write([game], folder)
        made.add(game)
        return folder

    return build


@needs_both
@pytest.mark.parametrize("game", ["toscana", "viticulture", pytest.param("world", marks=pytest.mark.slow)])
def test_games_are_the_same_byte_for_byte(built, game):
    folder, tables = built(game), tables_of(game)
    calls = {name: calls_of(options, keys_of(SEED, GAMES)) for name, options in tables.items()}
    found = in_node(folder, game, calls)
    for name, options in tables.items():
        assert first_difference(found[name], natively(options, calls[name])) is None, name


def first_difference(found, expected):
    assert len(found) == len(expected)
    return next((i for i, (one, other) in enumerate(zip(found, expected)) if one != other), None)


@needs_both
def test_another_game_would_be_seen(built):
    folder, options = built("toscana"), vitienv.definition("toscana").options.of()
    keys = keys_of(SEED, GAMES)
    calls = calls_of(options, keys)
    other = np.where(np.arange(GAMES)[:, None] == GAMES - 1, keys + 1, keys)
    found = in_node(folder, "toscana", {"right": calls, "wrong": calls_of(options, other)})
    expected = natively(options, calls)
    assert first_difference(found["right"], expected) is None and first_difference(found["wrong"], expected) == 0


@needs_both
def test_the_page_plays(built, tmp_path):
    folder = built("toscana")
    assert sum(text.count("\n") for text in BLOCKS.values()) <= 40
    (script,) = re.findall(r'<script type="module">\n(.*?)</script>', BLOCKS["page.html"], re.DOTALL)
    browser = f"""import {{ readFileSync }} from "node:fs";
globalThis.fetch = async (path) => new Response(readFileSync({json.dumps(str(folder))} + "/" + path));
globalThis.document = {{ body: {{ append: console.log }} }};
"""
    (folder / "page.mjs").write_text(browser + script, encoding="utf-8")
    told = [run_node(folder / "page.mjs") for _ in range(2)]
    right = r"[1-9]\d+ decisions, points \d+,\d+,\d+, ranks [123],[123],[123]\n"
    assert all(re.fullmatch(right, line) for line in told)
    assert told[0] != told[1]


def test_what_is_not_installed_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["wasm", "--folder", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"^WebAssembly needs wasm-ld, LLVM's linker: apt-get install lld$"):
        command.main()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("line", ["  %1 = alloca { ptr, i64 }, align 8", "@a = internal constant [2 x ptr] [ptr @f]"])
def test_addresses_in_memory_are_refused(line):
    wasm.check_addresses("  %1 = alloca ptr, align 8\n@x = internal constant [4 x i8] zeroinitializer\n")
    with pytest.raises(ValueError, match=r"^addresses in memory would lie elsewhere in WebAssembly: "):
        wasm.check_addresses(f"define void @f() {{\n{line}\n}}\n")
