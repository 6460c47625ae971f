"""Self-play on the nodes of a Ray cluster: actors play, learners learn, and the command keeps the run folder.

If the command or the whole cluster is lost, `--resume` goes on from the folder, here or elsewhere: its checkpoint is
that of `training.selfplay.run`, but for the games under way, which are not in it.
"""

from __future__ import annotations

import tempfile
import threading
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from vitienv import threads as pools
from vitienv.core.files import atomic
from vitienv.training.checkpoint import read_checkpoint
from vitienv.training.cluster import executor
from vitienv.training.cluster.desk import Desk, Limits, Told
from vitienv.training.cluster.learners import Errand, learn
from vitienv.training.cluster.nodes import Nodes, say
from vitienv.training.run_folder import WEIGHTS
from vitienv.training.selfplay.learner import Learner
from vitienv.training.selfplay.network import load_network
from vitienv.training.selfplay.run import CHECKPOINT, EVALUATIONS, FORMAT
from vitienv.training.watch import Watch, measurements
from vitienv.training.workers import Bots, PlaceLost

LOOKS_EVERY = 0.2  # seconds between two looks of the command at the learners' reports
ENDS_WITHIN = 30.0  # seconds that learners have for the update under way, when the command ends before they do
OF_A_DECISION = 5_000  # bytes at most, as it travels
OF_ACTORS = ("actors", "staleness", "dropped")  # what an update tells of them


def train_on_ray(
    place: executor.Ray, learner: Learner, watch: Watch, folder: Path, limits: Limits, device: str, threads: int,
    learners: int, staleness: int, interrupt: Any,
) -> dict[str, Any]:  # fmt: skip
    """Train, and return what was reached, see `train_selfplay`.

    learner: of this process, as the checkpoint in the run folder has it, which is where the learners of the cluster
    begin; they send theirs. interrupt: says whether the user has had enough.
    """
    settings, first = learner.settings, learner.decisions
    bots = [*settings.league, *([settings.advice] if settings.advice else [])]
    actors = place.at_once or _actors_here(pools.cores(), learners, threads)
    store = 2 * actors * settings.num_envs * settings.num_steps * OF_A_DECISION  # one is learned from, one is made
    with executor.connected(place.address, max(1, learners) * threads + actors, max(executor.STORE, store)) as ray:
        luggage = executor.luggage_of(Bots(bots, settings.seed, settings.game))
        executor.check(ray, Nodes(ray).alive(), luggage)
        learners, device = _shared_out(ray.cluster_resources(), learners, threads, device)
        kept = ray.put(luggage)
        desk = ray.remote(num_cpus=0)(Desk).options(scheduling_strategy=_here(ray)).remote(
            limits, (folder / CHECKPOINT).read_bytes(), learner.updates, first
        )  # fmt: skip
        errand = Errand(desk, [kept], settings, device, threads, place.at_once, staleness, limits.checkpoint_seconds)
        measuring, spent, latest, n_files = Measuring(ray, kept, watch), defaultdict[str, float](float), None, 0
        head = executor.Head(ray)
        with Training(errand, learners) as training:
            while True:
                head.look()
                is_over = training.is_over()  # before the rest is taken
                lines, news, files, error = ray.get(desk.take.remote())
                for line in lines:
                    say(line)
                for latest, share in news:
                    for name, seconds in latest.seconds.items():
                        spent[name] += seconds
                    watch.tell(_as_learner(latest), latest.found, "self-play", share)
                for name, content in files.items():
                    with atomic(folder / name) as temporary:
                        temporary.write_bytes(content)
                n_files += bool(files)
                if error is not None:
                    raise error
                if files and latest is not None and n_files % EVALUATIONS == 1:
                    measuring.begin(_as_learner(latest), files[WEIGHTS])
                measuring.take()
                if is_over:
                    break
                if interrupt.came:
                    desk.stop.remote()
                training.wait(LOOKS_EVERY)
        training.check()
        if latest is not None:
            measuring.end(_as_learner(latest), (folder / WEIGHTS).read_bytes())
    saved = read_checkpoint(folder / CHECKPOINT, FORMAT)
    learner.restore(saved["shared"], None)
    busy = max(1e-9, sum(spent.values()))
    return {
        "updates": learner.updates,
        "steps": learner.decisions,
        "decisions_per_second": round((learner.decisions - first) / busy),
        "time": {name: round(seconds / busy, 3) for name, seconds in spent.items()},
        **({name: latest.found[name] for name in OF_ACTORS} if latest is not None else {}),
        **watch.reached(),
    }


class Training:
    """Ray Train's learners, waited for by a thread of the command."""

    def __init__(self, errand: Errand, learners: int) -> None:
        from ray.train import FailureConfig, LoggingConfig, RunConfig, ScalingConfig
        from ray.train.torch import TorchTrainer

        self._desk = errand.desk
        self._folder = tempfile.TemporaryDirectory(prefix="vitienv-")  # of Ray Train; nothing of ours is in it
        self._error: Exception | None = None
        is_on_gpu = errand.device != "cpu"
        self._trainer = TorchTrainer(
            learn,
            train_loop_config={"errand": errand},
            scaling_config=ScalingConfig(
                num_workers=learners, use_gpu=is_on_gpu,
                placement_strategy="PACK" if is_on_gpu else "SPREAD",  # samples come from everywhere
                resources_per_worker={"CPU": errand.threads} | ({"GPU": 1} if is_on_gpu else {}),
            ),
            run_config=RunConfig(
                storage_path=self._folder.name, failure_config=FailureConfig(max_failures=executor.DEATHS),
                logging_config=LoggingConfig(log_level="ERROR"),
            ),
        )  # fmt: skip
        self._thread = threading.Thread(target=self._fit, daemon=True)

    def _fit(self) -> None:
        try:
            self._trainer.fit()
        except Exception as error:
            self._error = error

    def __enter__(self) -> Training:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """An error or a second Ctrl-C leaves no learner behind on a cluster that stays, and no thread, which would end
        the process in Ray's way when it finds Ray gone. Of a cluster that is lost nothing is asked any more."""
        if self._thread.is_alive() and kind is not PlaceLost:
            with suppress(Exception):  # the cluster may be gone
                self._desk.stop.remote()
            self._thread.join(ENDS_WITHIN)
        self._folder.cleanup()

    def wait(self, seconds: float) -> None:
        """Until they are done, but no longer than that."""
        self._thread.join(seconds)

    def is_over(self) -> bool:
        """Whether they are done."""
        return not self._thread.is_alive()

    def check(self) -> None:
        """ValueError if they ended before their time."""
        if self._error is not None:
            told = executor.last_line(self._error)
            raise ValueError(f"the learner was lost, after {executor.DEATHS + 1} tries: {told}")


class Measuring:
    """Games against the yardsticks, as tasks beside the training, one measurement at a time."""

    def __init__(self, ray: Any, luggage: Any, watch: Watch) -> None:
        self._ray, self._luggage, self._watch = ray, luggage, watch
        self._running: Any = None
        self._row: dict[str, Any] = {}

    def begin(self, learner: Any, weights: bytes) -> None:
        """Measure a network, unless another one is being measured."""
        if self._watch.games and self._running is None:
            task = self._ray.remote(num_cpus=0, max_retries=executor.DEATHS, scheduling_strategy="SPREAD")(measured)
            self._row = self._watch.row(learner)
            self._running = task.remote(self._luggage, weights, self._watch.asked)

    def take(self, seconds: float | None = 0.0) -> None:
        """Note what has been measured. seconds: to wait for it; None for as long as it takes."""
        if self._running is not None and self._ray.wait([self._running], timeout=seconds)[0]:
            found, self._running = self._ray.get(self._running), None
            self._watch.note(self._row, found)

    def end(self, learner: Any, weights: bytes) -> None:
        """Measure the last network, and wait for it."""
        self.take(None)
        self.begin(learner, weights)
        self.take(None)


def measured(luggage: executor.Luggage, weights: bytes, asked: tuple) -> dict[str, dict[str, float]]:
    """A task: `watch.measurements` of a network's file."""
    import ray

    executor.unpack(luggage, ray.get_runtime_context().get_node_id())
    with tempfile.TemporaryDirectory(prefix="vitienv-") as folder:
        path = Path(folder) / WEIGHTS
        path.write_bytes(weights)
        return measurements(load_network(path, game=luggage.bots.game), *asked)


def _actors_here(cores: int, learners: int, threads: int) -> int:
    """How many play where Ray is begun here, by the machine's cores; each learner needs one of its own."""
    learners = max(1, learners)
    return max(learners, cores - learners * threads)


def _shared_out(resources: dict[str, float], learners: int, threads: int, device: str) -> tuple[int, str]:
    """How many learners there are, and on what. ValueError if the cluster has not enough for them."""
    gpus, cores = int(resources.get("GPU", 0)), int(resources.get("CPU", 0))
    if device not in ("auto", "cpu", "cuda"):
        raise ValueError(f"device is {device!r}; on Ray it must be cpu, cuda or auto")
    if device == "auto":
        device = "cuda" if gpus else "cpu"
    learners = learners or (max(1, gpus) if device == "cuda" else 1)
    if device == "cuda" and learners > gpus:
        raise ValueError(f"learners is {learners}, but the cluster has {gpus} GPUs")
    if cores < learners * threads + learners:
        raise ValueError(f"{learners} learners of {threads} threads and an actor for each need "
                         f"{learners * threads + learners} cores; the cluster has {cores}")  # fmt: skip
    return learners, device


def _here(ray: Any) -> Any:
    """On this node."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)


def _as_learner(news: Told) -> Any:
    """What `Watch` asks of a learner."""
    return SimpleNamespace(
        processes=SimpleNamespace(count=1, is_first=True), updates=news.updates, decisions=news.decisions,
        imitated=news.imitated, report=lambda: news.report, league=SimpleNamespace(standing=lambda: news.standing),
    )  # fmt: skip
