"""One game, readable: names in, names out, on the same engine as the batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.viticulture.batch import Batch, key_of
from vitienv.viticulture.hidden import determinize
from vitienv.viticulture.kernel import rank_seats
from vitienv.viticulture.machine import DECISIONS
from vitienv.viticulture.observation import N_OBSERVATION, OBSERVATION_DTYPE
from vitienv.viticulture.rulesets import Options
from vitienv.viticulture.state import Rule, Status
from vitienv.viticulture.vocabulary import ACTIONS

DEALS_TRIED = 200


class IllegalAction(ValueError):
    """An action that is unknown, or not legal now. The game is unchanged."""


class Game:
    """A game of Viticulture. Make one with `Game.new` or `Game.from_dict`.

    >>> game = Game.new(num_players=2, seed=7)
    >>> game.decision, game.legal_actions()
    ('papa_gift', ['option:1', 'option:2'])
    """

    def __init__(self, batch: Batch, seed: int | None, start: dict[str, Any] | None = None) -> None:
        self._batch = batch
        self._seed = seed
        self._start = start
        self._moves: list[int] = []

    @classmethod
    def new(cls, seed: int | None = None, **options: Any) -> Game:
        """A new game. Options are those of `vitienv.env`; seed None takes a fresh one.

        Raises ValueError for a wrong option, TypeError for an unknown one.
        """
        chosen = Options.of(**options)
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise ValueError(f"seed is {seed!r}; it must be None or a whole number from 0")
        batch = Batch(1, chosen)
        batch.start(key_of(int(seed)), observe=False)
        return cls(batch, int(seed))

    # What is going on.

    @property
    def options(self) -> Options:
        """What the game is played with."""
        return self._batch.options

    @property
    def record(self) -> np.record:
        """The state itself, one record of `vitienv.viticulture.state.GAME_DTYPE`. Changing it is at your own risk."""
        return self._batch.games[0]

    @property
    def num_players(self) -> int:
        """How many seats play."""
        return self.options.num_players

    @property
    def seat(self) -> int | None:
        """Who decides now; None when the game is over."""
        seat = int(self._batch.seats[0])
        return None if seat < 0 else seat

    @property
    def decision(self) -> str | None:
        """The name of the pending decision; None when the game is over."""
        number = int(self._batch.decisions[0])
        return None if number < 0 else DECISIONS[number]

    @property
    def year(self) -> int:
        """The year, from 1."""
        return int(self.record.year)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by `max_years`."""
        return bool(self.record.status != Status.PLAYING)

    @property
    def is_truncated(self) -> bool:
        """Whether the game was cut off by `max_years`."""
        return bool(self.record.status == Status.TRUNCATED)

    @property
    def mask(self) -> np.ndarray:
        """The legal actions, (actions,) int8; a copy."""
        return self._batch.masks[0].copy()

    def legal_actions(self) -> list[str]:
        """The names of the legal actions, in the order of their numbers; empty when the game is over."""
        return ACTIONS.legal(self._batch.masks[0])

    def observation(self, seat: int | None = None) -> np.ndarray:
        """What a seat sees (by default the one that decides), laid out as `vitienv.OBSERVATION` says."""
        viewer = self._seat_or_actor(seat)
        out = np.zeros((1, N_OBSERVATION), OBSERVATION_DTYPE)
        return self._batch.observe(np.array([viewer], np.int8), out)[0]

    @property
    def scores(self) -> list[int]:
        """Victory points by seat."""
        return [int(points) for points in self.record.vp[: self.num_players]]

    @property
    def ranking(self) -> list[int]:
        """A rank for each seat after tie-breakers, 1 is first, ties share a rank; alone, the Automa is the other."""
        ranks = np.zeros((1, self.num_players), np.int16)
        rank_seats(self._batch.records, ranks)
        return [int(rank) for rank in ranks[0]]

    @property
    def automa_score(self) -> int | None:
        """Where the Automa's marker stands; None in games without one."""
        return int(self.record.automa_vp) if self.record.rules[Rule.MARKER] else None

    @property
    def outcome(self) -> str | None:
        """How a solo game ended for seat 0: "win", "draw" or "loss"; None while it goes on, and in other rulesets."""
        if not self.is_over or self.is_truncated or self.options.ruleset != "solo":
            return None
        other = self.automa_score if self.automa_score is not None else self.scores[1]
        ahead = self.scores[0] - other
        if self.record.lost or ahead < 0:
            return "loss"
        return "win" if ahead > 0 else "draw"

    @property
    def rewards(self) -> list[float]:
        """The rewards of a game that is over by the rules, by seat; zeros otherwise."""
        return [float(reward) for reward in self._batch.rewards[0, : self.num_players]]

    # Playing.

    def step(self, action: str | int) -> Game:
        """Carry out an action, given by name or number, and run to the next decision. Returns the game itself.

        Raises IllegalAction if it is unknown or not legal; the game is then unchanged.
        """
        number = self._number(action)
        self._batch.actions[0] = number
        self._batch.step(observe=False)
        self._moves.append(number)
        return self

    def _number(self, action: str | int) -> int:
        if self.is_over:
            raise IllegalAction(f"the game is over; {action!r} cannot be played")
        try:
            number = ACTIONS.number(action) if isinstance(action, str) else int(action)
            name = ACTIONS.name(number)
        except (ValueError, TypeError) as error:
            legal = ", ".join(self.legal_actions())
            raise IllegalAction(f"{error} (decision {self.decision!r}; legal: {legal})") from None
        if not self._batch.masks[0, number]:
            raise IllegalAction(
                f"{name!r} is not legal for the decision {self.decision!r} of seat {self.seat}; "
                f"legal: {', '.join(self.legal_actions())}"
            )
        return number

    def _seat_or_actor(self, seat: int | None) -> int:
        if seat is None:
            return 0 if self.seat is None else self.seat
        if not 0 <= seat < self.num_players:
            raise ValueError(f"there is no seat {seat}; seats go from 0 to {self.num_players - 1}")
        return int(seat)

    # Copies.

    def copy(self) -> Game:
        """An independent copy, chance included."""
        other = Game(self._batch.copy(), self._seed, self._start)
        other._moves = self._moves.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> Game:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {"records": self._batch.games.tobytes(), "options": self.options.to_dict(), "seed": self._seed,
                "start": self._start, "moves": list(self._moves)}  # fmt: skip

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        batch = Batch(1, Options.of(**state["options"]))
        batch.octets[:] = np.frombuffer(state["records"], np.int8)
        batch.refresh(observe=False)
        self.__init__(batch, state["seed"], state["start"])  # type: ignore[misc]
        self._moves = list(state["moves"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.options == other.options and self.record == other.record

    __hash__ = None  # type: ignore[assignment]

    def determinize(self, seat: int, seed: int) -> Game:
        """A copy with all that `seat` cannot see dealt anew, consistent with what it can.

        If another seat is deciding, deals under which it could not decide are passed over. The copy's log does
        not lead to it, so it has none.
        """
        viewer = np.array([self._seat_or_actor(seat)], np.int8)
        keys = np.random.SeedSequence(seed).generate_state(2 * DEALS_TRIED, np.uint32).reshape(DEALS_TRIED, 1, 2)
        for key in keys:
            other = Game(self._batch.copy(), None, {})
            determinize(other._batch.records, viewer, key)
            pending = other.record.frames.copy()
            other._batch.refresh(observe=False)
            if other.is_over or (other._batch.masks.any() and np.array_equal(pending, other.record.frames)):
                return other
        raise RuntimeError(f"no deal found in {DEALS_TRIED} under which seat {self.seat} can decide {self.decision!r}")

    # Positions and replays.

    def to_dict(self) -> dict[str, Any]:
        """The position as plain JSON; see `vitienv.positions`."""
        from vitienv.positions import to_dict

        return to_dict(self)

    @classmethod
    def from_dict(cls, position: Mapping[str, Any]) -> Game:
        """The game of a position. ValueError says what contradicts itself or is unknown."""
        from vitienv.positions import from_dict

        return from_dict(position)

    @property
    def log(self) -> dict[str, Any]:
        """The moves so far with all that leads to them; `vitienv.replay(log)` gives the same game again."""
        from vitienv.replays import log_of

        return log_of(self)

    @property
    def moves(self) -> list[str]:
        """The names of the actions so far."""
        return [ACTIONS.name(number) for number in self._moves]

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"seat {self.seat} to {self.decision}"
        players = "1 player" if self.num_players == 1 else f"{self.num_players} players"
        return f"<Game {self.options.ruleset}, {players}, year {self.year}, {state}, scores {self.scores}>"
