"""Summer visitors that place workers ahead, retrieve them, or move the rooster."""

from tests.table.case import case
from tests.table.fixtures import WINTER_ACTIONS, at, place
from tests.table.setup_position import table

from .visitor import visitor

VISIT, CROWD = place("play_summer_visitor"), place("play_summer_visitor", "crowd", "grande")
CART, TOUR, VINE, YOKE = map(place, ("gain_lira", "give_tour", "draw_vine", "yoke"))
ORDER, HARVEST, TRAIN, PLAY, WINE, FILL = map(place, WINTER_ACTIONS)
GRANDE = place("draw_order", "crowd", "grande")
FALL_OF_TWO = "deck:summer deck:summer"
REST = f"pass pass {FALL_OF_TWO}"  # the summer of the two players
REST_OF_THREE = "pass pass pass deck:summer deck:summer deck:summer"
DREW = "summer+1 1.summer+1"
TOLD = f"regular-1 {DREW}"  # the planned worker, and the visitors of fall

of = visitor("planner")  # a worker on a winter action, which is taken when winter begins
PLANNED = {"board": {"draw_order": [at(0), at(1, "bonus")]},
           "next_draws": {"order": ["order_01", "order_02", "order_03"]}}  # fmt: skip
ALL_FULL = {"board": {action: [at(1)] for action in WINTER_ACTIONS[:5]} | {"fill_order": [at(1, worker="grande")]}}
NOBODY = {"regular": 0, "grande": 0}
FIELD = {"fields": {5: ["pinot"]}}
PLANNER = [
    of("places the worker and does nothing yet", moves=ORDER, gives="regular-1", seat=1, decision="place_worker",
       holds=[("board.draw_order", [at(0)])]),
    of("winter actions of the board, possible or not; no yoke, no cart (rulings 5.1 and 5.3)",
       FIELD | {"structures": ["yoke"]},
       legal=[place(action, worker=worker) for action in WINTER_ACTIONS for worker in ("regular", "grande")]),
    of("bonus spaces where there are any", {"grande": 0}, n=3,
       legal=[place(action, space) for action in WINTER_ACTIONS for space in ("plain", "bonus")]),
    of("a full action takes the grande alone (ruling 5.2)", top={"board": {"draw_order": [at(1)]}}, offers=GRANDE,
       refuses=[ORDER, place("draw_order", worker="grande")]),
    of("and it comes", top={"board": {"draw_order": [at(1)]}}, moves=GRANDE, gives="grande-1"),
    of("no crowd while a space is free (ruling 1.4)", n=3, top={"board": {"draw_order": [at(1)]}},
       offers=[place("draw_order", "bonus", worker) for worker in ("regular", "grande")], refuses=[ORDER, GRANDE]),
    of("the temporary worker too (ruling 5.2)", {"row": 7, "regular": 1, "grande": 0, "temporary": 1}, moves=ORDER,
       gives="temporary-1"),
    *(of(f"a second worker is there: {seat}", seat, offers=place("draw_order", worker=worker))
      for seat, worker in (({"regular": 1}, "grande"), ({"grande": 0}, "regular"))),
    of("refused without a second worker", {"regular": 1, "grande": 0}, is_refused=True),
    of("refused where all is full and there is no grande", {"grande": 0}, NOBODY, top=ALL_FULL, is_refused=True),
    of("with a grande everywhere", {}, NOBODY, top=ALL_FULL,
       legal=[place(action, "crowd", "grande") for action in WINTER_ACTIONS]),
    of("acts at the start of winter, before the first turn (ruling 5.4)",
       top={"next_draws": {"order": ["order_07"]}}, moves=f"{ORDER} {REST}", gives=f"{TOLD} order:order_07+1", seat=0,
       decision="place_worker", refuses=ORDER, holds=[("season", "winter")]),
    of("and blocks the space for others", moves=f"{ORDER} {REST} pass", seat=1, refuses=ORDER, offers=GRANDE),
    of("before seats with an earlier row", FIELD | {"row": 4}, {"row": 2}, moves=f"{HARVEST} {REST}", seat=0,
       decision="harvest_field", legal="field:5"),
    of("and the turn that follows", FIELD | {"row": 4}, {"row": 2}, moves=f"{HARVEST} {REST} field:5", seat=1,
       decision="place_worker", gives=f"{TOLD} harvested5+1 grape:red:1+1 grape:white:1+1"),
    case("planner", "several in wake-up order (ruling 5.4)", table("summer", {"row": 3}, {"row": 1}, {"row": 2},
                                                                   **PLANNED),
         REST_OF_THREE, seat=1, decision="take_bonus", legal="yes no"),
    case("planner", "one after the other", table("summer", {"row": 3}, {"row": 1}, {"row": 2}, **PLANNED),
         REST_OF_THREE, "yes", seat=1, decision="place_worker",
         gives=f"{DREW} 2.summer+1 1.order:order_01+1 1.order:order_02+1 order:order_03+1"),
    of("what became possible is done", {"lira": 2}, moves=f"{TRAIN} pass {place('give_tour', worker='grande')} "
       f"{FALL_OF_TWO}", gives=f"{TOLD} grande-1 passed+1 lira-2 trained+1"),
    *(of(f"impossible, it is lost, and the worker stays (ruling 5.5): {action}", moves=f"{place(action)} {REST}",
         seat=0, decision="place_worker", gives=TOLD, holds=[(f"board.{action}", [at(0)])])
      for action in WINTER_ACTIONS[1:]),
    of("possible, it is compulsory (ruling 5.5)", {"winter": ["politician"]}, moves=f"{PLAY} {REST}", seat=0,
       decision="play_visitor", legal="card:winter:politician"),
    of("the bonus waits (ruling 5.2)", {"lira": 3}, n=3, moves=place("train_worker", "bonus"), gives="regular-1"),
    of("and its lira helps to pay (ruling 1.7)", {"lira": 3}, n=3,
       moves=f"{place('train_worker', 'bonus')} {REST_OF_THREE}",
       ends=[f"{TOLD} 2.summer+1 lira-3 trained+1"]),
    of("the bonus of the harvest is a second field", {"fields": {5: ["sangiovese"], 6: ["malvasia"]}}, n=3,
       moves=f"{place('harvest_field', 'bonus')} {REST_OF_THREE} field:5 field:6",
       gives=f"{TOLD} 2.summer+1 harvested5+1 harvested6+1 grape:red:1+1 grape:white:1+1"),
    of("a grande in a crowd has no bonus", {}, {"row": 4} | NOBODY, {"row": 5},
       top={"board": {"draw_order": [at(1), at(1, "bonus")]}}, moves=f"{GRANDE} {REST_OF_THREE.removeprefix('pass ')}",
       ends=[f"grande-1 {DREW} 2.summer+1 order+1 1.order+{n}" for n in (2, 3)]),
    visitor("organizer")("plans follow the rows of winter (ruling 4)", {}, {"row": 2}, {"row": 3}, top=PLANNED,
                         moves=f"wake_up:6 {REST_OF_THREE.removeprefix('pass ')} no",
                         gives=f"{DREW} 2.summer+1 vp+1 1.order:order_01+1 order:order_02+1"),
    case("planner", "two of a seat in the order of the board",
         table("summer", {"fields": {5: ["syrah"]}}, board={"harvest_field": [at(0)], "make_wine": [at(0)]}),
         REST, "field:5 make:red grape:red:2", seat=0, decision="place_worker",
         gives=f"{DREW} harvested5+1 wine:red:2+1"),
    of("the bonus of the visitors' space is a second visitor", {"winter": ["judge", "politician"], "vp": -1}, n=3,
       moves=f"{place('play_winter_visitor', 'bonus')} {REST_OF_THREE} card:winter:politician", seat=0,
       decision="play_visitor", legal="card:winter:judge done"),
    of("and it is played", {"winter": ["judge", "politician"], "vp": -1}, n=3, decision="place_worker",
       moves=f"{place('play_winter_visitor', 'bonus')} {REST_OF_THREE} card:winter:politician card:winter:judge "
       "option:1", gives="regular-1 summer+3 1.summer+1 2.summer+1 lira+6 winter:politician-1 winter:judge-1"),
    of("the worker returns at the end of the year", moves=f"{ORDER} {REST} pass pass", decision="wake_up",
       holds=[("seats.0.workers.regular", 2), ("board", {})]),
]  # fmt: skip

of = visitor("producer")  # 2 lira for one or two workers from other actions
PAID = {"lira": 2}
OWN = {"give_tour": [at(0)], "draw_vine": [at(0)]}
THREE = {"board": OWN | {"gain_lira": [at(0)]}}
MANAGER = f"card:winter:manager {VISIT} card:summer:producer"
WITH_MANAGER = {"lira": 2, "winter": ["manager"], "summer": ["producer"]}
IN_YOKE = {"lira": 2, "structures": ["yoke"], "used": ["yoke"]}
PRODUCER = [
    of("one worker or two for the same price, and no third (ruling 5.8)", PAID, top=THREE,
       ends=["lira-2 regular+1", "lira-2 regular+2"]),
    of("they leave the board, others stay", PAID, top=THREE, moves=f"{VINE} {TOUR}", seat=1, decision="place_worker",
       holds=[("board.draw_vine", None), ("board.give_tour", None), ("board.gain_lira", [at(0)])]),
    of("each pair in one order, and one at least", PAID, top=THREE, legal=[VINE, TOUR, CART]),
    of("and the second", PAID, top=THREE, moves=TOUR, legal=[CART, "done"]),
    of("own workers only", PAID, top={"board": {"draw_vine": [at(1)], "give_tour": [at(0)]}}, legal=TOUR),
    of("the space is free for all seats", PAID, top={"board": OWN}, moves=f"{VINE} done", seat=1, offers=VINE),
    of("the worker may be placed again this year", PAID | {"regular": 1, "grande": 0},
       top={"board": {"draw_vine": [at(0)]}}, moves=f"{VINE} pass", seat=0, offers=VINE),
    of("the grande from a crowd", PAID | {"grande": 0},
       top={"board": {"draw_vine": [at(1), at(0, "crowd", "grande")]}}, ends=["lira-2 grande+1"],
       moves=place("draw_vine", "crowd", "grande"), holds=[("board.draw_vine", [at(1)])]),
    of("the temporary worker", PAID | {"row": 7}, top={"board": {"give_tour": [at(0, worker="temporary")]}},
       ends=["lira-2 temporary+1"]),
    of("from the cart (ruling 5.7)", PAID, top={"board": {"gain_lira": [at(0), at(1)]}}, moves=CART,
       gives="lira-2 regular+1", holds=[("board.gain_lira", [at(1)])]),
    of("two from the cart", PAID, top={"board": {"gain_lira": [at(0), at(0)]}}, moves=f"{CART} {CART}",
       gives="lira-2 regular+2"),
    of("two from one action", PAID | {"row": 7}, n=5, moves=f"{TOUR} {TOUR}", gives="lira-2 regular+1 temporary+1",
       top={"board": {"give_tour": [at(0), at(0, worker="temporary")]}}, holds=[("board.give_tour", None)]),
    of("the yoke stays used (ruling 5.9)", IN_YOKE | FIELD, top={"board": {"yoke": [at(0)]}}, moves=f"{YOKE} pass",
       seat=0, refuses=YOKE, gives="lira-2 regular+1 1.passed+1"),
    of("the grande from the yoke", IN_YOKE | {"grande": 0}, top={"board": {"yoke": [at(0, worker="grande")]}},
       ends=["lira-2 grande+1"]),
    of("the other worker of the same action, not its own (ruling 5.7)", PAID, n=3,
       top={"board": {"play_summer_visitor": [at(0, "bonus")]}}, legal=place("play_summer_visitor", "bonus"),
       ends=["lira-2 regular+1"]),
    of("that one leaves, its own stays", PAID, n=3, top={"board": {"play_summer_visitor": [at(0, "bonus")]}},
       moves=place("play_summer_visitor", "bonus"), holds=[("board.play_summer_visitor", [at(0)])]),
    of("played by the grande, the worker that it joined", PAID, worker="grande", space="crowd",
       top={"board": {"play_summer_visitor": [at(0)]}}, legal=VISIT),
    of("a plan is cancelled (ruling 5.6)", PAID, top={"board": {"draw_order": [at(0)]}}, moves=f"{ORDER} {REST}",
       seat=0, decision="place_worker", offers=ORDER, gives=f"lira-2 regular+1 {DREW}"),
    visitor("planner")("a plan is cancelled by the Producer", PAID | {"summer": ["producer"]},
                       moves=f"{ORDER} pass {CROWD} card:summer:producer {VISIT} {ORDER} pass {FALL_OF_TWO}",
                       gives=f"lira-2 regular+1 grande-1 summer:producer-1 {DREW}"),
    case("producer", "leaves the worker that was planned for the Manager (ruling 4)",
         table("summer", WITH_MANAGER, board={"play_winter_visitor": [at(0)], "draw_vine": [at(0)]}),
         REST, MANAGER, seat=0, decision="retrieve_worker", legal=VINE),
    case("producer", "cancels a future plan (ruling 5.6)",
         table("summer", WITH_MANAGER | {"order": ["order_01"], "wines": {"red": [5]}, "structures": ["medium_cellar"]},
               board={"play_winter_visitor": [at(0)], "fill_order": [at(0)]}),
         REST, MANAGER, FILL, seat=0, decision="place_worker",
         gives=f"lira-2 regular+1 summer:producer-1 winter:manager-1 {DREW}"),
    visitor("patron")("as second visitor the Producer leaves the worker that played both", {"summer": ["producer"]},
                      n=3, space="bonus", top={"board": {"draw_vine": [at(0)]}}, legal=VINE,
                      moves="option:1 card:summer:producer"),
    visitor("planner")("as second visitor the Producer takes back what the first planned",
                       PAID | {"summer": ["producer"]}, n=3, space="bonus",
                       moves=f"{ORDER} card:summer:producer {ORDER}", gives="lira-2 summer:producer-1",
                       holds=[("board.draw_order", None)]),
    of("refused with one lira", {"lira": 1}, top={"board": OWN}, is_refused=True),
    of("refused without another worker", PAID, is_refused=True),
    of("refused with an opponent's", PAID, top={"board": {"draw_vine": [at(1)]}}, is_refused=True),
    of("refused with an opponent's on the yoke", PAID | {"structures": ["yoke"]},
       {"structures": ["yoke"], "used": ["yoke"]}, top={"board": {"yoke": [at(1)]}}, is_refused=True),
]  # fmt: skip

of = visitor("organizer")  # the rooster to an empty row, its bonus, and a pass
TOP = {"next_draws": {"vine": ["merlot"], "order": ["order_05"]}}
BROKER = {"lira": 9, "summer": ["broker"]}
ORGANIZER = [
    of("the empty rows", {}, {"row": 3}, {"row": 5}, legal="wake_up:2 wake_up:4 wake_up:6 wake_up:7"),
    *(of(f"row {row}: {bonus or 'no bonus'}", {"row": 5}, {"row": 2 if row == 1 else 1}, top=TOP,
         moves=f"wake_up:{row}", gives=f"passed+1 {bonus}", holds=[("seats.0.wake_up", row)], seat=1)
      for row, bonus in ((1, ""), (2, "vine:merlot+1"), (3, "order:order_05+1"), (4, "lira+1"), (6, "vp+1"),
                         (7, "temporary+1"))),
    of("row 5: a visitor of either season", moves="wake_up:5", legal="deck:summer deck:winter",
       ends=["passed+1 summer+1", "passed+1 winter+1"]),
    *(of(f"the others continue their summer after {n} turns", moves=f"wake_up:4 {turns}", seat=1,
         holds=[("season", "summer")]) for n, turns in enumerate(("", CART, f"{CART} {CART}"))),
    of("until they have no workers", moves=f"wake_up:4 {CART} {CART} {place('gain_lira', worker='grande')}",
       decision="choose_deck", holds=[("season", "fall"), ("seats.0.lira", 1), ("seats.1.lira", 3)]),
    *(of(f"in the old order, from row {old} to {new} (ruling 4), after {n} turns", {"row": old},
         {"row": second}, {"row": second + 1}, moves=f"wake_up:{new} " + f"{CART} " * n, seat=1 + n % 2)
      for old, second, new in ((2, 3, 1), (1, 2, 6)) for n in range(4)),
    *(of(f"fall and winter in the new one: {moves}", {}, {"row": 3}, moves=f"wake_up:6 {moves}", seat=seat,
         decision=decision) for moves, seat, decision in (
        ("pass", 1, "choose_deck"), ("pass deck:summer", 0, "choose_deck"),
        (f"pass {FALL_OF_TWO}", 1, "place_worker"), (f"pass {FALL_OF_TWO} {CART}", 0, "place_worker"))),
    of("first in winter from row 1", {"row": 3}, {"row": 2}, moves=f"wake_up:1 pass {FALL_OF_TWO}", seat=0,
       decision="place_worker", gives=DREW),
    of("a temporary worker serves in winter", {"regular": 1, "grande": 0},
       moves=f"wake_up:7 pass {FALL_OF_TWO} pass", seat=0, offers=CART, gives=f"temporary+1 1.passed+1 {DREW}"),
    of("leaving row 7 keeps it (ruling 4)", {"row": 7, "temporary": 1}, moves="wake_up:4", gives="passed+1 lira+1"),
    of("a row 7 that was left has none (ruling 4)", {}, {"row": 3, "temporary": 1}, moves="wake_up:7",
       gives="passed+1"),
    of("nor while it is on the board", {}, {"row": 3}, moves="wake_up:7", gives="passed+1",
       top={"board": {"gain_lira": [at(1, worker="temporary")]}}),
    of("the second visitor of a bonus space is still played, or not (ruling 4)", BROKER, n=3, space="bonus",
       moves="wake_up:4", seat=0, legal="card:summer:broker done",
       ends=["passed+1 lira+1", "passed+1 lira-8 vp+3 summer:broker-1", "passed+1 lira+7 vp-2 summer:broker-1"]),
    visitor("broker")("as second visitor the Organizer passes", {"lira": 9, "summer": ["organizer"]}, n=3,
                      space="bonus", moves="option:1 card:summer:organizer wake_up:6", seat=1,
                      gives="passed+1 lira-9 vp+4 summer:organizer-1"),
    *(of(f"later cards of this season ask in the old order (ruling 4): {card}", {"summer": ["buyer"]},
         {"row": 2, "summer": ["patron", "broker", "surveyor"]}, {"row": 4, "summer": [card]}, n=3, asks="0 1",
         moves=f"wake_up:6 {CART} {place('play_summer_visitor', 'bonus')} card:summer:{card}")
      for card in ("banker", "vendor", "importer")),
    of("as last player ends the summer", {}, {"passed": True}, moves="wake_up:4", seat=1, decision="choose_deck",
       legal="deck:summer deck:winter"),
]  # fmt: skip

CASES = [*PLANNER, *PRODUCER, *ORGANIZER]
