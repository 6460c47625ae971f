"""Report of World; see `training.report.generic`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from vitienv.training.report.facts import Facts, by_unit, seats_of
from vitienv.training.report.generic import plots_of, visible_rows  # noqa: F401 - the page shows all rows, and no plots
from vitienv.training.report.summary import bots_table, summary
from vitienv.training.report.traces import Trace
from vitienv.world.enums import Place
from vitienv.world.state import WorldRule
from vitienv.world.vocabulary import PLACE_OF

RULESETS = ("world",)
BOUGHT, OVER, RULE, EVENT = "bought", "30 points", "the continent's rule", "events"
SECTIONS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "bots": ("The bots", "", {"bot": "bot"}),
    "ends": (
        "What was missing",
        "The failed conditions of a win, in rows of each seat; “own points” are those of the seat itself.",
        {"condition": "condition"},
    ),
    "influence": ("Influence by source", "Steps of the token, in rows of the seat that decided.", {"source": "source"}),
    "tiles": ("Tiles by year", "Tiles by the year in which they were taken.", {"year": "year", "tile": "tile"}),
    "trades": ("Trades", "Answers to a trade that was offered.", {"answer": "answer"}),
    "ring": ("Positions of the ring", "How often each was chosen.", {"position": "position"}),
}  # fmt: skip


def columns(games: np.ndarray, rows: np.ndarray, actions: np.ndarray, frame: np.ndarray) -> dict[str, np.ndarray]:
    """Return the influence, and its part from points and from the continent's rule, before each decision."""
    return {
        "influence": games["influence"][rows].astype(np.int64),
        "over": games["over_achieved"][rows].astype(np.int64).sum(axis=1),
        "by_rule": games["rule_steps"][rows].astype(np.int64),
    }


def facts_of(trace: Trace) -> Facts:
    """Return the facts of the games."""
    steps, names = trace.steps, np.array(trace.options.game_spec.actions.names, object)
    decisions = np.array(trace.options.game_spec.decisions, object)[steps["decision"]]
    words = names[steps["action"]]

    def rows(is_selected: np.ndarray, **columns: np.ndarray) -> pd.DataFrame:
        return by_unit(pd.DataFrame({"unit": trace.units, **columns})[is_selected])

    last = np.array([word.rpartition(":")[2] for word in words], object)
    tiles = (decisions == "choose_tile") & np.char.startswith(words.astype(str), "tile:")
    frames = {
        "ends": _ends(trace),
        "influence": _influence(trace, decisions),
        "tiles": rows(tiles, year=steps["year"].astype(np.int64).astype(str), tile=last),
        "trades": rows(decisions == "trade_answer", answer=last),
        "ring": rows(decisions == "wake_up", position=last),
    }
    return Facts(seats_of(trace), frames)


def _ends(trace: Trace) -> pd.DataFrame:
    """Rows (unit, condition): the failed conditions of each seat's game."""
    rules, (n, seats) = trace.games["rules"], trace.points.shape
    has_points = np.asarray(trace.points >= rules[:, WorldRule.VP_EACH, None])
    has_token = np.asarray(trace.games["influence"] >= rules[:, WorldRule.INFLUENCE_END])
    is_team_done = np.asarray(has_points.all(axis=1))
    units = np.arange(n * seats).reshape(n, seats)
    failed = {
        "own points": ~has_points,
        "points of some seat": np.broadcast_to(~is_team_done[:, None], (n, seats)),
        "influence": np.broadcast_to(~has_token[:, None], (n, seats)),
        "none": np.broadcast_to((has_token & is_team_done)[:, None], (n, seats)),
    }
    parts = [pd.DataFrame({"unit": units[is_failed], "condition": word}) for word, is_failed in failed.items()]
    return by_unit(pd.concat(parts))


def _influence(trace: Trace, decisions: np.ndarray) -> pd.DataFrame:
    """Rows (unit, source, steps); the steps that neither points nor the rule explain are bought, else from events."""
    steps, game, unit = trace.steps, trace.steps["game"].astype(np.int64), trace.units
    after = {}
    order = np.lexsort((np.arange(len(game)), game))
    ends = {"influence": trace.games["influence"].astype(np.int64),
            "over": trace.games["over_achieved"].astype(np.int64).sum(axis=1),
            "by_rule": trace.games["rule_steps"].astype(np.int64)}  # fmt: skip
    is_last = np.append(game[order][1:] != game[order][:-1], True)
    for name, end in ends.items():
        following = np.append(steps[name][order][1:], 0)
        following[is_last] = end[game[order][is_last]]
        after[name] = np.empty(len(game), np.int64)
        after[name][order] = following
    gained = {name: after[name] - steps[name] for name in after}
    buys = np.isin(decisions, ("buy_influence", "partner_acts"))
    buys |= (decisions == "place_worker") & (PLACE_OF[steps["action"].astype(np.int64)] == Place.BUY_INFLUENCE)
    over_gain = int(trace.games["rules"][0, WorldRule.OVER_ACHIEVE_GAIN])
    over = np.minimum(gained["over"] * over_gain, gained["influence"])
    rule = np.minimum(np.maximum(gained["by_rule"], 0), gained["influence"] - over)
    remainder = gained["influence"] - over - rule
    sources = {OVER: over, RULE: rule, BOUGHT: np.where(buys, remainder, 0), EVENT: np.where(buys, 0, remainder)}
    parts = [pd.DataFrame({"unit": unit[n > 0], "source": word, "steps": n[n > 0]}) for word, n in sources.items()]
    return by_unit(pd.concat(parts))


def tables_of(facts: Facts, bots: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return all tables by name."""
    frames = facts.frames
    return {
        "bots": bots_table(facts, bots),
        "ends": summary(facts, frames["ends"], ["condition"], bots),
        "influence": summary(facts, frames["influence"], ["source"], bots, value="steps"),
        "tiles": summary(facts, frames["tiles"], ["year", "tile"], bots),
        "trades": summary(facts, frames["trades"], ["answer"], bots),
        "ring": summary(facts, frames["ring"], ["position"], bots),
    }
