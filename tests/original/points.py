"""Points, which are limited to 25 and -5, and visitors that the manual describes differently."""

from tests.table.case import case
from tests.table.fixtures import CELLARS, place

from .positions import PRESETS, lay

SUMMER, WINTER = place("play_summer_visitor"), place("play_winter_visitor")
AGAIN = place("play_summer_visitor", "crowd", "grande")
BROKER, OTHER = "card:summer:broker option", "card:summer:uncertified_broker option"
BROKERS = {"summer": ["broker", "uncertified_broker"]}
NOBODY = {"regular": 0, "grande": 0}
AT_25 = [("seats.0.victory_points", 25)]
LIMITS = [row for preset in PRESETS for row in (
    *(case("row 60", f"a gain of 3 at {vp} ends at 25 ({preset})",
           lay("summer", {"vp": vp, "lira": 9, "summer": ["broker"]}, preset=preset), SUMMER, f"{BROKER}:1",
           gives=f"lira-9 vp+{min(3, 25 - vp)}", scores=[min(vp + 3, 25), 0]) for vp in range(21, 25)),
    case("row 60", f"a loss counts from 25, not from what would have been there ({preset})",
         lay("summer", {"vp": 24, "lira": 9, **BROKERS}, NOBODY, preset=preset), SUMMER, f"{BROKER}:1", AGAIN,
         f"{OTHER}:1", holds=[("seats.0.victory_points", 22), ("seats.0.lira", 9)]),
    case("row 60", f"a loss makes room: down by 2 and up by 3 is 25 again ({preset})",
         lay("summer", {"vp": 25, "lira": 3, **BROKERS}, NOBODY, preset=preset), SUMMER, f"{BROKER}:2", AGAIN,
         f"{OTHER}:2", holds=[*AT_25, ("seats.0.lira", 3)]),
    case("row 60", f"a wake-up row's point is lost ({preset})", lay("spring", {"vp": 25}, preset=preset), "wake_up:6",
         holds=AT_25, seat=1),
    case("row 60", f"a windmill's and a tasting room's too ({preset})",
         lay("summer", {"vp": 25, "structures": ["windmill", "tasting_room"], "vine": ["malvasia"],
                        "wines": {"red": [1]}}, NOBODY, preset=preset),
         place("plant_vine"), "card:vine:malvasia field:5", place("give_tour"), holds=[*AT_25, ("seats.0.lira", 2)]),
    case("row 60", f"and what an order brings past 25 ({preset})",
         lay("winter", {"vp": 24, "order": ["order_04"], "wines": {"red": [1], "white": [3]}}, n=3, preset=preset),
         place("fill_order", "bonus"), "yes card:order:order_04 wine:red:1 wine:white:3", seat=1,
         gives="order:order_04-1 wine:red:1-1 wine:white:3-1 vp+1 residual+1"),
    case("row 60", f"the year is played on ({preset})",
         lay("summer", {"vp": 24, "lira": 9, "summer": ["broker"]}, preset=preset), SUMMER, f"{BROKER}:1",
         is_over=False, decision="place_worker", seat=1),
)]  # fmt: skip
QUEEN = {"winter": ["queen"]}
LIMITS += [
    case("row 60", "six points at 22 are three; the residual payment is not touched",
         lay("winter", {"vp": 22, "structures": CELLARS, "order": ["order_36"],
                        "wines": {"white": [2], "sparkling": [8]}}),
         place("fill_order"), "card:order:order_36 wine:white:2 wine:sparkling:8",
         gives="order:order_36-1 wine:white:2-1 wine:sparkling:8-1 vp+3 residual+2"),
    case("row 60", "a point for an opponent who builds is lost",
         lay("summer", {"vp": 25, "summer": ["handyman"]}, NOBODY), SUMMER,
         "card:summer:handyman no yes structure:yoke", holds=[*AT_25, ("seats.1.structures", ["yoke"])]),
    case("row 61", "a neighbour at -5 loses no point to the Queen", lay("winter", QUEEN, {"vp": -5, "lira": 3}), WINTER,
         "card:winter:queen", decision="queen", seat=1, legal="option:3"),
    case("row 61", "and without money or cards she is not played", lay("winter", QUEEN, {"vp": -5}),
         refuses=[WINTER, place("play_winter_visitor", "plain", "grande")]),
]  # fmt: skip
PROMOTER = {"winter": ["promoter"], "grapes": {"red": [4]}}
CARDS = [
    case("row 65", "Buyer: 2 lira and a point for a grape, or a grape of value 1 for 2 lira",
         lay("summer", {"lira": 2, "summer": ["buyer"], "grapes": {"red": [7]}}), SUMMER, "card:summer:buyer",
         legal="option:1 option:2",
         ends=["grape:red:7-1 lira+2 vp+1", "grape:red:1+1 lira-2", "grape:white:1+1 lira-2"]),
    case("row 66", "Marketer: two summer visitors and a lira, or an order with a point more",
         lay("winter", {"winter": ["marketer"], "order": ["order_04"], "wines": {"red": [1], "white": [3]}}), WINTER,
         "card:winter:marketer",
         ends=["lira+1 summer+2", "order:order_04-1 wine:red:1-1 wine:white:3-1 vp+3 residual+1"]),
    case("row 67", "Professor: two points for six workers",
         lay("winter", {"winter": ["professor"], "regular": 5}), WINTER, "card:winter:professor option:2",
         gives="vp+2"),
    case("rows 57 and 68", "Promoter: a point and a residual payment",
         lay("winter", {"winter": ["promoter"], "wines": {"red": [2]}}), WINTER,
         "card:winter:promoter option:2 wine:red:2", gives="wine:red:2-1 vp+1 residual+1"),
    *(case("rows 57 and 68", f"Promoter: for a grape, at a residual payment of {residual}",
           lay("winter", {"residual": residual, **PROMOTER}), WINTER, "card:winter:promoter option:1 grape:red:4",
           gives=f"grape:red:4-1 vp+1{extra}") for residual, extra in ((2, " residual+1"), (5, ""))),
]  # fmt: skip
CASES = [*LIMITS, *CARDS]
