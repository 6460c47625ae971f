"""Counts of a whole table by word, which the reference of the year compares."""

from __future__ import annotations

from collections import Counter

import numpy as np

import vitienv
from tests.world.cases import changes
from tests.world.cases.changes import DECKS, DEEDS, HATS, PLACES
from vitienv.core.batch import Batch
from vitienv.world.enums import Tile

SPRING, SUMMER, WINTER = 1, 2, 4
KINDS = (*HATS, "grande", "temporary")
USED = ("windmill", "tasting_room", "yoke")
HEAD = (
    *("turn year season event first goal_met rule_steps rule_done".split()),
    *(f"deck:{deck}" for deck in DECKS),
    *(f"{shape}:{pile}" for shape in ("rectangles", "ovals") for pile in ("stack", "shown", "gone")),
    *(f"event_gone:{number}" for number in range(1, 9)),
)
OF_SEAT = (
    *("passed row reached boosted aim_met:0 aim_met:1".split()),
    *(f"used:{name}" for name in USED), *(f"deed:{name}" for name in DEEDS), *(f"home:{kind}" for kind in KINDS),
    *(f"on:{place}" for place in PLACES),
)  # fmt: skip
MORE = (*HEAD, *(f"{k}.{word}" for k in range(6) for word in OF_SEAT))


def facts(game: vitienv.Game, records: np.ndarray, seats: np.ndarray) -> list[Counter]:
    """The different states among many records, with the seat that is to act in each."""
    n = len(records)

    def of(values: np.ndarray, *shape: int) -> np.ndarray:
        return np.asarray(values).reshape(n, *shape).astype(np.int16)

    tile, at, hat = of(records["tile"], 28), of(records["at"], 6, 6), of(records["hat"], 6, 4)
    head = [of(seats + 1, 1), *(of(records[name], 1) for name in ("year", "season"))]
    head += [of(records["event"] + 1, 1), of(records["first_player"] + 1, 1)]
    head += [of(records[name], 1) for name in ("goal_met", "rule_steps", "rule_done")]
    head.append(of(records["n_deck"] + records["n_pile"], 4))
    for tiles in (tile[:, :16], tile[:, 16:]):
        head += [(tiles == place).sum(1, keepdims=True) for place in (Tile.IN_STACK, Tile.SHOWN, Tile.GONE)]
    head.append(of(records["events_gone"], 1) >> np.arange(8) & 1)
    of_seats = [of(records[name], 6, 1) for name in ("passed", "row", "over_achieved", "boosted")]
    of_seats += [of(records["aims_met"], 6, 2), of(records["used"], 6, 3), of(records["deeds"], 6, len(DEEDS))]
    of_seats += [((hat == worn) & (at[:, :, :4] < 0)).sum(2, keepdims=True) for worn in range(len(HATS))]
    of_seats += [at[:, :, 4:5] < 0, (at[:, :, 5:] < 0) & (of(records["staff"], 6, 3)[:, :, 2:] > 0)]
    of_seats.append((at[:, :, :, None] // 3 == np.arange(len(PLACES))).sum(2))
    columns = [changes.counted(records), *head, np.concatenate(of_seats, axis=2).reshape(n, -1)]
    rows = np.concatenate(columns, axis=1)
    words = (*changes.WORDS, *MORE)
    counters = []
    for i in {row.tobytes(): i for i, row in enumerate(rows)}.values():
        state = Counter({word: int(k) for word, k in zip(words, rows[i].tolist(), strict=True) if k})
        if seats[i] < 0:
            state[outcome(game, records[i])] = 1
        counters.append(state)
    return counters


def outcome(game: vitienv.Game, record: np.ndarray) -> str:
    """Return the outcome of a finished game by the engine."""
    batch = Batch(1, game.options)
    batch.bytes_view[:] = np.frombuffer(record.tobytes(), np.int8)
    batch.refresh(observe=False)
    return str(vitienv.Game(batch, None, {}).outcome)


def compared(state: Counter, continent: str) -> frozenset:
    """Return the words to compare; those of a finished game are the goods of the seats and the outcome."""
    ignored = {"europe": ("rule_",), "africa": ("rule_steps",)}.get(continent, ("rule_done",))
    if state["win"] or state["loss"]:
        ignored = ("turn", "year", "season", "event", "first", "goal_met", "rule_", "row", "harvest", "used:", "deed:",
                "boosted", "passed", "rectangles", "ovals")  # fmt: skip
    elif state["influence"] == 10:
        ignored = (*ignored, "rule_steps")  # the rulebook does not say whether lost steps count
    return frozenset((word, k) for word, k in state.items() if k and not word.split(".")[-1].startswith(ignored))
