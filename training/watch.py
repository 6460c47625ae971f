"""How a self-play run is doing: a line on the screen, a curve in a file, TensorBoard, and games against yardsticks."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.seating import make_bot, measuring_seeds
from vitienv.core.definition import Definition
from vitienv.core.options import Options
from vitienv.games import definition, known_as
from vitienv.threads import one_torch_thread
from vitienv.training.intervals import clustered_share
from vitienv.training.measure.match import play
from vitienv.training.measure.ratings import win_shares
from vitienv.training.run import Progress
from vitienv.training.run_folder import CURVE, WINS, add_point, is_evaluated, points, when, win_rates
from vitienv.training.selfplay.envs import Kind, parse_mix
from vitienv.training.selfplay.network import PolicyValue


class Greedy:
    """A network in training as a bot: its most probable action."""

    name = "learner"

    def __init__(self, network: PolicyValue) -> None:
        self._network = network.compiled()

    def act(self, observations: np.ndarray, masks: np.ndarray, games: Any = None) -> np.ndarray:
        """One legal action for each row; see `Agent.act`."""
        return self._network.best(observations, masks)


def measure(network: PolicyValue, bot: str, options: Options, games: int, seed: int = 1) -> dict[str, float]:
    """The network among seats filled by one bot, in every seat in turn on the same seeds.

    Returns `wins` (the share of games, ties counting their share) with its interval `low` and `high`, `points` and
    `years`, means over the games.
    """
    n = options.num_players
    seats = np.arange(games) % n
    seating = np.where(np.arange(n) == seats[:, None], 0, 1)
    other = make_bot(bot, seed, known_as(options.definition))
    played = play(options, measuring_seeds(seed, games, n), seating, [Greedy(network), other])
    rows = np.arange(games)
    wins = win_shares(played.ranks)[rows, seats]
    share = clustered_share(wins, rows // n)
    return {"wins": share["value"], "low": share["low"], "high": share["high"],
            "points": float(played.points[rows, seats].mean()), "years": float(played.years.mean())}  # fmt: skip


def measure_alone(network: PolicyValue, options: Options, games: int, seed: int = 1) -> dict[str, float]:
    """The network alone, against what the rules set against it: `wins` (the share of games) and `points`, the mean."""
    seeds = measuring_seeds(seed, games)
    played = play(options.with_(skip_forced=True), seeds, [[0]] * games, [Greedy(network)])
    return {"wins": float((played.outcomes == 1).mean()), "points": float(played.points.mean())}


def yardsticks(call: Any, game: str) -> list[str]:
    """The bots that a training is measured by; none without evaluations."""
    usual = definition(game).rule_of_thumb, "random"
    return list(dict.fromkeys(usual if call.yardsticks is None else call.yardsticks)) if call.evaluation_games else []


def measurements(
    network: PolicyValue, yardsticks: Sequence[str], options: Options | None, alone: Mapping[str, Options], games: int
) -> dict[str, dict[str, float]]:
    """Against each yardstick at a table, if there is one, and alone at each level, by name."""
    with one_torch_thread():
        found = {} if options is None else {name: measure(network, name, options, games) for name in yardsticks}
        return found | {f"automa_{level}": measure_alone(network, own, games) for level, own in alone.items()}


def _level(kind: Kind, game: Definition) -> str:
    """How a table for one is called in curves: by its level, where its ruleset has such, and by what the mix says of
    other options."""
    options = game.options.of(**kind.table)
    option, _ = game.levels.get(options.ruleset, (None, ()))
    level = str(getattr(options, option)) if option else options.ruleset
    return "_".join([level, *(word for word in kind.name.split("/") if "=" in word)])


class Watch:
    """Tells how far a run is. Only the first process has one that says anything."""

    def __init__(
        self, folder: Path, yardsticks: list[str], games: int, settings: Any, says: bool, seconds: float = 0.0,
        decisions: int = 0,
    ) -> None:  # fmt: skip
        """games: against each yardstick at the smallest table of the mix for two or more, and alone at each of
        its levels; 0 for none. seconds, decisions: of the run up to the checkpoint that it is resumed from."""
        self.folder, self.games, game = folder, games, definition(settings.game)
        mix = parse_mix(settings.mix, game)
        self.alone = {_level(kind, game): game.options.of(**kind.table) for kind in mix if kind.num_players == 1}
        several = [kind for kind in mix if kind.num_players > 1]
        smallest = min(several, key=lambda kind: kind.num_players, default=None)
        self.options = None if smallest is None else game.options.of(
            **smallest.table, **{game.options.LIMIT: settings.max_years}
        )  # fmt: skip
        self.asked = yardsticks, self.options, self.alone, games  # of `measurements`
        self._evaluation: dict[str, Any] = next(reversed(points(folder / CURVE)), {})
        self._report: dict[str, float] = {}
        self._writer: Any = None
        self._purge_step = decisions + 1 if decisions else None
        self._began = time.monotonic() - seconds
        self._told = (time.monotonic(), 0)
        self._rate = 0.0
        self._progress = Progress(says)

    def tell(self, learner: Any, means: dict[str, float], phase: str, share: float) -> None:
        """Note an update: what was optimised, and the games that ended. All processes must call it."""
        self._report |= (report := learner.report())
        if not learner.processes.is_first:
            return
        done = learner.processes.count * (learner.decisions + learner.imitated)
        now = time.monotonic()
        seconds, before = now - self._told[0], self._told[1]
        self._told = (now, done)
        if before and seconds > 0:
            self._rate += (0.1 if self._rate else 1.0) * ((done - before) / seconds - self._rate)
        scalars = {f"{re.split('[ :]', phase)[0]}/{name}": value for name, value in means.items()}
        scalars |= {f"games/{name}": value for name, value in report.items()}
        scalars |= {f"league/{name}": value for name, value in learner.league.standing().items()}
        self._log(scalars | {"games/decisions_per_second": self._rate}, done)
        self._progress.tell(phase, share, lambda: self.line(means))

    def line(self, means: dict[str, float]) -> str:
        """The progress line."""
        parts = [f"{self._told[1]:,} decisions"] + ([f"{self._rate:,.0f} a second"] if self._rate else [])
        parts += [f"{means['agreement']:.1%} agreement"] if "agreement" in means else []
        parts += [f"{self._report['points']:.1f} points"] if "points" in self._report else []
        parts += [f"{self._report['years']:.1f} years"] if "years" in self._report else []
        parts += [f"{self._report['solo_points']:.1f} solo"] if "solo_points" in self._report else []
        rates, row = win_rates(self._evaluation), self._evaluation
        won = [f"won {rate:.0%} of {row['games']} games against {name}" for name, rate in rates.items()]
        return ", ".join(parts) + (f"; after {sum(when(row)):,} decisions {', '.join(won)}" if won else "")

    @property
    def seconds(self) -> float:
        """Wall time of the run, of resumed calls too, evaluations included."""
        return time.monotonic() - self._began

    def evaluate(self, learner: Any) -> None:
        """Play against the yardsticks and add a point to the curve, unless it has one after as many decisions."""
        row = self.row(learner)
        if self.games and not is_evaluated(self.folder / CURVE, row):
            self.note(row, measurements(learner.network, *self.asked))

    def row(self, learner: Any) -> dict[str, Any]:
        """How far a learner is, for a point of the curve."""
        return {
            "seconds": round(self.seconds, 1), "updates": learner.updates,
            **({"policy_updates": learner.policy_updates} if hasattr(learner, "policy_updates") else {}),
            "decisions": learner.processes.count * learner.decisions,
            "imitated": learner.processes.count * learner.imitated,
            **{name: round(self._report[name], 2) if name in self._report else "" for name in ("points", "years")},
        }  # fmt: skip

    def note(self, row: dict[str, Any], found: dict[str, dict[str, float]]) -> None:
        """Add a point to the curve: a learner's row, and what was measured of it."""
        for name, each in found.items():
            row[f"{WINS}{name}"] = round(each["wins"], 4)
            row[f"points_against_{name}"] = round(each["points"], 3)
        self._evaluation = row | {"games": self.games}
        self._log({f"yardsticks/{name}": rate for name, rate in win_rates(row).items()}, sum(when(row)))
        add_point(self.folder / CURVE, self._evaluation)

    def reached(self) -> dict[str, float]:
        """The latest evaluation, for the result of a run."""
        row = self._evaluation
        rates = {f"{WINS}{name}": rate for name, rate in win_rates(row).items()}
        return rates | {"measured_games": int(row.get("games", 0))}

    def _log(self, scalars: dict[str, float], step: int) -> None:
        if self._writer is None:
            from torch.utils.tensorboard import SummaryWriter

            # What was logged after the checkpoint that a run is resumed from is logged again.
            self._writer = SummaryWriter(str(self.folder / "tb"), purge_step=self._purge_step)
        for name, value in scalars.items():
            self._writer.add_scalar(name, value, step)

    def stop(self) -> None:
        """Take the progress bar away and close the log."""
        self._progress.stop()
        if self._writer is not None:
            self._writer.close()
