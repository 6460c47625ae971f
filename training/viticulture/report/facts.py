"""Events of games of Viticulture; see `training.report.facts`.

wake_ups: year, row. placements: year, season, action, space (place in SPACE_KINDS), in their order. structures:
structure, year (GIFT_YEAR for a papa's gift). visitors: year, deck, card. orders: year, card. points: kind, source,
points (see `sources`). openings: kind (mama, papa, placements), opening.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from vitienv.core.compiling.namespaces import IntConstants, words
from vitienv.training.report.facts import Facts, by_unit, seats_of
from vitienv.training.report.traces import Trace
from vitienv.training.viticulture.report.sources import NO_ORDER, parents_of, points_of
from vitienv.viticulture.cards import FIRST_WINTER, MAMAS, PAPAS
from vitienv.viticulture.cards.papas import GIFT_WORKER
from vitienv.viticulture.enums import ACTS, STRUCTURES, Act
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.places import ACT_OF_PLACING, PLACING_OF_ACTION
from vitienv.viticulture.vocabulary import Move, Placing

GIFT_YEAR = 0  # year of a papa's gift
FIRST_YEAR = 1
PLACEMENTS_OF_OPENING = 3
NO_PLACEMENT = "no worker placed"


class SpaceKind(IntConstants):
    """Kind of space of a worker."""

    PLAIN = 0
    BONUS = 1
    FULL = 2  # action without a free space
    CART = 3
    YOKE = 4


SPACE_KINDS = words(SpaceKind)


def facts_of(trace: Trace) -> Facts:
    """Return the facts of a trace."""
    seats = trace.points.shape[1]
    steps = {name: values.astype(np.int64) for name, values in trace.steps.items()}
    op, action = steps["op"], steps["action"]
    steps["unit"] = trace.units

    def rows(mask: np.ndarray, *names: str, **columns: np.ndarray) -> pd.DataFrame:
        return by_unit(pd.DataFrame({name: steps[name][mask] for name in ("unit", *names)} | columns))

    is_wake_up = op == FrameOp.WAKE
    is_placement = ((op == FrameOp.PLACE) & (action != Move.PASS)) | (op == FrameOp.PLAN)
    is_visitor = (op == FrameOp.PLAY) & (action != Move.DONE)
    is_build, is_order = op == FrameOp.BUILD, steps["order"] != NO_ORDER
    acts, spaces = _acts_and_spaces(action[is_placement])
    placements = rows(is_placement, "year", "season", action=acts, space=spaces)
    gifts = op == FrameOp.GIFT
    papas = parents_of(trace, "papas")[steps["game"][gifts], steps["seat"][gifts]]
    gift_choices = rows(gifts, gift=action[gifts] == Move.OPTION, papa=papas)
    points = points_of(trace)
    points.insert(0, "unit", points["game"] * seats + points["seat"])
    structures = pd.concat(
        [_gift_structures(gift_choices), rows(is_build, "year", structure=action[is_build] - Move.STRUCTURE)]
    )
    decks = np.where(steps["card"][is_visitor] < FIRST_WINTER, "summer", "winter")
    return Facts(
        seats_of(trace),
        {
            "wake_ups": rows(is_wake_up, "year", row=action[is_wake_up] - Move.WAKE_UP + 1),
            "placements": placements,
            "structures": by_unit(structures),
            "visitors": rows(is_visitor, "year", "card", deck=decks),
            "orders": rows(is_order, "year", card=steps["order"][is_order]),
            "points": by_unit(points[["unit", "kind", "source", "points"]]),
            "openings": _openings(trace, placements, gift_choices),
        },
    )


def _acts_and_spaces(action: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    act, placing = ACT_OF_PLACING[action], PLACING_OF_ACTION[action]
    space = np.where(
        placing == Placing.CROWD_GRANDE,
        SpaceKind.FULL,
        np.where(placing >= Placing.BONUS_REGULAR, SpaceKind.BONUS, SpaceKind.PLAIN),
    )
    return act, np.where(act == Act.YOKE, SpaceKind.YOKE, np.where(act == Act.GAIN_LIRA, SpaceKind.CART, space))


def _gift_structures(gift_choices: pd.DataFrame) -> pd.DataFrame:
    gift = gift_choices["papa"].map(lambda papa: PAPAS[papa].gift)
    gifts = gift_choices.assign(structure=gift.astype(np.int64))[gift_choices["gift"] & (gift < GIFT_WORKER)]
    return gifts.assign(year=GIFT_YEAR)[["unit", "year", "structure"]]


def _openings(trace: Trace, placements: pd.DataFrame, gift_choices: pd.DataFrame) -> pd.DataFrame:
    """Return mama, papa with the chosen gift, and the actions of the first workers of each seat."""
    units = np.arange(trace.points.size)
    mamas = pd.DataFrame({"unit": units, "kind": "mama", "number": parents_of(trace, "mamas").reshape(-1)})
    mamas = mamas[mamas["number"] >= 0]
    mamas = mamas.assign(opening=mamas["number"].map(lambda number: MAMAS[number].id)).drop(columns="number")
    papas = pd.DataFrame({"unit": gift_choices["unit"], "kind": "papa", "opening": [
        f"{PAPAS[papa].id}: {_gift_name(papa) if gift else f'{PAPAS[papa].gift_lira} lira'}"
        for papa, gift in zip(gift_choices["papa"], gift_choices["gift"], strict=True)
    ]})  # fmt: skip
    first = placements[placements["year"] == FIRST_YEAR]
    first = first[first.groupby("unit").cumcount() < PLACEMENTS_OF_OPENING]
    openings = first["action"].map(dict(enumerate(ACTS))).groupby(first["unit"]).agg(" > ".join)
    openings = openings.reindex(units, fill_value=NO_PLACEMENT)
    placements_frame = pd.DataFrame({"unit": units, "kind": "placements", "opening": openings.to_numpy()})
    return by_unit(pd.concat([mamas, papas, placements_frame]))


def _gift_name(papa: int) -> str:
    gift = PAPAS[papa].gift
    if gift < GIFT_WORKER:
        return STRUCTURES[gift]
    return "worker" if gift == GIFT_WORKER else "victory point"
