"""The PettingZoo AEC environment."""

from __future__ import annotations

import copy
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv

from vitienv.core.batch import NO_DECISION, OVER, Batch, check_seed
from vitienv.core.targets.parallel import exclusive
from vitienv.envs import common
from vitienv.game import Game
from vitienv.registry import DEFAULT, canonical_name, game_spec

API_TEST_OPTION = "options"  # PettingZoo's api_test passes {"options": 1} to reset and expects no error
# PettingZoo's attributes in a saved state.
_STATE_ATTRIBUTES = (
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
)


class GameAEC(AECEnv):
    """A game with agents player_0, player_1, … (seat 0, seat 1, …). Created by `vitienv.raw_env`.

    observe(agent): {"observation": (features,) int16 from the agent's point of view, "action_mask": (actions,) int8,
    zeros unless the agent is to act}, new arrays, for any agent at any time. infos[agent]: integers with the same keys
    in every step: "decision", the index of the pending decision (its name is `env.unwrapped.decision`), -1 at the end;
    "final_score", "final_rank" (1 is first) and, in a cooperative game, "final_influence", 0 until the end.

    Rewards are 0 until the end. All agents end together: terminated by the rules, or truncated by `max_years` without
    rewards. Then each agent takes a last step with the action None.

    Copies (`copy.deepcopy`), pickles and `get_state` contain the complete game, including the random state.
    """

    metadata: dict[str, Any] = {"name": "vitienv_v0", "is_parallelizable": False, **common.METADATA}

    def __init__(self, *, game: str = DEFAULT, render_mode: str | None = None, **options: Any) -> None:
        """Create the environment. options: options of the game. ValueError or TypeError for an invalid one."""
        super().__init__()
        self.options = game_spec(game).options.of(**options)
        self.game_spec = self.options.game_spec
        common.check_render_mode(render_mode, self.game_spec)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_modes": common.render_modes(self.game_spec)}
        self.possible_agents = [f"player_{seat}" for seat in range(self.options.num_players)]
        self.agents: list[str] = []
        self.infos: dict[str, dict[str, Any]] = {}
        token = self.options.game_spec.token
        self._token = {} if token is None else {common.token_name(self.options.game_spec): token.field}
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: common.action_space(self.game_spec) for agent in self.possible_agents}
        self.observation_spaces = {agent: common.masked_space(self.game_spec) for agent in self.possible_agents}
        self._set_batch(Batch(1, self.options))

    def _set_batch(self, batch: Batch) -> None:
        self._batch, self._lock = batch, batch.lock
        self._mask = batch.masks[0]
        self._viewer = np.zeros(1, np.int8)
        self._actor = -1  # the seat to act; -1 before the first reset and after the end
        self._has_reset = False

    # Spaces.

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent, always the same object. ValueError for an unknown agent."""
        return self.observation_spaces[self._checked_agent(agent)]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent, always the same object. ValueError for an unknown agent."""
        return self.action_spaces[self._checked_agent(agent)]

    def _checked_agent(self, agent: str) -> str:
        if agent not in self._seat_of:
            raise ValueError(f"unknown agent {agent!r}; expected one of: {', '.join(self.possible_agents)}")
        return agent

    # Playing.

    @exclusive
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. seed None: random for the first game, then the successor of the previous one.

        options: unsupported; ValueError for any.
        """
        common.check_reset_options([name for name in options or () if name != API_TEST_OPTION])
        self._batch.reset(check_seed(seed), is_first=not self._has_reset)
        self._has_reset = True
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._look()
        if self.render_mode == "human":
            self.render()

    @exclusive
    def step(self, action: int | None) -> None:
        """Apply an action of `agent_selection`; None once that agent has ended.

        IllegalAction (a ValueError) for an illegal action; the game is then unchanged.
        """
        actor = self._actor
        if actor < 0:
            self._dead_step(action)
            return
        try:
            action_index = operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            action_index = -1
        if not (0 <= action_index < len(self._mask) and self._mask[action_index]):
            raise self._batch.illegal(0, action if action_index < 0 else action_index, self.agent_selection)
        self._batch.actions[0] = action_index
        self._batch.step(observe=False)
        if self._batch.seats[0] < 0:
            self._end(actor)
        else:
            self._look()
        if self.render_mode == "human":
            self.render()

    def _dead_step(self, action: int | None) -> None:
        self._check_reset("step")
        if not self.agents:
            raise ResetNeeded("the game is over and every agent has taken its last step; call reset()")
        self._was_dead_step(action)

    def _look(self) -> None:
        self._actor = int(self._batch.seats[0])
        self.agent_selection = self.possible_agents[self._actor]
        decision, token = self._batch.decisions.item(0), dict.fromkeys(self._token, 0)
        self.infos = {
            agent: {"decision": decision, "final_score": 0, "final_rank": 0, **token} for agent in self.possible_agents
        }

    def _end(self, last_actor: int) -> None:
        batch, n = self._batch, self.options.num_players
        self._actor = -1
        self.agent_selection = self.possible_agents[(last_actor + 1) % n]
        is_over = bool(batch.ended[0] == OVER)
        self.terminations = dict.fromkeys(self.agents, is_over)
        self.truncations = dict.fromkeys(self.agents, not is_over)
        self.rewards = {agent: float(batch.rewards[0, seat]) for seat, agent in enumerate(self.agents)}
        self._cumulative_rewards = dict(self.rewards)
        scores, ranks = batch.scores[0].tolist(), batch.ranks[0].tolist()
        token = {word: int(batch.games[field][0]) for word, field in self._token.items()}
        self.infos = {
            agent: {"decision": NO_DECISION, "final_score": scores[seat], "final_rank": ranks[seat], **token}
            for seat, agent in enumerate(self.agents)
        }

    @exclusive
    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return the observation and action mask of an agent. ValueError for an unknown agent."""
        seat = self._seat_of[self._checked_agent(agent)]
        self._check_reset("observe")
        self._viewer[0] = seat
        out = self._batch.observe(self._viewer, np.empty_like(self._batch.obs))
        mask = self._mask.copy() if seat == self._actor else np.zeros_like(self._mask)
        return {"observation": out[0], "action_mask": mask}

    @property
    def state_space(self) -> spaces.Box:  # type: ignore[override]
        """The space of `state`."""
        return common.observation_space(self.game_spec)

    @exclusive
    def state(self) -> np.ndarray:
        """Return the input of a centralized critic: the observation of seat 0 with open hands, (features,) int16.

        The order of the decks remains hidden.
        """
        self._check_reset("state")
        return self._batch.observe_rows(np.zeros(1, np.int64), np.zeros(1, np.int8), open_hands=True)[0]

    @property
    def decision(self) -> str | None:
        """The name of the pending decision, whose index is in the infos; None without a game in progress."""
        return self._batch.decision()

    @exclusive
    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last turn, termination, truncation and info of the current agent."""
        self._check_reset("last")
        return super().last(observe)

    def _check_reset(self, method: str) -> None:
        if not self._has_reset:
            raise ResetNeeded(f"call reset() before {method}()")

    # Rendering.

    @exclusive
    def render(self) -> str | np.ndarray | None:  # type: ignore[override]
        """Return the text with open hands, print it in mode "human", or draw (800, 1280, 3) uint8 in "rgb_array"."""
        self._check_reset("render")
        if self.render_mode is None:
            logger.warn("render() requires a render_mode, such as 'ansi', when the environment is created")
            return None
        return common.rendered(Game(self._batch, None), self.render_mode)

    def close(self) -> None:
        """Do nothing; there is nothing to release."""

    def __repr__(self) -> str:
        return f"<GameAEC of {self.game_spec.name}, {self.options.num_players} players, {self.options.ruleset}>"

    # Copies.

    @exclusive
    def get_state(self) -> dict[str, Any]:
        """Return a copy of the complete state that can be pickled; see `set_state`."""
        self._check_reset("get_state")
        attributes = {name: copy.deepcopy(getattr(self, name)) for name in _STATE_ATTRIBUTES}
        return {
            "options": self.options.to_dict(),
            "games": self._batch.saved(),
            "skip": self._skip_agent_selection,
            **attributes,
        }

    @exclusive
    def set_state(self, state: Mapping[str, Any]) -> None:
        """Restore a state of `get_state`, from any environment with the same options.

        ValueError if they differ or the state is malformed.
        """
        keys = ("options", "games", "skip", *_STATE_ATTRIBUTES)
        if not isinstance(state, Mapping) or state.keys() != set(keys):
            entries = sorted(map(str, state)) if isinstance(state, Mapping) else state
            raise ValueError(f"state must be that of get_state, with {', '.join(keys)}, got {entries!r}")
        if state["options"] != self.options.to_dict():
            raise ValueError(f"options of the state must be {self.options.to_dict()}, got {state['options']}")
        self._batch.restore(state["games"])
        for name in _STATE_ATTRIBUTES:
            setattr(self, name, copy.deepcopy(state[name]))
        self._skip_agent_selection = state["skip"]
        self._actor = int(self._batch.seats[0])
        self._has_reset = True

    def __getstate__(self) -> dict[str, Any]:
        spaces_ = copy.deepcopy((self.action_spaces, self.observation_spaces))
        state = self.get_state() if self._has_reset else None
        return {"options": self.options, "render_mode": self.render_mode, "spaces": spaces_, "state": state}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        game = canonical_name(state["options"].game_spec)
        self.__init__(game=game, render_mode=state["render_mode"], **state["options"].to_dict())  # type: ignore[misc]
        self.action_spaces, self.observation_spaces = copy.deepcopy(state["spaces"])
        if state["state"] is not None:
            self.set_state(state["state"])
