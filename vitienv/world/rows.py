"""The data as the arrays that compiled rules read. Another copy of the data puts others in their places."""

import numpy as np

from vitienv.core.options import SHORT
from vitienv.viticulture.cards import CARD_NAMES, COPIES
from vitienv.world.language import Kind, WorldPart, numbers
from vitienv.world.tables import DEFAULT, Tables

# Those read at every question about places; few bytes stay in the core's nearest cache.
OFTEN_READ = ("PARTS", "PRICE", "ROW", "EVENT", "EVENT_FLAGS", "RULE", "RULE_FLAGS")


def narrow(numbers: np.ndarray) -> np.ndarray:
    """The same numbers in 16 bits. ValueError if one of them does not fit."""
    if np.abs(numbers).max() > SHORT:
        raise ValueError(f"the data have a number beyond {SHORT}")
    return numbers.astype(np.int16)


def arrays(own: Tables) -> dict[str, np.ndarray]:
    """The arrays by their names here."""
    ops = own.parts[:, :, 0]
    copies = COPIES.copy()
    with_trainers = copies.copy()
    for name in own.excluded:
        copies[CARD_NAMES.index(name)] = 0
        if name not in own.trainers:
            with_trainers[CARD_NAMES.index(name)] = 0
    named = {
        "PARTS": own.parts, "PRICE": own.price, "ROW": own.row, "COVER": own.cover, "NEIGHBOUR": own.neighbour,
        "EXCHANGED": own.exchange, "RING": own.ring, "FALL_WAYS": own.fall, "COTTAGE_CARD": own.cottage,
        "OVAL_GAIN": own.oval, "SOLO_ONLY": own.solo_only, "SETUP": own.setup, "N_EVENTS": own.n_events,
        "EVENT": own.event, "EVENT_FLAGS": own.event_flags, "RULE": own.rule, "RULE_FLAGS": own.rule_flags,
        "AIM": own.aim, "AIM_GAIN": own.aim_gain, "RED": own.red, "BLUE": own.blue, "PARTNER": own.partner,
        "PARTNER_LIRA": own.partner_lira,
        "LETTER_OF_PLACE": own.letter_of_place, "PLACE_OF_LETTER": own.place_of_letter,
        "COPIES_HERE": copies, "COPIES_WITH_TRAINERS": with_trainers,
        "ROW_WAITS": (~np.isin(ops, [0, *numbers(lambda row: row.kind is Kind.AT_ONCE)])).any(axis=1).astype(np.int64),
        "ROW_INFLUENCE": np.where(ops == WorldPart.INFLUENCE, own.parts[:, :, 1], 0).sum(axis=1),
    }  # fmt: skip
    return named | {name: narrow(named[name]) for name in OFTEN_READ}


_own = arrays(DEFAULT)
PARTS, PRICE, ROW, COVER, NEIGHBOUR = (_own[name] for name in ("PARTS", "PRICE", "ROW", "COVER", "NEIGHBOUR"))
EXCHANGED, RING, FALL_WAYS, COTTAGE_CARD = (_own[n] for n in ("EXCHANGED", "RING", "FALL_WAYS", "COTTAGE_CARD"))
OVAL_GAIN, SOLO_ONLY, SETUP, N_EVENTS = (_own[name] for name in ("OVAL_GAIN", "SOLO_ONLY", "SETUP", "N_EVENTS"))
EVENT, EVENT_FLAGS, RULE, RULE_FLAGS = (_own[name] for name in ("EVENT", "EVENT_FLAGS", "RULE", "RULE_FLAGS"))
AIM, AIM_GAIN, RED, BLUE, PARTNER = (_own[name] for name in ("AIM", "AIM_GAIN", "RED", "BLUE", "PARTNER"))
LETTER_OF_PLACE, PLACE_OF_LETTER = _own["LETTER_OF_PLACE"], _own["PLACE_OF_LETTER"]
PARTNER_LIRA = _own["PARTNER_LIRA"]
COPIES_WITH_TRAINERS = _own["COPIES_WITH_TRAINERS"]
COPIES_HERE, ROW_WAITS, ROW_INFLUENCE = _own["COPIES_HERE"], _own["ROW_WAITS"], _own["ROW_INFLUENCE"]
NAMES = tuple(_own)
