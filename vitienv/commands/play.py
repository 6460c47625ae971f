"""vitienv play: a person at the keyboard against bots, or alone against the Automa."""

from __future__ import annotations

import json as json_
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import typer

from vitienv.commands.screen import GAME, SEED, SET, TRUST, console, listed, set_options

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.core.definition import Definition
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
    bots: str = typer.Option(
        None, help="Bots of the other seats, clockwise, separated by commas; heuristic if not given, none in solo."
    ),
    players: int = typer.Option(0, help="Seats at the table; by default you and the bots."),
    seat: int = typer.Option(0, help="Your seat, from 0."),
    seed: int = SEED,
    ruleset: str = typer.Option(None, help="essential (if not given), original, or solo: you against the Automa."),
    difficulty: str = typer.Option(None, help="Solo: very_easy, easy, normal (if not given), hard or very_hard."),
    aggressive: bool = typer.Option(False, "--aggressive", help="Solo: the Automa scores every year."),
    challenge: int = typer.Option(None, min=1, max=8, help="Solo: a challenge of the campaign."),
    campaign: Path = typer.Option(
        None, help="Play the next game of the campaign in this file, begun if it is not there; noted there at its end."
    ),
    load: Path = typer.Option(None, help="Go on with the game of this log."),
    save: Path = typer.Option(None, help="Write the log here at the end or when you leave."),
    draft_parents: bool = typer.Option(False, help="Variant: two mamas and two papas each, keep one of each."),
    friendly: bool = typer.Option(False, help="Variant: bonus spaces only for their bonus."),
    game_name: str = GAME,
    given: list[str] = SET,
    trust: bool = TRUST,
    json: bool = typer.Option(False, "--json", help="At the end print the log as JSON."),
) -> None:
    """Play at the keyboard. Actions are read from standard input, so that they can come from a file too.

    A game of a campaign counts once it is over. If you leave it before, it starts again the next time; saved with
    --save, it goes on with --load, given together with --campaign.
    """
    import vitienv
    from vitienv.agents import make_agent
    from vitienv.games import known_as

    made = vitienv.definition(game_name)
    specs = None if bots is None else listed(bots, "--bots")
    usual = [made.rule_of_thumb]
    under_way = None
    if campaign is not None:
        named = {"--bots": bots, "--players": players, "--challenge": challenge, "--draft-parents": draft_parents}
        _refuse("a campaign says itself what is played", named | {"--friendly": friendly, "--set": given})
        under_way = _campaign(campaign, made, ruleset, difficulty, aggressive, seed)
    if load is not None:
        from vitienv.commands.replay import load as read

        game = vitienv.replay(read(load))
        if under_way is not None:
            under_way.check(game)
    elif under_way is not None:
        game = vitienv.Game.new(seed=under_way.next_seed, game=game_name, **under_way.next_options().to_dict())
    else:
        own = {"ruleset": ruleset, "difficulty": difficulty, "challenge": challenge, "aggressive": aggressive or None,
               "draft_parents": draft_parents or None, "friendly": friendly or None}  # fmt: skip
        options = {name: value for name, value in own.items() if value is not None} | set_options(given, game_name)
        least = made.options.of(**{"ruleset": options.get("ruleset", made.rulesets[0])}).num_players
        if least == 1:
            _refuse("the solo game is played alone", {"--bots": bots})
            options["num_players"] = players or None
        else:
            options["num_players"] = players or max(least, len(specs or usual) + 1)
        game = vitienv.Game.new(seed=seed, game=game_name, **options)
    if not 0 <= seat < game.num_players:
        raise ValueError(f"there is no seat {seat}; seats go from 0 to {game.num_players - 1}")
    others = [(seat + k) % game.num_players for k in range(1, game.num_players)]
    names, kind = specs or usual, known_as(game.definition)
    if len(names) > len(others) and specs:
        raise ValueError(f"{len(names)} bots are given for {len(others)} other seats")
    agents = {other: make_agent(names[i % len(names)], seed=seed + i, game=kind) for i, other in enumerate(others)}
    table = Table(game, seat, agents, quiet=json)
    if campaign is not None and under_way is not None:
        under_way.save(campaign)  # a file that cannot be written is better known before the game
        table.say(f"Campaign, challenge {under_way.challenge}, game {under_way.score + 1}", style="bold")
    try:
        table.play()
    except KeyboardInterrupt:
        _save(game, save)
        raise
    _save(game, save)
    if campaign is not None and under_way is not None:
        _note(under_way, campaign, table)
    if json:
        typer.echo(json_.dumps(game.log, indent=2))


def _refuse(why: str, given: dict[str, Any]) -> None:
    """ValueError if one of these options is given."""
    for name, value in given.items():
        if value not in (None, False, 0):
            raise ValueError(f"{why}; leave out {name}")


def _campaign(
    file: Path, game: Definition, ruleset: str | None, difficulty: str | None, aggressive: bool, seed: int
) -> Any:
    """The campaign in a file, or a new one. ValueError if it is complete, or of another level than asked for."""
    if game.campaign is None:
        raise ValueError(f"{game.title} has no campaign; leave out --campaign")
    kind = import_module(game.campaign).Campaign
    if ruleset not in (None, kind.ruleset):
        raise ValueError(f"a campaign is of ruleset {kind.ruleset!r}, not {ruleset!r}")
    if not file.exists():
        return kind(**({"difficulty": difficulty} if difficulty else {}), aggressive=aggressive, seed=seed)
    found = kind.load(file)
    if difficulty not in (None, found.difficulty):
        raise ValueError(f"the campaign in {str(file)!r} is of difficulty {found.difficulty!r}, not {difficulty!r}")
    if aggressive and not found.aggressive:
        raise ValueError(f"the campaign in {str(file)!r} is not of the aggressive variant; leave out --aggressive")
    found.next_options()
    return found


def _note(campaign: Any, file: Path, table: Table) -> None:
    """Write the game into its campaign if it is over, and say how the campaign stands."""
    if not table.game.is_over:
        table.say(f"The game is not over and not noted in {file}.")
        return
    result = campaign.record(table.game)
    campaign.save(file)
    table.say(f"Campaign: challenge {result.challenge}, {result.outcome}. Noted in {file}.", style="bold")
    if campaign.is_complete:
        table.say(f"The campaign is complete. Your score: {campaign.score} games.", style="bold")
        return
    table.say(
        f"Games so far: {campaign.score}. Next: challenge {campaign.challenge}, bonus action tokens: {campaign.losses}."
    )


def _save(game: Game, file: Path | None) -> None:
    """Write a log atomically. OSError if that fails."""
    from vitienv.core.files import write_json

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
        from vitienv.commands.replay import heading_of

        heading = None
        try:
            while not self.game.is_over:
                now = heading_of(self.game) if self.game.round else "Set-up"
                if now != heading:
                    heading = now
                    self.say(f"\n{now}", style="bold")
                if self.game.seat == self.seat:
                    self._ask()
                else:
                    self._bot()
        except (Leave, EOFError):
            self.say("You leave the table.")
            return
        self._result()

    def say(self, text: str, style: str | None = None) -> None:
        """Print a line, on stderr if stdout is for JSON."""
        self.screen.print(text, style=style, markup=False, soft_wrap=True)

    def _drawn(self, viewer: int | None = None) -> str:
        return self.game.definition.call("render")(self.game, viewer=viewer)

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
        self.say(f"  seat {seat} ({agent.name}) {decision}: {told}")

    def _ask(self) -> None:
        self.say("")
        self.say(self._drawn(self.seat))
        self._list()
        while True:
            # Without a prompt if stdout is for JSON: input() would write it there.
            words = input("" if self.quiet else f"{self.game.decision}> ").strip()
            if words and self._answer(words):
                return

    def _list(self) -> None:
        legal = self.game.legal_actions()
        width = max(len(name) for name in legal) + 6
        self.say(f"\nYou are seat {self.seat}: {self.game.decision}", style="bold")
        for i in range(0, len(legal), COLUMNS):
            row = [f"{i + k + 1:3} {name}".ljust(width) for k, name in enumerate(legal[i : i + COLUMNS])]
            self.say("  ".join(row).rstrip())

    def _answer(self, words: str) -> bool:
        """Do what was typed. True if a move was made."""
        verb, _, rest = words.partition(" ")
        if verb in ("quit", "exit"):
            raise Leave
        if verb in ("help", "?"):
            self.say(HELP)
        elif verb == "show":
            self.say(self._drawn(self.seat))
        elif verb == "moves":
            self._list()
        elif verb == "save":
            self._save_as(rest.strip())
        else:
            return self._move(words)
        return False

    def _save_as(self, name: str) -> None:
        if not name:
            self.say("save FILE")
            return
        try:
            _save(self.game, Path(name))
        except OSError as error:
            self.say(f"not saved: {error.strerror or error}")

    def _move(self, words: str) -> bool:
        legal = self.game.legal_actions()
        if words.isdigit() and 1 <= int(words) <= len(legal):
            chosen = [legal[int(words) - 1]]
        else:
            chosen = [name for name in legal if name == words] or [name for name in legal if name.startswith(words)]
        if len(chosen) != 1:
            problem = f"which of {', '.join(chosen)}?" if chosen else f"{words!r} is not possible here"
            self.say(f"{problem} (a number from 1 to {len(legal)}, a name, or help)")
            return False
        self.game.step(chosen[0])
        return True

    def _result(self) -> None:
        self.say("")
        self.say(self._drawn())
        self.say("\nThe game is over.", style="bold")
        for seat, (points, rank) in enumerate(zip(self.game.scores, self.game.ranking, strict=True)):
            who = "you" if seat == self.seat else self.agents[seat].name
            self.say(f"  {rank}. seat {seat} ({who}): {points} victory points")
        if self.game.outcome is not None:
            told = {"win": "You win", "draw": "A draw", "loss": "You lose"}[self.game.outcome]
            self.say(f"  {told} against the Automa at {self.game.automa_score}.")
