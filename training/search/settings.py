"""Settings and call options of training from search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vitienv.training import settings
from vitienv.training.settings import other, setting

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec


@dataclass(frozen=True)
class Settings(settings.Settings):
    """Settings that determine a run, except its limits. Those of the search are `IsmctsAgent`'s."""

    games: int = setting(32, "games in a file, at least one of each table of the mix", minimum=1)
    full_simulations: int = setting(32, "simulations of a full search, a training target", minimum=1)
    fast_simulations: int = setting(4, "simulations of a fast search; 0 samples the policy", minimum=0)
    full_fraction: float = setting(0.25, "share of the decisions with a full search", above=0, maximum=1)
    max_considered_actions: int = setting(8, "root actions in sequential halving", minimum=1)
    c_puct: float = setting(5.0, "exploration constant of the search, see docs/bots.md")
    prior_visits: float = setting(30.0, "virtual visits of the prior")
    value_scale: float = setting(0.02, "scale from points to win probabilities")
    prune_margin: float = setting(8.0, "actions this many steps below the best are not searched")
    playout: str = setting("none", "playouts from leaves: quick, policy, heuristic, random or none")
    years: int = setting(1, "playouts end with the current year (1), the next (2), ...", minimum=1)
    hidden: int = other(settings.Settings, "hidden", 128)
    policy_prior: str | None = other(settings.Settings, "policy_prior", None)
    minibatch_size: int = other(settings.Settings, "minibatch_size", 1024)
    window: int = setting(50_000, "latest decisions, from which minibatches are sampled", minimum=1)
    sample_reuse: float = setting(2.0, "mean number of times each decision is trained on", above=0)


@dataclass(frozen=True)
class Call(settings.OwnCall):
    """Call options of training from search; a checkpoint is written after each file."""

    checkpoint_seconds: float = other(settings.Call, "checkpoint_seconds", 0.0)
    processes: int | Any = setting(  # or an executor of `workers`
        0,
        "processes that play, by default one per core; with 1, playing and learning alternate",
        minimum=0,
        maximum=1024,
    )


def default_settings(game: GameSpec) -> dict[str, Any]:
    """Return the defaults that depend on the game: its tables."""
    return {"mix": game.training.get("mix", next(iter(game.tables), "2"))}
