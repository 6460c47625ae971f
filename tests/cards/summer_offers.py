"""Summer visitors that offer something to all seats or to opponents."""

from itertools import combinations

from tests.table.fixtures import ALL_STRUCTURES, SUMMER_VISITORS

from .visitor import plant, planted, visitor

ROWS = ({"row": 4}, {"row": 6}, {"row": 2, "passed": True}, {"row": 5})  # asked in wake-up order: 2, 0, 3, 1


def rows(**seat_spec):
    return [row | seat_spec for row in ROWS]


of = visitor("banker")  # 5 lira; each opponent may lose 1 VP for 3 lira
SOLD = "1.vp-1 1.lira+3"
BANKER = [
    *(of(f"an opponent at {points} may sell a point to the bank (rulings 2.1 and 4)", {}, {"vp": points},
         ends=["lira+5", f"lira+5 {SOLD}"]) for points in (0, -4)),
    of("pays before it asks", seat=1, legal="yes no", holds=[("seats.0.lira", 5)]),
    of("the opponents decide apart", n=4, moves="no yes no", gives="lira+5 2.vp-1 2.lira+3"),
    of("asks opponents in wake-up order, once, passed or not (rulings 3.13 and 3.14)", *rows(), asks="2 3 1"),
    of("does not ask at -5 (ruling 2.2)", {}, {"vp": -5}, {}, asks="2"),
    of("asks nobody when all are there", {}, {"vp": -5}, ends=["lira+5"], seat=1, decision="place_worker"),
]  # fmt: skip

of = visitor("swindler")  # 2 lira or 1 VP from each opponent
SWINDLER = [
    of("an opponent pays, or is worth a point (ruling 4)", {}, {"lira": 2}, ends=["lira+2 1.lira-2", "vp+1"]),
    of("a point if an opponent cannot pay (ruling 4)", {}, {"lira": 1}, {}, ends=["vp+2"]),
    of("the opponents decide apart", {}, {"lira": 5}, {"lira": 1}, {"lira": 3}, moves="yes no",
       gives="lira+2 vp+2 1.lira-2", seat=1, decision="place_worker"),
    of("asks opponents in wake-up order, passed or not (rulings 3.13 and 3.14)", *rows(lira=2), asks="2 3 1"),
]  # fmt: skip

of = visitor("vendor")  # a vine, an order and a winter visitor; each opponent may draw a summer visitor
OWN = "vine+1 order+1 winter+1"
TOP = {"next_draws": {"summer": ["broker", "buyer", "grower"]}}
ALL_BUT_TWO = [card for card in SUMMER_VISITORS if card not in ("vendor", "broker", "buyer")]
VENDOR = [
    of("each opponent may draw (ruling 4)", n=3,
       ends=[OWN, f"{OWN} 1.summer+1", f"{OWN} 2.summer+1", f"{OWN} 1.summer+1 2.summer+1"]),
    of("asks opponents in wake-up order, passed or not (rulings 3.13 and 3.14)", *rows(), asks="2 3 1"),
    of("and they draw in it", *rows(), moves="yes yes yes", top=TOP,
       gives=f"{OWN} 2.summer:broker+1 3.summer:buyer+1 1.summer:grower+1"),
    of("no offer without summer visitors", {}, {"summer": [*ALL_BUT_TWO, "broker", "buyer"]}, ends=[OWN]),
    of("the first to draw gets the last one (ruling 8.2)", {}, {"summer": [*ALL_BUT_TWO, "buyer"]}, {},
       moves="yes", seat=1, decision="place_worker", gives=f"{OWN} 1.summer+1"),
    of("the discards are a new deck at once (ruling 8.1)", {}, {"summer": ALL_BUT_TWO}, {}, moves="yes yes",
       top={"discards": {"summer": ["buyer"]}}, gives=f"{OWN} 1.summer+1 2.summer:buyer+1"),
]  # fmt: skip

of = visitor("volunteer_crew")  # everybody may plant; 2 lira for each opponent who does
MALVASIA = {"vine": ["malvasia"], "sold": [6, 7]}
THEIRS = "1.plant5:malvasia+1 1.vine:malvasia-1"
NORMAL = {"vine": ["malvasia", "pinot", "merlot"], "structures": ["trellis"], "fields": {5: ["cabernet_sauvignon"]}}
VOLUNTEER_CREW = [
    of("the own vine brings no lira; an opponent's two of the bank (ruling 4)", MALVASIA, MALVASIA,
       ends=["", planted("5:malvasia"), f"lira+2 {THEIRS}", f"lira+2 {THEIRS} {planted('5:malvasia')}"]),
    of("two opponents bring four lira", {}, MALVASIA, {"vine": ["sangiovese"]},
       moves=f"yes {plant('5:malvasia')} yes {plant('6:sangiovese')}",
       gives=f"lira+4 {THEIRS} 2.plant6:sangiovese+1 2.vine:sangiovese-1"),
    of("a planting seat's windmill scores (ruling 3.10)", {}, MALVASIA | {"structures": ["windmill"]}, moves="yes",
       ends=[f"lira+2 {THEIRS} 1.used:windmill+1 1.vp+1"]),
    of("asks in wake-up order with the player, passed or not (rulings 3.13 and 3.14)",
       *(row | {"vine": [vine]} for row, vine in zip(ROWS, ["sangiovese", "malvasia"] * 2, strict=True)),
       asks="2 0 3 1"),
    of("plants under the normal rules", {}, NORMAL, moves="yes", legal="card:vine:malvasia card:vine:pinot"),
    of("within the limit", {}, NORMAL, moves="yes card:vine:pinot", legal="field:6 field:7"),
    of("the offer does not reveal hands (P7)", {}, {"vine": ["merlot"]}, seat=1, decision="offer",
       legal="no"),
    *(of(f"skips seats that visibly cannot plant: {idle}", {"vine": ["sangiovese"]}, idle, {"vine": ["sangiovese"]},
         asks="0 2") for idle in ({}, {"vine": ["malvasia"], "sold": [5, 6, 7]},
                                  {"vine": ["malvasia"], "fields": {5: ["merlot", "syrah"]}, "sold": [6, 7]})),
    of("may be played for an opponent alone", {}, MALVASIA, ends=["", f"lira+2 {THEIRS}"]),
    of("or alone", {"vine": ["merlot"], "structures": ["irrigation"], "sold": [6, 7]},
       ends=["", planted("5:merlot")]),
    of("refused if no seat has a vine", {}, {"structures": ALL_STRUCTURES}, {}, is_refused=True),
    of("refused when the only vine is the own and lacks its structure", {"vine": ["merlot"]}, is_refused=True),
]  # fmt: skip

of = visitor("wedding_party")  # 2 lira to each of up to three opponents, 1 VP for each


def guests(*seats):
    return f"lira-{2 * len(seats)} vp+{len(seats)} " + " ".join(f"{seat}.lira+2" for seat in seats)


WEDDING_PARTY = [
    *(of(f"{n_guests} of three for {lira} lira", {"lira": lira}, n=4,
         ends=[guests(*some) for n in range(1, n_guests + 1) for some in combinations((1, 2, 3), n)])
      for lira, n_guests in ((2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3))),
    of("three at most, and one at least (ruling 4)", {"lira": 9}, n=5, legal=[f"seat:+{k}" for k in (1, 2, 3, 4)],
       ends=[guests(*some) for n in (1, 2, 3) for some in combinations((1, 2, 3, 4), n)]),
    of("no question after the third", {"lira": 9}, n=5, moves="seat:+1 seat:+2 seat:+3", seat=1,
       decision="place_worker"),
    of("each group in one order", {"lira": 9}, n=4, moves="seat:+2", legal="seat:+3 done"),
    of("opponents cannot refuse (ruling 3.15)", {"lira": 4}, {"passed": True}, {"vp": -5}, moves="seat:+1 seat:+2",
       gives=guests(1, 2)),
    of("refused with one lira", {"lira": 1}, is_refused=True),
]  # fmt: skip

of = visitor("importer")  # three winter visitors, unless the opponents together give three visitors
DRAWS = "winter+3"
GIVERS = ({}, {"summer": ["broker", "buyer", "grower"]}, {"winter": ["oenologist", "queen", "noble"]})
TOGETHER = {"vine": ["pinot"], "order": ["order_01"], "summer": ["broker", "buyer"], "winter": ["queen"]}


def gifts(**cards):
    """The changes when seats give cards: `_1="summer:broker"`."""
    return " ".join(f"{card}+1 {seat[1:]}.{card}-1" for seat, hand in cards.items() for card in hand.split())


IMPORTER = [
    *(of(f"draws unasked where the opponents hold fewer than three visitors: {others}", {}, *others, ends=[DRAWS])
      for others in ([{}], [{"summer": ["broker", "buyer"]}], [{"summer": ["broker"]}, {"winter": ["queen"]}],
                     [{"vine": ["pinot"], "order": ["order_01"], "summer": ["broker", "buyer"]}])),
    of("three visitors or none, of any kind (section 6)", {}, TOGETHER,
       ends=[DRAWS, gifts(_1="summer:broker summer:buyer winter:queen")]),
    of("visitors only, and optional (ruling 3.15)", {}, TOGETHER, seat=1, decision="import_card",
       offers="card:summer:broker done", refuses="card:vine:pinot card:order:order_01"),
    of("three of two opponents", *GIVERS,
       moves="card:summer:broker done card:winter:oenologist card:winter:queen", decision="place_worker",
       gives=gifts(_1="summer:broker", _2="winter:oenologist winter:queen")),
    of("no more than is missing", *GIVERS, moves="card:summer:broker card:summer:buyer done", seat=2,
       decision="import_card", ends=[DRAWS, *(gifts(_1="summer:broker summer:buyer", _2=f"winter:{card}")
                                              for card in ("oenologist", "queen", "noble"))]),
    of("offers that fall short are taken back", *GIVERS, moves="card:summer:broker card:summer:buyer done done",
       gives=DRAWS),
    of("no question when three are together", {}, {"summer": ["broker", "buyer", "grower", "patron"]}, GIVERS[2],
       moves="card:summer:broker card:summer:buyer card:summer:patron", decision="place_worker",
       gives=gifts(_1="summer:broker summer:buyer summer:patron")),
    of("asks in wake-up order, passed or not (rulings 3.13 and 3.14)", *(
        row | hand for row, hand in zip(ROWS, ({}, GIVERS[1], {"summer": ["planter", "peddler", "patron"]},
                                               {"summer": ["sponsor", "artisan", "vendor"]}), strict=True)),
       asks="2 3 1"),
]  # fmt: skip

CASES = [*BANKER, *SWINDLER, *VENDOR, *VOLUNTEER_CREW, *WEDDING_PARTY, *IMPORTER]
