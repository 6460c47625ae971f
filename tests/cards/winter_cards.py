"""Winter visitors that draw, discard or turn up cards."""

from tests.table.fixtures import CELLARS, ORDERS, SUMMER_VISITORS, VINES, WINTER_VISITORS

from .visitor import up_to, visitor

MEDIUM = ["medium_cellar"]


def all_but(cards, *kept_back):
    """Return the cards without some, to keep only those in the deck."""
    remaining = list(cards)
    for card in kept_back:
        remaining.remove(card)
    return remaining


of = visitor("judge")  # two summer visitors, or a wine of four or more for 3 VP
JUDGE = [
    of("two visitors; no points for a three", {"wines": {"red": [3]}, "structures": MEDIUM}, branches="1",
       ends=["summer+2"]),
    *(of(f"or three points for {wine} {value}", {"wines": {wine: [value]}, "structures": CELLARS},
         ends=["summer+2", f"vp+3 wine:{wine}:{value}-1"])
      for wine, value in (("red", 4), ("white", 9), ("blush", 4), ("sparkling", 7))),
    of("no wine below four", {"wines": {"red": [3, 4], "white": [1, 6]}, "structures": MEDIUM}, moves="option:2",
       legal="wine:red:4 wine:white:6"),
    of("draws on after the discards became the deck (ruling 8.1)", {},
       {"summer": all_but(SUMMER_VISITORS, "patron", "banker")}, moves="option:1",
       top={"discards": {"summer": ["banker"]}},
       holds=[("seats.0.hand.summer", ["patron", "banker"]), ("discards.summer", None)]),
    of("draws what there is (ruling 8.2)", {}, {"summer": all_but(SUMMER_VISITORS, "patron")}, moves="option:1",
       holds=[("seats.0.hand.summer", ["patron"])]),
]  # fmt: skip

of = visitor("benefactor")  # a vine and a summer visitor, or two visitors for 2 VP
GIVES = {"summer": ["broker", "patron"], "winter": ["judge"], "vine": ["pinot"], "order": ["order_01"]}
BENEFACTOR = [
    of("a vine and a visitor, or points for two visitors of either season", GIVES,
       ends=["vine+1 summer+1", *(f"vp+2 {two}" for two in up_to(
           2, "summer:broker-1", "summer:patron-1", "winter:judge-1", min_changes=2))]),
    of("two of winter; they are discarded", {"winter": ["merchant", "judge"]},
       moves="option:2 card:winter:merchant card:winter:judge", gives="vp+2 winter:merchant-1 winter:judge-1",
       holds=[("discards.winter", ["merchant", "judge", "benefactor"])]),
    of("gives in ascending order", GIVES, moves="option:2", legal="card:summer:broker card:summer:patron"),
    of("and the second", GIVES, moves="option:2 card:summer:broker", legal="card:summer:patron card:winter:judge"),
    of("neither itself nor other cards count (ruling 3.6)",
       {"winter": ["judge"], "vine": ["pinot"], "order": ["order_01"]}, branches="1"),
]  # fmt: skip

of = visitor("assessor")  # 1 lira for each card in hand, or the hand for 2 VP
HAND = {"winter": ["judge"], "vine": ["pinot", "syrah"], "order": ["order_01"], "summer": ["patron"]}
ASSESSOR = [
    of("a lira for every other card, or two points for all (ruling 3.6)", HAND,
       ends=["lira+5", "vp+2 winter:judge-1 vine:pinot-1 vine:syrah-1 order:order_01-1 summer:patron-1"]),
    of("the hand is discarded", HAND, moves="option:2",
       holds=[("discards.vine", ["pinot", "syrah"]), ("discards.order", ["order_01"]),
              ("discards.summer", ["patron"]), ("discards.winter", ["judge", "assessor"])]),
    of("with an empty hand nothing, and no points (ruling 2.12)", branches="1", ends=[""]),
    *(of(f"{deck}:{card} alone is a hand", {deck: [card]}, ends=["lira+1", f"vp+2 {deck}:{card}-1"])
      for deck, card in (("vine", "pinot"), ("order", "order_01"), ("summer", "patron"), ("winter", "politician"))),
]  # fmt: skip

of = visitor("innkeeper")  # the top cards of two discard piles
PILES = {"vine": ["pinot", "merlot"], "order": ["order_01", "order_02"], "summer": ["patron"]}
ORDERED = {"discards": {"vine": ["pinot", "syrah"], "summer": ["patron"], "winter": ["judge"]}}
INNKEEPER = [
    of("the top cards of two piles", top={"discards": PILES},
       ends=up_to(2, "vine:merlot+1", "order:order_02+1", "summer:patron+1", min_changes=2)),
    of("lower cards stay", top={"discards": PILES}, moves="deck:vine deck:order",
       holds=[("discards.vine", ["pinot"]), ("discards.order", ["order_01"]), ("discards.summer", ["patron"])]),
    of("winter visitors, but not itself (ruling 3.7)", moves="deck:summer deck:winter",
       top={"discards": {"summer": ["patron"], "winter": ["queen", "judge"]}},
       gives="summer:patron+1 winter:judge+1", holds=[("discards.winter", ["queen", "innkeeper"])]),
    of("two different piles in ascending order", top=ORDERED, legal="deck:vine deck:summer"),
    of("and the second", top=ORDERED, moves="deck:vine", legal="deck:summer deck:winter"),
    *(of(f"needs two piles (ruling 4): {piles}", top={"discards": piles}, is_refused=True)
      for piles in ({}, {"vine": ["pinot", "syrah"]}, {"winter": ["judge", "queen"]})),
]  # fmt: skip

of = visitor("caravan")  # turn up a card of each deck, keep two
TURNED = {"vine": ["merlot"], "order": ["order_05"], "summer": ["patron"], "winter": ["judge"]}
KEPT = {deck: f"{deck}:{cards[0]}+1" for deck, cards in TURNED.items()}


def turned(*decks):
    return {"next_draws": {deck: TURNED[deck] for deck in decks}}


FOUR, NO_VINE = turned(*TURNED), turned("order", "summer", "winter")
CARAVAN = [
    of("two of four cards", top=FOUR, ends=up_to(2, *KEPT.values(), min_changes=2)),
    of("the others are discarded", top=FOUR, moves="card:vine:merlot card:order:order_05",
       holds=[("discards.summer", ["patron"]), ("discards.winter", ["judge", "caravan"])]),
    of("these too", top=FOUR, moves="card:summer:patron card:winter:judge",
       holds=[("discards.vine", ["merlot"]), ("discards.order", ["order_05"]), ("discards.winter", ["caravan"])]),
    of("picks in ascending order", top=FOUR, legal="card:vine:merlot card:order:order_05 card:summer:patron"),
    of("and the second", top=FOUR, moves="card:order:order_05", legal="card:summer:patron card:winter:judge"),
    of("turns what exists (ruling 4)", {}, {"vine": VINES}, top=NO_VINE,
       ends=up_to(2, *list(KEPT.values())[1:], min_changes=2)),
    of("a last vine that is not kept is the new deck (rulings 8.1 and 8.2)", {}, {"vine": all_but(VINES, "merlot")},
       top=NO_VINE, moves="card:order:order_05 card:summer:patron",
       holds=[("discards.vine", None), ("discards.winter", ["judge", "caravan"])]),
    of("keeps both of two (ruling 4)", {}, {"vine": VINES, "order": ORDERS}, top=turned("summer", "winter"),
       ends=["summer:patron+1 winter:judge+1"]),
    of("is not among the discards that become the deck (rulings 3.7 and 8.1)", {},
       {"winter": all_but(WINTER_VISITORS, "caravan", "judge", "queen")}, moves="card:vine:merlot card:winter:judge",
       top=turned("vine", "order", "summer") | {"discards": {"winter": ["queen"]}},
       holds=[("discards.winter", ["caravan"])]),
]  # fmt: skip

of = visitor("craftsman")  # two of: an order, the next cellar, 1 VP
CRAFTSMAN = [
    of("two of three, with the medium cellar", {"lira": 4}, branches="1 2 3",
       ends=up_to(2, "order+1", "lira-4 medium_cellar+1", "vp+1", min_changes=2)),
    of("with the large cellar", {"lira": 6, "structures": MEDIUM},
       ends=up_to(2, "order+1", "lira-6 large_cellar+1", "vp+1", min_changes=2)),
    *(of(f"{lira} lira with {built or 'no cellar'}: the other two", {"lira": lira, "structures": built}, branches="1 3",
         ends=["order+1 vp+1"]) for lira, built in ((3, []), (5, MEDIUM), (9, CELLARS))),
    of("not the same twice, and not one alone (ruling 3.16)", {"lira": 9}, moves="option:1", legal="option:2 option:3"),
    of("after the cellar too", {"lira": 12}, moves="option:2 structure:medium_cellar", legal="option:1 option:3"),
    of("after the point, where no cellar can be built", moves="option:3", legal="option:1"),
]  # fmt: skip

CASES = [*JUDGE, *BENEFACTOR, *ASSESSOR, *INNKEEPER, *CARAVAN, *CRAFTSMAN]
