"""vitienv bot: templates of custom bots, and checks of bots."""

from __future__ import annotations

import keyword
import re
import sys
from contextlib import ExitStack
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from vitienv.console import GAME, JSON, OPTION, RULESET, SEED, echo, print_json, progress, set_options
from vitienv.render.text import seat_name

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

PLACEHOLDER = "NAME"
MAX_ROUNDS = 30  # a bot under test may never end a game


def application() -> typer.Typer:
    """Return the subcommands of `vitienv bot`."""
    app = typer.Typer(help="Create and check custom bots.", no_args_is_help=True)
    app.callback()(lambda: None)
    app.command("new")(new)
    app.command("check")(check)
    return app


def new(
    name: str = typer.Argument(..., help="Name of the bot in lower case: mybot creates mybot.py."),
    game: str = GAME,
    json: bool = JSON,
) -> None:
    """Create NAME.py, a working bot, and test_NAME.py in the current directory. Existing files are not overwritten.

    All commands run in this directory accept the bot as NAME.Bot.
    """
    from vitienv.core.files import atomic
    from vitienv.registry import game_spec

    spec = game_spec(game)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ValueError(f"a bot's name must consist of lower-case letters, digits and '_', got {name!r}")
    if (owner := _name_conflict(name, spec)) is not None:
        raise ValueError(f"{name!r} is the name of {owner}, which {name}.py would hide; choose another name")
    if spec.template is None:
        raise ValueError(f"{spec.title} has no bot template; see docs/custom-bots.md")
    folder = resources.files(spec.template)
    texts = {Path(f"{name}.py"): folder / "bot.py", Path(f"test_{name}.py"): folder / "test_bot.py"}
    for path in texts:
        if path.exists():
            raise ValueError(f"{str(path)!r} already exists; choose another name")
    with ExitStack() as files:  # writes both files or neither
        for path, template in texts.items():
            text = template.read_text(encoding="utf-8").replace(PLACEHOLDER, name)
            files.enter_context(atomic(path)).write_text(text, encoding="utf-8")
    if json:
        print_json({"agent": f"{name}.Bot", "files": [str(path) for path in texts]})
        return
    echo(f"Created {', '.join(map(str, texts))}. Run its test: python test_{name}.py")
    echo(f"Rate it: vitienv tournament {name}.Bot random heuristic visitors cellar --players 4 --games 100")


def check(
    bot: str = typer.Argument(..., help="Bot, such as mybot.Bot or 'program:python mybot.py'."),
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    players: int = typer.Option(2, help="Seats at the table."),
    games: int = typer.Option(10, min=1, help="Games against random; the second half repeats the first."),
    seed: int = SEED,
    json: bool = JSON,
) -> None:
    """Check that a bot plays legal actions and is deterministic, and measure its speed.

    Exits with status 1 if a check fails.
    """
    import time

    import numpy as np

    from vitienv.agents.protocol import Bot
    from vitienv.agents.query import BotCrashed
    from vitienv.agents.seeding import game_seeds, make_bots
    from vitienv.core.errors import IllegalAction
    from vitienv.registry import game_spec
    from vitienv.training.evaluation.match import play, warm_up

    option_type = game_spec(game).options
    options = option_type.of(
        **{option_type.LIMIT: MAX_ROUNDS, **set_options(assignments, game, ruleset), "num_players": players}
    )
    seeds = game_seeds(seed, range(-(-games // 2)))
    seats = [[1] * players for _ in seeds]
    for i, row in enumerate(seats):
        row[i % players] = 0
    problems: list[str] = []
    builtin_bots = [first for first in make_bots([bot], seed, game) if isinstance(first, Bot)]
    warm_up(builtin_bots, options.game_spec, options.to_dict())
    num_moves, start_time = 0, time.perf_counter()
    moves: list[list[np.ndarray]] = []
    try:
        with progress("playing") as report:
            for _ in range(2):

                def count(ended: int) -> None:
                    report(len(moves) * len(seeds) + ended, 2 * len(seeds))

                played = play(options, seeds, seats, make_bots([bot, "random"], seed, game), count)
                moves.append(played.moves)
                num_moves += sum(len(game_moves) for game_moves in played.moves)
                for i, (seat, forfeit) in played.forfeits.items():
                    problems.append(f"game {i} (seed {seeds[i]}), {seat_name(seat)}: {forfeit.kind}: {forfeit.text}")
        problems = list(dict.fromkeys(problems))  # a repeated game reports the same problem again
        differing = [i for i, (first, second) in enumerate(zip(*moves)) if not np.array_equal(first, second)]
        if differing and not problems:
            problems.append(f"game {differing[0]} (seed {seeds[differing[0]]}) differs when it is repeated")
    except (BotCrashed, IllegalAction) as error:
        problems.append(str(error))
    seconds = time.perf_counter() - start_time
    summary = {"agent": bot, "games": 2 * len(seeds), "moves": num_moves, "seconds": seconds, "wrong": problems}
    if json:
        print_json(summary)
    else:
        for line in problems:
            echo(f"wrong: {line}")
        if not problems:
            echo(f"{bot}: {2 * len(seeds)} games, {num_moves} moves, {seconds:.1f} s; nothing wrong")
    if problems:
        raise typer.Exit(1)


def _name_conflict(name: str, spec: GameSpec) -> str | None:
    from vitienv.agents import agent_names
    from vitienv.registry import canonical_name, game_names

    if name in sys.stdlib_module_names:
        return "a module of the standard library"
    if any(name in agent_names(game) for game in {*game_names(), canonical_name(spec)}):
        return "an existing bot"
    module, directory = find_spec(name), Path.cwd().resolve()
    if module is None or (module.origin is not None and Path(module.origin).resolve().parent == directory):
        return None
    return "an installed package"
