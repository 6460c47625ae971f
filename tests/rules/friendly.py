"""The friendly variant: a bonus space only for those who use the bonus, or when nothing else of the action is free."""

from functools import partial

from tests.cards.visitor import made, visitor
from tests.table.case import case
from tests.table.fixtures import WINTER_ACTIONS, at, place

from .bonuses import ACTIONS, lay, summer, winter

# Positions that allow the action without its bonus; ACTIONS has positions that allow both.
SINGLE = {
    "plant_vine": summer({"vine": ["sangiovese"]}, friendly=True),
    "harvest_field": winter({"fields": {5: ["sangiovese"], 6: ["malvasia"]}, "harvested": [6]}, friendly=True),
    "make_wine": winter({"grapes": {"red": [1, 2]}}, friendly=True),
    "play_summer_visitor": summer({"summer": ["patron"]}, friendly=True),
    "play_winter_visitor": winter({"winter": ["politician"]}, friendly=True),
}
ROOM = {"structures": ["trellis", "irrigation"], "sold": [7]}  # the last of the fields is sold

of = partial(case, "Friendly variant")
CLOSED = [
    *(of(f"{action}: the bonus space needs a bonus that is completed, of a grande too", position, offers=place(action),
         refuses=[place(action, "bonus", worker) for worker in ("regular", "grande")])
      for action, position in SINGLE.items()),
    *(of(f"{action}: open when no other is free", position | {"board": {action: [at(1)]}},
         offers=place(action, "bonus")) for action, position in SINGLE.items()),
    *(of(f"{action}: open without the variant", position | {"options": {}}, offers=place(action, "bonus"))
      for action, position in SINGLE.items()),
]  # fmt: skip
COMPLETED = [
    *(of(f"{action}: the bonus must be taken", lay(action, friendly=True), place(action, "bonus"), ends=extra)
      for action, (_, _, _, extra) in ACTIONS.items()),
    *(of(f"{action}: on the last free space it may be left", lay(action, friendly=True, board={action: [at(1)]}),
         place(action, "bonus"), ends=[*plain, *extra]) for action, (_, _, plain, extra) in ACTIONS.items()),
    of("no first vine that leaves no second", summer(ROOM | {"vine": ["malvasia", "merlot"], "fields": {
        5: ["merlot"], 6: ["merlot", "pinot"]}}, friendly=True), refuses=place("plant_vine", "bonus")),
    of("the first vine goes where the second still fits", summer(ROOM | {"vine": ["malvasia", "syrah"], "fields": {
        5: ["merlot"], 6: ["merlot", "syrah"]}}, friendly=True), place("plant_vine", "bonus"), "card:vine:malvasia",
       legal="field:6"),
    of("no blend that leaves too few grapes", winter({"grapes": {"red": [1, 4], "white": [2]},
       "structures": ["medium_cellar"]}, friendly=True), place("make_wine", "bonus"),
       ends=[made("red:1", "red:4", "white:2")]),
    of("a second visitor that becomes unplayable is let off", summer(
        {"lira": 4, "vp": -5, "summer": ["entertainer", "broker"]}, friendly=True),
       place("play_summer_visitor", "bonus"), "card:summer:entertainer option:1", seat=1, gives="lira-4 winter+3"),
]  # fmt: skip
plan = visitor("planner")
FRIENDLY = {"friendly": True}
PLANNED = [
    plan(
        "no bonus space of winter while a plain one is free (ruling P10a)",
        {"grande": 0},
        n=3,
        top=FRIENDLY,
        legal=[place(action) for action in WINTER_ACTIONS],
    ),
    plan(
        "nor for the grande",
        n=3,
        top=FRIENDLY,
        legal=[place(action, worker=worker) for action in WINTER_ACTIONS for worker in ("regular", "grande")],
    ),
    plan(
        "the last space of an action is open (ruling P10a)",
        {"grande": 0},
        n=3,
        top=FRIENDLY | {"board": {"fill_order": [at(1)]}},
        offers=place("fill_order", "bonus"),
    ),
    plan(
        "and its bonus may be left in winter",
        {"grande": 0, "order": ["order_04"], "wines": {"red": [1], "white": [3]}},
        n=3,
        top=FRIENDLY | {"board": {"fill_order": [at(1)]}},
        moves=f"{place('fill_order', 'bonus')} pass pass deck:summer deck:summer deck:summer",
        seat=0,
        decision="take_bonus",
        legal="yes no",
    ),
    plan("every bonus space without the variant", {"grande": 0}, n=3, offers=place("fill_order", "bonus")),
]
CASES = [*CLOSED, *COMPLETED, *PLANNED]
