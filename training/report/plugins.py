"""Report plugins: the report of a game, or the generic one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from vitienv.core.game_spec import GameSpec

if TYPE_CHECKING:
    import pandas as pd

    from vitienv.training.report.facts import Facts
    from vitienv.training.report.traces import Trace


class Plugin(Protocol):
    """Interface of a report module. RULESETS: supported rulesets, () for all. SECTIONS: heading, description and text
    columns with headings, by the name of the table."""

    RULESETS: tuple[str, ...]
    SECTIONS: Mapping[str, tuple[str, str, Mapping[str, str]]]
    columns: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], dict[str, np.ndarray]]
    facts_of: Callable[[Trace, int], Facts]
    tables_of: Callable[[Facts, Sequence[str]], dict[str, pd.DataFrame]]
    shown: Callable[[str, pd.DataFrame], pd.DataFrame]
    plots_of: Callable[[dict[str, pd.DataFrame], Sequence[str]], dict[str, bytes]]


def wing_of(game: GameSpec) -> Any:
    """Return the report of a game, a `Plugin`."""
    return import_module(game.report or "vitienv.training.report.generic")
