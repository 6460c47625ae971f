"""How fast the games are as WebAssembly: random decisions a second of processor time in Node, and natively.

    make wasm && python benchmarks/wasm.py [GAME [TABLE [GAMES [ROUNDS]]]]

TABLE is `ruleset/players`. Rounds of both alternate; the median of each is printed, with masks and observations. Node
runs `engine.mjs` of docs/wasm.md.
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

from vitienv.core.batch import Batch, keys_of
from vitienv.games import definition

ROOT = Path(__file__).resolve().parent.parent
SEED, SECONDS = 1, 1.0
IN_NODE = """
import { readFileSync } from "node:fs";
import { open } from "./engine.mjs";
const [address, table, keys, seconds] = JSON.parse(process.argv[2]);
globalThis.fetch = async (path) => new Response(readFileSync(path));
const { about, arrays, call } = await open(address, keys.length);
const { START, STEP, RANDOM, RESTART, OBSERVE } = about.bits;
const now = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const what = STEP | RANDOM | RESTART | OBSERVE;
arrays.rules.set(about.tables[table].map(BigInt));
arrays.keys.set(keys.flat());
call("run", { what: START | OBSERVE });
let taken = 0, from;
for (const limit of [seconds, seconds]) {  // the first one is for V8 to compile
  [taken, from] = [0, now()];
  while (now() < from + limit) for (let i = 0; i < 100; i++) taken += call("run", { what });
}
console.log(taken / (now() - from));
"""


def in_node(game: str, table: str, games: int) -> float:
    """Decisions for a second of processor time, in a new process of Node."""
    page = (ROOT / "docs" / "wasm.md").read_text(encoding="utf-8")
    engine = re.search(r'```js title="engine.mjs"\n(.*?)```', page, re.DOTALL)
    assert engine is not None
    given = [str(ROOT / "build" / "wasm" / game / game), table, keys_of(SEED, games).tolist(), SECONDS]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("engine.mjs", engine[1]), ("rate.mjs", IN_NODE)):
            Path(folder, name).write_text(text, encoding="utf-8")
        command = ["node", f"{folder}/rate.mjs", json.dumps(given)]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def natively(game: str, table: str, games: int) -> float:
    """The same natively, in this process."""
    ruleset, _, players = table.partition("/")
    batch = Batch(games, definition(game).options.of(ruleset=ruleset, num_players=int(players)))
    batch.start(keys_of(SEED, games))
    taken, start = 0, time.process_time()
    while time.process_time() < start + SECONDS:
        for _ in range(100):
            taken += batch.step_random()
    return taken / (time.process_time() - start)


def main(game: str = "toscana", table: str = "toscana/3", games: str = "64", rounds: str = "5") -> None:
    """Print the median of each, and how many times as long WebAssembly takes."""
    pairs = [(in_node(game, table, int(games)), natively(game, table, int(games))) for _ in range(int(rounds))]
    node, native = (statistics.median(column) for column in zip(*pairs))
    times = statistics.median(native / node for node, native in pairs)
    print(f"{game} {table}, {games} games: {node:,.0f} decisions/s in Node, {native:,.0f} natively, {times:.1f} times")


if __name__ == "__main__":
    main(*sys.argv[1:])
