"""What playing on Ray costs: the overhead of a part, games a second at 1, 2 and 4 nodes, bytes, memory of a node.

Each node is a process of its own on this machine with one core: python benchmarks/cluster.py [GAMES]
Prints one line of JSON for each place. Seconds depend on whatever else the machine does, processor seconds less so.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from ray.cluster_utils import Cluster

from vitienv.training.cluster import executor as cluster
from vitienv.training.evaluation.tournament import Settings, run_tournament
from vitienv.training.workers import Bots, Executor, Local

NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20}
EMPTY_PARTS = 100
MARK = f"BENCHMARK_OF_CLUSTERS={os.getpid()}"  # in the environment of whatever is begun here
TICKS = os.sysconf("SC_CLK_TCK")


def nothing(number: int) -> int:
    """A part without work."""
    return number


def processes() -> dict[str, tuple[float, float, float]]:
    """Processor seconds, and MB in all and of its own alone, of this process and those that it began, by number."""
    used = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if int(path.name) != os.getpid() and MARK.encode() not in path.joinpath("environ").read_bytes():
                continue
            fields = path.joinpath("stat").read_text().rpartition(")")[2].split()
            lines = path.joinpath("smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines[1:]}
        own = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
        used[path.name] = (sum(map(int, fields[11:15])) / TICKS, kilobytes["Rss"] / 1024, own / 1024)
    return used


def measured(name: str, where: Executor, games: int) -> None:
    """A tournament of heuristic bots twice, the second time counted; then parts without work."""
    bots = ("heuristic", "random")
    for seed in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            before, begun = sum(each[0] for each in processes().values()), time.monotonic()
            run_tournament(Settings(bots, 2, games, seed, chunk_size=max(1, games // 16)), Path(folder) / "run", where)
            seconds = time.monotonic() - begun
            after = processes()
            written = sum(path.stat().st_size for path in Path(folder).rglob("*.gz"))
    row = {"place": name, "games": games, "seconds": round(seconds, 2), "games_a_second": round(games / seconds, 1)}
    row["processor_seconds"] = round(sum(each[0] for each in after.values()) - before, 2)
    row["log_bytes_a_game"] = round(written / games)
    begun = time.monotonic()
    assert sorted(where.run(nothing, [(i,) for i in range(EMPTY_PARTS)], Bots(bots, 0))) == list(range(EMPTY_PARTS))
    row["ms_an_empty_part"] = round(1000 * (time.monotonic() - begun) / EMPTY_PARTS, 1)
    row["MB_own_of_processes"] = sorted((round(each[2]) for each in processes().values()), reverse=True)[:12]
    print(json.dumps(row), flush=True)


def main() -> None:
    """All places, one after the other."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 320
    os.environ.update([MARK.split("=")])
    measured("this process", Local(1), games)
    made = Cluster(initialize_head=True, head_node_args={**NODE, "num_cpus": 0, "include_dashboard": False})
    try:
        with cluster.connected(made.address):
            for nodes in (1, 2, 4):
                while len(made.worker_nodes) < nodes:
                    made.add_node(**NODE)
                made.wait_for_nodes()
                measured(f"Ray, {nodes} nodes", cluster.Ray(), games)
    finally:
        made.shutdown()


if __name__ == "__main__":
    main()
