"""The end of the game: its condition, the winner, and ties."""

from functools import partial

from tests.table.case import case
from tests.table.fixtures import CELLARS, ORDERS, place
from tests.table.setup_position import table

spring, summer, winter = (partial(table, season, reward="rank") for season in ("spring", "summer", "winter"))


def over(*places):
    """Return the attributes of a finished game; rewards fall in equal steps, and ties share theirs."""
    steps = [1 - 2 * n / (len(places) - 1) for n in range(len(places))]
    shared = {place: [steps[place - 1 + n] for n in range(places.count(place))] for place in places}
    return {"is_over": True, "ranks": list(places), "rewards": [sum(shared[p]) / len(shared[p]) for p in places],
            "seat": None, "decision": None, "legal": ()}  # fmt: skip


def tied(title, *seats, places):
    """Return a case of seats with 20 points each."""
    return of(title, winter(*({"vp": 20} | seat_spec for seat_spec in seats)), "pass pass", **over(*places))


of = partial(case, "Goal and End game")
GOAL = [
    *(of(f"{vp} points end the game with the year", winter({"vp": vp}, {"vp": 3}), "pass pass", scores=[vp, 3],
         **over(1, 2)) for vp in (20, 21, 35)),
    *(of(f"{vp} points: not before all have passed", winter({"vp": vp}, {"vp": 3}), "pass", is_over=False)
      for vp in (20, 35)),
    of("19 points are too few", winter({"vp": 19}, {"vp": 3}), "pass pass", is_over=False, decision="wake_up"),
    of("of any player", winter({"vp": 5}, {"vp": 7}, {"vp": 20}), "pass pass pass", **over(3, 2, 1)),
    of("the year is played, and another may win", winter({"vp": 20}, {"vp": 19}, {
        "vp": 18, "wines": {"red": [2], "white": [2]}, "order": ["order_02"]}), "pass pass",
       place("fill_order", "bonus"), "yes card:order:order_02 wine:red:2 wine:white:2 pass", scores=[20, 19, 21],
       **over(2, 3, 1)),
    of("fall follows", summer({"vp": 20}), "pass pass", is_over=False, decision="choose_deck"),
    of("and winter", summer({"vp": 20}), "pass pass deck:summer deck:winter", is_over=False, decision="place_worker"),
    of("there is no limit", summer({"vp": 60, "grapes": {"red": [1]}}, n=3), place("sell_grapes_or_field", "bonus"),
       "yes grape:red:1", gives="vp+1 lira+1 grape:red:1-1"),
    of("points count even if lost again", spring({"vp": 19, "summer": ["broker"]}, {
        "regular": 0, "grande": 0}), "wake_up:6 wake_up:1", place("play_summer_visitor"), "card:summer:broker option:2",
       "pass deck:summer deck:summer pass", is_over=True, scores=[18, 0]),
    of("a position tells that it was reached", winter({"vp": 18}, goal_reached=True), "pass pass", is_over=True),
    of("or that it was not", winter({"vp": 18}), "pass pass", is_over=False),
    of("nothing else ends it", winter(year=30), "pass pass", is_over=False, holds=[("year", 31)]),
    of("hands are cut in the last year too", winter({"vp": 20, "order": ORDERS[:8]}), "pass pass",
       decision="discard_to_limit", is_over=False),
    of("then it is over", winter({"vp": 20, "order": ORDERS[:8]}), "pass pass card:order:order_01", is_over=True),
]  # fmt: skip

of = partial(case, "End game, tiebreakers")
TIES = [
    tied("residual payments of the last year count", {"lira": 4}, {"residual": 5}, places=(2, 1)),
    tied("first lira", {"lira": 2, "wines": {"red": [3], "white": [3]}}, {"lira": 3}, places=(2, 1)),
    tied("then wine", {"grapes": {"red": [8], "white": [8]}, "wines": {"red": [3]}}, {
        "wines": {"red": [3], "white": [1]}}, places=(2, 1)),
    tied("the value and not the number of wines", {"wines": {"red": [2, 3], "white": [2, 3]}}, {
        "structures": CELLARS, "wines": {"sparkling": [9], "blush": [4]}}, places=(2, 1)),
    tied("then grapes", {"grapes": {"red": [4]}}, {"grapes": {"red": [2], "white": [3]}}, places=(2, 1)),
    tied("after ageing", {"wines": {"red": [3]}}, {"wines": {"red": [1], "white": [1]}}, places=(2, 1)),
]  # fmt: skip
BEST = {"vp": 20, "lira": 3, "wines": {"red": [3]}, "grapes": {"red": [9]}}
PLACES = [
    of("complete ties are shared", winter(BEST, {"vp": 4}, BEST, {"vp": 19}), "pass " * 4,
       scores=[20, 4, 20, 19], **over(1, 4, 1, 3)),
    of("every place is decided alike", winter({"vp": 9, "lira": 1}, {"vp": 20}, {"vp": 9, "lira": 2}), "pass " * 3,
       **over(3, 1, 2)),
    of("points below zero rank last (Game board setup, Note 1)", winter({"vp": -5}, {"vp": 20}, {}), "pass " * 3,
       scores=[-5, 20, 0], **over(3, 1, 2)),
]  # fmt: skip
CASES = [*GOAL, *TIES, *PLACES]
