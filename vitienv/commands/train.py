"""vitienv train: a network learns to play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from vitienv.commands.screen import GAME, JSON, RULES, SEED, TRUST, console, counted, listed, print_json
from vitienv.extras import missing

METHODS = ("ppo", "selfplay", "search")
WITH_RECIPE = ("method", "game", "recipe", "share", "run", "device", "threads", "seed", "json", "resume", "trust")
# Which options belong to some methods alone; the others are for all.
OF_PPO = ("opponents", "ruleset", "difficulty")
OF_SELFPLAY = (
    "mix", "starts", "league", "league_share", "num_envs", "hidden", "reward", "reward_alone", "shaping",
    "advice", "learning_rate", "imitate", "imitate_minutes", "start", "device",
    "on", "processes", "learners", "staleness",
)  # fmt: skip
OF_SEARCH = (
    "mix", "hidden", "reward", "reward_alone", "shaping", "advice", "learning_rate", "start", "device", "dear", "cheap",
    "dear_share", "playout", "years", "on", "processes",
)  # fmt: skip
OF_METHOD = {"ppo": OF_PPO, "selfplay": OF_SELFPLAY, "search": OF_SEARCH}


def command(
    method: str = typer.Option(
        None, help="ppo (if not given): MaskablePPO against bots; selfplay: all seats learn; search: from searches."
    ),
    opponents: str = typer.Option(None, help="ppo: bots to learn against (by default random,heuristic; solo none)."),
    players: int = typer.Option(None, help="Seats at the table, 2 to 6 (by default 2, solo 1; selfplay: --mix)."),
    ruleset: str = typer.Option(None, help=f"ppo: {RULES}"),
    difficulty: str = typer.Option(None, help="ppo: level of the Automa, very_easy to very_hard."),
    mix: str = typer.Option(None, help="selfplay, search: tables and their shares (by default 2:2,3:1,4:1,solo:1)."),
    starts: str = typer.Option(
        None,
        help="selfplay: where games begin to be learned from, and their shares: dealt, random/N (up to N random choices"
        " first), even/DECISION/... (each seat's first of these random); by default dealt.",
    ),
    league: str = typer.Option(None, help="selfplay: its bots, or none (by default heuristic,visitors,cellar)."),
    league_share: float = typer.Option(None, help="selfplay: share of games against the league (by default 0.5)."),
    num_envs: int = typer.Option(None, min=1, help="selfplay: games at once in each process (by default 256)."),
    hidden: int = typer.Option(None, min=1, help="selfplay, search: width of the network (256; search 128)."),
    reward: str = typer.Option(None, help="selfplay, search: win, rank or margin (by default win)."),
    reward_alone: str = typer.Option(None, help="selfplay, search: reward of the solo game (by default margin)."),
    shaping: float = typer.Option(None, help="selfplay, search: weight of the lead in points in the value (0.5)."),
    advice: str = typer.Option(None, help="selfplay (heuristic), search (none): a rule of thumb at its side, or none."),
    learning_rate: float = typer.Option(None, help="selfplay, search: learning rate (by default 0.0002)."),
    imitate: str = typer.Option(None, help="selfplay: first imitate this bot."),
    imitate_minutes: float = typer.Option(None, min=0.0, help="selfplay: length of imitation, before --minutes begin."),
    start: Path = typer.Option(None, help="selfplay, search: begin with these weights (.safetensors)."),
    device: str = typer.Option(None, help="selfplay, search: cpu, cuda or auto (by default auto)."),
    dear: int = typer.Option(None, min=1, help="search: simulations for a full search, a training target (32)."),
    cheap: int = typer.Option(None, min=0, help="search: simulations for a fast search; 0 samples the policy (4)."),
    dear_share: float = typer.Option(None, help="search: fraction of decisions with a full search (0.25)."),
    playout: str = typer.Option(
        None, help="search: playouts from leaves: policy, heuristic, random or none (by default none)."
    ),
    years: int = typer.Option(None, min=1, help="search: playouts end with the current year (1), the next (2), ..."),
    on: str = typer.Option(None, help="selfplay, search: local, ray (begun here) or ray:HOST:PORT (by default local)."),
    processes: int = typer.Option(
        None, min=1, max=1024, help="search, selfplay --on ray: processes that play (by default one per core)."
    ),
    learners: int = typer.Option(None, min=1, help="selfplay --on ray: learning processes (by default one per GPU)."),
    staleness: int = typer.Option(
        None, min=0, help="selfplay --on ray: largest policy lag, in updates (by default 1)."
    ),
    threads: int = typer.Option(None, min=1, help="Threads of torch (by default one for each core)."),
    recipe: str = typer.Option(None, help="Train as the networks that ship were: solo, two, many or crowd."),
    share: float = typer.Option(None, min=0.0, help="recipe: fraction of its length, for a trial run (by default 1)."),
    minutes: float = typer.Option(
        None, min=0.0, help="Stop after this time, measuring included; by default 10 if --steps is not given."
    ),
    steps: int = typer.Option(None, min=1, help="Stop after so many decisions, those before --resume too."),
    run: Path = typer.Option(None, help="Run folder for checkpoints and curves; by default a new one in runs/."),
    agent_out: Path = typer.Option(
        None, help="Save the finished bot here too (.safetensors; ppo also .zip: the last network, to train on)."
    ),
    resume: bool = typer.Option(False, help="Go on with the training in --run."),
    game: str = GAME,
    seed: int = SEED,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Train a network: MaskablePPO against bots, self-play, or learning from search. Resumable, with TensorBoard."""
    given = {name: value for name, value in locals().items() if value is not None}
    from vitienv.training.measure.tournament import default_folder
    from vitienv.training.run_folder import KINDS

    if recipe is not None:
        for name in given:
            if name not in WITH_RECIPE:
                raise ValueError(f"--{name.replace('_', '-')} does not go with --recipe, which has settings of its own")
        method = "selfplay"
    elif share is not None:
        raise ValueError("--share is for --recipe")
    elif method is not None and method not in METHODS:
        raise ValueError(f"--method is {method!r}; it must be {', '.join(METHODS[:-1])} or {METHODS[-1]}")
    elif resume:
        method = _resumed(run, method)
    method = method or METHODS[0]
    for other, names in OF_METHOD.items():
        for name in names:
            if name in given and name not in OF_METHOD[method]:
                raise ValueError(f"--{name.replace('_', '-')} is for --method {other}, not for {method}")
    both: dict[str, Any] = {
        "minutes": minutes, "steps": steps, "run": run, "agent_out": agent_out, "resume": resume, "seed": seed,
        "threads": threads,
    }  # fmt: skip
    both["run"] = given["run"] = folder = run or default_folder(recipe or method)
    try:
        if recipe is not None:
            result = _recipe(given)
        else:
            result = {"ppo": _ppo, "selfplay": _selfplay, "search": _search}[method](given, both)
    except ModuleNotFoundError as error:
        raise ValueError(missing("training", error.name, "train")) from None
    except KeyboardInterrupt:
        if any(folder.glob(f"**/{KINDS[method]}")):  # a recipe has a folder for each of its stages
            again = "--resume" if recipe is None else f"--recipe {recipe}"
            console(stderr=True).print(f"To go on: vitienv train {again} --run {folder}", soft_wrap=True, markup=False)
        raise
    if json:
        print_json(result)
        return
    typer.echo(told(result))


def told(result: dict[str, Any]) -> str:
    """What a training reached, as a line."""
    from vitienv.training.run_folder import WEIGHTS, WINS

    parts = [f"{result['run']}: {result.get('steps', 0):,} decisions"]
    if "decisions_per_second" in result:
        spent = sorted(result["time"].items(), key=lambda one: -one[1])
        shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in spent)
        parts.append(f"{counted(result['updates'], 'update')}, {result['decisions_per_second']:,} a second ({shares})")
    rates = {name.removeprefix(WINS): 100 * rate for name, rate in result.items() if name.startswith(WINS)}
    won = [f"{rate:.0f} % of {result['measured_games']} games against {name}" for name, rate in rates.items()]
    if "best_after" in result:
        parts += [f"{WEIGHTS} is the best network measured, after {result['best_after']:,} decisions: won {won[0]}; "
                  f"the last one won {100 * result['last_win_rate']:.0f} %"]  # fmt: skip
    elif won:
        parts += [f"{WEIGHTS} is the last network: won {', '.join(won)}"]
    return "; ".join(parts)


def _resumed(run: Path | None, method: str | None) -> str:
    """The method of the training to go on with. ValueError if there is none, or if another one is asked for."""
    from vitienv.training.run_folder import method_of

    if run is None:
        raise ValueError("--resume needs --run, the folder of the training to go on with")
    found = method_of(run)
    if method not in (None, found):
        raise ValueError(f"--method is {method!r}, but the training in {str(run)!r} is of {found}")
    return found


def _recipe(given: dict[str, Any]) -> dict[str, Any]:
    from vitienv.training.recipes import follow
    own = {name: given[name] for name in ("share", "device", "threads", "seed", "game") if name in given}
    return follow(given["recipe"], given["run"], **own)


def _ppo(given: dict[str, Any], both: dict[str, Any]) -> dict[str, Any]:
    from vitienv.training.ppo.train import train

    mix = None if "opponents" not in given else listed(given["opponents"], "--opponents")
    options: dict[str, Any] = {name: given[name] for name in ("ruleset", "difficulty", "game") if name in given}
    return train(opponents=mix, num_players=given.get("players"), **both, **options)


def _selfplay(given: dict[str, Any], both: dict[str, Any]) -> dict[str, Any]:
    from vitienv.training.selfplay.train import train_selfplay

    own = _own(given, both, OF_SELFPLAY)
    own |= {"actors": own.pop("processes")} if "processes" in own else {}
    if "league" in own:
        own["league"] = tuple(listed(own["league"], "--league")) if own["league"] != "none" else ()
    return train_selfplay(**both, **own)


def _search(given: dict[str, Any], both: dict[str, Any]) -> dict[str, Any]:
    from vitienv.training.places import LOCAL, executor
    from vitienv.training.search.train import train_search

    own = _own(given, both, OF_SEARCH)
    return train_search(**both, **own | {"processes": executor(own.pop("on", LOCAL), own.pop("processes", 0))})


def _own(given: dict[str, Any], both: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """What a method of self-play is asked for beside what all are."""
    own = {name: given[name] for name in (*names, "game") if name in given}
    if "players" in given:
        if "mix" in given:
            raise ValueError("--players and --mix both say how many play; give one of them")
        own["mix"] = str(given["players"])
    if own.get("advice") == "none":
        own["advice"] = None
    if both["resume"] and both["seed"] == 0:
        del both["seed"]  # as good as not given: a resumed run has its own
    return own
