"""vitienv play: a person at the keyboard against bots, or alone against the Automa."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.console import GAME, OPTION, RULES, TRUST, listed, print_json, set_options
from vitienv.session.autosave import Autosave, check_new
from vitienv.session.game_session import GameSession, seats_of
from vitienv.session.terminal import Terminal

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.core.game_spec import GameSpec
    from vitienv.game import Game


def command(
    bots: str = typer.Option(
        None,
        help="Bots of the other seats, clockwise, separated by commas: level:1 (easy) to level:10, or any other; "
        "heuristic if not given, none in solo. A search that plays leaves on takes seconds for a choice with thousands "
        "of simulations, far less with playout=none.",
    ),
    players: int = typer.Option(None, help="Seats at the table; by default you and the bots."),
    seat: int = typer.Option(None, help="Your seat, from 1 (if not given)."),
    seed: int = typer.Option(None, min=0, help="Deals the same game again; by default a new one, which is shown."),
    ruleset: str = typer.Option(None, help=f"The rules: {RULES} In solo you play against the Automa."),
    difficulty: str = typer.Option(None, help="Solo: very_easy, easy, normal (if not given), hard or very_hard."),
    aggressive: bool = typer.Option(False, "--aggressive", help="Solo: the Automa scores every year."),
    challenge: int = typer.Option(None, min=1, max=8, help="Solo: a challenge of the campaign."),
    campaign: Path = typer.Option(
        None, help="Play the next game of the campaign in this file, begun if it is not there; noted there at its end."
    ),
    resume: bool = typer.Option(False, "--resume", help="Resume the last unfinished game."),
    load: Path = typer.Option(
        None, help="Continue the game of this log, or of this name, in the same seat against the same bots."
    ),
    save: Path = typer.Option(None, help="Write the log here at the end or when you leave; a file that is not there."),
    draft_parents: bool = typer.Option(False, help="Variant: two mamas and two papas each, keep one of each."),
    friendly: bool = typer.Option(False, help="Variant: bonus spaces only for their bonus."),
    game_name: str = GAME,
    assignments: list[str] = OPTION,
    trust: bool = TRUST,
    web: bool = typer.Option(False, "--web", help="Play in the browser: a server on this machine, until Ctrl-C."),
    host: str = typer.Option("127.0.0.1", help="With --web: where it listens; by default for this machine alone."),
    port: int = typer.Option(8000, min=0, max=65535, help="With --web: its port; 0 takes a free one."),
    json: bool = typer.Option(False, "--json", help="At the end print the log as JSON."),
) -> None:
    """Play at the keyboard. Actions are read from standard input, so that they can come from a file too.

    Every game is kept in your data folder: --resume comes back to the one that you left last, --load NAME to another,
    and `vitienv replay` lists and removes them.
    A game of a campaign counts once it is over. If you leave it before, --resume goes on with it.
    """
    if web:
        chosen = {"--bots": bots, "--players": players, "--load": load, "--save": save,
                  "--campaign": campaign, "--option": assignments, "--json": json}  # fmt: skip
        _refuse("in the browser a game is chosen on the page", chosen)
        _serve(game_name, ruleset, host, port)
        return
    from vitienv.session import saves

    own = {"ruleset": ruleset, "difficulty": difficulty, "challenge": challenge, "aggressive": aggressive or None,
           "draft_parents": draft_parents or None, "friendly": friendly or None}  # fmt: skip
    options = {name: value for name, value in own.items() if value is not None}
    asked = {"bots": bots, "players": players, "seat": seat, "seed": seed, **options, "set": assignments or None}
    if save is not None:
        check_new(save, may_be=load)
    file = load
    if resume:
        named = {f"--{name}": value for name, value in asked.items()}
        _refuse("--resume comes back to the game as it was", named | {"--load": load, "--campaign": campaign})
        file = saves.last_game()
    elif load is not None and (found := saves.game_file(load)) is not None:
        file, resume = found, True  # it goes on where it is kept
    begun = _begun(file, resume, campaign, save, load, game_name, options | set_options(assignments, game_name), asked)
    table = Terminal(begun.session, begun.autosave.keep, begun.autosave.save_as, is_quiet=json)
    table.tell([*begun.greeting, "Type help for help."])
    is_over = False
    try:
        is_over = table.play()
    finally:
        begun.autosave.leave(table)
    if is_over and not json and (level := _level(begun.session.game)):
        table.say(level)
    if begun.campaign is not None:
        _note(begun.under_way, begun.campaign, begun.session.game, table, is_over)
    if json:
        print_json(begun.session.log)


@dataclass
class Begun:
    """A game that is to be played, new or gone on with. under_way, campaign: what it counts for, and its file."""

    session: GameSession
    autosave: Autosave
    under_way: Any = None
    campaign: Path | None = None
    is_loaded: bool = False

    @property
    def greeting(self) -> list[str]:
        """What is said at first: the campaign, who plays."""
        told = _greeting(self.session, self.is_loaded)
        if self.under_way is None:
            return [told]
        return [f"Campaign, challenge {self.under_way.challenge}, game {self.under_way.score + 1}", told]


def _begun(
    file: Path | None,
    resume: bool,
    campaign: Path | None,
    save: Path | None,
    load: Path | None,
    game_name: str,
    options: dict[str, Any],
    asked: Mapping[str, Any],
) -> Begun:
    """Make or load the game. ValueError for what does not fit together."""
    from vitienv.core.compiling.progress import WATCH
    from vitienv.session import saves
    from vitienv.session.undo import shows_nothing

    under_way = None
    log: dict[str, Any] = {}
    if file is not None:
        from vitienv.commands.replay import load as read

        log = read(file)
        if resume and log.get("campaign"):
            campaign = Path(log["campaign"])
    if campaign is not None:
        fixed = ("bots", "players", "challenge", "draft_parents", "friendly", "set")
        named = {f"--{name.replace('_', '-')}": asked.get(name) for name in fixed}
        _refuse("a campaign chooses its game itself", named)
        under_way = _campaign(campaign, game_name, log, asked)
    with WATCH.together(()):
        if file is not None:
            session = _loaded(log, file, {**asked, **options}, own_file=resume)
            if under_way is not None:
                under_way.check(session.game)
        else:
            session = _new(game_name, options, asked, under_way)
        _compile(session.agents.values(), session.game.game_spec, session.game.options.to_dict())
        _ = session.table(), session.game.scores  # once, as what they call is compiled too
        shows_nothing(session.game, session.game, [session.seat])  # whether a choice may be taken back
    own_file = file if resume and file else saves.new_game_file(session.game._seed)
    autosave = Autosave(session, own_file, save, load, campaign)
    if campaign is not None and under_way is not None:
        under_way.save(campaign)  # a file that cannot be written is better known before the game
    return Begun(session, autosave, under_way, campaign, is_loaded=file is not None)


def _level(game: Game) -> str:
    """A line with the person's level; "" where it is not known."""
    from vitienv.training.evaluation.player_rating import describe_level

    return describe_level(game)


def _serve(game: str, ruleset: str | None, host: str, port: int) -> None:
    """Play in the browser."""
    from vitienv.web.server import serve

    serve(game, host, port, ruleset=ruleset)


def _greeting(session: GameSession, is_loaded: bool) -> str:
    """Who plays, and how to deal the same game again."""
    game, names = session.game, session.names
    others = [names[seat] for seat in sorted(session.specs)]
    against = f" against {', '.join(others)}" if others else ""
    seed = "" if game._seed is None else f" Seed {game._seed} (--seed {game._seed} deals it again)."
    begun = "goes on" if is_loaded else "begins"
    return f"{game.game_spec.title}, {game.options.ruleset}{against}: the game {begun}.{seed}"


def _compile(bots: Iterable[Agent], game: GameSpec, options: Mapping[str, Any]) -> None:
    """Compile what the game and its bots need before anything is shown. Own bots are left alone."""
    from vitienv.agents.protocol import Bot
    from vitienv.training.evaluation.match import warm_up

    loops = game.options.of(**options).game_spec.kernels
    ours = [bot for bot in bots if isinstance(bot, Bot)]
    warm_up(ours, game, options, "consider", [loops.determinize, loops.observe_seat])


def _new(game_name: str, options: dict[str, Any], asked: Mapping[str, Any], under_way: Any) -> GameSession:
    """A new game. ValueError for what does not fit together."""
    import vitienv
    from vitienv.agents.seeding import make_bots

    made = vitienv.game_spec(game_name)
    specs = None if asked["bots"] is None else listed(asked["bots"], "--bots")
    seed = new_seed(asked["seed"])
    if under_way is not None:
        seed, options = under_way.next_seed, under_way.next_options().to_dict()
    else:
        least = made.options.of(**{"ruleset": options.get("ruleset", made.rulesets[0])}).num_players
        if least == 1:
            _refuse("the solo game is played alone", {"--bots": asked["bots"]})
            options = options | {"num_players": asked["players"]}
        else:
            wanted = asked["players"] or max(least, len(specs or ["one"]) + 1)
            if specs and len(specs) >= wanted:
                raise ValueError(f"--bots names {len(specs)} bots; {wanted} players have room for {wanted - 1}")
            options = options | {"num_players": wanted}
    players = made.options.of(**options).num_players
    seat = _seat_of(players, asked["seat"])
    around = _around(players, seat, specs or [made.heuristic_bot])
    bots = make_bots(around.values(), seed, game_name)  # an unknown bot is refused before the rules are compiled
    _compile(bots, made, options)
    return GameSession(vitienv.Game.new(seed=seed, game=game_name, **options), seat, around, bots=bots)


def _seat_of(players: int, number: int | None) -> int:
    """The seat of a number that a person gives: people count from one."""
    if number is not None and not 1 <= number <= players:
        raise ValueError(f"there is no seat {number}; seats go from 1 to {players}")
    return (number or 1) - 1


def _around(players: int, seat: int, specs: list[str]) -> dict[int, str]:
    """The bots of the other seats, clockwise from the person's; a few take them in turn."""
    others = [(seat + k) % players for k in range(1, players)]
    return {other: specs[i % len(specs)] for i, other in enumerate(others)}


def _loaded(log: dict[str, Any], file: Path, asked: Mapping[str, Any], own_file: bool) -> GameSession:
    """The game of a log in the same chair. ValueError for options that contradict it.

    own_file: it was kept by this program for this user; other files may come from others, whose bots are not run.
    """
    import vitienv
    from vitienv.agents.registry import check_untrusted_specs
    from vitienv.registry import canonical_name
    from vitienv.session.replay import told_in

    game = vitienv.replay(log)
    seat, specs = seats_of(log, game.num_players)
    seat = _seat_of(game.num_players, _same("seat", asked["seat"], None if seat is None else seat + 1, file))
    if asked["bots"] is not None or not specs:
        named = listed(asked["bots"], "--bots") if asked["bots"] is not None else [game.game_spec.heuristic_bot]
        chosen = _around(game.num_players, seat, named)
        for other, spec in chosen.items():
            _same("bots", spec, specs.get(other), file, spec)
        specs = chosen
    elif not own_file:
        check_untrusted_specs(specs.values(), repr(str(file)), canonical_name(game.game_spec))
    _same("players", asked["players"], game.num_players, file)
    _same("seed", asked["seed"], log.get("seed"), file)
    options = game.options.to_dict()
    for name in options:
        if asked.get(name) is not None:
            _same(name, asked[name], options[name], file)
    for name in ("difficulty", "challenge", "aggressive", "draft_parents", "friendly"):
        if asked.get(name) is not None and name not in options:
            raise ValueError(f"--{name.replace('_', '-')} does not belong to the game in {str(file)!r}; leave it out")
    specs.pop(seat, None)
    taken_back = log.get("taken_back")
    back = taken_back if isinstance(taken_back, int) else 0
    return GameSession(game, seat, specs, back, told_in(log))


def _same(name: str, asked: Any, saved: Any, file: Path, default: Any = None) -> Any:
    """A log's value of an option, or the command line's where the log has none. ValueError if they differ."""
    if asked is not None and saved is not None and asked != saved:
        told = f"--{name.replace('_', '-')} is {asked}"
        raise ValueError(f"{told}, but the game in {str(file)!r} has {saved}; leave it out")
    return saved if saved is not None else default if asked is None else asked


def _refuse(why: str, option_values: Mapping[str, Any]) -> None:
    """ValueError for the first of these options that is set."""
    for name, value in option_values.items():
        if value not in (None, False):
            raise ValueError(f"{why}; leave out {name}")


def _campaign(file: Path, game_name: str, log: Mapping[str, Any], asked: Mapping[str, Any]) -> Any:
    """The campaign in a file, or a new one. ValueError if it is complete, or of another level than asked for."""
    from vitienv.registry import game_spec

    ruleset, difficulty = asked.get("ruleset"), asked.get("difficulty")
    aggressive, seed = bool(asked.get("aggressive")), asked["seed"]

    game: GameSpec = game_spec(game_name if not log else log.get("game", game_name))
    if game.campaign is None:
        raise ValueError(f"{game.title} has no campaign; leave out --campaign")
    kind = import_module(game.campaign).Campaign
    if ruleset not in (None, kind.ruleset):
        raise ValueError(f"a campaign is of ruleset {kind.ruleset!r}, not {ruleset!r}")
    if not file.exists():
        return kind(**({"difficulty": difficulty} if difficulty else {}), aggressive=aggressive, seed=new_seed(seed))
    campaign = kind.load(file)
    if difficulty not in (None, campaign.difficulty):
        raise ValueError(f"the campaign in {str(file)!r} is of difficulty {campaign.difficulty!r}, not {difficulty!r}")
    if aggressive and not campaign.aggressive:
        raise ValueError(f"the campaign in {str(file)!r} is not of the aggressive variant; leave out --aggressive")
    campaign.next_options()
    return campaign


def new_seed(seed: int | None) -> int:
    """The seed, or for None a fresh one of 32 bits."""
    import numpy as np

    return int(np.random.SeedSequence().generate_state(1, np.uint32)[0]) if seed is None else seed


def _note(campaign: Any, file: Path, game: Game, table: Terminal, is_over: bool) -> None:
    """Write the game into its campaign if it is over, and say how the campaign stands."""
    if not is_over:
        table.say(f"The game is not over and not noted in {file}.")
        return
    result = campaign.record(game)
    campaign.save(file)
    table.say(f"Campaign: challenge {result.challenge}, {result.outcome}. Noted in {file}.", style="bold")
    if campaign.is_complete:
        table.say(f"The campaign is complete. Your score: {campaign.score} games.", style="bold")
        return
    table.say(
        f"Games so far: {campaign.score}. Next: challenge {campaign.challenge}, bonus action tokens: {campaign.losses}."
    )
