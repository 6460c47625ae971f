"""Rules of all visitors, tested on a card or two. Tests of each card are in tests/cards."""

from functools import partial

from tests.cards.visitor import up_to, visitor
from tests.table.case import case
from tests.table.fixtures import at, place
from tests.table.setup_position import table

from .structures import PLANTINGS, VINES


def of(rule, card, title, *seats, **expect):
    return visitor(card)(f"{title}: {card}", *seats, **expect)._replace(rule=rule)


PATRON = {"discards": {"summer": ["broker"]}}

cards = partial(of, "Visitor cards")
WHOLE = [
    cards("broker", "no branch that can be resolved whole", {"lira": 8, "vp": -4}, is_refused=True),
    cards("broker", "only the branch that can be resolved", {"lira": 9, "vp": -4}, branches="1"),
    case("Visitor cards", "only playable visitors are offered", table("summer", {
        "vp": -5, "summer": ["surveyor", "broker", "wine_critic"]}), place("play_summer_visitor"),
         legal="card:summer:surveyor card:summer:wine_critic"),
    cards("planter", "up to two is at least one", VINES, moves="option:1",
          ends=[f"lira+1 {vines}" for vines in up_to(2, *PLANTINGS)]),
    cards("patron", "two branches", branches="1 2"),
    cards("patron", "one of them is carried out", moves="option:1", gives="lira+4"),
    cards("overseer", "parts in any order, of which one can begin", {"lira": 2, "vine": ["pinot"]}, branches="1"),
    cards("overseer", "the first part makes the second possible", {"lira": 2, "vine": ["pinot"]},
          moves="option:1 structure:trellis card:vine:pinot field:5",
          gives="lira-2 trellis+1 plant5:pinot+1 vine:pinot-1"),
    cards("overseer", "parts in any order", {"lira": 2, "vine": ["pinot"], "structures": ["trellis"]}, branches="1 2"),
    cards("agriculturist", "a condition is no demand", {"vine": ["malvasia"]}, moves="card:vine:malvasia field:5",
          gives="plant5:malvasia+1 vine:malvasia-1"),
    cards("contractor", "two parts of three, the second after the first", {"lira": 2},
          moves="option:2 structure:trellis", decision="choose_option", legal="option:1"),
    cards("contractor", "no second part that can be resolved", {"lira": 1}, is_refused=True),
    cards("sponsor", "the second part for a point follows the first", {"vp": -4}, moves="option:1",
          legal="option:2 done", ends=["vine+2", "vine+2 lira+3 vp-1"]),
    cards("sponsor", "no second part without the point", {"vp": -5}, moves="option:1", gives="vine+2"),
    cards("surveyor", "branches that yield nothing are open",
          {"fields": {5: ["pinot"], 6: ["pinot"], 7: ["pinot"]}}, branches="1 2"),
    cards("surveyor", "a card played to wait", {"fields": {5: ["pinot"], 6: ["pinot"], 7: ["pinot"]}},
          moves="option:1", gives=""),
]  # fmt: skip
PRICES = [
    of("Game board setup, Note 1", "broker", "down to the floor", {"vp": -3}, moves="option:2", gives="vp-2 lira+6"),
    of("Game board setup, Note 1", "broker", "not below it", {"vp": -4}, is_refused=True),
    cards("architect", "a discount gives no money back", moves="option:1",
          ends=["trellis+1", "irrigation+1", "yoke+1"]),
    cards("broker", "an exchange is made once (One way conversions)", {"lira": 30}, moves="option:1",
          gives="lira-9 vp+3"),
]  # fmt: skip
IN_PLAY = [
    cards("auctioneer", "a card does not pay for itself", {"vine": ["pinot"]}, is_refused=True),
    cards("auctioneer", "it has left the hand", {"vine": ["pinot", "merlot"]}, moves="option:1",
          legal="card:vine:pinot"),
    cards("patron", "nor is it discarded while it is played", top=PATRON,
          holds=[("discards.summer", ["broker"]), ("seats.0.hand.summer", [])]),
    cards("patron", "discarded when it is resolved", top=PATRON, moves="option:1",
          holds=[("discards.summer", ["broker", "patron"])]),
    cards("peddler", "the second visitor may be one just drawn", {"vine": ["pinot", "merlot"]}, n=3, space="bonus",
          top={"next_draws": {"summer": ["patron"]}}, moves="card:vine:pinot card:vine:merlot",
          decision="play_visitor", legal="card:summer:patron done"),
    case("Visitor cards", "the second is not yet playable", table("summer", {
        "lira": 4, "summer": ["patron", "stonemason"]}, n=3), place("play_summer_visitor", "bonus"),
         legal="card:summer:patron"),
    cards("patron", "the first may make the second playable", {"lira": 4, "summer": ["stonemason"]}, n=3,
          space="bonus", moves="option:1", legal="card:summer:stonemason done"),
]  # fmt: skip
BUILT = {"n": 3, "space": "bonus", "top": {"board": {"build_structure": [at(1), at(2, "bonus")], "give_tour": [at(1)]}}}
BOARD = [
    cards("contractor", "no discount of the board", {"lira": 2}, **BUILT, moves="option:1 option:2",
          legal="structure:trellis structure:yoke"),
    cards("contractor", "no space and no second worker", {"lira": 2}, **BUILT, moves="option:1 option:2 structure:yoke",
          gives="vp+1 lira-2 yoke+1"),
    cards("tour_guide", "a card is not the tour", {"structures": ["tasting_room"], "wines": {"red": [1]}},
          moves="option:1", gives="lira+4"),
    cards("planter", "the windmill pays for vines of a card", VINES | {"structures": ["windmill"]}, moves="option:1",
          ends=[f"lira+1 vp+1 used:windmill+1 {vines}" for vines in up_to(2, *PLANTINGS)]),
    cards("professor", "a worker trained by a card starts next year", {"lira": 2}, moves="option:1 pass pass",
          gives="lira-2 regular+2", holds=[("seats.0.workers", {"regular": 3, "grande": 1, "temporary": 0})]),
    case("Train a new worker, Note 1", "cards keep the limit", table("winter", {
        "regular": 5, "lira": 9, "winter": ["teacher", "professor"]}), place("play_winter_visitor"),
         legal="card:winter:professor"),
    of("Train a new worker, Note 1", "professor", "cards keep the limit", {"regular": 5, "lira": 9}, branches="2"),
]  # fmt: skip

chart = partial(of, "Glossary, Wake-up chart")
FOUR = ({"row": 3}, {"row": 6}, {"row": 1, "passed": True}, {"row": 2, "vp": -5})
GRAPE = {"grapes": {"red": [1]}}
VINE = {"vine": ["sangiovese"]}
OFFERS = [
    chart("banker", "offers in wake-up order, to who has passed too", *FOUR, asks="2 1"),
    chart("banker", "each answers for itself", *FOUR, moves="yes no", gives="lira+5 2.lira+3 2.vp-1"),
    chart("mentor", "the active player at the own place", GRAPE | {"row": 4}, GRAPE | {"row": 1}, GRAPE | {"row": 5},
          asks="1 0 2"),
    cards("banker", "offered only to seats that can use it", {}, {"vp": -5}, {"vp": -4}, asks="2"),
    *(of("Game board setup, Note 2", "volunteer_crew", f"a seat with {vine} is asked", VINE, {"vine": [vine]},
         moves="no", seat=1, decision="offer", legal=legal)
      for vine, legal in (("chardonnay", "no"), ("malvasia", "yes no"))),
    of("Game board setup, Note 2", "volunteer_crew", "no seat without vines", VINE, {"order": ["order_01"]},
       moves="no", seat=1, decision="place_worker"),
]  # fmt: skip
CASES = [*WHOLE, *PRICES, *IN_PLAY, *BOARD, *OFFERS]
