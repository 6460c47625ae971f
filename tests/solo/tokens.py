"""Bonus action tokens: their effect on each action, when they can be spent, and where not."""

from itertools import combinations

from tests.table.fixtures import ORDERS, SUMMER_ACTIONS, VINES, at, place

from .positions import TO_WINTER, rule, spring, summer, winter

RED = {"red": [1, 2, 3]}
TWO_FIELDS = {5: ["sangiovese"], 6: ["malvasia"]}
# Action: seat, all results without a token, and all results with one.
BONUSES = {
    "draw_vine": ({}, ["vine+1"], ["vine+2"]),
    "give_tour": ({}, ["lira+2"], ["lira+3"]),
    "build_structure": ({"lira": 2, "structures": ["trellis"]}, ["yoke+1 lira-2"],
                        ["yoke+1 lira-1", "irrigation+1 lira-2"]),
    "sell_grapes_or_field": ({"grapes": {"red": [5]}, "sold": [5, 6, 7]}, ["grape:red:5-1 lira+2"],
                             ["grape:red:5-1 lira+2 vp+1"]),
    "plant_vine": ({"vine": ["malvasia"] * 3, "sold": [6, 7]}, ["plant5:malvasia+1 vine:malvasia-1"],
                   ["plant5:malvasia+1 vine:malvasia-1", "plant5:malvasia+2 vine:malvasia-2"]),
    "play_summer_visitor": (
        {"summer": ["banker", "importer"]}, ["summer:banker-1 lira+5", "summer:importer-1 winter+3"],
        ["summer:banker-1 lira+5", "summer:importer-1 winter+3",
         "summer:banker-1 summer:importer-1 lira+5 winter+3"]),
    "draw_order": ({}, ["order+1"], ["order+2"]),
    "harvest_field": (
        {"fields": TWO_FIELDS}, ["harvested5+1 grape:red:1+1", "harvested6+1 grape:white:1+1"],
        ["harvested5+1 grape:red:1+1", "harvested6+1 grape:white:1+1",
         "harvested5+1 grape:red:1+1 harvested6+1 grape:white:1+1"]),
    "train_worker": ({"lira": 6}, ["trained+1 lira-4"], ["trained+1 lira-3"]),
    "play_winter_visitor": (
        {"vp": -1, "lira": 1, "winter": ["politician", "noble"]},
        ["winter:politician-1 lira+6", "winter:noble-1 lira-1 residual+1"],
        ["winter:politician-1 lira+6", "winter:noble-1 lira-1 residual+1",
         "winter:politician-1 winter:noble-1 lira+5 residual+1"]),
    "make_wine": ({"grapes": RED}, *(
        [" ".join(f"grape:red:{value}-1 wine:red:{value}+1" for value in wines)
         for n in range(1, max_wines + 1) for wines in combinations((1, 2, 3), n)] for max_wines in (2, 3))),
    "fill_order": ({"order": ["order_04"], "wines": {"red": [1], "white": [3]}},
                   ["order:order_04-1 wine:red:1-1 wine:white:3-1 residual+1 vp+2"],
                   ["order:order_04-1 wine:red:1-1 wine:white:3-1 residual+1 vp+3"]),
}  # fmt: skip


def ready(action, tokens, **top):
    """Return a position in which the action is legal, with this number of tokens in hand."""
    return (summer if action in SUMMER_ACTIONS else winter)(BONUSES[action][0] | {"tokens": tokens}, **top)


def with_and_without(action):
    """Return all results of an action with a token in hand."""
    _, without, used_tokens = BONUSES[action]
    return [*without, *(f"{end} token-1" for end in used_tokens)]


of = rule("Bonus action tokens")
SPENT = [
    *(of(f"{action} adds its bonus for one token of five, or none; asked first (ruling 9.10)", ready(action, 5),
         place(action), legal="yes no", decision="spend_token", ends=with_and_without(action)) for action in BONUSES),
    *(of(f"{action} without a token: nothing is asked", ready(action, 0), place(action), ends=BONUSES[action][1])
      for action in BONUSES),
    *(of(f"{action} blocked: a grande has the bonus too (ruling 9.2)", ready(action, 1, blocked=action),
         place(action, "crowd", "grande"), legal="yes no", ends=with_and_without(action)) for action in BONUSES),
    of("one token a turn, another in the next", summer({"tokens": 2}), place("give_tour"), "yes", place("draw_vine"),
       decision="spend_token", ends=["lira+3 token-1 regular-1 vine+1", "lira+3 token-2 regular-1 vine+2"]),
    of("opens no second space (ruling 9.2)", summer({"tokens": 3, "grande": 0}, blocked="give_tour"),
       refuses=[place("give_tour"), place("give_tour", "bonus"), place("give_tour", "crowd")]),
    of("never replaces the action", winter({"tokens": 4}), refuses=[
        place(action) for action in ("harvest_field", "make_wine", "fill_order", "play_winter_visitor")]),
    of("the tasting room works with and without",
       summer({"tokens": 1, "structures": ["tasting_room"], "wines": {"red": [1]}}), place("give_tour"),
       ends=["lira+2 vp+1 used:tasting_room+1", "lira+3 vp+1 used:tasting_room+1 token-1"]),
    of("kept from year to year", summer({"tokens": 2, "glass": [1, 3]}, automa="01"), place("give_tour"), "yes",
       TO_WINTER, "pass wake_up:3", holds=[("seats.0.bonus_tokens", 2)]),
    of("that of this spring can be spent at once", spring(automa="16"), "wake_up:1", place("give_tour"), "yes",
       gives="glass1-1 lira+3 regular-1"),
    of("passing spends nothing", summer({"tokens": 1}, automa="01"), "pass", ends=["summer+1", "winter+1"]),
]  # fmt: skip

of = rule("Bonuses, any order")
PAYS = [
    of("a token pays the last lira of a structure, and must (ruling 9.10)", summer({"lira": 1, "tokens": 1}),
       place("build_structure"), legal="yes", ends=["trellis+1 lira-1 token-1", "yoke+1 lira-1 token-1"]),
    of("a token pays where the action is blocked", summer({"lira": 1, "tokens": 1}, blocked="build_structure"),
       place("build_structure", "crowd", "grande"), legal="yes",
       ends=["trellis+1 lira-1 token-1", "yoke+1 lira-1 token-1"]),
    *(of(f"a token pays one lira at most: {lira} and {tokens} tokens build nothing",
         summer({"lira": lira, "tokens": tokens}), refuses=place("build_structure"))
      for lira, tokens in ((1, 0), (0, 1), (0, 5))),
    of("a token pays the last lira of a training", winter({"lira": 3, "tokens": 1}), place("train_worker"),
       legal="yes", gives="lira-3 trained+1 token-1"),
    *(of(f"a token pays one lira at most: {lira} and {tokens} tokens are too little for training",
         winter({"lira": lira, "tokens": tokens}), refuses=place("train_worker")) for lira, tokens in ((3, 0), (2, 2))),
]  # fmt: skip

of = rule("Bonus action tokens, ruling 9.3")
UNASKED = [
    *(of(f"not on the cart: {season}, {kind}", lay({"tokens": 2}), place("gain_lira", worker=kind), gives="lira+1",
         decision="place_worker") for season, lay in (("summer", summer), ("winter", winter))
      for kind in ("regular", "grande")),
    *(of(f"not on the yoke: {season}", lay({"tokens": 2, "structures": ["yoke"], "fields": {5: ["malvasia"]}}),
         place("yoke"), decision="yoke", ends=["used:yoke+1 harvested5+1 grape:white:1+1",
                                               "used:yoke+1 plant5:malvasia-1 vine:malvasia+1"])
      for season, lay in (("summer", summer), ("winter", winter))),
    of("not for placing a planned worker", summer({"tokens": 2, "summer": ["planner"]}), place("play_summer_visitor"),
       "no card:summer:planner", place("draw_order"), decision="place_worker", gives="summer:planner-1 regular-1"),
    of("not for a planned action", summer({"tokens": 2, "grande": 0, "fields": TWO_FIELDS}, automa="01", board={
        "draw_order": [at(0)], "harvest_field": [at(0, worker="grande")]}), TO_WINTER, legal="field:5 field:6",
       ends=["summer+1 order+1 harvested5+1 grape:red:1+1", "summer+1 order+1 harvested6+1 grape:white:1+1"]),
    of("makes no planned training payable", summer({"tokens": 2, "lira": 3}, automa="01", board={
        "train_worker": [at(0)]}), TO_WINTER, decision="place_worker", gives="summer+1"),
    of("not for the Manager's action", winter({"tokens": 2, "winter": ["manager"]}), place("play_winter_visitor"),
       "no card:winter:manager", place("draw_vine"), decision="place_worker", gives="winter:manager-1 vine+1"),
    of("makes no Manager's build payable", winter({"tokens": 2, "lira": 1, "winter": ["manager"]}),
       place("play_winter_visitor"), "no card:winter:manager", decision="manage_action", offers=place("give_tour"),
       refuses=place("build_structure")),
]  # fmt: skip

of = rule("Deck maintenance")
SECOND_CARD = [
    *(of(f"no token where the second {deck} does not exist", lay({"tokens": 1, deck: every[1:]}),
         place(f"draw_{deck}"), decision="place_worker", gives=f"{deck}+1")
      for deck, lay, every in (("vine", summer, VINES), ("order", winter, ORDERS))),
    *(of(f"the second {deck} from the deck", lay({"tokens": 1, deck: every[2:]}), place(f"draw_{deck}"),
         legal="yes no", ends=[f"{deck}+1", f"{deck}+2 token-1"])
      for deck, lay, every in (("vine", summer, VINES), ("order", winter, ORDERS))),
    of("the second vine of the reshuffled discards",
       summer({"tokens": 1, "vine": VINES[1:-1]}, discards={"vine": VINES[:1]}), place("draw_vine"), legal="yes no",
       ends=["vine+1", "vine+1 vine:sangiovese+1 token-1"]),
    of("the second order of the reshuffled discards",
       winter({"tokens": 1, "order": ORDERS[2:]}, discards={"order": ORDERS[:1]}), place("draw_order"), legal="yes no",
       ends=["order+1", "order+1 order:order_01+1 token-1"]),
]  # fmt: skip

CASES = [*SPENT, *PAYS, *UNASKED, *SECOND_CARD]
