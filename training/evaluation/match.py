"""Many games at once, each seat filled by a bot.

>>> from vitienv.agents import make_agent
>>> bots = [make_agent("heuristic"), make_agent("random", seed=1)]
>>> options = vitienv.game_spec("viticulture").options(num_players=2)
>>> played = play(options, seeds=[7, 8], seating=[[0, 1], [1, 0]], agents=bots)
>>> played.ranks[:, 0], vitienv.replay(played.log(0))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np

from vitienv.agents import Agent
from vitienv.agents.candidates import Considering
from vitienv.agents.program import Forfeit
from vitienv.agents.protocol import Bot, agent_kernels, bind_agent, check_game
from vitienv.agents.query import query_agent
from vitienv.core.batch import TRUNCATED, Batch, key_of
from vitienv.core.compiling.progress import WATCH
from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import LEAVE
from vitienv.core.options import Options
from vitienv.game import Game
from vitienv.training.ratings import win_shares

Forfeits = dict[int, tuple[int, Forfeit]]  # by game: the seat that lost it, and why
Notes = dict[int, dict[int, Counter[str]]]  # by game and seat
MOST_GAMES = 1_000_000  # in one tournament or measurement: their results are in memory at the end


def check_amount(name: str, amount: int, most: int = MOST_GAMES) -> None:
    """ValueError unless an amount, such as the number of games, is from 1 to `most`."""
    if not 1 <= amount <= most:
        raise ValueError(f"{name} is {amount}; it must be from 1 to {most:,}")


@dataclass(frozen=True)
class Played:
    """Games that were played to their end; row i of everything is game i.

    seeds: as for `Game.new`. seating (games, seats): which bot sat there. points, ranks (games, seats): final
    victory points, and ranks from 1 after tie-breakers, ties sharing one. rewards (games, seats): by the option
    `reward`. years (games,): the last year, or round. truncated (games,): cut off. records (games,
    bytes): the final states. moves: the numbers of the actions of each game. forfeits: by game, the seat that lost it
    outside the rules, and why; such a game stands as it did then, see `Batch.forfeit_rows`. notes: by game and seat,
    what a bot counted there, such as tokens.
    """

    options: Options
    seeds: list[int]
    seating: np.ndarray
    points: np.ndarray
    ranks: np.ndarray
    rewards: np.ndarray
    years: np.ndarray
    truncated: np.ndarray
    records: np.ndarray
    moves: list[np.ndarray]
    forfeits: Forfeits
    notes: Notes

    def __len__(self) -> int:
        return len(self.seeds)

    @property
    def wins(self) -> np.ndarray:
        """The share of the win of each seat, (games, seats); see `win_shares`."""
        return win_shares(self.ranks, self.truncated, self.options.game_spec.is_of_team)

    @property
    def outcomes(self) -> np.ndarray:
        """1 for a game that seat 0 won, 0 for a draw, -1 for a loss, (games,): of games with one seat."""
        return np.sign(self.rewards[:, 0]).astype(np.int64)

    def log(self, i: int) -> dict[str, Any]:
        """The log of game i, as `Game.log` gives it: `vitienv.replay` plays it again."""
        single = Batch(1, self.options)
        single.bytes_view[0] = self.records[i]
        single.refresh(observe=False)
        game = Game(single, self.seeds[i])
        game._moves = [int(move) for move in self.moves[i]]
        return game.log


def play(
    options: Options,
    seeds: Sequence[int],
    seating: Sequence[Sequence[int]] | np.ndarray,
    agents: Sequence[Agent],
    on_step: Callable[[int], None] | None = None,
    on_choice: Callable[[Batch, int, np.ndarray], None] | None = None,
) -> Played:
    """Play one game for each seed to its end, all in one batch.

    seating (games, seats): the number in `agents` of the bot in each seat. on_step gets after each step the number
    of games that have ended; on_choice gets before it the batch, with each bot's `actions` filled in, the bot's
    number and its games. Game i is the game of `Game.new(seed=seeds[i])`, whatever else is in the batch.
    A program that fails loses its game; see `agents.program`. Raises ValueError if another bot fails or answers with an
    illegal action: it names the bot, the game and the action.
    """
    seats = np.asarray(seating, np.int64)
    n = len(seeds)
    if seats.shape != (n, options.num_players):
        raise ValueError(f"seating has shape {seats.shape}; it must be {(n, options.num_players)}")
    if n and (seats.min() < 0 or seats.max() >= len(agents)):
        raise ValueError(f"seating names a bot outside 0 to {len(agents) - 1}")
    for agent in agents:
        check_game(agent, options.game_spec)
    batch = Batch(n, options)
    batch.start(np.concatenate([key_of(int(seed)) for seed in seeds]))
    forfeits, notes = Forfeits(), Notes()
    stood: dict[int, np.ndarray] = {}  # the records of games that a fault ended
    rows_of_step: list[np.ndarray] = []
    actions_of_step: list[np.ndarray] = []
    while True:
        playing = batch.playing()
        if len(playing) == 0:
            break
        acting = seats[playing, batch.seats[playing]]
        for number in np.unique(acting):
            rows = playing[acting == number]
            batch.actions[rows] = choose(agents[number], batch, rows, seeds, forfeits, notes)
            if on_choice is not None:
                on_choice(batch, int(number), rows)
        went_on = playing[batch.actions[playing] != LEAVE]
        rows_of_step.append(went_on.astype(np.int32))
        actions_of_step.append(batch.actions[went_on].astype(np.int16))
        batch.step()
        if lost := [row for row in forfeits if row not in stood]:
            stood |= {row: batch.bytes_view[row].copy() for row in lost}
            # All of them each time: results of games that have ended are reckoned anew by their points.
            batch.forfeit_rows(np.array(list(stood)), np.array([forfeits[row][0] for row in stood]))
        if on_step is not None:
            on_step(n - len(playing))
    records = batch.bytes_view.copy()
    for row, record in stood.items():
        records[row] = record
    return Played(
        options=options,
        seeds=[int(seed) for seed in seeds],
        seating=seats,
        points=batch.scores[:, : options.num_players].copy(),
        ranks=batch.ranks[:, : options.num_players].copy(),
        rewards=batch.rewards[:, : options.num_players].copy(),
        years=options.game_spec.rounds(batch).astype(np.int64),
        truncated=batch.status == TRUNCATED,
        records=records,
        moves=_by_game(rows_of_step, actions_of_step, n),
        forfeits=forfeits,
        notes=notes,
    )


def warm_up(
    agents: Sequence[Agent], game: GameSpec, table: Mapping[str, Any] = MappingProxyType({}), what: str = "act",
    others: Sequence[Any] = (),
) -> None:  # fmt: skip
    """Compile what a table and its bots need, under one progress bar: each bot makes a brief choice.

    Shipped bots that compile nothing are left out. table: options of the table, by default one of two seats. what:
    "consider" where bots say what they consider too. others: loops that will be called besides.
    """
    options = game.options.of(**{"num_players": 2, **table})
    own = options.game_spec
    bots = [bind_agent(agent, own) for agent in agents]
    loops = [[*agent_kernels(bot), *(agent_kernels(bot, what) if what != "act" else ())] for bot in bots]
    with WATCH.together([own.kernels.run, own.kernels.stand, *others, *chain.from_iterable(loops)]):
        batch = Batch(1, options)
        batch.start(key_of(0))
        batch.standing()  # which a log tells
        for bot, needed in zip(bots, loops):
            if needed or not isinstance(bot, Bot):
                brief = bot.warm_up() if isinstance(bot, Bot) else bot
                for one in (brief, Considering(brief, 1)) if what == "consider" else (brief,):
                    choose(one, batch, np.array([0]), [0])


def choose(
    agent: Agent, batch: Batch, rows: np.ndarray, seeds: Sequence[int], forfeits: Forfeits | None = None,
    notes: Notes | None = None,
) -> np.ndarray:  # fmt: skip
    """The agent's actions for its rows; what it does wrong is said with the game's seed, see `agents.query`.

    forfeits, notes: take those of the games; without them a fault is an error, with them its action is LEAVE."""

    def called(i: int) -> str:
        return f"{agent.name} in seat {int(batch.seats[i])} of game {i} (seed {int(seeds[i])})"

    if forfeits is None or notes is None:
        return query_agent(agent, batch, rows, called)
    failed: dict[int, Forfeit] = {}
    actions = query_agent(agent, batch, rows, called, failed)
    forfeits |= {row: (int(batch.seats[row]), forfeit) for row, forfeit in failed.items()}
    for i, counted in getattr(agent, "notes", {}).items():
        of_game = notes.setdefault(int(rows[i]), {})
        of_game.setdefault(int(batch.seats[rows[i]]), Counter()).update(counted)
    return actions


def _by_game(rows: list[np.ndarray], actions: list[np.ndarray], n: int) -> list[np.ndarray]:
    if not rows:
        return [np.empty(0, np.int16) for _ in range(n)]
    all_rows, all_actions = np.concatenate(rows), np.concatenate(actions)
    in_order = np.argsort(all_rows, kind="stable")
    ends = np.cumsum(np.bincount(all_rows, minlength=n))[:-1]
    return np.split(all_actions[in_order], ends)
