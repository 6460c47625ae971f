"""The bonus of each of the twelve actions: its effect, that it is optional, and when it can come first."""

from functools import partial

from tests.cards.visitor import made, up_to
from tests.table.case import case
from tests.table.fixtures import at, place
from tests.table.setup_position import table

summer, winter = (partial(table, season, n=3) for season in ("summer", "winter"))
FULL = {6: ["merlot", "merlot"], 7: ["merlot", "chardonnay"]}  # so that one field is left
PLANTED = [f"plant5:{vine}+1 vine:{vine}-1" for vine in ("sangiovese", "malvasia")]
HARVESTED = ["harvested5+1 grape:red:1+1", "harvested6+1 grape:white:1+1"]
BANKER, SURVEYOR = "summer:banker-1 lira+5", ["summer:surveyor-1 lira+6", "summer:surveyor-1"]
POLITICIAN = "winter:politician-1 vine+1 summer+1 order+1"
CRAFTSMAN = "winter:craftsman-1 order+1 vp+1"
FILLED = "order:order_04-1 wine:red:1-1 wine:white:3-1 vp+2 residual+1"
WINES = [made(f"red:{value}") for value in (1, 2, 3)]
# Season, seat, results of the action without its bonus, and further results with it.
ACTIONS = {
    "draw_vine": (summer, {}, ["vine+1"], ["vine+2"]),
    "give_tour": (summer, {}, ["lira+2"], ["lira+3"]),
    "build_structure": (summer, {"lira": 2}, ["lira-2 trellis+1", "lira-2 yoke+1"],
                        ["lira-1 trellis+1", "lira-1 yoke+1", "lira-2 irrigation+1"]),
    "sell_grapes_or_field": (summer, {"grapes": {"red": [5]}, "sold": [5, 6, 7]}, ["grape:red:5-1 lira+2"],
                             ["grape:red:5-1 lira+2 vp+1"]),
    "plant_vine": (summer, {"vine": ["sangiovese", "malvasia"], "fields": FULL}, PLANTED, [" ".join(PLANTED)]),
    "play_summer_visitor": (summer, {"summer": ["banker", "surveyor"]}, [BANKER, *SURVEYOR],
                            [f"{BANKER} {end}" for end in SURVEYOR]),
    "draw_order": (winter, {}, ["order+1"], ["order+2"]),
    "harvest_field": (winter, {"fields": {5: ["sangiovese"], 6: ["malvasia"]}}, HARVESTED, [" ".join(HARVESTED)]),
    "train_worker": (winter, {"lira": 4}, ["lira-4 trained+1"], ["lira-3 trained+1"]),
    "play_winter_visitor": (winter, {"winter": ["politician", "craftsman"]}, [POLITICIAN, CRAFTSMAN],
                            [f"{POLITICIAN} {CRAFTSMAN}"]),
    "make_wine": (winter, {"grapes": {"red": [1, 2, 3]}}, up_to(2, *WINES), [" ".join(WINES)]),
    "fill_order": (winter, {"order": ["order_04"], "wines": {"red": [1], "white": [3]}}, [FILLED],
                   [f"{FILLED} vp+1"]),
}  # fmt: skip


def lay(action, **top):
    """Return the position for an action; the opponents have no points to lose."""
    season, seat_spec, _, _ = ACTIONS[action]
    return season(seat_spec, {"vp": -5}, {"vp": -5}, **top)


of = partial(case, "Bonuses")
TWELVE = [row for action, (_, _, plain, extra) in ACTIONS.items() for row in (
    of(f"{action}: none without its icon", lay(action), place(action), ends=plain),
    *(of(f"{action}: it may be left, {worker}", lay(action), place(action, "bonus", worker), ends=[*plain, *extra])
      for worker in ("regular", "grande")),
    of(f"{action}: none for a grande on a full action", lay(action, board={action: [at(1), at(2, "bonus")]}),
       place(action, "crowd", "grande"), ends=plain),
)]  # fmt: skip
FIRST_OR_LEFT = [
    *(of(f"{action}: asked before the action", lay(action), place(action, "bonus"), decision="take_bonus",
         legal="yes no") for action in ("give_tour", "build_structure", "sell_grapes_or_field", "train_worker",
                                        "fill_order")),
    *(of(f"{action}: the action is compulsory, one more is not", lay(action), place(action, "bonus"), moves,
         offers="done") for action, moves in (
             ("plant_vine", "card:vine:malvasia field:5"), ("harvest_field", "field:6"),
             ("play_summer_visitor", "card:summer:banker"), ("play_winter_visitor", "card:winter:politician"))),
    *(of(f"{season}: the first visitor is resolved before the second is chosen", lay(f"play_{season}_visitor"),
         place(f"play_{season}_visitor", "bonus"), f"card:{season}:{card}", decision="play_visitor",
         legal=f"card:{season}:{other} done", holds=[(f"discards.{season}", [card])])
      for season, card, other in (("summer", "banker", "surveyor"), ("winter", "politician", "craftsman"))),
    of("it never replaces the action", winter({"order": ["order_01"], "wines": {"white": [3]}}),
       refuses=[place("fill_order"), place("fill_order", "bonus")]),
    of("a space may be claimed although its bonus cannot be used", summer({"vine": ["sangiovese"], "fields": FULL}),
       place("plant_vine", "bonus"), ends=PLANTED[:1]),
    of("one order for one worker, a point and no second order", winter(
        {"order": ["order_01", "order_07"], "wines": {"red": [5, 6]}, "structures": ["medium_cellar"]}),
       place("fill_order", "bonus"), "yes card:order:order_01 wine:red:5",
       gives="order:order_01-1 wine:red:5-1 vp+3 residual+1"),
]  # fmt: skip
DISCOUNT = [row for action, season, lira, ends in (
    ("build_structure", summer, 1, ["lira-1 trellis+1", "lira-1 yoke+1"]),
    ("train_worker", winter, 3, ["lira-3 trained+1"])) for row in (
        of(f"{action}: one lira short, so its bonus is taken first", season({"lira": lira}), place(action, "bonus"),
           decision="take_bonus", legal="yes", ends=[" ".join(
               f"lira-{lira}" if word.startswith("lira") else word for word in end.split()) for end in ends]),
        of(f"{action}: a lira too few without the bonus", season({"lira": lira}),
           offers=[place(action, "bonus"), place(action, "bonus", "grande")], refuses=place(action)),
        of(f"{action}: two lira too few", season({"lira": lira - 1}), refuses=place(action, "bonus")),
        of(f"{action}: no discount in a crowd", season({"lira": lira}, board={action: [at(1), at(2, "bonus")]}),
           refuses=place(action, "crowd", "grande")))]  # fmt: skip
SOLD = ["grape:red:5-1 lira+2", "grape:red:5-1 lira+3"]
SELL_BONUS = [  # R7.19
    of("sell_bonus lira: a lira for a point", lay("sell_grapes_or_field", sell_bonus="lira"),
       place("sell_grapes_or_field", "bonus"), ends=SOLD),
    of("sell_bonus lira: none without its icon", lay("sell_grapes_or_field", sell_bonus="lira"),
       place("sell_grapes_or_field"), ends=SOLD[:1]),
    of("sell_bonus lira: a token of the solo game too", table("summer", {**ACTIONS["sell_grapes_or_field"][1],
       "tokens": 1}, ruleset="solo", sell_bonus="lira"), place("sell_grapes_or_field"),
       ends=[SOLD[0], f"{SOLD[1]} token-1"]),
]  # fmt: skip
CASES = [*TWELVE, *FIRST_OR_LEFT, *DISCOUNT, *SELL_BONUS]
