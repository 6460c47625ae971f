"""Settings of MaskablePPO."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vitienv.registry import DEFAULT, RULES
from vitienv.training import settings
from vitienv.training.selfplay import settings as selfplay
from vitienv.training.settings import other, setting

# Tuned for few cores: large minibatches, few epochs. The library's defaults are six times slower.
HYPERPARAMETERS: dict[str, Any] = {
    "n_steps": 128, "n_epochs": 3, "gae_lambda": 0.95, "clip_range": 0.2, "vf_coef": 0.5,
}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """Settings that determine a run, except its limits."""

    opponents: tuple[str, ...] | None = setting(
        None, "opponents, each in an equal share of the games; by default random and the heuristic bot", bots=True
    )
    num_players: int | None = setting(None, "number of seats, by default 2, or 1 in solo games", flag="players")
    num_envs: int = setting(64, "games in parallel", minimum=1)
    reward: str = other(settings.Settings, "reward", "win")
    hidden: int = other(settings.Settings, "hidden", 256)
    learning_rate: float = other(settings.Settings, "learning_rate", 4e-4)
    minibatch_size: int = other(settings.Settings, "minibatch_size", 2048)
    gamma: float = other(selfplay.Settings, "gamma", 0.998)
    ent_coef: float = other(selfplay.Settings, "ent_coef", 0.01)
    seed: int = setting(0, "the same seed gives the same games", minimum=0)
    game: str = setting(DEFAULT, "the game", flag="")
    ruleset: str | None = setting(None, f"ruleset: {RULES}".rstrip("."))
    difficulty: str | None = setting(None, "level of the Automa, very_easy to very_hard")
    options: Mapping[str, Any] = setting({}, "other options of the game", flag="")


Call = settings.Call
