"""Further cases of turns, trades, tiles and events."""

from __future__ import annotations

from typing import Any

from .actions import last
from .positions import ABLE, BIG, PASSED, Case, at, both, case, place, staff, table

YOKE: dict[str, Any] = {"structures": ["yoke"], "fields": {5: ["sangiovese"]}}
PARTNER = {"give_tour": [at(1)]}
OFFER = "place:give_tour:crowd:grande yes seat:+1"


WORKERS = [
    case("W35", "turns skip seats that have passed", *place("gain_lira", {"row": 1}, {"row": 3}, {"row": 2}, n=3),
         "pass option:1 place:gain_lira:plain:hatted place:gain_lira:plain:hatted", seat=1,
         refuses="place:gain_lira:plain:regular"),
    case("W38", "a worker is placed once a year", *place("gain_lira", {"workers": staff(1, 2, 0, 1)}, PASSED),
         legal=["pass", *(f"place:{action}:plain:grande" for action in ("draw_vine", "give_tour",
         "sell_grapes_or_field", "exchange", "gain_lira"))]),
    case("W39", "a grande in the crowd", *place("give_tour", {}, worker="grande", space="crowd", board=PARTNER), "no",
         holds=[("board.give_tour", [at(0, "grande", "crowd"), at(1, "yellow", "plain")])]),
    case("W50", "all placements in summer", table("summer", {**ABLE, "lira": 12}, display="C"), legal=["pass",
         *(name for action in ("draw_vine", "play_summer_visitor", "give_tour", "build_structure", "plant_vine",
         "sell_grapes_or_field", "exchange", "innovate", "gain_lira") for name in both(action))]),
    case("W72", "all placements in winter", table("winter",
         {**ABLE, "lira": 12, "wines": {"red": [1, 3], "white": [3]}, "structures": BIG}), legal=["pass",
         *(name for action in ("draw_order", "play_winter_visitor", "harvest_field", "train_worker", "make_wine",
         "fill_order", "sell_wine", "buy_influence", "gain_lira") for name in both(action))]),
    case("W41", "an event's place takes no hat of another season", table("winter", {"workers": staff(2, 0)},
         event="greengully 1"), offers="place:event:plain:grande", refuses="place:event:plain:hatted"),
    case("W63", "a point before the action may move the token", *place("buy_influence", {"lira": 8, "vp": 29},
         worker="grande", space="oval", ovals={"P": "vp"}, influence=8),
         ends=["influence+1 lira-8", "influence+2 lira-8 vp+1"]),
    case("W63", "at the end of the track the point comes after the action", *place("buy_influence",
         {"lira": 8, "vp": 29}, worker="grande", space="oval", ovals={"P": "vp"}, influence=9), decision="take_bonus",
         holds=[("seats.0.lira", 0)]),
    case("W63", "declined ageing is offered again after the action", *place("give_tour", {"grapes": {"red": [3]}},
         worker="grande", space="oval", ovals={"C": "age_grape"}), "no yes", holds=[("seats.0.deeds.tours", 1)],
         decision="age_grape", seat=0),
    case("O23", "the lira of an oval pays for the action or the lira of an oval pays a tax", table("summer",
         {"lira": 3}, display="A", ovals={"H": "lira"}), offers="place:innovate:oval:grande",
         refuses="place:innovate:oval:hatted"),
    case("O23", "the lira of an oval pays a tax", table("summer", {"vine": ["sangiovese"]}, event="oceania 2",
         ovals={"E": "lira"}), offers="place:plant_vine:oval:grande", refuses="place:plant_vine:oval:hatted"),
    case("O27", "L prefers the hat of a worker at hand", *place("train_worker", {"lira": 4, "workers": staff(1, 2)},
         board={"give_tour": [at(0)]}), "hat:yellow", holds=[("board.give_tour", [at(0, "yellow", "plain")])]),
    case("O27", "L prefers hats of workers at hand", *place("train_worker", {"lira": 4}), "hat:blue",
         holds=[("board.train_worker", [at(0, "blue", "plain")])]),
    case("W73", "the worker just placed may lose its hat", *place("train_worker",
         {"lira": 4, "workers": staff(0, 1, 3)}), "hat:blue",
         holds=[("board.train_worker", [at(0, "regular", "plain")])]),
    case("W76", "the temporary worker leaves at its owner's pass", table("winter",
         {"row": 7, "workers": staff(2, 2, 0, 1, 1)}, to_act=0), "pass", gives="temporary-1"),
    case("O31", "marks of the year are there until it ends for all",
         table("winter", {**YOKE, "used": ["yoke"]}, {"row": 2}), "pass pass wake_up:2 wake_up:1", offers=both("yoke")),
    case("O31", "marks of the year stay in winter", table("winter", {"row": 1, **YOKE, "used": ["yoke"]}),
         refuses=both("yoke")),
    case("W79", "the grande returns with an automatic pass", *place("gain_lira", {}, {"workers": staff(2, 0, 0, 0)},
         season="winter", board={"gain_lira": [at(1, "grande")]}), seat=0,
         holds=[("board.gain_lira", [at(0, "blue", "plain")])]),
    case("W107", "the Producer offers workers on ovals, on the lira place and on events", *place("play_summer_visitor",
         {"lira": 2, "summer": ["producer"], "workers": staff(1, 0, 0, 1)}, event="greengully 2", ovals={"C": "vp"},
         deeds=[{"event_space_uses": 1}],
         board={"give_tour": [at(0)], "gain_lira": [at(0, "regular")], "event": [at(0, "regular")]}),
         "card:summer:producer", offers=["place:give_tour:oval:hatted", "place:gain_lira:plain:regular",
         "place:event:plain:regular"]),
    case("O49", "an event's place stays used", *place("play_summer_visitor",
         {"lira": 2, "summer": ["producer"], "workers": staff(1, 2, 0, 1)}, PASSED, event="greengully 2",
         deeds=[{"event_space_uses": 1}], board={"event": [at(0, "regular")]}),
         "card:summer:producer place:event:plain:regular", seat=0, offers="place:gain_lira:plain:regular",
         refuses="place:event:plain:regular"),
    case("W107", "the Motivator gives a grande back wherever it stands", *place("play_winter_visitor",
         {"winter": ["motivator"]}, {"workers": staff(2, 2, 0, 0)}, board={"gain_lira": [at(1, "grande")]}),
         "card:winter:motivator yes", seat=1, offers="place:gain_lira:plain:grande", holds=[("board.gain_lira", None)]),
]  # fmt: skip

TRADES = [
    case("W43", f"beside a {worker} on {place}", table("summer", {"lira": 1},
         {"workers": staff(2, 2, 0, 0) if worker == "grande" else staff(1)}, event="greengully 1",
         board={place: [at(1, worker)]}, deeds=[{}, {"event_space_uses": 1}]), f"place:{place}:{space}:grande",
         decision="trade_start", legal=["yes", "no"])
    for worker in ("yellow", "grande")
    for place, space in (("give_tour", "crowd"), ("gain_lira", "plain"), ("event", "plain"))
] + [
    case("W43", "the seat chooses its partner", *place("give_tour", {}, {"lira": 1}, {"lira": 1}, worker="grande",
         space="oval", n=3, ovals={"C": "vp"}, board={"give_tour": [at(1), at(2)]}), "yes",
         legal=["seat:+1", "seat:+2"]),
    case("W46", "nothing moves before the answer", table("summer", {"lira": 7}, {"lira": 7}, board=PARTNER), OFFER,
         "kind:lira amount:3 kind:nothing", decision="trade_answer", seat=1,
         holds=[("seats.0.lira", 7), ("seats.1.lira", 7)]),
    case("W46", "only one trade", table("summer", {"lira": 7}, {"lira": 7}, board=PARTNER), OFFER,
         "kind:lira amount:1 kind:lira amount:2 yes", decision="place_worker", seat=1, holds=[("seats.0.lira", 10),
         ("seats.1.lira", 6), ("seats.0.deeds.trades", 1)]),
    case("O17", "a refused trade can be repeated after the action",
         table("summer", {"lira": 7}, {"lira": 7}, board=PARTNER), OFFER, "kind:lira amount:3 kind:nothing no",
         decision="trade_start", seat=0, holds=[("seats.0.lira", 9), ("seats.0.deeds.trades", None)]),
    case("W45", "an empty trade is illegal", table("summer", {"lira": 7}, {"lira": 7}, board=PARTNER), OFFER,
         "kind:nothing", refuses="kind:nothing", offers="kind:lira"),
    case("W45", "a trade can be one-sided", table("summer", {}, {"lira": 7}, board=PARTNER), OFFER,
         "kind:nothing kind:lira amount:7 yes", holds=[("seats.0.lira", 9), ("seats.1.lira", 0)]),
    case("W44", "its owner picks each card that goes", table("summer",
         {"vine": ["pinot", "syrah"], "summer": ["broker"]}, {"order": ["order_01", "order_02"]}, board=PARTNER), OFFER,
         "kind:vine amount:1 kind:order amount:2 yes", decision="give_card", seat=0,
         legal=["card:vine:pinot", "card:vine:syrah"]),
    case("W44", "the partner picks its cards", table("summer", {"vine": ["pinot", "syrah"]},
         {"order": ["order_01", "order_02"]}, board=PARTNER), OFFER,
         "kind:vine amount:1 kind:order amount:2 yes card:vine:syrah", decision="give_card", seat=1,
         legal=["card:order:order_01"]),
    case("W44", "visitors are not traded", table("summer", {"lira": 1, "vine": ["pinot"], "summer": ["broker"]},
         {"lira": 1}, board=PARTNER), OFFER, legal=["kind:lira", "kind:vine", "kind:nothing"]),
    case("O18", "amounts above ten are chosen in tens", table("summer", {"lira": 25}, {"lira": 1}, board=PARTNER),
         OFFER, "kind:lira amount:10", legal=["done", *(f"amount:{n}" for n in range(1, 11))]),
    case("O18", "after tens the rest is chosen", table("summer", {"lira": 25}, {"lira": 1}, board=PARTNER), OFFER,
         "kind:lira amount:10 amount:10", legal=["done", *(f"amount:{n}" for n in range(1, 6))]),
    case("W47", "a wine that would find no slot is not offered, a grape that only an exchange lets in is",
         table("summer", {"grapes": {"red": [2]}, "wines": {"blush": [5]}, "structures": ["medium_cellar"]},
         {"grapes": {"red": [1, 2]}}, board=PARTNER), OFFER, legal=["kind:grape", "kind:nothing"]),
    case("W47", "for the grape that leaves its slot", table("summer", {"grapes": {"red": [2]}},
         {"grapes": {"red": [1, 2]}}, board=PARTNER), OFFER, "kind:grape grape:red:2 kind:grape grape:red:1 yes",
         holds=[("seats.0.deeds.trades", 1)]),
    case("O19", "on an event's place once more after its action", *place("event", {"lira": 7}, {"lira": 7},
         worker="grande", event="greengully 1", board={"event": [at(1)]}), "no", decision="trade_start", seat=0,
         holds=[("seats.0.deeds.event_space_uses", 1)]),
    case("O22", "a retrieved grande may trade again", *place("gain_lira", {"lira": 4, "summer": ["producer"]},
         {"lira": 7, **PASSED}, worker="grande", board={"gain_lira": [at(1)]}),
         "yes seat:+1 kind:lira amount:1 kind:nothing yes",
         "place:play_summer_visitor:plain:hatted card:summer:producer place:gain_lira:plain:grande",
         "place:gain_lira:plain:grande",
         decision="trade_start", seat=0),
]  # fmt: skip

DEEDS = [
    case("W87", f'{name.replace("_", " ")}: one', position, *moves, holds=[(f"seats.0.deeds.{name}", 1)])
    for name, position, *moves in (
        ("tours", table("summer"), "place:give_tour:plain:hatted"),
        ("structures_built", table("summer", ABLE), "place:build_structure:plain:hatted structure:trellis"),
        ("plants", table("summer", ABLE), "place:plant_vine:plain:hatted card:vine:sangiovese field:5"),
        ("harvests", table("winter", ABLE), "place:harvest_field:plain:hatted field:5"),
        ("wines_made", table("winter", ABLE), "place:make_wine:plain:hatted make:red grape:red:1 done"),
        ("orders_filled", table("winter", {"order": ["order_04"], "wines": {"red": [1], "white": [3]}}),
         "place:fill_order:plain:hatted card:order:order_04 wine:red:1 wine:white:3"),
        ("wines_sold", table("winter", {"wines": {"red": [3]}}), "place:sell_wine:plain:hatted wine:red:3"),
        ("wines_sold_value_4_plus", table("winter", {"wines": {"red": [4]}, "structures": BIG}),
         "place:sell_wine:plain:hatted wine:red:4"),
        ("visitors_played", table("summer", {"summer": ["patron"]}),
         "place:play_summer_visitor:plain:hatted card:summer:patron option:1"),
        ("innovations_taken", table("summer", {"lira": 4}, display="C"), "place:innovate:plain:hatted tile:C"),
        ("action_G_uses", table("summer", ABLE), "place:exchange:plain:hatted kind:lira kind:vp"),
        ("event_space_uses", table("summer", event="greengully 1"), "place:event:plain:hatted"),
    )
] + [
    case("W91", "a wine of 3 is no dear one", *place("sell_wine", {"wines": {"red": [3]}}), "wine:red:3",
         holds=[("seats.0.deeds.wines_sold_value_4_plus", None)]),
]  # fmt: skip

TILES = [
    case("W56", "H, of the partner: two tiles for one price", *place("innovate", {"lira": 4}, n=1, display="A C",
         placed="H", event="oceania 6"), ends=["lira-4 tile:A+1", "lira-4 tile:C+1", "lira-4 tile:A+1 tile:C+1"]),
    case("W56", "N, of the partner: two orders, a point with the second", *place("fill_order",
         {"order": ["order_03", "order_04"], "wines": {"red": [1, 3], "white": [1, 3]}}, n=1, placed="N"),
         with_ends=["order-1 residual+1 vp+2 wine:red:1-1 wine:white:3-1",
         "order-2 residual+2 vp+5 wine:red:1-1 wine:red:3-1 wine:white:1-1 wine:white:3-1"],
         no_ends=["order-2 residual+2 vp+4 wine:red:1-1 wine:red:3-1 wine:white:1-1 wine:white:3-1"]),
    case("W57", "E's tile: one vine and no point", *place("plant_vine", {"vine": ["sangiovese"], "sold": [6, 7]},
         placed="E"), gives="plant5+1 vine-1"),
    case("W53", "what is lost may be gained again, of the same kind",
         *place("exchange", {"vp": 1, "grapes": {"red": [5]}}), with_ends=["", "grape:red:5-1 lira+3",
         "grape:red:1+1 grape:red:5-1", "lira+3 vp-1"]),
]  # fmt: skip

POINTS = [
    case("W7", "there is no upper limit", *place("exchange", {"vp": 100, "reached_30": True, "lira": 3}),
         with_ends=["lira-3 vp+1"]),
    case("W5", "all have the reward and the rank of those who have won", last(25, 40), "pass", outcome="win",
         rewards=[1, 1], ranks=[1, 1], scores=[25, 40]),
    case("W5", "or lost", last(24, 40), "pass", outcome="loss", rewards=[-1, -1], ranks=[2, 2], scores=[24, 40]),
]  # fmt: skip

EVENTS = [
    case("W81", f"Greengully's place {number} without anything to do it with",
         table("summer", event=f"greengully {number}"), refuses=both("event"))
    for number in (3, 4, 5)
] + [
    case("W89", "three seats: the third use brings the step", *place("event", {}, {}, n=3, event="greengully 1",
         board={"event": [at(1), at(2)]}), gives="influence+1 lira+2 vine+1"),
    case("W89", "the second does not", *place("event", {}, n=3, event="greengully 1", board={"event": [at(1)]}),
         gives="lira+2 vine+1"),
    case("W81", "Well Diggers not without a lira", table("summer", event="africa 2"), refuses=both("event")),
    case("W81", "nor in winter", table("winter", {"lira": 9}, event="africa 2"), refuses=both("event")),
    case("W81", "Auction Rooms not without a wine of 4", table("winter",
         {"wines": {"red": [3]}, "aims": [1, 2], "aims_met": []}, {"aims": [3, 4], "aims_met": []}, event="europe 8"),
         refuses=both("event")),
    case("W31", "a tax is asked for its own action alone", table("summer", {"vine": ["sangiovese"]}, event="africa 1"),
         refuses=both("plant_vine"), offers=[*both("draw_vine"), *both("give_tour"), *both("gain_lira")]),
    case("W82", "at every taking, not once a year", *place("give_tour", {"workers": staff(1, 2, 0, 1)}, PASSED,
         worker="grande", space="crowd", event="north_america 2", board={"give_tour": [at(0)]}), gives="lira+4"),
    case("W90", "three steps in the game are the most", *place("give_tour", {"lira": 1}, worker="grande", space="crowd",
         event="asia 1", board=PARTNER, deeds=[{"trades": 1}], rule_steps=3), with_ends=["1.lira+1 lira+1"],
         no_ends=["1.lira+1 influence+1 lira+1"]),
    case("W88", "World's Eyes missed: a point of every seat, not below -5", table("winter", {"vp": 3},
         {"vp": -5, **PASSED}, event="africa 6"), "pass", holds=[("seats.0.victory_points", 2),
         ("seats.1.victory_points", -5)]),
    case("W85", "Blind Tasting: a wine of 6 is none of 7", table("winter", {},
         {"structures": BIG, "wines": {"red": [6]}, **PASSED}, event="north_america 5"), "pass",
         no_ends=["influence+1"], with_ends=[""]),
]  # fmt: skip


def overseer(lira: int, *vines: str) -> dict[str, Any]:
    """Return a position whose missing structures cost 4 lira or more."""
    seat = {"lira": lira, "vine": vines, "summer": ["overseer"], "structures": ["trellis", "irrigation", "yoke"]}
    return table("summer", seat, event="africa 2")


VISIT = "place:play_summer_visitor:plain:hatted"
DEAR = "sauvignon_blanc"  # needs irrigation, so it costs a lira in Africa
AFRICA = [
    case("W95", "the Planter's lira pays for its vine, and for one alone", table("summer",
         {"vine": [DEAR, DEAR], "summer": ["planter"], "structures": ["trellis", "irrigation"]}, event="africa 2"),
         VISIT, ends=[f"plant{field}+1 summer-1 vine-1" for field in (5, 6, 7)]),
    case("W95", "the Overseer builds and plants: 4 lira and one more for both", overseer(4, DEAR),
         refuses=both("play_summer_visitor")),
    case("W95", "what building leaves must pay for the vine", overseer(5, DEAR), VISIT, "card:summer:overseer option:1",
         refuses="structure:windmill", offers="structure:cottage"),
    case("W95", "in either order", overseer(5, DEAR), VISIT, "card:summer:overseer option:2",
         f"card:vine:{DEAR} field:7", refuses="structure:windmill", offers="structure:cottage"),
    case("W95", "a vine that costs nothing can come first", overseer(4, DEAR, "malvasia"), VISIT,
         "card:summer:overseer option:2", legal=["card:vine:malvasia"]),
    case("W95", "and is what is left", overseer(4, DEAR, "malvasia"), VISIT,
         "card:summer:overseer option:1 structure:cottage", legal=["card:vine:malvasia"]),
]  # fmt: skip

CASES: list[Case] = [*WORKERS, *TRADES, *DEEDS, *TILES, *POINTS, *EVENTS, *AFRICA]
