"""Options of a game: the options common to all games, and checks for those of a single game."""

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
SHORT = 32767  # maximum of int16


def is_int(value: object) -> bool:
    """Return whether a value is an integer, not a Boolean."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_bool(name: str, value: object) -> None:
    """Raise ValueError unless a value is a Boolean."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {value!r}")


def _plain(value: Any) -> Any:
    value = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value


def did_you_mean(name: object, names: Sequence[str]) -> str:
    """Return the suffix of an error about an unknown name: the similar names."""
    from difflib import get_close_matches

    close = get_close_matches(str(name), names, n=3)
    return f"; did you mean {', '.join(close)}" if close else ""


def listed(names: Sequence[str]) -> str:
    """Join names, quoted, for an error."""
    return ", ".join(map(repr, names))


def option(default: Any, meaning: str, choices: Sequence[str] = (), is_asked: bool = False) -> Any:
    """Declare an option as a dataclass field.

    meaning: description in Markdown. choices: its values, if they are words. is_asked: whether the start form of a
    short set-up contains it.
    """
    return field(default=default, metadata={"meaning": meaning, "choices": tuple(choices), "is_asked": is_asked})


@dataclass(frozen=True)
class Options:
    """Options of a game; each game has a subclass. ValueError for an invalid option."""

    home: ClassVar[str]  # module with the GAME_SPEC
    RULESETS: ClassVar[tuple[str, ...]]
    FLAGS: ClassVar[tuple[str, ...]] = ("skip_forced", "open_hands")
    LIMIT: ClassVar[str]  # name of the option with the round, or year, at which a game is truncated
    FILES: ClassVar[tuple[str, ...]] = ()  # options that may be file paths; logs contain the content of the file
    SAYS_NONE: ClassVar[tuple[str, ...]] = ()  # options with "none" as a word

    ruleset: str = option("", "the rules")
    num_players: int = option(None, "number of seats; `None` is the minimum of the ruleset")
    reward: str = option("win", 'final reward: `"win"`, `"rank"` or `"margin"`')
    skip_forced: bool = option(False, "the engine plays decisions with one legal action")
    open_hands: bool = option(False, "observations show the hidden cards of all seats")

    def __post_init__(self) -> None:
        for member in fields(self):
            object.__setattr__(self, member.name, _plain(getattr(self, member.name)))
        if self.ruleset is None or self.ruleset == "":
            object.__setattr__(self, "ruleset", self.RULESETS[0])
        if self.ruleset not in self.RULESETS:
            raise ValueError(f"unknown ruleset {self.ruleset!r}; expected one of: {listed(self.RULESETS)}")
        self._check_players()
        if self.reward not in REWARDS:
            raise ValueError(f"unknown reward {self.reward!r}; expected one of: {listed(REWARDS)}")
        self.check_number(self.LIMIT, 1, SHORT)
        for name in self.FLAGS:
            check_bool(name, getattr(self, name))
        self.validate()

    # Overridden by games.

    def players(self) -> range:
        """Return the allowed numbers of seats."""
        raise NotImplementedError

    def validate(self) -> None:
        """Raise ValueError for an invalid option of the subclass."""

    def rules(self) -> np.ndarray:
        """Return the rule parameters of the game, int64."""
        raise NotImplementedError

    def default_num_players(self) -> int:
        """Return the number of seats if num_players is None."""
        return self.players().start

    def hint_for_players(self) -> str:
        """Return a suffix for the error about num_players."""
        return ""

    @classmethod
    def with_opponents(cls, n_opponents: int, **options: Any) -> dict[str, Any]:
        """Return the options for a learner with n_opponents bots."""
        return options

    # Common to all games.

    def _check_players(self) -> None:
        allowed = self.players()
        if self.num_players is None:
            object.__setattr__(self, "num_players", self.default_num_players())
        if not is_int(self.num_players) or self.num_players not in allowed:
            expected = f"an integer from {allowed.start} to {allowed.stop - 1}" if len(allowed) > 1 else allowed.start
            hint = self.hint_for_players()
            raise ValueError(
                f"num_players must be {expected} for ruleset {self.ruleset!r}, got {self.num_players!r}{hint}"
            )

    def check_number(self, name: str, low: int, high: int, is_optional: bool = True) -> None:
        """Raise ValueError unless an option is an integer from low to high, or None if it is optional."""
        value = getattr(self, name)
        if value is None and is_optional:
            return
        if not is_int(value) or not low <= value <= high:
            prefix = "None or " if is_optional else ""
            raise ValueError(f"{name} must be {prefix}an integer from {low} to {high}, got {value!r}")

    @classmethod
    def of(cls, **options: object) -> Self:
        """Create options from keywords. TypeError for an unknown one."""
        names = [option.name for option in fields(cls)]
        unknown = sorted(set(options) - set(names))
        if unknown:
            raise UnknownOption(f"unknown option {unknown[0]!r}; expected one of: {', '.join(names)}")
        return cls(**options)  # type: ignore[arg-type]

    def replace(self, **changes: object) -> Self:
        """Return a copy with some options changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """Return the options as plain JSON."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @property
    def game_spec(self) -> "GameSpec":
        """The game of the options."""
        return import_module(self.home).GAME_SPEC

    @property
    def reward_number(self) -> int:
        """Index of the reward in REWARDS."""
        return REWARDS.index(self.reward)

    @property
    def limit(self) -> int | None:
        """The round, or year, after which the game is truncated."""
        return getattr(self, self.LIMIT)

    @property
    def is_alone(self) -> bool:
        """Whether the game has a single seat."""
        return self.num_players == 1

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of all options."""
        return [option.name for option in fields(cls)]

    @classmethod
    def read(cls, name: str, text: str) -> Any:
        """Parse a value of an option from text: true, false, none, an integer or a word."""
        words = {} if name in cls.SAYS_NONE else {"true": True, "false": False, "none": None}
        number = read_integer(text)
        return words.get(text.lower(), text) if number is None else number
