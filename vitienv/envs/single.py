"""The Gymnasium environments: one learner, bots in the other seats. One game, or many at once."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from vitienv.core.batch import checked_seed, integers
from vitienv.core.errors import IllegalAction
from vitienv.core.targets.parallel import exclusive
from vitienv.envs import common
from vitienv.envs.one_learner import LearnerGames, LearnerInterface
from vitienv.game import Game

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec
    from vitienv.envs.one_learner import OpponentOption

ARRAY, DICT = "array", "dict"  # the forms of an observation
RESET_MASK = "reset_mask"
# Attributes of a game that all games of a batch share, and what they are called in the batch.
SHARED = {
    "action_space": "single_action_space",
    "observation_space": "single_observation_space",
    **{name: name for name in ("illegal_action", "learner_seat", "metadata", "num_players", "opponents", "render_mode",
                               "spec")},
}  # fmt: skip


def _has_mask(observation: str) -> bool:
    """Whether observations have the mask beside them. ValueError for an unknown form."""
    if observation not in (ARRAY, DICT):
        raise ValueError(f"observation is {observation!r}; it must be {ARRAY!r} or {DICT!r}")
    return observation == DICT


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(mode.value for mode in AutoresetMode)
        raise ValueError(f"unknown autoreset_mode {mode!r}; expected one of: {modes}") from None


def _space(game: GameSpec, has_mask: bool) -> spaces.Space:
    return common.masked_space(game) if has_mask else common.observation_space(game)


class LearnerEnv(LearnerInterface, gym.Env):
    """The environment "vitienv/Viticulture-v0": one game, a step from one of the learner's decisions to its next.

    "vitienv/ViticultureSolo-v0" is the same with ruleset "solo" and no opponents: the learner against the Automa, or,
    with one opponent, against a bot in its place. "vitienv/ViticultureWorld-v0" is the cooperative ruleset with one
    learner in all seats: each decision is seen from the seat that has it.

    Observations: (observed numbers,) int16, the learner's own point of view. Actions: numbers of `vitienv.ACTIONS`;
    `action_masks()` and info["action_mask"] say which are legal; what an illegal one does is said by `illegal_action`:
    by these names "lose", of the class "raise". The reward comes at the end, by the option `reward`; a game cut off by
    `max_years` is truncated and brings none.

    With `observation="dict"` an observation is {"observation": these numbers, "action_mask": (actions,) int8}, for
    libraries that look for the mask there.

    info: "action_mask" (actions,) int8, "decision" (the number of the pending one, -1 when the game is over; its name
    is `env.unwrapped.decision`), "learner_seat", "illegal_action" (whether the last action was; the game was lost by
    it, or another was drawn); at the end also "final_scores" and "final_ranks" (seats,), 1 is first, and in a game of a
    team its token, "final_influence".
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
        """opponents: bots or specs such as "heuristic", one for all or a list with one for each, clockwise from the
        learner; or a pool, a mapping from such to shares of the games, {"random": 1, "heuristic": 3}.
        observation: "array", or "dict" for one with the mask beside it.
        learner_seat: a seat, "random" for another one in each game, or, for a team, "all".
        options: those of `vitienv.env`, with `game`,
        and `illegal_action`: "raise", "lose" (the game ends with the lowest reward) or "random" (a legal one is drawn).
        Raises ValueError or TypeError for a wrong one.
        """
        self.has_mask = _has_mask(observation)
        self.games = LearnerGames(1, opponents, learner_seat, **options)
        common.check_render_mode(render_mode, self.games.game_spec)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_modes": common.render_modes(self.games.game_spec)}
        self.observation_space = _space(self.games.game_spec, self.has_mask)
        self.action_space = common.action_space(self.games.game_spec)

    @exclusive
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game. seed None: fresh chance the first time, afterwards the successor of the game before.

        options: none are known; ValueError for any.
        """
        common.check_reset_options(options)
        super().reset(seed=checked_seed(seed))
        self.games.start(seed)
        self._show()
        return self._observed(self.games.batch.obs[0].copy()), self._info()

    @exclusive
    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One decision of the learner, then the bots' turns.

        Where `illegal_action` is "raise", raises IllegalAction (a ValueError) for an action that is not legal, and
        leaves the game unchanged.
        """
        games = self.games
        try:
            chosen = integers("action", [action] if np.ndim(action) == 0 else action, 1)
        except ValueError:
            expected = f"an integer from 0 to {games.game_spec.actions.n - 1}"
            raise IllegalAction(f"action must be {expected}, got {action!r}") from None
        games.play(chosen)
        terminated, truncated = bool(games.terminated[0]), bool(games.truncated[0])
        info = self._info()
        if terminated or truncated:
            rows = np.zeros(1, np.int64)
            observation = games.last_observations(rows)[0]
            info["final_scores"] = games.final_scores(rows)[0]
            info["final_ranks"] = games.final_ranks(rows)[0]
            if (token := games.final_token(rows)) is not None:
                info[games.token_word] = int(token[0])
        else:
            observation = games.batch.obs[0].copy()
        self._show()
        return self._observed(observation), float(games.rewards[0]), terminated, truncated, info

    def __copy__(self) -> LearnerEnv:
        """As independent as a deep copy: the games are arrays that are written in place."""
        return copy.deepcopy(self)

    def _observed(self, observation: np.ndarray) -> Any:
        """An observation in the form that was asked for. observation: new numbers."""
        mask = self.games.batch.masks[0]
        return {"observation": observation, "action_mask": mask.copy()} if self.has_mask else observation

    @exclusive
    def action_masks(self) -> np.ndarray:
        """Which actions are legal, a new array (actions,) bool; all False when the game is over."""
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
        """The table, other hands hidden: words in mode "ansi", printed in mode "human"; in mode "rgb_array"
        the drawing, (800, 1280, 3) uint8, which needs the extra `analysis`."""
        if self.render_mode is None:
            gym.logger.warn("render() needs a render_mode: give one to gymnasium.make, such as 'ansi'")
            return None
        if not self.games.has_started:
            raise ResetNeeded("call reset() before render()")
        return common.rendered(Game(self.games.batch, None), self.render_mode, int(self.games.seats[0]))


class LearnerVectorEnv(LearnerInterface, VectorEnv):
    """Many games of `LearnerEnv` in one batch: gymnasium.make_vec("vitienv/Viticulture-v0", num_envs=...).

    Observations (games, observed numbers), rewards (games,) float32, terminated and truncated (games,) bool.
    With `observation="dict"` they are {"observation": these, "action_mask": (games, actions) int8}.
    info["action_mask"]: (games, actions) int8; info["decision"], ["learner_seat"], ["illegal_action"]: (games,).

    An ended game starts anew in the same step (`AutoresetMode.SAME_STEP`): the observation is the new game's, and
    info["final_obs"] (an object array) and info["final_info"] have what the old one ended with: "action_mask" (all
    zeros), "decision" (-1), "learner_seat", "illegal_action", "final_scores" and "final_ranks", of a team also
    "final_influence". Where info["_final_obs"] is False there is none.

    With `autoreset_mode=AutoresetMode.NEXT_STEP`, which Gymnasium's wrappers of vectors' observations ask for, the
    observation is the old game's, its mask is all zeros, and info has "final_scores" and "final_ranks"; the next step
    starts the new game, whatever its action is. With `AutoresetMode.DISABLED` the step that ends a game returns the
    same; `reset(options={"reset_mask": ...})` must start the new game before the next step.

    Every array is new in each step, so it can be kept. Game i depends on the seed and on i only.
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
        """As for `LearnerEnv`. autoreset_mode: when an ended game starts anew, SAME_STEP, NEXT_STEP or DISABLED."""
        self.autoreset_mode = _checked_mode(autoreset_mode)
        self.has_mask = _has_mask(observation)
        self.games = LearnerGames(num_envs, opponents, learner_seat, **options)
        self.num_envs = num_envs = len(self.games.batch)
        common.check_render_mode(render_mode, self.games.game_spec)
        self.render_mode = render_mode
        modes = {"render_modes": common.render_modes(self.games.game_spec), "autoreset_mode": self.autoreset_mode}
        self.metadata = {**self.metadata, **modes}
        self.single_observation_space = _space(self.games.game_spec, self.has_mask)
        self.single_action_space = common.action_space(self.games.game_spec)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._everywhere = np.ones(num_envs, np.bool_)

    @exclusive
    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """New games in every place. seed: one integer for all, or a list with one for each game, which is then the
        game of `LearnerEnv.reset(seed=...)`; see there for None, alone or in a list.

        options: {"reset_mask": (games,) bool} starts new games only where it is True, at least in one place; the other
        games, observations and masks are as before. ValueError for another mask or option.
        """
        common.check_reset_options(options, RESET_MASK)
        rows = self._rows_to_reset(options[RESET_MASK]) if options and RESET_MASK in options else None
        super().reset(seed=None if isinstance(seed, list | tuple | np.ndarray) else checked_seed(seed))
        self.games.start(seed, rows)
        return self._observed(), self._info()

    def _rows_to_reset(self, mask: Any) -> np.ndarray:
        is_bool = isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)
        if not is_bool or not mask.any():
            expected = f"an array ({self.num_envs},) of bool with at least one True"
            raise ValueError(f"{RESET_MASK} must be {expected}, got {mask!r}")
        return np.flatnonzero(mask)

    @exclusive
    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One decision of the learner in every game, then the bots' turns.

        Where `illegal_action` is "raise", raises IllegalAction (a ValueError) that names a game with an illegal action,
        before any game moved.
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
            for name, values in self._results(rows).items():
                final |= self._of_ended(name, rows, values)
        return self._observed(), *results, self._info() | final

    def __copy__(self) -> LearnerVectorEnv:
        """As independent as a deep copy: the games are arrays that are written in place."""
        return copy.deepcopy(self)

    def _observed(self) -> Any:
        batch = self.games.batch
        observations = batch.obs.copy()
        return {"observation": observations, "action_mask": batch.masks.copy()} if self.has_mask else observations

    def _info(self) -> dict[str, Any]:
        games = self.games
        return {
            "action_mask": games.batch.masks.copy(),
            "_action_mask": self._everywhere.copy(),
            "decision": games.batch.decisions.copy(),
            "_decision": self._everywhere.copy(),
            "learner_seat": games.seats.copy(),
            "_learner_seat": self._everywhere.copy(),
            "illegal_action": games.illegal.copy(),
            "_illegal_action": self._everywhere.copy(),
        }

    def _of_ended(self, name: str, rows: np.ndarray, values: np.ndarray) -> dict[str, np.ndarray]:
        """An info that the games `rows` alone have, in Gymnasium's form: zeros elsewhere, and who has it."""
        found = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
        has = np.zeros(self.num_envs, np.bool_)
        found[rows], has[rows] = values, True
        return {name: found, f"_{name}": has}

    def _results(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        games = self.games
        found = {"final_scores": games.final_scores(rows), "final_ranks": games.final_ranks(rows)}
        token = games.final_token(rows)
        return found if token is None else {**found, games.token_word: token}

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
            **self._results(rows),
        }.items():
            info |= self._of_ended(name, rows, values)
        return {
            "final_obs": observations,
            "_final_obs": is_final.copy(),
            "final_info": info,
            "_final_info": is_final.copy(),
        }

    @exclusive
    def action_masks(self) -> np.ndarray:
        """Which actions are legal, a new array (games, actions) bool; no row is empty."""
        return self.games.batch.masks.astype(np.bool_)

    @exclusive
    def render(self) -> tuple[Any, ...] | None:
        """What `LearnerEnv.render` gives, for each game."""
        if self.render_mode is None:
            gym.logger.warn("render() needs a render_mode: give one to gymnasium.make_vec, such as 'ansi'")
            return None
        games, seats = self.games.batch, self.games.seats
        return tuple(
            common.rendered(common.game_at(games, i), self.render_mode, int(seats[i])) for i in range(self.num_envs)
        )

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """What a method or attribute of `LearnerEnv` gives for each game: `action_masks`, `decision`, `render`,
        `set_opponents`, or an attribute that all games share. AttributeError for any other."""
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
        """As `call` without arguments."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """AttributeError: no attribute of the games can be set; `set_opponents` changes the opponents."""
        raise AttributeError(f"cannot set {name!r} of games of one batch; set_opponents() changes the opponents")
