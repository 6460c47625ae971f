"""Generic report for all games: win rates of bots and of actions. The reports of games have the same names.

RULESETS: supported rulesets, () for all. SECTIONS: heading, description and text columns with headings, by table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from vitienv.training.report.facts import Facts, by_unit, seats_of
from vitienv.training.report.summary import bots_table, summary
from vitienv.training.report.traces import Trace

RULESETS: tuple[str, ...] = ()
SECTIONS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "bots": ("The bots", "", {"bot": "bot"}),
    "choices": (
        "Choices",
        "Win rate of the seats that chose an action, counted once per game.",
        {"decision": "decision", "action": "action"},
    ),
}


def columns(games: np.ndarray, rows: np.ndarray, actions: np.ndarray, frame: np.ndarray) -> dict[str, np.ndarray]:
    """Return columns of decisions, before their actions: no additional ones."""
    return {}


def facts_of(trace: Trace) -> Facts:
    """Return the actions of a trace."""
    steps, game = trace.steps, trace.options.game_spec
    choices = {
        "unit": trace.units,
        "decision": np.array(game.decisions, object)[steps["decision"]],
        "action": np.array(game.actions.names, object)[steps["action"]],
    }
    return Facts(seats_of(trace), {"choices": by_unit(pd.DataFrame(choices))})


def tables_of(facts: Facts, bots: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return all tables by name."""
    return {
        "bots": bots_table(facts, bots),
        "choices": summary(facts, facts.frames["choices"], ["decision", "action"], bots),
    }


def visible_rows(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows shown on the page: all."""
    return table


def plots_of(tables: dict[str, pd.DataFrame], bots: Sequence[str]) -> dict[str, Figure]:
    """Return no plots."""
    return {}
