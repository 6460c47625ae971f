"""Monitoring of a run: progress, learning curve, TensorBoard, and the best network."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

from vitienv.agents.policy import PolicyAgent
from vitienv.training.eval_opponents import CHECK_SEED, EvalOpponents, Results
from vitienv.training.run import Progress
from vitienv.training.run_dir import (
    CURVE,
    CUT_OFF,
    LAST,
    LEVEL,
    POINTS,
    WEIGHTS,
    WINS,
    add_point,
    copy,
    decision_counts,
    is_evaluated,
    points,
    win_rates,
)


class Monitor:
    """Monitor of a run. Only the first process reports."""

    def __init__(
        self, folder: Path, game: str, eval_opponents: EvalOpponents, verbose: bool, seconds: float = 0.0,
        decisions: int = 0,
    ) -> None:  # fmt: skip
        """seconds, decisions: of the run up to the checkpoint that it is resumed from."""
        self.folder, self.game, self.eval_opponents = folder, game, eval_opponents
        rows = points(folder / CURVE)
        self._evaluation: Mapping[str, Any] = rows[-1] if rows else {}
        self._best: Mapping[str, Any] = reduce(eval_opponents.better, rows) if rows else {}
        if eval_opponents.level and self._evaluation.get(LEVEL):
            eval_opponents.level = float(self._evaluation[LEVEL])
        self._report: dict[str, float] = {}
        self._writer: Any = None
        self._purge_step = decisions + 1 if decisions else None
        self._start_time = time.monotonic() - seconds
        self._last_update = (time.monotonic(), 0)
        self._rate = 0.0
        self._progress = Progress(verbose)

    def update(self, learner: Any, means: dict[str, float], phase: str, share: float) -> None:
        """Log an update: mean losses and finished games. All processes must call it."""
        self._report |= (report := learner.report())
        if not learner.processes.is_first:
            return
        done = learner.processes.count * (learner.decisions + learner.imitated)
        time_now = time.monotonic()
        seconds, before = time_now - self._last_update[0], self._last_update[1]
        self._last_update = (time_now, done)
        if before and seconds > 0:
            self._rate += (0.1 if self._rate else 1.0) * ((done - before) / seconds - self._rate)
        scalars = {f"{re.split('[ :]', phase)[0]}/{name}": value for name, value in means.items()}
        scalars |= {f"games/{name}": value for name, value in report.items()}
        scalars |= {f"league/{name}": value for name, value in learner.league.standing().items()}
        self._log(scalars | {"games/decisions_per_second": self._rate}, done)
        self._progress.update(phase, share, lambda: self.line(means))

    def line(self, means: dict[str, float]) -> str:
        """Return the progress line."""
        parts = [f"{self._last_update[1]:,} decisions"] + ([f"{self._rate:,.0f} a second"] if self._rate else [])
        parts += [f"{means['agreement']:.1%} agreement"] if "agreement" in means else []
        parts += [f"{self._report['points']:.1f} points"] if "points" in self._report else []
        parts += [f"{self._report['years']:.1f} years"] if "years" in self._report else []
        parts += [f"{self._report['solo_points']:.1f} solo"] if "solo_points" in self._report else []
        evaluation = describe_evaluation(self._evaluation, self.eval_opponents.is_visible)
        return ", ".join(parts) + (
            f"; after {sum(decision_counts(self._evaluation)):,} decisions {evaluation}" if evaluation else ""
        )

    @property
    def seconds(self) -> float:
        """Wall-clock time of the run, including earlier calls and evaluations."""
        return time.monotonic() - self._start_time

    def save(self) -> None:
        """Copy the last network to the best one without evaluations."""
        if not self.eval_opponents.games or not (self.folder / WEIGHTS).exists():
            copy(self.folder / LAST, self.folder / WEIGHTS)

    def evaluate(self, learner: Any) -> None:
        """Evaluate the network `LAST` for a point of the curve, unless it has one; save the best network."""
        row = self.row(learner)
        if self.eval_opponents.games and not is_evaluated(self.folder / CURVE, row):
            self.record(row, self.eval_opponents.evaluate(self._bot(LAST)))

    def _bot(self, file: str) -> PolicyAgent:
        return PolicyAgent(str(self.folder / file), game=self.game)

    def row(self, learner: Any) -> dict[str, Any]:
        """Return the progress of a learner for a point of the curve."""
        return {
            "seconds": round(self.seconds, 1), "updates": learner.updates,
            "policy_updates": learner.policy_updates,
            "decisions": learner.processes.count * learner.decisions,
            "imitated": learner.processes.count * learner.imitated,
            **{name: round(self._report[name], 2) for name in ("points", "years") if name in self._report},
        }  # fmt: skip

    def record(self, row: dict[str, Any], results: Results) -> None:
        """Add a point to the curve: a learner's row and its results."""
        level = {LEVEL: round(self.eval_opponents.level, 2)} if self.eval_opponents.level else {}
        self._evaluation = row = row | {"games": self.eval_opponents.games} | level | _columns(results)
        self._best = self.eval_opponents.better(self._best, row)
        if self._best is row:
            copy(self.folder / LAST, self.folder / WEIGHTS)
        scalars = _columns(self._visible(results)) | level
        self._log({f"eval/{name}": value for name, value in scalars.items()}, sum(decision_counts(row)))
        add_point(self.folder / CURVE, row)

    def finish(self, evaluates: bool) -> dict[str, Any]:
        """Return the results of a run. evaluates: whether the best network is evaluated, on held-out seeds."""
        if not self._best or not self.eval_opponents.games:
            return {}
        result = {"best_after": sum(decision_counts(self._best))}
        if not evaluates:
            return result
        results = self._visible(self.eval_opponents.evaluate(self._bot(WEIGHTS), CHECK_SEED))
        level = {LEVEL: round(self.eval_opponents.level, 2)} if self.eval_opponents.level else {}
        intervals = {
            name: [round(result_of["low"], 4), round(result_of["high"], 4)] for name, result_of in results.items()
        }
        return result | {"games": self.eval_opponents.games} | level | _columns(results) | {"intervals": intervals}

    def _visible(self, results: Results) -> Results:
        return {name: result for name, result in results.items() if self.eval_opponents.is_visible(name)}

    def _log(self, scalars: dict[str, float], step: int) -> None:
        if self._writer is None:
            from torch.utils.tensorboard import SummaryWriter

            # A resumed run logs again what was logged after its checkpoint.
            self._writer = SummaryWriter(str(self.folder / "tb"), purge_step=self._purge_step)
        for name, value in scalars.items():
            self._writer.add_scalar(name, value, step)

    def stop(self) -> None:
        """Remove the progress bar and close the log."""
        self._progress.stop()
        if self._writer is not None:
            self._writer.close()


def describe_evaluation(row: Mapping[str, Any], is_visible: Callable[[str], bool] = bool) -> str:
    """Return the level and the win rates of an evaluation against visible opponents; "" if there are none."""
    intervals = {name: f" ({low:.0%} to {high:.0%})" for name, (low, high) in row.get("intervals", {}).items()}
    rates = {name: rate for name, rate in win_rates(row).items() if is_visible(name)}
    opponents = [f"{rate:.0%}{intervals.get(name, '')} against {name}" for name, rate in rates.items()]
    level = [f"level {float(row[LEVEL]):.1f}"] if row.get(LEVEL) else []
    return ", ".join([*level, *([f"won of {row['games']} games each {', '.join(opponents)}"] if opponents else [])])


def _columns(results: Results) -> dict[str, float]:
    wins = {f"{WINS}{name}": round(result["wins"], 4) for name, result in results.items()}
    points = {f"{POINTS}{name}": round(result["points"], 3) for name, result in results.items()}
    return (
        wins
        | points
        | {f"{CUT_OFF}{name}": result["cut_off"] for name, result in results.items() if "cut_off" in result}
    )
