"""Gymnasium environments with one learner and bots in the other seats, single and vectorized."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from vitienv.core.batch import check_seed, integers
from vitienv.core.errors import IllegalAction
from vitienv.core.targets.parallel import exclusive
from vitienv.envs import common
from vitienv.envs.one_learner import SingleAgentGames, SingleAgentInterface
from vitienv.game import Game

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec
    from vitienv.envs.one_learner import OpponentOption

ARRAY, DICT = "array", "dict"  # formats of an observation
RESET_MASK = "reset_mask"
# Attributes of `SingleAgentEnv` that all games of a batch share, and their names in `SingleAgentVectorEnv`.
SHARED = {
    "action_space": "single_action_space",
    "observation_space": "single_observation_space",
    **{name: name for name in ("illegal_action", "learner_seat", "metadata", "num_players", "opponents", "render_mode",
                               "spec")},
}  # fmt: skip


def _has_mask(observation: str) -> bool:
    if observation not in (ARRAY, DICT):
        raise ValueError(f"observation must be {ARRAY!r} or {DICT!r}, got {observation!r}")
    return observation == DICT


def _space(game: GameSpec, has_mask: bool) -> spaces.Space:
    return common.masked_space(game) if has_mask else common.observation_space(game)


class SingleAgentEnv(SingleAgentInterface, gym.Env):
    """The environment "vitienv/Viticulture-v0": one game; a step runs to the learner's next decision.

    "vitienv/ViticultureSolo-v0" is the ruleset "solo" without opponents, against the Automa, or with one opponent in
    its place. "vitienv/ViticultureWorld-v0" is the cooperative game with one learner in all seats; observations are
    those of the current seat.

    Observations: (features,) int16, from the learner's point of view. Actions: indices of `vitienv.ACTIONS`; the legal
    ones are in `action_masks()` and info["action_mask"]. `illegal_action` selects the effect of an illegal action, by
    default "lose" for the registered ids and "raise" for the class. The reward, by the option `reward`, is 0 until the
    end; a game that reaches `max_years` is truncated without a reward.

    With `observation="dict"` an observation is {"observation": (features,) int16, "action_mask": (actions,) int8}.

    info: "action_mask" (actions,) int8; "decision", the index of the pending decision, -1 when the game is over (its
    name is `env.unwrapped.decision`); "learner_seat"; "illegal_action", whether the last action was illegal; at the end
    "final_scores" and "final_ranks" (seats,), 1 is first, and in a cooperative game its token, "final_influence".
    """

    metadata = common.METADATA

    def __init__(
        self,
        opponents: OpponentOption = ("random",),
        learner_seat: int | str = 0,
        render_mode: str | None = None,
        observation: str = ARRAY,
        **options: Any,
    ) -> None:
        """Create the environment.

        opponents: bots or specs such as "heuristic", one for all other seats or a list with one per seat, clockwise
        from the learner; or a pool, a mapping from these (a tuple for a list) to shares of the games, from which each
        game samples with its RNG, {"random": 1, "heuristic": 3}. In the solo game none, or one in place of the Automa.
        learner_seat: a seat, "random" to sample it with the RNG of each game, or "all" in a cooperative game.
        observation: "array", or "dict" to include the mask.
        options: options of `vitienv.env`, with `game` and `illegal_action`: "raise" raises IllegalAction, "lose" ends
        the game with the minimum reward (under `reward="margin"` the current margin, at most -1) and the last rank,
        "random" plays a random legal action. ValueError or TypeError for an invalid one.
        """
        self.has_mask = _has_mask(observation)
        self.games = SingleAgentGames(1, opponents, learner_seat, **options)
        common.check_render_mode(render_mode, self.games.game_spec)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_modes": common.render_modes(self.games.game_spec)}
        self.observation_space = _space(self.games.game_spec, self.has_mask)
        self.action_space = common.action_space(self.games.game_spec)

    @exclusive
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a game. seed None: random for the first game, then the successor of the previous one.

        options: unsupported; ValueError for any.
        """
        common.check_reset_options(options)
        super().reset(seed=check_seed(seed))
        self.games.start(seed)
        self._show()
        return self._observation(self.games.batch.obs[0].copy()), self._info()

    @exclusive
    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Apply an action of the learner, then let the bots play.

        With `illegal_action` "raise", an illegal action raises IllegalAction (a ValueError) and changes nothing.
        """
        games = self.games
        try:
            actions = integers("action", [action] if np.ndim(action) == 0 else action, 1)
        except ValueError:
            expected = f"an integer from 0 to {games.game_spec.actions.n - 1}"
            raise IllegalAction(f"action must be {expected}, got {action!r}") from None
        games.play(actions)
        terminated, truncated = bool(games.terminated[0]), bool(games.truncated[0])
        info = self._info()
        if terminated or truncated:
            observation = games.last_observations(np.zeros(1, np.int64))[0]
            info |= games.result(0)
        else:
            observation = games.batch.obs[0].copy()
        self._show()
        return self._observation(observation), float(games.rewards[0]), terminated, truncated, info

    def _observation(self, observation: np.ndarray) -> Any:
        mask = self.games.batch.masks[0]
        return {"observation": observation, "action_mask": mask.copy()} if self.has_mask else observation

    @exclusive
    def action_masks(self) -> np.ndarray:
        """Return the action mask, a new array (actions,) bool; all False when the game is over."""
        return self.games.batch.masks[0].astype(np.bool_)

    @property
    def decision(self) -> str | None:
        """The name of the pending decision; None when the game is over."""
        return self.games.batch.decision()

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.games.batch.masks[0].copy(),
            "decision": self.games.batch.decisions.item(0),
            "learner_seat": int(self.games.seats[0]),
            "illegal_action": bool(self.games.illegal[0]),
        }

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    @exclusive
    def render(self) -> str | np.ndarray | None:  # type: ignore[override]
        """Return the learner's text, print it in mode "human", or draw (800, 1280, 3) uint8 in "rgb_array"."""
        if self.render_mode is None:
            gym.logger.warn("render() requires a render_mode of gymnasium.make, such as 'ansi'")
            return None
        if not self.games.has_started:
            raise ResetNeeded("call reset() before render()")
        return common.rendered(Game(self.games.batch, None), self.render_mode, int(self.games.seats[0]))


class SingleAgentVectorEnv(SingleAgentInterface, VectorEnv):
    """Many games of `SingleAgentEnv` in one batch: gymnasium.make_vec("vitienv/Viticulture-v0", num_envs=...).

    Observations (games, features) int16, rewards (games,) float32, terminated and truncated (games,) bool. With
    `observation="dict"`, observations are {"observation": (games, features), "action_mask": (games, actions) int8}.
    info["action_mask"]: (games, actions) int8; info["decision"], ["learner_seat"], ["illegal_action"]: (games,).

    With `AutoresetMode.SAME_STEP`, the default, a finished game restarts in the same step: the observation is that of
    the new game, and info["final_obs"] (an object array) and info["final_info"] are those of the finished game:
    "action_mask" (zeros), "decision" (-1), "learner_seat", "illegal_action", "final_scores", "final_ranks" and, in a
    cooperative game, "final_influence". info["_final_obs"] marks the finished games.

    With `AutoresetMode.NEXT_STEP`, which Gymnasium's vector observation wrappers require, the step that ends a game
    returns its last observation with an empty mask, and info has "final_scores" and "final_ranks"; the next step
    restarts the game and ignores its action. With `AutoresetMode.DISABLED` that step returns the same; the game must be
    restarted by `reset(options={"reset_mask": ...})`.

    Every step returns new arrays. Game i depends on the seed and on i only.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, **common.METADATA}

    def __init__(
        self,
        num_envs: int = 1,
        opponents: OpponentOption = ("random",),
        learner_seat: int | str = 0,
        observation: str = ARRAY,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **options: Any,
    ) -> None:
        """See `SingleAgentEnv`. autoreset_mode: SAME_STEP, NEXT_STEP or DISABLED."""
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.has_mask = _has_mask(observation)
        self.games = SingleAgentGames(num_envs, opponents, learner_seat, **options)
        self.num_envs = num_envs = len(self.games.batch)
        common.check_render_mode(render_mode, self.games.game_spec)
        self.render_mode = render_mode
        modes = {"render_modes": common.render_modes(self.games.game_spec), "autoreset_mode": self.autoreset_mode}
        self.metadata = {**self.metadata, **modes}
        self.single_observation_space = _space(self.games.game_spec, self.has_mask)
        self.single_action_space = common.action_space(self.games.game_spec)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @exclusive
    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start games.

        seed: an integer for all games, or a list with one per game: see `SingleAgentEnv.reset`. options: {"reset_mask":
        (games,) bool}, with at least one True, restarts only these games. ValueError for another mask or option.
        """
        common.check_reset_options(options, RESET_MASK)
        rows = self._rows_to_reset(options[RESET_MASK]) if options and RESET_MASK in options else None
        super().reset(seed=None if isinstance(seed, list | tuple | np.ndarray) else check_seed(seed))
        self.games.start(seed, rows)
        return self._observation(), self._info()

    def _rows_to_reset(self, mask: Any) -> np.ndarray:
        is_bool = isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)
        if not is_bool or not mask.any():
            expected = f"an array ({self.num_envs},) of bool with at least one True"
            raise ValueError(f"{RESET_MASK} must be {expected}, got {mask!r}")
        return np.flatnonzero(mask)

    @exclusive
    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Apply the learner's action in every game, then let the bots play.

        With `illegal_action` "raise", an illegal action raises IllegalAction (a ValueError) before any game is stepped.
        """
        games = self.games
        at_once = self.autoreset_mode == AutoresetMode.SAME_STEP
        games.play(actions, renew=self.autoreset_mode == AutoresetMode.NEXT_STEP)
        results = games.rewards.copy(), games.terminated.copy(), games.truncated.copy()
        final: dict[str, Any] = {}
        rows = games.ended()
        if rows.size and at_once:
            final = self._final(rows)
            games.renew(rows)
        elif rows.size:
            games.batch.obs[rows] = games.last_observations(rows)
            for name, values in games.results(rows).items():
                final |= self._of_ended(name, rows, values)
        return self._observation(), *results, self._info() | final

    def _observation(self) -> Any:
        batch = self.games.batch
        observations = batch.obs.copy()
        return {"observation": observations, "action_mask": batch.masks.copy()} if self.has_mask else observations

    def _info(self) -> dict[str, Any]:
        games = self.games
        info = {
            "action_mask": games.batch.masks.copy(),
            "decision": games.batch.decisions.copy(),
            "learner_seat": games.seats.copy(),
            "illegal_action": games.illegal.copy(),
        }
        return info | {f"_{name}": np.ones(self.num_envs, np.bool_) for name in info}

    def _of_ended(self, name: str, rows: np.ndarray, values: np.ndarray) -> dict[str, np.ndarray]:
        """Return an info of the games `rows` in Gymnasium's format, with zeros elsewhere and a mask."""
        array = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
        has_value = np.zeros(self.num_envs, np.bool_)
        array[rows], has_value[rows] = values, True
        return {name: array, f"_{name}": has_value}

    def _final(self, rows: np.ndarray) -> dict[str, Any]:
        games, n = self.games, self.num_envs
        is_final = np.zeros(n, np.bool_)
        is_final[rows] = True
        observations = np.full(n, None, dtype=object)
        for row, observation in zip(rows, games.last_observations(rows), strict=True):
            mask = games.batch.masks[row].copy()
            observations[row] = {"observation": observation, "action_mask": mask} if self.has_mask else observation
        info: dict[str, Any] = {}
        for name, values in {
            "action_mask": games.batch.masks[rows],
            "decision": games.batch.decisions[rows],
            "learner_seat": games.seats[rows],
            "illegal_action": games.illegal[rows],
            **games.results(rows),
        }.items():
            info |= self._of_ended(name, rows, values)
        return {
            "final_obs": observations,
            "_final_obs": is_final.copy(),
            "final_info": info,
            "_final_info": is_final.copy(),
        }

    @exclusive
    def render(self) -> tuple[Any, ...] | None:
        """Render each game; see `SingleAgentEnv.render`."""
        if self.render_mode is None:
            gym.logger.warn("render() requires a render_mode of gymnasium.make_vec, such as 'ansi'")
            return None
        return tuple(map(self._rendered, range(self.num_envs)))

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method, or read an attribute, of `SingleAgentEnv` for each game.

        name: `action_masks`, `decision`, `render`, `set_opponents`, or an attribute that all games share.
        AttributeError for any other.
        """
        if name == "action_masks":
            return tuple(self.action_masks(*args, **kwargs))
        if name == "render":
            return self.render(*args, **kwargs) or (None,) * self.num_envs
        if name == "set_opponents":
            self.set_opponents(*args, **kwargs)
            return (None,) * self.num_envs
        if name == "decision":
            return tuple(self.games.batch.decision(i) for i in range(self.num_envs))
        if name in SHARED:
            return (getattr(self, SHARED[name]),) * self.num_envs
        expected = ", ".join(["action_masks", "decision", "render", "set_opponents", *SHARED])
        raise AttributeError(f"unknown attribute {name!r} of a game; expected one of: {expected}")

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """See `call`."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Raise AttributeError: attributes of single games cannot be set."""
        raise AttributeError(f"cannot set {name!r} of single games; set_opponents() changes the opponents")
