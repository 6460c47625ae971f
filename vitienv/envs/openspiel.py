"""The games as Python games of OpenSpiel: `import vitienv.envs.openspiel`, then `pyspiel.load_game("vitienv_toscana")`.

Each game that vitienv knows is registered as `vitienv_NAME`. Its parameters are `players` and those options of
`vitienv.env` that are numbers, words or truth values. Interface: `pyspiel.State` of OpenSpiel 2.0.

Chance comes from the seed by a counter. So the only chance nodes are the first four: each draws a byte of the seed, the
lowest first. All that follows is a function of the history, and equal seeds and actions lead to the same game as
`vitienv.Game.new(seed)`. A state therefore holds the draws to come: only searches that resample the state
(`resample_from_infostate`, as IS-MCTS does) play fairly.

This is a door to other people's algorithms, not a fast one: a state costs what a `vitienv.Game` costs. Learners should
take `vitienv.make_vec`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, get_args, get_type_hints

import numpy as np

from vitienv.core.game_spec import ZERO_SUM, GameSpec
from vitienv.core.options import SHORT
from vitienv.extras import missing
from vitienv.game import Game
from vitienv.registry import game_names, game_spec

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(missing("vitienv.envs.openspiel", error.name, "openspiel"), name=error.name) from None

SEED_BYTES, BYTE = 4, 256
UNSET = {int: -1, str: ""}  # for options that are None unless given: OpenSpiel has no such word
PLAYERS = "players"  # what OpenSpiel calls num_players
LONGEST = 1_000_000  # decisions: no game without a limit of rounds has a bound of its own
FINEST = 100  # rewards of a zero sum are fractions of at most this; as float32 they would add up to zero only nearly
MARGIN = SHORT / 20  # the greatest reward of `reward="margin"`


def parameters(made: GameSpec) -> dict[str, Any]:
    """The parameters of a game with their defaults: its options, without those that are neither number nor word."""
    hints, usual = get_type_hints(made.options), made.options()
    parameters_of: dict[str, Any] = {}
    for option in fields(made.options):
        kinds = get_args(hints[option.name]) or (hints[option.name],)
        kind = next((kind for kind in (bool, int, str) if kind in kinds), None)
        if option.name == "num_players":
            parameters_of[PLAYERS] = UNSET[int]
        elif kind is not None:
            value = getattr(usual, option.name)
            parameters_of[option.name] = UNSET[kind] if value is None else value
    return parameters_of


def game_type(made: GameSpec, num_players: int | None = None) -> Any:
    """The `pyspiel.GameType` of a game with so many seats, or as it is registered."""
    kinds = pyspiel.GameType
    utility = kinds.Utility.ZERO_SUM if made.utility == ZERO_SUM else kinds.Utility.IDENTICAL
    return kinds(
        short_name=f"vitienv_{made.name}",
        long_name=made.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if num_players == 1 else utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=made.max_seats,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(made),
    )


class VitienvGame(pyspiel.Game):
    """A game with its options, in `options`. ValueError for a wrong one, as in `vitienv.env`. Each game has a class of
    its own: OpenSpiel calls it with the parameters alone."""

    made: GameSpec

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        made, usual = self.made, parameters(self.made)
        given = {name: value for name, value in (params or {}).items() if value != usual[name]}
        if PLAYERS in given:
            given["num_players"] = given.pop(PLAYERS)
        self.options = made.options.of(**given)
        n = self.options.num_players
        made = self.options.game_spec
        bound = MARGIN if self.options.reward == "margin" else 1.0
        kind = game_type(made, n)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(made.actions),
            max_chance_outcomes=BYTE,
            num_players=n,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if kind.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
            max_game_length=LONGEST,
        )
        super().__init__(kind, info, dict(params or {}))

    def new_initial_state(self) -> VitienvState:
        """A state before its seed is drawn."""
        return VitienvState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a seat sees. ValueError for anything but a seat's own view without recall."""
        return Observer(self, iig_obs_type, params)


class VitienvState(pyspiel.State):
    """A state. played: its `vitienv.Game`, None until the seed is drawn. recalled: by seat, a digest of what it saw and
    did at its decisions."""

    def __init__(self, game: VitienvGame) -> None:
        super().__init__(game)
        self.played: Game | None = None
        self._seed = b""
        self.recalled = [""] * game.options.num_players

    def current_player(self) -> int:
        """The seat that decides."""
        if self.played is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.played.current_seat is None else self.played.current_seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The values of a byte of the seed."""
        return [(byte, 1 / BYTE) for byte in range(BYTE)]

    def _legal_actions(self, player: int) -> list[int]:
        if self.played is None or self.played.current_seat != player:
            return []
        return np.flatnonzero(self.played.mask).tolist()

    def _apply_action(self, action: int) -> None:
        if self.played is None:
            self._seed += bytes([action])
            if len(self._seed) == SEED_BYTES:
                options = self.get_game().options
                seed = int.from_bytes(self._seed, "little")
                self.played = Game.new(seed, game=options.game_spec, **options.to_dict())
            return
        seat = self.current_player()
        seen = self.played.observation(seat)
        self.played.step(int(action))
        self.recalled[seat] = _digest(self.recalled[seat], seen, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed:{action}"
        return self.get_game().options.game_spec.actions.name(action)

    def is_terminal(self) -> bool:
        """Whether the game is over, by its rules or by its limit."""
        return self.played is not None and self.played.is_over

    def returns(self) -> list[float]:
        """The rewards by seat; zeros until the end, and after a game that its limit cut off."""
        rewards = [0.0] * self.num_players() if self.played is None else self.played.rewards
        if self.get_game().get_type().utility != pyspiel.GameType.Utility.ZERO_SUM:
            return rewards
        return [float(Fraction(reward).limit_denominator(FINEST)) for reward in rewards]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> VitienvState:
        """A state in which all that a seat cannot see is dealt anew; see `vitienv.Game.determinize`."""
        other = self.clone()
        if self.played is not None:
            other.played = self.played.determinize(player, int(sampler() * 2**32))
        return other

    def __str__(self) -> str:
        if self.played is None:
            return f"seed {self._seed.hex() or 'not drawn'}"
        return f"{self.played!r} {self.played.game_spec.digest(self.played.state)}"


def _digest(recalled: str, seen: np.ndarray | None, action: int = -1) -> str:
    told = recalled.encode() + (b"" if seen is None else seen.tobytes()) + action.to_bytes(4, "little", signed=True)
    return hashlib.blake2b(told, digest_size=16).hexdigest()


class Observer:
    """What a seat sees. Without recall: `tensor` (numbers,) float32, laid out as `game_spec.observation`, the same in
    `dict` under "observation", and words. With perfect recall, as one string alone: a digest of all that the seat saw
    and did at its decisions and of what it sees now, equal for equal information."""

    def __init__(self, game: VitienvGame, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"an observation takes no parameters, not {params!r}")
        self._recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        size = 0 if self._recalls else len(game.options.game_spec.observation)
        self.tensor = np.zeros(size, np.float32)
        self.dict = {} if self._recalls else {"observation": self.tensor}

    def set_from(self, state: VitienvState, player: int) -> None:
        """Put what a seat sees in a state into `tensor`."""
        if not self._recalls:
            self.tensor[:] = 0 if state.played is None else state.played.observation(player)

    def string_from(self, state: VitienvState, player: int) -> str:
        """The digest, or the words."""
        game = state.played
        if self._recalls:
            return _digest(state.recalled[player], None if game is None else game.observation(player))
        return "" if game is None else game.describe(player)


for _name in game_names():
    _made = game_spec(_name)
    pyspiel.register_game(game_type(_made), type(f"{_name.title()}Game", (VitienvGame,), {"made": _made}))
