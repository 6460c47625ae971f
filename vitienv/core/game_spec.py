"""Definition of a game, through which environments, bots, training and commands access it."""

from collections.abc import Mapping
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
class RoundSpec:
    """Progress of a game.

    round: field that counts from 1 (0: set-up). word: name of a round. phase: field of the phase of a round, or None;
    phases: names of its values. limit: rule parameter of the round after which a game is truncated. last: rule
    parameter of the last round by the rules, or None. late: phase from which a search plays beyond the current round.
    """

    round: str
    word: str
    phase: str | None = None
    phases: tuple[str, ...] = ()
    late: int | None = None
    last: str | None = None
    limit: str = "max_rounds"


@dataclass(frozen=True)
class LeadFeatures:
    """Features of the observation from which a network computes the lead of its seat.

    points: points by seat, the viewer first. present: occupied seats. rival: opponent of a single seat, a feature and a
    field of this name, in games whose rule parameter `rival_parameter` is 1; or None. unit: points of a large lead.
    """

    points: str
    present: str
    rival: str | None = None
    rival_parameter: str | None = None
    unit: float = 20.0


@dataclass(frozen=True)
class SharedToken:
    """Token that all seats of a team share.

    field: field of the record, also its name. end: rule parameter of the end of its track. points: rule parameter of
    the points that every seat must have.
    """

    field: str
    end: str
    points: str


@dataclass(frozen=True, eq=False)  # compared by identity
class GameSpec:
    """Definition of a game.

    name, title: word for `game=`, and display name. options: class of its options. fields: fields of its record.
    actions, observation, operations: its spaces and operations. max_seats: maximum number of seats. kernels: compiled
    loops. clock: see `RoundSpec`. rule_parameters: its rule parameters. utility: "zero_sum", or "identical" for a team.
    scored_in: unit of scores, a plural noun.

    The other fields have defaults for any game; functions and modules are dotted names:

    positions: module with keys, see `vitienv.core.positions`. text: module of texts, see `vitienv.render.text`.
    drawing: `draw(game, viewer, names, columns, theme)`, SVG; see `vitienv.Game.svg`. report: sections of a
    tournament's report, see `training.report`. outcome, rival_score: result of a solo or cooperative game, and the
    points of the Automa. lead: see `LeadFeatures`. agents: bots of the game by name. template: package with `bot.py`
    and `test_bot.py` for new custom bots.
    policy_prior: bot that is the policy prior of networks. champions: see `agents.champions`. tables: options of the
    tables of the ladder and of `--mix`. training: settings of the self-play learner that differ from the defaults.
    campaign: class of the campaign. base_game: name of the game that this one varies; its bots may support both.
    data: digest of replaceable component data, recorded in logs and positions. token: see `SharedToken`.
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
    rounds: RoundSpec
    rule_parameters: RuleParameters
    utility: str = ZERO_SUM
    scored_in: str = "points"
    positions: str = "vitienv.core.positions"
    text: str = "vitienv.render.text"
    drawing: str | None = None
    report: str | None = None
    outcome: str | None = None
    rival_score: str | None = None
    lead: LeadFeatures | None = None
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
    base_game: str | None = None
    data: str | None = None
    token: SharedToken | None = None

    def __post_init__(self) -> None:
        missing = [name for name in REQUIRED if name not in {field.name for field in self.fields}]
        if missing:
            raise ValueError(f"fields of {self.name} must include {missing[0]!r}")
        if self.utility not in (ZERO_SUM, IDENTICAL):
            raise ValueError(f"utility must be {ZERO_SUM!r} or {IDENTICAL!r}, got {self.utility!r}")

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The names of its rulesets; the first is the default."""
        return self.options.RULESETS

    @cached_property
    def decisions(self) -> list[str]:
        """The names of all decisions, in index order."""
        return self.operations.decisions

    def rule_parameter(self, name: str) -> int:
        """Return the offset of a rule parameter in the field `rules`."""
        return int(self.rule_parameters.numbers[name.upper()])

    def call(self, attribute: str) -> Any:
        """Import the function or class whose dotted name is in an attribute."""
        return load(getattr(self, attribute))

    @property
    def text_module(self) -> Any:
        """The module of texts for people."""
        return import_module(self.text)

    @cached_property
    def searching(self) -> SearchKernels:
        """The compiled search loop of the game."""
        return self.build_search(self.kernels)

    def build_search(self, kernels: Kernels) -> SearchKernels:
        """Compile a search loop with the rules of `kernels`."""
        rival = self.lead.rival if self.lead is not None and self.lead.rival_parameter is not None else None
        rival_kind = np.dtype(np.int8) if rival is None else self.dtype[rival]
        return build_search(kernels, self.dtype[self.rounds.round], rival_kind)

    def digest(self, record: np.record) -> str:
        """Return a hash of the state of a game, the same on every platform."""
        return digest(record, self.fields)

    def token_of(self, record: Any) -> tuple[int, int] | None:
        """Return position and goal of the token in a record; None in a game without one."""
        if self.token is None:
            return None
        return int(record[self.token.field]), int(record["rules"][self.rule_parameter(self.token.end)])

    @property
    def is_of_team(self) -> bool:
        """Whether all seats win or lose together."""
        return self.utility == IDENTICAL

    def round_numbers(self, batch: "Batch") -> np.ndarray:
        """Return the round of each game of a batch, (n,); a view."""
        return batch.games.view(np.ndarray)[self.rounds.round]

    def __repr__(self) -> str:
        return f"<GameSpec of {self.name}>"

    def __reduce__(self) -> tuple:
        return load, (f"{self.options.home}.GAME_SPEC",)


def load(path: str) -> Any:
    """Import an attribute of a module by its dotted name."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)
