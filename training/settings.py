"""Settings as dataclass fields with default, bounds and help text.

The options of `vitienv train`, the bounds checks and the tables of docs/training.md are generated from them. This
module and the other modules named `settings` do not import torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from vitienv.registry import DEFAULT, game_spec

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

DEFAULT_MINUTES = 10.0
# Initial weights of the lead and of the prior's value. Regression on games of an untrained network gives 2.4 and 0.2
# with win, 1.0 and 0.1 with margin, where 0.5 and 0.5 train better (results/2026-11-27-training.md).
VALUE_WIN, VALUE_MARGIN = (2.0, 0.25), (0.5, 0.5)
S = TypeVar("S")


def setting(
    default: Any, text: str, *, minimum: float | None = None, above: float | None = None, maximum: float | None = None,
    flag: str | None = None, bots: bool = False, is_saved: bool = False,
) -> Any:  # fmt: skip
    """Return a field for a setting.

    text: help, a phrase without a full stop. minimum, above, maximum: bounds. flag: option name if it differs, ""
    for none. bots: whether it contains bots, which are checked in untrusted runs. is_saved: whether a resumed run reads
    this call option from its settings file.
    """
    value = {"default_factory": lambda: default} if isinstance(default, dict) else {"default": default}
    metadata = {"text": text, "bounds": (minimum, above, maximum), "flag": flag, "bots": bots, "is_saved": is_saved}
    return field(**value, metadata=metadata)


def other(of: type, name: str, default: Any) -> Any:
    """Return a field of another class with another default."""
    return field(default=default, metadata=next(member.metadata for member in fields(of) if member.name == name))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Call:
    """Call options of a training; saved ones are the defaults of a resumed run."""

    run: str | Path | None = setting(None, "run directory of checkpoints and curves, by default a new one in runs/")
    resume: bool = setting(False, "continue the training in --run")
    minutes: float | None = setting(
        None, f"time limit including evaluations; {DEFAULT_MINUTES:g} if no limit is given", minimum=0
    )
    steps: int | None = setting(None, "limit of decisions, including those before --resume", minimum=1)
    threads: int | None = setting(None, "torch threads, by default one per core", minimum=1, is_saved=True)
    eval_opponents: tuple[str, ...] | None = setting(
        None,
        "opponents of the evaluations, by default those of the run, or the heuristic bot, and the nearest levels",
        bots=True, is_saved=True,
    )  # fmt: skip
    evaluation_games: int = setting(
        400, "games per opponent and evaluation; 0 disables evaluations", minimum=0, is_saved=True
    )
    checkpoint_seconds: float = setting(60.0, "time between two checkpoints", minimum=0, is_saved=True)
    progress: bool = setting(True, "whether progress is shown", flag="")


@dataclass(frozen=True)
class OwnCall(Call):
    """Call options of self-play and training from search."""

    updates: int | None = setting(None, "limit of updates in this call", minimum=1)
    start: str | Path | None = setting(
        None, "initial network, a .safetensors file or a run directory; a larger --hidden widens it"
    )
    device: str = setting("auto", "torch device: cpu, cuda or auto")
    backend: str = setting(
        "local",
        "backend of the games: local; cuda (NVIDIA GPU, self-play); ray (started here) or ray:HOST:PORT (search)",
    )


@dataclass(frozen=True)
class Settings:
    """Settings shared by self-play and training from search: tables, reward, network, optimizer."""

    game: str = setting(DEFAULT, "the game", flag="")
    mix: str = setting("2", "tables and their shares of the games, such as 2:1,solo/very_hard:1")
    seed: int = setting(0, "the same seed gives the same games", minimum=0)
    reward: str = setting("win", "reward with two or more players: win, rank or margin")
    solo_reward: str = setting("margin", "reward in games with one seat")
    max_years: int = setting(30, "year, or round, after which a game is truncated", minimum=1)
    hidden: int = setting(256, "width of the network's layers", minimum=1)
    blocks: int = setting(2, "residual layers after the first one", minimum=0)
    shaping: float | None = setting(
        None,
        "weight of the lead in points, and of the policy prior's value, in the initial value; by default "
        f"{VALUE_MARGIN[0]:g} and {VALUE_MARGIN[1]:g} with the reward margin, else {VALUE_WIN[0]:g} and "
        f"{VALUE_WIN[1]:g}",
    )
    policy_prior: str | None = setting("heuristic", "heuristic bot used as policy prior, or none", bots=True)
    minibatch_size: int = setting(2048, "decisions in a gradient step", minimum=1)
    learning_rate: float = setting(2e-4, "learning rate of Adam", minimum=0)
    vf_coef: float = setting(0.5, "weight of the value loss")
    max_grad_norm: float = setting(1.0, "largest norm of the gradient", above=0)


def flag_of(member: Any) -> str:
    """Return the option of a field without dashes; "" if it has none."""
    return member.name if member.metadata["flag"] is None else member.metadata["flag"]


def split(values: Mapping[str, Any], call: type[S]) -> tuple[S, dict[str, Any]]:
    """Return the call options, and the remaining keywords, which are settings. ValueError for an invalid number."""
    names = {member.name for member in fields(call)}  # type: ignore[arg-type]
    options: Any = call(**{name: value for name, value in values.items() if name in names})
    if all(getattr(options, name, None) is None for name in ("minutes", "steps", "updates")):
        options = replace(options, minutes=DEFAULT_MINUTES)
    check(options)
    return options, {name: value for name, value in values.items() if name not in names}


def nearest(*limits: tuple[float, float | None]) -> float:
    """Return the largest progress of limits (current, maximum); 1 or more at the end, and without any limit.

    A maximum of None is ignored, one of 0 is reached at once.
    """
    return max(
        (current / maximum if maximum else 1.0 for current, maximum in limits if maximum is not None), default=1.0
    )


def settings_of(
    cls: type[S], values: Mapping[str, Any], defaults: Callable[[GameSpec], dict[str, Any]] = lambda _: {}
) -> S:
    """Return settings with these values. defaults: returns the defaults of a game.

    ValueError for an unknown setting or an invalid number.
    """
    from vitienv.core.options import did_you_mean

    names = [member.name for member in fields(cls)]  # type: ignore[arg-type]
    for name in values:
        if name not in names:
            hint = did_you_mean(name, names) or f"; expected one of: {', '.join(names)}"
            raise ValueError(f"unknown setting {name!r}{hint}")
    game: GameSpec = game_spec(values.get("game", DEFAULT))
    settings = replace(cls(**defaults(game)), **values)  # type: ignore[type-var]
    check(settings)
    return settings


def check(settings: Any) -> None:
    """Raise ValueError for a number that is out of bounds or not finite."""
    for member in fields(settings):
        value, (minimum, above, maximum) = getattr(settings, member.name), member.metadata["bounds"]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            continue
        if not isfinite(value):
            raise ValueError(f"{member.name} must be a finite number, got {value}")
        is_wrong = (minimum is not None and value < minimum) or (above is not None and value <= above)
        if is_wrong or (maximum is not None and value > maximum):
            raise ValueError(f"{member.name} must be {bounds_of(member)}, got {value}")


def bounds_of(member: Any) -> str:
    """Return the bounds of a field in words; "" if it has none."""
    words = zip(("at least", "above", "at most"), member.metadata["bounds"])
    return " and ".join(f"{word} {bound:g}" for word, bound in words if bound is not None)


def default_of(member: Any) -> str:
    """Return a field's default as written on the command line; "" if the option is omitted."""
    if any(member.default is empty for empty in (MISSING, None, False, ())):
        return ""
    if isinstance(member.default, tuple):
        return ",".join(member.default)
    return f"{member.default:g}" if isinstance(member.default, float) else str(member.default)


def type_of(cls: type, name: str) -> type:
    """Return the type of a field's option: int, float, bool, Path or str."""
    hint = get_type_hints(cls)[name]
    kinds = set(getattr(hint, "__args__", ())) | {hint}
    return next((kind for kind in (bool, int, float, Path) if kind in kinds), str)


def is_optional(cls: type, name: str) -> bool:
    """Return whether a field may be None."""
    return type(None) in getattr(get_type_hints(cls)[name], "__args__", ())


def parsed(cls: type, name: str, value: Any, listed: Any) -> Any:
    """Parse an option's text. listed: splits a comma-separated text."""
    hint = str(get_type_hints(cls)[name])
    if value == "none" and ("None" in hint or "tuple" in hint):
        return () if "tuple" in hint else None
    return tuple(listed(value, f"--{name.replace('_', '-')}")) if "tuple" in hint else value
