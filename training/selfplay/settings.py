"""The settings of self-play, and how it is carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vitienv.training import settings
from vitienv.training.settings import other, setting

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

# Settings that runs of before have, with what they always are now.
FROZEN = {
    "reward_won": None, "sure": 0.9, "sure_share": 0.2, "learning_rate_warm": 1e-3,
    "learning_rate_imitate": 1e-3, "learning_rate_imitate_end": 1e-4, "gae_lambda_imitate": 0.98,
    "minibatch_size_imitate": 1024,
}  # fmt: skip

WARM, WARM_SHARE = 5, 0.2  # updates that train the value alone by default, and their largest share of a call


@dataclass(frozen=True)
class Settings(settings.Settings):
    """Everything that decides about a run, besides when it stops. Names are those of CleanRL and Stable-Baselines3
    where these have one; what falls to an end falls evenly to the end of a call."""

    reward: str = other(settings.Settings, "reward", "margin")
    hidden: int = other(settings.Settings, "hidden", 128)
    minibatch_size: int = other(settings.Settings, "minibatch_size", 1024)
    learning_rate: float = other(settings.Settings, "learning_rate", 1e-3)
    start_states: str = setting(
        "dealt",
        "where games begin to be learned from, and their shares: dealt, random/N (up to N random choices "
        "first), even/DECISION/... (each seat's first of these random)",
    )
    num_envs: int = setting(256, "games in parallel in each process", least=1)
    num_steps: int = setting(64, "decisions of each game in an update", least=1)
    gamma: float = setting(0.999, "discount between two decisions of a seat", above=0, most=1)
    gae_lambda: float = setting(0.8, "lambda of the generalised advantage estimation", least=0, most=1)
    gae_lambda_value: float = setting(0.9, "lambda of the value targets", least=0, most=1)
    update_epochs: int = setting(2, "epochs of an update", least=1)
    learning_rate_end: float | None = setting(0.0, "learning rate at the end of the call", least=0)
    clip_coef: float = setting(0.2, "clip range of the probability ratio", above=0)
    clip_coef_end: float | None = setting(None, "the same at the end of the call", above=0)
    value_warmup_updates: int | None = setting(
        None,
        f"first updates, which train the value alone; {WARM} if not given, at most {WARM_SHARE:.0%} of the call; none "
        "after imitation",
        least=0,
    )
    ent_coef: float = setting(0.001, "weight of the entropy bonus")
    ent_coef_end: float | None = setting(None, "the same at the end of the call")
    teacher: str | None = setting(None, "network that the policy stays near, such as policy:champion", bots=True)
    kl_coef: float = setting(0.0, "weight of the KL divergence from the teacher", least=0)
    kl_coef_end: float | None = setting(None, "the same at the end of the call", least=0)
    prior_scale: float | None = setting(
        None, "initial weight of the policy prior; 8 if not given, with --start the network's"
    )
    bfloat16: bool = setting(False, "the wide layers compute in bfloat16, for an NVIDIA card")
    league: tuple[str, ...] = setting(("heuristic",), "bots beside past selves, or none", bots=True)
    league_share: float = setting(0.6, "share of the games against the league", least=0, most=1)
    num_snapshots: int = setting(0, "past selves in the league", least=0)
    active_snapshots: int = setting(2, "past selves that play at the same time", least=0)
    snapshot_interval: int = setting(20, "updates between two past selves", least=1)
    imitate: str | None = setting(None, "bot to imitate first", bots=True)


@dataclass(frozen=True)
class Call(settings.OwnCall):
    """How self-play is carried out."""

    imitate_minutes: float | None = setting(None, "minutes of imitation, before --minutes", least=0)
    imitate_steps: int | None = setting(None, "decisions of imitation, not counted in --steps", least=1)


def usual(game: GameSpec) -> dict[str, Any]:
    """The defaults that depend on the game: its tables and its bots."""
    if not game.training:
        return {"mix": next(iter(game.tables), "2"), "league": (), "policy_prior": game.policy_prior}
    shared = {"reward": "win"} if game.is_of_team else {}  # margins of teams were not tried as a default
    return shared | dict(game.training)
