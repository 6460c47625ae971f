"""Generic report for all games: win rates of bots and of actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from vitienv.training.report.facts import Facts, by_unit, seats_of
from vitienv.training.report.summary import bots_table, summary

if TYPE_CHECKING:
    import pandas as pd

    from vitienv.training.report.traces import Trace

RULESETS: tuple[str, ...] = ()
SECTIONS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "bots": ("The bots", "", {"bot": "bot"}),
    "choices": (
        "Choices",
        "How often seats won that chose an action, counted once for each game in which they chose it.",
        {"decision": "decision", "action": "action"},
    ),
}


def columns(games: np.ndarray, rows: np.ndarray, actions: np.ndarray, frame: np.ndarray) -> dict[str, np.ndarray]:
    """Return no additional columns."""
    return {}


def facts_of(trace: Trace, first_unit: int = 0) -> Facts:
    """Return the actions of a trace, whose units start at first_unit."""
    import pandas as pd

    steps, game = trace.steps, trace.options.game_spec
    unit = first_unit + steps["game"].astype(np.int64) * trace.points.shape[1] + steps["seat"]
    choices = {
        "unit": unit,
        "decision": np.array(game.decisions, object)[steps["decision"]],
        "action": np.array(game.actions.names, object)[steps["action"]],
    }
    return Facts(seats_of(trace, first_unit), {"choices": by_unit(pd.DataFrame(choices))})


def tables_of(facts: Facts, bots: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return all tables by name."""
    return {
        "bots": bots_table(facts, bots),
        "choices": summary(facts, facts.frames["choices"], ["decision", "action"], bots),
    }


def shown(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows shown on the page: all."""
    return table


def plots_of(tables: dict[str, pd.DataFrame], bots: Sequence[str]) -> dict[str, bytes]:
    """Return no plots."""
    return {}
