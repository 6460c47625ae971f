"""Compilation of a game's kernels while the start page is open; the rules selected last come first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from vitienv.core.compiling.progress import PROGRESS
from vitienv.registry import game_spec
from vitienv.session.undo import reveals_nothing
from vitienv.web.table import PERSON, Table

Rules = tuple[str, str]  # game and ruleset


class Precompilation:
    """Compilation thread with one task at a time, so that progress can be reported.

    A ruleset is ready as soon as a game can start. Kernels for hints and analyses are compiled when no ruleset is
    waiting.
    """

    def __init__(self) -> None:
        self._tasks: list[tuple[Callable[[str, str], None], Rules]] = []  # the last one is next
        self._ready: set[Rules] = set()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def is_ready(self, game: str, ruleset: str) -> bool:
        """Return whether a game can start; if not, its compilation becomes the next task."""
        rules = game, ruleset
        with self._changed:
            if rules in self._ready:
                return True
            if (first_game, rules) in self._tasks:
                self._tasks.remove((first_game, rules))
            self._tasks.append((first_game, rules))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
            return False

    def wait(self, seconds: float) -> bool:
        """Wait for all tasks, at most `seconds`; return whether all are done."""
        with self._changed:
            return self._changed.wait_for(lambda: self._thread is None, seconds)

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._tasks:
                    self._thread = None
                    self._changed.notify_all()
                    return
                task, rules = self._tasks[-1]
            # The error is raised again when a game starts or a hint is requested.
            with suppress(Exception):
                task(*rules)
            with self._changed:
                self._tasks.remove((task, rules))
                if task is first_game:
                    self._ready.add(rules)
                    self._tasks.insert(0, (hints, rules))


def first_game(game: str, ruleset: str) -> None:
    """Run what a first game runs: table, heuristic bot, drawing, undo."""
    heuristic_bot, loops = game_spec(game).heuristic_bot, game_spec(game).kernels
    with PROGRESS.group([loops.determinize, loops.observe_seat]):
        table = _table(game, ruleset, [heuristic_bot])
        table.hint(heuristic_bot)
        table.view()
        reveals_nothing(table.game, table.game, table.people)  # the check of undo


def hints(game: str, ruleset: str) -> None:
    """Run what hints and analyses run."""
    champions = [] if game_spec(game).champions is None else ["policy:champion"]
    with PROGRESS.group(()):
        table = _table(game, ruleset, [*champions, "ismcts"])
        for champion in champions:
            with suppress(ValueError):
                table.hint(champion)
        table.analyse()


def _table(game: str, ruleset: str, bots: list[str]) -> Table:
    from vitienv.agents.seeding import make_bots
    from vitienv.game import Game
    from vitienv.training.evaluation.match import warm_up

    spec = game_spec(game)
    options = spec.options.of(ruleset=ruleset).to_dict()
    warm_up(make_bots(bots, 0, game), spec, options)
    first = Game.new(seed=0, game=game, ruleset=ruleset)
    return Table(first, [PERSON] * first.num_players)
