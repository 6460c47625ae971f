"""Cases of actions, tiles, fall and the year's end: W4 to W6, W50 to W80."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from .positions import Case, at, case, fields, hand, staff, table, tiles

DECKS = ("vine", "order", "summer", "winter")


def cards(number: int) -> list[tuple[str, ...]]:
    """Every way to draw so many cards, as words."""
    ways = []
    for decks in combinations_with_replacement(DECKS, number):
        ways.append(tuple(f"{deck}+{decks.count(deck)}" for deck in dict.fromkeys(decks)))
    return ways


def words(*parts: str) -> str:
    return " ".join(sorted(parts))


def cellar(red: Any = (), white: Any = (), blush: Any = (), sparkling: Any = ()) -> dict[str, list[int]]:
    return {"red": list(red), "white": list(white), "blush": list(blush), "sparkling": list(sparkling)}


def pad(red: Any = (), white: Any = ()) -> dict[str, list[int]]:
    return {"red": list(red), "white": list(white)}


BIG = ["medium_cellar", "large_cellar"]
COVER = {letter: 1 if letter in "ACFI" else -1 if letter in "BJNP" else 0 for letter in "ABCDEFGHIJKLMNOP"}


def covered(lira: int, oval: str, price: int = 4, taken: str = "") -> list[str]:
    """The actions that an oval can cover, with the price of each."""
    return [
        words(f"lira{COVER[letter] - price:+d}", f"oval:{letter}:{oval}+1")
        for letter in COVER
        if lira - price + COVER[letter] >= 0 and letter not in taken
    ]


BASE = [
    case("W50", "C is a tour of 2 lira", table("summer"), "place:give_tour:plain:hatted", ends=["lira+2"]),
    case("W1", "the tasting room works as ever",
         table("summer", {"structures": ["tasting_room"], "cellar": cellar([1])}),
         "place:give_tour:plain:hatted", ends=["lira+2 vp+1"]),
    case("W50", "D builds at the printed price", table("summer", {"lira": 3}), "place:build_structure:plain:grande",
         ends=["lira-2 trellis+1", "irrigation+1 lira-3", "lira-2 yoke+1"]),
    case("W51", "D needs the money", table("summer", {"lira": 1}),
         refuses=["place:build_structure:plain:hatted", "place:build_structure:plain:grande"]),
    case("W50", "E plants one vine", table("summer", {"hand": hand(["sangiovese", "merlot"])}),
         "place:plant_vine:plain:hatted", ends=["plant5+1 vine-1", "plant6+1 vine-1", "plant7+1 vine-1"]),
    case("W51", "E needs the structure", table("summer", {"hand": hand(["merlot"])}),
         refuses=["place:plant_vine:plain:hatted"]),
    case("W52", "F sells grapes or one field, or buys one back",
         table("summer", {"lira": 6, "crush_pad": pad([4], [9]), "fields": fields(["sangiovese"], sold=(6,))}),
         "place:sell_grapes_or_field:plain:hatted",
         ends=["grape:red:4-1 lira+2", "grape:white:9-1 lira+3", "grape:red:4-1 grape:white:9-1 lira+5",
               "lira+7 sold7+1", "lira-6 sold6-1"]),
    case("W53", "G without anything but three lira",
         table("summer", {"lira": 3, "victory_points": -5}), "place:exchange:plain:hatted",
         ends=["", "lira-3 vp+1", "grape:red:1+1 lira-3", "grape:white:1+1 lira-3",
               *(words("lira-3", *way) for way in cards(2))]),
    case("W53", "G with a grape: of any value",
         table("summer", {"victory_points": -5, "crush_pad": pad([8])}), "place:exchange:plain:hatted",
         ends=["grape:red:8-1 lira+3", "grape:red:8-1 vp+1", "grape:red:1+1 grape:red:8-1",
               "grape:red:8-1 grape:white:1+1", *(words("grape:red:8-1", *way) for way in cards(2))]),
    case("W53", "G: two cards of any kinds; one is not enough",
         table("summer", {"victory_points": -5, "lira": 2, "hand": hand(["merlot"])}),
         refuses=["place:exchange:plain:hatted"]),
    case("O39", "G: no grape where both slots of value 1 are taken",
         table("summer", {"lira": 3, "victory_points": -5, "crush_pad": pad([1], [1])}),
         "place:exchange:plain:hatted",
         ends=["", "lira-3 vp+1", *(words("lira-3", *way) for way in cards(2)),
               # a grape of value 1 that is paid leaves its slot
               "grape:red:1-1 lira+3", "grape:red:1-1 vp+1", "grape:white:1-1 lira+3", "grape:white:1-1 vp+1",
               *(words("grape:red:1-1", *way) for way in cards(2)),
               *(words("grape:white:1-1", *way) for way in cards(2))]),
    case("W53", "G: two cards for two cards, the discarded have no effect",
         table("summer", {"victory_points": -5, "hand": hand(["merlot"], ["order_01"])}),
         "place:exchange:plain:hatted", with_ends=["", "summer+2 order-1 vine-1".replace("summer+2 order-1 vine-1",
         "order-1 summer+2 vine-1"),
                                                  "lira+3 order-1 vine-1", "order-1 vine-1 vp+1", "order-1 vine+1"]),
    case("W74", "O gives the value of the wine",
         table("winter", {"structures": BIG, "cellar": cellar([2], [], [6], [9])}), "place:sell_wine:plain:hatted",
         ends=["lira+2 wine:red:2-1", "lira+6 wine:blush:6-1", "lira+9 wine:sparkling:9-1"]),
    case("W51", "O needs a wine", table("winter"), refuses=["place:sell_wine:plain:hatted"]),
    case("W73", "L takes a hat off for 4 lira, any one",
         table("winter", {"lira": 4}), "place:train_worker:plain:hatted", ends=["lira-4 yellow-1", "blue-1 lira-4"]),
    case("W73", "L not for 3", table("winter", {"lira": 3}), refuses=["place:train_worker:plain:hatted"]),
    case("W73", "L: a hat on the board too",
         table("winter", {"lira": 4, "workers": staff(0, 1, 0, 1)}, board={"draw_vine": [at(0), at(0)]}, n=4),
         "place:train_worker:plain:hatted", ends=["lira-4 yellow-1", "blue-1 lira-4"]),
    case("W73", "L: nobody with a hat, no training",
         table("winter", {"lira": 9, "workers": staff(0, 0, 4, 1)}),
         refuses=["place:train_worker:plain:regular", "place:train_worker:plain:grande"]),
    case("W73", "L: a yellow hat at hand taken off works in winter",
         table("winter", {"lira": 4, "workers": staff(2, 1, 0, 0)}, {"passed": True}),
         "place:train_worker:plain:hatted", "hat:yellow", offers=["place:draw_order:plain:regular"]),
    case("W72", "M makes up to two wines",
         table("winter", {"crush_pad": pad([1, 2, 3])}), "place:make_wine:plain:hatted",
         ends=[words(f"grape:red:{a}-1", f"wine:red:{a}+1") for a in (1, 2, 3)]
         + [words(f"grape:red:{a}-1", f"grape:red:{b}-1", f"wine:red:{a}+1", f"wine:red:{b}+1")
            for a, b in ((1, 2), (1, 3), (2, 3))]),
    case("W72", "K harvests one field",
         table("winter", {"fields": fields(["sangiovese"], ["malvasia"], ["sangiovese"], harvested=(7,))}),
         "place:harvest_field:plain:hatted", ends=["grape:red:1+1 harvest5+1", "grape:white:1+1 harvest6+1"]),
    case("W72", "N fills one order",
         table("winter", {"hand": hand(order=["order_04", "order_03"]), "cellar": cellar([1, 3], [1, 3])}),
         "place:fill_order:plain:hatted",
         ends=["order-1 residual+1 vp+2 wine:red:1-1 wine:white:3-1",
               "order-1 residual+1 vp+2 wine:red:3-1 wine:white:3-1",
               "order-1 residual+1 vp+2 wine:red:3-1 wine:white:1-1"]),
]  # fmt: skip

INNOVATE = [
    case("W54", "H for 4 lira: rectangles lie on their letters, ovals anywhere",
         table("summer", {"lira": 4}, tiles=tiles("B", "K", "lira", "left")), "place:innovate:plain:hatted",
         ends=["lira-4 tile:B+1", "lira-4 tile:K+1", *covered(4, "lira"), *covered(4, "left")]),
    case("W60", "with 5 lira a cover that costs one can be paid",
         table("summer", {"lira": 5}, tiles=tiles("vp")), "place:innovate:plain:hatted", ends=covered(5, "vp")),
    case("W59", "no second oval on an action",
         table("summer", {"lira": 5}, tiles=tiles("vp", ovals={"A": "lira", "O": "up", "B": "left"})),
         "place:innovate:plain:grande", ends=covered(5, "vp", taken="ABO")),
    case("W54", "H not for 3 lira", table("summer", {"lira": 3}, tiles=tiles("B")),
         refuses=["place:innovate:plain:hatted"]),
    case("W54", "H not without a tile on show", table("summer", {"lira": 9}), refuses=["place:innovate:plain:hatted"]),
    case("W61", "workers there move onto the oval and gain nothing",
         table("summer", {"lira": 4}, {"workers": staff(1)}, tiles=tiles("vp"), board={"draw_vine": [at(1)]}),
         "place:innovate:plain:hatted", "tile:vp", "letter:A",
         holds=[("board.draw_vine", [at(1, "yellow", "oval")]), ("seats.1.victory_points", 0)]),
    case("W61", "the innovating grande moves too, without a bonus",
         table("summer", {"lira": 4}, tiles=tiles("lira")), "place:innovate:plain:grande", "tile:lira", "letter:H",
         holds=[("board.innovate", [at(0, "grande", "oval")]), ("seats.0.lira", 0)]),
    case("W62", "an action with an oval is never full",
         table("summer", {"workers": staff(1)}, {"workers": staff(1)}, tiles=tiles(ovals={"A": "lira"}),
               board={"draw_vine": [at(0, "yellow", "oval"), at(1, "yellow", "oval")]}),
         offers=["place:draw_vine:oval:hatted", "place:draw_vine:oval:grande"],
         refuses=["place:draw_vine:plain:hatted", "place:draw_vine:crowd:grande", "place:draw_vine:plain:grande"]),
    case("W40", "a hat gains no bonus", table("summer", tiles=tiles(ovals={"A": "vp"})),
         "place:draw_vine:oval:hatted", ends=["vine+1"]),
]  # fmt: skip

OVALS = [
    case("W64", f"the oval {oval}", table("summer", tiles=tiles(ovals={"C": oval})), "place:give_tour:oval:grande",
         ends=["lira+2", gain])
    for oval, gain in (("lira", "lira+3"), ("order", "lira+2 order+1"), ("vine", "lira+2 vine+1"),
                       ("summer", "lira+2 summer+1"), ("winter", "lira+2 winter+1"), ("vp", "lira+2 vp+1"))
] + [
    case("W64", "one grape aged", table("summer", {"crush_pad": pad([1, 2], [9])},
         tiles=tiles(ovals={"C": "age_grape"})),
         "place:give_tour:oval:grande", ends=["lira+2", "grape:red:2-1 grape:red:3+1 lira+2"]),
    case("W64", "one wine aged, within the cellar",
         table("summer", {"structures": ["medium_cellar"], "cellar": cellar([3, 6], [], [4])},
               tiles=tiles(ovals={"C": "age_wine"})),
         "place:give_tour:oval:grande",
         ends=["lira+2", "lira+2 wine:red:3-1 wine:red:4+1", "lira+2 wine:blush:4-1 wine:blush:5+1"]),
    case("W63", "a bare regular gains the bonus",
         table("summer", {"workers": staff(0, 2, 2)}, tiles=tiles(ovals={"C": "vp"})),
         "place:give_tour:oval:regular", ends=["lira+2", "lira+2 vp+1"]),
    case("W63", "each placed worker once", table("winter", {"workers": staff(2, 0, 2, 0)},
         tiles=tiles(ovals={"I": "vp"})),
         "place:draw_order:oval:regular", ends=["order+1", "order+1 vp+1"]),
    case("W63", "ageing before making wine, or left",
         table("winter", {"crush_pad": pad([1])}, tiles=tiles(ovals={"M": "age_grape"})), "place:make_wine:oval:grande",
         ends=["grape:red:1-1 wine:red:1+1", "grape:red:1-1 wine:red:2+1"]),
    case("W63", "ageing after harvesting",
         table("winter", {"fields": fields(["sangiovese"])}, tiles=tiles(ovals={"K": "age_grape"})),
         "place:harvest_field:oval:grande", ends=["grape:red:1+1 harvest5+1", "grape:red:2+1 harvest5+1"]),
    case("W63", "ageing first may make wine possible, of the grape then that makes it so",
         table("winter", {"structures": ["medium_cellar"], "crush_pad": pad([1, 3]), "cellar": cellar([1, 2, 3])},
               tiles=tiles(ovals={"M": "age_grape"})), "place:make_wine:oval:grande",
         ends=["grape:red:3-1 wine:red:4+1"]),
    case("W63", "and not for a hat",
         table("winter", {"structures": ["medium_cellar"], "crush_pad": pad([1, 3]), "cellar": cellar([1, 2, 3])},
               tiles=tiles(ovals={"M": "age_grape"})), refuses=["place:make_wine:oval:hatted"]),
    case("W63", "ageing the right wine first may fill an order",
         table("winter", {"structures": ["medium_cellar"], "hand": hand([], ["order_01"]), "cellar": cellar([4], [3])},
               tiles=tiles(ovals={"N": "age_wine"})), "place:fill_order:oval:grande",
         ends=["order-1 residual+1 vp+2 wine:red:4-1"]),
    case("W63", "a point or a card first may be exchanged",
         table("summer", {"victory_points": -5}, tiles=tiles(ovals={"G": "vp"})),
         offers=["place:exchange:oval:grande"], refuses=["place:exchange:oval:hatted"]),
    case("W63", "a second card first", table("summer", {"victory_points": -5, "hand": hand(["sangiovese"])},
         tiles=tiles(ovals={"G": "summer"})),
         offers=["place:exchange:oval:grande"], refuses=["place:exchange:oval:hatted"]),
    case("W63", "but what card will come nobody knows",
         table("winter", {"cellar": cellar([3], [3])}, tiles=tiles(ovals={"N": "order"})),
         refuses=["place:fill_order:oval:grande"]),
    case("W63", "a point that brings the token to its end comes after influence was bought",
         table("winter", {"lira": 8, "victory_points": 29}, tiles=tiles(ovals={"P": "vp"}), influence=9),
         "place:buy_influence:oval:grande", ends=["influence+1 lira-8", "influence+1 lira-8 vp+1"]),
    case("O23", "the lira of an oval may pay for the action",
         table("winter", {"lira": 7}, tiles=tiles(ovals={"P": "lira"})),
         offers=["place:buy_influence:oval:grande"], refuses=["place:buy_influence:oval:hatted"]),
    case("O23", "and then it has to be taken",
         table("winter", {"lira": 7}, tiles=tiles(ovals={"P": "lira"})), "place:buy_influence:oval:grande",
         ends=["influence+1 lira-7"]),
    case("O26", "a worker that takes off its own hat on L gains no bonus for it",
         table("winter", {"lira": 4, "workers": staff(2, 1)}, tiles=tiles(ovals={"L": "vp"})),
         "place:train_worker:oval:hatted", ends=["lira-4 yellow-1", "blue-1 lira-4"]),
    case("W65", "an arrow without a neighbour gives nothing", table("summer", tiles=tiles(ovals={"C": "left"})),
         "place:give_tour:oval:grande", ends=["lira+2"]),
    case("W65", "left of I is B, across the seasons", table("winter", tiles=tiles(ovals={"I": "left", "B": "vp"})),
         "place:draw_order:oval:grande", ends=["order+1", "order+1 vp+1"]),
    case("W66", "A's left is not J", table("summer", tiles=tiles(ovals={"A": "left", "J": "vp"})),
         "place:draw_vine:oval:grande", ends=["vine+1"]),
    case("W66", "arrows are followed",
         table("summer", tiles=tiles(ovals={"C": "right", "D": "up", "B": "left", "A": "vp"})),
         "place:give_tour:oval:grande", ends=["lira+2", "lira+2 vp+1"]),
    case("W66", "a ring of arrows gives nothing",
         table("summer", tiles=tiles(ovals={"C": "right", "D": "left"})), "place:give_tour:oval:grande",
         ends=["lira+2"]),
]  # fmt: skip

RECTANGLES = [
    case("W56", "A: two vines and any card", table("summer", tiles=tiles(placed="A")), "place:draw_vine:plain:hatted",
         ends=["vine+3", "order+1 vine+2", "summer+1 vine+2", "vine+2 winter+1"]),
    case("W56", "I: two orders and any card", table("winter", tiles=tiles(placed="I")), "place:draw_order:plain:hatted",
         ends=["order+3", "order+2 vine+1", "order+2 summer+1", "order+2 winter+1"]),
    case("W56", "C: a tour of 5", table("summer", tiles=tiles(placed="C")), "place:give_tour:plain:hatted",
         ends=["lira+5"]),
    case("W56", "D: two structures at 1 lira less, a point with the second",
         table("summer", {"lira": 3}, tiles=tiles(placed="D")), "place:build_structure:plain:hatted",
         ends=["lira-1 trellis+1", "irrigation+1 lira-2", "lira-1 yoke+1", "cottage+1 lira-3", "lira-3 medium_cellar+1",
               "irrigation+1 lira-3 trellis+1 vp+1", "lira-2 trellis+1 vp+1 yoke+1",
               "irrigation+1 lira-3 vp+1 yoke+1"]),
    case("W56", "E: two vines, a point with the second",
         table("summer", {"hand": hand(["sangiovese", "malvasia"]), "fields": fields(["syrah"], sold=(6, 7)),
                          "structures": ["trellis"]}, tiles=tiles(placed="E")),
         "place:plant_vine:plain:hatted", ends=["plant5+1 vine-1", "plant5+2 vine-2 vp+1"]),
    case("W58", "F buys one grape by rows",
         table("summer", {"lira": 2, "crush_pad": pad([4, 5, 6], [1])}, tiles=tiles(placed="F")),
         "place:sell_grapes_or_field:plain:hatted",
         with_ends=["grape:red:1+1 lira-1", "grape:white:2+1 lira-1", "grape:white:4+1 lira-2",
                    # the middle red row is full: the lowest free slot of a lower row
                    "grape:red:1+1 lira-2"],
         no_ends=["grape:red:7+1 lira-3", "grape:red:7+1 lira-2"]),
    case("W58", "F: the low row full, the grape cannot be bought",
         table("summer", {"lira": 1, "crush_pad": pad([1, 2, 3], [1, 2, 3])}, tiles=tiles(placed="F")),
         "place:sell_grapes_or_field:plain:hatted",
         no_ends=["grape:red:4+1 lira-1", "grape:white:4+1 lira-1"]),
    case("W56", "G: two exchanges and one lira; one is enough",
         table("summer", {"lira": 3, "victory_points": -4}, tiles=tiles(placed="G")), "place:exchange:plain:hatted",
         with_ends=["lira-2 vp+1", "lira+4 vp-1",
                    # 3 lira for a point, then that point for 3 lira
                    "lira+1"]),
    case("W56", "K: two fields and one grape aged",
         table("winter", {"fields": fields(["sangiovese"], ["malvasia"])}, tiles=tiles(placed="K")),
         "place:harvest_field:plain:hatted",
         with_ends=["grape:red:2+1 grape:white:1+1 harvest5+1 harvest6+1",
                    "grape:red:1+1 grape:white:2+1 harvest5+1 harvest6+1", "grape:red:2+1 harvest5+1"]),
    case("W56", "L: two hats for 4 lira",
         table("winter", {"lira": 4}, tiles=tiles(placed="L")), "place:train_worker:plain:hatted",
         ends=["lira-4 yellow-1", "blue-1 lira-4", "lira-4 yellow-2", "blue-2 lira-4", "blue-1 lira-4 yellow-1"]),
    case("W56", "M: four wines", table("winter", {"crush_pad": pad([1, 2], [1, 2])}, tiles=tiles(placed="M")),
         "place:make_wine:plain:hatted",
         with_ends=[words(*(f"grape:{c}:{v}-1" for c in ("red", "white") for v in (1, 2)),
                          *(f"wine:{c}:{v}+1" for c in ("red", "white") for v in (1, 2)))]),
    case("W56", "O: two wines, a point with the second",
         table("winter", {"cellar": cellar([1, 2])}, tiles=tiles(placed="O")), "place:sell_wine:plain:hatted",
         ends=["lira+1 wine:red:1-1", "lira+2 wine:red:2-1", "lira+3 vp+1 wine:red:1-1 wine:red:2-1"]),
    case("W56", "P: up to two steps at 6 lira each", table("winter", {"lira": 13}, tiles=tiles(placed="P")),
         "place:buy_influence:plain:hatted", ends=["influence+1 lira-6", "influence+2 lira-12"]),
    case("W56", "P: 6 lira are enough for one", table("winter", {"lira": 6}, tiles=tiles(placed="P")),
         "place:buy_influence:plain:hatted", ends=["influence+1 lira-6"]),
    case("W55", "a rectangle serves everybody",
         table("summer", {"wake_up": 2}, {"wake_up": 1}, tiles=tiles(placed="C")), "place:give_tour:plain:hatted",
         ends=["lira+5"]),
    case("W57", "B: one visitor is enough, without the point",
         table("summer", {"hand": hand(summer=["banker"])}, tiles=tiles(placed="B")),
         offers=["place:play_summer_visitor:plain:hatted"]),
]  # fmt: skip

FALL = [
    case("W68", "two lira, any card, or one grape aged",
         table("summer", {"crush_pad": pad([1], [5])}), "pass",
         ends=["lira+2", "vine+1", "order+1", "summer+1", "winter+1", "grape:red:1-1 grape:red:2+1",
               "grape:white:5-1 grape:white:6+1"]),
    case("O28", "ageing only if a grape can age", table("summer", {"crush_pad": pad([9])}), "pass",
         ends=["lira+2", "vine+1", "order+1", "summer+1", "winter+1"]),
    case("O28", "a grape below a taken slot cannot age",
         table("summer", {"crush_pad": pad([8, 9])}), "pass",
         ends=["lira+2", "vine+1", "order+1", "summer+1", "winter+1"]),
    case("W69", "no visitor in fall: the last pass brings winter",
         table("summer", {}, {"passed": True, "workers": staff(1)}), "pass",
         ends=["lira+2", "vine+1", "order+1", "summer+1", "winter+1"]),
    case("W70", "a cottage draws a visitor after the last pass",
         table("summer", {"structures": ["cottage"]}, {"passed": True, "workers": staff(1)}), "pass",
         with_ends=["lira+2 summer+1", "lira+2 winter+1", "summer+2", "winter+2"], no_ends=["lira+2"]),
    case("W70", "and not before it", table("summer", {"structures": ["cottage"]}), "pass", with_ends=["lira+2"],
         no_ends=["lira+2 summer+1"]),
    case("W70", "the cottage of a seat that passed earlier",
         table("summer", {}, {"structures": ["cottage"], "passed": True, "workers": staff(1)}), "pass",
         with_ends=["1.summer+1 lira+2", "1.winter+1 lira+2"], no_ends=["lira+2"]),
]  # fmt: skip

PASSED = {"passed": True}
YEAR_END = [
    case("W76", "grapes and wines age, the residual is paid, workers come home",
         table("winter", {"residual": 3, "crush_pad": pad([1], [9]), "cellar": cellar([2], [3])}), "pass",
         ends=["grape:red:1-1 grape:red:2+1 lira+3 wine:red:2-1 wine:red:3+1"]),
    case("W78", "down to 5 cards of all kinds together",
         table("winter", {"hand": hand(["merlot", "pinot"], ["order_01", "order_02"], ["banker"], ["caravan"])}),
         "pass",
         ends=["vine-1", "order-1", "summer-1", "winter-1"]),
    case("W78", "five may stay", table("winter", {"hand": hand(["merlot", "pinot"], ["order_01", "order_02"],
         ["banker"])}),
         "pass", ends=[""]),
    case("W76", "while the others go on", table("winter", {"workers": staff(2, 1)}, board={"draw_order": [at(0,
         "blue")]}),
         "pass", seat=1, decision="place_worker", holds=[("season", "winter"), ("year", 1), ("board.draw_order",
         None)]),
    case("W77", "its space is free for the others",
         table("winter", {"workers": staff(2, 1)}, board={"draw_order": [at(0, "blue")]}), "pass",
         offers=["place:draw_order:plain:hatted", "place:draw_order:plain:grande"],
         refuses=["place:draw_order:crowd:grande"]),
    case("W32", "tiles still on show are discarded in spring, two and two come",
         table("winter", {}, PASSED, tiles=tiles("B", "lira")), "pass", decision="wake_up",
         holds=[("year", 2)]),
    case("W80", "the year token goes on by one, tiles on the board stay",
         table("winter", {}, PASSED, tiles=tiles(placed="C", ovals={"E": "vp"})), "pass",
         holds=[("year", 2), ("tiles.placed", ["C"]), ("tiles.ovals", {"E": "vp"})]),
]  # fmt: skip


def last(*points: int, influence: int = 10, **top: Any) -> dict[str, Any]:
    """The last pass of the last year is still to come; nothing of this year's card is left to count."""
    seats = [{"victory_points": p, "reached_30": p >= 30, **({} if k == 0 else PASSED)} for k, p in enumerate(points)]
    return table("winter", *seats, n=len(points), influence=influence, **{
        "year": 6, "events": {"now": 6, "gone": [1, 2, 3, 4, 5]}, **top})  # fmt: skip


END = [
    case("W4", "25 each and the end of the track", last(25, 25), "pass", outcome="win"),
    case("W4", "one point short", last(25, 24), "pass", outcome="loss"),
    case("W6", "more points of one seat do not help another", last(60, 24), "pass", outcome="loss"),
    case("W4", "one step short", last(25, 25, influence=9), "pass", outcome="loss"),
    case("W4", "six seats", last(25, 26, 27, 28, 29, 30), "pass", outcome="win"),
    case("W3", "nothing ends the game earlier",
         last(40, 40, year=3, events={"now": 3, "gone": [1, 2]}), "pass", decision="wake_up", outcome=None,
         holds=[("year", 4)]),
    case("W6", "points reached and lost again do not count",
         table("winter", {"victory_points": 24, "reached_30": True}, {"victory_points": 25, **PASSED}, influence=10,
               year=6, events={"now": 6, "gone": [1, 2, 3, 4, 5]}), "pass", outcome="loss"),
]  # fmt: skip

CASES: list[Case] = [*BASE, *INNOVATE, *OVALS, *RECTANGLES, *FALL, *YEAR_END, *END]
