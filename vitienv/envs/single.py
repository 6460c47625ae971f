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

from vitienv.core.batch import checked_seed
from vitienv.core.errors import IllegalAction
from vitienv.core.options import is_whole
from vitienv.envs import common
from vitienv.envs.one_learner import LearnerGames
from vitienv.game import Game

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.core.definition import Definition

ARRAY, DICT = "array", "dict"  # the forms of an observation


def _has_mask(observation: str) -> bool:
    """Whether observations have the mask beside them. ValueError for an unknown form."""
    if observation not in (ARRAY, DICT):
        raise ValueError(f"observation is {observation!r}; it must be {ARRAY!r} or {DICT!r}")
    return observation == DICT


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """When an ended game starts anew. ValueError unless it is one of the two ways."""
    ways = (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP)
    found = next((way for way in ways if mode in (way, way.value)), None)
    if found is None:
        raise ValueError(f"autoreset_mode is {mode!r}; it must be {' or '.join(repr(way.value) for way in ways)}")
    return found


def _space(game: Definition, has_mask: bool) -> spaces.Space:
    return common.masked_space(game) if has_mask else common.observation_space(game)


class LearnerEnv(gym.Env):
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
        opponents: Sequence[str | Agent] = ("random",),
        learner_seat: int | str = 0,
        render_mode: str | None = None,
        observation: str = ARRAY,
        **options: Any,
    ) -> None:
        """opponents: bots or specs such as "heuristic", one for all or one for each, clockwise from the learner.

        observation: "array", or "dict" for one with the mask beside it.
        learner_seat: a seat, "random" for another one in each game, or, for a team, "all".
        options: those of `vitienv.env`, with `game`,
        and `illegal_action`: "raise", "lose" (the game ends with the lowest reward) or "random" (a legal one is drawn).
        Raises ValueError or TypeError for a wrong one.
        """
        self.has_mask = _has_mask(observation)
        self.games = LearnerGames(1, opponents, learner_seat, **options)
        common.check_render_mode(render_mode, self.games.definition)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_modes": common.render_modes(self.games.definition)}
        self.observation_space = _space(self.games.definition, self.has_mask)
        self.action_space = common.action_space(self.games.definition)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game. seed None: fresh chance the first time, afterwards the successor of the game before."""
        super().reset(seed=checked_seed(seed))
        self.games.start(seed)
        self._show()
        return self._observed(self.games.batch.obs[0].copy()), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One decision of the learner, then the bots' turns.

        Where `illegal_action` is "raise", raises IllegalAction (a ValueError) for an action that is not legal, and
        leaves the game unchanged.
        """
        games = self.games
        chosen = np.asarray(action).reshape(-1)
        if chosen.shape != (1,) or chosen.dtype.kind not in "iu":
            n = games.definition.actions.n
            raise IllegalAction(f"action is {action!r}; it must be a whole number from 0 to {n - 1}")
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

    def render(self) -> str | np.ndarray | None:  # type: ignore[override]
        """The table, other hands hidden: words in mode "ansi", printed in mode "human"; in mode "rgb_array"
        the drawing, (800, 1280, 3) uint8, which needs the extra `render`."""
        if self.render_mode is None:
            gym.logger.warn("render() needs a render_mode: give one to gymnasium.make, such as 'ansi'")
            return None
        if not self.games.has_started:
            raise ResetNeeded("call reset() before render()")
        return common.rendered(Game(self.games.batch, None), self.render_mode, int(self.games.seats[0]))


class LearnerVectorEnv(VectorEnv):
    """Many games of `LearnerEnv` in one batch: gymnasium.make_vec("vitienv/Viticulture-v0", num_envs=...).

    Observations (games, observed numbers), rewards (games,) float32, terminated and truncated (games,) bool.
    With `observation="dict"` they are {"observation": these, "action_mask": (games, actions) int8}.
    info["action_mask"]: (games, actions) int8; info["decision"], ["learner_seat"], ["illegal_action"]: (games,).

    An ended game starts anew in the same step (`AutoresetMode.SAME_STEP`): the observation is the new game's, and
    info["final_obs"] (an object array) and info["final_info"] have what the old one ended with: "action_mask" (all
    zeros), "decision" (-1), "learner_seat", "illegal_action", "final_scores" and "final_ranks", of a team also
    "final_influence". Where info["_final_obs"] is False there is none.

    With `autoreset_mode=AutoresetMode.NEXT_STEP`, which Gymnasium's wrappers of vectors' observations ask for, the
    observation is the old game's and info has "final_scores" and "final_ranks"; the next step starts the new game,
    whatever its action is.

    Every array is new in each step, so it can be kept. Game i depends on the seed and on i only.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, **common.METADATA}

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Sequence[str | Agent] = ("random",),
        learner_seat: int | str = 0,
        observation: str = ARRAY,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **options: Any,
    ) -> None:
        """As for `LearnerEnv`. autoreset_mode: when an ended game starts anew, SAME_STEP or NEXT_STEP."""
        self.num_envs = num_envs
        self.autoreset_mode = _checked_mode(autoreset_mode)
        self.has_mask = _has_mask(observation)
        self.games = LearnerGames(num_envs, opponents, learner_seat, **options)
        common.check_render_mode(render_mode, self.games.definition)
        self.render_mode = render_mode
        modes = {"render_modes": common.render_modes(self.games.definition), "autoreset_mode": self.autoreset_mode}
        self.metadata = {**self.metadata, **modes}
        self.single_observation_space = _space(self.games.definition, self.has_mask)
        self.single_action_space = common.action_space(self.games.definition)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._everywhere = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """New games in every place. seed: one whole number for all, or a list with one for each game, which is then the
        game of `LearnerEnv.reset(seed=...)`; see there for None, alone or in a list.
        """
        super().reset(seed=seed if is_whole(seed) else None)  # type: ignore[arg-type]
        self.games.start(seed)
        return self._observed(), self._info()

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One decision of the learner in every game, then the bots' turns.

        Where `illegal_action` is "raise", raises IllegalAction (a ValueError) that names a game with an illegal action,
        before any game moved.
        """
        games = self.games
        at_once = self.autoreset_mode == AutoresetMode.SAME_STEP
        games.play(actions, renew=not at_once)
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
        """New arrays of what the learner sees in every game, in the form that was asked for."""
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
        """How the games `rows` ended, by the names of infos."""
        games = self.games
        found = {"final_scores": games.final_scores(rows), "final_ranks": games.final_ranks(rows)}
        token = games.final_token(rows)
        return found if token is None else {**found, games.token_word: token}

    def _final(self, rows: np.ndarray) -> dict[str, Any]:
        """What the ended games `rows` ended with, in Gymnasium's form."""
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

    def action_masks(self) -> np.ndarray:
        """Which actions are legal, a new array (games, actions) bool; no row is empty."""
        return self.games.batch.masks.astype(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """What `LearnerEnv.render` gives, for each game."""
        if self.render_mode is None:
            gym.logger.warn("render() needs a render_mode: give one to gymnasium.make_vec, such as 'ansi'")
            return None
        games, seats = self.games.batch, self.games.seats
        return tuple(
            common.rendered(common.game_at(games, i), self.render_mode, int(seats[i])) for i in range(self.num_envs)
        )
