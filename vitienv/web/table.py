"""A table at which people and bots play: what each person may see and do, and nothing more."""

from __future__ import annotations

import secrets
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from vitienv.core.text_utils import YOU, listed
from vitienv.game import Game
from vitienv.registry import DEFAULT, canonical_name, game_spec
from vitienv.render.text import when
from vitienv.session.replay import PERSON as SAT  # as logs call a person
from vitienv.session.replay import Candidates, display_names, read_candidates, replay, with_candidates
from vitienv.session.undo import CANNOT_UNDO, reveals_nothing
from vitienv.web.start_form import bots_of

if TYPE_CHECKING:
    from vitienv.agents import Agent

PERSON = "person"
MOST_MOVES = 20_000  # of a log that is taken up
MOST_CONSIDERED = 6  # actions, and steps that follow, in what a bot thinks
MOST_UNDONE = 30  # moves that can be taken back one after the other


def _campaigns(game: str) -> Any:
    """The class of a game's campaigns. ValueError if it has none."""
    made = game_spec(game)
    if made.campaign is None:
        raise ValueError(f"{made.title} has no campaign")
    return import_module(made.campaign).Campaign


class BadRequest(ValueError):
    """A request that cannot be fulfilled; the message is for the person who asked."""


class ActionDescription(NamedTuple):
    """A move that was made. when: such as "year 3". words: what each person may know of it, by seat."""

    seat: int
    when: str
    words: dict[int, str]


class Table:
    """One game, the bots by seat, and who has looked last."""

    def __init__(
        self, game: Game, seats: Sequence[str], campaign: Any = None, considered: Sequence[Candidates] = ()
    ) -> None:
        """seats: for each seat "person" or one of `bots_of`. campaign: of which this is the next game. considered: by
        bots before each move that the game has, if that is known. BadRequest if they do not fit."""
        from vitienv.agents.search_progress import SearchProgress

        known = [PERSON, *bots_of(game.game_spec)]
        if len(seats) != game.num_players:
            raise BadRequest(f"there are {game.num_players} seats, not {len(seats)}")
        for seat in seats:
            if seat not in known:
                raise BadRequest(f"nobody is called {seat!r}; there is {', '.join(known)}")
        if PERSON not in seats:
            raise BadRequest("at least one seat must be a person's")
        self.game, self.seats, self.campaign = game, list(seats), campaign
        self.thinking = SearchProgress()
        self._agents: dict[str, Agent] = {}
        self._past: deque[Game] = deque(maxlen=MOST_UNDONE)
        self._story = self._story_of(game)
        self._considered = list(considered) or [None] * len(self._story)
        self.version = 0  # another one after every change, also of a table that was kept meanwhile
        self._answer_forced()

    @classmethod
    def new(cls, game: str, seats: Sequence[str], seed: int | None, options: Mapping[str, Any]) -> Table:
        """A new game. BadRequest, in one line, for what is wrong."""
        try:
            seed = secrets.randbits(32) if seed is None else seed
            return cls(Game.new(seed=seed, game=game, **options), seats)
        except (ValueError, TypeError) as error:
            raise BadRequest(str(error)) from None

    @classmethod
    def of_campaign(cls, game: str, seats: Sequence[str], seed: int | None, level: Mapping[str, Any]) -> Table:
        """The first game of a new campaign. level: what a campaign is given besides. BadRequest, in one line."""
        try:
            own = _campaigns(game)(seed=secrets.randbits(32) if seed is None else seed, **level)
            return cls(own.next_game(), seats, own)
        except (ValueError, TypeError) as error:
            raise BadRequest(str(error)) from None

    def next_of_campaign(self) -> Table:
        """The campaign's next game, after this one. BadRequest if this one is not over, or was the last."""
        if self.campaign is None:
            raise BadRequest("this game belongs to no campaign")
        try:
            after = self._after_this()
            return type(self)(after.next_game(), self.seats, after)
        except ValueError as error:
            raise BadRequest(str(error)) from None

    def _after_this(self) -> Any:
        """The campaign with this game noted in it. ValueError if it is not over."""
        after = type(self.campaign).from_dict(self.campaign.to_dict())
        after.record(self.game)
        return after

    @classmethod
    def kept(cls, games: Sequence[str], told: Mapping[str, Any]) -> Table:
        """What `to_dict` gave. games: as for `of_log`. BadRequest for what is damaged."""
        seats, version = (told.get("seats"), told.get("version", 0)) if isinstance(told, Mapping) else (None, None)
        if not isinstance(seats, list) or not isinstance(version, int) or "log" not in told:
            raise BadRequest("it is damaged: it must hold seats, a log and a version")
        table = cls.of_log(games, seats, told["log"])
        table.version = version
        if "campaign" in told:
            try:
                table.campaign = _campaigns(canonical_name(table.game.game_spec)).from_dict(told["campaign"])
                table.campaign.check(table.game)
            except (ValueError, TypeError, KeyError) as error:
                raise BadRequest(f"its campaign is damaged: {error}") from None
        return table

    @classmethod
    def of_log(cls, games: Sequence[str], seats: Sequence[str], log: Any) -> Table:
        """A game taken up from its log, of one of these games only. BadRequest, in one line, for what is wrong."""
        moves, start = (log.get("moves"), log.get("position")) if isinstance(log, Mapping) else (None, None)
        if not isinstance(moves, list) or not isinstance(start, Mapping | None):
            raise BadRequest("this is not a log of a game")
        # Another game would be imported by its name.
        own, game = sorted({canonical_name(game_spec(game)) for game in games}), log.get("game", DEFAULT)
        if game not in own or (start and start.get("game", DEFAULT) != game):
            raise BadRequest(f"this log is of another game; here {listed(own)} can be played")
        for given in (log.get("options"), start and start.get("options")):
            for name in game_spec(game).options.FILES:
                if isinstance(given, Mapping) and given.get(name) is not None:
                    raise BadRequest(f"this log has {name} of its own; such are played in the terminal, with --load")
        if len(moves) > MOST_MOVES:
            raise BadRequest(f"this log has {len(moves)} moves; at most {MOST_MOVES} are taken up")
        try:
            return cls(replay(log), seats, considered=read_candidates(log))
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            raise BadRequest(f"this log cannot be taken up: {error}") from None

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, who in enumerate(self.seats) if who == PERSON]

    @property
    def names(self) -> list[str]:
        """Display names of the seats."""
        return display_names([SAT if who == PERSON else who for who in self.seats])

    @property
    def log(self) -> dict[str, Any]:
        """The game's log, with what the bots considered."""
        return with_candidates(self.game.log, self._considered)

    def to_dict(self) -> dict[str, Any]:
        """The table as it is kept between two starts of the server."""
        kept = {"seats": self.seats, "log": self.log, "version": self.version}
        return kept if self.campaign is None else {**kept, "campaign": self.campaign.to_dict()}

    # Playing.

    def move(self, action: int | Sequence[int], at: int) -> None:
        """Take an action of the person to move, or all picks of a set, in any order.

        at: number of moves that the person has seen, so that no click counts twice. An error changes nothing.
        """
        if self.game.is_over or self.seats[self._actor] != PERSON:
            raise BadRequest("it is not a person's turn")
        if at != len(self.game._moves):
            raise BadRequest("the table has moved on; look again")
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
        while not self.game.is_over and self.seats[self._actor] == PERSON and self.game.mask.sum() == 1:
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
        """The next move of a bot, if it is a bot's turn; whether there was one. at: only after so many moves, since
        several pages may ask for it."""
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
        self._story.append(self._told(before, after))

    def _story_of(self, game: Game) -> list[ActionDescription]:
        """The moves of a game so far; those of people since a bot's last one can be undone."""
        if not game._moves:
            return []
        again, story = replay({**game.log, "moves": [], "state": None}), []
        for number in game._moves:
            before = again.copy()
            again.step(number)
            story.append(self._told(before, again))
            if self.seats[story[-1].seat] != PERSON:
                self._past.clear()
            elif before.mask.sum() > 1:
                self._past.append(before)
        return story

    def _told(self, before: Game, after: Game) -> ActionDescription:
        """A move, as each person may know it."""
        assert before.current_seat is not None
        made, action, names = after.game_spec, after.moves[-1], self.names
        words = {seat: " ".join(made.text_module.told(before, after, action, names, seat)) for seat in self.people}
        return ActionDescription(before.current_seat, when(made.clock.word, before.round), words)

    def hint(self, bot: str) -> int:
        """A bot's choice in the place of the person to move, knowing what that person knows."""
        if self.game.is_over or self.seats[self._actor] != PERSON:
            raise BadRequest("it is not a person's turn")
        if bot not in bots_of(self.game.game_spec):
            raise BadRequest(f"nobody is called {bot!r}")
        return self._choice(self._bot(bot))

    def thought(self, at: int | None = None) -> dict[str, Any]:
        """A search for the seat that decides: each action's share of the simulations, its value, the likely line.

        It is for the person to move, and knows what that person knows. at: after so many moves, once the game is over;
        then of any seat.
        """
        from vitienv.agents.search.analysis import hint

        if at is not None and not self.game.is_over:
            raise BadRequest("what others consider tells what is hidden; it is there when the game is over")
        game = self.game if at is None else self.at(at)
        if game.is_over or (at is None and self.seats[self._actor] != PERSON):
            raise BadRequest("it is not a person's turn")
        if len(game.legal_actions()) == 1:
            raise BadRequest("there is one choice, so nothing to consider")
        try:
            advice = hint(game)
        except ValueError as error:
            raise BadRequest(str(error)) from None
        number, names = game.game_spec.actions.number, self.names
        considered = [
            {"action": number(one.action), "words": one.title, "share": one.share, "value": one.value}
            for one in advice.actions[:MOST_CONSIDERED]
        ]
        line = [f"{names[step.seat]}: {step.title}" for step in advice.line[1:MOST_CONSIDERED]]
        return {"agent": advice.agent, "seat": advice.seat, "who": names[advice.seat], "value": advice.value,
                "actions": considered, "line": line}  # fmt: skip

    def about(self, word: str, viewer: int | None = None) -> list[str]:
        """The meaning of a word here. viewer: as for `view`; the pending choices are shown to their seat alone."""
        game = self.game
        is_asked = not game.is_over and game.current_seat in self.people and viewer in (None, game.current_seat)
        return game.game_spec.text_module.about(word, game if is_asked else None)

    def undo(self) -> None:
        """Take the last move back. BadRequest if that would be more than thinking again."""
        if not self.can_undo():
            raise BadRequest(CANNOT_UNDO)
        self.version += 1
        self.game = self._past.pop()
        for told in (self._story, self._considered):
            del told[len(self.game._moves) :]

    def can_undo(self) -> bool:
        """Whether the last move was that of the person to move, and nobody saw anything new by it."""
        game = self.game
        if game.is_over or not self._past:
            return False
        before = self._past[-1]
        return before.current_seat == game.current_seat and reveals_nothing(before, game, self.people)

    def at(self, moves: int) -> Game:
        """The game after so many moves."""
        if not 0 <= moves <= len(self.game._moves):
            raise BadRequest(f"there is no move {moves}; the game has {len(self.game._moves)}")
        log = self.game.log
        return replay({**log, "moves": log["moves"][:moves], "state": None})

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
        batch.refresh()  # a single game is stepped without writing observations
        with self.thinking.track(bot):
            return int(call_agent(bot, batch, np.array([0]))[0])

    # Looking.

    def view(
        self, viewer: int | None = None, columns: int = 4, at: int | None = None, since: int = 0
    ) -> dict[str, Any]:
        """The page's data for a person. viewer: the person's seat, by default that of the person to move, or the first.

        at: after how many moves, now if None. since: the first move whose words are included.
        """
        game = self.game
        if viewer is None:
            viewer = game.current_seat if game.current_seat in self.people else self.people[0]
        if viewer not in self.people:
            raise BadRequest(f"seat {viewer} is not a person's")
        now = len(game._moves)
        shown = game if at in (None, now) else self.at(at)
        is_asked = shown is game and game.current_seat == viewer
        number, text_module = game.game_spec.actions.number, game.game_spec.text_module
        picks = text_module.picks(game, self.names) if is_asked else None
        choices = picks.choices if picks else text_module.choices(game, self.names) if is_asked else ()
        return {
            "svg": self._drawn(shown, viewer, columns),
            "version": self.version,
            "game": canonical_name(game.game_spec),
            "ruleset": game.options.ruleset,
            "viewer": viewer,
            "people": self.people,
            "actor": game.current_seat,
            "names": self.names,
            "at": len(shown._moves),
            "moves": now,
            "aim": "" if game.is_over else text_module.aim(game),
            "question": text_module.question(game, self.names) if is_asked else "",
            "choices": [
                {
                    "action": number(choice.action),
                    "words": choice.name,
                    "text": choice.text,
                    "is_grave": choice.is_grave,
                }
                for choice in sorted(choices, key=lambda choice: choice.is_grave)
            ],
            "picks": picks.n if picks else 0,
            "told": [{"seat": one.seat, "when": one.when, "words": one.words[viewer]} for one in self._story[since:]],
            "can_undo": is_asked and self.can_undo(),
            "is_over": game.is_over,
            "result": self._result() if game.is_over else None,
            "campaign": None if self.campaign is None else self._campaign_told(),
        }

    def _campaign_told(self) -> dict[str, Any]:
        """How the campaign stands, with this game if it is over, and whether there is a next one."""
        campaign = self._after_this() if self.game.outcome is not None else self.campaign
        if campaign.is_complete:
            return {"words": f"The campaign is complete, in {campaign.score} games.", "goes_on": False}
        won = f"{campaign.wins} of {len(campaign.challenges)} challenges won"
        at = f"next is challenge {campaign.challenge}" if self.game.is_over else f"challenge {campaign.challenge}"
        return {"words": f"Campaign: {at}, game {campaign.score + 1}; {won}.", "goes_on": self.game.outcome is not None}

    def _drawn(self, game: Game, viewer: int, columns: int) -> str:
        try:
            return game.svg(viewer, self.names, columns)
        except ValueError as error:
            raise BadRequest(str(error)) from None

    def _winners(self) -> str:
        first = [name for name, rank in zip(self.names, self.game.ranks, strict=True) if rank == 1]
        if len(first) > 1:
            return f"{' and '.join(first)} share the first place."
        return "You win." if first == [YOU] else f"{first[0]} wins."

    def _result(self) -> dict[str, Any]:
        game = self.game
        if game.outcome is not None:
            rival = "" if game.automa_score is None else f" against {game.automa_score} points"
            words = f"A {game.outcome}{rival}."
            if game.game_spec.is_of_team:
                words += f" {game.game_spec.text_module.aim(game)}"
        else:  # alone nobody may have the first place
            words = "Cut off." if game.is_truncated else self._winners()
        ranks = [None] * len(self.names) if game.game_spec.is_of_team else game.ranks  # a team has no first
        seats = [
            {"seat": seat, "name": name, "points": game.scores[seat], "rank": ranks[seat]}
            for seat, name in enumerate(self.names)
        ]
        return {"words": words, "seats": seats, "scored_in": game.game_spec.scored_in}
