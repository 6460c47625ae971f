"""The end of a year, in this order: ageing, workers, residual payments, the hand limit, the marker."""

from functools import partial
from itertools import combinations

from tests.table.case import case
from tests.table.fixtures import CELLARS, ORDERS, at, place, workers
from tests.table.setup_position import table

summer, winter = (partial(table, season) for season in ("summer", "winter"))
NOBODY = {"regular": 0, "grande": 0}
TIERS = {"small": [], "medium": CELLARS[:1], "large": CELLARS}
ONE_TO_EIGHT = [*range(1, 9)]
TRAIN = place("train_worker")


def aged(token, before, after):
    """Return the changes of tokens that have other values after a year."""
    return " ".join([*(f"{token}:{value}-1" for value in before), *(f"{token}:{value}+1" for value in after)])


of = partial(case, "Age grape and wine tokens")
AGEING = [
    *(of(f"grapes, at most 9, cellars do not matter: {colour} {before}", winter({"grapes": {colour: before}}, NOBODY),
         "pass", gives=aged(f"grape:{colour}", before, after)) for colour in ("red", "white") for before, after in (
             ([1], [2]), ([3], [4]), ([6], [7]), ([9], [9]), ([8, 9], [8, 9]), ([7, 8, 9], [7, 8, 9]),
             ([1, 2, 3], [2, 3, 4]), ([6, 8, 9], [7, 8, 9]), (ONE_TO_EIGHT, [*range(2, 10)]),
             ([*range(1, 10)], [*range(1, 10)]), ([1, 3, 5, 7, 9], [2, 4, 6, 8, 9]))),
    *(of(f"wine, past 3 and 6 with its cellar, nothing is lost (Notes 1 and 2): {tier}, {kind} {before}",
         winter({"structures": TIERS[tier], "wines": {kind: before}}, NOBODY), "pass",
         gives=aged(f"wine:{kind}", before, after)) for tier, kind, before, after in (
             ("small", "red", [1], [2]), ("small", "red", [3], [3]), ("small", "white", [1, 3], [2, 3]),
             ("small", "white", [1, 2, 3], [1, 2, 3]), ("small", "red", [1, 2], [2, 3]), ("medium", "red", [3], [4]),
             ("medium", "red", [1, 2, 3], [2, 3, 4]), ("medium", "red", [6], [6]), ("medium", "white", [5, 6], [5, 6]),
             ("medium", "white", [3, 5, 6], [4, 5, 6]), ("medium", "white", [2, 3, 4, 5, 6], [2, 3, 4, 5, 6]),
             ("medium", "blush", [4], [5]), ("medium", "blush", [4, 5], [5, 6]), ("medium", "blush", [4, 6], [5, 6]),
             ("medium", "blush", [4, 5, 6], [4, 5, 6]), ("large", "red", [6], [7]),
             ("large", "red", [1, 3, 6, 9], [2, 4, 7, 9]), ("large", "red", [8, 9], [8, 9]),
             ("large", "white", ONE_TO_EIGHT, [*range(2, 10)]), ("large", "blush", [6, 7], [7, 8]),
             ("large", "blush", [4, 9], [5, 9]), ("large", "sparkling", [7], [8]),
             ("large", "sparkling", [7, 8], [8, 9]), ("large", "sparkling", [7, 9], [8, 9]),
             ("large", "sparkling", [8, 9], [8, 9]), ("large", "sparkling", [7, 8, 9], [7, 8, 9]))),
    *(of(f"wine above its cellars, inside its tier (Examples, Zymologist): {tier}, {before}",
         winter({"structures": TIERS[tier], "wines": {"red": before}, "above": True}, NOBODY), "pass",
         gives=aged("wine:red", before, after)) for tier, before, after in (
             ("small", [5], [6]), ("small", [6], [6]), ("small", [4, 5], [5, 6]), ("small", [3, 4], [3, 5]),
             ("small", [3, 8], [3, 9]), ("small", [9], [9]), ("medium", [6, 7], [6, 8]), ("medium", [3, 8], [4, 9]))),
    of("all tokens of all seats, each type on its own slots", winter(
        {"grapes": {"red": [1], "white": [1]}, "wines": {"red": [1], "white": [2]}},
        {"grapes": {"red": [9], "white": [4]}, "wines": {"red": [3]}}), "pass pass", gives=" ".join((
            aged("grape:red", [1], [2]), aged("grape:white", [1], [2]), aged("wine:red", [1], [2]),
            aged("wine:white", [2], [3]), aged("1.grape:white", [4], [5])))),
]  # fmt: skip

of = partial(case, "Year end, Return workers")
WORKERS = [
    of("all return, from cart and yoke too", winter({"regular": 1, "grande": 0}, {
        "regular": 0, "structures": ["yoke"], "used": ["yoke"], "fields": {5: ["pinot"]}}, board={
            "give_tour": [at(0)], "gain_lira": [at(0, worker="grande"), at(1)], "yoke": [at(1)],
            "draw_order": [at(0, worker="temporary")]}), "pass pass",
       gives="regular+1 grande+1 1.regular+2 1.used:yoke-1", holds=[("board", {})]),
    of("crowds leave", winter({"regular": 1}, {"grande": 0}, board={"give_tour": [
        at(0), at(1, "crowd", "grande")]}), "pass pass", gives="regular+1 1.grande+1", holds=[("board", {})]),
    of("the temporary one goes, placed or not (Glossary)", winter({"temporary": 1}, NOBODY), "pass",
       gives="temporary-1"),
    of("a trained worker starts next year, not this (Train)", winter({"lira": 5}), TRAIN,
       holds=[("seats.0.workers", workers(1, 1)), ("seats.0.trained_this_year", 1)]),
    of("a trained worker starts next year (Train)", winter({"lira": 5}, NOBODY), TRAIN, "pass",
       gives="lira-4 regular+2", holds=[("seats.0.workers", workers(3, 1)), ("seats.0.trained_this_year", 0)]),
]  # fmt: skip

of = partial(case, "Train a new worker, Note 1")
FIVE = [
    of("four and the grande", winter({"lira": 9, "regular": 4}), offers=TRAIN),
    of("five and the grande", winter({"lira": 9, "regular": 5}), refuses=TRAIN),
    of("the temporary one does not count", winter({"lira": 9, "regular": 4, "temporary": 1}), offers=TRAIN),
    of("workers trained this year count", winter({"lira": 9, "regular": 4, "trained": 1}), refuses=TRAIN),
    of("placed workers count", winter({"lira": 9, "regular": 1}, board={"gain_lira": [at(0)] * 4}), refuses=TRAIN),
]  # fmt: skip

of = partial(case, "Year end, Discard down to 7 cards")
HAND = {"vine": ["merlot", "pinot", "pinot"], "order": ["order_02", "order_05"], "summer": ["broker", "buyer"],
        "winter": ["crusher", "judge"]}  # fmt: skip
CARDS = [f"{deck}:{card}" for deck, cards in HAND.items() for card in cards]
LIMIT = [
    of("cards of the player's choice", winter(HAND), "pass pass", seat=0, decision="discard_to_limit",
       ends=[" ".join(f"{card}-1" for card in pair) for pair in combinations(CARDS, 2)]),
    of("to their discard piles", winter(HAND), "pass pass card:vine:pinot card:winter:crusher", decision="wake_up",
       holds=[("discards", {"vine": ["pinot"], "winter": ["crusher"]})]),
    *(of(f"seven may be kept of {n}", winter({"order": ORDERS[:n]}), "pass pass", ends=[
        " ".join(f"order:{card}-1" for card in cards) for cards in combinations(ORDERS[:n], n - 7)])
      for n in (7, 8, 10)),
    *(of(f"each set in one way: {move or 'first'}", winter({"order": ORDERS[:9]}), "pass pass", move,
         legal=[f"card:order:{card}" for card in legal])
      for move, legal in (("", ORDERS[:8]), ("card:order:order_05", ORDERS[5:9]))),
    of("down the chart (Glossary, Wake-up chart)", winter(*(
        {"row": row, "order": ORDERS[n * 8 : n * 8 + 8]} for n, row in enumerate((5, 2, 7))), to_act=1),
       "pass pass pass", asks="1 0 2"),
    of("not during the year", summer({"order": ORDERS[:9]}), place("draw_vine"), "pass pass deck:summer", seat=1,
       decision="choose_deck"),
]  # fmt: skip

of = partial(case, "Year end")
BUSY = winter({"residual": 3, "grapes": {"red": [4]}, "wines": {"white": [1]}, "regular": 1, "trained": 1,
               "order": ORDERS[:8]}, board={"gain_lira": [at(0)]}, first_player=1)  # fmt: skip
STEPS = [
    of("tokens, workers and payments before hands are cut, then the marker", BUSY, "pass pass", seat=0,
       decision="discard_to_limit", holds=[
           ("seats.0.crush_pad.red", [5]), ("seats.0.cellar.white", [2]), ("seats.0.workers", workers(3, 1)),
           ("seats.0.lira", 3), ("first_player", 1), ("seats.0.wake_up", 1)]),
    of("the marker and the roosters after that", BUSY, "pass pass card:order:order_01",
       holds=[("first_player", 0), ("seats.0.wake_up", None), ("seats.1.wake_up", None)]),
    *(of(f"the marker goes counter-clockwise, {n} players, from {first}", winter(n=n, first_player=first),
         "pass " * n, decision="wake_up", seat=(first - 1) % n, holds=[("first_player", (first - 1) % n)])
      for n in range(2, 7) for first in (0, 1)),
    of("reset in a new year", winter({
        "fields": {5: ["pinot"], 6: ["malvasia"]}, "harvested": [5, 6], "used": ["windmill", "tasting_room", "yoke"],
        "structures": ["windmill", "tasting_room", "yoke"]}, year=4), "pass pass",
       gives="used:windmill-1 used:tasting_room-1 used:yoke-1 harvested5-1 harvested6-1",
       holds=[("year", 5), ("season", "spring"), *(
           (f"seats.{seat}.{key}", value) for seat in (0, 1)
           for key, value in (("passed", False), ("wake_up", None)))]),
]  # fmt: skip
CASES = [*AGEING, *WORKERS, *FIVE, *LIMIT, *STEPS]
