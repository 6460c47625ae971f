"""Cases of actions, tiles, fall and the year's end: W4 to W6, W50 to W80."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from .positions import BIG, PASSED, Case, at, both, case, place, staff, table, words

DECKS = ("vine", "order", "summer", "winter")


def cards(number: int) -> list[tuple[str, ...]]:
    """Return the changes of all draws of a number of cards."""
    ways = []
    for decks in combinations_with_replacement(DECKS, number):
        ways.append(tuple(f"{deck}+{decks.count(deck)}" for deck in dict.fromkeys(decks)))
    return ways


COVER = {letter: 1 if letter in "ACFI" else -1 if letter in "BJNP" else 0 for letter in "ABCDEFGHIJKLMNOP"}


def covered(lira: int, oval: str, price: int = 4, covered_letters: str = "") -> list[str]:
    return [
        words(f"lira{COVER[letter] - price:+d}", f"oval:{letter}:{oval}+1")
        for letter in COVER
        if lira - price + COVER[letter] >= 0 and letter not in covered_letters
    ]


BASE = [
    case("W50", "C is a tour of 2 lira", *place("give_tour"), gives="lira+2"),
    case("W1", "the tasting room scores", *place("give_tour", {"structures": ["tasting_room"], "wines": {"red": [1]}}),
         gives="lira+2 vp+1"),
    case("W50", "D builds at the printed price", *place("build_structure", {"lira": 3}, worker="grande"),
         ends=["lira-2 trellis+1", "irrigation+1 lira-3", "lira-2 yoke+1"]),
    case("W51", "D requires lira", table("summer", {"lira": 1}), refuses=both("build_structure")),
    case("W50", "E plants one vine", *place("plant_vine", {"vine": ["sangiovese", "merlot"]}), ends=["plant5+1 vine-1",
         "plant6+1 vine-1", "plant7+1 vine-1"]),
    case("W51", "E requires the structure", table("summer", {"vine": ["merlot"]}),
         refuses="place:plant_vine:plain:hatted"),
    case("W52", "F sells grapes or one field, or buys one back", *place("sell_grapes_or_field",
         {"lira": 6, "grapes": {"red": [4], "white": [9]}, "fields": {5: ["sangiovese"]}, "sold": [6]}),
         ends=["grape:red:4-1 lira+2", "grape:white:9-1 lira+3", "grape:red:4-1 grape:white:9-1 lira+5",
         "lira+7 sold7+1", "lira-6 sold6-1"]),
    case("W53", "G with only three lira", *place("exchange", {"lira": 3, "vp": -5}), ends=["", "lira-3 vp+1",
         "grape:red:1+1 lira-3", "grape:white:1+1 lira-3", *(words("lira-3", *draws) for draws in cards(2))]),
    case("W53", "G with a grape: of any value", *place("exchange", {"vp": -5, "grapes": {"red": [8]}}),
         ends=["grape:red:8-1 lira+3", "grape:red:8-1 vp+1", "grape:red:1+1 grape:red:8-1",
         "grape:red:8-1 grape:white:1+1", *(words("grape:red:8-1", *draws) for draws in cards(2))]),
    case("W53", "G: two cards of any kinds; one is not enough",
         table("summer", {"vp": -5, "lira": 2, "vine": ["merlot"]}), refuses="place:exchange:plain:hatted"),
    case("O39", "G: no grape where both slots of value 1 are taken", *place("exchange",
         {"lira": 3, "vp": -5, "grapes": {"red": [1], "white": [1]}}), ends=["", "lira-3 vp+1",
         *(words("lira-3", *draws) for draws in cards(2)), "grape:red:1-1 lira+3", "grape:red:1-1 vp+1",
         "grape:white:1-1 lira+3", "grape:white:1-1 vp+1", *(words("grape:red:1-1", *draws) for draws in cards(2)),
         *(words("grape:white:1-1", *draws) for draws in cards(2))]),
    case("W53", "G: two cards for two cards, the discarded have no effect", *place("exchange",
         {"vp": -5, "vine": ["merlot"], "order": ["order_01"]}), with_ends=["",
         "summer+2 order-1 vine-1".replace("summer+2 order-1 vine-1", "order-1 summer+2 vine-1"),
         "lira+3 order-1 vine-1", "order-1 vine-1 vp+1", "order-1 vine+1"]),
    case("W74", "O gives the value of the wine", *place("sell_wine",
         {"structures": BIG, "wines": {"red": [2], "blush": [6], "sparkling": [9]}}), ends=["lira+2 wine:red:2-1",
         "lira+6 wine:blush:6-1", "lira+9 wine:sparkling:9-1"]),
    case("W51", "O requires a wine", table("winter"), refuses="place:sell_wine:plain:hatted"),
    case("W73", "L removes any hat for 4 lira", *place("train_worker", {"lira": 4}),
         ends=["lira-4 yellow-1", "blue-1 lira-4"]),
    case("W73", "L not for 3", table("winter", {"lira": 3}), refuses="place:train_worker:plain:hatted"),
    case("W73", "L: a hat on the board too", *place("train_worker", {"lira": 4, "workers": staff(0, 1, 0, 1)},
         board={"draw_vine": [at(0), at(0)]}, n=4), ends=["lira-4 yellow-1", "blue-1 lira-4"]),
    case("W73", "L requires a hat", table("winter", {"lira": 9, "workers": staff(0, 0, 4, 1)}),
         refuses=["place:train_worker:plain:regular", "place:train_worker:plain:grande"]),
    case("W73", "L: a worker without its yellow hat works in winter", *place("train_worker",
         {"lira": 4, "workers": staff(2, 1, 0, 0)}, {"passed": True}), "hat:yellow",
         offers="place:draw_order:plain:regular"),
    case("W72", "M makes up to two wines", *place("make_wine", {"grapes": {"red": [1, 2, 3]}}),
         ends=[words(f"grape:red:{a}-1", f"wine:red:{a}+1") for a in (1, 2, 3)] + [words(f"grape:red:{a}-1",
         f"grape:red:{b}-1", f"wine:red:{a}+1", f"wine:red:{b}+1") for a, b in ((1, 2), (1, 3), (2, 3))]),
    case("W72", "K harvests one field", *place("harvest_field",
         {"fields": {5: ["sangiovese"], 6: ["malvasia"], 7: ["sangiovese"]}, "harvested": [7]}),
         ends=["grape:red:1+1 harvest5+1", "grape:white:1+1 harvest6+1"]),
    case("W72", "N fills one order", *place("fill_order",
         {"order": ["order_04", "order_03"], "wines": {"red": [1, 3], "white": [1, 3]}}),
         ends=["order-1 residual+1 vp+2 wine:red:1-1 wine:white:3-1",
         "order-1 residual+1 vp+2 wine:red:3-1 wine:white:3-1", "order-1 residual+1 vp+2 wine:red:3-1 wine:white:1-1"]),
]  # fmt: skip

INNOVATE = [
    case("W54", "H for 4 lira: rectangles on their letters, ovals anywhere",
         *place("innovate", {"lira": 4}, display="B K lira left"), ends=["lira-4 tile:B+1", "lira-4 tile:K+1",
         *covered(4, "lira"), *covered(4, "left")]),
    case("W60", "with 5 lira a cover that costs one can be paid", *place("innovate", {"lira": 5}, display="vp"),
         ends=covered(5, "vp")),
    case("W59", "no second oval on an action", *place("innovate", {"lira": 5}, worker="grande", display="vp",
         event="oceania 6", ovals={"A": "lira", "O": "up", "B": "left"}), ends=covered(5, "vp", covered_letters="ABO")),
    case("W54", "H not for 3 lira", table("summer", {"lira": 3}, display="B"), refuses="place:innovate:plain:hatted"),
    case("W54", "H not without a tile on show", table("summer", {"lira": 9}), refuses="place:innovate:plain:hatted"),
    case("W61", "workers of the action move onto the oval without a bonus", *place("innovate", {"lira": 4}, {},
         display="vp", board={"draw_vine": [at(1)]}), "tile:vp letter:A",
         holds=[("board.draw_vine", [at(1, "yellow", "oval")]), ("seats.1.victory_points", 0)]),
    case("W61", "the innovating grande moves too, without a bonus", *place("innovate", {"lira": 4}, worker="grande",
         display="lira"), "tile:lira letter:H", holds=[("board.innovate", [at(0, "grande", "oval")]),
         ("seats.0.lira", 0)]),
    case("W62", "an action with an oval is never full", table("summer", ovals={"A": "lira"},
         board={"draw_vine": [at(0), at(1)]}), offers=both("draw_vine", space="oval"),
         refuses=["place:draw_vine:plain:hatted", "place:draw_vine:crowd:grande", "place:draw_vine:plain:grande"]),
    case("W40", "a hat gains no bonus", *place("draw_vine", space="oval", ovals={"A": "vp"}), gives="vine+1"),
]  # fmt: skip

OVALS = [
    case("W64", f"the oval {oval}", *place("give_tour", worker="grande", space="oval", ovals={"C": oval}),
         ends=["lira+2", gain])
    for oval, gain in (("lira", "lira+3"), ("order", "lira+2 order+1"), ("vine", "lira+2 vine+1"),
                       ("summer", "lira+2 summer+1"), ("winter", "lira+2 winter+1"), ("vp", "lira+2 vp+1"))
] + [
    case("W64", "one grape aged", *place("give_tour", {"grapes": {"red": [1, 2], "white": [9]}}, worker="grande",
         space="oval", ovals={"C": "age_grape"}), ends=["lira+2", "grape:red:2-1 grape:red:3+1 lira+2"]),
    case("W64", "one wine aged, within the cellar", *place("give_tour",
         {"structures": ["medium_cellar"], "wines": {"red": [3, 6], "blush": [4]}}, worker="grande", space="oval",
         ovals={"C": "age_wine"}), ends=["lira+2", "lira+2 wine:red:3-1 wine:red:4+1",
         "lira+2 wine:blush:4-1 wine:blush:5+1"]),
    case("W63", "a bare regular gains the bonus", *place("give_tour", {"workers": staff(0, 2, 2)}, worker="regular",
         space="oval", ovals={"C": "vp"}, event="oceania 6"), ends=["lira+2", "lira+2 vp+1"]),
    case("W63", "each placed worker once", *place("draw_order", {"workers": staff(2, 0, 2, 0)}, worker="regular",
         space="oval", ovals={"I": "vp"}), ends=["order+1", "order+1 vp+1"]),
    case("W63", "ageing before making wine, or left", *place("make_wine", {"grapes": {"red": [1]}}, worker="grande",
         space="oval", ovals={"M": "age_grape"}), ends=["grape:red:1-1 wine:red:1+1", "grape:red:1-1 wine:red:2+1"]),
    case("W63", "ageing after harvesting", *place("harvest_field", {"fields": {5: ["sangiovese"]}}, worker="grande",
         space="oval", ovals={"K": "age_grape"}), ends=["grape:red:1+1 harvest5+1", "grape:red:2+1 harvest5+1"]),
    case("W63", "ageing first may make wine possible, of the grape then that makes it so", *place("make_wine",
         {"structures": ["medium_cellar"], "grapes": {"red": [1, 3]}, "wines": {"red": [1, 2, 3]}}, worker="grande",
         space="oval", ovals={"M": "age_grape"}), gives="grape:red:3-1 wine:red:4+1"),
    case("W63", "no bonus for a hat", table("winter",
         {"structures": ["medium_cellar"], "grapes": {"red": [1, 3]}, "wines": {"red": [1, 2, 3]}},
         ovals={"M": "age_grape"}), refuses="place:make_wine:oval:hatted"),
    case("W63", "ageing the right wine first may fill an order", *place("fill_order",
         {"structures": ["medium_cellar"], "order": ["order_01"], "wines": {"red": [4], "white": [3]}}, worker="grande",
         space="oval", ovals={"N": "age_wine"}), gives="order-1 residual+1 vp+2 wine:red:4-1"),
    case("W63", "a point or a card first may be exchanged", table("summer", {"vp": -5}, ovals={"G": "vp"}),
         offers="place:exchange:oval:grande", refuses="place:exchange:oval:hatted"),
    case("W63", "a second card first", table("summer", {"vp": -5, "vine": ["sangiovese"]}, ovals={"G": "summer"}),
         offers="place:exchange:oval:grande", refuses="place:exchange:oval:hatted"),
    case("W63", "an unknown card does not make the action possible", table("winter",
         {"wines": {"red": [3], "white": [3]}}, ovals={"N": "order"}), refuses="place:fill_order:oval:grande"),
    case("W63", "a point that brings the token to its end comes after influence was bought", *place("buy_influence",
         {"lira": 8, "vp": 29}, worker="grande", space="oval", ovals={"P": "vp"}, influence=9),
         ends=["influence+1 lira-8", "influence+1 lira-8 vp+1"]),
    case("O23", "the lira of an oval may pay for the action", table("winter", {"lira": 7}, ovals={"P": "lira"}),
         offers="place:buy_influence:oval:grande", refuses="place:buy_influence:oval:hatted"),
    case("O23", "a required bonus cannot be declined", *place("buy_influence", {"lira": 7}, worker="grande",
         space="oval", ovals={"P": "lira"}), gives="influence+1 lira-7"),
    case("O26", "a worker that takes off its own hat on L gains no bonus for it", *place("train_worker",
         {"lira": 4, "workers": staff(2, 1)}, space="oval", ovals={"L": "vp"}),
         ends=["lira-4 yellow-1", "blue-1 lira-4"]),
    case("W65", "an arrow without a neighbour gives nothing", *place("give_tour", worker="grande", space="oval",
         ovals={"C": "left"}), gives="lira+2"),
    case("W65", "left of I is B, across the seasons", *place("draw_order", worker="grande", space="oval",
         ovals={"I": "left", "B": "vp"}), ends=["order+1", "order+1 vp+1"]),
    case("W66", "A's left is not J", *place("draw_vine", worker="grande", space="oval", ovals={"A": "left", "J": "vp"}),
         gives="vine+1"),
    case("W66", "arrows are followed", *place("give_tour", worker="grande", space="oval",
         ovals={"C": "right", "D": "up", "B": "left", "A": "vp"}, event="oceania 6"), ends=["lira+2", "lira+2 vp+1"]),
    case("W66", "a ring of arrows gives nothing", *place("give_tour", worker="grande", space="oval",
         ovals={"C": "right", "D": "left"}), gives="lira+2"),
]  # fmt: skip

RECTANGLES = [
    case("W56", "A: two vines and any card", *place("draw_vine", placed="A"), ends=["vine+3", "order+1 vine+2",
         "summer+1 vine+2", "vine+2 winter+1"]),
    case("W56", "I: two orders and any card", *place("draw_order", placed="I"), ends=["order+3", "order+2 vine+1",
         "order+2 summer+1", "order+2 winter+1"]),
    case("W56", "C: a tour of 5", *place("give_tour", placed="C"), gives="lira+5"),
    case("W56", "D: two structures at 1 lira less, a point with the second",
         *place("build_structure", {"lira": 3}, placed="D"), ends=["lira-1 trellis+1", "irrigation+1 lira-2",
         "lira-1 yoke+1", "cottage+1 lira-3", "lira-3 medium_cellar+1", "irrigation+1 lira-3 trellis+1 vp+1",
         "lira-2 trellis+1 vp+1 yoke+1", "irrigation+1 lira-3 vp+1 yoke+1"]),
    case("W56", "E: two vines, a point with the second", *place("plant_vine", {"vine": ["sangiovese", "malvasia"],
         "fields": {5: ["syrah"]}, "sold": [6, 7], "structures": ["trellis"]}, placed="E"),
         ends=["plant5+1 vine-1", "plant5+2 vine-2 vp+1"]),
    case("W58", "F buys one grape by rows", *place("sell_grapes_or_field",
         {"lira": 2, "grapes": {"red": [4, 5, 6], "white": [1]}}, placed="F"), with_ends=["grape:red:1+1 lira-1",
         "grape:white:2+1 lira-1", "grape:white:4+1 lira-2", "grape:red:1+1 lira-2"],
         no_ends=["grape:red:7+1 lira-3", "grape:red:7+1 lira-2"]),
    case("W58", "F: the low row full, the grape cannot be bought", *place("sell_grapes_or_field",
         {"lira": 1, "grapes": {"red": [1, 2, 3], "white": [1, 2, 3]}}, placed="F"),
         no_ends=["grape:red:4+1 lira-1", "grape:white:4+1 lira-1"]),
    case("W56", "G: two exchanges and one lira; one is enough", *place("exchange", {"lira": 3, "vp": -4}, placed="G"),
         with_ends=["lira-2 vp+1", "lira+4 vp-1", "lira+1"]),
    case("W56", "K: two fields and one grape aged", *place("harvest_field",
         {"fields": {5: ["sangiovese"], 6: ["malvasia"]}}, placed="K"),
         with_ends=["grape:red:2+1 grape:white:1+1 harvest5+1 harvest6+1",
         "grape:red:1+1 grape:white:2+1 harvest5+1 harvest6+1", "grape:red:2+1 harvest5+1"]),
    case("W56", "L: two hats for 4 lira", *place("train_worker", {"lira": 4}, placed="L"), ends=["lira-4 yellow-1",
         "blue-1 lira-4", "lira-4 yellow-2", "blue-2 lira-4", "blue-1 lira-4 yellow-1"]),
    case("W56", "M: four wines", *place("make_wine", {"grapes": {"red": [1, 2], "white": [1, 2]}}, placed="M"),
         with_ends=[words(*(f"grape:{c}:{v}-1" for c in ("red", "white") for v in (1, 2)),
         *(f"wine:{c}:{v}+1" for c in ("red", "white") for v in (1, 2)))]),
    case("W56", "O: two wines, a point with the second", *place("sell_wine", {"wines": {"red": [1, 2]}}, placed="O"),
         ends=["lira+1 wine:red:1-1", "lira+2 wine:red:2-1", "lira+3 vp+1 wine:red:1-1 wine:red:2-1"]),
    case("W56", "P: up to two steps at 6 lira each", *place("buy_influence", {"lira": 13}, placed="P"),
         ends=["influence+1 lira-6", "influence+2 lira-12"]),
    case("W56", "P: 6 lira are enough for one", *place("buy_influence", {"lira": 6}, placed="P"),
         gives="influence+1 lira-6"),
    case("W55", "a rectangle applies to all seats", *place("give_tour", {"row": 2}, {"row": 1}, placed="C"),
         gives="lira+5"),
    case("W57", "B: one visitor is enough, without the point", table("summer", {"summer": ["banker"]}, placed="B"),
         offers="place:play_summer_visitor:plain:hatted"),
]  # fmt: skip

FALL = [
    case("W68", "two lira, any card, or one grape aged", table("summer", {"grapes": {"red": [1], "white": [5]}}),
         "pass", ends=["lira+2", "vine+1", "order+1", "summer+1", "winter+1", "grape:red:1-1 grape:red:2+1",
         "grape:white:5-1 grape:white:6+1"]),
    case("O28", "ageing only if a grape can age", table("summer", {"grapes": {"red": [9]}}), "pass", ends=["lira+2",
         "vine+1", "order+1", "summer+1", "winter+1"]),
    case("O28", "a grape below a taken slot cannot age", table("summer", {"grapes": {"red": [8, 9]}}), "pass",
         ends=["lira+2", "vine+1", "order+1", "summer+1", "winter+1"]),
    case("W69", "the last pass starts the winter without visitors",
         table("summer", {}, {"passed": True, "workers": staff(1)}), "pass", ends=["lira+2", "vine+1", "order+1",
         "summer+1", "winter+1"]),
    case("W70", "a cottage draws a visitor after the last pass", table("summer", {"structures": ["cottage"]},
         {"passed": True, "workers": staff(1)}), "pass", with_ends=["lira+2 summer+1", "lira+2 winter+1", "summer+2",
         "winter+2"], no_ends=["lira+2"]),
    case("W70", "the cottage waits for the last pass", table("summer", {"structures": ["cottage"]}), "pass",
         with_ends=["lira+2"], no_ends=["lira+2 summer+1"]),
    case("W70", "the cottage of a seat that passed earlier", table("summer", {},
         {"structures": ["cottage"], "passed": True, "workers": staff(1)}), "pass",
         with_ends=["1.summer+1 lira+2", "1.winter+1 lira+2"], no_ends=["lira+2"]),
]  # fmt: skip

YEAR_END = [
    case("W76", "grapes and wines age, the residual is paid, workers come home", table("winter",
         {"residual": 3, "grapes": {"red": [1], "white": [9]}, "wines": {"red": [2], "white": [3]}}), "pass",
         gives="grape:red:1-1 grape:red:2+1 lira+3 wine:red:2-1 wine:red:3+1"),
    case("W78", "down to 5 cards of all kinds together", table("winter", {"vine": ["merlot", "pinot"],
         "order": ["order_01", "order_02"], "summer": ["banker"], "winter": ["caravan"]}), "pass",
         ends=["vine-1", "order-1", "summer-1", "winter-1"]),
    case("W78", "five may stay", table("winter",
         {"vine": ["merlot", "pinot"], "order": ["order_01", "order_02"], "summer": ["banker"]}), "pass", gives=""),
    case("W76", "workers leave at the pass", table("winter", board={"draw_order": [at(0)]}), "pass", seat=1,
         decision="place_worker", holds=[("season", "winter"), ("year", 1), ("board.draw_order", None)]),
    case("W77", "the space is free for other seats", table("winter", board={"draw_order": [at(0)]}), "pass",
         offers=both("draw_order"), refuses="place:draw_order:crowd:grande"),
    case("W32", "tiles still on show are discarded in spring, two and two come",
         table("winter", {}, PASSED, display="B lira"), "pass", decision="wake_up", holds=[("year", 2)]),
    case("W80", "the year token goes on by one, tiles on the board stay",
         table("winter", {}, PASSED, placed="C", ovals={"E": "vp"}), "pass", holds=[("year", 2),
         ("tiles.placed", ["C"]), ("tiles.ovals", {"E": "vp"})]),
]  # fmt: skip


def last(*points: int, event: str = "oceania 6", **top: Any) -> dict[str, Any]:
    """Return a position before the last pass of a year whose card counts nothing."""
    seats = [{"vp": vp, "reached_30": vp >= 30, "passed": k > 0} for k, vp in enumerate(points)]
    return table("winter", *seats, n=len(points), event=event, **{"influence": 10} | top)


END = [
    case("W4", "25 each and the end of the track", last(25, 25), "pass", outcome="win"),
    case("W4", "one point short", last(25, 24), "pass", outcome="loss"),
    case("W6", "more points of one seat do not help another", last(60, 24), "pass", outcome="loss"),
    case("W4", "one step short", last(25, 25, influence=9), "pass", outcome="loss"),
    case("W4", "six seats", last(25, 26, 27, 28, 29, 30), "pass", outcome="win"),
    case("W3", "no early end", last(40, 40, event="oceania 3"), "pass", decision="wake_up", outcome=None,
         holds=[("year", 4)]),
    case("W6", "points reached and lost again do not count", table("winter", {"vp": 24, "reached_30": True},
         {"vp": 25, **PASSED}, influence=10, event="oceania 6"), "pass", outcome="loss"),
]  # fmt: skip

CASES: list[Case] = [*BASE, *INNOVATE, *OVALS, *RECTANGLES, *FALL, *YEAR_END, *END]
