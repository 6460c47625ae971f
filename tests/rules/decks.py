"""Decks: reshuffling, exhausted decks, discard piles, cards that can be drawn."""

from functools import partial

from tests.table.case import case
from tests.table.fixtures import ORDERS, SUMMER_VISITORS, VINES, WINTER_VISITORS, place
from tests.table.setup_position import table

NOBODY = {"regular": 0, "grande": 0}


def all_but(*cards):
    remaining = list(VINES)
    for card in cards:
        remaining.remove(card)
    return remaining


def draws(deck):
    return [place(f"draw_{deck}"), place(f"draw_{deck}", "plain", "grande")]


HELD = [{"fields": {5: ["merlot", "syrah"]}}, {"vine": all_but("merlot", "merlot", "syrah", "pinot")}, NOBODY]
IN_ONE_PLACE = [
    case("Setup", "cards in no hand, on no field and not discarded can be drawn", table("summer", *HELD),
         place("draw_vine", "bonus"), "yes", holds=[("seats.0.hand.vine", ["pinot", "merlot"])]),
    case("Setup", "and then nothing is left", table("summer", *HELD), place("draw_vine", "bonus"), "yes pass",
         refuses=draws("vine")),
]  # fmt: skip
of = partial(case, "Setup, Deck maintenance")
LAST, LAST_TWO = all_but("chardonnay"), all_but("chardonnay", "merlot")
RESHUFFLED = [
    of("at once when the last card is drawn", table("summer", discards={"vine": LAST}), place("draw_vine"),
       holds=[("seats.0.hand.vine", ["chardonnay"]), ("discards.vine", None)]),
    of("not before the last card is drawn", table("summer", discards={"vine": LAST_TWO}), place("draw_vine"),
       holds=[("discards.vine", LAST_TWO)]),
    of("the second card of a bonus comes from the new deck", table("summer", n=3, discards={"vine": LAST}),
       place("draw_vine", "bonus"), legal="yes no", ends=["vine:chardonnay+1", "vine:chardonnay+1 vine:pinot+1"]),
]  # fmt: skip
EXHAUSTED = [
    *(of(f"without cards and discards its action is closed: {deck}", table(season, {}, {deck: cards}),
         refuses=draws(deck)) for season, deck, cards in (("winter", "order", ORDERS), ("summer", "vine", VINES))),
    *(of(f"with one card it is open: {deck}", table(season, {}, {deck: cards[1:]}),
         offers=draws(deck)) for season, deck, cards in (("winter", "order", ORDERS), ("summer", "vine", VINES))),
    of("no second card", table("winter", {}, {"order": ORDERS[1:]}, n=3), place("draw_order", "bonus"),
       ends=["order+1"]),
    of("in spring the row can be chosen, without a card", table("spring", {}, {"order": ORDERS}), "wake_up:3",
       gives="", seat=1),
    of("a discard opens it again", table("winter", {"order": ORDERS, "wines": {"red": [1], "white": [3]}}),
       place("fill_order"), "card:order:order_04 wine:red:1 wine:white:3", place("draw_order"),
       holds=[("seats.1.hand.order", ["order_04"])]),
    case("Fall actions", "a visitor of the deck that still has cards", table("summer", {}, {"summer": SUMMER_VISITORS}),
         "pass pass", decision="choose_deck", legal="deck:winter"),
    case("Fall actions", "none if neither has", table(
        "summer", {}, {"summer": SUMMER_VISITORS, "winter": WINTER_VISITORS}), "pass pass", decision="place_worker",
        holds=[("season", "winter")]),
]  # fmt: skip
FACE_UP = [
    case("Visitor cards", "used visitors go on top of their pile", table(
        "summer", {"summer": ["patron", "surveyor"]}, n=3, discards={"summer": ["broker"]}),
        place("play_summer_visitor", "bonus"), "card:summer:surveyor option:1 card:summer:patron option:1",
        holds=[("discards.summer", ["broker", "surveyor", "patron"])]),
]  # fmt: skip
CASES = [*IN_ONE_PLACE, *RESHUFFLED, *EXHAUSTED, *FACE_UP]
