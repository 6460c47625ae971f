"""Learning from search: self-play whose decisions are searched, in files, and a network that learns from them.

The program in short: processes play files of games (`games.play_file`), each with the newest network, while this
one learns from every file that is done, in the order of their numbers, and writes the network anew. A run folder holds
settings.json, samples/ (the files, which other learners can read: `games.COLUMNS`), checkpoint.pt (after each
file), agent.safetensors, curve.csv and tb/. A killed run goes on after the last file; with one process bit for bit as
if it had not been interrupted.

    vitienv train --method search --mix 2:1 --minutes 60 --run runs/searched
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, fields, replace
from math import isfinite
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from vitienv import threads as pools
from vitienv import trust
from vitienv.agents import make_agent
from vitienv.agents.network import read_network
from vitienv.agents.registry import check_told
from vitienv.agents.search.agent import PLAYOUTS
from vitienv.core.files import machine, read_json, versions, write_json
from vitienv.games import DEFAULT, definition, told_game
from vitienv.training.checkpoint import read_checkpoint, write_checkpoint
from vitienv.training.measure.match import warm_up
from vitienv.training.run_folder import KINDS, SETTINGS, WEIGHTS, check_agent_out, check_new, held, refuse_unknown
from vitienv.training.search.games import COUNTS, Settings, file_of, files_in, limits_of, play_file, read_file
from vitienv.training.selfplay.envs import parse_mix
from vitienv.training.selfplay.network import Architecture, PolicyValue, load_network, save_network, with_traits
from vitienv.training.watch import Watch
from vitienv.training.workers import Bots, Executor, Local, place

KIND, CHECKPOINT, SAMPLES = "search", KINDS["search"], "samples"
FORMAT = 1
DEFAULT_MINUTES = 10.0
EVALUATE_SECONDS = 180.0  # between two measurements


class Learner:
    """A network and the latest decisions, of which it learns; `state` and the files hold all of it."""

    imitated = 0  # what a Watch asks of every learner
    processes = SimpleNamespace(count=1, is_first=True)
    league = SimpleNamespace(standing=dict)

    def __init__(self, settings: Settings, device: torch.device, network: PolicyValue | None = None) -> None:
        torch.set_flush_denormal(True)
        torch.manual_seed(settings.seed)
        self.settings, self.device, self.definition = settings, device, definition(settings.game)
        architecture = Architecture(
            settings.hidden, settings.blocks, settings.shaping, settings.advice, settings.traits
        )  # fmt: skip
        self.network = (network or PolicyValue(architecture, settings.game)).to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.learning_rate, eps=1e-5)
        self.order = torch.Generator().manual_seed(settings.seed)
        self.counts = dict.fromkeys(COUNTS, 0)
        self.updates = 0  # files learned from
        n, game = settings.window, self.definition
        self.observations = np.zeros((n, game.observation.n), np.int16)
        self.masks = np.zeros((n, game.actions.n), np.int8)
        self.advice = np.zeros((n, self.network.adviser.width), np.int16)
        self.policies = np.zeros((n, game.actions.n), np.float32)
        self.results = np.zeros(n, np.float32)

    @property
    def decisions(self) -> int:
        """Taken in the games of all files."""
        return self.counts["decisions"]

    def take(self, path: Path) -> int:
        """Take a file's decisions into the window, in the place of the oldest ones; returns how many there are."""
        found = read_file(path, self.definition)
        self._put(found, self.counts["learned"])
        for name, value in found.counts.items():
            self.counts[name] += value
        return len(found)

    def _put(self, found: Any, first: int) -> None:
        """Put decisions into the window, the first of them being the one of that number in the run."""
        latest = slice(max(0, len(found) - self.settings.window), None)
        rows = np.arange(first, first + len(found))[latest] % self.settings.window
        seen, masks = found.observations[latest], found.masks[latest]
        self.observations[rows], self.masks[rows] = seen, masks
        self.policies[rows], self.results[rows] = found.policies[latest], found.results[latest]
        if self.advice.shape[1]:
            self.advice[rows] = self.network.adviser(np.ascontiguousarray(seen), masks)

    def refill(self, folder: Path) -> None:
        """Take back what the window held after the files so far."""
        left = self.counts["learned"]
        for number in range(self.updates - 1, -1, -1):
            if self.counts["learned"] - left >= self.settings.window:
                return
            found = read_file(file_of(folder, number), self.definition)
            left -= len(found)
            keep = self.counts["learned"] - self.settings.window  # older ones have been written over
            newer = slice(max(0, keep - left), None)
            part = replace(found, **{name: getattr(found, name)[newer] for name in DECISIONS})
            self._put(part, left + (newer.start or 0))

    def learn(self, new: int) -> dict[str, float]:
        """Descend as often as so many new decisions ask for; returns the means of what was optimised."""
        settings, here = self.settings, min(self.counts["learned"], self.settings.window)
        found: dict[str, float] = defaultdict(float)
        parts = max(1, round(new * settings.reuse / settings.minibatch_size)) if here else 0
        for _ in range(parts):
            rows = torch.randint(here, (min(settings.minibatch_size, here),), generator=self.order).numpy()
            loss, about = self._loss(rows)
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), settings.max_grad_norm)
            self.optimizer.step()
            for name, value in about.items():
                found[name] += float(value.detach()) / parts
        self.updates += 1
        return dict(found)

    def _loss(self, rows: np.ndarray) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Cross-entropy to what the search made of the policy, and squared error of the result."""
        def on(array: np.ndarray) -> torch.Tensor:
            return torch.from_numpy(array[rows]).to(self.device)

        logits, values = self.network(on(self.observations), on(self.masks), on(self.advice))
        aims, results = on(self.policies), on(self.results)
        log_probs = torch.log_softmax(logits, dim=1)
        policy = -(aims * log_probs).sum(dim=1).mean()
        value = (values - results).square().mean()
        with torch.no_grad():
            least = -torch.special.xlogy(aims, aims).sum(dim=1).mean()
            explained = 1 - value / results.var().clamp(min=1e-6)
        about = {"policy": policy, "value": value, "kl": policy - least, "explained": explained}
        return policy + self.settings.vf_coef * value, about

    def report(self) -> dict[str, float]:
        """Nothing about single games: they stand in the files."""
        return {}

    def state(self) -> dict[str, Any]:
        """All but the window, which is in the files."""
        return {
            "network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(), "counts": self.counts,
            "order": self.order.get_state(), "updates": self.updates,
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Put back what `state` gave."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.counts, self.updates = dict(state["counts"]), state["updates"]
        self.order.set_state(state["order"])


DECISIONS = ("observations", "masks", "policies", "results")


def train_search(
    run: str | Path | None = None,
    minutes: float | None = None,
    steps: int | None = None,
    updates: int | None = None,
    resume: bool = False,
    device: str = "auto",
    threads: int | None = None,
    processes: int | Executor = 1,
    start: str | Path | None = None,
    agent_out: str | Path | None = None,
    yardsticks: Sequence[str] | None = None,
    evaluation_games: int = 100,
    progress: bool = True,
    **settings: Any,
) -> dict[str, Any]:
    """Train, and return what was reached.

    minutes, steps, updates: stop when the first of them is over; 10 minutes if none is given. minutes and updates (of
    files) are counted in this call; steps, decisions in the games, from the beginning of the run. processes: that play,
    or a place of `places.executor`; with one process, playing and learning take turns.
    threads: of torch. start: weights to begin with. agent_out: where the finished bot is saved too. settings: those of
    `games.Settings`; a resumed run has its own. ValueError says, in one line, what is wrong or who has the
    folder; OSError names a file that cannot be written.
    """
    from vitienv.training.measure.tournament import default_folder

    if minutes is None and steps is None and updates is None:
        minutes = DEFAULT_MINUTES
    if agent_out is not None:
        check_agent_out(Path(agent_out), (".safetensors",))
    given, folder = _settings(settings), Path(run or default_folder(KIND))
    torch.set_num_threads(pools.of_learner(threads))
    on = torch.device(device if device != "auto" else "cuda" if torch.cuda.is_available() else "cpu")
    with ExitStack() as stack:
        if resume:
            given = _saved_settings(folder, settings)
            stack.enter_context(held(folder))
            saved = read_checkpoint(folder / CHECKPOINT, FORMAT)
            before, network = saved["before"], PolicyValue(Architecture(**saved["made"]), given.game)
            learner = Learner(given, on, network)
            learner.restore(saved["state"])
            learner.refill(folder / SAMPLES)
        else:
            new, before = None, None
            if start is not None:
                new, before = load_network(start, game=given.game), read_network(start, given.game).about["trained"]
                new = with_traits(new) if given.traits else new
                made = new.architecture
                given = replace(given, hidden=made.hidden, blocks=made.blocks, shaping=made.lead, advice=made.advice)
            check_new(folder)
            stack.enter_context(held(folder))
            check_new(folder)  # another process may have been here
            about = {"kind": KIND, "settings": asdict(given), "versions": versions(), "machine": machine()}
            write_json(folder / SETTINGS, trust.sealed(json.loads(json.dumps(about))))
            (folder / SAMPLES).mkdir(exist_ok=True)
            learner = Learner(given, on, new)
            _save(folder, learner, before)
        if yardsticks is None:
            yardsticks = list(dict.fromkeys((definition(given.game).rule_of_thumb, "random")))
        watched: Any = given
        watch = Watch(folder, list(yardsticks), evaluation_games, watched, progress)
        stack.callback(watch.stop)
        if watch.bots:
            warm_up(watch.bots, learner.definition)
        limits = {"minutes": minutes, "steps": steps, "updates": updates}
        reached = _run(learner, watch, folder, before, place(processes), limits)
        if agent_out is not None:
            save_network(agent_out, learner.network, _told(learner, before))
        return {"run": str(folder), **reached}


def _run(
    learner: Any, watch: Watch, folder: Path, before: Any, where: Executor, limits: dict[str, Any]
) -> dict[str, Any]:
    """Learn from one file after the other until a limit is reached."""
    began, spent, first = time.monotonic(), defaultdict[str, float](float), learner.updates
    counted, measured_at = dict(learner.counts), -np.inf

    def share() -> float:
        done = [(time.monotonic() - began) / (60 * limits["minutes"])] if limits["minutes"] else []
        done += [learner.decisions / limits["steps"]] if limits["steps"] else []
        done += [(learner.updates - first) / limits["updates"]] if limits["updates"] else []
        return max(done)

    since = time.monotonic()
    files = _files(folder, learner, where)
    for number in files if share() < 1 else ():
        spent["playing"] += time.monotonic() - since
        learning = time.monotonic()
        found = learner.learn(learner.take(file_of(folder / SAMPLES, number)))
        spent["learning"] += time.monotonic() - learning
        _save(folder, learner, before)
        watch.tell(learner, found, "search", min(1.0, share()))
        if share() >= 1:
            files.close()
            break
        if time.monotonic() - measured_at >= EVALUATE_SECONDS:
            watch.evaluate(learner)
            measured_at = time.monotonic()
        since = time.monotonic()
    watch.evaluate(learner)
    seconds = max(1e-9, sum(spent.values()))
    new = {name: learner.counts[name] - counted[name] for name in COUNTS}
    return {
        "updates": learner.updates, "steps": learner.decisions, "counts": new,
        "decisions_per_second": round(new["decisions"] / seconds),
        "searched_per_second": round(new["searched"] / seconds),
        "time": {name: round(each / seconds, 3) for name, each in spent.items()},
        **watch.reached(),
    }  # fmt: skip


def _files(folder: Path, learner: Learner, where: Executor) -> Generator[int, None, None]:
    """The numbers of the files to learn from, in their order, as they are there: first those that are already."""
    samples, weights, expected = folder / SAMPLES, str(folder / WEIGHTS), learner.updates
    there = {number for number in files_in(samples) if number >= expected}

    def tasks() -> Iterator[tuple]:
        number = learner.updates
        while True:
            if number not in there:
                yield weights if isinstance(where, Local) else Path(weights).read_bytes(), learner.settings, number
            number += 1

    while expected in there:
        yield expected
        expected += 1
    for number in where.run(play_file, tasks(), Bots(("random",), 0, learner.settings.game), samples):
        there.add(number)
        while expected in there:
            yield expected
            expected += 1


# Files.


def _settings(given: dict[str, Any]) -> Settings:
    refuse_unknown(given, [field.name for field in fields(Settings)])
    game = definition(given.get("game", DEFAULT))
    usual = {"mix": game.training.get("mix", next(iter(game.tables), "2"))}
    settings = replace(Settings(**usual), **given)
    parse_mix(settings.mix, game)
    for name, value in asdict(settings).items():
        if isinstance(value, float) and not isfinite(value):
            raise ValueError(f"{name} is {value}; it must be a finite number")
    for name in ("games", "dear", "racers", "window", "minibatch_size", "hidden"):
        if getattr(settings, name) < 1:
            raise ValueError(f"{name} is {getattr(settings, name)}; it must be at least 1")
    if settings.cheap < 0:
        raise ValueError(f"cheap is {settings.cheap}; it must be at least 0")
    if not 0 < settings.dear_share <= 1:
        raise ValueError(f"dear_share is {settings.dear_share}; it must be above 0 and at most 1")
    if settings.reuse <= 0:
        raise ValueError(f"reuse is {settings.reuse}; it must be above 0")
    if settings.advice is not None:
        make_agent(settings.advice, game=settings.game)
    if settings.playout not in PLAYOUTS:
        raise ValueError(f"playout must be {', '.join(PLAYOUTS[:-1])} or {PLAYOUTS[-1]}, not {settings.playout!r}")
    limits_of(settings, settings.dear, game)
    return settings


def _saved_settings(folder: Path, asked: dict[str, Any]) -> Settings:
    """The settings of a run. ValueError if it is none, or if others are asked for."""
    saved = read_json(folder / SETTINGS)
    if not isinstance(saved, dict) or saved.get("kind") != KIND or not isinstance(saved.get("settings"), dict):
        raise ValueError(f"{str(folder)!r} does not hold a run of learning from search")
    given = saved["settings"]
    if not trust.is_own(saved) and given["advice"] is not None:
        check_told([given["advice"]], repr(str(folder / SETTINGS)), told_game(given["game"]))
    own = _settings(given)
    for name, value in asked.items():
        if value != getattr(own, name):
            raise ValueError(f"{name} is {value!r}, but the run in {str(folder)!r} has {getattr(own, name)!r}")
    return own


def _save(folder: Path, learner: Learner, before: Any) -> None:
    """Write the bot, then the checkpoint, each whole or not at all."""
    save_network(folder / WEIGHTS, learner.network, _told(learner, before))
    whole = {
        "format": FORMAT, "state": learner.state(), "made": asdict(learner.network.architecture), "before": before,
    }  # fmt: skip
    write_checkpoint(folder / CHECKPOINT, whole)


def _told(learner: Learner, before: Any) -> dict[str, Any]:
    """How the weights came about, for their file."""
    return {
        "method": KIND, "settings": json.loads(json.dumps(asdict(learner.settings))), "updates": learner.updates,
        **learner.counts, "versions": versions(), "before": before,
    }  # fmt: skip
