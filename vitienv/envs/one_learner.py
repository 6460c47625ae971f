"""Games of one learner among bots: one seat of each game is the learner's, bots play the others in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from gymnasium.error import ResetNeeded

from vitienv.core.batch import OVER, TRUNCATED, Batch, integers
from vitienv.core.errors import IllegalAction
from vitienv.core.kernel import LEAVE
from vitienv.core.targets.parallel import exclusive
from vitienv.envs import common
from vitienv.envs.opponents import NO_OTHERS, Opponents, pool_of
from vitienv.registry import DEFAULT, canonical_name, game_spec

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.core.game_spec import GameSpec

    OpponentOption: TypeAlias = str | Agent | Sequence[str | Agent] | Mapping[Any, float]

RANDOM_SEAT, ALL_SEATS = "random", "all"
RAISE, LOSE, DRAW = "raise", "lose", "random"  # what an illegal action of the learner does
OWN_OPTIONS = ("opponents", "learner_seat", "game", "illegal_action")


class LearnerGames:
    """A batch of games in which bots have played until the learner is to act, or the game is over.

    batch: the games; `obs`, `masks` of a running game are the learner's.
    seats: (n,) int8, the learner's seat in each game; where it has all, the one that decides, or decided last.
    rewards (n,) float32, terminated, truncated, illegal (n,) bool: of the last `play`.
    """

    def __init__(
        self,
        num_games: int,
        opponents: OpponentOption,
        learner_seat: int | str,
        game: str = DEFAULT,
        illegal_action: str = RAISE,
        **options: Any,
    ) -> None:
        """opponents: bots or their specs, one for all other seats or a list with one for each, clockwise from the
        learner; or a pool, a mapping from such (a tuple for a list) to their shares of the games, from which each game
        draws by its own chance. In the solo game none, or one in the Automa's place, by default as a rival.

        learner_seat: a seat, "random" for a seat that depends on the game's own chance, or "all" in a game that all
        seats win or lose together, with no opponents. illegal_action: what the
        learner's illegal action does: "raise" an IllegalAction, "lose" the game at once with the lowest reward (under
        `reward="margin"`, which has none, with the margin as it stands, and -1 at most) and the last rank, or "random":
        a legal one is drawn instead. Raises ValueError or TypeError for a wrong option.
        """
        if illegal_action not in (RAISE, LOSE, DRAW):
            raise ValueError(f"illegal_action is {illegal_action!r}; it must be 'lose', 'random' or 'raise'")
        self.illegal_action = illegal_action
        num_opponents = len(pool_of(opponents)[0][0])
        made = game_spec(game)
        try:
            if num_opponents and options.get("num_players") == 1:
                made.options.of(**options)  # refuses one player itself, unless the game may be of one seat
                raise ValueError(f"there are {num_opponents} opponents; {NO_OTHERS}")
            self.options = made.options.of(**made.options.among(num_opponents, **options))
        except TypeError as error:
            raise TypeError(f"{error}; and of one learner {', '.join(OWN_OPTIONS)}") from None
        self.game_spec = self.options.game_spec
        n = self.options.num_players
        self.learner_seat = _checked_seat(learner_seat, n, self.game_spec)
        others = 0 if self.learner_seat == ALL_SEATS else n - 1
        self.batch = Batch(num_games, self.options)
        self._lock = self.batch.lock
        num_games = len(self.batch)
        self._opponents = Opponents(opponents, num_games, others, self.game_spec)
        self.seats = np.zeros(num_games, np.int8)
        self.rewards = np.zeros(num_games, np.float32)
        self.terminated = np.zeros(num_games, np.bool_)
        self.truncated = np.zeros(num_games, np.bool_)
        self.illegal = np.zeros(num_games, np.bool_)
        self.has_started = False

    @property
    def token_word(self) -> str:
        """What infos call the team's token at the end of a game."""
        return common.token_word(self.game_spec)

    @property
    def opponents(self) -> OpponentOption:
        """The opponents of the games that start from now on."""
        return self._opponents.option

    @exclusive
    def set_opponents(self, opponents: OpponentOption) -> None:
        """Change the opponents of the games that start from now on; games that have started keep theirs.

        opponents: as of the constructor. ValueError for a wrong option, which changes nothing.
        """
        self._opponents.set(opponents)

    @exclusive
    def start(self, seed: int | Sequence[int | None] | None, rows: np.ndarray | None = None) -> None:
        """New games in the places `rows` (m,), or in the whole batch; see `Batch.start_anew`."""
        if rows is not None and not self.has_started:
            raise ResetNeeded("reset all games before some of them")
        self.batch.start_anew(seed, is_first=not self.has_started, rows=rows)
        self.has_started = True
        rows = np.arange(len(self.batch)) if rows is None else rows
        for results in (self.rewards, self.terminated, self.truncated, self.illegal):
            results[rows] = 0
        self._seat(rows)
        self._settle(rows)

    @exclusive
    def play(self, actions: Any, renew: bool = False) -> None:
        """The learner's action in every game, then the bots'. Where an illegal one raises, no game has moved.

        renew: games that are over start anew instead, whatever their action is; otherwise they are an error.
        """
        batch = self.batch
        if not self.has_started:
            raise ResetNeeded("call reset() before step()")
        fresh = batch.seats < 0
        if fresh.any() and not renew:
            which = f"game {fresh.argmax()}" if len(fresh) > 1 else "the game"
            raise ResetNeeded(f"{which} is over; call reset()")
        chosen = self._checked(actions, ~fresh)
        if fresh.any():
            self.renew(np.flatnonzero(fresh))
        batch.actions[:] = np.where(fresh, LEAVE, chosen)
        batch.step()
        if self.illegal_action == LOSE and self.illegal.any():
            lost = np.flatnonzero(self.illegal)
            batch.forfeit_rows(lost, self.seats[lost])
        self._bots_play()
        over = (batch.ended == OVER) & ~fresh  # a fresh game's is still that of the one before
        np.copyto(self.terminated, over)
        np.copyto(self.truncated, (batch.ended == TRUNCATED) & ~fresh)
        self.rewards[:] = np.where(over, batch.rewards[np.arange(len(batch)), self.seats], 0)

    def ended(self) -> np.ndarray:
        """The indices of the games that are over."""
        return np.flatnonzero(self.batch.seats < 0)

    def last_observations(self, rows: np.ndarray) -> np.ndarray:
        """What the learner sees in the games `rows`, over or not: a new array (m, observed numbers)."""
        return self.batch.observe_rows(rows, self.seats[rows])

    def final_scores(self, rows: np.ndarray) -> np.ndarray:
        """Victory points by seat in games that are over, a new array (m, seats)."""
        return self.batch.scores[rows, : self.options.num_players]

    def final_ranks(self, rows: np.ndarray) -> np.ndarray:
        """Ranks by seat in games that are over, 1 is first: a new array (m, seats)."""
        return self.batch.ranks[rows, : self.options.num_players]

    def final_token(self, rows: np.ndarray) -> np.ndarray | None:
        """The place of the team's token in the games `rows`, a new array (m,); None in a game without one."""
        token = self.game_spec.token
        return None if token is None else self.batch.games[token.field][rows].astype(np.int16)

    @exclusive
    def renew(self, rows: np.ndarray) -> None:
        """Start the games `rows`, which are over, anew."""
        self.batch.restart_rows(rows)
        self._seat(rows)
        self._settle(rows)

    def _settle(self, rows: np.ndarray) -> None:
        """Let the bots play in the games `rows`; one that ends before the learner has acted in it starts anew."""
        self._bots_play()
        while (rows := rows[self.batch.seats[rows] < 0]).size:
            self.batch.restart_rows(rows)
            self._seat(rows)
            self._bots_play()

    def _seat(self, rows: np.ndarray) -> None:
        self._opponents.seat(rows, self.batch.keys[rows])
        if self.learner_seat == ALL_SEATS:
            self.seats[rows] = self.batch.seats[rows]
        elif self.learner_seat == RANDOM_SEAT:
            self.seats[rows] = (self.batch.keys[rows, 0] >> 8) % self.options.num_players
        else:
            self.seats[rows] = self.learner_seat

    def _bots_play(self) -> None:
        batch, n = self.batch, self.options.num_players
        if self.learner_seat == ALL_SEATS:
            np.copyto(self.seats, batch.seats, where=batch.seats >= 0)
            return
        while True:
            rows = np.flatnonzero((batch.seats >= 0) & (batch.seats != self.seats))
            if not rows.size:
                return
            moves = np.empty(len(rows), np.int64)
            agent_of = self._opponents.seated[rows, (batch.seats[rows] - self.seats[rows]) % n - 1]
            for number, agent in enumerate(self._opponents.agents):
                own = agent_of == number
                if own.any():
                    moves[own] = self._asked(agent, rows[own])
            batch.step_rows(rows, moves)

    def _asked(self, agent: Agent, rows: np.ndarray) -> np.ndarray:
        """What a bot does in the games `rows`, (m,) legal actions."""
        from vitienv.agents.query import query_agent

        return query_agent(agent, self.batch, rows, lambda i: f"agent {agent.name!r} in game {i}")

    def _checked(self, actions: Any, playing: np.ndarray) -> np.ndarray:
        """The actions to step by, (games,), and `illegal`. playing: the games whose action counts, (games,) bool."""
        try:
            actions = np.array(integers("actions", actions, len(self.batch)))  # a copy, which nobody else writes
        except ValueError as error:
            raise IllegalAction(str(error)) from None
        if self.illegal_action == RAISE:
            rows = np.flatnonzero(playing)
            self.batch.check(actions[rows], rows, who=lambda i: f"learner in game {i}")
            return actions
        np.logical_and(~self.batch.are_legal(actions), playing, out=self.illegal)
        if not self.illegal.any():
            return actions
        rows = np.flatnonzero(self.illegal)
        actions = actions.astype(np.int64)
        actions[rows] = LEAVE if self.illegal_action == LOSE else self._drawn(rows)
        return actions

    def _drawn(self, rows: np.ndarray) -> np.ndarray:
        """A random legal action in each of the games `rows`; it depends on what the learner sees there."""
        return self._drawing.act(self.batch.obs[rows], self.batch.masks[rows])

    @cached_property
    def _drawing(self) -> Agent:
        from vitienv.agents.seeding import make_bot

        return make_bot("random", 0, self.game_spec)

    @exclusive
    def __getstate__(self) -> dict[str, Any]:
        return {
            "num_games": len(self.batch),
            "opponents": self._opponents.state(),
            "learner_seat": self.learner_seat,
            "illegal_action": self.illegal_action,
            "options": self.options,
            "games": self.batch.saved(),
            "seats": self.seats.copy(),
            "results": (self.rewards.copy(), self.terminated.copy(), self.truncated.copy(), self.illegal.copy()),
            "has_started": self.has_started,
        }

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__init__(  # type: ignore[misc]
            state["num_games"],
            state["opponents"]["option"],
            state["learner_seat"],
            canonical_name(state["options"].game_spec),
            state["illegal_action"],
            **state["options"].to_dict(),
        )
        self._opponents.restore(state["opponents"])
        self.batch.restore(state["games"])
        self.seats[:] = state["seats"]
        own_results = (self.rewards, self.terminated, self.truncated, self.illegal)
        for own, saved in zip(own_results, state["results"], strict=True):
            own[:] = saved
        self.has_started = state["has_started"]


class LearnerInterface:
    """What the environments of one learner share. games: set by the environment."""

    games: LearnerGames

    @property
    def _lock(self) -> RLock:  # type: ignore[valid-type]
        return self.games.batch.lock

    @property
    def opponents(self) -> OpponentOption:
        """The opponents of the games that start from now on; `set_opponents` changes them."""
        return self.games.opponents

    @property
    def learner_seat(self) -> int | str:
        """The learner's seat: a number, "random" or "all"."""
        return self.games.learner_seat

    @property
    def illegal_action(self) -> str:
        """What an illegal action of the learner does: "raise", "lose" or "random"."""
        return self.games.illegal_action

    @property
    def num_players(self) -> int:
        """The number of seats."""
        return self.games.options.num_players

    def set_opponents(self, opponents: OpponentOption) -> None:
        """Change the opponents of the games that start from now on; games that have started keep theirs.

        opponents: as of the constructor. ValueError for a wrong option, which changes nothing.
        """
        self.games.set_opponents(opponents)


def _checked_seat(seat: object, num_players: int, made: GameSpec) -> int | str:
    words = (RANDOM_SEAT, ALL_SEATS) if made.is_of_team else (RANDOM_SEAT,)
    if isinstance(seat, str) and seat in words:
        return seat
    if not isinstance(seat, int | np.integer) or isinstance(seat, bool) or not 0 <= seat < num_players:
        right = f"{', '.join(map(repr, words))} or a number from 0 to {num_players - 1}"
        raise ValueError(f"the learner's seat is {seat!r}; it must be {right}")
    return int(seat)
