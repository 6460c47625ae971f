"""Spring: the wake-up chart, its order of choice, and the bonuses of its rows."""

from functools import partial

from tests.table.case import case
from tests.table.fixtures import place
from tests.table.setup_position import table

spring, summer = (partial(table, season) for season in ("spring", "summer"))
ROWS = [f"wake_up:{row}" for row in range(1, 8)]
CART = place("gain_lira")

of = partial(case, "Wake-up chart")
CHOOSING = [
    *(of(f"seven rows for {n} players, the marker first", spring(n=n, first_player=1), seat=1, decision="wake_up",
         legal=ROWS) for n in (2, 6)),
    of("clockwise from the marker", spring(n=4, first_player=2), asks="2 3 0 1"),
    of("one rooster on a row", spring(n=4, first_player=2), "wake_up:7 wake_up:1 wake_up:4", seat=1,
       legal=["wake_up:2", "wake_up:3", "wake_up:5", "wake_up:6"],
       holds=[("seats.2.wake_up", 7), ("seats.3.wake_up", 1), ("seats.0.wake_up", 4)]),
]  # fmt: skip
ORDER = [
    of("the chart and not the marker orders the summer", spring(n=4, first_player=2),
       "wake_up:7 wake_up:1 wake_up:4 wake_up:6", asks="3 0 1 2"),
    *(of(f"the top row begins {season} (Note)", summer({"row": 6}, {"row": 4}, to_act=1), CART, moves,
         asks="1 0") for season, moves in (("fall", "pass pass"), ("winter", "pass pass deck:summer deck:winter"))),
]  # fmt: skip
BONUS = [
    *(of(f"row {row} at once and unasked", spring({"lira": 2, "vp": 3}, n=3), f"wake_up:{row}", gives=bonus, seat=1,
         decision="wake_up") for row, bonus in ((1, ""), (2, "vine+1"), (3, "order+1"), (4, "lira+1"), (6, "vp+1"),
                                                (7, "temporary+1"))),
    of("row 5: a visitor of either kind", spring(), "wake_up:5", seat=0, decision="choose_deck",
       legal="deck:summer deck:winter", ends=["summer+1", "winter+1"]),
    *(of(f"row {row} draws from the deck", spring(next_draws={deck: [card]}), f"wake_up:{row}",
         gives=f"{deck}:{card}+1") for row, deck, card in ((2, "vine", "merlot"), (3, "order", "order_17"))),
    of("its point may reach the goal, and the year is played (Goal)", spring({"vp": 19}), "wake_up:6 wake_up:1",
       is_over=False, gives="vp+1", holds=[("season", "summer"), ("goal_reached", True)]),
    of("one temporary worker, for row 7", spring(n=3), "wake_up:7 wake_up:1 wake_up:3",
       gives="temporary+1 2.order+1"),
]  # fmt: skip
CASES = [*CHOOSING, *ORDER, *BONUS]
