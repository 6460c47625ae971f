"""vitienv train: training of networks. The options are the fields of the methods' settings."""

from __future__ import annotations

import shlex
from dataclasses import fields
from importlib import import_module
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

import typer

from vitienv.console import GAME, JSON, TRUST, echo, is_set, print_json, split_list
from vitienv.core.text_utils import count
from vitienv.extras import EXTRA_OF, missing_message
from vitienv.registry import DEFAULT
from vitienv.training.ppo import settings as ppo
from vitienv.training.search import settings as search
from vitienv.training.selfplay import settings as selfplay
from vitienv.training.settings import Call, bounds_of, default_of, flag_of, is_optional, parsed, type_of

# Settings module and training function of each method.
METHODS: dict[str, tuple[Any, str]] = {
    "selfplay": (selfplay, "vitienv.training.selfplay.train.train_selfplay"),
    "ppo": (ppo, "vitienv.training.ppo.train.train"),
    "search": (search, "vitienv.training.search.train.train_search"),
}
METHOD = typer.Option(
    None, "--method",
    help="selfplay (default): PPO, all seats learn; ppo: MaskablePPO against bots; search: expert iteration.",
)  # fmt: skip


def method_options(method: str) -> dict[str, tuple[type, Any]]:
    """Return the options of a method: the dataclass and field of each flag."""
    module = METHODS[method][0]
    settings = [(cls, field) for cls in (module.Call, module.Settings) for field in fields(cls)]
    return {flag_of(field): (cls, field) for cls, field in settings if flag_of(field)}


OPTIONS = {method: method_options(method) for method in METHODS}


def _number_or_none(text: str) -> float | str:
    try:
        return text if text == "none" else float(text)
    except ValueError:
        raise typer.BadParameter(f"must be a number or none, got {text!r}") from None


def _option(flag: str) -> Parameter:
    method_fields = {method: options[flag] for method, options in OPTIONS.items() if flag in options}
    cls, setting = next(iter(method_fields.values()))
    defaults = {method: default_of(field) for method, (_, field) in method_fields.items()}
    bounds = f" ({bounds_of(setting)})" if bounds_of(setting) else ""
    show_default: str | bool = False
    if any(defaults.values()):
        texts = [f"{method}: {value or 'none'}" for method, value in defaults.items()]
        show_default = next(iter(defaults.values())) if len(set(defaults.values())) == 1 else ", ".join(texts)
    panel = "All methods" if len(method_fields) == len(METHODS) else "Method " + ", ".join(method_fields)
    text, kind = setting.metadata["text"], type_of(cls, setting.name)
    parser = (
        _number_or_none if kind is float and is_optional(cls, setting.name) and setting.default is not None else None
    )
    option = typer.Option(
        None, f"--{flag.replace('_', '-')}", help=f"{text[0].upper()}{text[1:]}{bounds}.", show_default=show_default,
        rich_help_panel=panel, parser=parser, metavar="NUMBER|none" if parser else None,
    )  # fmt: skip
    return Parameter(flag, Parameter.KEYWORD_ONLY, default=option, annotation=kind | None)


def command(context: typer.Context, **flags: Any) -> None:
    """Train a network: self-play, MaskablePPO against bots, or expert iteration. Resumable, with TensorBoard."""
    arguments = {name: value for name, value in flags.items() if value is not None and value is not False}
    method, json, game = arguments.pop("method", None), arguments.pop("json", False), arguments.pop("game", DEFAULT)
    arguments.pop("trust", None)
    from vitienv.training.run_dir import KINDS, run_path

    if method is not None and method not in METHODS:
        raise ValueError(f"unknown --method {method!r}; expected one of: {', '.join(METHODS)}")
    if "resume" in arguments:
        method = _resumed_method(arguments.get("run"), method)
    method = method or next(iter(METHODS))
    if "players" in arguments and method != "ppo":
        if "mix" in arguments:
            raise ValueError("--players and --mix are mutually exclusive")
        arguments["mix"] = str(arguments.pop("players"))
    settings: dict[str, Any] = {}
    for flag, value in arguments.items():
        if flag not in OPTIONS[method]:
            other_method = next(name for name in METHODS if flag in OPTIONS[name])
            raise ValueError(f"--{flag.replace('_', '-')} is for --method {other_method}, not for {method}")
        cls, field = OPTIONS[method][flag]
        settings[field.name] = parsed(cls, field.name, value, split_list)
    if "resume" not in arguments or is_set(context, "game"):  # a resumed run stores its game
        settings["game"] = game
    folder = settings["run"] = settings.get("run") or run_path(method)
    module, _, name = METHODS[method][1].rpartition(".")
    try:
        result = getattr(import_module(module), name)(**settings)
        is_interrupted = result.pop("is_interrupted", False)
        if json:
            print_json(result)
        else:
            echo(summary(result))
        if is_interrupted:
            raise KeyboardInterrupt
    except ModuleNotFoundError as error:
        raise ValueError(missing_message("training", error.name, EXTRA_OF.get(error.name or "", "train"))) from None
    except KeyboardInterrupt:
        if (folder / KINDS[method]).exists():
            echo(f"Resume: {shlex.join(resume_command(folder, method, arguments))}", err=True)
        raise


def resume_command(folder: Path, method: str, arguments: dict[str, Any]) -> list[str]:
    """Return the command that resumes a run, with the options that its directory does not store, such as limits."""
    words = ["vitienv", "train", "--resume", "--run", str(folder)]
    for flag, value in arguments.items():
        cls, field = OPTIONS[method][flag]
        if issubclass(cls, Call) and not field.metadata["is_saved"] and flag not in ("run", "resume", "start"):
            words += [f"--{flag.replace('_', '-')}", str(value)]
    return words


def _signature() -> Signature:
    flags = dict.fromkeys(flag for options in OPTIONS.values() for flag in options)
    common = (("method", METHOD, str | None), ("game", GAME, str), ("trust", TRUST, bool), ("json", JSON, bool))
    context = Parameter("context", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=option, annotation=kind) for name, option, kind in common
    ]
    return Signature([context, parameters[0], *(_option(flag) for flag in flags), *parameters[1:]])


command.__signature__ = _signature()  # type: ignore[attr-defined]  # typer reads the options from it
command.__annotations__ = {name: parameter.annotation for name, parameter in command.__signature__.parameters.items()}  # type: ignore[attr-defined]


def summary(result: dict[str, Any]) -> str:
    """Return the result of a training run in one line."""
    from vitienv.training.monitor import describe_evaluation
    from vitienv.training.run_dir import WEIGHTS

    parts = [f"{result['run']}: {result.get('steps', 0):,} decisions"]
    if imitated := result.get("imitated", 0):
        parts.append(f"{imitated:,} decisions of imitation")
    if result.get("decisions_per_second"):
        parts.append(f"{count(result['updates'], 'update')}, {result['decisions_per_second']:,} a second")
    if result.get("policy_updates") == 0 and not imitated:
        parts.append("the policy was never updated: increase --minutes or --steps, or decrease --value-warmup-updates")
    if "best_after" in result:
        best, win_rates = (
            f"{WEIGHTS} is the best network, after {result['best_after']:,} decisions",
            describe_evaluation(result),
        )
        parts.append(f"{best}: {win_rates}, in games not used for its selection" if win_rates else best)
    return "; ".join(parts)


def _resumed_method(run: Any, method: str | None) -> str:
    from vitienv.training.run_dir import method_of

    if run is None:
        raise ValueError("--resume requires --run, the directory of the run")
    run_method = method_of(run)
    if method not in (None, run_method):
        raise ValueError(f"--method must be {run_method!r} for the run in {str(run)!r}, got {method!r}")
    return run_method
