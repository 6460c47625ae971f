"""Settings as fields of dataclasses, each with its default, its bounds and its help beside it.

From them are made the options of `vitienv train` and their help, the checks of bounds, and the tables of
docs/training.md: a new setting is its field and its use. Nothing here or in the modules named `settings` loads torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from vitienv.registry import DEFAULT, game_spec

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

DEFAULT_MINUTES = 10.0
# Initial weights of the lead and of the prior's value. Regression over games of an untrained network gives 2.4 and
# 0.2 with win, 1.0 and 0.1 with margin, where 0.5 and 0.5 learned better (results/2026-11-27-training.md).
VALUE_WIN, VALUE_MARGIN = (2.0, 0.25), (0.5, 0.5)
S = TypeVar("S")


def setting(
    default: Any, text: str, *, least: float | None = None, above: float | None = None, most: float | None = None,
    flag: str | None = None, bots: bool = False, is_saved: bool = False,
) -> Any:  # fmt: skip
    """A field. text: its help, a phrase without an end. least, above, most: bounds of a number. flag: its option, if
    that is not its name; "" for none. bots: whether it names bots, which of a stranger's run are asked about. is_saved:
    whether a resumed run takes this option of its call from its settings file."""
    value = {"default_factory": lambda: default} if isinstance(default, dict) else {"default": default}
    about = {"text": text, "bounds": (least, above, most), "flag": flag, "bots": bots, "is_saved": is_saved}
    return field(**value, metadata=about)


def other(of: type, name: str, default: Any) -> Any:
    """A field of another class with another default."""
    return field(default=default, metadata=next(one.metadata for one in fields(of) if one.name == name))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Call:
    """How a training is carried out; a resumed run has the options that are saved unless others are given."""

    run: str | Path | None = setting(None, "run folder for checkpoints and curves; a new one in runs/ if not given")
    resume: bool = setting(False, "continue the training in --run")
    minutes: float | None = setting(
        None, f"stop after this time, evaluations included; {DEFAULT_MINUTES:g} if no limit is given", least=0
    )
    steps: int | None = setting(None, "stop after this many decisions, those before --resume included", least=1)
    output: str | Path | None = setting(
        None, "save the finished bot here too (.safetensors; ppo also .zip, the last network to train on)"
    )
    threads: int | None = setting(None, "threads of torch; one for each core if not given", least=1, is_saved=True)
    eval_opponents: tuple[str, ...] | None = setting(
        None,
        "bots of the evaluations; if not given the opponents of the run, or the heuristic bot, and the nearest levels",
        bots=True, is_saved=True,
    )  # fmt: skip
    evaluation_games: int = setting(
        400, "games of an evaluation against each opponent; 0 for no evaluation", least=0, is_saved=True
    )
    checkpoint_seconds: float = setting(60.0, "time between two checkpoints", least=0, is_saved=True)
    progress: bool = setting(True, "whether progress is shown", flag="")


@dataclass(frozen=True)
class OwnCall(Call):
    """A call of a method that trains a network of this project."""

    updates: int | None = setting(None, "stop after this many updates of this call", least=1)
    start: str | Path | None = setting(None, "begin with these weights (.safetensors); a larger --hidden widens them")
    device: str = setting("auto", "where torch computes: cpu, cuda or auto")
    backend: str = setting(
        "local", "where games are played: local; card (NVIDIA, self-play); ray (started here) or ray:HOST:PORT (search)"
    )


@dataclass(frozen=True)
class Settings:
    """What self-play and learning from search share: the tables, the reward, the network, its optimiser."""

    game: str = setting(DEFAULT, "the game", flag="")
    mix: str = setting("2", "tables and their shares of the games, such as 2:1,solo/very_hard:1")
    seed: int = setting(0, "the same seed gives the same games", least=0)
    reward: str = setting("win", "reward at tables for two and more: win, rank or margin")
    solo_reward: str = setting("margin", "reward in games with one seat")
    max_years: int = setting(30, "year, or round, after which a game is cut off", least=1)
    hidden: int = setting(256, "width of the network's layers", least=1)
    blocks: int = setting(2, "residual layers after the first one", least=0)
    shaping: float | None = setting(
        None,
        "weight of the lead in points, and of the policy prior's value, in the initial value; if not given "
        f"{VALUE_MARGIN[0]:g} and {VALUE_MARGIN[1]:g} where the reward is margin, else {VALUE_WIN[0]:g} and "
        f"{VALUE_WIN[1]:g}",
    )
    policy_prior: str | None = setting("heuristic", "heuristic bot used as policy prior, or none", bots=True)
    traits: bool = setting(False, "cards share weights of the first layer")
    minibatch_size: int = setting(2048, "decisions in a gradient step", least=1)
    learning_rate: float = setting(2e-4, "learning rate of Adam", least=0)
    vf_coef: float = setting(0.5, "weight of the value loss")
    max_grad_norm: float = setting(1.0, "largest norm of the gradient", above=0)


def flag_of(one: Any) -> str:
    """The option of a field, without dashes; "" for none."""
    return one.name if one.metadata["flag"] is None else one.metadata["flag"]


def split(values: Mapping[str, Any], call: type[S]) -> tuple[S, dict[str, Any]]:
    """The call, and the remaining keywords, which are settings. ValueError for a number out of its bounds."""
    names = {one.name for one in fields(call)}  # type: ignore[arg-type]
    made: Any = call(**{name: value for name, value in values.items() if name in names})
    if all(getattr(made, name, None) is None for name in ("minutes", "steps", "updates")):
        made = replace(made, minutes=DEFAULT_MINUTES)
    check(made)
    return made, {name: value for name, value in values.items() if name not in names}


def nearest(*limits: tuple[float, float | None]) -> float:
    """How much of a call is over by the limit that is nearest, 1 or more at its end. limits: what is done, and of how
    much: 0 is over at once, None is no limit. 1 if there is none."""
    return max((done / of if of else 1.0 for done, of in limits if of is not None), default=1.0)


def settings_of(
    cls: type[S], values: Mapping[str, Any], usual: Callable[[GameSpec], dict[str, Any]] = lambda _: {}
) -> S:
    """Settings with the values given in place of defaults. usual: a function from a game to its other defaults.

    ValueError for an unknown setting, and for a number out of its bounds.
    """
    from vitienv.core.options import did_you_mean

    known = [one.name for one in fields(cls)]  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            hint = did_you_mean(name, known) or f"; there is {', '.join(known)}"
            raise ValueError(f"unknown setting {name!r}{hint}")
    game: GameSpec = game_spec(values.get("game", DEFAULT))
    made = replace(cls(**usual(game)), **values)  # type: ignore[type-var]
    check(made)
    return made


def check(settings: Any) -> None:
    """ValueError, which names the field, for a number out of its bounds or one that is not finite."""
    for one in fields(settings):
        value, (least, above, most) = getattr(settings, one.name), one.metadata["bounds"]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            continue
        if not isfinite(value):
            raise ValueError(f"{one.name} is {value}; it must be a finite number")
        is_wrong = (least is not None and value < least) or (above is not None and value <= above)
        if is_wrong or (most is not None and value > most):
            raise ValueError(f"{one.name} is {value}; it must be {bounds_of(one)}")


def bounds_of(one: Any) -> str:
    """The bounds of a field in words, "" if it has none."""
    words = zip(("at least", "above", "at most"), one.metadata["bounds"])
    return " and ".join(f"{word} {bound:g}" for word, bound in words if bound is not None)


def default_of(one: Any) -> str:
    """A field's default as written on the command line; "" where it is to leave the option out."""
    if any(one.default is none for none in (MISSING, None, False, ())):
        return ""
    if isinstance(one.default, tuple):
        return ",".join(one.default)
    return f"{one.default:g}" if isinstance(one.default, float) else str(one.default)


def type_of(cls: type, name: str) -> type:
    """What a field's option takes: int, float, bool, Path or text."""
    hint = get_type_hints(cls)[name]
    kinds = set(getattr(hint, "__args__", ())) | {hint}
    return next((kind for kind in (bool, int, float, Path) if kind in kinds), str)


def is_optional(cls: type, name: str) -> bool:
    """Whether a field may be None."""
    return type(None) in getattr(get_type_hints(cls)[name], "__args__", ())


def parsed(cls: type, name: str, value: Any, listed: Any) -> Any:
    """An option's text as the field's value. listed: makes a list of a text with commas."""
    hint = str(get_type_hints(cls)[name])
    if value == "none" and ("None" in hint or "tuple" in hint):
        return () if "tuple" in hint else None
    return tuple(listed(value, f"--{name.replace('_', '-')}")) if "tuple" in hint else value


def table(classes: Sequence[type], without: Sequence[type] = ()) -> str:
    """The options of some dataclasses for the documentation, less those that others have with the same default."""
    left_out = {(one.name, default_of(one)) for cls in without for one in fields(cls)}
    rows = ["| option | if not given | meaning |", "| --- | --- | --- |"]
    for cls in classes:
        for one in fields(cls):
            if flag_of(one) and (one.name, default_of(one)) not in left_out:
                bounds = f" ({bounds_of(one)})" if bounds_of(one) else ""
                option = f"`--{flag_of(one).replace('_', '-')}`"
                value = default_of(one)
                rows.append(f"| {option} | {f'`{value}`' if value else ''} | {one.metadata['text']}{bounds} |")
    return "\n".join(rows)
