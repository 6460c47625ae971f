"""vitienv play: games in the terminal against bots or the Automa."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.console import (
    GAME,
    OPTION,
    RULES,
    TRUST,
    check_game,
    is_set,
    reject,
    reject_others,
    set_options,
    split_list,
)
from vitienv.registry import canonical_name, game_from_untrusted_file, game_spec
from vitienv.session.autosave import Autosave, check_new
from vitienv.session.game_session import GameSession
from vitienv.session.replay import PERSON, read_seats
from vitienv.session.terminal import Terminal

CAMPAIGN_OPTIONS = ("ruleset", "difficulty", "aggressive")
RESTORED = ("players", "seed", "ruleset", "difficulty", "assignments")  # parameters that a log determines

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.core.game_spec import GameSpec
    from vitienv.game import Game


def command(
    context: typer.Context,
    bots: str = typer.Option(
        None,
        help="Bots of the other seats, clockwise, separated by commas: level:1 (easy) to level:10, or any other; by "
        "default heuristic, in solo none. A search with thousands of simulations takes seconds per decision, far less "
        "with playout=none.",
    ),
    players: int = typer.Option(None, help="Number of seats; by default you and the bots."),
    seat: int = typer.Option(None, help="Your seat, counted from 1; by default 1."),
    seed: int = typer.Option(None, min=0, help="Seed of the game; by default a random one, which is printed."),
    ruleset: str = typer.Option(None, help=f"Ruleset: {RULES} In solo you play against the Automa."),
    difficulty: str = typer.Option(None, help="Solo: very_easy, easy, normal (the default), hard or very_hard."),
    campaign: Path = typer.Option(
        None, help="Campaign file: play its next game. Created if missing; updated when the game ends."
    ),
    resume: bool = typer.Option(False, "--resume", help="Resume the last unfinished game."),
    load: Path = typer.Option(
        None, help="Log or name of a saved game to continue in the same seat against the same bots."
    ),
    save: Path = typer.Option(None, help="New file for the log, written at the end or when you quit."),
    game: str = GAME,
    assignments: list[str] = OPTION,
    trust: bool = TRUST,
    web: bool = typer.Option(False, "--web", help="Play in the browser: run a local server until Ctrl-C."),
    host: str = typer.Option("127.0.0.1", help="With --web: address to listen on; by default this machine only."),
    port: int = typer.Option(8000, min=0, max=65535, help="With --web: port of the server; 0 selects a free one."),
) -> None:
    """Play in the terminal, with choices read from standard input, or with --web in the browser.

    Games are saved automatically in your data directory: --resume continues the last one, --load NAME another one;
    `vitienv replay` lists and deletes them.
    A campaign game counts once it is over; --resume continues an unfinished one.
    """
    if web:
        reject_others(context, "with --web, games are set up in the browser", "web", "host", "port", "game",
                      "ruleset", "trust")  # fmt: skip
        from vitienv.web.server import serve

        serve(game, host, port, ruleset=ruleset)
        return
    reject(context, "only --web starts a server", "host", "port")
    from vitienv.commands.replay import load as read
    from vitienv.core.compiling.progress import PROGRESS
    from vitienv.session import saves

    if save is not None:
        check_new(save, may_be=load)
    file = load
    if resume:
        reject_others(context, "--resume restores the settings of the game", "resume", "save", "game", "trust")
        file = saves.last_game()
    elif load is not None:
        reject(context, "--load restores the settings of the game", *RESTORED)
        if (saved_game := saves.game_file(load)) is not None:
            file, resume = saved_game, True  # updated in place
    log = {} if file is None else read(file)
    if log and not is_set(context, "game"):
        game = game_from_untrusted_file(log)
    if resume and log.get("campaign"):
        campaign = Path(log["campaign"])
    options = set_options(assignments, game, ruleset, difficulty=difficulty)
    campaign_game = None
    if campaign is not None:
        settings = {"--bots": bots, "--players": players}
        settings |= {f"--option {name}": True for name in options if name not in CAMPAIGN_OPTIONS}
        _reject("a campaign determines its games", settings)
        campaign_game = _campaign(campaign, game, options, seed)
    with PROGRESS.group(()):
        if file is None:
            session = _new(game, options, bots, players, seat, seed, campaign_game)
        else:
            session = _loaded(log, file, bots, seat, is_own_file=resume)
            check_game(context, canonical_name(session.game.game_spec), f"the game in {str(file)!r}")
            if campaign_game is not None:
                campaign_game.check(session.game)
        _compile(session)
    autosave_file = file if resume and file else saves.new_game_file(session.game._seed)
    autosave = Autosave(session, autosave_file, save, load, campaign)
    if campaign is not None and campaign_game is not None:
        campaign_game.save(campaign)  # fail before the game if the file is not writable
    table = Terminal(session, autosave.save, autosave.save_as)
    if campaign_game is not None:
        table.print(f"Campaign, challenge {campaign_game.challenge}, game {campaign_game.score + 1}")
    table.print_sentences([_greeting(session, file is not None), "Type help for help."])
    is_over = False
    try:
        is_over = table.play()
    finally:
        autosave.leave(table)
    if is_over:
        from vitienv.agents.game_level import levels_in
        from vitienv.training.evaluation.player_rating import describe_level

        if (levels := levels_in(session.game)) and len(session.people) == 1:
            table.print(f"You played like {levels[session.people[0]].describe()}.")
        if level := describe_level(session.game):
            table.print(level)
    if campaign is not None:
        _record(campaign_game, campaign, session.game, table, is_over)


def _greeting(session: GameSession, is_loaded: bool) -> str:
    game, names = session.game, session.names
    opponents = [names[seat] for seat in sorted(session.agents)]
    opponent_list = f" against {', '.join(opponents)}" if opponents else ""
    seed = "" if game._seed is None else f" Seed {game._seed} (repeat it with --seed {game._seed})."
    opening = "continues" if is_loaded else "starts"
    return f"{game.game_spec.title}, {game.options.ruleset}{opponent_list}: the game {opening}.{seed}"


def _compile(session: GameSession) -> None:
    """Compile the kernels of the bots, the display and undo before the game starts."""
    from vitienv.agents.protocol import Bot
    from vitienv.session.undo import reveals_nothing
    from vitienv.training.evaluation.match import warm_up

    game = session.game
    loops = game.game_spec.kernels
    builtin_bots = [bot for bot in session.agents.values() if isinstance(bot, Bot)]
    kernels = [loops.determinize, loops.observe_seat]
    warm_up(builtin_bots, game.game_spec, game.options.to_dict(), "consider", kernels)
    _ = session.text_module.table(game, None, session.names), game.scores
    reveals_nothing(game, game, session.people)


def _new(
    game_name: str,
    options: dict[str, Any],
    bots: str | None,
    num_players: int | None,
    seat_number: int | None,
    seed: int | None,
    campaign: Any,
) -> GameSession:
    import vitienv
    from vitienv.agents.seeding import make_bots

    spec, seed = vitienv.game_spec(game_name), new_seed(seed)
    if campaign is not None:
        seed, options = campaign.next_seed, campaign.next_options().to_dict()
    else:
        min_players = spec.options.of(**{"ruleset": options.get("ruleset", spec.rulesets[0])}).num_players
        if min_players == 1:
            _reject("the solo game has no other players", {"--bots": bots})
        elif num_players is None:
            num_players = max(min_players, 2 if bots is None else len(split_list(bots, "--bots")) + 1)
        options = options | {"num_players": num_players}
    players = spec.options.of(**options).num_players
    opponents = _seat_bots(players, _seat_index(players, seat_number), bots, spec)
    agents = make_bots(opponents.values(), seed, game_name)  # reject unknown bots before the slow compilation
    return _create_session(vitienv.Game.new(seed=seed, game=game_name, **options), opponents, agents)


def _create_session(game: Game, specs: Mapping[int, str], bots: Iterable[Agent], log: Any = None) -> GameSession:
    seats = [specs.get(seat, PERSON) for seat in range(game.num_players)]
    return GameSession(game, seats, log, dict(zip(specs, bots, strict=True)))


def _seat_index(players: int, number: int | None) -> int:
    if number is not None and not 1 <= number <= players:
        raise ValueError(f"--seat must be from 1 to {players}, got {number}")
    return (number or 1) - 1


def _seat_bots(players: int, seat: int, bots: str | None, game: GameSpec) -> dict[int, str]:
    """Return the bots of the other seats, clockwise from the person's seat; a short list is repeated."""
    specs = [game.heuristic_bot] if bots is None else split_list(bots, "--bots")
    if bots is not None and len(specs) >= players:
        raise ValueError(f"--bots must name at most {players - 1} bots for {players} players, got {len(specs)}")
    seats = [(seat + k) % players for k in range(1, players)]
    return {opponent: specs[i % len(specs)] for i, opponent in enumerate(seats)}


def _loaded(
    log: dict[str, Any], file: Path, bots: str | None, seat_number: int | None, is_own_file: bool
) -> GameSession:
    """Continue the game of a log, by default in its seat against its bots.

    is_own_file: an autosave of this user; bots of other files are only run if they are trusted.
    """
    import vitienv
    from vitienv.agents.registry import check_untrusted_specs
    from vitienv.agents.seeding import make_bots

    game = vitienv.replay(log)
    spec, players, game_name = game.game_spec, game.num_players, canonical_name(game.game_spec)
    seat, specs = read_seats(log, players)
    if seat is None or seat_number is not None:
        seat = _seat_index(players, seat_number)
    if bots is not None or not specs:
        specs = _seat_bots(players, seat, bots, spec)
    elif not is_own_file:
        check_untrusted_specs(specs.values(), repr(str(file)), game_name)
    specs = {i: specs.get(i, spec.heuristic_bot) for i in range(players) if i != seat}
    return _create_session(game, specs, make_bots(specs.values(), game._seed or 0, game_name), log)


def _reject(reason: str, option_values: Mapping[str, Any]) -> None:
    for name, value in option_values.items():
        if value not in (None, False):
            raise ValueError(f"{reason}; leave out {name}")


def _campaign(file: Path, game_name: str, options: Mapping[str, Any], seed: int | None) -> Any:
    """Load or create a campaign. Raises ValueError if it is complete or its settings differ from the options."""
    difficulty, aggressive = options.get("difficulty"), options.get("aggressive", False)
    game = game_spec(game_name)
    if game.campaign is None:
        raise ValueError(f"{game.title} has no campaign; leave out --campaign")
    kind = game.call("campaign")
    if (ruleset := options.get("ruleset", kind.ruleset)) != kind.ruleset:
        raise ValueError(f"--ruleset must be {kind.ruleset!r} in a campaign, got {ruleset!r}")
    if not file.exists():
        return kind(**({"difficulty": difficulty} if difficulty else {}), aggressive=aggressive, seed=new_seed(seed))
    campaign = kind.load(file)
    if difficulty not in (None, campaign.difficulty):
        raise ValueError(
            f"--difficulty must be {campaign.difficulty!r} for the campaign in {str(file)!r}, got {difficulty!r}"
        )
    if aggressive and not campaign.aggressive:
        raise ValueError(f"the campaign in {str(file)!r} does not use the aggressive variant; leave out the option")
    if seed not in (None, campaign.seed):
        raise ValueError(f"--seed must be {campaign.seed} for the campaign in {str(file)!r}, got {seed}")
    campaign.next_options()
    return campaign


def new_seed(seed: int | None) -> int:
    """Return the seed, or a random one of 32 bits for None."""
    import numpy as np

    return int(np.random.SeedSequence().generate_state(1, np.uint32)[0]) if seed is None else seed


def _record(campaign: Any, file: Path, game: Game, table: Terminal, is_over: bool) -> None:
    if not is_over:
        table.print(f"The game is unfinished and not recorded in {file}.")
        return
    result = campaign.record(game)
    campaign.save(file)
    table.print(f"Campaign: challenge {result.challenge}, {result.outcome}. Recorded in {file}.", style="bold")
    if campaign.is_complete:
        table.print(f"The campaign is complete. Your score: {campaign.score} games.", style="bold")
        return
    table.print(
        f"Games so far: {campaign.score}. Next: challenge {campaign.challenge}, bonus action tokens: {campaign.losses}."
    )
