"""Games of one learner among bots: one seat of each game is the learner's, bots play the others in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.error import ResetNeeded

from vitienv.core.batch import OVER, TRUNCATED, Batch
from vitienv.core.errors import IllegalAction
from vitienv.core.kernel import LEAVE
from vitienv.envs import common
from vitienv.games import DEFAULT, definition, known_as

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.core.definition import Definition

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
        opponents: Sequence[str | Agent],
        learner_seat: int | str,
        game: str = DEFAULT,
        illegal_action: str = RAISE,
        **options: Any,
    ) -> None:
        """opponents: bots or their specs, one for all other seats or one for each, clockwise from the learner. In the
        solo game none, or one in the Automa's place, by default as a rival.

        learner_seat: a seat, "random" for a seat that depends on the game's own chance, or "all" in a game that all
        seats win or lose together, with no opponents. illegal_action: what the
        learner's illegal action does: "raise" an IllegalAction, "lose" the game at once with the lowest reward (under
        `reward="margin"`, which has none, with the margin as it stands, and -1 at most) and the last rank, or "random":
        a legal one is drawn instead. Raises ValueError or TypeError for a wrong option.
        """
        if illegal_action not in (RAISE, LOSE, DRAW):
            raise ValueError(f"illegal_action is {illegal_action!r}; it must be 'lose', 'random' or 'raise'")
        self.illegal_action = illegal_action
        listed = _listed(opponents)
        made = definition(game)
        try:
            if listed and options.get("num_players") == 1:
                made.options.of(**options)  # refuses one player itself, unless the game may be of one seat
                _checked_opponents(listed, 0)
            self.options = made.options.of(**made.options.among(len(listed), **options))
        except TypeError as error:
            raise TypeError(f"{error}; and of one learner {', '.join(OWN_OPTIONS)}") from None
        self.definition = self.options.definition
        n = self.options.num_players
        self.learner_seat = _checked_seat(learner_seat, n, self.definition)
        others = 0 if self.learner_seat == ALL_SEATS else n - 1
        self.opponents = _checked_opponents(listed, others)
        self._agents, self._agent_of = _made(self.opponents, others, self.definition)
        self.batch = Batch(num_games, self.options)
        self.seats = np.zeros(num_games, np.int8)
        self.rewards = np.zeros(num_games, np.float32)
        self.terminated = np.zeros(num_games, np.bool_)
        self.truncated = np.zeros(num_games, np.bool_)
        self.illegal = np.zeros(num_games, np.bool_)
        self.has_started = False

    @property
    def token_word(self) -> str:
        """What infos call the team's token at the end of a game."""
        return common.token_word(self.definition)

    def start(self, seed: int | Sequence[int | None] | None) -> None:
        """New games in the whole batch; see `Batch.start_anew`."""
        self.batch.start_anew(seed, is_first=not self.has_started)
        self.has_started = True
        for results in (self.rewards, self.terminated, self.truncated, self.illegal):
            results[:] = 0
        self._seat(np.arange(len(self.batch)))
        self._settle()

    def play(self, actions: Any, renew: bool = False) -> None:
        """The learner's action in every game, then the bots'. Where an illegal one raises, no game has moved.

        renew: games that are over start anew instead, whatever their action is; otherwise they are an error.
        """
        batch = self.batch
        if not self.has_started:
            raise ResetNeeded("call reset() before step()")
        fresh = batch.seats < 0
        if fresh.any() and not renew:
            raise ResetNeeded("the game is over; call reset()")
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
        token = self.definition.token
        return None if token is None else self.batch.games[token.field][rows].astype(np.int16)

    def renew(self, rows: np.ndarray) -> None:
        """Start the games `rows`, which are over, anew."""
        self.batch.restart_rows(rows)
        self._seat(rows)
        self._settle()

    def _settle(self) -> None:
        """Let the bots play; a game that ends before the learner has acted in it starts anew."""
        self._bots_play()
        while (rows := self.ended()).size:
            self.batch.restart_rows(rows)
            self._seat(rows)
            self._bots_play()

    def _seat(self, rows: np.ndarray) -> None:
        """Give the learner its seat in new games."""
        if self.learner_seat == ALL_SEATS:
            self.seats[rows] = self.batch.seats[rows]
        elif self.learner_seat == RANDOM_SEAT:
            self.seats[rows] = (self.batch.keys[rows, 0] >> 8) % self.options.num_players
        else:
            self.seats[rows] = self.learner_seat

    def _bots_play(self) -> None:
        """Step games by their bots until each is over or waits for the learner."""
        batch, n = self.batch, self.options.num_players
        if self.learner_seat == ALL_SEATS:
            np.copyto(self.seats, batch.seats, where=batch.seats >= 0)
            return
        while True:
            rows = np.flatnonzero((batch.seats >= 0) & (batch.seats != self.seats))
            if not rows.size:
                return
            moves = np.empty(len(rows), np.int64)
            agent_of = self._agent_of[(batch.seats[rows] - self.seats[rows]) % n - 1]
            for number, agent in enumerate(self._agents):
                own = agent_of == number
                if own.any():
                    moves[own] = self._asked(agent, rows[own])
            batch.step_rows(rows, moves)

    def _asked(self, agent: Agent, rows: np.ndarray) -> np.ndarray:
        """What a bot does in the games `rows`, (m,) legal actions."""
        from vitienv.agents.asking import ask

        return ask(agent, self.batch, rows, lambda i: f"agent {agent.name!r} in game {i}")

    def _checked(self, actions: Any, playing: np.ndarray) -> np.ndarray:
        """The actions to step by, (games,), and `illegal`. playing: the games whose action counts, (games,) bool."""
        actions = np.asarray(actions)
        if actions.shape != (len(self.batch),) or actions.dtype.kind not in "iu":
            raise IllegalAction(
                f"actions must be {len(self.batch)} whole numbers, one for each game, not {actions.dtype} of shape "
                f"{actions.shape}"
            )
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
        """The bot that plays in place of an illegal action."""
        from vitienv.agents.seating import make_bot

        return make_bot("random", 0, self.definition)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "num_games": len(self.batch),
            "opponents": self.opponents,
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
            state["opponents"],
            state["learner_seat"],
            known_as(state["options"].definition),
            state["illegal_action"],
            **state["options"].to_dict(),
        )
        self.batch.restore(state["games"])
        self.seats[:] = state["seats"]
        own_results = (self.rewards, self.terminated, self.truncated, self.illegal)
        for own, saved in zip(own_results, state["results"], strict=True):
            own[:] = saved
        self.has_started = state["has_started"]


def _checked_seat(seat: object, num_players: int, made: Definition) -> int | str:
    words = (RANDOM_SEAT, ALL_SEATS) if made.is_of_team else (RANDOM_SEAT,)
    if isinstance(seat, str) and seat in words:
        return seat
    if not isinstance(seat, int | np.integer) or isinstance(seat, bool) or not 0 <= seat < num_players:
        right = f"{', '.join(map(repr, words))} or a number from 0 to {num_players - 1}"
        raise ValueError(f"the learner's seat is {seat!r}; it must be {right}")
    return int(seat)


def _listed(opponents: Any) -> tuple[Any, ...]:
    return (opponents,) if isinstance(opponents, str) or hasattr(opponents, "act") else tuple(opponents)


def _checked_opponents(listed: tuple[Any, ...], needed: int) -> tuple[Any, ...]:
    if len(listed) not in ((1, needed) if needed else (0,)):
        none = "this game has no other seats: give opponents=[]"
        right = f"give one for all other seats, or {needed}" if needed else none
        raise ValueError(f"there are {len(listed)} opponents; {right}")
    wrong = [x for x in listed if not isinstance(x, str) and not callable(getattr(x, "act", None))]
    if wrong:
        raise ValueError(f"an opponent is a spec such as 'heuristic' or an agent with a method `act`, not {wrong[0]!r}")
    return listed


def _made(opponents: tuple[Any, ...], needed: int, made: Definition) -> tuple[list[Agent], np.ndarray]:
    """The distinct agents, and which of them plays each other seat, (needed,)."""
    from vitienv.agents.protocol import check_game
    from vitienv.agents.seating import make_bot

    known: dict[Any, int] = {}
    agents: list[Agent] = []
    for opponent in opponents:
        key = opponent if isinstance(opponent, str) else id(opponent)
        if key not in known:
            known[key] = number = len(agents)
            # A fixed seed: a bot's choices depend on what it sees, so a game depends on the game's own chance only.
            agents.append(make_bot(opponent, 0, made, number) if isinstance(opponent, str) else opponent)
            check_game(agents[-1], made)
    numbers = [known[x if isinstance(x, str) else id(x)] for x in opponents]
    return agents, np.array(numbers if len(numbers) == needed else numbers * needed, np.int64)
