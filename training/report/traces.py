"""Traces: batched replays of a tournament's logs with all decisions.

Forced decisions, which the logs omit, are separate steps of a trace, so that points are attributed to decisions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from vitienv.core.batch import TRUNCATED, Batch, make_key
from vitienv.core.frames import Frame
from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import SKIP
from vitienv.core.options import Options
from vitienv.game import FORMAT
from vitienv.registry import game_from_untrusted_file, game_spec
from vitienv.version import __version__

REQUIRED_KEYS = ("format", "number", "seed", "seed_number", "agents", "options", "moves", "state")


@dataclass(frozen=True)
class Trace:
    """Games and their decisions in order.

    By game: numbers, indices in the tournament; seed_numbers; agents (games, seats), specs; points, ranks (games,
    seats); start (games, seats), points before the first decision; games, final states. A forfeited game has the state
    before the failure and the ranks of `forfeit_rows`.

    By decision: steps, arrays (decisions,): game (row), seat, op (of the pending frame), decision (index), action,
    year, season (round and phase), and columns of the game's report. change (decisions, seats): change of the points.
    """

    options: Options
    numbers: np.ndarray
    seed_numbers: np.ndarray
    agents: np.ndarray
    points: np.ndarray
    ranks: np.ndarray
    start: np.ndarray
    steps: dict[str, np.ndarray]
    change: np.ndarray
    games: np.ndarray

    @property
    def units(self) -> np.ndarray:
        """The units (decisions,) of the deciding seats: game * seats + seat."""
        return self.steps["game"].astype(np.int64) * self.points.shape[1] + self.steps["seat"]


def plugin_of(game: GameSpec) -> Any:
    """Return the report module of a game, which has the names of `report.generic`."""
    return import_module(game.report or "vitienv.training.report.generic")


def options_of(logs: Sequence[Mapping[str, Any]]) -> Options:
    """Return the common options of the games. ValueError if a log is invalid or its options differ."""
    for log in logs:
        missing = [key for key in REQUIRED_KEYS if key not in log]
        if missing or log["format"] != FORMAT or log.get("position"):
            raise ValueError(f"a log is not of a tournament: it has no {missing[0]!r}" if missing else
                             f"the log of game {log['number']} has another format or a start position")  # fmt: skip
        is_sound = isinstance(log["moves"], list) and isinstance(log["agents"], list)
        if not is_sound or log["options"] != logs[0]["options"]:
            raise ValueError(f"the log of game {log['number']} is damaged: its moves, bots or options are invalid")
    try:
        game = game_spec(game_from_untrusted_file(logs[0]))
        options = game.options.of(**logs[0]["options"])
    except (TypeError, ValueError) as error:
        raise ValueError(f"the logs are damaged: {error}") from None
    rulesets = plugin_of(options.game_spec).RULESETS or game.rulesets
    if options.ruleset not in rulesets:
        raise ValueError(f"ruleset of a report must be one of {', '.join(rulesets)}, got {options.ruleset!r}")
    for log in logs:
        if len(log["agents"]) != options.num_players:
            raise ValueError(f"the log of game {log['number']} is damaged: it names {len(log['agents'])} bots")
    return options


def trace(logs: Sequence[Mapping[str, Any]]) -> Trace:
    """Replay logs in one batch. ValueError for a log that is damaged or does not reach its recorded state."""
    options = options_of(logs)
    n, seats = len(logs), options.num_players
    batch = Batch(n, options.replace(skip_forced=False))
    try:
        batch.start(np.concatenate([make_key(int(log["seed"])) for log in logs]), observe=False)
    except (TypeError, ValueError):
        raise ValueError("the logs are damaged: a seed is not an integer from 0") from None
    games, game = batch.games.view(np.ndarray), options.game_spec
    columns = plugin_of(game).columns
    moves, length = _moves(logs, {name: number for number, name in enumerate(game.actions.names)})
    move_indices, has_forfeit = np.zeros(n, np.int64), np.array(["forfeit" in log for log in logs])
    start = scores = batch.standings()[0][:, :seats].astype(np.int64)
    parts: list[dict[str, np.ndarray]] = []
    is_over = False
    while not is_over:  # the last part is empty, as all games may be forfeited before any step
        rows = batch.active_rows()
        is_logged = (np.count_nonzero(batch.masks[rows], axis=1) != 1) | (not options.skip_forced)
        is_running = ~(has_forfeit[rows] & is_logged & (move_indices[rows] >= length[rows]))
        rows, is_logged = rows[is_running], is_logged[is_running]
        actions = _actions(batch, rows, is_logged, moves, length, move_indices, logs)
        frame = games["frames"][rows, games["depth"][rows].astype(np.int64) - 1].astype(np.int64)
        step = {
            "game": rows.astype(np.int32),
            "seat": frame[:, Frame.SEAT].astype(np.int8),
            "op": frame[:, Frame.OP].astype(np.int8),
            "decision": batch.decisions[rows].copy(),
            "action": actions.astype(np.int16),
            "year": games[game.rounds.round][rows],
            "season": games[game.rounds.phase][rows] if game.rounds.phase else np.zeros(len(rows), np.int8),
            **columns(games, rows, actions, frame),
        }
        batch.step_rows(rows, actions, observe=False)
        move_indices[rows] += is_logged
        old_scores, scores = scores, batch.standings()[0][:, :seats].astype(np.int64)
        step["change"] = (scores - old_scores)[rows]
        parts.append(step)
        is_over = not len(rows)
    _check_end(batch, logs, length, move_indices, options.skip_forced)
    games, forfeited = games.copy(), batch.active_rows()
    points = batch.scores[:, :seats].astype(np.int64)
    if len(forfeited):
        points[forfeited] = scores[forfeited]
        batch.forfeit_rows(forfeited, batch.seats[forfeited])
    _check_results(batch, logs, points)
    steps = {name: np.concatenate([step[name] for step in parts]) for name in parts[0]}
    return Trace(
        options=options,
        numbers=np.array([log["number"] for log in logs], np.int64),
        seed_numbers=np.array([log["seed_number"] for log in logs], np.int64),
        agents=np.array([log["agents"] for log in logs], object),
        points=points,
        ranks=batch.ranks[:, :seats].astype(np.int64),
        start=start,
        change=steps.pop("change"),
        steps=steps,
        games=games,
    )


def _check_results(batch: Batch, logs: Sequence[Mapping[str, Any]], points: np.ndarray) -> None:
    years, seats = batch.game_spec.round_numbers(batch).astype(np.int64), points.shape[1]
    for i, log in enumerate(logs):
        results = {
            "scores": points[i].tolist(), "ranks": batch.ranks[i, :seats].tolist(), "year": int(years[i]),
            "truncated": bool(batch.status[i] == TRUNCATED), "decisions": len(log["moves"]),
        }  # fmt: skip
        for name, value in results.items():
            if log.get(name, value) != value:
                raise ValueError(
                    f"the log of game {log['number']} is damaged: {name} must be {value}, got {log[name]!r}"
                )


def _moves(logs: Sequence[Mapping[str, Any]], numbers: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the action indices (games, moves), padded, and their numbers (games,)."""
    length = np.array([len(log["moves"]) for log in logs], np.int64)
    moves = np.full((len(logs), max(1, int(length.max()))), SKIP, np.int16)
    for i, log in enumerate(logs):
        try:
            moves[i, : length[i]] = [numbers[move] for move in log["moves"]]
        except (KeyError, TypeError) as error:
            raise ValueError(f"the log of game {log['number']} is damaged: there is no action {error}") from None
    return moves, length


def _actions(
    batch: Batch,
    rows: np.ndarray,
    is_logged: np.ndarray,
    moves: np.ndarray,
    length: np.ndarray,
    move_indices: np.ndarray,
    logs: Sequence[Mapping[str, Any]],
) -> np.ndarray:
    masks, names = batch.masks[rows], batch.game_spec.actions.names
    logged_actions = moves[rows, np.minimum(move_indices[rows], moves.shape[1] - 1)].astype(np.int64)
    is_short = is_logged & (move_indices[rows] >= length[rows])
    actions = np.where(is_logged, np.where(is_short, 0, logged_actions), masks.argmax(axis=1))
    is_wrong = is_short | ~batch.are_legal(actions, rows)
    if is_wrong.any():
        first = int(np.flatnonzero(is_wrong)[0])
        log, move = logs[rows[first]], int(move_indices[rows[first]])
        reason = "its moves end before the game does" if is_short[first] else (
            f"move {move + 1}, {names[int(actions[first])]!r}, cannot be played under the rules "
            f"of this version (the log is of vitienv {log.get('vitienv')}; this is {__version__})"
        )  # fmt: skip
        raise ValueError(f"the log of game {log['number']} is damaged: {reason}")
    return actions


def _check_end(
    batch: Batch, logs: Sequence[Mapping[str, Any]], length: np.ndarray, move_indices: np.ndarray, skips_forced: bool
) -> None:
    """Raise ValueError unless every log was replayed to its last move and its recorded state."""
    batch.games.rules[:, batch.game_spec.rule_parameter("skip_forced")] = (
        skips_forced  # recorded states have the option
    )
    for i, log in enumerate(logs):
        if move_indices[i] != length[i]:
            raise ValueError(f"the log of game {log['number']} is damaged: it has moves after the end of the game")
        if "forfeit" in log and batch.seats[i] < 0:
            raise ValueError(f"the log of game {log['number']} is damaged: it has a forfeit in a finished game")
        if log["state"] != batch.game_spec.digest(batch.games[i]):
            raise ValueError(
                f"the log of game {log['number']} does not reach its recorded state "
                f"(by vitienv {log.get('vitienv')}; this is {__version__})"
            )
