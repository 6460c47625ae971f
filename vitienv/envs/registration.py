"""Names for `gymnasium.make`. Gymnasium has no entry points for other packages, so importing vitienv registers them."""

from __future__ import annotations

from typing import Any

from gymnasium.envs.registration import register, registry

# The classes behind Gymnasium's names, imported on first use: one game, and many at once.
ONE, MANY = "vitienv.envs.single:ViticultureEnv", "vitienv.envs.single:ViticultureVectorEnv"
# Each name with the options from which it starts.
ENVS: dict[str, dict[str, Any]] = {
    "vitienv/Viticulture-v0": {},
    "vitienv/ViticultureSolo-v0": {"ruleset": "solo", "opponents": ()},
}


def register_envs() -> None:
    """Tell Gymnasium the names in `ENVS`; again is no harm."""
    for name, options in ENVS.items():
        if name not in registry:
            register(name, entry_point=ONE, vector_entry_point=MANY, kwargs=options)
