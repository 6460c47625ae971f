"""Ids for `gymnasium.make`, registered when Gymnasium is imported, so that other imports need not wait for it."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

GYMNASIUM = "gymnasium"
# The classes behind the ids, imported on first use: one game, and many at once.
ONE, MANY = "vitienv.envs.single:LearnerEnv", "vitienv.envs.single:LearnerVectorEnv"


def register_envs() -> None:
    """Register the ids of all games that are not registered yet."""
    from gymnasium.envs.registration import register, registry  # its own import may ask for this

    from vitienv.registry import GYMNASIUM as ENVS

    for name, options in ENVS.items():
        if name not in registry:
            register(name, entry_point=ONE, vector_entry_point=MANY, kwargs=options)


def register_on_import() -> None:
    """Register the ids: now if Gymnasium is imported, else at the end of its import."""
    if GYMNASIUM in sys.modules:
        register_envs()
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    """The first finder of modules. It goes when Gymnasium is imported, whose module the usual finders find."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != GYMNASIUM:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def loaded(module: Any) -> None:
                load(module)
                register_envs()

            spec.loader.exec_module = loaded  # type: ignore[method-assign]
        return spec
