"""Windmill, tasting room, cottage and yoke. See wine.py for cellars, summer_actions.py for prices and vines."""

from functools import partial

from tests.cards.visitor import up_to
from tests.table.case import case
from tests.table.fixtures import CELLARS, at, place
from tests.table.setup_position import table

from .bonuses import FULL
from .summer_actions import planted

summer, winter = (partial(table, season) for season in ("summer", "winter"))
YOKE_IT, TOUR = place("yoke"), place("give_tour")
NOBODY = {"regular": 0, "grande": 0}
VINES = {"vine": ["sangiovese", "malvasia"], "fields": FULL}
PLANTINGS = planted("sangiovese", 5) + planted("malvasia", 5)

of = partial(case, "Structures, Windmill")
WINDMILL = [
    of("a point for the first vine of the year", summer(VINES | {"structures": ["windmill"]}, n=3),
       place("plant_vine", "bonus"), ends=[f"vp+1 used:windmill+1 {vines}" for vines in up_to(2, *PLANTINGS)]),
    of("no second point in a year", summer(VINES | {"structures": ["windmill"], "used": ["windmill"]}),
       place("plant_vine"), ends=PLANTINGS),
]  # fmt: skip

of = partial(case, "Structures, Tasting room")
TASTED = "lira+2 vp+1 used:tasting_room+1"
TASTING_ROOM = [
    *(of(f"a point for a tour with {kind}", summer(
        {"structures": ["tasting_room", *CELLARS], "wines": {kind: [value]}}), TOUR, ends=[TASTED])
      for kind, value in (("red", 1), ("white", 3), ("blush", 4), ("sparkling", 7))),
    of("none without the room", summer({"wines": {"red": [3]}}), TOUR, ends=["lira+2"]),
    of("grapes are no wine", summer({"structures": ["tasting_room"], "grapes": {"red": [5], "white": [5]}}), TOUR,
       ends=["lira+2"]),
    of("for a grande on a full tour too", summer({"structures": ["tasting_room"], "wines": {"red": [1]}},
       board={"give_tour": [at(1)]}), place("give_tour", "crowd", "grande"), ends=[TASTED]),
    of("once a year", summer({"structures": ["tasting_room"], "wines": {"red": [1]}, "used": ["tasting_room"]}), TOUR,
       ends=["lira+2"]),
]  # fmt: skip

of = partial(case, "Structures, Cottage")
COTTAGE = [
    of("a second visitor in fall, of the same or another kind", summer({"structures": ["cottage"]}), "pass pass",
       ends=[f"{cards} 1.{other}+1" for cards in ("summer+2", "summer+1 winter+1", "winter+2")
             for other in ("summer", "winter")]),
    of("both decks are named before a card is seen", summer({"structures": ["cottage"]}), "pass pass deck:winter",
       seat=0, legal="deck:winter", holds=[("seats.0.hand.winter", [])]),
    of("both are drawn before the next seat", summer({"structures": ["cottage"]}),
       "pass pass deck:summer deck:winter", seat=1, decision="choose_deck"),
]  # fmt: skip

of = partial(case, "Structures, Yoke")
OWNER = {"structures": ["yoke"]}
GROWN = {5: ["sangiovese", "malvasia"], 7: ["merlot"]}
UPROOTED = [f"used:yoke+1 plant{capacity}:{vine}-1 vine:{vine}+1"
            for capacity, vines in GROWN.items() for vine in vines]  # fmt: skip
HARVESTED = "used:yoke+1 harvested5+1 grape:red:1+1 grape:white:1+1"
YOKE = [
    *(of(f"a vine back to the hand, or a harvest, in {season}",
         table(season, OWNER | {"fields": GROWN, "harvested": [7]}), YOKE_IT, decision="yoke",
         legal="option:1 option:2", ends=[*UPROOTED, HARVESTED]) for season in ("summer", "winter")),
    *(of(f"none without a vine, in {season}", table(season, OWNER), refuses=YOKE_IT)
      for season in ("summer", "winter")),
    of("none without a yoke", summer({"fields": GROWN}, OWNER | {"fields": GROWN}), refuses=YOKE_IT),
    of("its owner has one", summer({"fields": GROWN}, OWNER | {"fields": GROWN}), "pass",
       offers=[YOKE_IT, place("yoke", worker="grande")]),
    of("it only uproots where all is harvested", winter(OWNER | {"fields": {5: ["pinot"]}, "harvested": [5]}), YOKE_IT,
       ends=["used:yoke+1 plant5:pinot-1 vine:pinot+1"]),
    of("once a year, not even for the grande", summer(OWNER | {"fields": GROWN}, NOBODY), YOKE_IT,
       "option:1 field:5 card:vine:malvasia", seat=0,
       refuses=[YOKE_IT, place("yoke", worker="grande"), place("yoke", "crowd", "grande")]),
    of("once for summer and winter", winter(OWNER | {"fields": GROWN, "used": ["yoke"]}, board={"yoke": [at(0)]}),
       refuses=[YOKE_IT, place("yoke", worker="grande"), place("yoke", "crowd", "grande")]),
    of("one does not block another (Glossary, Action space)",
       summer(*[OWNER | {"fields": {5: ["sangiovese"]}}] * 2), *[YOKE_IT, "option:1 field:5 card:vine:sangiovese"] * 2,
       gives="used:yoke+1 plant5:sangiovese-1 vine:sangiovese+1 "
       "1.regular-1 1.used:yoke+1 1.plant5:sangiovese-1 1.vine:sangiovese+1"),
    of("an emptied field can be sold", summer(OWNER | {"fields": {6: ["malvasia"]}}, NOBODY), YOKE_IT,
       "option:1 field:6 card:vine:malvasia", place("sell_grapes_or_field"), "field:6",
       gives="used:yoke+1 plant6:malvasia-1 vine:malvasia+1 sold6+1 lira+6 regular-1 1.passed+1"),
    of("a harvested field stays so, emptied and replanted (Harvesting fields, Note 1)",
       summer(OWNER | {"fields": {5: ["malvasia"]}, "harvested": [5], "vine": ["sangiovese"]}, NOBODY), YOKE_IT,
       "option:1 field:5 card:vine:malvasia", place("plant_vine"), "card:vine:sangiovese field:5",
       "pass deck:summer deck:summer", refuses=place("harvest_field"), holds=[("seats.0.fields.0.harvested", True)]),
    of("none before it is built", summer({"lira": 2, "fields": GROWN}, NOBODY), refuses=YOKE_IT),
    of("it serves from the next turn", summer({"lira": 2, "fields": GROWN}, NOBODY), place("build_structure"),
       "structure:yoke", seat=0, offers=[YOKE_IT, place("yoke", worker="grande")]),
]  # fmt: skip
CASES = [*WINDMILL, *TASTING_ROOM, *COTTAGE, *YOKE]
