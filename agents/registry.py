"""Makes bots from strings: names with parameters, or classes of the user."""

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
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT, canonical_name, game_names, game_spec, is_dotted

# Bots of every game and where they live; imported on first use, so that listing names costs nothing. The others are in
# the definitions of the games.
_FACTORIES: dict[str, str | Callable[..., Agent]] = {
    "random": "vitienv.agents.random_agent.RandomAgent",
    "policy": "vitienv.agents.policy.PolicyAgent",
    "ismcts": "vitienv.agents.search.agent.IsmctsAgent",
    "level": "vitienv.agents.levels.level",
    "program": "vitienv.agents.program.ProgramAgent",
    "subprocess": "vitienv.agents.subprocess_agent.SubprocessAgent",
    "llm": "vitienv.agents.llm.llm_agent.LLMAgent",
}
# The parameter whose name a spec may leave out.
_UNNAMED = {"policy": "path", "level": "number", "program": "command", "subprocess": "bot"}
_REACHES_OUT = {
    "program": "a program that would run",
    "subprocess": "a process that would run it",
    "llm": "an address that would be asked",
}


def register(name: str, factory: Callable[..., Agent], unnamed: str | None = None) -> None:
    """Give an own bot a short name for specs, the command line and `opponents=[...]`.

    factory: a class or function; its keyword parameters are the spec's keys, `seed` is passed on if it takes one.
    unnamed: the parameter that a spec may give without its name. ValueError if the name is taken or malformed.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        raise ValueError(f"an agent's name is in small letters, digits, '_' and '-', not {name!r}")
    if _FACTORIES.get(name, factory) is not factory:
        raise ValueError(f"there already is an agent {name!r}")
    _FACTORIES[name] = factory
    if unnamed is not None:
        _UNNAMED[name] = unnamed


def agent_names(game: str | GameSpec = DEFAULT) -> list[str]:
    """The names that specs may begin with at a table of this game."""
    return sorted({**_FACTORIES, **game_spec(game).agents})


def load_agents(game: str | GameSpec = DEFAULT) -> None:
    """Import every bot that specs may name at a table of this game, and with it what it would compile."""
    for name in agent_names(game):
        _factory(name, game)


def make_agent(spec: str, seed: int | None = None, game: str | GameSpec = DEFAULT) -> Agent:
    """The bot of a spec such as "heuristic", "random:seed=3" or "policy:runs/best.zip".

    seed: for bots that use chance and whose spec names no seed. game: at whose tables it will play, by name or as a
    definition, such as `env.game_spec`; "heuristic" is that game's own. An own bot is named by its dotted path, as
    `mybot.Bot`: a class with a method `act`, or a function that is annotated to return one. ValueError, in one line,
    for what is wrong.
    """
    if not isinstance(spec, str):
        raise ValueError(f"an agent is given as a string such as 'heuristic', not {spec!r}")
    name, _, rest = spec.strip().partition(":")
    factory = _factory(name, game)
    try:
        parameters = _parameters(factory)
    except (NameError, TypeError) as error:  # in its annotations
        raise _not_made(name, error) from error
    arguments = _given(name, rest, {key: value for key, value in parameters.items() if key != "game"})
    if "seed" in parameters and "seed" not in arguments:
        arguments["seed"] = seed
    if "game" in parameters:
        arguments["game"] = game
    missing = [key for key, (_, needed) in parameters.items() if needed and key not in arguments]
    if missing:
        raise ValueError(f"agent {name!r} needs {missing[0]!r}")
    try:
        made = factory(**arguments)
    except (Exception, SystemExit) as error:
        if not is_dotted(name):
            raise
        raise _not_made(name, error) from error
    if not isinstance(made, Agent):
        lacks = "method 'act'" if not hasattr(made, "act") else "name"
        raise ValueError(f"agent {name!r} is no bot: {type(made).__name__!r} has no {lacks}")
    # What ships is called after its spec, such as a command of several lines.
    if (is_dotted(name) or not isinstance(made, Bot)) and not str(made.name).isprintable():
        raise ValueError(f"agent {name!r} has the name {made.name!r}; it must be one line of printable characters")
    return made


def check_told(specs: Iterable[str], where: str, game: str | GameSpec = DEFAULT) -> None:
    """ValueError if a bot that a file names would import a module, start a program or ask an address. where: the file
    in the message.

    A spec that the user typed may do so, and one of a file that the user trusts.
    """
    from vitienv import signing

    for spec in specs:
        name = spec.strip().partition(":")[0] if isinstance(spec, str) else ""
        is_module = "." in name and name not in agent_names(game)
        what = "a module whose code would run" if is_module else _REACHES_OUT.get(name)
        if what is not None and not signing.is_allowed():
            raise ValueError(f"{where} names the bot {spec!r}, {what}; {signing.HOW}")


def _factory(name: str, game: str | GameSpec) -> Callable[..., Agent]:
    factories = {**_FACTORIES, **game_spec(game).agents}
    if name not in factories and is_dotted(name):
        return _own(name)
    if name not in factories:
        others = [repr(other) for other in game_names() if name in game_spec(other).agents]
        if others:
            raise ValueError(f"agent {name!r} plays {' and '.join(others)}, not {canonical_name(game_spec(game))!r}")
        here = Path(f"{name}.py").is_file() if name.isidentifier() else False  # an own bot, without its class
        close = [f"{name}.Bot"] if here else difflib.get_close_matches(name, factories, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there is {', '.join(agent_names(game))}"
        raise ValueError(f"unknown agent {name!r}; {hint}")
    factory = factories[name]
    return _imported(factory) if isinstance(factory, str) else factory


def _own(path: str) -> Callable[..., Agent]:
    """What makes an own bot. Specs also come from files, so a function that does something else is not called."""
    loaded = _imported(path)
    try:
        made = loaded if inspect.isclass(loaded) else get_type_hints(loaded).get("return")
    except (TypeError, NameError):
        made = None
    if not callable(getattr(made, "act", None)):
        raise ValueError(
            f"{path!r} is no bot: give a class with a method 'act', or a function that is annotated to return one"
        )
    return loaded


def _imported(path: str) -> Callable[..., Agent]:
    module, _, attribute = path.rpartition(".")
    _look_here(module)
    try:
        loaded = getattr(import_module(module), attribute, None)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise _not_made(path, error) from error  # the module is there; something that it imports is not
        raise ValueError(f"unknown agent {path!r}: there is no module {error.name!r}") from None
    except (Exception, SystemExit) as error:
        raise _not_made(path, error) from error
    if loaded is None:
        raise ValueError(f"unknown agent {path!r}: {module!r} has no {attribute!r}")
    if not callable(loaded):
        raise ValueError(f"unknown agent {path!r}: it cannot be called")
    return loaded


def _not_made(path: str, error: BaseException) -> ValueError:
    """The error for a user's bot that fails while it is loaded or made: the bot, its exception, the file, the line."""
    fault = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        file, line, fault = error.filename, error.lineno, f"{type(error).__name__}: {error.msg}"
    else:
        steps = traceback.extract_tb(error.__traceback__)
        own = path.rpartition(".")[0].replace(".", "/")
        of_bot = [step for step in steps if step.filename.endswith((f"{own}.py", f"{own}/__init__.py"))]
        file, line = (of_bot or steps)[-1].filename, (of_bot or steps)[-1].lineno
    fault = fault.splitlines()[0]
    return ValueError(f"agent {path!r} could not be made: {fault} ({os.path.relpath(file)}, line {line})")


def _look_here(module: str) -> None:
    """Let Python find a module in the working folder too, after everything that is installed."""
    top, here = module.partition(".")[0], Path.cwd()
    if ((here / f"{top}.py").is_file() or (here / top).is_dir()) and str(here) not in sys.path:
        sys.path.append(str(here))
        invalidate_caches()


def _parameters(factory: Callable[..., Agent]) -> dict[str, tuple[Any, bool]]:
    function = factory.__init__ if inspect.isclass(factory) else factory
    hints = get_type_hints(function)
    return {
        key: (hints.get(key, str), parameter.default is parameter.empty)
        for key, parameter in inspect.signature(factory).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }


def _given(name: str, rest: str, parameters: dict[str, tuple[Any, bool]]) -> dict[str, Any]:
    """The keys and values of a spec, checked and converted."""
    arguments: dict[str, Any] = {}
    unnamed = _UNNAMED.get(name)
    # Only a comma before `key=` separates, so that a path may have commas and equal signs of its own. A command and
    # another bot's spec may have keys of their own.
    keys = "|".join(parameters) if unnamed in ("command", "bot") else "[a-z_]+"
    for i, piece in enumerate(re.split(rf",(?=(?:{keys})=)", rest) if rest else []):
        key, equals, value = piece.partition("=")
        if i == 0 and unnamed is not None and (not equals or not re.fullmatch("[a-z_]+", key)):
            key, equals, value = unnamed, "=", piece
        if not equals:
            raise ValueError(f"agent {name!r}: {piece!r} should be key=value")
        if key not in parameters:
            known = ", ".join(parameters) or "no parameters"
            raise ValueError(f"agent {name!r} has no parameter {key!r}; it has {known}")
        if key in arguments:
            raise ValueError(f"agent {name!r}: {key!r} is given twice")
        arguments[key] = _value(name, key, value, parameters[key][0])
    return arguments


def _value(name: str, key: str, text: str, kind: Any) -> Any:
    kinds = get_args(kind) or (kind,)
    if type(None) in kinds and text.lower() == "none":
        return None
    if bool in kinds:
        if text.lower() in ("true", "yes", "false", "no"):
            return text.lower() in ("true", "yes")
        raise ValueError(f"agent {name!r}: {key} must be true or false, not {text!r}")
    for convert, word in ((int, "a whole number"), (float, "a number")):
        if convert in kinds:
            try:
                number = convert(text)
            except ValueError:
                raise ValueError(f"agent {name!r}: {key} must be {word}, not {text!r}") from None
            if not abs(number) <= sys.float_info.max:
                raise ValueError(f"agent {name!r}: {key} must be a finite number, not {text!r}")
            return number
    return text
