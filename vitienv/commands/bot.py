"""vitienv bot: begin an own bot, with a test of it, in the working folder; and check any bot."""

from __future__ import annotations

import keyword
import re
import sys
from contextlib import ExitStack
from importlib import resources
from importlib.metadata import requires
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from vitienv.console import GAME, JSON, OPTION, RULESET, SEED, echo, print_json, progress, set_options
from vitienv.render.text import seat_name

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

PLACEHOLDER = "NAME"
LAST_ROUND = 30  # of a game that a bot does not care to end


def application() -> typer.Typer:
    """The commands below `vitienv bot`."""
    app = typer.Typer(help="Bots of your own.", no_args_is_help=True)
    app.callback()(lambda: None)
    app.command("new")(new)
    app.command("check")(check)
    return app


def new(
    name: str = typer.Argument(..., help="Its name, in small letters: mybot is written into mybot.py."),
    game: str = GAME,
    json: bool = JSON,
) -> None:
    """Write NAME.py, a bot that plays, and test_NAME.py into the working folder; nothing is written over.

    The bot is then known as NAME.Bot to every command, as long as it is given in that folder.
    """
    from vitienv.core.files import atomic
    from vitienv.registry import game_spec

    made = game_spec(game)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ValueError(f"a bot's name is in small letters, digits and '_', not {name!r}")
    if (taken := _taken(name, made)) is not None:
        raise ValueError(f"{name!r} is the name of {taken}, which {name}.py would hide; choose another name")
    if made.template is None:
        raise ValueError(f"{made.title} has no bot to begin with; docs/custom-bots.md explains what a bot is")
    folder = resources.files(made.template)
    texts = {Path(f"{name}.py"): folder / "bot.py", Path(f"test_{name}.py"): folder / "test_bot.py"}
    for path in texts:
        if path.exists():
            raise ValueError(f"{str(path)!r} is there already; choose another name")
    with ExitStack() as both:  # or none of them
        for path, template in texts.items():
            text = template.read_text(encoding="utf-8").replace(PLACEHOLDER, name)
            both.enter_context(atomic(path)).write_text(text, encoding="utf-8")
    if json:
        print_json({"agent": f"{name}.Bot", "files": [str(path) for path in texts]})
        return
    echo(f"Written: {', '.join(map(str, texts))}. Its test: python test_{name}.py")
    echo(f"Rate it: vitienv tournament {name}.Bot random heuristic visitors cellar --players 4 --games 100")


def check(
    bot: str = typer.Argument(..., help="The bot, such as mybot.Bot or 'program:python mybot.py'."),
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    players: int = typer.Option(2, help="Seats at the table."),
    games: int = typer.Option(10, min=1, help="Games against random, half of them the same again."),
    seed: int = SEED,
    json: bool = JSON,
) -> None:
    """Play some games with a bot: whether it answers, always legally, and alike in the same game, and how quickly.

    Status 1 if something is wrong.
    """
    import time

    import numpy as np

    from vitienv.agents.protocol import Bot
    from vitienv.agents.query import BotCrashed
    from vitienv.agents.seeding import game_seeds, make_bots
    from vitienv.core.errors import IllegalAction
    from vitienv.registry import game_spec
    from vitienv.training.evaluation.match import play, warm_up

    of_game = game_spec(game).options
    options = of_game.of(
        **{of_game.LIMIT: LAST_ROUND, **set_options(assignments, game, ruleset), "num_players": players}
    )
    seeds = game_seeds(seed, range(-(-games // 2)))
    seats = [[1] * players for _ in seeds]
    for i, row in enumerate(seats):
        row[i % players] = 0
    wrong: list[str] = []
    ours = [one for one in make_bots([bot], seed, game) if isinstance(one, Bot)]
    warm_up(ours, options.game_spec, options.to_dict())
    asked, began = 0, time.perf_counter()
    moves: list[list[np.ndarray]] = []
    try:
        with progress("playing") as tell:
            for _ in range(2):

                def count(ended: int) -> None:
                    tell(len(moves) * len(seeds) + ended, 2 * len(seeds))

                played = play(options, seeds, seats, make_bots([bot, "random"], seed, game), count)
                moves.append(played.moves)
                asked += sum(len(game_moves) for game_moves in played.moves)
                for i, (seat, forfeit) in played.forfeits.items():
                    wrong.append(f"game {i} (seed {seeds[i]}), {seat_name(seat)}: {forfeit.kind}: {forfeit.text}")
        wrong = list(dict.fromkeys(wrong))  # a fault that a repeated game shows again is printed once
        differing = [i for i, (one, two) in enumerate(zip(*moves)) if not np.array_equal(one, two)]
        if differing and not wrong:
            wrong.append(f"game {differing[0]} (seed {seeds[differing[0]]}) went another way when it was played again")
    except (BotCrashed, IllegalAction) as error:
        wrong.append(str(error))
    took = time.perf_counter() - began
    told = {"agent": bot, "games": 2 * len(seeds), "moves": asked, "seconds": took, "wrong": wrong}
    if json:
        print_json(told)
    else:
        for line in wrong:
            echo(f"wrong: {line}")
        if not wrong:
            echo(f"{bot}: {2 * len(seeds)} games, {asked} moves, {took:.1f} s; nothing wrong")
    if wrong:
        raise typer.Exit(1)


def _taken(name: str, made: GameSpec) -> str | None:
    """The owner of this name, or None: Python would load the new file in its place, or the owner instead of the bot."""
    from vitienv.agents import agent_names
    from vitienv.registry import canonical_name, game_names

    if name in sys.stdlib_module_names:
        return "a module of Python's library"
    if any(name in agent_names(game) for game in {*game_names(), canonical_name(made)}):
        return "a bot that there is"
    found = find_spec(name)
    here = Path.cwd().resolve()
    is_own = found is not None and found.origin is not None and Path(found.origin).resolve().parent == here
    if found is not None:
        return None if is_own else "an installed package"
    needed = {re.split(r"[^\w-]", line)[0].replace("-", "_") for line in requires("vitienv") or ()}
    return "a package that some of this project needs" if name in needed else None
