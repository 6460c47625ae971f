"""WebAssembly of games and bots in Node equals the native kernels, byte for byte."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

import vitienv
from tests.engine.kinds import tables_of
from tests.engine.playthrough import GAMES as GOLDEN_GAMES
from tests.engine.playthrough import path_of
from tools.entry_points import entry_points
from tools.wasm import bots, emit
from tools.wasm import build as command
from tools.wasm.bots import bots_at
from vitienv.agents.champions import Champions
from vitienv.agents.levels import LEVELS
from vitienv.agents.protocol import GameViews
from vitienv.agents.registry import make_agent
from vitienv.agents.search.searcher import search
from vitienv.commands.bench.signature import SEED, STEPS
from vitienv.core.batch import Batch, make_key, make_keys
from vitienv.core.kernel import LOOPS, Run

ROOT = Path(vitienv.__file__).resolve().parent.parent
NODE = shutil.which("node")
REASON = "Node is not installed (apt-get install nodejs)" if NODE is None else emit.missing()
GAME_NAMES = ("toscana", "viticulture", "world")
GAMES = 8  # the first is that of the signature
RANDOM_STEP = int(Run.STEP | Run.RANDOM | Run.RESTART | Run.OBSERVE)
HASHED = ("result", "games", "masks", "seats", "decisions", "obs", "actions", "keys", "rewards", "ended", "scores",
          "ranks")  # fmt: skip
BLOCKS = dict(re.findall(r'```\w+ title="(\S+)"\n(.*?)```', (ROOT / "docs/wasm.md").read_text("utf-8"), re.DOTALL))


def needs_node(test):
    """Mark a test of `make test-wasm`."""
    return pytest.mark.slow(pytest.mark.skipif(REASON is not None, reason=str(REASON))(test))


def call(entry, flags=0, **inputs):
    return {"entry": entry, "flags": int(flags), "inputs": inputs}


def start_call(options, keys):
    return call("run", Run.START | Run.OBSERVE, keys=keys.ravel().tolist(), rules=options.rules().tolist())


def bot_calls(options, keys):
    """Return calls of both bots at every decision; a third of the actions is random, a third by each bot."""
    bots = ["heuristic", "network"] if bots_at(options)["network"] else ["heuristic"]
    calls = [start_call(options, keys)]
    for i in range(STEPS[options.num_players]):
        calls += [call(bot) for bot in (bots if i % 2 else reversed(bots))]
        calls.append(call("run", RANDOM_STEP if i % 3 == 0 else RANDOM_STEP & ~Run.RANDOM))
    return calls


def random_calls(options, keys):
    """Return calls for games with restarts, then views, standings and determinization of seats, then playouts."""
    calls = [start_call(options, keys)]
    calls += [call("run", RANDOM_STEP)] * STEPS[options.num_players]
    for seat in range(options.num_players):
        viewers = [seat] * GAMES
        calls += [call("observe_seat", viewers=viewers), call("write_standings"), call("determinize", viewers=viewers)]
        calls.append(call("run", Run.REFRESH | Run.OBSERVE))
    return [*calls, call("run", Run.STEP | Run.RANDOM | Run.PLAYOUT)]


def native_hashes(options, calls):
    """Return a hash of all arrays after each call."""
    batch = Batch(GAMES, options)
    kernels = {kernel.name: kernel for kernel in entry_points(batch)}
    arrays = {name: value for kernel in kernels.values() for name, value in kernel.arguments.items()}
    game = options.game_spec
    bots = {"heuristic": make_agent(game.heuristic_bot, game=game).act, "network": Champions(game).best}
    digests = []
    for call in calls:
        for name, numbers in call["inputs"].items():
            arrays[name].reshape(-1)[:] = numbers
        kernel, bot, decisions = kernels.get(call["entry"]), bots.get(call["entry"]), None
        if bot:
            batch.actions[:] = bot(batch.obs, batch.masks)
            assert batch.are_legal(batch.actions).all()
        else:
            decisions = kernel.function(
                *({**kernel.arguments, "flags": call["flags"]}[name] for name in kernel.arguments)
            )
        sha = hashlib.sha256(str(decisions or 0).encode())
        for name in HASHED[1:]:
            sha.update(arrays[name].tobytes())
        digests.append(sha.hexdigest())
    return digests


def node_hashes(folder, game, calls):
    """Return the hashes of `native_hashes` from Node. calls: by table."""
    champions = {name: bots_at(options)["network"] for name, options in tables_of(game).items()}
    tables = {name: {"games": GAMES, "champion": champions.get(name), "hashed": HASHED, "calls": rows}
              for name, rows in calls.items()}  # fmt: skip
    return query_node(folder, game, tables=tables)


def query_node(folder, game, **request):
    stdin = json.dumps({"address": f"{game}/{game}"} | request)
    return json.loads(run_node(Path(__file__).with_name("play.mjs"), folder, stdin=stdin))


def run_node(*arguments, stdin=""):
    process = subprocess.run([NODE, *map(str, arguments)], input=stdin, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Return a function that builds a game in a directory with the files of docs/wasm.md."""
    folder = tmp_path_factory.mktemp("wasm")
    for name, text in BLOCKS.items():
        (folder / name).write_text(text, encoding="utf-8")

    @cache
    def build(game):
        command.write([game], folder)
        return folder

    return build


@needs_node
@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("calls_of", [random_calls, bot_calls])
def test_games_equal_native_games(build, game, calls_of):
    folder, tables = build(game), tables_of(game)
    calls = {name: calls_of(options, make_keys(SEED, GAMES)) for name, options in tables.items()}
    hashes = node_hashes(folder, game, calls)
    for name, options in tables.items():
        assert first_difference(hashes[name], native_hashes(options, calls[name])) is None, name


def first_difference(hashes, expected):
    assert len(hashes) == len(expected)
    return next((i for i, (a, b) in enumerate(zip(hashes, expected)) if a != b), None)


def positions(options, n):
    """Yield positions of games of the heuristic bot with a choice, each as the first game of a batch of two."""
    bot = make_agent(options.game_spec.heuristic_bot, game=options.game_spec)
    batch, rng = Batch(2, options), np.random.default_rng(SEED)
    batch.start(make_keys(SEED, 2))
    while n:
        if rng.random() < 0.05 and batch.masks[0].sum() > 1:
            n -= 1
            yield batch
        batch.actions[:] = bot.act(batch.obs, batch.masks)
        batch.step(restart=True)


@needs_node
@pytest.mark.parametrize(
    ("game", "level", "n"),
    [("toscana", 8, 5), ("viticulture", 8, 2), ("toscana", 9, 20), ("viticulture", 9, 10), ("world", 8, 10)],
)
def test_searches_equal_native_searches(build, game, level, n):
    folder, rng = build(game), np.random.default_rng(SEED)
    bot = make_agent(LEVELS[level - 1].bot, game=game)
    searches, expected = [], []
    for table, options in emit.tables(vitienv.game_spec(game)).items():
        for batch in positions(options, n):
            keys = rng.integers(0, 2**32, (1, 2), np.uint32)
            views, rows = GameViews(batch, [0]), np.array([0])
            expected.append(search(batch.obs[:1], batch.masks[:1], views, rows, keys, bot.guide, bot.limits)[0])
            record = batch.bytes_view[0].view(np.uint8).tolist()
            searches.append({"table": table, "record": record, "keys": keys[0].tolist()})
    description = json.loads((folder / game / f"{game}.json").read_text(encoding="utf-8"))
    assert description["levels"][level - 1]["bot"] == "ismcts"
    output = query_node(folder, game, searches=searches, level=description["levels"][level - 1])["searches"]
    assert len(output) == len(expected) > 0
    for request, result, native in zip(searches, output, expected):
        visits = [tuple(row[:2]) for row in result["rows"]]
        assert visits == list(zip(native.actions.tolist(), native.visits.tolist())), request["table"]
        # Exponentials of two libraries may differ in the last digit.
        assert np.abs(np.array([row[2] for row in result["rows"]]) - native.values).max() < 1e-12, request["table"]
        assert result["progress"] == sorted(result["progress"]) and result["progress"][-1] == native.simulations


@needs_node
@pytest.mark.parametrize("game", GAME_NAMES)
def test_golden_games_equal_their_records(build, game):
    logs = {name: vitienv.Game.new(seed=seed, **options) for name, (seed, options) in GOLDEN_GAMES.items()}
    tables, records = {}, {}
    for name, log in logs.items():
        if log.game_spec.name != game:
            continue
        moves = re.findall(r"^\d \w+ \(\d+\): (\S+) -> (\w{8})$", path_of(name).read_text("utf-8"), re.MULTILINE)
        records[name] = [digest for _, digest in moves]
        calls = [start_call(log.options, make_key(GOLDEN_GAMES[name][0]))]
        calls += [call("run", Run.STEP, actions=[log.game_spec.actions.number(action)]) for action, _ in moves]
        tables[name] = {"games": 1, "hashed": ["games"], "calls": calls}
    assert tables
    output = query_node(build(game), game, tables=tables)
    assert {name: [digest[:8] for digest in output[name][1:]] for name in tables} == records


@needs_node
def test_different_seed_is_detected(build):
    folder, options = build("toscana"), vitienv.game_spec("toscana").options.of()
    keys = make_keys(SEED, GAMES)
    calls = random_calls(options, keys)
    different_keys = np.where(np.arange(GAMES)[:, None] == GAMES - 1, keys + 1, keys)
    hashes = node_hashes(folder, "toscana", {"same": calls, "different": random_calls(options, different_keys)})
    expected = native_hashes(options, calls)
    assert first_difference(hashes["same"], expected) is None and first_difference(hashes["different"], expected) == 0


def in_browser(folder, script):
    """Return the output of a script of the page."""
    browser = f"""import {{ readFileSync }} from "node:fs";
globalThis.fetch = async (path) => new Response(readFileSync({json.dumps(str(folder))} + "/" + path));
globalThis.document = {{ body: {{ append: console.log }} }};
globalThis.crypto ??= (await import("node:crypto")).webcrypto;
"""
    imports = re.findall(r"^import .*\n", script, re.MULTILINE)
    body = re.sub(r"^import .*\n", "", script, flags=re.MULTILINE)
    (folder / "script.mjs").write_text("".join(imports) + browser + body, encoding="utf-8")
    return run_node(folder / "script.mjs")


@needs_node
def test_documented_page_plays_a_game(build):
    folder = build("toscana")
    assert BLOCKS["page.html"].count("\n") <= 20
    page = BLOCKS["page.html"].replace("\n  ", "\n")
    (script,) = re.findall(r'<script type="module">\n(.*?)</script>', page, re.DOTALL)
    lines = [in_browser(folder, script) for _ in range(2)]
    pattern = r"[1-9]\d+ decisions, points \d+,\d+,\d+, ranks [123],[123],[123]\n"
    assert all(re.fullmatch(pattern, line) for line in lines)
    assert lines[0] != lines[1]


@needs_node
def test_documented_script_runs_bots(build):
    output = in_browser(build("toscana"), BLOCKS["bots.mjs"])
    pattern = r"""the heuristic bot: action \d+
the champion: action \d+
(\d+ of 64 simulations\n)*64 of 64 simulations
level 9: action \d+, \d+ visits, value -?0\.\d+
"""
    assert re.fullmatch(pattern, output), output


def test_missing_libraries_are_named(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["wasm", "--folder", str(tmp_path)])
    monkeypatch.setattr(emit, "LIBRARIES", {"wasi-libc": "nowhere/libc.a"})
    with pytest.raises(SystemExit, match=r"^WebAssembly needs .* libraries: apt-get install lld wasi-libc$"):
        command.main()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", GAME_NAMES)
def test_description_lists_arrays_and_bots(game, monkeypatch):
    """Also with interpreted rules, from which no code can be emitted."""
    parameters = lambda function: list(signature(function).parameters)  # noqa: E731
    monkeypatch.setattr(bots, "names_of", parameters)
    monkeypatch.setattr("vitienv.core.targets.llvm_modules.names_of", parameters)
    spec = vitienv.game_spec(game)
    batch = Batch(1, spec.options.of())
    description = emit.manifest(spec, [*entry_points(batch), *bots.entry_points(batch)]) | bots.manifest(spec)
    assert {*LOOPS, "compute_prior_scores", "best", "evaluate", "simulate"} == description["entries"].keys()
    assert {row["network"] for row in description["bots"].values()} - {None} <= description["networks"].keys()
    assert json.loads(json.dumps(description)) and len(description["levels"]) == len(LEVELS)


@pytest.mark.parametrize("line", ["  %1 = alloca { ptr, i64 }, align 8", "@a = internal constant [2 x ptr] [ptr @f]"])
def test_addresses_in_memory_raise(line):
    emit.check_addresses("  %1 = alloca ptr, align 8\n@x = internal constant [4 x i8] zeroinitializer\n")
    with pytest.raises(ValueError, match=r"^code for WebAssembly must not store addresses, got "):
        emit.check_addresses(f"define void @f() {{\n{line}\n}}\n")
