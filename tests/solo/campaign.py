"""Challenges 2 to 6 and 8 of the campaign: each changed rule and its limits."""

from tests.table.fixtures import CELLARS, SUMMER_ACTIONS, WINTER_ACTIONS, at, place

from .automa import CARDS
from .positions import ABLE, ROWS, TO_WINTER, rule, spring, stand, summer, winter

KINDS = ("regular", "grande")
VISITOR = {"summer": place("play_summer_visitor"), "winter": place("play_winter_visitor")}

of = rule("Campaign 2")  # two regular workers, the middle spaces, tokens never spent
C = {"challenge": 2}
MIDDLE = place("play_winter_visitor", "bonus")
CHALLENGE_2 = [
    of("the middle space of each action and no left one", summer(ABLE, **C), legal=[
        "pass", *(place(action, "bonus", kind) for action in SUMMER_ACTIONS for kind in KINDS),
        *(place(name, worker=kind) for name in ("gain_lira", "yoke") for kind in KINDS)]),
    of("the middle space gives its bonus", summer(**C), place("give_tour", "bonus"), decision="take_bonus",
       ends=["lira+2", "lira+3"]),
    of("a second vine on the middle space", summer({"vine": ["sangiovese", "malvasia"], "sold": [6, 7]}, **C),
       place("plant_vine", "bonus"), "card:vine:sangiovese field:5",
       ends=["plant5:sangiovese+1 vine:sangiovese-1",
             "plant5:sangiovese+1 vine:sangiovese-1 plant5:malvasia+1 vine:malvasia-1"]),
    of("the Automa blocks the middle spaces", spring(ABLE, automa="02", **C), "wake_up:1",
       gives=f"glass1-1 token+1 {stand(CARDS['02'][0])}", offers=[
           place("draw_vine", "crowd", "grande"), place("give_tour", "bonus"), place("give_tour", "bonus", "grande")],
       refuses=[place("draw_vine", "bonus"), place("give_tour", "crowd", "grande")]),
    of("its workers leave the middle spaces", spring(automa="02 01", **C), "wake_up:1", TO_WINTER, "pass",
       holds=[("board", {})]),
    of("a grande in the crowd has no bonus, no token is spent", spring({"tokens": 2}, automa="05", **C), "wake_up:1",
       place("give_tour", "crowd", "grande"), gives="glass1-1 token+1 automa:give_tour+1 lira+2 grande-1"),
    of("the Planner plans on the middle spaces", summer({"summer": ["planner"]}, **C),
       place("play_summer_visitor", "bonus"), "card:summer:planner",
       legal=[place(action, "bonus", kind) for action in WINTER_ACTIONS for kind in KINDS]),
    of("a planned action has the bonus of its space", summer({"summer": ["planner"]}, automa="01", **C),
       place("play_summer_visitor", "bonus"), "card:summer:planner", place("draw_order", "bonus"), TO_WINTER,
       decision="take_bonus", ends=["summer+1 regular-1 order+1", "summer+1 regular-1 order+2"]),
    of("tokens are taken by the rows", spring({"tokens": 1, "glass": [1, 4]}, **C), legal="wake_up:1 wake_up:4"),
    of("tokens are never spent", spring({"tokens": 1, "glass": [1, 4]}, automa="16", **C), "wake_up:1",
       place("give_tour", "bonus"), ends=["glass1-1 token+1 regular-1 lira+2", "glass1-1 token+1 regular-1 lira+3"]),
    of("tokens do not pay for a crowded action", spring({"tokens": 2, "lira": 1}, automa="06", **C), "wake_up:1",
       refuses=place("build_structure", "crowd", "grande")),
    of("training is illegal", winter(ABLE, **C), refuses=[place("train_worker", "bonus", kind) for kind in KINDS]),
    *(of(f"no card trains: {card}", winter(ABLE | {"winter": [card]}, **C), MIDDLE, f"card:winter:{card}",
         legal=others) for card, others in (
             ("uncertified_teacher", "option:2"), ("scholar", "option:1"), ("governess", "option:2"),
             ("teacher", "option:1"))),
    *(of(f"no card trains: the {card} is of no use", winter(ABLE | {"winter": [card]}, **C), refuses=MIDDLE)
      for card in ("guest_speaker", "professor")),
    of("grande and temporary worker do not count", spring(automa="16", **C), "wake_up:7",
       gives="glass7-1 token+1 temporary+1"),
    of("the limit can be changed", winter({"lira": 10}, regular_workers=3, **C), place("train_worker", "bonus"), "no",
       gives="lira-4 trained+1", refuses=place("train_worker", "bonus")),
    of("the limit counts workers", winter({"lira": 10, "regular": 3}, regular_workers=3, **C),
       refuses=place("train_worker", "bonus")),
]  # fmt: skip

of = rule("Campaign 3")  # six workers at the end of year 3
C = {"challenge": 3}
LOST = {"is_over": True, "outcome": "loss", "rewards": [-1.0], "ranks": [2]}
GOES_ON = {"is_over": False, "decision": "wake_up", "outcome": None}
CHALLENGE_3 = [
    *(of(f"six workers at the end of year 3, {'enough' if enough else 'else lost'}: {seat}, reward {reward}",
         winter(seat, year=3, reward=reward, **C), "pass", **(GOES_ON if enough else LOST)) for seat, enough in (
             ({"regular": 5}, True), ({"regular": 4}, False), ({"regular": 4, "trained": 1}, True),
             ({"regular": 3, "trained": 1}, False), ({"regular": 4, "temporary": 1, "row": 7}, True),
             ({"regular": 3, "temporary": 1, "row": 7}, False), ({"regular": 5, "temporary": 1, "row": 7}, True),
             ({"vp": 40}, False)) for reward in ("win", "rank", "margin")),
    of("placed workers count", winter({"regular": 5}, year=3, **C), place("gain_lira"),
       place("gain_lira", worker="grande"), "pass", **GOES_ON),
    *(of(f"year {year} asks for nothing", winter(year=year, **C), "pass", **GOES_ON) for year in (1, 2, 4, 5, 6)),
    of("the last year is decided by points", winter({"vp": 21}, year=7, **C), "pass", outcome="win"),
]  # fmt: skip

of = rule("Campaign 4")  # starting behind, harvesting up to three fields
C = {"challenge": 4}
FIELDS = {"fields": {5: ["sangiovese"], 6: ["malvasia"], 7: ["syrah"]}}
FIRST, SECOND, THIRD = (f"harvested{capacity}+1 grape:{grape}+1" for capacity, grape in (
    (5, "red:1"), (6, "white:1"), (7, "red:2")))  # fmt: skip
UP_TO_THREE = [FIRST, SECOND, THIRD, f"{FIRST} {SECOND}", f"{FIRST} {THIRD}", f"{SECOND} {THIRD}",
               f"{FIRST} {SECOND} {THIRD}"]  # fmt: skip
CHALLENGE_4 = [
    of("the harvest action takes up to three fields, one at least", winter(FIELDS, **C), place("harvest_field"),
       legal="field:5 field:6 field:7", ends=UP_TO_THREE),
    of("the planned harvest is that action too", summer(FIELDS, board={"harvest_field": [at(0)]}, automa="01", **C),
       TO_WINTER, ends=[f"summer+1 {end}" for end in UP_TO_THREE]),
    of("cards_and_yoke harvest as they say: yoke", winter(FIELDS | {"structures": ["yoke"]}, **C), place("yoke"),
       "option:2", ends=[f"used:yoke+1 {end}" for end in (FIRST, SECOND, THIRD)]),
    of("cards_and_yoke harvest as they say: tour_guide", summer(FIELDS | {"summer": ["tour_guide"]}, **C),
       VISITOR["summer"], "card:summer:tour_guide option:2", ends=[FIRST, SECOND, THIRD]),
    of("wine is made as ever", winter({"grapes": {"red": [1, 2, 3]}}, **C), place("make_wine"),
       "make:red grape:red:1 make:red grape:red:2", decision="place_worker",
       gives="grape:red:1-1 wine:red:1+1 grape:red:2-1 wine:red:2+1"),
    of("without the challenge one field is all", winter(FIELDS), place("harvest_field"), ends=[FIRST, SECOND, THIRD]),
    of("a blocked harvest is blocked", winter(FIELDS, blocked="harvest_field", **C),
       offers=place("harvest_field", "crowd", "grande"), refuses=place("harvest_field")),
]  # fmt: skip

of = rule("Campaign 5")  # eight years, any row, no tokens
C = {"challenge": 5}
CHALLENGE_5 = [
    of("any row in any year", spring(year=1, **C), "wake_up:6 pass deck:summer pass wake_up:6 pass deck:summer pass",
       legal=ROWS, holds=[("seats.0.victory_points", 2), ("seats.0.bonus_tokens", None)]),
    of("no token is asked for; the Automa plays as ever", spring(automa="02", **C), "wake_up:1", place("give_tour"),
       decision="place_worker", gives=f"regular-1 lira+2 {stand(CARDS['02'][0])}", automa_score=20),
    of("nothing is payable with a token", spring({"lira": 1}, automa="16", **C), "wake_up:1",
       refuses=place("build_structure")),
    *(of(f"not the seventh year is the last: {vp}", winter({"vp": vp}, year=7, **C), "pass", **GOES_ON)
      for vp in (21, 20, 19)),
    *(of(f"the eighth year is the last: {outcome}", winter({"vp": vp}, year=8, **C), "pass", outcome=outcome)
      for vp, outcome in ((21, "win"), (20, "draw"), (19, "loss"))),
    *(of(f"the aggressive variant keeps its last number: {vp} in year {year}",
         winter({"vp": vp}, year=year, aggressive=True, **C), "pass", outcome=outcome, automa_score=20)
      for vp, year, outcome in ((20, 7, "loss"), (21, 7, None), (20, 8, "loss"), (21, 8, "win"))),
    of("the aggressive number of year 8 is 20 from its start", spring({"vp": 30}, year=8, aggressive=True, **C),
       automa_score=20),
]  # fmt: skip

of = rule("Campaign 6")  # points for wine at the end only
C = {"challenge": 6}
ORDER = {"order": ["order_04"], "wines": {"red": [1], "white": [3]}}


def at_the_end(wines, structures=CELLARS, vp=0, **top):
    """Return the last winter of a seat with those wines."""
    return winter({"wines": wines, "structures": structures, "vp": vp}, year=7, **C | top)


CHALLENGE_6 = [
    of("a row gives no point", spring(automa="16", **C), "wake_up:6", gives="glass6-1 token+1"),
    of("an order gives its payment only, the token's point is none", winter(ORDER | {"tokens": 1}, **C),
       place("fill_order"), "yes", gives="order:order_04-1 wine:red:1-1 wine:white:3-1 residual+1 token-1"),
    of("the windmill gives no point", summer({"structures": ["windmill"], "vine": ["malvasia"]}, **C),
       place("plant_vine"), "card:vine:malvasia field:5", decision="place_worker", holds=[
           ("seats.0.victory_points", 0)]),
    of("the tasting room gives no point", summer({"structures": ["tasting_room"], "wines": {"red": [1]}}, **C),
       place("give_tour"), holds=[("seats.0.victory_points", 0), ("seats.0.lira", 2)]),
    of("a visitor without points has its effect", summer({"summer": ["buyer"], "grapes": {"red": [4]}}, **C),
       VISITOR["summer"], "card:summer:buyer option:2 grape:red:4", gives="lira+2 grape:red:4-1"),
    of("points may still be lost", summer({"summer": ["broker"]}, **C), VISITOR["summer"],
       "card:summer:broker option:2", gives="vp-2 lira+6"),
    *(of(f"wine scores by its cellar at the end, aged: {wines}", at_the_end(wines), "pass", is_over=True, scores=[vp])
      for wines, vp in (
          ({}, 0), ({"red": [1]}, 0), ({"red": [3]}, 2), ({"red": [4]}, 2), ({"red": [6]}, 4), ({"red": [8]}, 4),
          ({"white": [4, 5]}, 4), ({"blush": [4]}, 2), ({"blush": [9]}, 4), ({"sparkling": [7, 9]}, 8),
          ({"red": [1, 4, 8], "white": [1, 7], "blush": [5], "sparkling": [9]}, 16))),
    of("wine scores by its cellar: no large one", at_the_end({"red": [6]}, ["medium_cellar"]), "pass", scores=[2]),
    of("wine scores by its cellar: none", at_the_end({"red": [3]}, []), "pass", scores=[0]),
    of("wine is added to what was lost", at_the_end({"red": [8]}, vp=-3), "pass", scores=[1]),
    *(of(f"the points for wine can be changed: {numbers}", at_the_end({"red": [8], "white": [4]}, **numbers), "pass",
         scores=[vp]) for numbers, vp in (
             ({"large_wine_vp": 3}, 3 + 2), ({"medium_wine_vp": 1}, 4 + 1),
             ({"large_wine_vp": 5, "medium_wine_vp": 3}, 8), ({"medium_wine_vp": 0}, 4))),
    *(of(f"the wine decides the game: {outcome}", at_the_end(wines, **numbers), "pass", outcome=outcome,
         rewards=[reward]) for wines, numbers, outcome, reward in (
             ({"red": [7, 8, 9], "white": [8, 9]}, {}, "draw", 0.0),
             ({"red": [7, 8, 9], "white": [8, 9], "blush": [4]}, {}, "win", 1.0),
             ({"red": [7, 8, 9], "white": [8, 9], "blush": [4]}, {"large_wine_vp": 3}, "loss", -1.0))),
    of("earlier years count no wine", winter({"structures": CELLARS, "wines": {"red": [9]}}, year=6, **C), "pass",
       gives=""),
    of("without the challenge wine scores nothing at the end",
       winter({"structures": CELLARS, "wines": {"red": [9]}, "vp": 3}, year=7), "pass", scores=[3]),
]  # fmt: skip

of = rule("Campaign 8")  # no orders
C = {"challenge": 8}
POOR = ABLE | {"grapes": {"red": [2], "white": [2]}}
FILLING = (("merchant", 2, "1"), ("marketer", 2, "1"), ("exporter", 2, "1 3"), ("jack_of_all_trades", 3, "1 2"))
VINTNER = ABLE | {"winter": ["master_vintner"], "wines": {"red": [1], "white": [3]}}
CHALLENGE_8 = [
    of("no order is filled, all else is open", winter(ABLE, **C),
       offers=[place(action) for action in WINTER_ACTIONS if action != "fill_order"], refuses=place("fill_order")),
    of("without the challenge it is", winter(ABLE), offers=place("fill_order")),
    *(of(f"no visitor fills an order: {card}", winter(POOR | {"winter": [card]}, **C), VISITOR["winter"],
         f"card:winter:{card}", legal=[f"option:{other}" for other in others.split()]) for card, _, others in FILLING),
    *(of(f"without the challenge it does: {card}", winter(POOR | {"winter": [card]}), VISITOR["winter"],
         f"card:winter:{card}", offers=f"option:{filling}") for card, filling, _ in FILLING),
    of("the master_vintner only builds", winter(VINTNER, **C), VISITOR["winter"], "card:winter:master_vintner",
       legal="option:1"),
    of("without the challenge the master_vintner fills too", winter(VINTNER), VISITOR["winter"],
       "card:winter:master_vintner", legal="option:1 option:2"),
    of("wine brings points in other ways", winter({"winter": ["judge"], "structures": CELLARS, "wines": {
        "red": [4]}}, **C), VISITOR["winter"], "card:winter:judge option:2 wine:red:4", gives="vp+3 wine:red:4-1"),
    of("orders may be drawn", spring(automa="16", **C), "wake_up:3", gives="glass3-1 token+1 order+1"),
    of("orders may be blocked", summer(automa="24", **C), TO_WINTER, gives=f"summer+1 {stand('make_wine fill_order')}"),
    of("a planned order is lost", summer(ABLE, board={"fill_order": [at(0)]}, automa="01", **C), TO_WINTER,
       gives="summer+1", decision="place_worker"),
]  # fmt: skip

CASES = [*CHALLENGE_2, *CHALLENGE_3, *CHALLENGE_4, *CHALLENGE_5, *CHALLENGE_6, *CHALLENGE_8]
