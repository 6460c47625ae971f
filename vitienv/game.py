"""A single game with named actions, on the same engine as the batches."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core import positions
from vitienv.core.batch import PLAYING, TRUNCATED, Batch, check_seed, make_key
from vitienv.core.errors import IllegalAction
from vitienv.core.game_spec import GameSpec
from vitienv.core.options import Options, check_bool, is_int
from vitienv.core.targets.parallel import exclusive
from vitienv.registry import DEFAULT, canonical_name, game_from_untrusted_file, game_spec
from vitienv.version import __version__

if TYPE_CHECKING:
    from vitienv.envs.vector import GameVec
    from vitienv.session.text_interface import ActionDescription

FORMAT = 1  # version of the log format
MAX_DEALS = 200  # deals that `determinize` tries


class Game:
    """A game, by default of Viticulture. Create one with `Game.new` or `Game.from_dict`.

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
        """Start a game. Options are those of `vitienv.env`; seed None is a random seed.

        ValueError for an invalid option, TypeError for an unknown one.
        """
        parsed_options = game_spec(game).options.of(**options)
        seed = check_seed(seed)
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
        batch = Batch(1, parsed_options)
        batch.start(make_key(seed), observe=False)
        return cls(batch, seed)

    # State.

    @property
    def options(self) -> Options:
        """The options of the game."""
        return self._batch.options

    @property
    def game_spec(self) -> GameSpec:
        """The definition of the game: observation, actions, fields, options."""
        return self._batch.game_spec

    @property
    def state(self) -> np.record:
        """The state, a NumPy record of the fields of the spec; not a copy. Changes to it are not validated."""
        return self._batch.games[0]

    @property
    def num_players(self) -> int:
        """Number of seats."""
        return self.options.num_players

    @property
    def current_seat(self) -> int | None:
        """The seat to act; None when the game is over."""
        seat = int(self._batch.seats[0])
        return None if seat < 0 else seat

    @property
    def decision(self) -> str | None:
        """The name of the pending decision; None when the game is over."""
        return self._batch.decision()

    @property
    def round(self) -> int:
        """The round, or year, from 1; 0 during the set-up."""
        return int(self.state[self.game_spec.rounds.round])

    @property
    def year(self) -> int:
        """The round, in a game whose rounds are years."""
        return self.round

    @property
    def phase(self) -> str | None:
        """The season, or phase, of the round; None in games without phases."""
        clock = self.game_spec.rounds
        return clock.phases[int(self.state[clock.phase])] if clock.phase else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by truncation."""
        return bool(self.state.status != PLAYING)

    @property
    def is_truncated(self) -> bool:
        """Whether the game was truncated by the option `max_years`."""
        return bool(self.state.status == TRUNCATED)

    @property
    def mask(self) -> np.ndarray:
        """The mask of legal actions, (actions,) int8; a copy."""
        return self._batch.masks[0].copy()

    def legal_actions(self) -> list[str]:
        """Return the names of the legal actions in index order; empty when the game is over."""
        return self.game_spec.actions.legal(self._batch.masks[0])

    def observation(self, seat: int | None = None, open_hands: bool = False) -> np.ndarray:
        """Return the observation of a seat, by default the current one, (features,) as in `vitienv.OBSERVATION`.

        open_hands: include the hidden cards of all seats.
        """
        viewer = self._checked_seat(seat)
        check_bool("open_hands", open_hands)
        if open_hands:
            return self._batch.observe_rows(np.zeros(1, np.int64), np.array([viewer]), open_hands=True)[0]
        return self._batch.observe(np.array([viewer], np.int8), np.zeros_like(self._batch.obs))[0]

    @property
    def scores(self) -> list[int]:
        """Victory points, or lira, by seat."""
        return [int(points) for points in self._batch.standings()[0][0, : self.num_players]]

    @property
    def ranks(self) -> list[int]:
        """Rank by seat after tie-breakers; 1 is first, ties share a rank. A single player is ranked with the Automa."""
        return [int(rank) for rank in self._batch.standings()[1][0, : self.num_players]]

    @property
    def outcome(self) -> str | None:
        """Result of a solo or cooperative game: "win", "draw" or "loss"; None before its end and in other games."""
        if not self.is_over or self.is_truncated or self.game_spec.outcome is None:
            return None
        return self.game_spec.call("outcome")(self)

    @property
    def influence(self) -> int | None:
        """Position of the influence token that all seats share; None in games without one."""
        token = self.game_spec.token_of(self.state)
        return None if token is None else token[0]

    @property
    def influence_goal(self) -> int | None:
        """Goal of the influence token, the end of its track; None in games without one."""
        token = self.game_spec.token_of(self.state)
        return None if token is None else token[1]

    @property
    def automa_score(self) -> int | None:
        """Points of the Automa that a single player plays against; None in games without one."""
        return self.game_spec.call("rival_score")(self) if self.game_spec.rival_score else None

    @property
    def rewards(self) -> list[float]:
        """Rewards by seat when the game is over by the rules; zeros otherwise."""
        return [float(reward) for reward in self._batch.rewards[0, : self.num_players]]

    # Views and text.

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Return the information of a seat, by default the current one, as plain JSON.

        It has the keys of `to_dict` without the random state, deck order and pending decisions; other hands contain
        only the cards that the seat has seen. Added are "viewer", "decision" and "cards", the number of cards of each
        seat by deck (Toscana: "tiles" and "has_chosen").
        """
        viewer = self._checked_seat(seat)
        position = positions.to_dict(self.state, self.options, viewer)
        return {"game": canonical_name(self.game_spec), "viewer": viewer, "decision": self.decision, **position}

    def describe(self, seat: int | None = None) -> str:
        """Return the information of a seat as text, with its pending decision. Seats count from one in text."""
        return _text_interface().describe(self, self._checked_seat(seat))

    def describe_actions(self) -> list[ActionDescription]:
        """Return the legal actions, each with its index, its name and a unique sentence."""
        return _text_interface().describe_actions(self)

    def parse_action(self, text: str) -> str:
        """Return the name of the legal action in a text.

        text: an index, name, sentence or complete line of `describe_actions`, as the last line or in
        <action>...</action>. IllegalAction if it does not match exactly one legal action.
        """
        return _text_interface().parse_action(self, text)

    # Playing.

    @exclusive
    def step(self, action: str | int) -> Game:
        """Apply an action, a name or an index, and run to the next decision. Returns the game itself.

        IllegalAction if it is unknown or illegal; RuntimeError if another thread is stepping or copying the game. After
        an error or an interruption such as Ctrl-C, the step has been applied completely or not at all.
        """
        action_index = self._parse_action_index(action)
        batch, moves = self._batch, len(self._moves)
        state_before = batch.bytes_view.copy()
        try:
            batch.actions[0] = action_index
            batch.step(observe=False)
            self._moves.append(action_index)
        except BaseException:
            batch.bytes_view[:] = state_before
            batch.refresh(observe=False)
            del self._moves[moves:]
            raise
        return self

    def _parse_action_index(self, action: str | int) -> int:
        if self.is_over:
            raise IllegalAction(f"the game is over; {action!r} cannot be played")
        layout = self.game_spec.actions
        try:
            if not isinstance(action, str) and not is_int(action):
                raise ValueError(f"action must be a name or an integer, got {action!r}")
            action_index = layout.number(action) if isinstance(action, str) else int(action)
            layout.name(action_index)  # raises if it is out of range
        except ValueError as error:
            legal = ", ".join(self.legal_actions())
            raise IllegalAction(f"{error} (decision {self.decision!r}; legal: {legal})") from None
        if not self._batch.masks[0, action_index]:
            raise self._batch.illegal(0, action_index, f"seat {self.current_seat}")
        return action_index

    def _checked_seat(self, seat: int | None) -> int:
        if seat is None:
            return 0 if self.current_seat is None else self.current_seat
        if not is_int(seat) or seat not in range(self.num_players):
            raise ValueError(f"seat must be an integer from 0 to {self.num_players - 1}, got {seat!r}")
        return int(seat)

    # Copies.

    @exclusive
    def copy(self) -> Game:
        """Return an independent copy, including the random state."""
        game = Game(self._batch.copy(), self._seed, self._start)
        game._moves = self._moves.copy()
        return game

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> Game:
        return self.copy()

    @exclusive
    def __getstate__(self) -> dict[str, Any]:
        return {"records": self._batch.games.tobytes(), "options": self.options, "seed": self._seed,
                "start": self._start, "moves": list(self._moves)}  # fmt: skip

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        record = np.frombuffer(state["records"], np.int8)
        batch = Batch.from_bytes(record[None], state["options"], observe=False)
        self.__init__(batch, state["seed"], state["start"])  # type: ignore[misc]
        self._moves = list(state["moves"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.options == other.options and self.state == other.state

    __hash__ = None  # type: ignore[assignment]

    @exclusive
    def determinize(self, seat: int, seed: int) -> Game:
        """Return a copy with everything that `seat` cannot see redealt, consistent with what it can see.

        If another seat is to act, deals without its pending decision are rejected; RuntimeError after 200 of them. The
        copy has no log.
        """
        viewer = np.array([self._checked_seat(seat)], np.int8)
        sequence = np.random.SeedSequence(check_seed(seed))
        for key in sequence.generate_state(2 * MAX_DEALS, np.uint32).reshape(MAX_DEALS, 1, 2):
            game = Game(self._batch.copy(), None, {})
            game._batch.determinize(viewer, key)
            pending = game.state.frames.copy()
            game._batch.refresh(observe=False)
            if game.is_over or (game._batch.masks.any() and np.array_equal(pending, game.state.frames)):
                return game
        raise RuntimeError(f"none of {MAX_DEALS} deals leaves seat {self.current_seat} the decision {self.decision!r}")

    @exclusive
    def batch(self, n: int, num_threads: int = 1) -> GameVec:
        """Return a vector environment of n exact copies, including hidden cards and random state.

        Call its `determinize` to redeal them. Finished games are replaced by new ones, as in `vitienv.make_vec`.
        ValueError if the game is over or for an invalid argument of `make_vec`.
        """
        if self.is_over:
            raise ValueError("the game must not be over")
        vectors = import_module("vitienv.envs.vector")  # circular import
        vec: GameVec = vectors.GameVec(n, num_threads, canonical_name(self.game_spec), **self.options.to_dict())
        vec.fill(self._batch.bytes_view)
        return vec

    # Positions and replays.

    def to_dict(self) -> dict[str, Any]:
        """Return the position as plain JSON; the keys are documented in docs/positions.md."""
        return {"game": canonical_name(self.game_spec), **positions.to_dict(self.state, self.options)}

    @classmethod
    def from_dict(cls, position: Mapping[str, Any]) -> Game:
        """Create a game from a position of `to_dict`. ValueError if it is malformed or inconsistent."""
        if not isinstance(position, Mapping):
            raise ValueError(f"position must be a mapping, got {position!r}")
        spec = game_spec(game_from_untrusted_file(position))
        content = {key: value for key, value in position.items() if key != "game"}
        return cls(positions.from_dict(content, spec), None, plain(position))

    @property
    def log(self) -> dict[str, Any]:
        """The log as plain JSON: options, seed or position, and moves; `vitienv.replay(log)` restores the game.

        ValueError for a determinized game, which no log reproduces.
        """
        if self._start is not None and not self._start:
            raise ValueError("a determinized game has no log")
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
        """The names of the actions played so far."""
        return [self.game_spec.actions.name(number) for number in self._moves]

    # Rendering.

    def svg(
        self, viewer: int | None = None, names: list[str] | None = None, columns: int = 4, theme: str = "auto"
    ) -> str:
        """Render the game as SVG.

        viewer: seat whose view is drawn, other hands face down; None shows everything. names: display names of the
        seats. columns: columns of panels; 4 for 1,280 x 800 pixels, fewer for pages that scroll. theme: "light", "dark"
        or "auto" (that of the page). ValueError if the game has no drawing, or for an invalid argument.
        """
        if self.game_spec.drawing is None:
            raise ValueError(f"{self.game_spec.title} has no drawing")
        seat = None if viewer is None else self._checked_seat(viewer)
        if names is not None and len(names) != self.num_players:
            raise ValueError(f"names must be one for each of {self.num_players} seats, got {names!r}")
        return self.game_spec.call("drawing")(self, seat, names, columns, theme)

    def _repr_svg_(self) -> str | None:
        """Return the drawing with all hands open for notebooks; None, which shows the repr, for a game without one."""
        return self.svg() if self.game_spec.drawing is not None else None

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"seat {self.current_seat} to {self.decision}"
        players = "1 player" if self.num_players == 1 else f"{self.num_players} players"
        time = f"{self.game_spec.rounds.word} {self.round}"
        return f"<Game {self.options.ruleset}, {players}, {time}, {state}, scores {self.scores}>"


def _text_interface() -> Any:
    from vitienv.session import text_interface

    return text_interface


def plain(value: Any) -> Any:
    """Return a deep copy that contains only JSON types."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value
