"""Names for `gymnasium.make`. Gymnasium has no entry points for other packages, so importing vitienv registers them."""

from __future__ import annotations

from vitienv.games import GYMNASIUM

# The classes behind Gymnasium's names, imported on first use: one game, and many at once.
ONE, MANY = "vitienv.envs.single:LearnerEnv", "vitienv.envs.single:LearnerVectorEnv"


def register_envs() -> None:
    """Tell Gymnasium the names of all games; again is no harm."""
    from gymnasium.envs.registration import register, registry  # its own import may ask for this

    for name, options in GYMNASIUM.items():
        if name not in registry:
            register(name, entry_point=ONE, vector_entry_point=MANY, kwargs=options)
