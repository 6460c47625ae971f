"""The words of World's positions, and what lies between its record and that of the other rulesets."""

from __future__ import annotations

from typing import Any

import numpy as np

from vitienv.viticulture import state as essential
from vitienv.viticulture.cards import MAMAS, PAPAS
from vitienv.viticulture.names import SEASONS
from vitienv.viticulture.positions.writer import TOLD
from vitienv.world.names import LETTERS, N_BLUE, N_LETTERS, N_RED, OVALS, Hat
from vitienv.world.state import N_BEFORE
from vitienv.world.tables import Tables

# Fields that a position tells in words of its own; the others are told by their names, under "state".
TOLD_HERE = TOLD | {
    "influence", "event", "events_gone", "n_events", "over_achieved", "at", "hat", "turn_worker", "tile", "oval_on",
    "deeds", "partner_on", "partner_gone", "partner_lira", "aims", "aims_met",
}  # fmt: skip
PARTNER = "partner"  # in place of a seat on the board
HATS = {int(Hat.BARE): "regular", int(Hat.YELLOW): "yellow", int(Hat.BLUE): "blue"}  # by what a regular wears
WORKERS = ("yellow", "blue", "regular", "grande", "temporary")
SPACES = ("plain", "oval", "crowd")
RED = (*(mama.id for mama in MAMAS), *(f"red_{i + 1:02}" for i in range(N_RED)))
BLUE = (*(papa.id for papa in PAPAS), *(f"blue_{i + 1:02}" for i in range(N_BLUE)))
SETUP = SEASONS[0]


def tile_words(tables: Tables) -> tuple[str, ...]:
    """What the tiles of a record are called: rectangles by their letters, ovals by what they give."""
    return (*(LETTERS[int(tables.letter_of_place[place])] for place in range(N_LETTERS)), *OVALS)


def shell_of(r: Any) -> np.record:
    """A record of the other rulesets with what World's record has of it, for what is read and asked of both alike."""
    shell = np.zeros(1, essential.GAME_DTYPE).view(np.recarray)[0]
    for field in essential.FIELDS:
        shell[field.name] = r[field.name][:N_BEFORE] if field.name == "rules" else r[field.name]
    return shell


def take_over(r: np.record, shell: np.record) -> None:
    """The way back: all fields of the shell but its rules."""
    for field in essential.FIELDS:
        if field.name != "rules":
            r[field.name] = shell[field.name]
