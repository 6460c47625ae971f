"""Winter visitors that offer something to all seats, a neighbour or chosen opponents."""

from itertools import combinations

from tests.table.fixtures import CELLARS, VINES, at

from .visitor import made, make, up_to, visitor

ROWS = (3, 7, 1, 2)  # asked in wake-up order: seats 2, 3, 0, 1


def by(number, changes):
    """Return the changes at another seat."""
    return " ".join(f"{number}.{change}" for change in changes.split())


of = visitor("mentor")  # everybody may make one or two wines; a vine or a summer visitor for each opponent who does
RED = {"grapes": {"red": [1]}}
RED_AND_WHITE = {"grapes": {"red": [1], "white": [2]}}
MAKES = "yes " + make("red:1")
MENTOR = [
    of("one own wine or two, or none, brings no card", {"grapes": {"red": [1, 2, 3]}},
       ends=["", *up_to(2, *map(made, ("red:1", "red:2", "red:3")))]),
    of("an opponent's brings a vine or a summer visitor", {}, RED,
       ends=["", *(f"{deck}+1 {by(1, made('red:1'))}" for deck in ("vine", "summer"))]),
    of("of the player's choice", {}, RED, moves=MAKES, seat=0, decision="choose_deck", legal="deck:vine deck:summer"),
    of("no deck without cards (ruling 8.2)", {}, RED | {"vine": VINES}, moves=MAKES, legal="deck:summer"),
    of("two wines of an opponent bring one card", {}, RED_AND_WHITE,
       moves="yes " + make("red:1", "white:2") + " deck:vine", gives=f"vine+1 {by(1, made('red:1', 'white:2'))}"),
    of("a card is chosen for each opponent", {}, RED, RED, moves=f"{MAKES} deck:summer {MAKES} deck:vine",
       gives=f"vine+1 summer+1 {by(1, made('red:1'))} {by(2, made('red:1'))}"),
    of("an opponent makes wine in the own cellar", {"structures": CELLARS}, {"grapes": {"red": [8]}},
       moves="yes make:red grape:red:8 deck:vine", gives="vine+1 1.grape:red:8-1 1.wine:red:3+1"),
    of("accepting makes a wine (ruling 3.2)", {}, RED_AND_WHITE, moves="yes", seat=1, legal="make:red make:white"),
    of("asks in wake-up order (ruling 3.13)", *(RED | {"row": row} for row in ROWS), asks="2 3 0 1"),
    of("asks players who passed (ruling 3.14)", {}, {}, RED | {"passed": True}, asks="2"),
    of("asks only seats that can make wine", RED, {}, RED | {"wines": {"red": [1]}}, RED, asks="0 3"),
    of("refused if no seat can", is_refused=True),
]  # fmt: skip

of = visitor("guest_speaker")  # everybody may train for 1; 1 VP for each opponent who does
OWN, OTHER = "lira-1 trained+1", "vp+1 1.lira-1 1.trained+1"
GUEST_SPEAKER = [
    of("the own worker brings no point", {"lira": 1}, ends=["", OWN]),
    of("an opponent's does; each may decline", {"lira": 1}, {"lira": 1}, ends=["", OWN, OTHER, f"{OWN} {OTHER}"]),
    of("a point for each opponent", {"lira": 1}, {"lira": 2}, {"lira": 1}, {"lira": 1}, moves="yes yes no yes",
       gives=f"{OWN} vp+2 {by(1, OWN)} {by(3, OWN)}"),
    of("asks in wake-up order (ruling 3.13)", *({"lira": 1, "row": row} for row in ROWS), asks="2 3 0 1"),
    of("asks only seats with money and room for a permanent worker", {}, {},
       {"lira": 1, "regular": 5}, {"lira": 1, "regular": 4, "trained": 1},
       {"lira": 1, "regular": 4, "temporary": 1, "row": 7}, {"lira": 1, "regular": 3},
       top={"board": {"draw_order": [at(5)]}}, asks="5 4"),
    of("asks players who passed (ruling 3.14)", {}, {}, {"lira": 1, "passed": True}, asks="2"),
    of("may be played for an opponent alone", {}, {"lira": 1}, ends=["", OTHER]),
    of("refused if no seat can train", is_refused=True),
]  # fmt: skip


def grandes(*seats, action="draw_order"):
    """Return a winter action with the grande of one seat on a space and the others in the crowd."""
    return {"board": {action: [at(seat, "crowd" if n else "plain", "grande") for n, seat in enumerate(seats)]}}


of = visitor("motivator")  # everybody who has not passed may take the grande back; 1 VP for each opponent who does
AWAY = {"grande": 0}
YOKE = {"grande": 0, "structures": ["yoke"], "used": ["yoke"], "fields": {6: ["pinot"]}}
MOTIVATOR = [
    of("the own grande brings no point", AWAY, top=grandes(0), moves="yes", gives="grande+1",
       holds=[("board.draw_order", None)]),
    of("an opponent's does; it may be declined", {}, AWAY, top=grandes(1), ends=["", "vp+1 1.grande+1"]),
    of("a point for each opponent", *[AWAY] * 4, top=grandes(0, 1, 2, 3), moves="yes yes no yes",
       gives="vp+2 grande+1 1.grande+1 3.grande+1", holds=[("board.draw_order", [at(2, "crowd", "grande")])]),
    of("the grande that played it (ruling 4)", worker="grande", moves="yes", gives="grande+1",
       holds=[("board.play_winter_visitor", None)]),
    of("declining is allowed", {}, AWAY, top=grandes(1), moves="no",
       holds=[("board.draw_order", [at(1, worker="grande")])]),
    of("the space is open again", {}, AWAY | {"regular": 0, "fields": {5: ["merlot"]}},
       top=grandes(1, action="harvest_field"), moves="yes", seat=1, offers="place:harvest_field:plain:grande"),
    of("a grande placed in summer", {}, AWAY, top=grandes(1, action="give_tour"), ends=["", "vp+1 1.grande+1"]),
    of("does not ask opponents who passed (ruling 3.14)", {}, AWAY | {"passed": True}, AWAY, top=grandes(1, 2),
       asks="2"),
    of("asks seats without workers that have not passed (ruling 1.11)", {}, AWAY | {"regular": 0}, top=grandes(1),
       moves="yes", gives="vp+1 1.grande+1", seat=1),
    of("asks in wake-up order (ruling 3.13)", *(AWAY | {"row": row} for row in ROWS), top=grandes(0, 1, 2, 3),
       asks="2 3 0 1"),
    of("asks only for grandes that are placed", {}, {}, AWAY, top=grandes(2), asks="2"),
    of("refused if the only grande is of a seat that passed", {}, AWAY | {"passed": True}, top=grandes(1),
       is_refused=True),
    of("refused to a regular worker when no grande is placed", is_refused=True),
    of("a grande back from the yoke leaves it used (section 5)", YOKE, {"passed": True}, moves="yes", gives="grande+1",
       top={"board": {"yoke": [at(0, worker="grande")]}}, seat=0, holds=[("board.yoke", None)],
       refuses="place:yoke:plain:regular place:yoke:plain:grande"),
    of("other workers stay", {}, AWAY, top={"board": grandes(1)["board"] | {"make_wine": [at(1)]}}, moves="yes",
       holds=[("board.make_wine", [at(1)])]),
]  # fmt: skip

of = visitor("queen")  # the right-hand neighbour loses 1 VP, or gives two cards or 3 lira


def gifts(*cards):
    """Return the results in which seat 1 gives two of these cards."""
    return [" ".join(f"{card}+1 1.{card}-1" for card in two) for two in combinations(cards, 2)]


LOW = {"vp": -5}
QUEEN = [
    of("costs the neighbour a point", {}, {"vp": 3}, ends=["1.vp-1"]),
    of("two cards", {}, LOW | {"vine": ["pinot", "syrah"], "summer": ["patron"]},
       ends=gifts("vine:pinot", "vine:syrah", "summer:patron")),
    of("of any kind (ruling 4)", {}, LOW | {"order": ["order_09"], "winter": ["judge"]},
       ends=gifts("order:order_09", "winter:judge")),
    of("two equal vines", {}, LOW | {"vine": ["merlot", "merlot"]}, ends=["vine:merlot+2 1.vine:merlot-2"]),
    of("three lira", {}, LOW | {"lira": 3, "order": ["order_01"]}, ends=["lira+3 1.lira-3"]),
    *(of(f"the neighbour chooses what can be paid (rulings 2.2 and 4): {neighbour}", {}, neighbour, seat=1,
         decision="queen", legal=options)
      for neighbour, options in (({"vp": -4}, "option:1"), ({"lira": 2, "summer": ["patron"]}, "option:1"),
                                 ({"lira": 3, "summer": ["patron"], "order": ["order_01"]},
                                  "option:1 option:2 option:3"))),
    of("refused when the neighbour can pay nothing (ruling 4)", {}, LOW | {"lira": 2, "vine": ["pinot"]},
       is_refused=True),
    of("gives in ascending order", {}, {"vine": ["malvasia", "pinot"], "winter": ["judge"]}, moves="option:2",
       legal="card:vine:malvasia card:vine:pinot"),
    of("and the second", {}, {"vine": ["malvasia", "pinot"], "winter": ["judge"]}, moves="option:2 card:vine:pinot",
       legal="card:winter:judge"),
    *(of(f"the previous seat, in any rows (ruling 4): {rows}", *({"row": row} for row in rows), seat=3,
         legal="option:1") for rows in ((4, 3, 2, 1), (1, 2, 3, 4), (2, 1, 4, 3))),
    of("a neighbour who passed (ruling 3.14)", {}, {}, {"passed": True}, ends=["2.vp-1"]),
    of("only the neighbour", {}, {"lira": 9, "vine": ["pinot", "syrah"]}, LOW, is_refused=True),
]  # fmt: skip

of = visitor("governor")  # up to three opponents give a summer visitor; 1 VP for each who has none
TWO = {"summer": ["broker", "patron"], "winter": ["judge"]}
GIVERS = ({}, {"summer": ["patron"], "row": 5}, {"row": 4}, {"summer": ["broker"], "row": 3})
GOVERNOR = [
    of("a summer visitor of the opponent's choice", {}, TWO,
       ends=[f"summer:{card}+1 1.summer:{card}-1" for card in ("broker", "patron")]),
    of("the opponent gives", {}, TWO, moves="seat:+1", seat=1, decision="give_card",
       legal="card:summer:broker card:summer:patron"),
    of("a point where there is none (ruling 4)", {}, {"winter": ["judge"], "vine": ["pinot"]}, ends=["vp+1"]),
    of("chosen by seat, giving by row (ruling 3.13)", *GIVERS, moves="seat:+1 seat:+2 seat:+3", seat=3),
    of("and the next", *GIVERS, moves="seat:+1 seat:+2 seat:+3 card:summer:broker", seat=1,
       gives="vp+1 summer:broker+1 3.summer:broker-1 summer:patron+1 1.summer:patron-1"),
    of("chooses opponents in ascending order", n=4, legal="seat:+1 seat:+2 seat:+3"),
    of("may stop after one", n=4, moves="seat:+2", legal="seat:+3 done", with_ends=["vp+1", "vp+2"]),
    *(of(f"three at most: {choices}", n=6, moves=choices, gives="vp+3")
      for choices in ("seat:+1 seat:+2 seat:+3", "seat:+2 seat:+4 seat:+5")),
    of("opponents who passed give too (rulings 3.14 and 3.15)", {}, {}, {"summer": ["patron"], "passed": True},
       moves="seat:+2", gives="summer:patron+1 2.summer:patron-1"),
]  # fmt: skip

CASES = [*MENTOR, *GUEST_SPEAKER, *MOTIVATOR, *QUEEN, *GOVERNOR]
