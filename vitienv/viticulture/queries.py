"""Rule queries from Python, so that positions and texts do not repeat rules.

One compiled function answers all queries, because rule functions can only be called by compiled code.
"""

from typing import Any

import numpy as np

from vitienv.core.compiling.jit import cache_on_disk, is_compiled
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.viticulture.derived import field_capacity, field_total
from vitienv.viticulture.enums import N_VALUES, WINES
from vitienv.viticulture.kernel import KERNELS
from vitienv.viticulture.ops.workers import is_blocker
from vitienv.viticulture.tokens import is_open

N_KINDS_OF_WINE = len(WINES)


class Query(IntConstants):
    """Queries. ABOVE_CELLAR: whether a seat has a wine without its cellar. IS_BLOCKER: whether a seat only blocks."""

    FIELD_CAPACITY = 0
    FIELD_TOTAL = 1
    ABOVE_CELLAR = 2
    IS_BLOCKER = 3


def answer(games, question, seat, field):
    """Return the answer to a query about a seat and a field in games[0]."""
    g = games[0]
    if question == Query.FIELD_CAPACITY:
        return field_capacity(g, field)
    if question == Query.FIELD_TOTAL:
        return field_total(g, seat, field)
    if question == Query.IS_BLOCKER:
        return int(is_blocker(g, seat))
    for wine in range(N_KINDS_OF_WINE):
        for value in range(1, N_VALUES + 1):
            if g.cellar[seat, wine, value - 1] == 1 and not is_open(g, seat, value):
                return 1
    return 0


TYPES = {"record[::1]": "games", "int64": "question seat field"}
_answer = cache_on_disk(answer, KERNELS.folder, "the engine", TYPES, {"record": KERNELS.record})


def query_games(record: Any) -> np.ndarray:
    """Return a copy of a record as the argument of `query`."""
    games = np.array(record).reshape(1)
    return games if is_compiled(_answer) else games.view(np.recarray)


def query(games: np.ndarray, question: int, seat: int = 0, field: int = 0) -> int:
    """Return the answer of the rules. games: from `query_games`."""
    return int(_answer(games, question, seat, field))
