"""Compiles what a table needs while people still choose on the start page: what was chosen last comes first."""

from __future__ import annotations

import threading
from contextlib import suppress

from vitienv.core.compiling.progress import WATCH
from vitienv.registry import game_spec
from vitienv.session.undo import reveals_nothing
from vitienv.web.table import PERSON, BadRequest, Table

What = tuple[str, str]  # a game and one of its rulesets


class Preparing:
    """One thread that compiles, one thing after the other, so that it can be said how far it is.

    A ruleset is ready as soon as a first game of it can begin, whatever else is compiled; what hints and chances need
    is compiled when nothing else is asked for.
    """

    def __init__(self) -> None:
        self._asked: list[What] = []  # the last one is next
        self._hints: list[What] = []
        self._ready: set[What] = set()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def is_ready(self, game: str, ruleset: str) -> bool:
        """Whether a first game can begin. If not, its compilation goes before those asked for earlier."""
        what = game, ruleset
        with self._changed:
            if what in self._ready:
                return True
            if what in self._asked:
                self._asked.remove(what)
            self._asked.append(what)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
            return False

    def wait(self, seconds: float) -> bool:
        """Until there is nothing left to do, or so long; whether there is nothing."""
        with self._changed:
            return self._changed.wait_for(lambda: self._thread is None, seconds)

    def _run(self) -> None:
        while True:
            with self._changed:
                is_first = bool(self._asked)
                if not (self._asked or self._hints):
                    self._thread = None
                    self._changed.notify_all()
                    return
                what = self._asked[-1] if is_first else self._hints.pop()
            # An error here reaches whoever begins a game or asks for a hint.
            with suppress(Exception):
                (first_game if is_first else hints)(*what)
            if is_first:
                with self._changed:
                    self._asked.remove(what)
                    self._ready.add(what)
                    self._hints.append(what)


def first_game(game: str, ruleset: str) -> None:
    """Do once what a first game does: its table, its usual bot, its drawing."""
    heuristic_bot, loops = game_spec(game).heuristic_bot, game_spec(game).kernels
    with WATCH.together([loops.determinize, loops.observe_seat]):
        table = _table(game, ruleset, [heuristic_bot])
        table.hint(heuristic_bot)
        table.view()
        reveals_nothing(table.game, table.game, table.people)  # whether a choice may be taken back


def hints(game: str, ruleset: str) -> None:
    """Do once what hints and chances do."""
    champions = [] if game_spec(game).champions is None else ["policy:champion"]
    with WATCH.together(()):
        table = _table(game, ruleset, [*champions, "ismcts"])
        for champion in champions:
            with suppress(BadRequest):
                table.hint(champion)
        table.thought()


def _table(game: str, ruleset: str, bots: list[str]) -> Table:
    from vitienv.agents.seeding import make_bots
    from vitienv.game import Game
    from vitienv.training.evaluation.match import warm_up

    own = game_spec(game)
    options = own.options.of(ruleset=ruleset).to_dict()
    warm_up(make_bots(bots, 0, game), own, options)
    made = Game.new(seed=0, game=game, ruleset=ruleset)
    return Table(made, [PERSON] * made.num_players)
