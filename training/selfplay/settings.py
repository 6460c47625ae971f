"""Settings and call options of self-play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vitienv.training import settings
from vitienv.training.settings import other, setting

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

WARM, WARM_SHARE = 5, 0.2  # updates that train the value alone by default, and their largest share of a call


@dataclass(frozen=True)
class Settings(settings.Settings):
    """Settings of a run except its limits, named as in CleanRL and SB3; schedules are linear over a call."""

    reward: str = other(settings.Settings, "reward", "margin")
    hidden: int = other(settings.Settings, "hidden", 128)
    minibatch_size: int = other(settings.Settings, "minibatch_size", 1024)
    learning_rate: float = other(settings.Settings, "learning_rate", 1e-3)
    num_envs: int = setting(256, "games in parallel in each process", minimum=1)
    num_steps: int = setting(64, "decisions of each game in an update", minimum=1)
    gamma: float = setting(0.999, "discount between two decisions of a seat", above=0, maximum=1)
    gae_lambda: float = setting(0.8, "lambda of the generalised advantage estimation", minimum=0, maximum=1)
    gae_lambda_value: float = setting(0.9, "lambda of the value targets", minimum=0, maximum=1)
    update_epochs: int = setting(2, "epochs of an update", minimum=1)
    learning_rate_end: float | None = setting(0.0, "learning rate at the end of the call", minimum=0)
    clip_coef: float = setting(0.2, "clip range of the probability ratio", above=0)
    value_warmup_updates: int | None = setting(
        None,
        f"first updates, which train only the value; by default {WARM}, at most {WARM_SHARE:.0%} of the call, and none "
        "after imitation",
        minimum=0,
    )
    ent_coef: float = setting(0.001, "weight of the entropy bonus")
    ent_coef_end: float | None = setting(None, "weight of the entropy bonus at the end of the call")
    prior_scale: float | None = setting(
        None, "initial weight of the policy prior; by default 8, or that of the --start network"
    )
    league: tuple[str, ...] = setting(("heuristic",), "bots in the league, or none", bots=True)
    league_share: float = setting(0.6, "share of the games against the league", minimum=0, maximum=1)
    num_snapshots: int = setting(0, "snapshots of the learner in the league", minimum=0)
    active_snapshots: int = setting(2, "snapshots that play at the same time", minimum=0)
    snapshot_interval: int = setting(20, "updates between two snapshots", minimum=1)
    imitate: str | None = setting(None, "bot to imitate first", bots=True)


@dataclass(frozen=True)
class Call(settings.OwnCall):
    """Call options of self-play."""

    exploit: str | None = setting(
        None, "bot to exploit: trains a best response from the champion of the first table; changes defaults", bots=True
    )
    imitate_minutes: float | None = setting(None, "minutes of imitation, before --minutes", minimum=0)
    imitate_steps: int | None = setting(None, "decisions of imitation, not counted in --steps", minimum=1)


def default_settings(game: GameSpec) -> dict[str, Any]:
    """Return the defaults that depend on the game: its tables and bots."""
    if not game.training:
        return {"mix": next(iter(game.tables), "2"), "league": (), "policy_prior": game.policy_prior}
    return dict(game.training)


def exploit_settings(bot: str) -> dict[str, Any]:
    """Return the settings and call options of `exploit`: the bot is the only opponent, and the learning rate is low."""
    return {
        "league": (bot,), "league_share": 1.0, "eval_opponents": (bot,), "evaluation_games": 2000, "reward": "win",
        "learning_rate": 1e-5, "minibatch_size": 4096, "gae_lambda": 0.95, "gae_lambda_value": 0.98,
    }  # fmt: skip
