"""What a game says of itself, once; environments, bots, training and commands ask it and know no game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.action_spec import ActionSpec
from vitienv.core.fields import Field, digest
from vitienv.core.kernel import Kernels
from vitienv.core.observation_spec import ObservationSpec
from vitienv.core.operations import Operations
from vitienv.core.options import Options
from vitienv.core.rule_parameters import RuleParameters
from vitienv.core.search.simulate import SearchKernels
from vitienv.core.search.simulate import build as build_search

if TYPE_CHECKING:
    from vitienv.core.batch import Batch

REQUIRED = ("key", "chance", "rules", "frames", "depth", "status")  # fields that the compiled loops use
ZERO_SUM = "zero_sum"
IDENTICAL = "identical"


@dataclass(frozen=True)
class Clock:
    """How far a game is. round: a field that counts from 1 (0: set-up). phase: a field within it, or None, and the
    words of its numbers. word: what a round is called. limit, last: the rule parameters after which round a game is cut
    off, and which is its last by the rules, None where no rule parameter says that. late: the phase from which on a
    search looks beyond the present round."""

    round: str
    word: str
    phase: str | None = None
    phases: tuple[str, ...] = ()
    late: int | None = None
    last: str | None = None
    limit: str = "max_rounds"


@dataclass(frozen=True)
class Lead:
    """Entries of the observation by which a network sees how far its seat is ahead.

    points: by seat, the viewer first. present: seats taken. rival: what a single seat is compared with, or None: a
    field of the same name, played against where the rule parameter `rival_parameter` is 1. unit: points that count as a
    large lead.
    """

    points: str
    present: str
    rival: str | None = None
    rival_parameter: str | None = None
    unit: float = 20.0


@dataclass(frozen=True)
class Token:
    """A token that all seats of a team move together. field: of the record, and what it is called; end: the rule
    parameter that says where its track ends; points: the rule parameter that says how many points every seat must
    have."""

    field: str
    end: str
    points: str


@dataclass(frozen=True, eq=False)  # a definition is itself alone, however alike another one looks
class GameSpec:
    """One game.

    name, title: the word for `game=` and what people call it. options: its class of options. fields: of its record.
    actions, observation, operations: its layouts. max_seats: the most that can play. kernels: the compiled loops.
    clock: how far a game is. rule_parameters: its rules. utility: "zero_sum", or "identical" where all win or lose
    together. scored_in: what scores count, a word in the plural.

    The rest has a plain form that works for every game, and may be given as a dotted name or as an object:

    positions: a module with `to_dict(game)`, `from_dict(position)`. render: `render(game, viewer)`, words. text: a
    module of text for people, see `vitienv.render.text`. drawing: `draw(game, viewer, names, columns, theme)`, SVG, or
    None; see `vitienv.Game.svg`. report: what `vitienv report` tells, see `training.report`. outcome, rival_score: how
    a game against no other player ended, and the points of what it was played against. standing: `standing(game)`, a
    line about the seats. lead: see `Lead`.
    agents: bots of its own by name. template: a package with `bot.py` and `test_bot.py`, from which own bots are begun.
    policy_prior: heuristic bot for network priors, or None. champions: see `agents.champions`. tables: those of the
    ladder and of `--mix`, each with its options. training: settings of the self-play learner that differ from the
    usual. campaign: of its own, a dotted name. base_game: the name of the game that it varies, or None: bots of that
    game may sit here too, as far as they know it. traits: `traits()`, what cards and the like say in numbers of the
    order of one, by the last part of the names of observed numbers and actions that stand for them; networks may share
    weights over them (`training.selfplay.traits`). data: a digest of what it is played with, if an owner may replace
    that: logs and positions carry it. token: of a team, or None.
    """

    name: str
    title: str
    options: type[Options]
    fields: tuple[Field, ...]
    dtype: np.dtype
    actions: ActionSpec
    observation: ObservationSpec
    operations: Operations
    max_seats: int
    kernels: Kernels
    clock: Clock
    rule_parameters: RuleParameters
    utility: str = ZERO_SUM
    scored_in: str = "points"
    positions: str = "vitienv.core.positions"
    render: str = "vitienv.core.positions.render"
    text: str = "vitienv.render.text"
    drawing: str | None = None
    report: str | None = None
    outcome: str | None = None
    rival_score: str | None = None
    standing: str | None = None
    lead: Lead | None = None
    agents: Mapping[str, str] = field(default_factory=dict)
    template: str | None = None
    policy_prior: str | None = None
    heuristic_bot: str = "random"
    champions: str | None = None
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    levels: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    campaign: str | None = None
    signature: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    traits: str | None = None
    base_game: str | None = None
    data: str | None = None
    token: Token | None = None

    def __post_init__(self) -> None:
        missing = [name for name in REQUIRED if name not in {own.name for own in self.fields}]
        if missing:
            raise ValueError(f"the record of {self.name} has no field {missing[0]!r}")
        if self.utility not in (ZERO_SUM, IDENTICAL):
            raise ValueError(f"utility is {self.utility!r}; it must be {ZERO_SUM!r} or {IDENTICAL!r}")

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The names of its rulesets; the first is the one played where none is given."""
        return self.options.RULESETS

    @cached_property
    def decisions(self) -> list[str]:
        """The names of all decisions, in the order of their numbers."""
        return self.operations.decisions

    def rule_parameter(self, name: str) -> int:
        """Where a rule parameter stands in a record's rules."""
        return int(self.rule_parameters.numbers[name.upper()])

    def call(self, what: str) -> Callable[..., Any]:
        """One of its functions that are given by dotted names."""
        return load(getattr(self, what))

    @property
    def text_module(self) -> Any:
        """The module that tells people of the game."""
        return import_module(self.text)

    @cached_property
    def searching(self) -> SearchKernels:
        """The compiled loop of a search of this game."""
        return self.build_search(self.kernels)

    def build_search(self, kernels: Kernels) -> SearchKernels:
        """The compiled loop of a search by the rules of `kernels`."""
        rival = self.lead.rival if self.lead is not None and self.lead.rival_parameter is not None else None
        rival_kind = np.dtype(np.int8) if rival is None else self.dtype[rival]
        return build_search(kernels, self.dtype[self.clock.round], rival_kind)

    def digest(self, record: np.record) -> str:
        """A hash of the state of one game, the same on every platform."""
        return digest(record, self.fields)

    def token_of(self, record: Any) -> tuple[int, int] | None:
        """Where the team's token stands in a record, and where its track ends; None in a game without one."""
        if self.token is None:
            return None
        return int(record[self.token.field]), int(record["rules"][self.rule_parameter(self.token.end)])

    @property
    def is_of_team(self) -> bool:
        """Whether all seats win together or lose together."""
        return self.utility == IDENTICAL

    def rounds(self, batch: "Batch") -> np.ndarray:
        """The round of each game of a batch, (n,): a view, which follows the games."""
        return batch.games.view(np.ndarray)[self.clock.round]

    def __repr__(self) -> str:
        return f"<GameSpec of {self.name}>"

    def __reduce__(self) -> tuple:
        return load, (f"{self.options.home}.GAME_SPEC",)


def load(path: str) -> Any:
    """What a dotted name means: an attribute of a module."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)
