"""Session of people and bots at one game, independent of the user interface."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from vitienv.registry import canonical_name
from vitienv.render.text import Choice, Picks, choices, round_name, seat_name
from vitienv.session.replay import PERSON, Candidates, display_names, position_after, read_candidates, with_candidates

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.game import Game

MAX_UNDONE = 30  # consecutive choices


class MoveDescription(NamedTuple):
    """A past move.

    date: such as "Year 3, summer". is_choice: whether a person had other actions; false for all picks of a set but the
    first. lines: description for each person, by seat.
    """

    seat: int
    round: int
    date: str
    is_choice: bool
    lines: dict[int, list[str]]


class GameSession:
    """A game of people and bots with its story, its log and undo.

    game: the game, which may have moves. seats: `PERSON` or a bot spec, by seat. log: log of a continued game, with its
    candidates and its number of undone choices. bots: agents of the bots by seat, by default created when they move.
    Raises ValueError if the candidates are damaged.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        log: Mapping[str, Any] | None = None,
        bots: Mapping[int, Agent] | None = None,
    ) -> None:
        from vitienv.agents.search_progress import SearchProgress

        self.seats, self.agents = list(seats), dict(bots or {})
        self.people = [seat for seat, spec in enumerate(seats) if spec == PERSON]
        specs = [self.agents[seat].name if seat in self.agents else spec for seat, spec in enumerate(seats)]
        self.names = display_names(specs)
        self.text_module = game.game_spec.text_module
        self.search_progress = SearchProgress()
        self.version = 0  # number of changes
        self.story: list[MoveDescription] = []
        self.candidates: list[Candidates] = []
        self._past: deque[Game] = deque(maxlen=MAX_UNDONE)  # before each choice since the last move of a bot
        self.game = position_after(game.log, 0) if game._moves else game
        for action in game._moves:
            self._play([action])
        num_undone = (log or {}).get("taken_back")
        self.num_undone = num_undone if isinstance(num_undone, int) else 0
        if log is not None:
            self.candidates = read_candidates(log)

    @property
    def log(self) -> dict[str, Any]:
        """Log of the game with agents and candidates."""
        seat = {"seat": self.people[0]} if len(self.people) == 1 else {}
        log = {**self.game.log, **seat, "agents": self.seats, "taken_back": self.num_undone}
        return with_candidates(log, self.candidates)

    @property
    def is_persons_turn(self) -> bool:
        """Whether the current player is a person."""
        return self.game.current_seat in self.people

    def play(self, action: int | str | Sequence[int]) -> None:
        """Play an action of the current player, or all picks of a set in any order, then forced actions of people.

        Raises IllegalAction or ValueError; the game is then unchanged.
        """
        self._play([action] if isinstance(action, int | str) else self._in_order(action))
        self.answer_forced()

    def _in_order(self, actions: Sequence[int]) -> list[int]:
        """Return the picks of a set in the order in which the engine takes them."""
        picks = self.picks
        if picks is None:
            raise ValueError(f"action must be an integer for {self.game.decision}, got {list(actions)!r}")
        allowed = Counter(self.game.game_spec.actions.number(choice.action) for choice in picks.choices)
        if len(actions) != picks.n or Counter(actions) - allowed:
            raise ValueError(f"action must be {picks.n} of the choices, got {list(actions)!r}")
        return sorted(actions)

    def _play(self, actions: Sequence[int | str], candidates: Candidates = None) -> None:
        games, is_persons_turn = [self.game], self.is_persons_turn
        for action in actions:
            games.append(games[-1].copy().step(action))
        is_choice = is_persons_turn and self.game.mask.sum() > 1
        for before, after in pairwise(games):
            self.story.append(self._describe_move(before, after, is_choice and before is games[0]))
            self.candidates.append(candidates)
            self.game = after
            self.version += 1
        if is_choice:
            self._past.append(games[0])
        elif not is_persons_turn:
            self._past.clear()

    def _describe_move(self, before: Game, after: Game, is_choice: bool) -> MoveDescription:
        assert before.current_seat is not None
        describe_move, action = self.text_module.describe_move, after.game_spec.actions.name(after._moves[-1])
        lines = {seat: describe_move(before, after, action, self.names, seat) for seat in self.people}
        return MoveDescription(before.current_seat, before.round, date_of(before), is_choice, lines)

    def answer_forced(self) -> None:
        """Take the only legal action for a person, who undoes it with the choice before it."""
        while self.is_persons_turn and self.game.mask.sum() == 1:
            self._play([int(self.game.mask.argmax())])

    def advance(self, at: int | None = None) -> bool:
        """Make the move of a bot if it is a bot's turn; return whether it was. Raises BotCrashed.

        at: number of moves after which the move was requested, as several pages may request it; None for any.
        """
        from vitienv.agents.candidates import DEFAULT_CANDIDATES, CandidateRecorder

        seat = self.game.current_seat
        if seat is None or seat in self.people or at not in (None, len(self.game._moves)):
            return False
        if seat not in self.agents:
            number = sum(spec != PERSON for spec in self.seats[:seat])  # the seed of `make_bots`
            self.agents[seat] = self._bot(self.seats[seat], number)
        bot = CandidateRecorder(self.agents[seat], DEFAULT_CANDIDATES)
        action = self._query(bot)
        self._play([action], bot.describe(0, self.game.game_spec.actions.name))
        self.answer_forced()
        return True

    def _bot(self, spec: str, number: int = 0) -> Agent:
        from vitienv.agents.seeding import make_bot

        return make_bot(spec, int(self.game.state.key[0]), canonical_name(self.game.game_spec), number)

    def _query(self, agent: Agent) -> int:
        import numpy as np

        from vitienv.agents.query import query_agent

        batch = self.game._batch
        batch.refresh()  # steps of a single game do not write observations
        with self.search_progress.track(agent):
            name = f"{agent.name} in {seat_name(self.game.current_seat)}"
            return int(query_agent(agent, batch, np.array([0]), lambda _: name)[0])

    def suggest(self, spec: str | None = None) -> tuple[str, int]:
        """Return the name and the action of a bot in the current player's place. Raises ValueError for an unknown bot.

        spec: bot; by default the heuristic bot.
        """
        agent = self._bot(spec or self.game.game_spec.heuristic_bot)
        return agent.name, self._query(agent)

    def undo(self) -> list[MoveDescription]:
        """Undo the last choice and return its moves. Raises ValueError if there is none or `can_undo` is false."""
        from vitienv.session.undo import CANNOT_UNDO

        choices = [i for i, move in enumerate(self.story) if move.is_choice]
        if not choices:
            raise ValueError("you have no choice to undo")
        if not self.can_undo():
            raise ValueError(CANNOT_UNDO)
        undone = self.story[choices[-1] :]
        self.game = self._past.pop()
        for entries in (self.story, self.candidates):
            del entries[len(self.game._moves) :]
        self.num_undone += 1
        self.version += 1
        return undone

    def can_undo(self) -> bool:
        """Return whether the last choice was made by the person to move and revealed nothing."""
        from vitienv.session.undo import reveals_nothing

        game = self.game
        if game.is_over or not self._past:
            return False
        before = self._past[-1]
        return before.current_seat == game.current_seat and reveals_nothing(before, game, self.people)

    @property
    def question(self) -> str:
        """Text of the pending decision."""
        return self.text_module.question(self.game, self.names)

    @property
    def choices(self) -> list[Choice]:
        """Descriptions of the legal actions."""
        return choices(self.game, self.names)

    @property
    def picks(self) -> Picks | None:
        """Choices of which several are selected together, or None."""
        return self.text_module.picks(self.game, self.names)


def date_of(game: Game) -> str:
    """Return round and phase, such as "Year 3, summer"."""
    phase = f", {game.phase.replace('_', ' ')}" if game.round and game.phase else ""
    return f"{round_name(game.game_spec.rounds.word, game.round)}{phase}".capitalize()
