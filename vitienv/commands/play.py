"""vitienv play: a person at the keyboard against bots."""

from __future__ import annotations

import json as json_
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import typer

from vitienv.commands.screen import SEED, console, listed

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.game import Game

# Decisions whose picks the others at the table do not see.
FACE_DOWN = ("import_card", "give_card")
COLUMNS = 3
HELP = """\
A number or the name of an action plays it; the first letters of a name are enough if only one action begins so.
  show          the table again        moves         the legal actions again
  save FILE     the log so far         quit          leave (the log is saved if --save was given)
"""


def command(
    bots: str = typer.Option("heuristic", help="Bots of the other seats, clockwise, separated by commas."),
    players: int = typer.Option(0, help="Seats at the table; by default you and the bots."),
    seat: int = typer.Option(0, help="Your seat, from 0."),
    seed: int = SEED,
    load: Path = typer.Option(None, help="Go on with the game of this log."),
    save: Path = typer.Option(None, help="Write the log here at the end or when you leave."),
    draft_parents: bool = typer.Option(False, help="Variant: two mamas and two papas each, keep one of each."),
    friendly: bool = typer.Option(False, help="Variant: bonus spaces only for their bonus."),
    json: bool = typer.Option(False, "--json", help="At the end print the log as JSON."),
) -> None:
    """Play at the keyboard. Actions are read from standard input, so that they can come from a file too."""
    import vitienv
    from vitienv.agents import make_agent

    specs = listed(bots, "--bots")
    if load is None:
        num_players = players or len(specs) + 1
        options: dict[str, Any] = {"num_players": num_players, "draft_parents": draft_parents, "friendly": friendly}
        game = vitienv.Game.new(seed=seed, **options)
    else:
        from vitienv.commands.replay import load as read

        game = vitienv.replay(read(load))
    if not 0 <= seat < game.num_players:
        raise ValueError(f"there is no seat {seat}; seats go from 0 to {game.num_players - 1}")
    others = [(seat + k) % game.num_players for k in range(1, game.num_players)]
    agents = {other: make_agent(specs[i % len(specs)], seed=seed + i) for i, other in enumerate(others)}
    try:
        Table(game, seat, agents, quiet=json).play()
    except KeyboardInterrupt:
        _save(game, save)
        raise
    _save(game, save)
    if json:
        typer.echo(json_.dumps(game.log, indent=2))


def _save(game: Game, file: Path | None) -> None:
    """Write a log atomically. OSError if that fails."""
    from vitienv.training.files import write_json

    if file is not None:
        write_json(file, game.log)
        console(stderr=True).print(f"Saved: {file}", soft_wrap=True)


class Leave(Exception):
    """The person leaves the table."""


class Table:
    """One game on the screen. agents: the bots by seat."""

    def __init__(self, game: Game, seat: int, agents: dict[int, Agent], quiet: bool = False) -> None:
        self.game, self.seat, self.agents, self.quiet = game, seat, agents, quiet
        # With --json only the log belongs on stdout.
        self.screen = console(stderr=quiet)

    def play(self) -> None:
        """Until the game is over or the person leaves."""
        from vitienv.viticulture.names import SEASONS

        heading = None
        try:
            while not self.game.is_over:
                now = (self.game.year, int(self.game.record.season))
                if now != heading:
                    heading = now
                    self._say(f"\nYear {self.game.year}, {SEASONS[now[1]]}" if now[0] else "\nSet-up", style="bold")
                if self.game.seat == self.seat:
                    self._ask()
                else:
                    self._bot()
        except (Leave, EOFError):
            self._say("You leave the table.")
            return
        self._result()

    def _say(self, text: str, style: str | None = None) -> None:
        self.screen.print(text, style=style, markup=False, soft_wrap=True)

    def _bot(self) -> None:
        """A bot's move. It gets what every bot gets: its seat's observation, the mask, and deals of its own."""
        game, seat = self.game, self.game.seat
        assert seat is not None
        from vitienv.agents import Views

        agent, decision = self.agents[seat], game.decision
        views = Views(game._batch, np.array([0]))
        action = int(agent.act(game.observation()[None], game.mask[None], games=views)[0])
        game.step(action)
        told = "a card" if decision in FACE_DOWN else game.moves[-1]
        self._say(f"  seat {seat} ({agent.name}) {decision}: {told}")

    def _ask(self) -> None:
        from vitienv.render import render

        self._say("")
        self._say(render(self.game, viewer=self.seat))
        self._list()
        while True:
            # Without a prompt if stdout is for JSON: input() would write it there.
            words = input("" if self.quiet else f"{self.game.decision}> ").strip()
            if words and self._answer(words):
                return

    def _list(self) -> None:
        legal = self.game.legal_actions()
        width = max(len(name) for name in legal) + 6
        self._say(f"\nYou are seat {self.seat}: {self.game.decision}", style="bold")
        for i in range(0, len(legal), COLUMNS):
            row = [f"{i + k + 1:3} {name}".ljust(width) for k, name in enumerate(legal[i : i + COLUMNS])]
            self._say("  ".join(row).rstrip())

    def _answer(self, words: str) -> bool:
        """Do what was typed. True if a move was made."""
        from vitienv.render import render

        verb, _, rest = words.partition(" ")
        if verb in ("quit", "exit"):
            raise Leave
        if verb in ("help", "?"):
            self._say(HELP)
        elif verb == "show":
            self._say(render(self.game, viewer=self.seat))
        elif verb == "moves":
            self._list()
        elif verb == "save":
            self._save_as(rest.strip())
        else:
            return self._move(words)
        return False

    def _save_as(self, name: str) -> None:
        if not name:
            self._say("save FILE")
            return
        try:
            _save(self.game, Path(name))
        except OSError as error:
            self._say(f"not saved: {error.strerror or error}")

    def _move(self, words: str) -> bool:
        legal = self.game.legal_actions()
        if words.isdigit() and 1 <= int(words) <= len(legal):
            chosen = [legal[int(words) - 1]]
        else:
            chosen = [name for name in legal if name == words] or [name for name in legal if name.startswith(words)]
        if len(chosen) != 1:
            problem = f"which of {', '.join(chosen)}?" if chosen else f"{words!r} is not possible here"
            self._say(f"{problem} (a number from 1 to {len(legal)}, a name, or help)")
            return False
        self.game.step(chosen[0])
        return True

    def _result(self) -> None:
        from vitienv.render import render

        self._say("")
        self._say(render(self.game))
        self._say("\nThe game is over.", style="bold")
        for seat, (points, rank) in enumerate(zip(self.game.scores, self.game.ranking, strict=True)):
            who = "you" if seat == self.seat else self.agents[seat].name
            self._say(f"  {rank}. seat {seat} ({who}): {points} victory points")
