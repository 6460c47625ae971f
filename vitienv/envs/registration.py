"""Names for `gymnasium.make`. Gymnasium has no entry points for other packages, so importing vitienv registers them."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

# Gymnasium's names and the classes behind them, imported on first use: one game, and many at once.
ENVS = {"vitienv/Viticulture-v0": ("vitienv.envs.single:ViticultureEnv", "vitienv.envs.single:ViticultureVectorEnv")}


def register_envs() -> None:
    """Tell Gymnasium the names in `ENVS`; again is no harm."""
    for name, (one, many) in ENVS.items():
        if name not in registry:
            register(name, entry_point=one, vector_entry_point=many)
