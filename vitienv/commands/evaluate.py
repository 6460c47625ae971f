"""vitienv evaluate: a bot among others, alone, as a team, in the campaign."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.console import (
    GAME,
    JSON,
    ON,
    PROCESSES,
    RULESET,
    SEED,
    SET,
    TRUST,
    counted,
    echo,
    listed,
    print_json,
    print_remarks,
    progress,
    set_options,
    warn_few_seeds,
)
from vitienv.core.english import read_integer
from vitienv.games import MEASURES, definition
from vitienv.render.text import seat_name

if TYPE_CHECKING:
    from vitienv.training.workers import Executor

TABLE, LEVEL = "table", "level"
# The measurements, and the options that only some of them have.
KINDS = {
    TABLE: "a bot among others", "alone": "a bot alone", "team": "a team", "campaign": "a campaign",
    LEVEL: "a bot's level",
}  # fmt: skip
HOW = {
    TABLE: "--against BOT with two or more --players", "alone": "--players 1", "team": "no --against",
    "campaign": "--campaign N", LEVEL: "--levels",
}  # fmt: skip
OF_KINDS = {
    "against": (TABLE, "alone"), "beside": ("team",), "difficulty": ("alone", "campaign", LEVEL), "form": ("alone",),
    "games": (TABLE, "alone", "team", LEVEL), "campaigns": ("campaign",), "max_games": ("campaign",),
    "max_years": (TABLE,), "out": ("alone", "team"), "keep": ("team",),
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """The measurement asked for. bots: each by itself. players: numbers with commas, None for the usual one. options:
    of the game. The others are as on the command line, None for an option left out."""

    bots: list[str]
    against: list[str] | None
    beside: str | None
    players: str | None
    difficulty: str | None
    form: str | None
    options: dict[str, Any]
    campaigns: int | None
    max_games: int | None
    games: int | None
    max_years: int | None
    seed: int
    where: Executor
    game: str
    out: Path | None
    keep: Path | None
    json: bool
    levels: bool = False

    def line(self, games: int) -> str:
        """The command that measures the same again."""
        words = ["vitienv", "evaluate", *self.bots, *(["--game", self.game] if self.kind == "team" else [])]
        words += ["--against", ",".join(self.against)] if self.against else []
        for name in ("beside", "players", "form", "difficulty"):
            words += [f"--{name}", getattr(self, name)] if getattr(self, name) is not None else []
        for name, value in self.options.items():
            words += ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
        return shlex.join([*words, "--games", str(games), "--seed", str(self.seed)])

    @property
    def kind(self) -> str:
        """What of `KINDS` is measured."""
        if self.levels:
            return LEVEL
        if self.campaigns is not None:
            return "campaign"
        if self.against is None and definition(self.game).token is not None:
            return "team"
        is_alone = self.players == "1" or self.options.get("ruleset") == "solo" or self.difficulty is not None
        return "alone" if is_alone else TABLE

    @property
    def kinds(self) -> list[str]:
        """What of `KINDS` the game has."""
        here = {TABLE} if definition(self.game).is_of_team else {TABLE, LEVEL}
        return [kind for kind in KINDS if kind in here or (self.game, kind) in MEASURES]

    def told(self, ruleset: str, *known: str) -> dict[str, Any]:
        """The options of the game. ruleset: the one that is measured; known: the others. ValueError for another."""
        for name in self.options:
            if name not in ("ruleset", *known):
                raise ValueError(f"--set {name} is not for {KINDS[self.kind]}; it has {', '.join(('ruleset', *known))}")
        given = self.options.get("ruleset", ruleset)
        if given != ruleset:
            raise ValueError(f"ruleset is {given!r}; for {KINDS[self.kind]} it must be {ruleset!r}")
        if self.kind != "team":
            self.check_alone(self.kind)
        return self.options

    def check_alone(self, kind: str) -> None:
        """ValueError if there are others at the table of a bot alone. kind: what is measured."""
        if self.players not in (None, "1"):
            raise ValueError(f"--players is {self.players}; for {KINDS[kind]} it must be 1")

    def table(self) -> str:
        """The ladder's table at which a level is found. ValueError, in one line, for what is at none."""
        tables = definition(self.game).tables
        for name in self.options:
            if name != "ruleset":
                raise ValueError(f"--set {name} is not for {KINDS[LEVEL]}; tables are as on the ladder")
        ruleset = self.options.get("ruleset")
        if ruleset not in (None, "solo"):
            right = "'solo', or left out" if "solo" in tables else "left out"
            raise ValueError(f"ruleset is {ruleset!r}; for {KINDS[LEVEL]} it must be {right}")
        if self.players != "1" and ruleset is None and self.difficulty is None:
            return self.players or "2"
        self.check_alone("alone")
        if self.difficulty in (None, "normal"):
            return "solo"
        table = f"solo/{self.difficulty}"
        if "solo" in tables and table not in tables:
            right = ", ".join(["normal", *(one.partition("/")[2] for one in tables if one.startswith("solo/"))])
            raise ValueError(f"difficulty is {self.difficulty!r}; for {KINDS[LEVEL]} it must be one of {right}")
        return table


def command(
    bots: list[str] = typer.Argument(..., metavar="BOT", help="The bots to measure, such as policy:best.zip."),
    against: str = typer.Option(
        None, "--against", help="The bot in all other seats, or several with commas; alone: in the Automa's place."
    ),
    beside: str = typer.Option(None, "--beside", help="Of a team: a bot in every second seat."),
    players: str = typer.Option(None, help="Seats, 1 to 6, by default 2; of a team several with commas."),
    difficulty: str = typer.Option(
        None, "--difficulty", help="Alone: very_easy, easy, normal (if not given), hard, very_hard, or all of them."
    ),
    form: str = typer.Option(
        None, help="What a bot in the Automa's place is: rival (two full vineyards, more points win; the default) or "
        "blocker (its workers only block spaces)."
    ),
    campaigns: int = typer.Option(None, "--campaign", metavar="N", help="Play N campaigns of the solo game instead."),
    levels: bool = typer.Option(False, "--levels", help="Find the level from 1 to 10 at which the bot plays."),
    max_games: int = typer.Option(None, help="Give a campaign up after this many games (100)."),
    games: int = typer.Option(
        None, help="Games (100, of a team 2000) for each row; among others rounded up to every seat on every seed."
    ),
    seed: int = SEED,
    processes: int = PROCESSES,
    on: str = ON,
    max_years: int = typer.Option(None, min=1, help="Among others: cut off after this year, or round (60)."),
    game: str = GAME,
    ruleset: str = RULESET,
    given: list[str] = SET,
    out: Path = typer.Option(
        None, help="Write the table too: alone Markdown, between <!-- table: solo --> and <!-- end -->, of teams CSV."
    ),
    keep: Path = typer.Option(None, help="Of a team: keep played games in this file; the same command continues."),
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:  # fmt: skip
    """Measure bots: how often they win, with 95 % intervals, and their points.

    With --against a bot plays among others, in every seat on the same seeds; a game that is cut off is not won. With
    --players 1 or --difficulty it plays alone, with --campaign N the eight challenges in order, each until it is won.
    In World without --against it fills all seats of a team. With --levels it meets the levels nearest to it, at
    --players or alone.
    """
    from vitienv.training.places import executor

    others = None if against is None else listed(against, "--against")
    asked = Asked(
        bots, others, beside, players, difficulty, form, set_options(given, game, ruleset), campaigns, max_games, games,
        max_years, seed, executor(on, processes), game, out, keep, json, levels,
    )  # fmt: skip
    kind = asked.kind
    if kind not in asked.kinds:
        there_is = "; ".join(f"{KINDS[one]} ({HOW[one]})" for one in asked.kinds)
        raise ValueError(f"{game} has nothing to measure for {KINDS[kind]}, only for {there_is}")
    for name, kinds in OF_KINDS.items():
        if getattr(asked, name) is not None and kind not in kinds:
            option = {"campaigns": "campaign"}.get(name, name.replace("_", "-"))
            homes = " or ".join(KINDS[one] for one in kinds if one in asked.kinds)
            raise ValueError(f"--{option} is {f'for {homes}, ' if homes else ''}not for {KINDS[kind]} in {game}")
    if kind == TABLE:
        _among_others(asked)
    elif kind == LEVEL:
        _level_of(asked)
    else:
        import_module(MEASURES[game, kind]).show(asked)


def _among_others(asked: Asked) -> None:
    from vitienv.training.measure.evaluate import evaluate

    players, games = asked.players or "2", 100 if asked.games is None else asked.games
    if asked.against is None:
        can_be_alone = "alone" in asked.kinds and "ruleset" not in asked.options
        alone = f", or {HOW['alone']} for the game alone" if can_be_alone else ""
        raise ValueError(f"who sits in the other seats? Say so with --against BOT{alone}")
    if len(asked.bots) > 1:
        raise ValueError(f"{len(asked.bots)} bots are measured one by one; a tournament plays them against each other")
    if (num_players := read_integer(players)) is None:
        raise ValueError(f"--players is {players!r}; it must be a number of seats")
    bot, against = asked.bots[0], ",".join(asked.against)
    with progress("playing") as tell:
        result = evaluate(
            bot, asked.against, num_players, games, asked.seed, asked.where,
            60 if asked.max_years is None else asked.max_years, tell, asked.game, asked.options,
        )  # fmt: skip
    warn_few_seeds(result["seeds"])
    if asked.json:
        print_json(result)
        return
    if result["games"] != games:
        echo(f"{games} games are no multiple of {players} seats: {result['games']} were played.", err=True)
    chance = "" if result["by_chance"] is None else f"; by chance {100 * result['by_chance']:.1f}"
    rate, points, word = result["win_rate"], result["points"], definition(asked.game).clock.word
    echo(
        f"{bot} against {against}, {players} players, {result['games']} games on {counted(result['seeds'], 'seed')}: "
        f"wins {100 * rate['value']:.1f} % ({100 * rate['low']:.1f} to {100 * rate['high']:.1f}{chance}), "
        f"{points['value']:.1f} points against {result['points_of_others']:.1f}, "
        f"{result['mean_years']:.1f} {word}s" + (f", {result['cut_off']} cut off" if result["cut_off"] else "")
    )
    for seat in result["by_seat"]:
        wins = 100 * seat["win_rate"]["value"]
        echo(f"  {seat_name(seat['seat'])}: wins {wins:.1f} %, {seat['mean_points']:.1f} points")
    print_remarks(result, before="  ")


def _level_of(asked: Asked) -> None:
    from vitienv.training.measure.levels import find

    table, games = asked.table(), 100 if asked.games is None else asked.games
    results = []
    for bot in asked.bots:
        with progress("playing") as tell:
            results.append(find(bot, table, games, asked.seed, asked.game, on_progress=tell))
    warn_few_seeds(results[0]["seeds"])
    if asked.json:
        print_json(results)
        return
    for result in results:
        met = ", ".join(f"{games} against level {level}" for level, games in result["met"].items())
        echo(
            f"{result['agent']}, table {table}: level {result['level']:.1f} ({result['level_low']:.1f} to "
            f"{result['level_high']:.1f}) after {result['games']} games on {counted(result['seeds'], 'seed')}: {met}"
        )
        print_remarks(result, before="  ")
