"""The Manager with each summer action, Planner, Organizer and Producer."""

from tests.table.fixtures import SUMMER_ACTIONS, at, place

from .visitor import visitor

DRAW, TOUR, BUILD, VISIT, SELL, PLANT = map(place, SUMMER_ACTIONS)
ALL = [place(action) for action in SUMMER_ACTIONS]
POSSIBLE = {"lira": 3, "summer": ["patron"], "vine": ["malvasia"]}
MALVASIA = f"{PLANT} card:vine:malvasia field:5"
FULL = {action: [at(1 if n < 3 else 0)] for n, action in enumerate(SUMMER_ACTIONS)}
ORGANIZER, PRODUCER = ({"summer": [card]} for card in ("organizer", "producer"))
ORGANIZE, PRODUCE = f"{VISIT} card:summer:organizer", f"{VISIT} card:summer:producer"
SECOND = {"vp": -1, "winter": ["politician"]}

of = visitor("manager")  # a summer action without placing a worker and without bonus
MANAGER = [
    of("the six summer actions and nothing else (ruling 4)",
       POSSIBLE | {"structures": ["trellis", "yoke"], "fields": {5: ["merlot"]}}, seat=0, decision="manage_action",
       legal=ALL),
    of("full ones too", POSSIBLE, {"regular": 1}, top={"board": FULL}, legal=ALL),
    of("only what can be done (ruling 1.6)", {"lira": 1, "fields": {5: ["merlot"], 6: ["pinot"], 7: ["syrah"]}},
       legal=[DRAW, TOUR]),
    of("draws one vine, without bonus", n=3, moves=DRAW, gives="vine+1"),
    of("a tour for two lira, without a worker", n=3, moves=TOUR, gives="lira+2",
       holds=[("board.give_tour", None), ("board.play_winter_visitor", [at(0)])]),
    of("a tour does not score the tasting room (ruling 4)", {"structures": ["tasting_room"], "wines": {"red": [1]}},
       moves=TOUR, gives="lira+2"),
    of("builds at the printed price", {"lira": 5}, moves=f"{BUILD} structure:windmill", gives="lira-5 windmill+1"),
    of("without the lira of a bonus space", {"lira": 1}, n=3, refuses=BUILD),
    of("sells grapes by tier, without bonus", {"grapes": {"red": [3, 4], "white": [9]}}, n=3,
       moves=f"{SELL} grape:red:4 grape:white:9",
       gives="lira+5 grape:red:4-1 grape:white:9-1"),
    of("sells a field", {"fields": {5: ["merlot"]}}, moves=f"{SELL} field:6", gives="lira+6 sold6+1"),
    of("buys a field back", {"lira": 7, "sold": [7]}, moves=f"{SELL} field:7", gives="lira-7 sold7-1"),
    of("plants one vine", {"vine": ["malvasia", "sangiovese"]}, n=3, moves=MALVASIA,
       gives="plant5:malvasia+1 vine:malvasia-1"),
    of("the windmill scores (ruling 3.10)", {"vine": ["malvasia"], "structures": ["windmill"]}, moves=MALVASIA,
       gives="plant5:malvasia+1 vine:malvasia-1 used:windmill+1 vp+1"),
    of("once a year", {"vine": ["malvasia"], "structures": ["windmill"], "used": ["windmill"]}, moves=MALVASIA,
       gives="plant5:malvasia+1 vine:malvasia-1"),
    of("planting needs the structures", {"vine": ["pinot", "merlot"], "structures": ["trellis"]}, moves=PLANT,
       legal="card:vine:pinot"),
    of("no planting without them", {"vine": ["merlot"]}, refuses=PLANT),
    of("plays one summer visitor", {"summer": ["patron", "tour_guide"]}, n=3,
       moves=f"{VISIT} card:summer:patron option:1", gives="lira+4 summer:patron-1",
       holds=[("discards.summer", ["patron"]), ("discards.winter", ["manager"])]),
    of("which may harvest", {"summer": ["tour_guide"], "fields": {5: ["merlot"]}},
       moves=f"{VISIT} card:summer:tour_guide option:2 field:5",
       gives="harvested5+1 grape:red:3+1 summer:tour_guide-1"),
    of("which must be playable", {"vp": -4, "summer": ["broker"]}, refuses=VISIT),
    of("which asks opponents, passed or not (ruling 3.14)", {"summer": ["banker"]}, {}, {"passed": True},
       moves=f"{VISIT} card:summer:banker no yes", gives="lira+5 summer:banker-1 2.lira+3 2.vp-1"),
    of("is not on the pile while it is resolved (ruling 3.7)", {"summer": ["patron"]},
       moves=f"{VISIT} card:summer:patron", holds=[("discards.winter", None)]),
    of("not the planner alone (ruling 4)", {"summer": ["planner"]}, refuses=VISIT),
    of("not the planner", {"summer": ["patron", "planner"]}, moves=VISIT, legal="card:summer:patron"),
    of("with the Organizer the rooster moves, with the bonus, and winter is passed (ruling 4)", ORGANIZER,
       moves=f"{ORGANIZE} wake_up:4", gives="lira+1 passed+1 summer:organizer-1", seat=1,
       holds=[("seats.0.wake_up", 4)]),
    of("and the holder's workers are asked no more", ORGANIZER,
       moves=f"{ORGANIZE} wake_up:4 place:gain_lira:plain:regular", seat=1),
    of("with the Organizer in row 7 a temporary worker is gained", ORGANIZER, moves=f"{ORGANIZE} wake_up:7",
       gives="temporary+1 passed+1 summer:organizer-1"),
    of("too late: it goes back at the year end", ORGANIZER, moves=f"{ORGANIZE} wake_up:7 pass", decision="wake_up",
       holds=[("seats.0.workers.temporary", 0)]),
    of("with the Organizer to an empty row", ORGANIZER, {"row": 3}, {"row": 6}, moves=ORGANIZE,
       legal=[f"wake_up:{row}" for row in (2, 4, 5, 7)]),
    of("with the Organizer the next turn is by the old order (ruling 4)", ORGANIZER | {"row": 2}, {"row": 1},
       {"row": 3}, moves=f"{ORGANIZE} wake_up:7", decision="place_worker", seat=2),
    of("with the Producer workers are retrieved from other actions", PRODUCER | {"lira": 2, "regular": 1, "grande": 0},
       top={"board": {"draw_vine": [at(0)], "draw_order": [at(0, worker="grande")]}},
       moves=f"{PRODUCE} {DRAW} place:draw_order:plain:grande", gives="lira-2 regular+1 grande+1 summer:producer-1",
       holds=[("board.draw_vine", None), ("board.draw_order", None), ("board.play_winter_visitor", [at(0)])]),
    of("with the Producer from yoke and cart (section 5)",
       PRODUCER | {"lira": 2, "structures": ["yoke"], "used": ["yoke"]},
       top={"board": {"gain_lira": [at(0)], "yoke": [at(0)]}},
       moves=f"{PRODUCE} place:gain_lira:plain:regular place:yoke:plain:regular",
       gives="lira-2 regular+2 summer:producer-1", holds=[("board.gain_lira", None), ("board.yoke", None)]),
    of("with the Producer not its own worker, but another on the same action (ruling 4)", PRODUCER | {"lira": 2}, n=3,
       top={"board": {"play_winter_visitor": [at(0, "bonus")], "give_tour": [at(1)]}}, moves=PRODUCE,
       legal="place:play_winter_visitor:bonus:regular"),
    of("not the Producer for its own worker alone", PRODUCER | {"lira": 2}, refuses=VISIT),
    of("on the bonus space a second visitor follows (ruling 4)", SECOND, n=3, space="bonus",
       moves=f"{TOUR} card:winter:politician", gives="lira+8 winter:politician-1", seat=1,
       holds=[("discards.winter", ["manager", "politician"])]),
    of("after the Organizer too, before the pass takes effect (ruling 4)", SECOND | ORGANIZER, n=3, space="bonus",
       moves=f"{ORGANIZE} wake_up:4", seat=0, decision="play_visitor", legal="card:winter:politician done"),
    of("and then the pass", SECOND | ORGANIZER, n=3, space="bonus",
       moves=f"{ORGANIZE} wake_up:4 card:winter:politician", seat=1, decision="place_worker",
       gives="lira+7 passed+1 summer:organizer-1 winter:politician-1", holds=[("seats.0.wake_up", 4)]),
    visitor("politician")("the Manager as the second visitor", {"vp": -1, "winter": ["manager"]}, n=3, space="bonus",
                          moves=f"card:winter:manager {TOUR}", gives="lira+8 winter:manager-1", seat=1,
                          holds=[("discards.winter", ["politician", "manager"])]),
]  # fmt: skip

CASES = MANAGER
