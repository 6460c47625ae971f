"""Registers the names of all games when Gymnasium is imported, so that other imports need not wait for it."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

GYMNASIUM = "gymnasium"


def tell() -> None:
    """Register the names: now if Gymnasium is there, else at the end of its import."""
    if GYMNASIUM in sys.modules:
        _register()
    elif not any(isinstance(finder, _Waiting) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Waiting())


def _register() -> None:
    import_module("vitienv.envs.registration").register_envs()


class _Waiting(MetaPathFinder):
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
                _register()

            spec.loader.exec_module = loaded  # type: ignore[method-assign]
        return spec
