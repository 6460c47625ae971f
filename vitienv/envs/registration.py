"""Ids of the games for `gymnasium.make` and `pettingzoo.make`, registered when these libraries are imported.

Importing vitienv does not import them.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

SINGLE_ENV, VECTOR_ENV, AEC_ENV = (
    "vitienv.envs.single:SingleAgentEnv", "vitienv.envs.single:SingleAgentVectorEnv", "vitienv.envs:env",
)  # fmt: skip


def register_gymnasium_ids() -> None:
    """Register the ids of all games with Gymnasium that are not registered yet."""
    from gymnasium.envs.registration import register, registry  # its own import may call this function

    from vitienv.registry import GYMNASIUM_IDS

    for name, options in GYMNASIUM_IDS.items():
        if name not in registry:
            register(name, entry_point=SINGLE_ENV, vector_entry_point=VECTOR_ENV, kwargs=options)


def register_pettingzoo_ids() -> None:
    """Register the ids of all games with PettingZoo; before version 1.27 it has no registry."""
    try:
        from pettingzoo.env_registry.registration import aec_registry, register
    except ImportError:
        return
    from vitienv.registry import PETTINGZOO_IDS

    for name, options in PETTINGZOO_IDS.items():
        if name not in aec_registry:
            register("aec", name, entry_point=AEC_ENV, kwargs=options)


HOOKS = {"gymnasium": register_gymnasium_ids, "pettingzoo": register_pettingzoo_ids}


def register_on_import() -> None:
    """Register the ids: now with libraries that are imported, with the others at the end of their import."""
    for name, hook in HOOKS.items():
        if name in sys.modules:
            hook()
        elif not any(isinstance(finder, _Finder) and finder.name == name for finder in sys.meta_path):
            sys.meta_path.insert(0, _Finder(name))


class _Finder(MetaPathFinder):
    """Finder that removes itself when its library is imported, which the other finders find."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_register(module: Any) -> None:
                load(module)
                HOOKS[name]()

            spec.loader.exec_module = load_and_register  # type: ignore[method-assign]
        return spec
