"""Rules that Python asks: positions and words say none of them a second time.

Rules are called by compiled code alone, so one compiled function answers for them.
"""

from typing import Any

import numpy as np

from vitienv.core.compiling.jit import cache_on_disk, is_compiled
from vitienv.core.compiling.namespaces import Numbers
from vitienv.viticulture.derived import field_capacity, field_total
from vitienv.viticulture.enums import N_VALUES, WINES
from vitienv.viticulture.kernel import KERNELS
from vitienv.viticulture.ops.workers import is_blocker
from vitienv.viticulture.tokens import is_open

N_KINDS_OF_WINE = len(WINES)


class Ask(Numbers):
    """The questions. ABOVE_CELLAR: whether a seat holds a wine without its cellar. IS_BLOCKER: it only blocks."""

    FIELD_CAPACITY = 0
    FIELD_TOTAL = 1
    ABOVE_CELLAR = 2
    IS_BLOCKER = 3


def answer(games, question, seat, field):
    """The answer of games[0] to a question about a seat and one of its fields."""
    g = games[0]
    if question == Ask.FIELD_CAPACITY:
        return field_capacity(g, field)
    if question == Ask.FIELD_TOTAL:
        return field_total(g, seat, field)
    if question == Ask.IS_BLOCKER:
        return int(is_blocker(g, seat))
    for wine in range(N_KINDS_OF_WINE):
        for value in range(1, N_VALUES + 1):
            if g.cellar[seat, wine, value - 1] == 1 and not is_open(g, seat, value):
                return 1
    return 0


TYPES = {"record[::1]": "games", "int64": "question seat field"}
_answer = cache_on_disk(answer, KERNELS.folder, "the engine", TYPES, {"record": KERNELS.record})


def asked_of(record: Any) -> np.ndarray:
    """A record as `ask` takes it: what stands in it now."""
    games = np.array(record).reshape(1)
    return games if is_compiled(_answer) else games.view(np.recarray)


def ask(games: np.ndarray, question: int, seat: int = 0, field: int = 0) -> int:
    """What the rules answer. games: one, as `asked_of` gives it."""
    return int(_answer(games, question, seat, field))
