"""One seat by strings, as frameworks that train language models expect an environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.errors import IllegalAction
from vitienv.core.targets.parallel import exclusive
from vitienv.envs.single import LearnerEnv
from vitienv.game import Game
from vitienv.session.text_interface import named_action_line

if TYPE_CHECKING:
    from vitienv.envs.one_learner import OpponentOption

# Options of one learner that have no place here, and what says the same.
RULESET_ALIASES = {
    "learner_seat": "seat",
    "illegal_action": "retries, as an answer without a legal action is asked again",
}
HOW = "Answer with the number, name or whole sentence of one choice, in your last line or in <action>...</action>."


class TextEnv:
    """One game: a step is an answer of the seat, then the bots' turns, up to the seat's next question.

    A prompt says what the seat knows, its question and its choices (number, name, sentence). An answer that names no
    legal action brings the reason and the same question; after `retries` of them in a row the seat loses the game.

    info: "words" (see `Game.describe`), "choices" (see `Game.describe_actions`), "error" (why the last answer named no
    action, or None), "illegal" (how many answers did not, in this game); at the end "final_scores" and "final_ranks" by
    seat and "forfeit", whether the game was lost by such answers.
    """

    def __init__(
        self, opponents: OpponentOption = ("random",), seat: int | str = 0, retries: int = 2, **options: Any
    ) -> None:
        """opponents: as of `LearnerEnv`. seat: of the player, or "random".
        retries: how often in a row a question is asked again. options: those of `vitienv.env`, with `game`.
        Raises ValueError or TypeError for a wrong one."""
        if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
            raise ValueError(f"retries is {retries!r}; it must be a whole number from 0")
        for name in RULESET_ALIASES:
            if name in options:
                raise TypeError(f"an environment of strings has no {name!r}; it has {RULESET_ALIASES[name]}")
        self._env = LearnerEnv(opponents, seat, illegal_action="lose", **options)
        self._game, self._lock = Game(self._env.games.batch, None), self._env.games.batch.lock
        self.retries = retries
        self._asked_again = self._illegal = 0

    @property
    def game(self) -> Game:
        """The game that is played; stepping it is for `step` alone."""
        return self._game

    @exclusive
    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """A new game: the first prompt and info. seed: as for `LearnerEnv.reset`."""
        self._env.reset(seed=seed)
        self._asked_again = self._illegal = 0
        return self._told(None)

    @exclusive
    def step(self, answer: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """An answer: the next prompt, reward, terminated, truncated, info. The reward comes at the end, by the option
        `reward`. IllegalAction if the game is over."""
        if self._game.is_over:
            raise IllegalAction("the game is over; call reset() for another one")
        error = None
        try:
            number = self._game.game_spec.actions.number(self._game.parse_action(answer))
            self._asked_again = 0
        except IllegalAction as why:
            error, number = str(why), int(np.argmin(self._game.mask))  # the first illegal one: it loses the game
            self._asked_again += 1
            self._illegal += 1
            if self._asked_again <= self.retries:
                prompt, info = self._told(error)
                return f"{error}\n\n{prompt}", 0.0, False, False, info
        _, reward, terminated, truncated, told = self._env.step(number)
        prompt, info = self._told(error)
        if terminated or truncated:
            info |= {name: told[name].tolist() for name in ("final_scores", "final_ranks")}
            info["forfeit"] = error is not None
        return prompt, reward, terminated, truncated, info

    def _told(self, error: str | None) -> tuple[str, dict[str, Any]]:
        """The prompt, and info. error: why the last answer named no action."""
        words, choices = self._game.describe(int(self._env.games.seats[0])), self._game.describe_actions()
        asked = ["\n".join(["Choices:", *map(named_action_line, choices)]), HOW] if choices else ["The game is over."]
        info = {"words": words, "choices": choices, "error": error, "illegal": self._illegal}
        return "\n\n".join([words, *asked]), info
