"""Board actions that differ in this edition: selling, building, visitors, training, the cart."""

from tests.cards.visitor import up_to
from tests.rules.summer_actions import BUILD_ONE, GRAPES, SELL_ONE
from tests.table.case import case
from tests.table.fixtures import SUMMER_ACTIONS, WINTER_ACTIONS, at, place
from tests.table.setup_position import ABLE

from .positions import PRESETS, lay

SELL, TRAIN = "sell_grapes_or_field", "train_worker"
GRAPE = {"grapes": {"red": [5]}}
SELLING = [row for preset in PRESETS for row in (
    case("rows 22 and 24", f"any number of grapes, at least one, no field ({preset})",
         lay("summer", {"grapes": {"red": [2, 5], "white": [9]}}, preset=preset), SELL_ONE,
         ends=up_to(3, GRAPES["red", 2], GRAPES["red", 5], GRAPES["white", 9])),
    case("rows 18 and 22", f"no field is for sale ({preset})", lay("summer", {"lira": 9}, preset=preset),
         refuses=SELL_ONE),
    case("row 23", f"the bonus is a lira ({preset})", lay("summer", GRAPE, preset=preset, n=3), place(SELL, "bonus"),
         ends=["grape:red:5-1 lira+2", "grape:red:5-1 lira+3"]),
)]  # fmt: skip
CHEAP = ("trellis", "irrigation", "yoke")
BUILDING = [row for preset in PRESETS for row in (
    case("row 25", f"the bonus takes a lira off ({preset})", lay("summer", {"lira": 2}, preset=preset, n=3),
         place("build_structure", "bonus"), ends=[f"lira-{n} {name}+1" for n in (1, 2) for name in CHEAP]),
    case("row 25", f"it may be needed ({preset})", lay("summer", {"lira": 1}, preset=preset, n=3),
         place("build_structure", "bonus"), legal="yes", ends=[f"lira-1 {name}+1" for name in CHEAP]),
    case("row 25", f"a lira too few without it ({preset})", lay("summer", {"lira": 1}, preset=preset, n=3),
         refuses=BUILD_ONE),
)]  # fmt: skip
# A season's two visitors, all that each does alone, and both.
VISITORS = {
    "summer": (["patron", "surveyor"], ["summer:patron-1 lira+4", "summer:patron-1 order+1 winter+1"],
               ["summer:surveyor-1 lira+6", "summer:surveyor-1"]),
    "winter": (["judge", "crusher"], ["winter:judge-1 summer+2"], ["winter:crusher-1 lira+3 summer+1"]),
}  # fmt: skip
SECOND_VISITOR = [row for season, (cards, first, second) in VISITORS.items() for row in (
    *(case("row 21", f"one on the left space, {season} ({preset})", lay(season, {season: cards}, preset=preset, n=3),
           place(f"play_{season}_visitor"), ends=[*first, *second]) for preset in PRESETS),
    case("row 21", f"a second one by the second edition, {season}",
         lay(season, {season: cards}, preset="second_edition", n=3), place(f"play_{season}_visitor", "bonus"),
         ends=[*first, *second, *(f"{begin} {end}" for begin in first for end in second)]),
    case("row 21", f"none by the letter, {season}", lay(season, {season: cards}, preset="manual_literal", n=3),
         place(f"play_{season}_visitor", "bonus"), ends=[*first, *second]),
)]  # fmt: skip
PRICES = [(preset, {"train_price": option} if option else {}, option or printed)
          for preset, printed in zip(PRESETS, (4, 1), strict=True) for option in (None, 5 - printed, 3)]  # fmt: skip
TRAINING = [row for preset, option, price in PRICES for row in (
    case("row 28", f"{price} lira are enough ({preset}, {option})",
         lay("winter", {"lira": price}, preset=preset, **option), place(TRAIN), ends=[f"lira-{price} trained+1"]),
    case("row 28", f"{price - 1} are not ({preset}, {option})",
         lay("winter", {"lira": price - 1}, preset=preset, n=3, **option), refuses=place(TRAIN)),
    case("row 29", f"{price - 1} are on the bonus space ({preset}, {option})",
         lay("winter", {"lira": price - 1}, preset=preset, n=3, **option), place(TRAIN, "bonus"), legal="yes",
         ends=[f"lira-{price - 1} trained+1"]),
    case("row 29", f"the bonus takes a lira off {price} and may be left ({preset}, {option})",
         lay("winter", {"lira": price}, preset=preset, n=3, **option), place(TRAIN, "bonus"),
         ends=[f"lira-{price} trained+1", f"lira-{price - 1} trained+1"]),
    *(case("rows 29 and 39", f"a crowd trains at the full price, {lira} of {price} ({preset}, {option})",
           lay("winter", {"lira": lira}, preset=preset, n=3, board={TRAIN: [at(1), at(2, "bonus")]}, **option),
           **{"offers" if lira == price else "refuses": place(TRAIN, "crowd", "grande")})
      for lira in (price - 1, price)),
    case("row 30", f"a trained worker starts next year ({preset}, {option})",
         lay("winter", {"lira": price}, {"regular": 0, "grande": 0}, preset=preset, **option), place(TRAIN), "pass",
         gives=f"lira-{price} regular+2"),
    *(case("rows 28 and 67", f"{card} names its own price ({preset}, {option})",
           lay("winter", {"lira": 2, "winter": [card]}, preset=preset, **option), place("play_winter_visitor"),
           f"card:winter:{card} option:{branch}", gives="lira-2 trained+1")
      for card, branch in (("teacher", 2), ("professor", 1))),
)]  # fmt: skip
FULL = {"draw_vine": [at(1)], "give_tour": [at(1)]}
IDLE = ({"grande": 0}, {"regular": 0})
NO_CART = [row for preset in PRESETS for row in (
    case("row 27", f"none in summer ({preset})", lay("summer", ABLE, preset=preset), legal=["pass", *(
        place(action, worker=kind) for action in SUMMER_ACTIONS for kind in ("regular", "grande"))]),
    case("rows 27 and 37", f"a summer with nothing to do is passed ({preset})",
         lay("summer", *IDLE, preset=preset, board=FULL), legal="pass"),
    case("rows 27 and 37", f"and the workers wait for the winter ({preset})",
         lay("summer", *IDLE, preset=preset, board=FULL), "pass pass deck:summer deck:summer",
         offers=place("gain_lira"), holds=[("seats.0.workers.regular", 2)]),
    *(case("row 34", f"no worker where nothing can be done, {season} ({preset})", lay(season, preset=preset, n=3),
           refuses=[place(action, space) for action in actions for space in ("plain", "bonus")
                    if not (preset == "manual_literal" and action == TRAIN)])
      for season, actions in (("summer", SUMMER_ACTIONS[2:]), ("winter", WINTER_ACTIONS[1:]))),
)]  # fmt: skip
CASES = [*SELLING, *BUILDING, *SECOND_VISITOR, *TRAINING, *NO_CART]
