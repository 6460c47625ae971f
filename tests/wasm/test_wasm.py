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
from tests.engine.playthrough import GAMES as GOLDEN_GAMES
from tests.engine.playthrough import path_of
from tools.wasm import build as command
from tools.wasm import emit
from tools.wasm.bots import bots_at
from vitienv.agents.champions import Champions
from vitienv.agents.levels import LEVELS
from vitienv.agents.protocol import GameViews
from vitienv.agents.registry import make_agent
from vitienv.agents.search.searcher import search
from vitienv.commands.bench.signature import SEED, STEPS
from vitienv.core.batch import Batch, key_of, keys_of
from vitienv.core.kernel import Run
from vitienv.core.targets.llvm_modules import kernels_of

ROOT = Path(vitienv.__file__).resolve().parent.parent
NODE = shutil.which("node")
WHY = "no Node here (apt-get install nodejs)" if NODE is None else emit.missing()
KNOWN = ("toscana", "viticulture", "world")
GAMES = 8  # the first one is that of the signature
ROUND = int(Run.STEP | Run.RANDOM | Run.RESTART | Run.OBSERVE)
HASHED = ("taken", "games", "masks", "seats", "decisions", "obs", "actions", "keys", "rewards", "ended", "scores",
          "ranks")  # fmt: skip
BLOCKS = dict(re.findall(r'```\w+ title="(\S+)"\n(.*?)```', (ROOT / "docs/wasm.md").read_text("utf-8"), re.DOTALL))


def played_in_node(test):
    """A test of `make test-wasm`."""
    return pytest.mark.slow(pytest.mark.skipif(WHY is not None, reason=str(WHY))(test))


def tables_of(game):
    """The tables of the bench signature, by name."""
    made = vitienv.game_spec(game)
    tables = {name: made.options.of(**options) for name, options in made.signature.items()}
    for ruleset in made.rulesets if made.base_game is None else ():
        for n in made.options.of(ruleset=ruleset).players():
            tables[f"{ruleset}/{n}"] = made.options.of(ruleset=ruleset, num_players=n)
    return {name: options for name, options in tables.items() if options.game_spec is made}


def call(entry, flags=0, **given):
    return {"entry": entry, "flags": int(flags), "given": given}


def started(options, keys):
    return call("run", Run.START | Run.OBSERVE, keys=keys.ravel().tolist(), rules=options.rules().tolist())


def by_bots(options, keys):
    """Games in which both bots are asked at every decision; one of three is taken at random, one by each bot."""
    bots = ["heuristic", "network"] if bots_at(options)["network"] else ["heuristic"]
    calls = [started(options, keys)]
    for i in range(STEPS[options.num_players]):
        calls += [call(bot) for bot in (bots if i % 2 else reversed(bots))]
        calls.append(call("run", ROUND if i % 3 == 0 else ROUND & ~Run.RANDOM))
    return calls


def by_chance(options, keys):
    """Random games with their successors; then, for each seat, what it sees, how it stands, and what is hidden from it
    dealt anew; then playouts."""
    calls = [started(options, keys)]
    calls += [call("run", ROUND)] * STEPS[options.num_players]
    for seat in range(options.num_players):
        viewers = [seat] * GAMES
        calls += [call("observe_seat", viewers=viewers), call("stand"), call("determinize", viewers=viewers)]
        calls.append(call("run", Run.REFRESH | Run.OBSERVE))
    return [*calls, call("run", Run.STEP | Run.RANDOM | Run.PLAYOUT)]


def natively(options, calls):
    """A hash of all arrays after each call."""
    batch = Batch(GAMES, options)
    kernels = {kernel.name: kernel for kernel in kernels_of(batch)}
    arrays = {name: value for kernel in kernels.values() for name, value in kernel.arguments.items()}
    game = options.game_spec
    bots = {"heuristic": make_agent(game.heuristic_bot, game=game).act, "network": Champions(game).best}
    digests = []
    for call in calls:
        for name, numbers in call["given"].items():
            arrays[name].reshape(-1)[:] = numbers
        kernel, bot, taken = kernels.get(call["entry"]), bots.get(call["entry"]), None
        if bot:
            batch.actions[:] = bot(batch.obs, batch.masks)
            assert batch.are_legal(batch.actions).all()
        else:
            taken = kernel.function(*({**kernel.arguments, "flags": call["flags"]}[name] for name in kernel.arguments))
        sha = hashlib.sha256(str(taken or 0).encode())
        for name in HASHED[1:]:
            sha.update(arrays[name].tobytes())
        digests.append(sha.hexdigest())
    return digests


def in_node(folder, game, calls):
    """The same of several tables in Node. calls: of each, by its name."""
    champions = {name: bots_at(options)["network"] for name, options in tables_of(game).items()}
    tables = {name: {"games": GAMES, "champion": champions.get(name), "hashed": HASHED, "calls": own}
              for name, own in calls.items()}  # fmt: skip
    return asked_node(folder, game, tables=tables)


def asked_node(folder, game, **asked):
    told = json.dumps({"address": f"{game}/{game}"} | asked)
    return json.loads(run_node(Path(__file__).with_name("play.mjs"), folder, stdin=told))


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


@played_in_node
@pytest.mark.parametrize("game", KNOWN)
@pytest.mark.parametrize("calls_of", [by_chance, by_bots])
def test_games_are_the_same_byte_for_byte(built, game, calls_of):
    folder, tables = built(game), tables_of(game)
    calls = {name: calls_of(options, keys_of(SEED, GAMES)) for name, options in tables.items()}
    found = in_node(folder, game, calls)
    for name, options in tables.items():
        assert first_difference(found[name], natively(options, calls[name])) is None, name


def first_difference(found, expected):
    assert len(found) == len(expected)
    return next((i for i, (one, other) in enumerate(zip(found, expected)) if one != other), None)


def positions(options, n):
    """Positions with a choice from games by the heuristic bot, as batches of two in which the first is meant."""
    bot = make_agent(options.game_spec.heuristic_bot, game=options.game_spec)
    batch, rng = Batch(2, options), np.random.default_rng(SEED)
    batch.start(keys_of(SEED, 2))
    while n:
        if rng.random() < 0.05 and batch.masks[0].sum() > 1:
            n -= 1
            yield batch
        batch.actions[:] = bot.act(batch.obs, batch.masks)
        batch.step(restart=True)


@played_in_node
@pytest.mark.parametrize(
    ("game", "level", "n"),
    [("toscana", 8, 5), ("viticulture", 8, 2), ("toscana", 9, 20), ("viticulture", 9, 10), ("world", 8, 10)],
)
def test_searches_find_the_same(built, game, level, n):
    folder, rng = built(game), np.random.default_rng(SEED)
    bot = make_agent(LEVELS[level - 1].bot, game=game)
    searches, expected = [], []
    for table, options in emit.tables(vitienv.game_spec(game)).items():
        for batch in positions(options, n):
            keys = rng.integers(0, 2**32, (1, 2), np.uint32)
            given = batch.obs[:1], batch.masks[:1], GameViews(batch, [0]), np.array([0]), keys, bot.guide, bot.limits
            expected.append(search(*given)[0])
            record = batch.bytes_view[0].view(np.uint8).tolist()
            searches.append({"table": table, "record": record, "keys": keys[0].tolist()})
    about = json.loads((folder / game / f"{game}.json").read_text(encoding="utf-8"))
    assert about["levels"][level - 1]["bot"] == "ismcts"
    told = asked_node(folder, game, searches=searches, level=about["levels"][level - 1])["searches"]
    assert len(told) == len(expected) > 0
    for asked, one, right in zip(searches, told, expected):
        found = [tuple(row[:2]) for row in one["found"]]
        assert found == list(zip(right.actions.tolist(), right.visits.tolist())), asked["table"]
        # Exponentials of two libraries may differ in the last digit.
        assert np.abs(np.array([row[2] for row in one["found"]]) - right.values).max() < 1e-12, asked["table"]
        assert one["progress"] == sorted(one["progress"]) and one["progress"][-1] == right.simulations


@played_in_node
@pytest.mark.parametrize("game", KNOWN)
def test_golden_games_are_played_as_written(built, game):
    golden = {name: vitienv.Game.new(seed=seed, **options) for name, (seed, options) in GOLDEN_GAMES.items()}
    calls, written = {}, {}
    for name, one in golden.items():
        if one.game_spec.name != game:
            continue
        moves = re.findall(r"^\d \w+ \(\d+\): (\S+) -> (\w{8})$", path_of(name).read_text("utf-8"), re.MULTILINE)
        written[name] = [digest for _, digest in moves]
        numbers = [one.game_spec.actions.number(action) for action, _ in moves]
        calls[name] = [started(one.options, key_of(GOLDEN_GAMES[name][0]))]
        calls[name] += [call("run", Run.STEP, actions=[number]) for number in numbers]
    assert calls
    tables = {name: {"games": 1, "hashed": ["games"], "calls": own} for name, own in calls.items()}
    told = asked_node(built(game), game, tables=tables)
    assert {name: [digest[:8] for digest in told[name][1:]] for name in calls} == written


@played_in_node
def test_another_game_would_be_seen(built):
    folder, options = built("toscana"), vitienv.game_spec("toscana").options.of()
    keys = keys_of(SEED, GAMES)
    calls = by_chance(options, keys)
    other = np.where(np.arange(GAMES)[:, None] == GAMES - 1, keys + 1, keys)
    found = in_node(folder, "toscana", {"right": calls, "wrong": by_chance(options, other)})
    expected = natively(options, calls)
    assert first_difference(found["right"], expected) is None and first_difference(found["wrong"], expected) == 0


def in_browser(folder, script):
    """What a script of the page prints."""
    browser = f"""import {{ readFileSync }} from "node:fs";
globalThis.fetch = async (path) => new Response(readFileSync({json.dumps(str(folder))} + "/" + path));
globalThis.document = {{ body: {{ append: console.log }} }};
globalThis.crypto ??= (await import("node:crypto")).webcrypto;
"""
    imports = re.findall(r"^import .*\n", script, re.MULTILINE)
    body = re.sub(r"^import .*\n", "", script, flags=re.MULTILINE)
    (folder / "script.mjs").write_text("".join(imports) + browser + body, encoding="utf-8")
    return run_node(folder / "script.mjs")


@played_in_node
def test_the_page_plays(built):
    folder = built("toscana")
    assert BLOCKS["page.html"].count("\n") <= 20
    page = BLOCKS["page.html"].replace("\n  ", "\n")
    (script,) = re.findall(r'<script type="module">\n(.*?)</script>', page, re.DOTALL)
    told = [in_browser(folder, script) for _ in range(2)]
    right = r"[1-9]\d+ decisions, points \d+,\d+,\d+, ranks [123],[123],[123]\n"
    assert all(re.fullmatch(right, line) for line in told)
    assert told[0] != told[1]


@played_in_node
def test_the_page_asks_bots(built):
    output = in_browser(built("toscana"), BLOCKS["bots.mjs"])
    right = r"""the heuristic bot: action \d+
the champion: action \d+
(\d+ of 64 simulations\n)*64 of 64 simulations
level 9: action \d+, visited \d+ times, worth -?0\.\d+
"""
    assert re.fullmatch(right, output), output


def test_what_is_not_installed_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["wasm", "--folder", str(tmp_path)])
    monkeypatch.setattr(emit, "LIBRARIES", {"wasi-libc": "nowhere/libc.a"})
    with pytest.raises(SystemExit, match=r"^WebAssembly needs .* libraries: apt-get install lld wasi-libc$"):
        command.main()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("line", ["  %1 = alloca { ptr, i64 }, align 8", "@a = internal constant [2 x ptr] [ptr @f]"])
def test_addresses_in_memory_are_refused(line):
    emit.check_addresses("  %1 = alloca ptr, align 8\n@x = internal constant [4 x i8] zeroinitializer\n")
    with pytest.raises(ValueError, match=r"^addresses in memory would lie elsewhere in WebAssembly: "):
        emit.check_addresses(f"define void @f() {{\n{line}\n}}\n")
