"""How fast the games are as WebAssembly: random decisions a second of processor time in Node, and natively.

    make wasm && python benchmarks/wasm.py [GAME [TABLE [GAMES [ROUNDS]]]]
    make wasm && python benchmarks/wasm.py GAME TABLE level:9 [POSITIONS]

TABLE is `ruleset/players`. Rounds of both alternate; the median of each is printed, with masks and observations. With a
level that searches: processor time of its decisions in games by the heuristic bot, where the network leaves a choice.
Node runs `engine.mjs` of docs/wasm.md.
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from tools.wasm.emit import tables
from vitienv.agents.levels import LEVELS
from vitienv.agents.protocol import GameViews
from vitienv.agents.registry import make_agent
from vitienv.agents.search.searcher import search
from vitienv.core.batch import Batch, keys_of
from vitienv.registry import game_spec

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "wasm"
SEED, SECONDS = 1, 1.0
IN_NODE = """
import { readFileSync } from "node:fs";
import { open } from "./engine.mjs";
const [address, table, keys, seconds] = JSON.parse(readFileSync(0, "utf8"));
globalThis.fetch = async (path) => new Response(readFileSync(path));
const { about, arrays, call } = await open(address, keys.length);
const { START, STEP, RANDOM, RESTART, OBSERVE } = about.bits;
const now = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const what = STEP | RANDOM | RESTART | OBSERVE;
arrays.rules.set(about.tables[table].map(BigInt));
arrays.keys.set(keys.flat());
call("run", { flags: START | OBSERVE });
let taken = 0, from;
for (const limit of [seconds, seconds]) {  // the first one is for V8 to compile
  [taken, from] = [0, now()];
  while (now() < from + limit) for (let i = 0; i < 100; i++) taken += call("run", { flags });
}
console.log(taken / (now() - from));
"""


SEARCH_IN_NODE = """
import { readFileSync } from "node:fs";
import { search, searcher } from "./engine.mjs";
const [address, table, level, positions] = JSON.parse(readFileSync(0, "utf8"));
globalThis.fetch = async (path) => new Response(readFileSync(path));
const now = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e3; };
const engine = await searcher(address, table, level), told = [];
for (const [record, keys] of positions) {
  const from = now(), slices = search(engine, Uint8Array.from(record), keys), times = [from];
  let slice;
  while (!(slice = slices.next()).done) times.push(now());
  const longest = Math.max(...times.slice(1).map((time, i) => time - times[i]));
  if (slice.value.length > 1) told.push([now() - from, longest]);
}
console.log(JSON.stringify(told));
"""


def in_node(game: str, table: str, games: int) -> float:
    """Decisions for a second of processor time, in a new process of Node."""
    return run(IN_NODE, [str(FOLDER / game / game), table, keys_of(SEED, games).tolist(), SECONDS])


def run(script: str, given: Any) -> Any:
    """What a script beside `engine.mjs` prints."""
    page = (ROOT / "docs" / "wasm.md").read_text(encoding="utf-8")
    engine = re.search(r'```js title="engine.mjs"\n(.*?)```', page, re.DOTALL)
    assert engine is not None
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("engine.mjs", engine[1]), ("script.mjs", script)):
            Path(folder, name).write_text(text, encoding="utf-8")
        command = ["node", f"{folder}/script.mjs"]
        done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=True)
        return json.loads(done.stdout)


def natively(game: str, table: str, games: int) -> float:
    """Random decisions a second of the native code, in this process."""
    ruleset, _, players = table.partition("/")
    batch = Batch(games, game_spec(game).options.of(ruleset=ruleset, num_players=int(players)))
    batch.start(keys_of(SEED, games))
    taken, start = 0, time.process_time()
    while time.process_time() < start + SECONDS:
        for _ in range(100):
            taken += batch.step_random()
    return taken / (time.process_time() - start)


def search_times(game: str, table: str, level: str, n: int) -> None:
    """Print the processor time of searches in Node and natively, in milliseconds."""
    made = game_spec(game)
    options, thumb = tables(made)[table], make_agent(made.heuristic_bot, game=made)
    bot: Any = make_agent(level, seed=SEED, game=made)
    batch, rng = Batch(2, options), np.random.default_rng(SEED)
    batch.start(keys_of(SEED, 2))
    positions, native = [], []
    while len(positions) < n:
        if rng.random() < 0.05 and batch.masks[0].sum() > 1:
            keys = rng.integers(0, 2**32, (1, 2), np.uint32)
            positions.append([batch.bytes_view[0].view(np.uint8).tolist(), keys[0].tolist()])
            start = time.process_time()
            rows = np.array([0])
            found = search(batch.obs[:1], batch.masks[:1], GameViews(batch, rows), rows, keys, bot.guide, bot.limits)[0]
            if len(found.actions) > 1:
                native.append(1000 * (time.process_time() - start))
        batch.actions[:] = thumb.act(batch.obs, batch.masks)
        batch.step(restart=True)
    budget = {"simulations": bot.limits.simulations, "at_once": bot.limits.batch_size}
    times = np.array(run(SEARCH_IN_NODE, [str(FOLDER / game / game), table, budget, positions]))
    assert len(times) == len(native)
    first, warm = times[: len(times) // 4, 0], times[len(times) // 4 :, 0]
    print(f"{game} {table}, {level}: {len(native)} searches at {n} decisions, processor time in ms")
    for name, row in (("Node, the first quarter", first), ("Node, later", warm), ("natively", np.array(native))):
        print(f"{name}: median {np.median(row):.0f}, most {row.max():.0f}")
    print(f"longest slice in Node, later: {times[len(times) // 4 :, 1].max():.0f}")


def main(game: str = "toscana", table: str = "toscana/3", games: str = "64", rounds: str = "") -> None:
    """Print the median of each, and how many times as long WebAssembly takes."""
    if games.startswith("level:"):
        search_times(game, table, LEVELS[int(games.removeprefix("level:")) - 1].bot, int(rounds or 80))
        return
    pairs = [(in_node(game, table, int(games)), natively(game, table, int(games))) for _ in range(int(rounds or 5))]
    node, native = (statistics.median(column) for column in zip(*pairs))
    times = statistics.median(native / node for node, native in pairs)
    print(f"{game} {table}, {games} games: {node:,.0f} decisions/s in Node, {native:,.0f} natively, {times:.1f} times")


if __name__ == "__main__":
    main(*sys.argv[1:])
