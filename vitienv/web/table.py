"""Session of people and bots in the browser, with a view for each person."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from vitienv.game import Game
from vitienv.registry import DEFAULT, canonical_name, game_spec
from vitienv.session.game_session import GameSession
from vitienv.session.replay import PERSON, position_after, replay
from vitienv.web.start_form import bots_of
from vitienv.web.table_view import table_view

MAX_MOVES = 20_000  # moves of a log
MAX_CONSIDERED = 6  # actions and following moves in an analysis


def _campaigns(game: str) -> Any:
    spec = game_spec(game)
    if spec.campaign is None:
        raise ValueError(f"{spec.title} has no campaign")
    return spec.call("campaign")


class Table(GameSession):
    """Session whose bots are those of the start form; errors are ValueError, and change nothing."""

    def __init__(
        self, game: Game, seats: Sequence[str], campaign: Any = None, log: Mapping[str, Any] | None = None
    ) -> None:
        """Seat people and bots at a game.

        Args:
            game: the game, which may have moves.
            seats: "you" for a person or one of `bots_of`, by seat.
            campaign: campaign whose next game this is.
            log: log of a continued game.

        Raises:
            ValueError: if the seats are invalid.
        """
        occupants = [PERSON, *bots_of(game.game_spec)]
        if len(seats) != game.num_players:
            raise ValueError(f"seats must have {game.num_players} entries, got {len(seats)}")
        for seat in seats:
            if seat not in occupants:
                raise ValueError(f"unknown player {seat!r}; expected one of: {', '.join(occupants)}")
        if PERSON not in seats:
            raise ValueError("at least one seat must be a person")
        super().__init__(game, seats, log)
        self.campaign = campaign
        self.result: dict[str, Any] = {}  # cached, of the finished game
        self.reviews: dict[int, dict[str, Any]] = {}  # cached, of the finished game by viewer
        self.answer_forced()

    @classmethod
    def new(cls, game: str, seats: Sequence[str], seed: int | None, options: Mapping[str, Any]) -> Table:
        """Start a new game."""
        return cls(Game.new(seed=seed, game=game, **options), seats)

    @classmethod
    def of_campaign(cls, game: str, seats: Sequence[str], seed: int | None, level: Mapping[str, Any]) -> Table:
        """Start a new campaign; level: its options."""
        campaign = _campaigns(game)(seed=secrets.randbits(32) if seed is None else seed, **level)
        return cls(campaign.next_game(), seats, campaign)

    def next_of_campaign(self) -> Table:
        """Return the table of the next game; ValueError if this game is not over or was the last."""
        if self.campaign is None:
            raise ValueError("this game is not part of a campaign")
        after = self.campaign_after()
        return type(self)(after.next_game(), self.seats, after)

    def campaign_after(self) -> Any:
        """Return the campaign with the result of this game; ValueError if it is not over."""
        after = type(self.campaign).from_dict(self.campaign.to_dict())
        after.record(self.game)
        return after

    @classmethod
    def from_dict(cls, games: Sequence[str], saved: Mapping[str, Any]) -> Table:
        """Restore a table from `to_dict`; games: as for `of_log`. ValueError for damaged data or an older file."""
        seats, version = (saved.get("agents"), saved.get("version")) if isinstance(saved, Mapping) else (None, None)
        if not isinstance(seats, list) or not isinstance(version, int):
            raise ValueError("it is damaged or of an earlier version of vitienv: agents and version are missing")
        table = cls.of_log(games, seats, saved)
        table.version = version
        if "campaign" in saved:
            try:
                table.campaign = _campaigns(canonical_name(table.game.game_spec)).from_dict(saved["campaign"])
                table.campaign.check(table.game)
            except (ValueError, TypeError, KeyError) as error:
                raise ValueError(f"damaged campaign: {error}") from None
        return table

    @classmethod
    def of_log(cls, games: Sequence[str], seats: Sequence[str], log: Any) -> Table:
        """Continue a game from its log; games: names of the accepted games. ValueError for an invalid log."""
        moves, start = (log.get("moves"), log.get("position")) if isinstance(log, Mapping) else (None, None)
        if not isinstance(moves, list) or not isinstance(start, Mapping | None):
            raise ValueError("this is not a game log")
        # Other games would be imported by name.
        playable, game = sorted({canonical_name(game_spec(game)) for game in games}), log.get("game", DEFAULT)
        if game not in playable or (start and start.get("game", DEFAULT) != game):
            raise ValueError(f"this log is of another game; expected one of: {', '.join(playable)}")
        for option_values in (log.get("options"), start and start.get("options")):
            for name in game_spec(game).options.FILES:
                if isinstance(option_values, Mapping) and option_values.get(name) is not None:
                    raise ValueError(f"this log has custom {name}; use vitienv play --load")
        if len(moves) > MAX_MOVES:
            raise ValueError(f"a log must have at most {MAX_MOVES} moves, got {len(moves)}")
        try:
            return cls(replay(log), seats, log=log)
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            raise ValueError(f"this log cannot be continued: {error}") from None

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON, for its file: its log with the version and the campaign."""
        record = {**self.log, "version": self.version}
        return record if self.campaign is None else {**record, "campaign": self.campaign.to_dict()}

    def again(self, is_new_deal: bool) -> Table:
        """Return a new table of the same seats and options: of the same deal, or of a new one.

        ValueError if this game is not over or part of a campaign, or if it started from a position, for a new deal.
        """
        if not self.game.is_over or self.campaign is not None:
            raise ValueError("a game can be played again after its end, and not in a campaign")
        log = self.game.log
        if not is_new_deal:
            return type(self)(self.at(0), self.seats)
        if log["position"] is not None:
            raise ValueError("a game that started from a position has no other deal")
        return type(self).new(log["game"], self.seats, None, log["options"])

    def move(self, action: int | Sequence[int], at: int) -> None:
        """Play an action, or all picks of a set, for the person to move; see `play`.

        at: number of moves that the person has seen, so that no click counts twice.
        """
        self._check_turn()
        if at != len(self.game._moves):
            raise ValueError("the table has changed since; reload it")
        self.play(action)

    def _check_turn(self) -> None:
        if not self.is_persons_turn:
            raise ValueError("it is not a person's turn")

    def hint(self, bot: str) -> int:
        """Return the action that a bot would choose for the person to move, with that person's information."""
        self._check_turn()
        if bot not in bots_of(self.game.game_spec):
            raise ValueError(f"unknown bot {bot!r}")
        return self.suggest(bot)[1]

    def analyse(self, at: int | None = None) -> dict[str, Any]:
        """Analyse the pending decision by a search: visits and values of the actions, and the likely line.

        The search has the information of the person to move. at: number of moves, in a finished game; then any seat's
        decision can be analysed.
        """
        from vitienv.agents.search.analysis import hint

        if at is not None and not self.game.is_over:
            raise ValueError("earlier moves can be analysed after the game, as that reveals hidden information")
        game = self.game if at is None else self.at(at)
        if game.is_over or at is None:
            self._check_turn()
        if len(game.legal_actions()) == 1:
            raise ValueError("there is only one choice")
        advice = hint(game)
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
        is_to_move = self.is_persons_turn and viewer in (None, self.game.current_seat)
        return self.text_module.explain(topic, self.game if is_to_move else None)

    def at(self, moves: int) -> Game:
        """Return the game after a number of moves."""
        return position_after(self.game.log, moves, "at")

    def view(
        self, viewer: int | None = None, columns: int = 4, at: int | None = None, since: int = 0
    ) -> dict[str, Any]:
        """Return the data of the page for a person, see `table_view`."""
        return table_view(self, viewer, columns, at, since)
