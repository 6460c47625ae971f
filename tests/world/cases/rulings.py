"""Cases of rulings: what the rulebook leaves open, as docs/world.md decides it with its reasons."""

from __future__ import annotations

from tests.table.fixtures import VINES
from tests.table.setup_position import DECKS

from .positions import PASSED, Case, at, case, place, staff, table

NO_FIELDS = {"fields": {5: ["sangiovese"], 6: ["sangiovese"], 7: ["sangiovese"]}}
BROKE = {"vp": -5}

TRADE_FIRST = [
    case("W46", "H with only the partner's lira requires a trade first", *place("innovate", {},
         {"lira": 20}, worker="grande", space="crowd", display="C", board={"innovate": [at(1)]}),
         decision="trade_start", legal=["yes"]),
    case("W46", "H after a trade, or without its effect", *place("innovate", {},
         {"lira": 20}, worker="grande", space="crowd", display="C", board={"innovate": [at(1)]}), with_ends=["",
         "1.lira-4 tile:C+1", "1.lira-20 lira+16 tile:C+1", "1.lira-3 lira+3"],
         no_ends=["tile:C+1", "1.lira-3 lira-1 tile:C+1"]),
    case("W46", "a refused trade leaves no action", *place("innovate", {}, {"lira": 20},
         worker="grande", space="crowd", display="C", board={"innovate": [at(1)]}),
         "yes seat:+1 kind:nothing kind:lira amount:4 no", decision="place_worker", seat=1,
         holds=[("seats.0.lira", 0)]),
    case("W46", "too little lira of the partner", table("summer", {}, {"lira": 3}, display="C",
         board={"innovate": [at(1)]}), refuses="place:innovate:crowd:grande"),
    case("W46", "only a grande trades", table("summer", {}, {"lira": 20}, n=4, display="C",
         board={"innovate": [at(1)]}), offers="place:innovate:plain:grande", refuses="place:innovate:plain:hatted"),
    case("W46", "lira taken before training pays for it", *place("train_worker", {"lira": 1}, {"lira": 3},
         worker="grande", space="crowd", board={"train_worker": [at(1)]}), with_ends=["1.lira-3 lira-1 yellow-1",
         "1.lira-3 blue-1 lira-1", ""], no_ends=["lira-1", "1.lira-2 lira+2 yellow-1"]),
    case("W46", "N with the partner's wine", *place("fill_order", {"order": ["order_04"], "wines": {"white": [3]}},
         {"wines": {"red": [3]}}, worker="grande", space="crowd", board={"fill_order": [at(1)]}),
         with_ends=["1.wine:red:3-1 order-1 residual+1 vp+2 wine:white:3-1", ""]),
    case("W46", "O with the partner's wine", *place("sell_wine", {}, {"wines": {"red": [3]}}, worker="grande",
         space="crowd", board={"sell_wine": [at(1)]}), ends=["", "1.wine:red:3-1 lira+3"]),
    case("W46", "G with a card of the partner's beside an own one", *place("exchange", {**BROKE, "vine": ["merlot"]},
         {"order": ["order_01"]}, worker="grande", space="crowd", board={"exchange": [at(1)]}),
         with_ends=["1.order-1 lira+3 vine-1", "1.order-1 order+1", ""]),
    case("W46", "E not with a vine of the partner's: which one it is the seat does not see (W27)", table("summer", {},
         {"vine": ["sangiovese"]}, board={"plant_vine": [at(1)]}), refuses="place:plant_vine:crowd:grande"),
    case("W46", "a grape given away leaves its slot to one that is gained", *place("event",
         {"lira": 1, "grapes": {"red": [1, 2], "white": [1, 2]}}, worker="grande", event="africa 2",
         board={"event": [at(1)]}), with_ends=["1.grape:red:2+1 lira-1", "1.grape:red:1+1 lira-1", ""],
         no_ends=["lira-1"]),
    case("W46", "on an event's place for a price that the partner has", *place("event", {}, {"lira": 3},
         worker="grande", event="north_america 8", board={"event": [at(1)]}), with_ends=["1.lira-3 vp+2", ""],
         no_ends=["vp+2"]),
]  # fmt: skip

ONE_PART = [
    case("W57", "A's tile without a vine left: any card", *place("draw_vine", {}, {"vine": VINES}, placed="A"),
         ends=[f"{deck}+1" for deck in DECKS if deck != "vine"]),
    case("W57", "without its tile A is closed then", table("summer", {}, {"vine": VINES}),
         refuses="place:draw_vine:plain:hatted"),
    case("W57", "K's tile without a field to harvest: a grape is aged", *place("harvest_field",
         {"grapes": {"red": [1]}}, placed="K"), gives="grape:red:1-1 grape:red:2+1"),
    case("W57", "D's tile without a structure: the point alone is none", table("summer", placed="D"),
         refuses="place:build_structure:plain:hatted"),
    case("W57", "G's tile with nothing to lose: its lira alone is none", table("summer", BROKE, placed="G"),
         refuses="place:exchange:plain:hatted"),
    case("W81", "a point of an event behind an order that cannot be filled is none",
         table("summer", event="greengully 6"), refuses="place:event:plain:hatted"),
]  # fmt: skip

COUNTED = [
    case("W82", "Asia's eighth card: everybody has a lira, and nobody a second one in the year",
         *place("give_tour", n=4, event="asia 8"), "place:give_tour:plain:hatted", gives="lira+2"),
    case("W90", "Asia counts the trades of a year", table("winter", event="asia 1", deeds=[{"trades": 1}]), "pass pass",
         holds=[("year", 2), ("seats.0.deeds.trades", None)]),
    case("W91", "Oceania the wines of a year", table("winter", deeds=[{"wines_sold_value_4_plus": 1}]), "pass pass",
         holds=[("year", 2), ("seats.0.deeds.wines_sold_value_4_plus", None)]),
    case("W58", "F: a full row leaves the next lower one that has room, at the price of the row that was paid",
         *place("sell_grapes_or_field",
         {"lira": 2, "grapes": {"red": [4, 5, 6], "white": [1, 2, 3, 4, 5, 6, 7, 8, 9]}, **NO_FIELDS}, placed="F"),
         with_ends=["grape:red:1+1 lira-2", "grape:red:1+1 lira-1"], no_ends=["grape:red:2+1 lira-2"]),
    case("W57", "G: its tile's own lira comes behind the exchanges and pays for none",
         table("summer", {**BROKE, "lira": 2}, placed="G"), refuses="place:exchange:plain:hatted"),
    case("O23", "an oval's card makes two at G", table("summer", {**BROKE, "vine": ["merlot"]}, ovals={"G": "vine"}),
         offers="place:exchange:oval:grande", refuses="place:exchange:oval:hatted"),
    case("O23", "an oval's vine does not make a planting, as nobody knows which it is",
         table("summer", ovals={"E": "vine"}), refuses="place:plant_vine:oval:grande"),
    case("O23", "nor its order a filling", table("winter", {"wines": {"red": [1, 2, 3], "white": [1, 2, 3]}},
         ovals={"N": "order"}), refuses="place:fill_order:oval:grande"),
    case("O23", "nor its visitor a play", table("winter", ovals={"J": "winter"}),
         refuses="place:play_winter_visitor:oval:grande"),
    case("O26", "who is placed under a hat has no bonus, whatever hat the action takes off", *place("train_worker",
         {"lira": 4, "workers": staff(0, 1, 3, 0)}, PASSED, space="oval", ovals={"L": "vp"}), gives="blue-1 lira-4"),
]  # fmt: skip

CASES: list[Case] = [*TRADE_FIRST, *ONE_PART, *COUNTED]
