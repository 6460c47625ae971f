"""Names for `gymnasium.make`. Importing this module does not import Gymnasium."""

from __future__ import annotations

import sys

# Gymnasium's names and the classes behind them: one game, and many at once.
ENVS = {"vitienv/Viticulture-v0": ("vitienv.envs.single:ViticultureEnv", "vitienv.envs.single:ViticultureVectorEnv")}


def register_envs(only_if_imported: bool = False) -> None:
    """Tell Gymnasium the names in `ENVS`; again is no harm.

    only_if_imported: do nothing while nobody has imported Gymnasium, so that the import of this package stays quick.
    """
    if only_if_imported and "gymnasium.envs.registration" not in sys.modules:
        return
    from gymnasium.envs.registration import register, registry

    for name, (one, many) in ENVS.items():
        if name not in registry:
            register(name, entry_point=one, vector_entry_point=many)
