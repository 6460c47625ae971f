"""The games of a tournament played again from their logs, all side by side, every decision written down.

Forced decisions, which a tournament's logs leave out, are taken here one by one, so that each step of the trace is
one decision and the points that it brings can be told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vitienv.core.fields import digest
from vitienv.core.frames import Frame
from vitienv.replays import FORMAT
from vitienv.training.report.sources import own_points
from vitienv.version import __version__
from vitienv.viticulture.batch import Batch, key_of
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.kernel import LEAVE
from vitienv.viticulture.rulesets import Options
from vitienv.viticulture.state import FIELDS, Rule, Status
from vitienv.viticulture.vocabulary import ACTIONS, Move

RULESETS = ("essential", "original")
NUMBERS = {name: number for number, name in enumerate(ACTIONS.names)}
NEEDED = ("format", "game", "seed", "seed_number", "agents", "options", "moves", "state")
NOTHING = -1


@dataclass(frozen=True)
class Trace:
    """Some games and their decisions, in the order in which they were taken.

    Of the games (row i of each): numbers, the numbers of the games in the tournament; seed_numbers; agents (games,
    seats), the bots' names; points, ranks (games, seats); mamas, papas (games, seats), -1 for none; start (games,
    seats), the points before the first decision.

    Of the decisions: steps, a mapping of arrays (decisions,): game, the row above; seat, who decides; op, the pending
    frame's; action; card, the kind of the visitor under way, or -1; owner, who played it, or -1; act, the frame's
    first setting, which for a bonus is the action of the board; year, season; order, the kind of the order that is
    filled, or -1; own, the points of that order or of the windmill. change (decisions, seats): the points that each
    seat gained or lost.
    """

    numbers: np.ndarray
    seed_numbers: np.ndarray
    agents: np.ndarray
    points: np.ndarray
    ranks: np.ndarray
    mamas: np.ndarray
    papas: np.ndarray
    start: np.ndarray
    steps: dict[str, np.ndarray]
    change: np.ndarray


def options_of(logs: Sequence[Mapping[str, Any]]) -> Options:
    """What all the games were played with. ValueError if a log is none, is damaged, or differs from the others."""
    for log in logs:
        missing = [key for key in NEEDED if key not in log]
        if missing or log["format"] != FORMAT or log.get("position"):
            raise ValueError(f"a log is not one of a tournament: it has no {missing[0]!r}" if missing else
                             f"the log of game {log['game']} has another format or begins in the middle")  # fmt: skip
        is_sound = isinstance(log["moves"], list) and isinstance(log["agents"], list)
        if not is_sound or log["options"] != logs[0]["options"]:
            raise ValueError(f"the log of game {log['game']} is damaged: its moves, bots or options cannot be right")
    try:
        options = Options.of(**logs[0]["options"])
    except (TypeError, ValueError) as error:
        raise ValueError(f"the logs are damaged: {error}") from None
    if options.ruleset not in RULESETS:
        raise ValueError(f"the games follow ruleset {options.ruleset!r}; a report is made for {' and '.join(RULESETS)}")
    for log in logs:
        if len(log["agents"]) != options.num_players:
            raise ValueError(f"the log of game {log['game']} is damaged: it names {len(log['agents'])} bots")
    return options


def trace(logs: Sequence[Mapping[str, Any]], on_games: Callable[[int], None] | None = None) -> Trace:
    """Play the games of these logs again, all in one batch. on_games is told how many have ended.

    Raises ValueError, in one line, for a log that is damaged or leads elsewhere under this version's rules.
    """
    options = options_of(logs)
    n, seats = len(logs), options.num_players
    batch = Batch(n, options.with_(skip_forced=False))
    try:
        batch.start(np.concatenate([key_of(int(log["seed"])) for log in logs]), observe=False)
    except (TypeError, ValueError):
        raise ValueError("the logs are damaged: a seed is not a whole number from 0") from None
    games = batch.games.view(np.ndarray)
    moves, length = _moves(logs)
    at = np.zeros(n, np.int64)
    start = games["vp"][:, :seats].astype(np.int64)
    told: list[dict[str, np.ndarray]] = []
    while True:
        rows = np.flatnonzero(games["status"] == Status.PLAYING)
        if len(rows) == 0:
            break
        actions, is_logged = _actions(batch, rows, moves, length, at, options.skip_forced, logs)
        step, before = _before(games, rows, actions), games["vp"][rows, :seats]
        batch.actions[:] = LEAVE
        batch.actions[rows] = actions
        batch.step(observe=False)
        at[rows] += is_logged
        step["change"] = games["vp"][rows, :seats] - before
        told.append(step)
        if on_games is not None:
            on_games(n - len(rows))
    _check_end(batch, logs, length, at, options.skip_forced)
    steps = {name: np.concatenate([step[name] for step in told]) for name in told[0]}
    return Trace(
        numbers=np.array([log["game"] for log in logs], np.int64),
        seed_numbers=np.array([log["seed_number"] for log in logs], np.int64),
        agents=np.array([log["agents"] for log in logs], object),
        points=batch.scores[:, :seats].astype(np.int64),
        ranks=batch.ranks[:, :seats].astype(np.int64),
        mamas=games["mamas"][:, :seats, 0].astype(np.int64),
        papas=games["papas"][:, :seats, 0].astype(np.int64),
        start=start,
        change=steps.pop("change"),
        steps=steps,
    )


def _moves(logs: Sequence[Mapping[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
    """The actions' numbers of each game, (games, longest), and how many there are."""
    length = np.array([len(log["moves"]) for log in logs], np.int64)
    moves = np.full((len(logs), max(1, int(length.max()))), LEAVE, np.int16)
    for i, log in enumerate(logs):
        try:
            moves[i, : length[i]] = [NUMBERS[move] for move in log["moves"]]
        except (KeyError, TypeError) as error:
            raise ValueError(f"the log of game {log['game']} is damaged: there is no action {error}") from None
    return moves, length


def _actions(
    batch: Batch,
    rows: np.ndarray,
    moves: np.ndarray,
    length: np.ndarray,
    at: np.ndarray,
    skips_forced: bool,
    logs: Sequence[Mapping[str, Any]],
) -> tuple[np.ndarray, np.ndarray]:
    """The next action of each game, and whether it stands in the log rather than being forced."""
    masks = batch.masks[rows]
    is_logged = np.ones(len(rows), bool)
    if skips_forced:
        is_logged = np.count_nonzero(masks, axis=1) != 1
    chosen = moves[rows, np.minimum(at[rows], moves.shape[1] - 1)].astype(np.int64)
    is_short = is_logged & (at[rows] >= length[rows])
    actions = np.where(is_logged, np.where(is_short, 0, chosen), masks.argmax(axis=1))
    is_wrong = is_short | (masks[np.arange(len(rows)), actions] == 0)
    if is_wrong.any():
        first = int(np.flatnonzero(is_wrong)[0])
        log, move = logs[rows[first]], int(at[rows[first]])
        what = "its moves end before the game does" if is_short[first] else (
            f"move {move + 1}, {ACTIONS.name(int(actions[first]))!r}, cannot be played under the rules "
            f"of this version (the log is of vitienv {log.get('vitienv')}; this is {__version__})"
        )  # fmt: skip
        raise ValueError(f"the log of game {log['game']} is damaged: {what}")
    return actions, is_logged


def _before(games: np.ndarray, rows: np.ndarray, actions: np.ndarray) -> dict[str, np.ndarray]:
    """What is known of a decision before its action is carried out."""
    frames = games["frames"][rows]
    k, top = np.arange(len(rows)), games["depth"][rows].astype(np.int64) - 1
    frame = frames[k, top].astype(np.int64)
    op, seat, card = frame[:, Frame.OP], frame[:, Frame.SEAT], frame[:, Frame.CARD]
    # Who played the visitor under way: the seat of the last frame that is a card.
    is_card = frames[:, :, Frame.OP] == FrameOp.CARD
    last = frames.shape[1] - 1 - is_card[:, ::-1].argmax(axis=1)
    owner = np.where(is_card.any(axis=1), frames[k, last, Frame.SEAT], NOTHING)
    plays = (op == FrameOp.PLAY) & (actions != Move.DONE)
    return {
        "game": rows.astype(np.int32),
        "seat": seat.astype(np.int8),
        "op": op.astype(np.int8),
        "action": actions.astype(np.int16),
        "card": np.where(plays, actions - Move.CARD, card).astype(np.int16),
        "owner": np.where(plays, seat, owner).astype(np.int8),
        "act": frame[:, Frame.A].astype(np.int16),
        "year": games["year"][rows],
        "season": games["season"][rows],
        **own_points(games, rows, frame),
    }


def _check_end(
    batch: Batch, logs: Sequence[Mapping[str, Any]], length: np.ndarray, at: np.ndarray, skips_forced: bool
) -> None:
    """ValueError unless every log was played to its last move and led to the state that it was written with."""
    batch.games.rules[:, Rule.SKIP_FORCED] = skips_forced  # as the games were played
    for i, log in enumerate(logs):
        if at[i] != length[i]:
            raise ValueError(f"the log of game {log['game']} is damaged: it has moves after the end of the game")
        if log["state"] != digest(batch.games[i], FIELDS):
            raise ValueError(
                f"the log of game {log['game']} leads elsewhere: its moves do not give the state it was written with "
                f"(by vitienv {log.get('vitienv')}; this is {__version__})"
            )
