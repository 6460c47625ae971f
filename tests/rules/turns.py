"""Turns of summer, fall and winter: order, passing, seats without workers, illegal placements."""

from functools import partial

from tests.table.case import case
from tests.table.fixtures import at, place, workers
from tests.table.setup_position import ABLE, table

summer, winter = (partial(table, season) for season in ("summer", "winter"))
CART, GRANDE_CART = place("gain_lira"), place("gain_lira", worker="grande")
NOBODY = {"regular": 0, "grande": 0}
DRAWN = [f"{cards}+1 1.{other}+1" for cards in ("summer", "winter") for other in ("summer", "winter")]
TO_WINTER = "pass pass deck:summer deck:summer"

of = partial(case, "Summer and winter")
ORDER = [
    of("one worker, then the next row, round and round", summer({"row": 5}, {"row": 2}, {"row": 7}, to_act=1),
       CART, CART, CART, seat=1, gives="lira+1 0.lira+1 0.regular-1 2.lira+1 2.regular-1"),
    of("down the chart", summer({"row": 5}, {"row": 2}, {"row": 7}, to_act=1), asks="1 0 2"),
    of("no placement after a pass this season", winter(), "pass", CART, CART, seat=1, holds=[("season", "winter")]),
    of("fall follows when all have passed", summer(), "pass", place("draw_vine"), "pass", holds=[("season", "fall")]),
    of("workers that were not placed are there in winter", summer(), "pass", place("draw_vine"), place("give_tour"),
       "pass deck:summer deck:summer", seat=0,
       holds=[("seats.0.workers", workers()), ("seats.1.workers", workers(0, 1)), ("season", "winter")]),
    of("a worker of the summer is gone in winter", summer(), GRANDE_CART, TO_WINTER, seat=0,
       offers=CART, refuses=GRANDE_CART),
    of("a worker stays on its space until the year ends", summer(), place("give_tour"), TO_WINTER,
       holds=[("board.give_tour", [at(0)]), ("season", "winter")]),
    of("then spaces are empty", summer(), place("give_tour"), TO_WINTER, "pass pass",
       holds=[("board", {}), ("season", "spring")]),
    *(of(f"a seat without workers is skipped: {len(moves)} placed", winter({"regular": 1, "grande": 0}, NOBODY,
         {"regular": 3, "grande": 0}), *moves, seat=2, decision="place_worker") for moves in ([CART], [CART] * 2,
                                                                                              [CART] * 3)),
    of("summer ends with the last worker", summer({"regular": 1, "grande": 0}, NOBODY, {"regular": 3, "grande": 0}),
       *[CART] * 4, seat=0, decision="choose_deck"),
    of("winter may be passed, and idle workers earn nothing", winter({"lira": 4}, {"lira": 1}), "pass pass",
       decision="wake_up", gives=""),
    of("a pass is kept", winter(), "pass", holds=[("seats.0.passed", True)]),
    of("winter ends with the last worker", winter({"regular": 1, "grande": 0}, {"regular": 2, "grande": 0}), CART, CART,
       CART, decision="wake_up", gives="lira+1 regular+1 1.lira+2"),
]  # fmt: skip

of = partial(case, "Fall actions")
FALL = [
    of("one visitor each, of either kind, and none is played", summer(ABLE), "pass pass", ends=DRAWN),
    of("down the chart", summer({"row": 6}, {"row": 3}, {"row": 4}, to_act=1), "pass pass pass",
       asks="1 2 0"),
    of("without a worker too", summer(NOBODY, {"regular": 1, "grande": 0}, to_act=1), "pass",
       ends=[f"{cards}+1 0.{other}+1 0.passed+1" for cards in ("summer", "winter") for other in ("summer", "winter")]),
]  # fmt: skip

of = partial(case, "Worker placement")
IMPOSSIBLE = [
    of(f"no worker on an action that cannot be done: {action}", table(season, cards), refuses=place(action),
       offers=[CART, GRANDE_CART]) for season, action, cards in (
           ("summer", "build_structure", {"lira": 1}), ("summer", "play_summer_visitor", {"winter": ["caravan"]}),
           ("summer", "plant_vine", {"vine": ["pinot"]}), ("winter", "harvest_field", {}),
           ("summer", "sell_grapes_or_field", {"lira": 4, "sold": [5], "fields": {6: ["malvasia"], 7: ["pinot"]}}),
           ("winter", "train_worker", {"lira": 3}), ("winter", "play_winter_visitor", {"summer": ["banker"]}),
           ("winter", "make_wine", {"wines": {"red": [1]}}),
           ("winter", "fill_order", {"order": ["order_01"], "wines": {"red": [3], "white": [3]}}))]  # fmt: skip
CASES = [*ORDER, *FALL, *IMPOSSIBLE]
