"""The bundled data as arrays for the kernels; kernels for custom data replace them."""

import numpy as np

from vitienv.core.options import SHORT
from vitienv.viticulture.cards import CARD_NAMES, COPIES
from vitienv.world.language import Role, WorldPart, numbers
from vitienv.world.tables import DEFAULT, Tables

# Arrays of the hot path, as int16 to fit into the L1 cache.
OFTEN_READ = ("PARTS", "PRICE", "ROW", "EVENT", "EVENT_FLAGS", "RULE", "RULE_FLAGS")


def narrow(numbers: np.ndarray) -> np.ndarray:
    """Convert numbers to int16. Raises ValueError on overflow."""
    if np.abs(numbers).max() > SHORT:
        raise ValueError(f"numbers of the data must be at most {SHORT} in absolute value")
    return numbers.astype(np.int16)


def arrays(tables: Tables) -> dict[str, np.ndarray]:
    """Return the arrays by name."""
    ops = tables.parts[:, :, 0]
    copies = COPIES.copy()
    with_trainers = copies.copy()
    for name in tables.excluded:
        copies[CARD_NAMES.index(name)] = 0
        if name not in tables.trainers:
            with_trainers[CARD_NAMES.index(name)] = 0
    data = {
        "PARTS": tables.parts, "PRICE": tables.price, "ROW": tables.row, "COVER": tables.cover,
        "NEIGHBOUR": tables.neighbour, "PARTNER": tables.partner, "PARTNER_LIRA": tables.partner_lira,
        "EXCHANGED": tables.exchange, "RING": tables.ring, "FALL_WAYS": tables.fall, "COTTAGE_CARD": tables.cottage,
        "OVAL_GAIN": tables.oval, "SOLO_ONLY": tables.solo_only, "SETUP": tables.setup, "N_EVENTS": tables.n_events,
        "EVENT": tables.event, "EVENT_FLAGS": tables.event_flags, "RULE": tables.rule, "RULE_FLAGS": tables.rule_flags,
        "AIM": tables.aim, "AIM_GAIN": tables.aim_gain, "RED": tables.red, "BLUE": tables.blue,
        "LETTER_OF_PLACE": tables.letter_of_place, "PLACE_OF_LETTER": tables.place_of_letter,
        "WORLD_COPIES": copies, "COPIES_WITH_TRAINERS": with_trainers,
        "ROW_WAITS": (~np.isin(ops, [0, *numbers(lambda row: row.kind is Role.AT_ONCE)])).any(axis=1).astype(np.int64),
        "ROW_INFLUENCE": np.where(ops == WorldPart.INFLUENCE, tables.parts[:, :, 1], 0).sum(axis=1),
    }  # fmt: skip
    return data | {name: narrow(data[name]) for name in OFTEN_READ}


_arrays = arrays(DEFAULT)
PARTS, PRICE, ROW, COVER, NEIGHBOUR = (_arrays[name] for name in ("PARTS", "PRICE", "ROW", "COVER", "NEIGHBOUR"))
EXCHANGED, RING, FALL_WAYS, COTTAGE_CARD = (_arrays[n] for n in ("EXCHANGED", "RING", "FALL_WAYS", "COTTAGE_CARD"))
OVAL_GAIN, SOLO_ONLY, SETUP, N_EVENTS = (_arrays[name] for name in ("OVAL_GAIN", "SOLO_ONLY", "SETUP", "N_EVENTS"))
EVENT, EVENT_FLAGS, RULE, RULE_FLAGS = (_arrays[name] for name in ("EVENT", "EVENT_FLAGS", "RULE", "RULE_FLAGS"))
AIM, AIM_GAIN, RED, BLUE, PARTNER = (_arrays[name] for name in ("AIM", "AIM_GAIN", "RED", "BLUE", "PARTNER"))
LETTER_OF_PLACE, PLACE_OF_LETTER = _arrays["LETTER_OF_PLACE"], _arrays["PLACE_OF_LETTER"]
PARTNER_LIRA = _arrays["PARTNER_LIRA"]
COPIES_WITH_TRAINERS = _arrays["COPIES_WITH_TRAINERS"]
WORLD_COPIES, ROW_WAITS, ROW_INFLUENCE = _arrays["WORLD_COPIES"], _arrays["ROW_WAITS"], _arrays["ROW_INFLUENCE"]
NAMES = tuple(_arrays)
