"""Cases of rulings: what the rulebook leaves open, as docs/world.md decides it with its reasons."""

from __future__ import annotations

from tests.table.fixtures import VINES

from .actions import DECKS, PASSED, cellar, pad
from .positions import Case, at, case, event, fields, hand, staff, table, tiles

HERE, IN_WINTER = {"workers": staff(1)}, {"workers": staff(2, 1)}  # a partner with a worker on the board
NO_FIELDS = {"fields": fields(["sangiovese"], ["sangiovese"], ["sangiovese"])}
BROKE = {"victory_points": -5}  # with nothing to lose at G

TRADE_FIRST = [
    case("W46", "H with a tile's price in the partner's purse: the trade must come first",
         table("summer", {}, {"lira": 20, **HERE}, tiles=tiles("C"), board={"innovate": [at(1)]}),
         "place:innovate:crowd:grande", decision="trade_start", legal=["yes"]),
    case("W46", "then the tile is had; the partner may also refuse, or lend too little",
         table("summer", {}, {"lira": 20, **HERE}, tiles=tiles("C"), board={"innovate": [at(1)]}),
         "place:innovate:crowd:grande",
         with_ends=["", "1.lira-4 tile:C+1", "1.lira-20 lira+16 tile:C+1", "1.lira-3 lira+3"],
         no_ends=["tile:C+1", "1.lira-3 lira-1 tile:C+1"]),
    case("W46", "whose trade is refused stands there without its action",
         table("summer", {}, {"lira": 20, **HERE}, tiles=tiles("C"), board={"innovate": [at(1)]}),
         "place:innovate:crowd:grande", "yes", "seat:+1", "kind:nothing", "kind:lira", "amount:4", "no",
         decision="place_worker", seat=1, holds=[("seats.0.lira", 0)]),
    case("W46", "a purse that is too small helps nobody",
         table("summer", {}, {"lira": 3, **HERE}, tiles=tiles("C"), board={"innovate": [at(1)]}),
         refuses=["place:innovate:crowd:grande"]),
    case("W46", "a grande alone trades", table("summer", {}, {"lira": 20, **HERE}, n=4, tiles=tiles("C"),
         board={"innovate": [at(1)]}), offers=["place:innovate:plain:grande"], refuses=["place:innovate:plain:hatted"]),
    case("W46", "lira taken before training pays for it",
         table("winter", {"lira": 1}, {"lira": 3, **IN_WINTER}, board={"train_worker": [at(1, "blue")]}),
         "place:train_worker:crowd:grande", with_ends=["1.lira-3 lira-1 yellow-1", "1.lira-3 blue-1 lira-1", ""],
         no_ends=["lira-1", "1.lira-2 lira+2 yellow-1"]),
    case("W46", "N with the partner's wine",
         table("winter", {"hand": hand(order=["order_04"]), "cellar": cellar(white=[3])},
               {"cellar": cellar([3]), **IN_WINTER}, board={"fill_order": [at(1, "blue")]}),
         "place:fill_order:crowd:grande",
         with_ends=["1.wine:red:3-1 order-1 residual+1 vp+2 wine:white:3-1", ""]),
    case("W46", "O with the partner's wine",
         table("winter", {}, {"cellar": cellar([3]), **IN_WINTER}, board={"sell_wine": [at(1, "blue")]}),
         "place:sell_wine:crowd:grande", ends=["", "1.wine:red:3-1 lira+3"]),
    case("W46", "G with a card of the partner's beside an own one",
         table("summer", {**BROKE, "hand": hand(["merlot"])}, {"hand": hand(order=["order_01"]), **HERE},
               board={"exchange": [at(1)]}),
         "place:exchange:crowd:grande", with_ends=["1.order-1 lira+3 vine-1", "1.order-1 order+1", ""]),
    case("W46", "E not with a vine of the partner's: which one it is the seat does not see (W27)",
         table("summer", {}, {"hand": hand(["sangiovese"]), **HERE}, board={"plant_vine": [at(1)]}),
         refuses=["place:plant_vine:crowd:grande"]),
    case("W46", "a grape given away leaves its slot to one that is gained",
         table("summer", {"lira": 1, "crush_pad": pad([1, 2], [1, 2])}, {"crush_pad": pad(), **HERE},
               **event("africa", 2), board={"event": [at(1)]}),
         "place:event:plain:grande", with_ends=["1.grape:red:2+1 lira-1", "1.grape:red:1+1 lira-1", ""],
         no_ends=["lira-1"]),
    case("W46", "on an event's place for a price that the partner has",
         table("summer", {}, {"lira": 3, **HERE}, **event("north_america", 8), board={"event": [at(1)]}),
         "place:event:plain:grande", with_ends=["1.lira-3 vp+2", ""], no_ends=["vp+2"]),
]  # fmt: skip

ONE_PART = [
    case("W57", "A's tile without a vine left: any card",
         table("summer", {}, {"hand": hand(VINES)}, tiles=tiles(placed="A")), "place:draw_vine:plain:hatted",
         ends=[f"{deck}+1" for deck in DECKS if deck != "vine"]),
    case("W57", "without its tile A is closed then",
         table("summer", {}, {"hand": hand(VINES)}), refuses=["place:draw_vine:plain:hatted"]),
    case("W57", "K's tile without a field to harvest: a grape is aged",
         table("winter", {"crush_pad": pad([1])}, tiles=tiles(placed="K")), "place:harvest_field:plain:hatted",
         ends=["grape:red:1-1 grape:red:2+1"]),
    case("W57", "D's tile without a structure: the point alone is none",
         table("summer", {}, tiles=tiles(placed="D")), refuses=["place:build_structure:plain:hatted"]),
    case("W57", "G's tile with nothing to lose: its lira alone is none",
         table("summer", BROKE, tiles=tiles(placed="G")), refuses=["place:exchange:plain:hatted"]),
    case("W81", "a point of an event behind an order that cannot be filled is none",
         table("summer", {}, **event("greengully", 6)), refuses=["place:event:plain:hatted"]),
]  # fmt: skip

COUNTED = [
    case("W82", "Asia's eighth card: everybody has a lira, and nobody a second one in the year",
         table("summer", {}, n=4, **event("asia", 8)), "place:give_tour:plain:hatted", "place:give_tour:plain:hatted",
         ends=["lira+2"]),
    case("W90", "Asia counts the trades of a year",
         table("winter", {}, {}, **event("asia", 1), deeds=[{"trades": 1}]), "pass", "pass",
         holds=[("year", 2), ("seats.0.deeds.trades", None)]),
    case("W91", "Oceania the wines of a year",
         table("winter", deeds=[{"wines_sold_value_4_plus": 1}]), "pass", "pass",
         holds=[("year", 2), ("seats.0.deeds.wines_sold_value_4_plus", None)]),
    case("W58", "F: a full row leaves the next lower one that has room, at the price of the row that was paid",
         table("summer", {"lira": 2, "crush_pad": pad([4, 5, 6], [1, 2, 3, 4, 5, 6, 7, 8, 9]), **NO_FIELDS},
               tiles=tiles(placed="F")), "place:sell_grapes_or_field:plain:hatted",
         with_ends=["grape:red:1+1 lira-2", "grape:red:1+1 lira-1"], no_ends=["grape:red:2+1 lira-2"]),
    case("W57", "G: its tile's own lira comes behind the exchanges and pays for none",
         table("summer", {**BROKE, "lira": 2}, tiles=tiles(placed="G")), refuses=["place:exchange:plain:hatted"]),
    case("O23", "an oval's card makes two at G",
         table("summer", {**BROKE, "hand": hand(["merlot"])}, tiles=tiles(ovals={"G": "vine"})),
         offers=["place:exchange:oval:grande"], refuses=["place:exchange:oval:hatted"]),
    case("O23", "an oval's vine does not make a planting, as nobody knows which it is",
         table("summer", {}, tiles=tiles(ovals={"E": "vine"})), refuses=["place:plant_vine:oval:grande"]),
    case("O23", "nor its order a filling", table("winter", {"cellar": cellar([1, 2, 3], [1, 2, 3])},
         tiles=tiles(ovals={"N": "order"})), refuses=["place:fill_order:oval:grande"]),
    case("O23", "nor its visitor a play", table("winter", tiles=tiles(ovals={"J": "winter"})),
         refuses=["place:play_winter_visitor:oval:grande"]),
    case("O26", "who is placed under a hat has no bonus, whatever hat the action takes off",
         table("winter", {"lira": 4, "workers": staff(0, 1, 3, 0)}, PASSED, tiles=tiles(ovals={"L": "vp"})),
         "place:train_worker:oval:hatted", ends=["blue-1 lira-4"]),
]  # fmt: skip

CASES: list[Case] = [*TRADE_FIRST, *ONE_PART, *COUNTED]
