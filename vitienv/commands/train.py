"""vitienv train: a network learns to play. Its options are the fields of the methods' settings."""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module
from inspect import Parameter, Signature
from typing import Any

import typer

from vitienv.console import GAME, JSON, TRUST, counted, echo, listed, print_json
from vitienv.extras import missing
from vitienv.registry import DEFAULT
from vitienv.training.ppo import settings as ppo
from vitienv.training.search import settings as search
from vitienv.training.selfplay import settings as selfplay
from vitienv.training.settings import bounds_of, default_of, flag_of, is_optional, parsed, type_of

# Each method's settings, and the function that trains by it.
METHODS: dict[str, tuple[Any, str]] = {
    "selfplay": (selfplay, "vitienv.training.selfplay.train.train_selfplay"),
    "ppo": (ppo, "vitienv.training.ppo.train.train"),
    "search": (search, "vitienv.training.search.train.train_search"),
}
METHOD = typer.Option(
    None, "--method",
    help="selfplay (default): PPO, all seats learn; ppo: MaskablePPO against bots; search: expert iteration.",
)  # fmt: skip


def of_method(method: str) -> dict[str, tuple[type, Any]]:
    """The options of a method, without dashes, each with the dataclass and the field that it is of."""
    module = METHODS[method][0]
    return {
        flag_of(one): (cls, one) for cls in (module.Call, module.Settings) for one in fields(cls) if flag_of(one)
    }  # fmt: skip


OPTIONS = {method: of_method(method) for method in METHODS}


def _number_or_none(text: str) -> float | str:
    try:
        return text if text == "none" else float(text)
    except ValueError:
        raise typer.BadParameter(f"must be a number or none, got {text!r}") from None


def _option(flag: str) -> Parameter:
    """An option as typer takes it: its help with the default of each method that has it."""
    of = {method: options[flag] for method, options in OPTIONS.items() if flag in options}
    cls, one = next(iter(of.values()))
    defaults = {method: default_of(field) for method, (_, field) in of.items()}
    bounds = f" ({bounds_of(one)})" if bounds_of(one) else ""
    shown: str | bool = False
    if any(defaults.values()):
        each = [f"{method}: {value or 'none'}" for method, value in defaults.items()]
        shown = next(iter(defaults.values())) if len(set(defaults.values())) == 1 else ", ".join(each)
    panel = "All methods" if len(of) == len(METHODS) else "Method " + ", ".join(of)
    text, kind = one.metadata["text"], type_of(cls, one.name)
    parser = _number_or_none if kind is float and is_optional(cls, one.name) and one.default is not None else None
    about = typer.Option(
        None, f"--{flag.replace('_', '-')}", help=f"{text[0].upper()}{text[1:]}{bounds}.", show_default=shown,
        rich_help_panel=panel, parser=parser, metavar="NUMBER|none" if parser else None,
    )  # fmt: skip
    return Parameter(flag, Parameter.KEYWORD_ONLY, default=about, annotation=kind | None)


def command(**told: Any) -> None:
    """Train a network: self-play, MaskablePPO against bots, or expert iteration. Resumable, with TensorBoard."""
    chosen = {name: value for name, value in told.items() if value is not None and value is not False}
    method, json, game = chosen.pop("method", None), chosen.pop("json", False), chosen.pop("game", DEFAULT)
    chosen.pop("trust", None)
    from vitienv.training.evaluation.tournament import default_folder
    from vitienv.training.run_dir import KINDS

    if method is not None and method not in METHODS:
        *most, last = METHODS
        raise ValueError(f"--method is {method!r}; it must be {', '.join(most)} or {last}")
    if "resume" in chosen:
        method = _resumed(chosen.get("run"), method)
    method = method or next(iter(METHODS))
    if "players" in chosen and method != "ppo":
        if "mix" in chosen:
            raise ValueError("--players and --mix both say how many play; give one of them")
        chosen["mix"] = str(chosen.pop("players"))
    asked: dict[str, Any] = {}
    for flag, value in chosen.items():
        if flag not in OPTIONS[method]:
            other = next(name for name in METHODS if flag in OPTIONS[name])
            raise ValueError(f"--{flag.replace('_', '-')} is for --method {other}, not for {method}")
        cls, one = OPTIONS[method][flag]
        asked[one.name] = parsed(cls, one.name, value, listed)
    if game != DEFAULT or "resume" not in chosen:  # a resumed run has its own
        asked["game"] = game
    folder = asked["run"] = asked.get("run") or default_folder(method)
    module, _, name = METHODS[method][1].rpartition(".")
    try:
        result = getattr(import_module(module), name)(**asked)
        is_interrupted = result.pop("is_interrupted", False)
        if json:
            print_json(result)
        else:
            echo(reached(result))
        if is_interrupted:
            raise KeyboardInterrupt
    except ModuleNotFoundError as error:
        raise ValueError(missing("training", error.name, "train")) from None
    except KeyboardInterrupt:
        if (folder / KINDS[method]).exists():
            echo(f"Resume: vitienv train --resume --run {folder}", err=True)
        raise


def _signature() -> Signature:
    flags = dict.fromkeys(flag for options in OPTIONS.values() for flag in options)
    own = (("method", METHOD, str | None), ("game", GAME, str), ("trust", TRUST, bool), ("json", JSON, bool))
    named = [Parameter(name, Parameter.KEYWORD_ONLY, default=about, annotation=kind) for name, about, kind in own]
    return Signature([named[0], *(_option(flag) for flag in flags), *named[1:]])


command.__signature__ = _signature()  # type: ignore[attr-defined]  # what typer makes the options of
command.__annotations__ = {name: one.annotation for name, one in command.__signature__.parameters.items()}  # type: ignore[attr-defined]


def reached(result: dict[str, Any]) -> str:
    """What a training reached, as a line."""
    from vitienv.training.monitor import in_words
    from vitienv.training.run_dir import WEIGHTS

    parts = [f"{result['run']}: {result.get('steps', 0):,} decisions"]
    if result.get("decisions_per_second"):
        spent = sorted(result["time"].items(), key=lambda one: -one[1])
        shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in spent)
        parts.append(f"{counted(result['updates'], 'update')}, {result['decisions_per_second']:,} a second ({shares})")
    if result.get("policy_updates") == 0:
        parts.append(
            "the policy was never updated: give more --minutes or --steps, or fewer updates of --value-warmup-updates"
        )
    if "best_after" in result:
        best, won = f"{WEIGHTS} is the best network, after {result['best_after']:,} decisions", in_words(result)
        parts.append(f"{best}: {won}, in games that it was not chosen by" if won else best)
    return "; ".join(parts)


def _resumed(run: Any, method: str | None) -> str:
    """The method of the training to go on with. ValueError if there is none, or if another one is asked for."""
    from vitienv.training.run_dir import method_of

    if run is None:
        raise ValueError("--resume needs --run, the folder of the training to go on with")
    found = method_of(run)
    if method not in (None, found):
        raise ValueError(f"--method is {method!r}, but the training in {str(run)!r} is of {found}")
    return found
