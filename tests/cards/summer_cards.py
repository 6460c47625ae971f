"""Summer visitors that draw and discard cards."""

from tests.table.fixtures import SUMMER_VISITORS, VINES

from .visitor import up_to, visitor

HAND = {"vine": ["pinot"], "order": ["order_01"], "summer": ["broker"], "winter": ["judge"]}
CARDS = ["vine:pinot", "order:order_01", "summer:broker", "winter:judge"]
GIVEN = [f"{card}-1" for card in CARDS]

of = visitor("patron")  # 4 lira, or an order and a winter visitor
PATRON = [of("money or cards, at any time", {"vp": -5}, branches="1 2", ends=["lira+4", "order+1 winter+1"])]

of = visitor("auctioneer")  # two cards for 4 lira, or four for 3 VP
AUCTIONEER = [
    of("any two for money, any four for points", HAND,
       ends=[*(f"lira+4 {two}" for two in up_to(2, *GIVEN, min_changes=2)), "vp+3 " + " ".join(GIVEN)]),
    of("they go to their own piles, the Auctioneer after them (ruling 3.7)", HAND,
       moves="option:2 " + " ".join(f"card:{card}" for card in CARDS),
       holds=[("discards", {"vine": ["pinot"], "order": ["order_01"], "summer": ["broker", "auctioneer"],
                            "winter": ["judge"]})]),
    of("two equal ones", {"vine": ["pinot"] * 3}, branches="1", ends=["lira+4 vine:pinot-2"]),
    *(of(f"{n} other cards (ruling 3.6)", {"vine": ["pinot"] * n}, branches=branches)
      for n, branches in ((2, "1"), (3, "1"), (4, "1 2"))),
    *(of(f"refused with {n}", {"vine": ["pinot"] * n}, is_refused=True) for n in (0, 1)),
    of("gives in ascending order", {"vine": ["pinot", "merlot"]}, moves="option:1", legal="card:vine:pinot"),
]  # fmt: skip

of = visitor("entertainer")  # 4 lira for three winter visitors, or a wine and three visitors for 3 VP
SHOW = {"structures": ["medium_cellar", "large_cellar"], "summer": ["broker", "buyer"], "winter": ["judge", "queen"],
        "wines": {"red": [1], "white": [9]}}  # fmt: skip
THREE = {"winter": ["crusher", "judge", "queen"]}
ENTERTAINER = [
    of("four lira for three winter visitors", {"lira": 4}, branches="1", ends=["lira-4 winter+3"]),
    of("refused with three", {"lira": 3}, is_refused=True),
    of("any wine and any three visitors", SHOW | {"vine": ["pinot"], "order": ["order_01"]}, branches="2",
       ends=[f"vp+3 wine:{wine}-1 {cards}" for wine in ("red:1", "white:9")
             for cards in up_to(3, "summer:broker-1", "summer:buyer-1", "winter:judge-1", "winter:queen-1",
                                min_changes=3)]),
    of("of any type", THREE | {"wines": {"blush": [4], "sparkling": [7]},
                               "structures": ["medium_cellar", "large_cellar"]}, moves="option:2",
       legal="wine:blush:4 wine:sparkling:7"),
    of("the visitors are discarded", SHOW,
       moves="option:2 wine:white:9 card:summer:broker card:summer:buyer card:winter:queen",
       holds=[("discards", {"summer": ["broker", "buyer", "entertainer"], "winter": ["queen"]})]),
    of("visitors only, in ascending order", THREE | {"vine": ["pinot"], "order": ["order_01"], "wines": {"red": [1]}},
       moves="option:2 wine:red:1", legal="card:winter:crusher"),
    *(of(f"refused with {seat} (ruling 3.6)", seat, is_refused=True) for seat in (
        {"winter": ["judge", "queen"], "wines": {"red": [1]}}, THREE,
        {"winter": ["judge", "queen"], "vine": ["pinot"], "order": ["order_01"], "wines": {"red": [1]}})),
]  # fmt: skip

of = visitor("peddler")  # discard two cards, then draw one of each deck
EACH = "vine+1 order+1 summer+1 winter+1"
PEDDLER = [
    of("any two for one of each deck", HAND, ends=[f"{EACH} {two}" for two in up_to(2, *GIVEN, min_changes=2)]),
    of("they go to their own piles, the Peddler after them", HAND,
       moves="card:order:order_01 card:summer:broker",
       holds=[("discards", {"order": ["order_01"], "summer": ["broker", "peddler"]})]),
    of("discards before it draws (ruling 4): one of two Pinots is drawn again", {"vine": ["pinot", "pinot"]},
       {"vine": [vine for n, vine in enumerate(VINES) if n not in (VINES.index("pinot"), VINES.index("pinot") + 1)]},
       ends=["order+1 summer+1 winter+1 vine:pinot-1"]),
    of("draws nothing of an exhausted deck (ruling 8.2)", {"winter": ["judge", "queen"]}, {"vine": VINES},
       ends=["order+1 summer+1 winter+1 winter:judge-1 winter:queen-1"]),
    of("is not reshuffled while in play (ruling 3.7)", {"winter": ["judge", "queen"]},
       {"summer": [card for card in SUMMER_VISITORS if card != "peddler"]},
       ends=["vine+1 order+1 winter+1 winter:judge-1 winter:queen-1"]),
    of("a visitor that it drew may be the second of a bonus space (ruling 3.8)",
       {"vine": ["pinot", "syrah"], "lira": 9}, n=3, space="bonus", top={"next_draws": {"summer": ["broker"]}},
       moves="card:vine:pinot card:vine:syrah card:summer:broker option:1",
       gives="vine:pinot-1 vine:syrah-1 vine+1 order+1 winter+1 lira-9 vp+3",
       holds=[("discards.summer", ["peddler", "broker"])]),
    *(of(f"refused with {n} cards (ruling 3.6)", {"vine": ["pinot"] * n}, is_refused=True) for n in (0, 1)),
]  # fmt: skip

of = visitor("sponsor")  # two vines, or 3 lira, or both for 1 VP
SPONSOR = [
    *(of(f"vines, lira, or both for a point, at {points}", {"vp": points}, branches="1 2",
         ends=["vine+2", "lira+3", "vine+2 lira+3 vp-1"]) for points in (0, -4)),
    of("the second part is decided after the first (ruling 3.17)", moves="option:1", legal="option:2 done"),
    of("in either order", moves="option:2", legal="option:1 done"),
    of("not both at -5 (ruling 2.1)", {"vp": -5}, ends=["vine+2", "lira+3"]),
]  # fmt: skip

CASES = [*PATRON, *AUCTIONEER, *ENTERTAINER, *PEDDLER, *SPONSOR]
