"""Text environment of one seat, for frameworks that train language models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.errors import IllegalAction
from vitienv.core.targets.parallel import exclusive
from vitienv.envs.single import SingleAgentEnv
from vitienv.game import Game
from vitienv.session.text_interface import named_action_line

if TYPE_CHECKING:
    from vitienv.envs.one_learner import OpponentOption

INSTRUCTION = (
    "Answer with the number, name or whole sentence of one choice, in your last line or in <action>...</action>."
)


class TextEnv:
    """One game; a step is an answer of the seat and runs to its next decision.

    A prompt contains the information of the seat, its decision and the legal actions (number, name, sentence). An
    answer without a legal action returns the error and the same prompt; after `retries` of them in a row the seat loses
    the game.

    info: "text" (see `Game.describe`), "choices" (see `Game.describe_actions`), "error" (of the last answer, or None),
    "illegal" (number of invalid answers in this game); at the end "final_scores" and "final_ranks" by seat and
    "forfeit", whether the game was lost by invalid answers.
    """

    def __init__(
        self, opponents: OpponentOption = ("random",), seat: int | str = 0, retries: int = 2, **options: Any
    ) -> None:
        """Create the environment.

        opponents: see `SingleAgentEnv`. seat: seat of the player, or "random". retries: per invalid answer.
        options: options of `vitienv.env`, with `game`. ValueError or TypeError for an invalid one.
        """
        if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
            raise ValueError(f"retries must be an integer from 0, got {retries!r}")
        self._env = SingleAgentEnv(opponents, seat, illegal_action="lose", **options)
        self._game, self._lock = Game(self._env.games.batch, None), self._env.games.batch.lock
        self.retries = retries
        self._retries_used = self._illegal = 0

    @property
    def game(self) -> Game:
        """The game; do not step it directly."""
        return self._game

    @exclusive
    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Start a game; returns the first prompt and info. seed: see `SingleAgentEnv.reset`."""
        self._env.reset(seed=seed)
        self._retries_used = self._illegal = 0
        return self._prompt(None)

    @exclusive
    def step(self, answer: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Apply an answer; returns the next prompt, reward (0 until the end), terminated, truncated, info.

        IllegalAction if the game is over.
        """
        if self._game.is_over:
            raise IllegalAction("the game is over; call reset()")
        error = None
        try:
            action = self._game.game_spec.actions.number(self._game.parse_action(answer))
            self._retries_used = 0
        except IllegalAction as illegal_action:
            error, action = str(illegal_action), int(np.argmin(self._game.mask))  # illegal, which loses the game
            self._retries_used += 1
            self._illegal += 1
            if self._retries_used <= self.retries:
                prompt, info = self._prompt(error)
                return f"{error}\n\n{prompt}", 0.0, False, False, info
        _, reward, terminated, truncated, final_info = self._env.step(action)
        prompt, info = self._prompt(error)
        if terminated or truncated:
            info |= {name: final_info[name].tolist() for name in ("final_scores", "final_ranks")}
            info["forfeit"] = error is not None
        return prompt, reward, terminated, truncated, info

    def _prompt(self, error: str | None) -> tuple[str, dict[str, Any]]:
        text, choices = self._game.describe(int(self._env.games.seats[0])), self._game.describe_actions()
        lines = "\n".join(["Choices:", *map(named_action_line, choices)])
        question = [lines, INSTRUCTION] if choices else ["The game is over."]
        info = {"text": text, "choices": choices, "error": error, "illegal": self._illegal}
        return "\n\n".join([text, *question]), info
