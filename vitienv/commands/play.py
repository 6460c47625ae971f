"""vitienv play: games in the terminal against bots or the Automa."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.console import (
    GAME,
    OPTION,
    RULES,
    TRUST,
    is_set,
    print_json,
    reject,
    reject_others,
    set_options,
    split_list,
)
from vitienv.session.autosave import Autosave, check_new
from vitienv.session.game_session import GameSession
from vitienv.session.replay import PERSON, read_seats
from vitienv.session.terminal import Terminal

FLAGS = ("ruleset", "difficulty")  # options of the game that have a flag

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
    game_name: str = GAME,
    assignments: list[str] = OPTION,
    trust: bool = TRUST,
    web: bool = typer.Option(False, "--web", help="Play in the browser: run a local server until Ctrl-C."),
    host: str = typer.Option("127.0.0.1", help="With --web: address to listen on; by default this machine only."),
    port: int = typer.Option(8000, min=0, max=65535, help="With --web: port of the server; 0 selects a free one."),
    json: bool = typer.Option(False, "--json", help="Print the log as JSON at the end."),
) -> None:
    """Play in the terminal, with choices read from standard input, or with --web in the browser.

    Games are saved automatically in your data directory: --resume continues the last one, --load NAME another one;
    `vitienv replay` lists and deletes them.
    A campaign game counts once it is over; --resume continues an unfinished one.
    """
    if web:
        reject_others(context, "with --web, games are set up in the browser", "web", "host", "port", "game_name",
                      "ruleset", "trust")  # fmt: skip
        from vitienv.web.server import serve

        serve(game_name, host, port, ruleset=ruleset)
        return
    reject(context, "only --web starts a server", "host", "port")
    from vitienv.commands.replay import load as read
    from vitienv.registry import game_from_untrusted_file
    from vitienv.session import saves

    if save is not None:
        check_new(save, may_be=load)
    file = load
    if resume:
        reject_others(context, "--resume restores the settings of the game", "resume", "save", "game_name", "trust",
                      "json")  # fmt: skip
        file = saves.last_game()
    elif load is not None and (saved_game := saves.game_file(load)) is not None:
        file, resume = saved_game, True  # updated in place
    log = {} if file is None else read(file)
    game = game_name if is_set(context, "game_name") else None
    game_name = game or (game_from_untrusted_file(log) if log else game_name)
    options = set_options(assignments, game_name, ruleset, difficulty=difficulty)
    arguments = {"bots": bots, "players": players, "seat": seat, "seed": seed, "game": game}
    session, autosave, campaign_game = _set_up(file, log, resume, campaign, save, load, game_name, options, arguments)
    table = Terminal(session, autosave.save, autosave.save_as, is_quiet=json)
    if campaign_game is not None:
        table.print(f"Campaign, challenge {campaign_game.challenge}, game {campaign_game.score + 1}")
    table.print_sentences([_greeting(session, file is not None), "Type help for help."])
    is_over = False
    try:
        is_over = table.play()
    finally:
        autosave.leave(table)
    if is_over and not json:
        from vitienv.agents.game_level import levels_in
        from vitienv.training.evaluation.player_rating import describe_level

        if (levels := levels_in(session.game)) and len(session.people) == 1:
            table.print(f"You played like {levels[session.people[0]].describe()}.")
        if level := describe_level(session.game):
            table.print(level)
    if campaign_game is not None:
        _record(campaign_game, autosave.campaign, session.game, table, is_over)
    if json:
        print_json(session.log)


def _set_up(
    file: Path | None,
    log: dict[str, Any],
    resume: bool,
    campaign_file: Path | None,
    save: Path | None,
    load: Path | None,
    game_name: str,
    options: dict[str, Any],
    arguments: Mapping[str, Any],
) -> tuple[GameSession, Autosave, Any]:
    from vitienv.core.compiling.progress import PROGRESS
    from vitienv.session import saves
    from vitienv.session.undo import reveals_nothing

    campaign = None
    if resume and log.get("campaign"):
        campaign_file = Path(log["campaign"])
    if campaign_file is not None:
        settings_of_log = {f"--{name}": arguments[name] for name in ("bots", "players")}
        settings_of_log |= {f"--option {name}": True for name in options if name not in (*FLAGS, "aggressive")}
        _reject("a campaign determines its games", settings_of_log)
        campaign = _campaign(campaign_file, game_name, options, arguments["seed"])
    with PROGRESS.group(()):
        if file is not None:
            session = _loaded(log, file, arguments, options, is_own_file=resume)
            if campaign is not None:
                campaign.check(session.game)
        else:
            session = _new(game_name, options, arguments, campaign)
        _compile(session.agents.values(), session.game.game_spec, session.game.options.to_dict())
        # Compile the kernels of the display and of undo before the game starts.
        _ = session.text_module.table(session.game, None, session.names), session.game.scores
        reveals_nothing(session.game, session.game, session.people)
    autosave_file = file if resume and file else saves.new_game_file(session.game._seed)
    autosave = Autosave(session, autosave_file, save, load, campaign_file)
    if campaign_file is not None and campaign is not None:
        campaign.save(campaign_file)  # fail before the game if the file is not writable
    return session, autosave, campaign


def _greeting(session: GameSession, is_loaded: bool) -> str:
    game, names = session.game, session.names
    opponents = [names[seat] for seat in sorted(session.agents)]
    opponent_list = f" against {', '.join(opponents)}" if opponents else ""
    seed = "" if game._seed is None else f" Seed {game._seed} (repeat it with --seed {game._seed})."
    opening = "continues" if is_loaded else "starts"
    return f"{game.game_spec.title}, {game.options.ruleset}{opponent_list}: the game {opening}.{seed}"


def _compile(bots: Iterable[Agent], game: GameSpec, options: Mapping[str, Any]) -> None:
    from vitienv.agents.protocol import Bot
    from vitienv.training.evaluation.match import warm_up

    loops = game.options.of(**options).game_spec.kernels
    builtin_bots = [bot for bot in bots if isinstance(bot, Bot)]
    warm_up(builtin_bots, game, options, "consider", [loops.determinize, loops.observe_seat])


def _new(game_name: str, options: dict[str, Any], arguments: Mapping[str, Any], campaign: Any) -> GameSession:
    import vitienv
    from vitienv.agents.seeding import make_bots

    spec = vitienv.game_spec(game_name)
    specs = None if arguments["bots"] is None else split_list(arguments["bots"], "--bots")
    seed = new_seed(arguments["seed"])
    if campaign is not None:
        seed, options = campaign.next_seed, campaign.next_options().to_dict()
    else:
        min_players = spec.options.of(**{"ruleset": options.get("ruleset", spec.rulesets[0])}).num_players
        if min_players == 1:
            _reject("the solo game has no other players", {"--bots": arguments["bots"]})
            options = options | {"num_players": arguments["players"]}
        else:
            num_players = arguments["players"] or max(min_players, len(specs or ["one"]) + 1)
            if specs and len(specs) >= num_players:
                raise ValueError(
                    f"--bots must name at most {num_players - 1} bots for {num_players} players, got {len(specs)}"
                )
            options = options | {"num_players": num_players}
    players = spec.options.of(**options).num_players
    seat = _seat_index(players, arguments["seat"])
    opponents = _seat_bots(players, seat, specs or [spec.heuristic_bot])
    bots = make_bots(opponents.values(), seed, game_name)  # reject unknown bots before the slow compilation
    _compile(bots, spec, options)
    return _create_session(vitienv.Game.new(seed=seed, game=game_name, **options), opponents, bots)


def _create_session(game: Game, specs: Mapping[int, str], bots: Iterable[Agent], log: Any = None) -> GameSession:
    seats = [specs.get(seat, PERSON) for seat in range(game.num_players)]
    return GameSession(game, seats, log, dict(zip(specs, bots, strict=True)))


def _seat_index(players: int, number: int | None) -> int:
    if number is not None and not 1 <= number <= players:
        raise ValueError(f"--seat must be from 1 to {players}, got {number}")
    return (number or 1) - 1


def _seat_bots(players: int, seat: int, specs: list[str]) -> dict[int, str]:
    """Return the bots of the other seats, clockwise from the person's seat; a short list is repeated."""
    seats = [(seat + k) % players for k in range(1, players)]
    return {opponent: specs[i % len(specs)] for i, opponent in enumerate(seats)}


def _loaded(
    log: dict[str, Any], file: Path, arguments: Mapping[str, Any], options: Mapping[str, Any], is_own_file: bool
) -> GameSession:
    """Continue the game of a log. Raises ValueError for options that contradict it.

    is_own_file: an autosave of this user; bots of other files are only run if they are trusted.
    """
    import vitienv
    from vitienv.agents.registry import check_untrusted_specs
    from vitienv.agents.seeding import make_bots
    from vitienv.registry import canonical_name

    game = vitienv.replay(log)
    game_name = canonical_name(game.game_spec)
    _merge("--game", arguments["game"], game_name, file)
    seat, specs = read_seats(log, game.num_players)
    seat = _seat_index(game.num_players, _merge("--seat", arguments["seat"], None if seat is None else seat + 1, file))
    if arguments["bots"] is not None or not specs:
        names = arguments["bots"]
        bots = [game.game_spec.heuristic_bot] if names is None else split_list(names, "--bots")
        opponents = _seat_bots(game.num_players, seat, bots)
        for opponent_seat, spec in opponents.items():
            _merge("--bots", spec, specs.get(opponent_seat), file, spec)
        specs = opponents
    elif not is_own_file:
        check_untrusted_specs(specs.values(), repr(str(file)), game_name)
    _merge("--players", arguments["players"], game.num_players, file)
    _merge("--seed", arguments["seed"], log.get("seed"), file)
    saved_options = game.options.to_dict()
    for name, value in options.items():
        if name not in saved_options:
            raise ValueError(f"--{name} does not belong to the game in {str(file)!r}; leave it out")
        _merge(f"--{name}" if name in FLAGS else f"option {name}", value, saved_options[name], file)
    specs = {i: specs.get(i, game.game_spec.heuristic_bot) for i in range(game.num_players) if i != seat}
    agents = make_bots(specs.values(), game._seed or 0, game_name)
    return _create_session(game, specs, agents, log)


def _merge(flag: str, argument: Any, saved: Any, file: Path, default: Any = None) -> Any:
    """Return the value of an option in a log, or else on the command line. Raises ValueError if they differ."""
    if argument is not None and saved is not None and argument != saved:
        raise ValueError(f"{flag} must be {saved} for the game in {str(file)!r}, got {argument}; leave it out")
    return saved if saved is not None else default if argument is None else argument


def _reject(reason: str, option_values: Mapping[str, Any]) -> None:
    for name, value in option_values.items():
        if value not in (None, False):
            raise ValueError(f"{reason}; leave out {name}")


def _campaign(file: Path, game_name: str, options: Mapping[str, Any], seed: int | None) -> Any:
    """Load or create a campaign. Raises ValueError if it is complete or its settings differ from the options."""
    from vitienv.registry import game_spec

    difficulty, aggressive = options.get("difficulty"), options.get("aggressive", False)
    game: GameSpec = game_spec(game_name)
    if game.campaign is None:
        raise ValueError(f"{game.title} has no campaign; leave out --campaign")
    kind = import_module(game.campaign).Campaign
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


def _record(campaign: Any, file: Path | None, game: Game, table: Terminal, is_over: bool) -> None:
    assert file is not None
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
