"""Training from search (expert iteration): games with searched decisions, and a network trained on them.

Worker processes play files of games (`games.play_file`) with the newest network, while the learner trains on each
finished file in order and rewrites the network. A run directory contains settings.json, samples/ (the files; columns
are `games.COLUMNS`), checkpoint.pt (after each file), agent.safetensors (the best network by its evaluations),
last.safetensors, curve.csv and tb/. A killed run resumes after the last file, bit for bit with one process.

    vitienv train --method search --mix 2:1 --minutes 60 --run runs/searched
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from vitienv import threads as pools
from vitienv.agents import make_agent
from vitienv.agents.policy import weight_digests
from vitienv.agents.search.agent import PLAYOUTS
from vitienv.core.files import versions
from vitienv.registry import game_spec
from vitienv.training.checkpoint import read_checkpoint, write_checkpoint
from vitienv.training.eval_opponents import EvalOpponents
from vitienv.training.executors import executor
from vitienv.training.monitor import Monitor
from vitienv.training.run import Loop, claim, read_call, settings_in
from vitienv.training.run_dir import KINDS, LAST, check_new, lock_run_dir, run_path
from vitienv.training.search.games import COUNTS, file_of, files_in, limits_of, play_file, read_file
from vitienv.training.search.settings import Call, Settings, default_settings
from vitienv.training.selfplay.compiling import compile_for
from vitienv.training.selfplay.envs import initial_value, parse_mix
from vitienv.training.selfplay.network import Architecture, PolicyValue, read_start, save_network
from vitienv.training.settings import settings_of
from vitienv.training.workers import Bots, Executor, Local

KIND, CHECKPOINT, SAMPLES = "search", KINDS["search"], "samples"
FORMAT = 2
EVALUATE_SECONDS = 180.0  # minimum interval of evaluations


class Learner:
    """Network, optimizer and replay window; `state` and the files of samples contain all of it."""

    imitated = 0  # required by `Monitor`
    processes = SimpleNamespace(count=1, is_first=True)
    league = SimpleNamespace(standing=dict)

    def __init__(self, settings: Settings, device: torch.device, network: PolicyValue | None = None) -> None:
        torch.set_flush_denormal(True)
        torch.manual_seed(settings.seed)
        self.settings, self.device, self.game_spec = settings, device, game_spec(settings.game)
        lead, prior_value_weight = initial_value(settings, parse_mix(settings.mix, self.game_spec))
        architecture = Architecture(settings.hidden, settings.blocks, lead, settings.policy_prior)
        self.network = (network or PolicyValue(architecture, settings.game, prior_value_weight)).to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.learning_rate, eps=1e-5)
        self.shuffle_rng = torch.Generator().manual_seed(settings.seed)
        self.counts = dict.fromkeys(COUNTS, 0)
        self.updates = 0  # files used
        n, game = settings.window, self.game_spec
        self.observations = np.zeros((n, game.observation.n), np.int16)
        self.masks = np.zeros((n, game.actions.n), np.int8)
        self.prior_scores = np.zeros((n, self.network.policy_prior.width), np.int16)
        self.policies = np.zeros((n, game.actions.n), np.float32)
        self.results = np.zeros(n, np.float32)

    @property
    def policy_updates(self) -> int:
        """Number of policy updates: all."""
        return self.updates

    @property
    def decisions(self) -> int:
        """Number of decisions in the games of all files."""
        return self.counts["decisions"]

    def take(self, path: Path) -> int:
        """Add a file's decisions to the window, overwriting the oldest; return their number."""
        games = read_file(path, self.game_spec)
        self._write_rows(games, self.counts["learned"])
        for name, value in games.counts.items():
            self.counts[name] += value
        return len(games)

    def _write_rows(self, games: Any, first: int) -> None:
        latest = slice(max(0, len(games) - self.settings.window), None)
        rows = np.arange(first, first + len(games))[latest] % self.settings.window
        observations, masks = games.observations[latest], games.masks[latest]
        self.observations[rows], self.masks[rows] = observations, masks
        self.policies[rows], self.results[rows] = games.policies[latest], games.results[latest]
        if self.prior_scores.shape[1]:
            self.prior_scores[rows] = self.network.policy_prior(np.ascontiguousarray(observations), masks)

    def refill(self, folder: Path) -> None:
        """Restore the window from the files."""
        start = self.counts["learned"]
        for number in range(self.updates - 1, -1, -1):
            if self.counts["learned"] - start >= self.settings.window:
                return
            games = read_file(file_of(folder, number), self.game_spec)
            start -= len(games)
            oldest = self.counts["learned"] - self.settings.window  # older decisions were overwritten
            new_rows = slice(max(0, oldest - start), None)
            part = replace(games, **{name: getattr(games, name)[new_rows] for name in DECISIONS})
            self._write_rows(part, start + (new_rows.start or 0))

    def learn(self, new: int) -> dict[str, float]:
        """Take the gradient steps for a number of new decisions; return the mean losses."""
        settings, available = self.settings, min(self.counts["learned"], self.settings.window)
        means: dict[str, float] = defaultdict(float)
        parts = max(1, round(new * settings.sample_reuse / settings.minibatch_size)) if available else 0
        for _ in range(parts):
            rows = torch.randint(
                available, (min(settings.minibatch_size, available),), generator=self.shuffle_rng
            ).numpy()
            loss, losses = self._loss(rows)
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), settings.max_grad_norm)
            self.optimizer.step()
            for name, value in losses.items():
                means[name] += float(value.detach()) / parts
        self.updates += 1
        return dict(means)

    def _loss(self, rows: np.ndarray) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        def to_tensor(array: np.ndarray) -> torch.Tensor:
            return torch.from_numpy(array[rows]).to(self.device)

        logits, values = self.network(to_tensor(self.observations), to_tensor(self.masks), to_tensor(self.prior_scores))
        policies, results = to_tensor(self.policies), to_tensor(self.results)
        log_probs = torch.log_softmax(logits, dim=1)
        policy = -(policies * log_probs).sum(dim=1).mean()
        value = (values - results).square().mean()
        with torch.no_grad():
            target_entropy = -torch.special.xlogy(policies, policies).sum(dim=1).mean()
            explained_variance = 1 - value / results.var().clamp(min=1e-6)
        losses = {"policy": policy, "value": value, "kl": policy - target_entropy, "explained": explained_variance}
        return policy + self.settings.vf_coef * value, losses

    def report(self) -> dict[str, float]:
        """Return no results of games, which are in the files."""
        return {}

    def state(self) -> dict[str, Any]:
        """Return the state without the window, which is in the files."""
        return {
            "network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(), "counts": self.counts,
            "shuffle_rng": self.shuffle_rng.get_state(), "updates": self.updates,
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Restore `state`."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.counts, self.updates = dict(state["counts"]), state["updates"]
        self.shuffle_rng.set_state(state["shuffle_rng"])


DECISIONS = ("observations", "masks", "policies", "results")


def train_search(run: str | Path | None = None, **kwargs: Any) -> dict[str, Any]:
    """Train from search and return the results.

    Keyword arguments are fields of `settings.Call` and of `settings.Settings`, which are fixed in a resumed run.
    minutes and updates (files) count from this call; steps, decisions in the games, count from the start of the run.
    processes may be an executor (see `executors.executor`). ValueError for invalid settings or a locked directory;
    OSError if a file cannot be written.
    """
    call, values = read_call({"run": run} | kwargs, Call)
    workers = executor(call.backend, call.processes) if isinstance(call.processes, int) else call.processes
    settings, folder, seconds = _settings(values), Path(call.run or run_path(KIND)), 0.0
    torch.set_num_threads(pools.learner_threads(call.threads))
    device = torch.device(call.device if call.device != "auto" else "cuda" if torch.cuda.is_available() else "cpu")
    with ExitStack() as stack:
        if call.resume:
            settings = settings_in(folder, KIND, Settings, values, _settings)
            stack.enter_context(lock_run_dir(folder))
            saved = read_checkpoint(folder / CHECKPOINT, FORMAT)
            start_metadata, network = saved["before"], PolicyValue(Architecture(**saved["architecture"]), settings.game)
            seconds = saved["seconds"]
            compile_for(settings, _eval_opponents(call, settings).compiled_bots)
            learner = Learner(settings, device, network)
            learner.restore(saved["state"])
            learner.refill(folder / SAMPLES)
        else:
            new, start_metadata = None, None
            if call.start is not None:
                new, start_metadata, settings = read_start(call.start, settings)
            check_new(folder)
            stack.enter_context(lock_run_dir(folder))
            claim(folder, KIND, settings, call, start=weight_digests([f"policy:{call.start}"] if call.start else []))
            (folder / SAMPLES).mkdir(exist_ok=True)
            compile_for(settings, _eval_opponents(call, settings).compiled_bots)
            learner = Learner(settings, device, new)
        monitor = Monitor(
            folder, settings.game, _eval_opponents(call, settings), call.progress, seconds, learner.decisions
        )
        stack.callback(monitor.stop)
        training = _Training(folder, learner, start_metadata, monitor, workers)
        stack.callback(training.stop)
        loop = Loop(training, call, evaluate_seconds=EVALUATE_SECONDS)
        with loop.interrupt:
            loop.save_initial()
            loop.run()
        return {
            "run": str(folder),
            **training.finish(loop.interrupt.is_requested),
            "is_interrupted": loop.interrupt.is_requested,
        }


class _Training:
    def __init__(
        self, folder: Path, learner: Learner, start_metadata: Any, monitor: Monitor, workers: Executor
    ) -> None:
        self.folder, self.learner, self.start_metadata, self.monitor = folder, learner, start_metadata, monitor
        self._update_seconds, self._counted = 0.0, dict(learner.counts)
        self._files = _files(folder, learner, workers)

    @property
    def updates(self) -> int:
        return self.learner.updates

    @property
    def decisions(self) -> int:
        return self.learner.decisions

    def step(self, share: float) -> None:
        start = time.monotonic()
        means = self.learner.learn(self.learner.take(file_of(self.folder / SAMPLES, next(self._files))))
        self._update_seconds += time.monotonic() - start
        self.monitor.update(self.learner, means, "search", min(1.0, share))

    def save(self) -> None:
        """Write the network, then the checkpoint, each atomically."""
        save_network(self.folder / LAST, self.learner.network, _metadata(self.learner, self.start_metadata))
        checkpoint = {
            "format": FORMAT, "state": self.learner.state(), "architecture": asdict(self.learner.network.architecture),
            "before": self.start_metadata, "seconds": self.monitor.seconds,
        }  # fmt: skip
        write_checkpoint(self.folder / CHECKPOINT, checkpoint)
        self.monitor.save()

    def evaluate(self) -> None:
        self.monitor.evaluate(self.learner)

    def stop(self) -> None:
        self._files.close()

    def finish(self, is_interrupted: bool) -> dict[str, Any]:
        new = {name: self.learner.counts[name] - self._counted[name] for name in COUNTS}
        return {
            "updates": self.updates, "steps": self.decisions, "counts": new,
            "decisions_per_second": round(new["decisions"] / max(1e-9, self._update_seconds)),
            "policy_updates": self.updates,
            **self.monitor.finish(not is_interrupted),
        }  # fmt: skip


def _files(folder: Path, learner: Learner, workers: Executor) -> Generator[int, None, None]:
    """Yield the indices of the files in order, as they are finished; existing files come first."""
    samples, weights, expected = folder / SAMPLES, str(folder / LAST), learner.updates
    existing = {number for number in files_in(samples) if number >= expected}

    def tasks() -> Iterator[tuple]:
        number = learner.updates
        while True:
            if number not in existing:
                yield weights if isinstance(workers, Local) else Path(weights).read_bytes(), learner.settings, number
            number += 1

    while expected in existing:
        yield expected
        expected += 1
    for number in workers.run(play_file, tasks(), Bots(("random",), 0, learner.settings.game), samples):
        existing.add(number)
        while expected in existing:
            yield expected
            expected += 1


def _settings(values: dict[str, Any]) -> Settings:
    settings = settings_of(Settings, values, default_settings)
    game = game_spec(settings.game)
    parse_mix(settings.mix, game)
    if settings.policy_prior is not None:
        make_agent(settings.policy_prior, game=settings.game)
    if settings.playout not in PLAYOUTS:
        raise ValueError(f"unknown playout {settings.playout!r}; expected one of: {', '.join(PLAYOUTS)}")
    limits_of(settings, settings.full_simulations, game)
    return settings


def _eval_opponents(call: Call, settings: Settings) -> EvalOpponents:
    game = game_spec(settings.game)
    return EvalOpponents.of_mix(call, (game.heuristic_bot,), settings.mix, game, settings.max_years)


def _metadata(learner: Learner, start_metadata: Any) -> dict[str, Any]:
    return {
        "method": KIND, "settings": json.loads(json.dumps(asdict(learner.settings))), "updates": learner.updates,
        **learner.counts, "versions": versions(), "before": start_metadata,
    }  # fmt: skip
