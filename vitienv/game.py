"""One game, readable: names in, names out, on the same engine as the batches."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.batch import PLAYING, TRUNCATED, Batch, checked_seed, key_of
from vitienv.core.errors import IllegalAction
from vitienv.core.game_spec import GameSpec
from vitienv.core.options import Options, is_int
from vitienv.core.targets.parallel import exclusive
from vitienv.registry import DEFAULT, canonical_name, game_from_untrusted_file, game_spec
from vitienv.version import __version__

if TYPE_CHECKING:
    from vitienv.envs.vector import GameVec
    from vitienv.session.text_interface import ActionDescription

FORMAT = 1  # of logs
DEALS_TRIED = 200


class Game:
    """One game, by default of Viticulture. Make one with `Game.new` or `Game.from_dict`.

    >>> game = Game.new(num_players=2, seed=7)
    >>> game.decision, game.legal_actions()
    ('papa_gift', ['option:1', 'option:2'])
    """

    def __init__(self, batch: Batch, seed: int | None, start: dict[str, Any] | None = None) -> None:
        self._batch, self._lock = batch, batch.lock
        self._seed = seed
        self._start = start
        self._moves: list[int] = []

    @classmethod
    def new(cls, seed: int | None = None, game: str = DEFAULT, **options: Any) -> Game:
        """A new game. Options are those of `vitienv.env`; seed None takes a fresh one.

        Raises ValueError for a wrong option, TypeError for an unknown one.
        """
        chosen = game_spec(game).options.of(**options)
        seed = checked_seed(seed)
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
        batch = Batch(1, chosen)
        batch.start(key_of(seed), observe=False)
        return cls(batch, seed)

    # What is going on.

    @property
    def options(self) -> Options:
        """What the game is played with."""
        return self._batch.options

    @property
    def game_spec(self) -> GameSpec:
        """The definition of the game: its layouts, fields, options."""
        return self._batch.game_spec

    @property
    def state(self) -> np.record:
        """The state itself, one record of the definition's fields. Changing it is at your own risk."""
        return self._batch.games[0]

    @property
    def num_players(self) -> int:
        """How many seats play."""
        return self.options.num_players

    @property
    def current_seat(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        seat = int(self._batch.seats[0])
        return None if seat < 0 else seat

    @property
    def decision(self) -> str | None:
        """The name of the pending decision; None when the game is over."""
        return self._batch.decision()

    @property
    def round(self) -> int:
        """The round, or year, from 1; 0 during the set-up."""
        return int(self.state[self.game_spec.clock.round])

    @property
    def year(self) -> int:
        """The round, in a game whose rounds are years."""
        return self.round

    @property
    def phase(self) -> str | None:
        """The season, or phase, of the round; None in games without."""
        clock = self.game_spec.clock
        return clock.phases[int(self.state[clock.phase])] if clock.phase else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or because it was cut off."""
        return bool(self.state.status != PLAYING)

    @property
    def is_truncated(self) -> bool:
        """Whether the game was cut off by its option, `max_years`."""
        return bool(self.state.status == TRUNCATED)

    @property
    def mask(self) -> np.ndarray:
        """The legal actions, (actions,) int8; a copy."""
        return self._batch.masks[0].copy()

    def legal_actions(self) -> list[str]:
        """The names of the legal actions, in the order of their numbers; empty when the game is over."""
        return self.game_spec.actions.legal(self._batch.masks[0])

    def observation(self, seat: int | None = None, open_hands: bool = False) -> np.ndarray:
        """What a seat sees (by default the one that decides), laid out as `vitienv.OBSERVATION` says. open_hands: it
        sees what all seats hold."""
        viewer = self._seat_or_actor(seat)
        if open_hands:
            return self._batch.observe_rows(np.zeros(1, np.int64), np.array([viewer]), open_hands=True)[0]
        return self._batch.observe(np.array([viewer], np.int8), np.zeros_like(self._batch.obs))[0]

    @property
    def scores(self) -> list[int]:
        """Points by seat: victory points, or lira."""
        return [int(points) for points in self._batch.standing()[0][0, : self.num_players]]

    @property
    def ranks(self) -> list[int]:
        """A rank for each seat after tie-breakers, 1 is first, ties share a rank; alone, the Automa is the other."""
        return [int(rank) for rank in self._batch.standing()[1][0, : self.num_players]]

    @property
    def outcome(self) -> str | None:
        """How a game against no other player ended: "win", "draw" or "loss"; None while it goes on, and in others."""
        if not self.is_over or self.is_truncated or self.game_spec.outcome is None:
            return None
        return self.game_spec.call("outcome")(self)

    @property
    def influence(self) -> int | None:
        """The place of the token that all seats move together; None in games without one."""
        found = self.game_spec.token_of(self.state)
        return None if found is None else found[0]

    @property
    def influence_goal(self) -> int | None:
        """The token's goal, the end of its track; None in games without one."""
        found = self.game_spec.token_of(self.state)
        return None if found is None else found[1]

    @property
    def automa_score(self) -> int | None:
        """The points of the marker that a single player plays against; None in games without one."""
        return self.game_spec.call("rival_score")(self) if self.game_spec.rival_score else None

    @property
    def rewards(self) -> list[float]:
        """The rewards of a game that is over by the rules, by seat; zeros otherwise."""
        return [float(reward) for reward in self._batch.rewards[0, : self.num_players]]

    # For players who read and write text.

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat (by default the one that decides) may know, as plain JSON: the keys of `to_dict` without chance,
        draws to come and pending decisions; of other hands the cards that it has seen. Beside them "viewer", the
        "decision" and, by deck, how many "cards" each seat holds (Toscana: "tiles" and "has_chosen")."""
        viewer = self._seat_or_actor(seat)
        known = import_module(self.game_spec.positions).told(self, viewer)
        return {"game": canonical_name(self.game_spec), "viewer": viewer, "decision": self.decision, **known}

    def describe(self, seat: int | None = None) -> str:
        """What a seat may know, in sentences, with the question if the seat decides. Seats count from one, as for
        people."""
        return _text_interface().describe(self, self._seat_or_actor(seat))

    def describe_actions(self) -> list[ActionDescription]:
        """The legal actions: for each its number, its name, and a sentence that no other has."""
        return _text_interface().describe_actions(self)

    def parse_action(self, text: str) -> str:
        """The name of the legal action that an answer in words names: by number, name, sentence or whole line, in its
        last line or in <action>...</action>. IllegalAction says why it names none; nothing is guessed."""
        return _text_interface().parse_action(self, text)

    # Playing.

    @exclusive
    def step(self, action: str | int) -> Game:
        """Carry out an action, given by name or number, and run to the next decision. Returns the game itself.

        Raises IllegalAction if it is unknown or not legal. After that, and after an interruption such as Ctrl-C, the
        game is as it was before, or as it is after the whole step. One thread at a time may step or copy a game;
        another one gets a RuntimeError.
        """
        number = self._number(action)
        batch, moves = self._batch, len(self._moves)
        before = batch.bytes_view.copy()
        try:
            batch.actions[0] = number
            batch.step(observe=False)
            self._moves.append(number)
        except BaseException:
            batch.bytes_view[:] = before
            batch.refresh(observe=False)
            del self._moves[moves:]
            raise
        return self

    def _number(self, action: str | int) -> int:
        if self.is_over:
            raise IllegalAction(f"the game is over; {action!r} cannot be played")
        layout = self.game_spec.actions
        try:
            if not isinstance(action, str) and not is_int(action):
                raise ValueError(f"an action is a name or a whole number, not {action!r}")
            number = layout.number(action) if isinstance(action, str) else int(action)
            layout.name(number)  # refused if there is none
        except ValueError as error:
            legal = ", ".join(self.legal_actions())
            raise IllegalAction(f"{error} (decision {self.decision!r}; legal: {legal})") from None
        if not self._batch.masks[0, number]:
            raise self._batch.illegal(0, number, f"seat {self.current_seat}")
        return number

    def _seat_or_actor(self, seat: int | None) -> int:
        if seat is None:
            return 0 if self.current_seat is None else self.current_seat
        if not is_int(seat) or seat not in range(self.num_players):
            raise ValueError(f"seat must be an integer from 0 to {self.num_players - 1}, got {seat!r}")
        return int(seat)

    # Copies.

    @exclusive
    def copy(self) -> Game:
        """An independent copy, chance included."""
        other = Game(self._batch.copy(), self._seed, self._start)
        other._moves = self._moves.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> Game:
        return self.copy()

    @exclusive
    def __getstate__(self) -> dict[str, Any]:
        return {"records": self._batch.games.tobytes(), "options": self.options, "seed": self._seed,
                "start": self._start, "moves": list(self._moves)}  # fmt: skip

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        batch = Batch(1, state["options"])
        batch.bytes_view[:] = np.frombuffer(state["records"], np.int8)
        batch.refresh(observe=False)
        self.__init__(batch, state["seed"], state["start"])  # type: ignore[misc]
        self._moves = list(state["moves"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.options == other.options and self.state == other.state

    __hash__ = None  # type: ignore[assignment]

    @exclusive
    def determinize(self, seat: int, seed: int) -> Game:
        """A copy with all that `seat` cannot see dealt anew, consistent with what it can.

        If another seat is deciding, deals under which it could not decide are passed over. The copy's log does
        not lead to it, so it has none.
        """
        viewer = np.array([self._seat_or_actor(seat)], np.int8)
        sequence = np.random.SeedSequence(checked_seed(seed))
        for key in sequence.generate_state(2 * DEALS_TRIED, np.uint32).reshape(DEALS_TRIED, 1, 2):
            other = Game(self._batch.copy(), None, {})
            other._batch.determinize(viewer, key)
            pending = other.state.frames.copy()
            other._batch.refresh(observe=False)
            if other.is_over or (other._batch.masks.any() and np.array_equal(pending, other.state.frames)):
                return other
        raise RuntimeError(
            f"no deal found in {DEALS_TRIED} under which seat {self.current_seat} can decide {self.decision!r}"
        )

    @exclusive
    def batch(self, n: int, num_threads: int = 1) -> GameVec:
        """n exact copies of the game, side by side, hidden cards and chance included: `determinize` deals them anew.

        Games that end are followed by new ones from the set-up, as with `vitienv.make_vec`. ValueError if the game is
        over, and as of `make_vec`.
        """
        if self.is_over:
            raise ValueError("the game must not be over")
        vectors = import_module("vitienv.envs.vector")  # which imports this module
        vec: GameVec = vectors.GameVec(n, num_threads, canonical_name(self.game_spec), **self.options.to_dict())
        vec.fill(self._batch.bytes_view)
        return vec

    # Positions and replays.

    def to_dict(self) -> dict[str, Any]:
        """The position as plain JSON; its keys are on the documentation's page on positions."""
        return {"game": canonical_name(self.game_spec), **import_module(self.game_spec.positions).to_dict(self)}

    @classmethod
    def from_dict(cls, position: Mapping[str, Any]) -> Game:
        """The game of a position. ValueError says what contradicts itself or is unknown."""
        if not isinstance(position, Mapping):
            raise ValueError(f"a position must be a mapping, not {position!r}")
        found = game_spec(game_from_untrusted_file(position))
        own = {key: value for key, value in position.items() if key != "game"}
        return cls(import_module(found.positions).from_dict(own, found), None, plain(position))

    @property
    def log(self) -> dict[str, Any]:
        """The moves so far with all that leads to them, as plain JSON; `vitienv.replay(log)` gives the same game again.

        ValueError for a game whose hidden cards were dealt anew: nothing leads to it.
        """
        if self._start is not None and not self._start:
            raise ValueError("a game with its hidden cards dealt anew has no log")
        return {
            "format": FORMAT,
            "vitienv": __version__,
            "game": canonical_name(self.game_spec),
            "options": self.options.to_dict(),
            **({"data": self.game_spec.data} if self.game_spec.data else {}),
            "seed": self._seed,
            "position": self._start,
            "moves": self.moves,
            "state": self.game_spec.digest(self.state),
            "scores": self.scores,
            "is_over": self.is_over,
        }

    @property
    def moves(self) -> list[str]:
        """The names of the actions so far."""
        return [self.game_spec.actions.name(number) for number in self._moves]

    # Looking at it.

    def svg(
        self, viewer: int | None = None, names: list[str] | None = None, columns: int = 4, theme: str = "auto"
    ) -> str:
        """The game as a drawing, SVG.

        viewer: the seat that looks, who sees no other hand; None sees everything. names: of the seats. columns: of
        panels, 4 for 1,280 x 800, 3, 2 or 1 for pages that scroll. theme: "light", "dark" or "auto", as the reader's
        page. ValueError if the game has no drawing, or for what there is not.
        """
        if self.game_spec.drawing is None:
            raise ValueError(f"{self.game_spec.title} has no drawing")
        seat = None if viewer is None else self._seat_or_actor(viewer)
        if names is not None and len(names) != self.num_players:
            raise ValueError(f"names must be one for each of {self.num_players} seats, got {names!r}")
        return self.game_spec.call("drawing")(self, seat, names, columns, theme)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows, all hands open; None, so that it shows the words, for a game without a drawing."""
        return self.svg() if self.game_spec.drawing is not None else None

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"seat {self.current_seat} to {self.decision}"
        players = "1 player" if self.num_players == 1 else f"{self.num_players} players"
        when = f"{self.game_spec.clock.word} {self.round}"
        return f"<Game {self.options.ruleset}, {players}, {when}, {state}, scores {self.scores}>"


def _text_interface() -> Any:
    from vitienv.session import text_interface

    return text_interface


def plain(value: Any) -> Any:
    """A deep copy as plain JSON, kept as the start of the game's log."""
    if isinstance(value, Mapping):
        return {str(key): plain(x) for key, x in value.items()}
    if isinstance(value, list | tuple):
        return [plain(x) for x in value]
    return value.item() if isinstance(value, np.generic) else value
