"""Batches of games between bots.

>>> from vitienv.agents import make_agent
>>> bots = [make_agent("heuristic"), make_agent("random", seed=1)]
>>> options = vitienv.game_spec("viticulture").options(num_players=2)
>>> played = play(options, seeds=[7, 8], seating=[[0, 1], [1, 0]], agents=bots)
>>> played.ranks[:, 0], vitienv.replay(played.log(0))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from vitienv.agents import Agent
from vitienv.agents.candidates import CandidateRecorder
from vitienv.agents.program import Forfeit
from vitienv.agents.protocol import Bot, agent_kernels, bind_agent, check_game
from vitienv.agents.query import query_agent
from vitienv.core.batch import TRUNCATED, Batch, make_key
from vitienv.core.compiling.progress import PROGRESS
from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import SKIP
from vitienv.core.options import Options
from vitienv.game import Game
from vitienv.registry import DEFAULT, game_spec
from vitienv.training.ratings import win_shares

Forfeits = dict[int, tuple[int, Forfeit]]  # seat and reason by game
Replacements = dict[int, dict[int, tuple[int, Forfeit]]]  # moves before the failure and reason, by game and seat
Notes = dict[int, dict[int, Counter[str]]]  # counters by game and seat
MAX_GAMES = 1_000_000  # per tournament or evaluation; their results are in memory together
LAST_ROUND = 60  # year limit: games of weak bots might not end otherwise
DEFAULT_NUM_CHUNKS, DEFAULT_CHUNK_SIZE = 16, 128


def check_amount(name: str, amount: int, maximum: int = MAX_GAMES) -> None:
    """Raise ValueError unless an amount, such as the number of games, is from 1 to `maximum`."""
    if not 1 <= amount <= maximum:
        raise ValueError(f"{name} must be from 1 to {maximum:,}, got {amount}")


@dataclass(frozen=True)
class GamesSettings:
    """Settings of many games between bots, which are played and saved in chunks. ValueError for an invalid setting.

    agents: specs for `vitienv.make_agent`. num_players: seats per game. games: their number. seed: of the games and the
    bots. chunk_size: games per chunk, 0 for the default. options: other game options, as for `vitienv.Game.new`. game:
    name of the game.
    """

    MAX_CHUNK_SIZE: ClassVar[int] = 10_000  # a chunk's games and moves are in memory together

    agents: tuple[str, ...]
    num_players: int = 2
    games: int = 100
    seed: int = 0
    chunk_size: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    game: str = DEFAULT

    def __post_init__(self) -> None:
        check_amount("games", self.games)
        if self.seed < 0:
            raise ValueError(f"seed must be at least 0, got {self.seed}")
        if self.chunk_size != 0:
            check_amount("chunk", self.chunk_size, self.MAX_CHUNK_SIZE)
        self.game_options()

    def game_options(self) -> Options:
        """Return the options of the games, with a year limit by default."""
        options = game_spec(self.game).options
        defaults = {options.LIMIT: LAST_ROUND, "skip_forced": True}
        return options.of(**defaults | self.options, num_players=self.num_players)

    def num_games(self) -> int:
        """Return the number of games."""
        return self.games

    def round_games(self) -> int:
        """Return the number of games that can be played in parallel: all by default."""
        return self.num_games()

    def rounds(self) -> list[range]:
        """Return the indices of the chunks of each round of `round_games`."""
        n = -(-self.round_games() // self.chunk_size)
        return [range(i * n, (i + 1) * n) for i in range(self.num_games() // self.round_games())]

    def chunk_numbers(self) -> range:
        """Return the indices of the chunks."""
        return range(self.rounds()[-1].stop)

    def chunk(self, number: int) -> range:
        """Return the indices of a chunk's games."""
        n = self.round_games()
        round_number, part = divmod(number, -(-n // self.chunk_size))
        first = round_number * n + part * self.chunk_size
        return range(first, min(first + self.chunk_size, (round_number + 1) * n))

    def with_chunk_size(self, minimum: int = 1) -> Self:
        """Return the settings with `chunk_size` set. minimum: its minimum if it is 0."""
        default = max(minimum, min(DEFAULT_CHUNK_SIZE, -(-self.num_games() // DEFAULT_NUM_CHUNKS)))
        return self if self.chunk_size else replace(self, chunk_size=default)


@dataclass(frozen=True)
class GameResults:
    """Results of finished games; row i of each array is game i.

    seeds: as for `Game.new`. seating (games, seats): indices of the bots. points, ranks (games, seats): final points,
    and ranks from 1 after tie-breakers; ties share a rank. rewards (games, seats): by the option `reward`. years
    (games,): last year or round. truncated (games,): bool. records (games, bytes): final states. moves: action indices
    of each game. forfeits: seat and reason by game; the state of a forfeited game is that before the failure, see
    `Batch.forfeit_rows`. notes: counters of the bots, such as tokens, by game and seat. replaced: failures after which
    another bot played on, see `play`.
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
    replaced: Replacements = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.seeds)

    @property
    def wins(self) -> np.ndarray:
        """The win shares (games, seats); see `win_shares`."""
        return win_shares(self.ranks, self.truncated, self.options.game_spec.is_of_team)

    @property
    def outcomes(self) -> np.ndarray:
        """The results (games,) of solo games: 1 for a win, 0 for a draw, -1 for a loss."""
        return np.sign(self.rewards[:, 0]).astype(np.int64)

    def log(self, i: int) -> dict[str, Any]:
        """Return the log of game i in the form of `Game.log`, for `vitienv.replay`."""
        game = Game(Batch.from_bytes(self.records[i : i + 1], self.options, observe=False), self.seeds[i])
        game._moves = [int(move) for move in self.moves[i]]
        return game.log


def play(
    options: Options,
    seeds: Sequence[int],
    seating: Sequence[Sequence[int]] | np.ndarray,
    agents: Sequence[Agent],
    on_step: Callable[[int], None] | None = None,
    on_choice: Callable[[Batch, int, np.ndarray], None] | None = None,
    replacement: int | None = None,
) -> GameResults:
    """Play one game per seed to its end, all in one batch.

    seating (games, seats): index in `agents` of the bot in each seat. on_step: called after each step with the number
    of finished games. on_choice: called before it for each bot with the batch, whose `actions` are set, the index of
    the bot, and its games. Game i is that of `Game.new(seed=seeds[i])`, independent of the others.

    A failing external program forfeits its game; see `agents.program`. Instead, the bot `agents[replacement]` plays on
    in its seat, if given. ValueError if another bot fails or returns an illegal action.
    """
    seats = np.asarray(seating, np.int64)
    n = len(seeds)
    if seats.shape != (n, options.num_players):
        raise ValueError(f"the shape of seating must be {(n, options.num_players)}, got {seats.shape}")
    if n and (seats.min() < 0 or seats.max() >= len(agents)):
        raise ValueError(f"seating must contain indices from 0 to {len(agents) - 1}")
    for agent in agents:
        check_game(agent, options.game_spec)
    batch = Batch(n, options)
    batch.start(np.concatenate([make_key(int(seed)) for seed in seeds]))
    forfeits, replaced, notes, players = Forfeits(), Replacements(), Notes(), seats.copy()
    lost_states: dict[int, np.ndarray] = {}  # states of forfeited games
    rows_of_step: list[np.ndarray] = []
    actions_of_step: list[np.ndarray] = []
    while True:
        playing = batch.active_rows()
        if len(playing) == 0:
            break
        acting = players[playing, batch.seats[playing]]
        for number in np.unique(acting):
            rows = playing[acting == number]
            batch.actions[rows] = choose(agents[number], batch, rows, seeds, forfeits, notes)
            if on_choice is not None:
                on_choice(batch, int(number), rows)
            if replacement is not None and (failed_rows := np.array(sorted(forfeits), np.int64)).size:
                for row in failed_rows.tolist():  # each game makes one move per step
                    seat, forfeit = forfeits.pop(row)
                    replaced.setdefault(row, {})[seat] = len(rows_of_step), forfeit
                    players[row, seat] = replacement
                batch.actions[failed_rows] = choose(agents[replacement], batch, failed_rows, seeds, forfeits, notes)
                if on_choice is not None:
                    on_choice(batch, replacement, failed_rows)
        stepped_rows = playing[batch.actions[playing] != SKIP]
        rows_of_step.append(stepped_rows.astype(np.int32))
        actions_of_step.append(batch.actions[stepped_rows].astype(np.int16))
        batch.step()
        if new_forfeits := [row for row in forfeits if row not in lost_states]:
            lost_states |= {row: batch.bytes_view[row].copy() for row in new_forfeits}
            # All forfeits are set after each step, because step() recomputes the results of finished games.
            batch.forfeit_rows(np.array(list(lost_states)), np.array([forfeits[row][0] for row in lost_states]))
        if on_step is not None:
            on_step(n - len(playing))
    records = batch.bytes_view.copy()
    for row, record in lost_states.items():
        records[row] = record
    return GameResults(
        options=options,
        seeds=[int(seed) for seed in seeds],
        seating=seats,
        points=batch.scores[:, : options.num_players].copy(),
        ranks=batch.ranks[:, : options.num_players].copy(),
        rewards=batch.rewards[:, : options.num_players].copy(),
        years=options.game_spec.round_numbers(batch).astype(np.int64),
        truncated=batch.status == TRUNCATED,
        records=records,
        moves=_split_by_game(rows_of_step, actions_of_step, n),
        forfeits=forfeits,
        notes=notes,
        replaced=replaced,
    )


def warm_up(
    agents: Sequence[Agent], game: GameSpec, table: Mapping[str, Any] = MappingProxyType({}), method: str = "act",
    extra_kernels: Sequence[Any] = (),
) -> None:  # fmt: skip
    """Compile the kernels of a table and its bots under one progress bar by choosing one action per bot.

    Bundled bots without kernels are skipped. table: options, by default two seats. method: "consider" to compile the
    candidates of bots as well. extra_kernels: to compile as well.
    """
    options = game.options.of(**{"num_players": 2, **table})
    spec = options.game_spec
    bots = [bind_agent(agent, spec) for agent in agents]
    loops = [[*agent_kernels(bot), *(agent_kernels(bot, method) if method != "act" else ())] for bot in bots]
    with PROGRESS.group([spec.kernels.run, spec.kernels.write_standings, *extra_kernels, *chain.from_iterable(loops)]):
        batch = Batch(1, options)
        batch.start(make_key(0))
        batch.standings()  # used by logs
        for bot, kernels in zip(bots, loops):
            if kernels or not isinstance(bot, Bot):
                player = bot.warm_up() if isinstance(bot, Bot) else bot
                for caller in (player, CandidateRecorder(player, 1)) if method == "consider" else (player,):
                    choose(caller, batch, np.array([0]), [0])


def choose(
    agent: Agent, batch: Batch, rows: np.ndarray, seeds: Sequence[int], forfeits: Forfeits | None = None,
    notes: Notes | None = None,
) -> np.ndarray:  # fmt: skip
    """Return the agent's actions for its rows; errors name the game's seed, see `agents.query`.

    forfeits, notes: updated with those of the games. Without them a failure raises; with them its action is SKIP.
    """

    def name_of_row(i: int) -> str:
        return f"{agent.name} in seat {int(batch.seats[i])} of game {i} (seed {int(seeds[i])})"

    if forfeits is None or notes is None:
        return query_agent(agent, batch, rows, name_of_row)
    failed_rows: dict[int, Forfeit] = {}
    actions = query_agent(agent, batch, rows, name_of_row, failed_rows)
    forfeits |= {row: (int(batch.seats[row]), forfeit) for row, forfeit in failed_rows.items()}
    for i, counts in getattr(agent, "notes", {}).items():
        game_notes = notes.setdefault(int(rows[i]), {})
        game_notes.setdefault(int(batch.seats[rows[i]]), Counter()).update(counts)
    return actions


def _split_by_game(rows: list[np.ndarray], actions: list[np.ndarray], n: int) -> list[np.ndarray]:
    if not rows:
        return [np.empty(0, np.int16) for _ in range(n)]
    all_rows, all_actions = np.concatenate(rows), np.concatenate(actions)
    order = np.argsort(all_rows, kind="stable")
    ends = np.cumsum(np.bincount(all_rows, minlength=n))[:-1]
    return np.split(all_actions[order], ends)
