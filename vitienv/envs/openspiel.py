"""OpenSpiel games: `import vitienv.envs.openspiel`, then `pyspiel.load_game("vitienv_toscana")`.

Each registered game is available as `vitienv_NAME`. Its parameters are `players` and the options of `vitienv.env` that
are integers, strings or Booleans. Interface: `pyspiel.State` of OpenSpiel 2.0.

The RNG is counter-based, so the only chance nodes are the first four, which sample the bytes of the seed, the lowest
first. Equal seeds and actions lead to the same game as `vitienv.Game.new(seed)`. A state thus determines future random
events: only searches that resample it (`resample_from_infostate`, as in IS-MCTS) play fairly.

A state is as slow as a `vitienv.Game`; use `vitienv.make_vec` for training.
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
from vitienv.extras import missing_message
from vitienv.game import Game
from vitienv.registry import game_names, game_spec

try:
    import pyspiel
except ModuleNotFoundError as error:
    message = missing_message("vitienv.envs.openspiel", error.name, "openspiel")
    raise ModuleNotFoundError(message, name=error.name) from None

SEED_BYTES, BYTE = 4, 256
UNSET = {int: -1, str: ""}  # parameters that stand for None, which OpenSpiel does not have
PLAYERS = "players"  # OpenSpiel's name of num_players
MAX_GAME_LENGTH = 1_000_000  # decisions; games without a round limit are not bounded
MAX_DENOMINATOR = 100  # zero-sum rewards are rounded to fractions, as float32 rewards do not sum to exactly zero
MAX_MARGIN = SHORT / 20  # maximum of `reward="margin"`


def parameters(spec: GameSpec) -> dict[str, Any]:
    """Return the parameters of a game with their defaults: its integer, string and Boolean options."""
    hints, defaults = get_type_hints(spec.options), spec.options()
    parameters_of: dict[str, Any] = {}
    for option in fields(spec.options):
        kinds = get_args(hints[option.name]) or (hints[option.name],)
        kind = next((kind for kind in (bool, int, str) if kind in kinds), None)
        if option.name == "num_players":
            parameters_of[PLAYERS] = UNSET[int]
        elif kind is not None:
            value = getattr(defaults, option.name)
            parameters_of[option.name] = UNSET[kind] if value is None else value
    return parameters_of


def game_type(spec: GameSpec, num_players: int | None = None) -> Any:
    """Return the `pyspiel.GameType` of a game. num_players: number of seats; None for the registered type."""
    kinds = pyspiel.GameType
    utility = kinds.Utility.ZERO_SUM if spec.utility == ZERO_SUM else kinds.Utility.IDENTICAL
    return kinds(
        short_name=f"vitienv_{spec.name}",
        long_name=spec.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if num_players == 1 else utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=spec.max_seats,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(spec),
    )


class VitienvGame(pyspiel.Game):
    """Game with its `options`, one subclass per game, as OpenSpiel passes parameters only; ValueError if invalid."""

    spec: GameSpec

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        spec, defaults = self.spec, parameters(self.spec)
        options = {name: value for name, value in (params or {}).items() if value != defaults[name]}
        if PLAYERS in options:
            options["num_players"] = options.pop(PLAYERS)
        self.options = spec.options.of(**options)
        n = self.options.num_players
        spec = self.options.game_spec
        bound = MAX_MARGIN if self.options.reward == "margin" else 1.0
        kind = game_type(spec, n)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(spec.actions),
            max_chance_outcomes=BYTE,
            num_players=n,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if kind.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(kind, info, dict(params or {}))

    def new_initial_state(self) -> VitienvState:
        """Return a state before its seed is sampled."""
        return VitienvState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer. ValueError for parameters."""
        return Observer(self, iig_obs_type, params)


class VitienvState(pyspiel.State):
    """State of a game.

    played: its `vitienv.Game`, None until the seed is sampled. recalled: digests by seat of the observations and
    actions at its decisions.
    """

    def __init__(self, game: VitienvGame) -> None:
        super().__init__(game)
        self.played: Game | None = None
        self._seed = b""
        self.recalled = [""] * game.options.num_players

    def current_player(self) -> int:
        """Return the current player."""
        if self.played is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.played.current_seat is None else self.played.current_seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the values of a byte of the seed."""
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
        observation = self.played.observation(seat)
        self.played.step(int(action))
        self.recalled[seat] = _digest(self.recalled[seat], observation, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed:{action}"
        return self.get_game().options.game_spec.actions.name(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over, by the rules or by truncation."""
        return self.played is not None and self.played.is_over

    def returns(self) -> list[float]:
        """Return the rewards by seat; zeros until the end and for truncated games."""
        rewards = [0.0] * self.num_players() if self.played is None else self.played.rewards
        if self.get_game().get_type().utility != pyspiel.GameType.Utility.ZERO_SUM:
            return rewards
        return [float(Fraction(reward).limit_denominator(MAX_DENOMINATOR)) for reward in rewards]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> VitienvState:
        """Return a state with everything that a seat cannot see redealt; see `vitienv.Game.determinize`."""
        state = self.clone()
        if self.played is not None:
            state.played = self.played.determinize(player, int(sampler() * 2**32))
        return state

    def __str__(self) -> str:
        if self.played is None:
            return f"seed {self._seed.hex() or 'not drawn'}"
        return f"{self.played!r} {self.played.game_spec.digest(self.played.state)}"


def _digest(recalled: str, observation: np.ndarray | None, action: int = -1) -> str:
    data = (
        recalled.encode()
        + (b"" if observation is None else observation.tobytes())
        + action.to_bytes(4, "little", signed=True)
    )
    return hashlib.blake2b(data, digest_size=16).hexdigest()


class Observer:
    """Observer of a seat.

    Without recall: `tensor` (features,) float32 as in `game_spec.observation`, the same in `dict` under "observation",
    and text. With perfect recall, only a string: a digest of all observations and actions of the seat at its decisions
    and of its current observation.
    """

    def __init__(self, game: VitienvGame, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"params must be empty, got {params!r}")
        self._recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        size = 0 if self._recalls else len(game.options.game_spec.observation)
        self.tensor = np.zeros(size, np.float32)
        self.dict = {} if self._recalls else {"observation": self.tensor}

    def set_from(self, state: VitienvState, player: int) -> None:
        """Write the observation of a seat into `tensor`."""
        if not self._recalls:
            self.tensor[:] = 0 if state.played is None else state.played.observation(player)

    def string_from(self, state: VitienvState, player: int) -> str:
        """Return the digest, or the text."""
        game = state.played
        if self._recalls:
            return _digest(state.recalled[player], None if game is None else game.observation(player))
        return "" if game is None else game.describe(player)


for _name in game_names():
    _spec = game_spec(_name)
    pyspiel.register_game(game_type(_spec), type(f"{_name.title()}Game", (VitienvGame,), {"spec": _spec}))
