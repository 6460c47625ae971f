"""Makes bots from specs: names with parameters, or user-defined classes."""

from __future__ import annotations

import difflib
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any, get_args, get_type_hints

from vitienv.agents.protocol import Agent, Bot
from vitienv.core.batch import check_seed
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT, canonical_name, game_names, game_spec, is_dotted

# Bots of all games, imported on first use. Specs of games have the others.
_FACTORIES: dict[str, str | Callable[..., Agent]] = {
    "random": "vitienv.agents.random_agent.RandomAgent",
    "policy": "vitienv.agents.policy.PolicyAgent",
    "ismcts": "vitienv.agents.search.agent.IsmctsAgent",
    "level": "vitienv.agents.levels.level",
    "program": "vitienv.agents.program.ProgramAgent",
    "subprocess": "vitienv.agents.subprocess_agent.SubprocessAgent",
    "llm": "vitienv.agents.llm.llm_agent.LLMAgent",
}
_POSITIONAL = {"policy": "path", "level": "number", "program": "command", "subprocess": "bot"}
_SIDE_EFFECTS = {
    "program": "which would run a program",
    "subprocess": "which would start a process",
    "llm": "which would send requests",
}


def register(name: str, factory: Callable[..., Agent]) -> None:
    """Register a user-defined bot by a short name for specs, the command line and `opponents=[...]`.

    factory: a class or function whose keyword parameters are the keys of a spec; it gets `seed` if it has that
    parameter. ValueError if the name is invalid or taken.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        raise ValueError(f"name must be lower-case letters, digits, '_' and '-', got {name!r}")
    if _FACTORIES.get(name, factory) is not factory:
        raise ValueError(f"agent {name!r} already exists")
    _FACTORIES[name] = factory


def agent_names(game: str | GameSpec = DEFAULT) -> list[str]:
    """Return the names of bots for a game."""
    return sorted({**_FACTORIES, **game_spec(game).agents})


def load_agents(game: str | GameSpec = DEFAULT) -> None:
    """Import all bots of a game, and with them their kernels."""
    for name in agent_names(game):
        _factory(name, game)


def make_agent(spec: str, seed: int | None = None, game: str | GameSpec = DEFAULT) -> Agent:
    """Make a bot from a spec such as "heuristic", "random:seed=3" or "policy:runs/best.zip".

    seed: for bots whose spec has no seed. game: name or spec of the game, such as `env.game_spec`; "heuristic" depends
    on it. A dotted path such as `mybot.Bot` is a user-defined class with a method `act`, or a function annotated to
    return one. ValueError if the spec is invalid.
    """
    if not isinstance(spec, str):
        raise ValueError(f"agent must be a string such as 'heuristic', got {spec!r}")
    seed = check_seed(seed)
    name, _, settings = spec.strip().partition(":")
    factory = _factory(name, game)
    try:
        parameters = _parameters(factory)
    except (NameError, TypeError) as error:  # unresolved annotations
        raise _creation_error(name, error) from error
    arguments = _parse_settings(name, settings, {key: value for key, value in parameters.items() if key != "game"})
    if "seed" in parameters and "seed" not in arguments:
        arguments["seed"] = seed
    if "game" in parameters:
        arguments["game"] = game
    missing = [key for key, (_, is_required) in parameters.items() if is_required and key not in arguments]
    if missing:
        raise ValueError(f"agent {name!r} requires {missing[0]!r}")
    try:
        agent = factory(**arguments)
    except (Exception, SystemExit) as error:
        if not is_dotted(name):
            raise
        raise _creation_error(name, error) from error
    if not isinstance(agent, Agent):
        lacks = "method 'act'" if not hasattr(agent, "act") else "name"
        raise ValueError(f"agent {name!r} is not a bot: {type(agent).__name__!r} has no {lacks}")
    # Names of bundled bots are their specs, which may be commands of several lines.
    if (is_dotted(name) or not isinstance(agent, Bot)) and not str(agent.name).isprintable():
        raise ValueError(f"name of agent {name!r} must be one line of printable characters, got {agent.name!r}")
    return agent


def check_untrusted_specs(specs: Iterable[str], source: str, game: str | GameSpec = DEFAULT) -> None:
    """Raise ValueError if a spec of an untrusted `source` would import a module, start a program or send requests."""
    from vitienv import trust

    for spec in specs:
        name = spec.strip().partition(":")[0] if isinstance(spec, str) else ""
        is_module = "." in name and name not in agent_names(game)
        danger = "which would import a module" if is_module else _SIDE_EFFECTS.get(name)
        if danger is not None and not trust.is_allowed():
            raise ValueError(f"{source} has the bot {spec!r}, {danger}; {trust.HINT}")


def _factory(name: str, game: str | GameSpec) -> Callable[..., Agent]:
    factories = {**_FACTORIES, **game_spec(game).agents}
    if name not in factories and is_dotted(name):
        return _import_user_factory(name)
    if name not in factories:
        games = [repr(game_name) for game_name in game_names() if name in game_spec(game_name).agents]
        if games:
            raise ValueError(f"agent {name!r} plays {' and '.join(games)}, not {canonical_name(game_spec(game))!r}")
        is_file = Path(f"{name}.py").is_file() if name.isidentifier() else False  # a user-defined bot without its class
        close = [f"{name}.Bot"] if is_file else difflib.get_close_matches(name, factories, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"expected one of: {', '.join(agent_names(game))}"
        raise ValueError(f"unknown agent {name!r}; {hint}")
    factory = factories[name]
    return _import_factory(factory) if isinstance(factory, str) else factory


def _import_user_factory(path: str) -> Callable[..., Agent]:
    """Import a user-defined factory. Functions that do not return a bot are rejected, as specs may be in files."""
    factory = _import_factory(path)
    try:
        agent_type = factory if inspect.isclass(factory) else get_type_hints(factory).get("return")
    except (TypeError, NameError):
        agent_type = None
    if not callable(getattr(agent_type, "act", None)):
        raise ValueError(f"{path!r} must be a class with a method 'act', or a function annotated to return one")
    return factory


def _import_factory(path: str) -> Callable[..., Agent]:
    module, _, attribute = path.rpartition(".")
    _add_working_directory(module)
    try:
        loaded = getattr(import_module(module), attribute, None)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise _creation_error(path, error) from error  # an import inside the module
        raise ValueError(f"unknown agent {path!r}: no module {error.name!r}") from None
    except (Exception, SystemExit) as error:
        raise _creation_error(path, error) from error
    if loaded is None:
        raise ValueError(f"unknown agent {path!r}: {module!r} has no {attribute!r}")
    if not callable(loaded):
        raise ValueError(f"agent {path!r} must be callable, got {loaded!r}")
    return loaded


def _creation_error(path: str, error: BaseException) -> ValueError:
    """Return the error for a user-defined bot that fails on import or creation: its exception, file and line."""
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        file, line, message = error.filename, error.lineno, f"{type(error).__name__}: {error.msg}"
    else:
        frames = traceback.extract_tb(error.__traceback__)
        module_path = path.rpartition(".")[0].replace(".", "/")
        bot_frames = [
            frame for frame in frames if frame.filename.endswith((f"{module_path}.py", f"{module_path}/__init__.py"))
        ]
        file, line = (bot_frames or frames)[-1].filename, (bot_frames or frames)[-1].lineno
    message = message.splitlines()[0]
    return ValueError(f"agent {path!r} could not be made: {message} ({os.path.relpath(file)}, line {line})")


def _add_working_directory(module: str) -> None:
    top, directory = module.partition(".")[0], Path.cwd()
    if ((directory / f"{top}.py").is_file() or (directory / top).is_dir()) and str(directory) not in sys.path:
        sys.path.append(str(directory))
        invalidate_caches()


def _parameters(factory: Callable[..., Agent]) -> dict[str, tuple[Any, bool]]:
    function = factory.__init__ if inspect.isclass(factory) else factory
    hints = get_type_hints(function)
    return {
        key: (hints.get(key, str), parameter.default is parameter.empty)
        for key, parameter in inspect.signature(factory).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }


def _parse_settings(name: str, settings: str, parameters: dict[str, tuple[Any, bool]]) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    unnamed = _POSITIONAL.get(name)
    # Only a comma before `key=` separates, as paths may contain commas and equal signs, and commands and nested specs
    # may contain other keys.
    keys = "|".join(parameters) if unnamed in ("command", "bot") else "[a-z_]+"
    for i, piece in enumerate(re.split(rf",(?=(?:{keys})=)", settings) if settings else []):
        key, equals, value = piece.partition("=")
        if i == 0 and unnamed is not None and (not equals or not re.fullmatch("[a-z_]+", key)):
            key, equals, value = unnamed, "=", piece
        if not equals:
            raise ValueError(f"agent {name!r}: expected key=value, got {piece!r}")
        if key not in parameters:
            expected = ", ".join(parameters) or "no parameters"
            raise ValueError(f"agent {name!r}: unknown parameter {key!r}; expected one of: {expected}")
        if key in arguments:
            raise ValueError(f"agent {name!r}: duplicate parameter {key!r}")
        arguments[key] = _parse_value(name, key, value, parameters[key][0])
    return arguments


def _parse_value(name: str, key: str, text: str, kind: Any) -> Any:
    kinds = get_args(kind) or (kind,)
    if type(None) in kinds and text.lower() == "none":
        return None
    if bool in kinds:
        if text.lower() in ("true", "yes", "false", "no"):
            return text.lower() in ("true", "yes")
        raise ValueError(f"agent {name!r}: {key} must be true or false, got {text!r}")
    for convert, word in ((int, "an integer"), (float, "a number")):
        if convert in kinds:
            try:
                number = convert(text)
            except ValueError:
                raise ValueError(f"agent {name!r}: {key} must be {word}, got {text!r}") from None
            if not abs(number) <= sys.float_info.max:
                raise ValueError(f"agent {name!r}: {key} must be finite, got {text!r}")
            return number
    return text
