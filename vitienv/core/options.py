"""What a game is played with: options that every game has, and the checks that every game's own options use."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from vitienv.core.errors import UnknownOption
from vitienv.core.text_utils import read_integer

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

REWARDS = ("win", "rank", "margin")
SHORT = 32767  # the greatest number of a record's fields


def is_int(value: object) -> bool:
    """Whether a value is a whole number and no truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _plain(value: Any) -> Any:
    value = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value


def did_you_mean(name: object, names: Sequence[str]) -> str:
    """What a message adds about an unknown name: those that are close to it."""
    from difflib import get_close_matches

    close = get_close_matches(str(name), names, n=3)
    return f"; did you mean {', '.join(close)}" if close else ""


def listed(names: Sequence[str]) -> str:
    """Names as messages show them."""
    return ", ".join(map(repr, names))


def option(default: Any, meaning: str, choices: Sequence[str] = (), is_asked: bool = False) -> Any:
    """An option of a game, as a field of its class.

    meaning: a line for people, in Markdown. choices: its values, where they are words. is_asked: whether people are
    asked for it before a game, where they are not asked for all.
    """
    return field(default=default, metadata={"meaning": meaning, "choices": tuple(choices), "is_asked": is_asked})


@dataclass(frozen=True)
class Options:
    """What a game is played with; each game has a class of its own. ValueError names the option that is wrong.

    What each option means stands beside it; `table()` lists them.
    """

    home: ClassVar[str]  # the module of the game's definition
    RULESETS: ClassVar[tuple[str, ...]]
    FLAGS: ClassVar[tuple[str, ...]] = ("skip_forced", "open_hands")
    LIMIT: ClassVar[str]  # the option after which round, or year, a game is cut off
    FILES: ClassVar[tuple[str, ...]] = ()  # options that may be the path of a file; logs hold what stands in it
    SAYS_NONE: ClassVar[tuple[str, ...]] = ()  # options of which "none" is a word

    ruleset: str = option("", "the rules")
    num_players: int = option(None, "seats; `None` takes the least that the ruleset allows")
    reward: str = option("win", 'what a seat is given at the end: `"win"`, `"rank"` or `"margin"`')
    skip_forced: bool = option(False, "a decision with one legal action is taken by the engine")
    open_hands: bool = option(False, "observations show what every seat holds")

    def __post_init__(self) -> None:
        for member in fields(self):
            object.__setattr__(self, member.name, _plain(getattr(self, member.name)))
        if self.ruleset is None or self.ruleset == "":
            object.__setattr__(self, "ruleset", self.RULESETS[0])
        if self.ruleset not in self.RULESETS:
            raise ValueError(f"unknown ruleset {self.ruleset!r}; there is {listed(self.RULESETS)}")
        self._check_players()
        if self.reward not in REWARDS:
            raise ValueError(f"unknown reward {self.reward!r}; there is {listed(REWARDS)}")
        self.check_number(self.LIMIT, 1, SHORT)
        for name in self.FLAGS:
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} is {getattr(self, name)!r}; it must be True or False")
        self.check_own()

    # What a game says.

    def players(self) -> range:
        """How many seats these options allow."""
        raise NotImplementedError

    def check_own(self) -> None:
        """ValueError names an option of the game's own that is wrong and what would be right."""

    def rules(self) -> np.ndarray:
        """The numbers that each game carries, int64."""
        raise NotImplementedError

    def usual_players(self) -> int:
        """How many seats if the number is not given."""
        return self.players().start

    def hint_for_players(self) -> str:
        """What a message about a wrong number of players adds."""
        return ""

    @classmethod
    def among(cls, n_opponents: int, **options: Any) -> dict[str, Any]:
        """The same options for a learner among so many bots."""
        return options

    # What all games share.

    def _check_players(self) -> None:
        """Fill in the number of players, or refuse it."""
        allowed = self.players()
        if self.num_players is None:
            object.__setattr__(self, "num_players", self.usual_players())
        if not is_int(self.num_players) or self.num_players not in allowed:
            right = f"a number from {allowed.start} to {allowed.stop - 1}" if len(allowed) > 1 else str(allowed.start)
            given = f"num_players is {self.num_players!r}"
            hint = self.hint_for_players()
            raise ValueError(f"{given}; for ruleset {self.ruleset!r} it must be {right}{hint}")

    def check_number(self, name: str, low: int, high: int, is_optional: bool = True) -> None:
        """ValueError unless an option is a whole number in these bounds, or None where it is optional."""
        value = getattr(self, name)
        if value is None and is_optional:
            return
        if not is_int(value) or not low <= value <= high:
            none = "None or " if is_optional else ""
            raise ValueError(f"{name} is {value!r}; it must be {none}a number from {low} to {high}")

    @classmethod
    def of(cls, **options: object) -> Self:
        """Options from keywords. TypeError names an unknown one."""
        known = [own.name for own in fields(cls)]
        unknown = sorted(set(options) - set(known))
        if unknown:
            raise UnknownOption(f"unknown option {unknown[0]!r}; there is {', '.join(known)}")
        return cls(**options)  # type: ignore[arg-type]

    def with_(self, **changes: object) -> Self:
        """The same options with some changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """The options as plain JSON."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @property
    def game_spec(self) -> "GameSpec":
        """The game that these are options of."""
        return import_module(self.home).GAME_SPEC

    @property
    def reward_number(self) -> int:
        """The reward as the engine counts it."""
        return REWARDS.index(self.reward)

    @property
    def limit(self) -> int | None:
        """The round, or year, after which the game is cut off."""
        return getattr(self, self.LIMIT)

    @property
    def is_alone(self) -> bool:
        """Whether there is one seat."""
        return self.num_players == 1

    @classmethod
    def names(cls) -> list[str]:
        """The names of all options."""
        return [own.name for own in fields(cls)]

    @classmethod
    def read(cls, name: str, text: str) -> Any:
        """What a text, of a command line say, gives an option: true, false, none, a whole number or a word."""
        words = {} if name in cls.SAYS_NONE else {"true": True, "false": False, "none": None}
        number = read_integer(text)
        return words.get(text.lower(), text) if number is None else number

    @classmethod
    def table(cls) -> str:
        """All options with their defaults and meanings, in Markdown. ValueError for one without a meaning."""
        rows = ["| option | default | meaning |", "| --- | --- | --- |"]
        for option in fields(cls):
            if "meaning" not in option.metadata:
                raise ValueError(f"option {option.name!r} has no meaning; declare it by `option(default, meaning)`")
            default = cls.RULESETS[0] if option.name == "ruleset" else option.default
            shown = f'"{default}"' if isinstance(default, str) else repr(default)
            rows.append(f"| `{option.name}` | `{shown}` | {option.metadata['meaning']} |")
        return "\n".join(rows)
