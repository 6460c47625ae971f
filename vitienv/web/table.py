"""A table of people and bots, with a view of it for each person."""

from __future__ import annotations

import secrets
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from vitienv.game import Game
from vitienv.registry import DEFAULT, canonical_name, game_spec
from vitienv.render.text import round_name
from vitienv.session.replay import PERSON as LOG_PERSON
from vitienv.session.replay import Candidates, display_names, read_candidates, replay, with_candidates
from vitienv.session.undo import CANNOT_UNDO, reveals_nothing
from vitienv.web.errors import BadRequest
from vitienv.web.start_form import bots_of
from vitienv.web.table_view import table_view

if TYPE_CHECKING:
    from vitienv.agents import Agent

PERSON = "person"
MAX_MOVES = 20_000  # moves of a log
MAX_CONSIDERED = 6  # actions and following moves in an analysis
MAX_UNDONE = 30  # consecutive moves


def _campaigns(game: str) -> Any:
    """Return the campaign class of a game; ValueError if it has none."""
    spec = game_spec(game)
    if spec.campaign is None:
        raise ValueError(f"{spec.title} has no campaign")
    return import_module(spec.campaign).Campaign


class MoveDescription(NamedTuple):
    """A past move. date: such as "Year 3, summer". texts: description for each person, by seat."""

    seat: int
    date: str
    texts: dict[int, str]


class Table:
    """A game with its people and bots."""

    def __init__(
        self, game: Game, seats: Sequence[str], campaign: Any = None, considered: Sequence[Candidates] = ()
    ) -> None:
        """Seat people and bots at a game.

        Args:
            game: the game, which may have moves.
            seats: "person" or one of `bots_of`, by seat.
            campaign: campaign whose next game this is.
            considered: candidates of the bots before each move.

        Raises:
            BadRequest: if the seats are invalid.
        """
        from vitienv.agents.search_progress import SearchProgress

        occupants = [PERSON, *bots_of(game.game_spec)]
        if len(seats) != game.num_players:
            raise BadRequest(f"seats must have {game.num_players} entries, got {len(seats)}")
        for seat in seats:
            if seat not in occupants:
                raise BadRequest(f"unknown player {seat!r}; expected one of: {', '.join(occupants)}")
        if PERSON not in seats:
            raise BadRequest("at least one seat must be a person")
        self.game, self.seats, self.campaign = game, list(seats), campaign
        self.thinking = SearchProgress()
        self._agents: dict[str, Agent] = {}
        self.result: dict[str, Any] = {}  # cached, of the finished game
        self.reviews: dict[int, dict[str, Any]] = {}  # cached, of the finished game by viewer
        self._past: deque[Game] = deque(maxlen=MAX_UNDONE)
        self.story = self._story_of(game)
        self._considered = list(considered) or [None] * len(self.story)
        self.version = 0  # changes with the table, also across restarts
        self._answer_forced()

    @classmethod
    def new(cls, game: str, seats: Sequence[str], seed: int | None, options: Mapping[str, Any]) -> Table:
        """Start a new game; BadRequest for invalid arguments."""
        try:
            seed = secrets.randbits(32) if seed is None else seed
            return cls(Game.new(seed=seed, game=game, **options), seats)
        except (ValueError, TypeError) as error:
            raise BadRequest(str(error)) from None

    @classmethod
    def of_campaign(cls, game: str, seats: Sequence[str], seed: int | None, level: Mapping[str, Any]) -> Table:
        """Start a new campaign; level: its options. BadRequest for invalid arguments."""
        try:
            campaign = _campaigns(game)(seed=secrets.randbits(32) if seed is None else seed, **level)
            return cls(campaign.next_game(), seats, campaign)
        except (ValueError, TypeError) as error:
            raise BadRequest(str(error)) from None

    def next_of_campaign(self) -> Table:
        """Return the table of the next game; BadRequest if this game is not over or was the last."""
        if self.campaign is None:
            raise BadRequest("this game is not part of a campaign")
        try:
            after = self.campaign_after()
            return type(self)(after.next_game(), self.seats, after)
        except ValueError as error:
            raise BadRequest(str(error)) from None

    def campaign_after(self) -> Any:
        """Return the campaign with the result of this game; ValueError if it is not over."""
        after = type(self.campaign).from_dict(self.campaign.to_dict())
        after.record(self.game)
        return after

    @classmethod
    def from_dict(cls, games: Sequence[str], saved: Mapping[str, Any]) -> Table:
        """Restore a table from `to_dict`; games: as for `of_log`. BadRequest for damaged data."""
        seats, version = (saved.get("seats"), saved.get("version", 0)) if isinstance(saved, Mapping) else (None, None)
        if not isinstance(seats, list) or not isinstance(version, int) or "log" not in saved:
            raise BadRequest("damaged table: seats, log and version are required")
        table = cls.of_log(games, seats, saved["log"])
        table.version = version
        if "campaign" in saved:
            try:
                table.campaign = _campaigns(canonical_name(table.game.game_spec)).from_dict(saved["campaign"])
                table.campaign.check(table.game)
            except (ValueError, TypeError, KeyError) as error:
                raise BadRequest(f"damaged campaign: {error}") from None
        return table

    @classmethod
    def of_log(cls, games: Sequence[str], seats: Sequence[str], log: Any) -> Table:
        """Continue a game from its log; games: names of the accepted games. BadRequest for an invalid log."""
        moves, start = (log.get("moves"), log.get("position")) if isinstance(log, Mapping) else (None, None)
        if not isinstance(moves, list) or not isinstance(start, Mapping | None):
            raise BadRequest("this is not a game log")
        # Other games would be imported by name.
        playable, game = sorted({canonical_name(game_spec(game)) for game in games}), log.get("game", DEFAULT)
        if game not in playable or (start and start.get("game", DEFAULT) != game):
            raise BadRequest(f"this log is of another game; expected one of: {', '.join(playable)}")
        for option_values in (log.get("options"), start and start.get("options")):
            for name in game_spec(game).options.FILES:
                if isinstance(option_values, Mapping) and option_values.get(name) is not None:
                    raise BadRequest(f"this log has custom {name}; use vitienv play --load")
        if len(moves) > MAX_MOVES:
            raise BadRequest(f"a log must have at most {MAX_MOVES} moves, got {len(moves)}")
        try:
            return cls(replay(log), seats, considered=read_candidates(log))
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            raise BadRequest(f"this log cannot be continued: {error}") from None

    @property
    def people(self) -> list[int]:
        """Seats of people."""
        return [seat for seat, occupant in enumerate(self.seats) if occupant == PERSON]

    @property
    def names(self) -> list[str]:
        """Names of the seats in the drawing and in sentences, distinct for bots of one name."""
        return display_names([LOG_PERSON if occupant == PERSON else occupant for occupant in self.seats])

    @property
    def log(self) -> dict[str, Any]:
        """Log of the game with the candidates of the bots."""
        return with_candidates(self.game.log, self._considered)

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON, for its file."""
        record = {"seats": self.seats, "log": self.log, "version": self.version}
        return record if self.campaign is None else {**record, "campaign": self.campaign.to_dict()}

    def again(self, is_new_deal: bool) -> Table:
        """Return a new table of the same seats and options: of the same deal, or of a new one.

        BadRequest if this game is not over or part of a campaign, or if it started from a position, for a new deal.
        """
        if not self.game.is_over or self.campaign is not None:
            raise BadRequest("a game can be played again after its end, and not in a campaign")
        log = self.game.log
        if not is_new_deal:
            return type(self)(replay({**log, "moves": [], "state": None}), self.seats)
        if log["position"] is not None:
            raise BadRequest("a game that started from a position has no other deal")
        return type(self).new(log["game"], self.seats, None, log["options"])

    def move(self, action: int | Sequence[int], at: int) -> None:
        """Take an action of the person to move, or all picks of a set, in any order.

        at: number of moves that the person has seen, so that no click counts twice. An error changes nothing.
        """
        if not self._is_persons_turn:
            raise BadRequest("it is not a person's turn")
        if at != len(self.game._moves):
            raise BadRequest("the table has changed since; reload it")
        games = [self.game]
        try:
            for number in [action] if isinstance(action, int) else self._in_order(action):
                games.append(games[-1].copy().step(number))
        except ValueError as error:
            raise BadRequest(str(error)) from None
        for after in games[1:]:
            self._advance_to(after)
        self._past.append(games[0])
        self._answer_forced()

    def _answer_forced(self) -> None:
        """Take the only legal action for a person, who undoes it with the choice before it."""
        while self._is_persons_turn and self.game.mask.sum() == 1:
            self._advance_to(self.game.copy().step(int(self.game.mask.argmax())))

    def _in_order(self, actions: Sequence[int]) -> list[int]:
        """Return the picks of a set in the order in which the engine takes them."""
        game_spec = self.game.game_spec
        picks = game_spec.text_module.picks(self.game, self.names)
        if picks is None:
            raise BadRequest(f"action must be an integer for {self.game.decision}, got {list(actions)!r}")
        allowed = Counter(game_spec.actions.number(choice.action) for choice in picks.choices)
        if len(actions) != picks.n or Counter(actions) - allowed:
            raise BadRequest(f"action must be {picks.n} of the choices, got {list(actions)!r}")
        return sorted(actions)

    def advance(self, at: int | None = None) -> bool:
        """Make the move of a bot if it is a bot's turn; return whether it was.

        at: number of moves after which the move was requested, as several pages may request it; None for any.
        """
        from vitienv.agents.candidates import DEFAULT_CANDIDATES, CandidateRecorder

        if at not in (None, len(self.game._moves)) or self.game.is_over or self.seats[self._actor] == PERSON:
            return False
        bot = CandidateRecorder(self._bot(self.seats[self._actor]), DEFAULT_CANDIDATES)
        action = self._choice(bot)
        self._advance_to(self.game.copy().step(action), bot.describe(0, self.game.game_spec.actions.name))
        self._past.clear()
        self._answer_forced()
        return True

    def _advance_to(self, after: Game, considered: Candidates = None) -> None:
        before, self.game = self.game, after
        self.version += 1
        self._considered.append(considered)
        self.story.append(self._describe_move(before, after))

    def _story_of(self, game: Game) -> list[MoveDescription]:
        """Describe the moves so far; those of people since the last move of a bot can be undone."""
        if not game._moves:
            return []
        again, story = replay({**game.log, "moves": [], "state": None}), []
        for number in game._moves:
            before = again.copy()
            again.step(number)
            story.append(self._describe_move(before, again))
            if self.seats[story[-1].seat] != PERSON:
                self._past.clear()
            elif before.mask.sum() > 1:
                self._past.append(before)
        return story

    def _describe_move(self, before: Game, after: Game) -> MoveDescription:
        """Describe a move to each person."""
        assert before.current_seat is not None
        describe_move, action, names = after.game_spec.text_module.describe_move, after.moves[-1], self.names
        texts = {seat: " ".join(describe_move(before, after, action, names, seat)) for seat in self.people}
        return MoveDescription(before.current_seat, self.date(before), texts)

    @staticmethod
    def date(game: Game) -> str:
        phase = f", {game.phase.replace('_', ' ')}" if game.round and game.phase else ""
        return f"{round_name(game.game_spec.clock.word, game.round)}{phase}".capitalize()

    def hint(self, bot: str) -> int:
        """Return the action that a bot would choose for the person to move, with that person's information."""
        if not self._is_persons_turn:
            raise BadRequest("it is not a person's turn")
        if bot not in bots_of(self.game.game_spec):
            raise BadRequest(f"unknown bot {bot!r}")
        return self._choice(self._bot(bot))

    def analyse(self, at: int | None = None) -> dict[str, Any]:
        """Analyse the pending decision by a search: visits and values of the actions, and the likely line.

        The search has the information of the person to move. at: number of moves, in a finished game; then any seat's
        decision can be analysed.
        """
        from vitienv.agents.search.analysis import hint

        if at is not None and not self.game.is_over:
            raise BadRequest("earlier moves can be analysed after the game, as that reveals hidden information")
        game = self.game if at is None else self.at(at)
        if game.is_over or (at is None and not self._is_persons_turn):
            raise BadRequest("it is not a person's turn")
        if len(game.legal_actions()) == 1:
            raise BadRequest("there is only one choice")
        try:
            advice = hint(game)
        except ValueError as error:
            raise BadRequest(str(error)) from None
        number, names = game.game_spec.actions.number, self.names
        considered = [
            {"action": number(row.action), "title": row.title, "share": row.share, "value": row.value}
            for row in advice.actions[:MAX_CONSIDERED]
        ]
        line = [f"{names[step.seat]}: {step.title}" for step in advice.line[1:MAX_CONSIDERED]]
        return {"agent": advice.agent, "seat": advice.seat, "player": names[advice.seat], "value": advice.value,
                "actions": considered, "line": line}  # fmt: skip

    def explain(self, topic: str, viewer: int | None = None) -> list[str]:
        """Explain a topic at this table; viewer: as for `view`. Only the seat to move gets its pending choices."""
        game = self.game
        is_to_move = not game.is_over and game.current_seat in self.people and viewer in (None, game.current_seat)
        return game.game_spec.text_module.explain(topic, game if is_to_move else None)

    def undo(self) -> None:
        """Undo the last move; BadRequest if it revealed hidden information or another seat has moved."""
        if not self.can_undo():
            raise BadRequest(CANNOT_UNDO)
        self.version += 1
        self.game = self._past.pop()
        for entries in (self.story, self._considered):
            del entries[len(self.game._moves) :]

    def can_undo(self) -> bool:
        """Return whether the last move was made by the person to move and revealed nothing."""
        game = self.game
        if game.is_over or not self._past:
            return False
        before = self._past[-1]
        return before.current_seat == game.current_seat and reveals_nothing(before, game, self.people)

    def at(self, moves: int) -> Game:
        """Return the game after a number of moves."""
        if not 0 <= moves <= len(self.game._moves):
            raise BadRequest(f"at must be from 0 to {len(self.game._moves)}, got {moves}")
        log = self.game.log
        return replay({**log, "moves": log["moves"][:moves], "state": None})

    @property
    def _is_persons_turn(self) -> bool:
        return self.game.current_seat in self.people

    @property
    def _actor(self) -> int:
        assert self.game.current_seat is not None
        return self.game.current_seat

    def _bot(self, name: str) -> Agent:
        from vitienv.agents.seeding import make_bot

        if name not in self._agents:
            self._agents[name] = make_bot(name, int(self.game.state.key[0]), canonical_name(self.game.game_spec))
        return self._agents[name]

    def _choice(self, bot: Agent) -> int:
        from vitienv.agents.query import call_agent

        batch = self.game._batch
        batch.refresh()  # stepping a single game does not write observations
        with self.thinking.track(bot):
            return int(call_agent(bot, batch, np.array([0]))[0])

    def view(
        self, viewer: int | None = None, columns: int = 4, at: int | None = None, since: int = 0
    ) -> dict[str, Any]:
        """Return the data of the page for a person, see `table_view`."""
        return table_view(self, viewer, columns, at, since)
