"""Action spaces for two to six players, the grande worker, the temporary worker, the cart."""

from functools import partial

from tests.table.case import case
from tests.table.fixtures import SUMMER_ACTIONS, WINTER_ACTIONS, at, place, workers
from tests.table.setup_position import ABLE, table

summer, winter = (partial(table, season) for season in ("summer", "winter"))
SPACES = {2: ["plain"], 3: ["plain", "bonus"], 4: ["plain", "bonus"], 5: ["plain", "bonus", "plain"],
          6: ["plain", "bonus", "plain"]}  # fmt: skip
SEASON = {action: season for season, actions in (("summer", SUMMER_ACTIONS), ("winter", WINTER_ACTIONS))
          for action in actions}  # fmt: skip
KINDS = ("regular", "grande")
NOBODY = {"regular": 0, "grande": 0}
CART, GRANDE_CART = place("gain_lira"), place("gain_lira", worker="grande")
FULL = {"give_tour": [at(1), at(2, "bonus")]}
CROWD = place("give_tour", "crowd", "grande")


def open_to(action, spaces):
    """Return the expected placements on an action: its free spaces, or the crowd for a grande."""
    free = [place(action, space, kind) for space in set(spaces) for kind in KINDS] or [place(action, "crowd", "grande")]
    every = [place(action, space, kind) for space in ("plain", "bonus", "crowd") for kind in KINDS]
    return {"offers": free, "refuses": [name for name in every if name not in free]}


of = partial(case, "Scaling the game")
OPEN = [
    *(of(f"{n} players, {season}: the season's actions, the cart and the pass (Worker placement; Trading)",
         table(season, ABLE, n=n), legal=["pass", CART, GRANDE_CART, *(
             place(action, space, kind) for action, its in SEASON.items() if its == season for space in set(spaces)
             for kind in KINDS)]) for n, spaces in SPACES.items() for season in ("summer", "winter")),
    *(of(f"{n} players, {action}: {', '.join(spaces[:n_taken])} taken",
         table(season, ABLE, n=n, board={action: [at(1, space) for space in spaces[:n_taken]]}),
         **open_to(action, spaces[n_taken:]))
      for n, spaces in SPACES.items() for action, season in SEASON.items() for n_taken in range(1, len(spaces) + 1)),
    of("the bonus space first", summer(n=4, board={"give_tour": [at(2, "bonus")]}), **open_to("give_tour", ["plain"])),
    of("both outer spaces first, which are alike", summer(n=5), place("give_tour"), place("give_tour"),
       **open_to("give_tour", ["bonus"]), gives="lira+2 1.lira+2 1.regular-1",
       holds=[("board.give_tour.0.seat", 0), ("board.give_tour.1.seat", 1)]),
    of("own workers there do not matter (Worker placement)", summer(n=3), place("give_tour"), "pass pass",
       place("give_tour", "bonus"), "no", gives="lira+4 regular-1 1.passed+1 2.passed+1"),
]  # fmt: skip

of = partial(case, "Grande worker placement")
GRANDE = [
    of("several join one action", summer(n=3, board=FULL), *[CROWD] * 3,
       gives="lira+2 1.lira+2 1.grande-1 2.lira+2 2.grande-1"),
    of("the action is compulsory in a crowd too",
       winter(board={"fill_order": [at(1)], "harvest_field": [at(1)]}),
       refuses=[place("fill_order", "crowd", "grande"), place("harvest_field", "crowd", "grande")]),
]  # fmt: skip

of = partial(case, "Glossary, Temporary worker")
ALONE = {"regular": 0, "grande": 0, "temporary": 1}
TEMPORARY = [
    of("placed as a regular one", summer(ALONE), place("give_tour"), gives="lira+2 regular+1 temporary-1",
       holds=[("board.give_tour", [at(0, worker="temporary")])]),
    of("it is no grande", summer(ALONE, board={"give_tour": [at(1)]}), refuses=[CROWD, place("give_tour")]),
    of("workers of a kind are one choice", summer({"temporary": 1}), offers=[CART, GRANDE_CART],
       refuses=place("gain_lira", worker="temporary")),
    of("the last of the regular ones to go", summer({"temporary": 1}, NOBODY), CART, CART, seat=0,
       gives="lira+2 regular-1 1.passed+1", holds=[("seats.0.workers", workers(0, 1, 1))]),
    of("one turn more", summer({"temporary": 1}, NOBODY), CART, CART, CART, seat=0,
       gives="lira+3 regular-1 temporary-1 1.passed+1",
       offers=GRANDE_CART, refuses=CART),
]  # fmt: skip

of = partial(case, "Gain 1 lira")
CART_CASES = [
    *(of(f"never full, in {season}", table(season, {}, NOBODY, board={
        "gain_lira": [at(1), at(1), at(1, worker="grande")]}), CART, CART, seat=0,
         gives="lira+2 regular-1 1.passed+1", offers=GRANDE_CART) for season in ("summer", "winter")),
    of("a placement is a turn", summer(), CART, seat=1, decision="place_worker", gives="lira+1"),
]  # fmt: skip
CASES = [*OPEN, *GRANDE, *TEMPORARY, *CART_CASES]
