"""Prices of structures, cards with a price, the tasting room and the yoke, where they differ in this edition."""

from tests.rules.structures import TASTED, TOUR, YOKE_IT
from tests.rules.summer_actions import BUILD_ONE
from tests.table.case import case
from tests.table.fixtures import ALL_STRUCTURES, COST, place

from .positions import PRESETS, lay

COSTS = COST | {"irrigation": 2}
ALL_BUT_LARGE = [name for name in ALL_STRUCTURES if name != "large_cellar"]
MEDIUM = {"structures": ["medium_cellar"]}


def built(lira, *structures, price=6):
    """Return all results of the build action."""
    return [f"lira-{cost} {name}+1" for name, cost in (COSTS | {"large_cellar": price}).items()
            if cost <= lira and name not in structures
            and (name != "large_cellar" or "medium_cellar" in structures)]  # fmt: skip


PRICES = [row for preset in PRESETS for row in (
    *(case("rows 44 to 46", f"{lira} lira, with {', '.join(before) or 'nothing'} ({preset})",
           lay("summer", {"lira": lira, "structures": before}, preset=preset), BUILD_ONE, ends=built(lira, *before))
      for lira in range(2, 8) for before in ([], ["medium_cellar"], ["irrigation", "windmill"])),
    case("row 26", f"one of each ({preset})", lay("summer", {"lira": 30, "structures": ALL_STRUCTURES}, preset=preset),
         refuses=BUILD_ONE),
)]  # fmt: skip
MISSING_PRICE = [row for preset in PRESETS for price in (3, 5, 8) for row in (
    case("row 46", f"the large cellar for {price} ({preset})", lay("summer", {
        "lira": price, "structures": ALL_BUT_LARGE}, preset=preset, large_cellar_price=price), BUILD_ONE,
         ends=[f"lira-{price} large_cellar+1"]),
    case("row 46", f"not for a lira less than {price} ({preset})", lay("summer", {
        "lira": price - 1, "structures": ALL_BUT_LARGE}, preset=preset, large_cellar_price=price), refuses=BUILD_ONE),
)]  # fmt: skip


def card(rows, name, title, seat, moves, *, preset="second_edition", price=None, **expect):
    """Return a case of a visitor with a price."""
    season = "winter" if name in ("master_vintner", "oenologist") else "summer"
    option = {"large_cellar_price": price} if price else {}
    return case(rows, f"{name}: {title}", lay(season, seat | {season: [name]}, preset=preset, **option),
                place(f"play_{season}_visitor"), f"card:{season}:{name} {moves}", **expect)  # fmt: skip


CARDS = [
    *(card("rows 45 and 50", name, "irrigation for nothing", {}, moves, offers="structure:irrigation",
           with_ends=[f"irrigation+1{extra}"])
      for name, moves, extra in (("blacksmith", "", ""), ("architect", "option:1", ""), ("handyman", "yes", ""))),
    *(card("row 50", "uncertified_architect", f"what costs two or three ({preset})", {}, "option:1", preset=preset,
           ends=[f"vp-1 {name}+1" for name in ("trellis", "irrigation", "yoke")]) for preset in PRESETS),
    *(card("rows 46 and 50", "architect", f"structures of price four, the large cellar for {price}",
           {"structures": ALL_STRUCTURES}, "option:2", price=price, gives=f"vp+{points}")
      for price, points in ((None, 2), (4, 3), (5, 2))),
    *(card("rows 46 and 50", "blacksmith", f"a price of five or six, the large cellar for {price}",
           {"lira": 9} | MEDIUM, "structure:large_cellar", price=price, gives=gives) for price, gives in (
               (None, "vp+1 lira-4 large_cellar+1"), (5, "vp+1 lira-3 large_cellar+1"), (4, "lira-2 large_cellar+1"),
               (7, "lira-5 large_cellar+1"))),
    *(card("row 46", name, f"raises the cellar for {paid}, at a price of {price}", {"lira": paid} | MEDIUM, moves,
           price=price, with_ends=[f"lira-{paid} large_cellar+1"]) for name, moves, price, paid in (
               ("master_vintner", "option:1", None, 4), ("master_vintner", "option:1", 9, 7),
               ("oenologist", "option:2", 9, 3))),
]  # fmt: skip
TASTING_ROOM = [
    case("row 47", f"a point for a tour, with wine or without: {wine} ({preset})",
         lay("summer", {"structures": ["tasting_room"], "wines": {"red": wine}}, preset=preset), TOUR, ends=[TASTED])
    for preset in PRESETS for wine in ([], [1])]  # fmt: skip
PLANTED = {"structures": ["yoke"], "fields": {5: ["pinot"], 7: ["malvasia"]}}
UPROOTED = [f"used:yoke+1 plant{capacity}:{vine}-1 vine:{vine}+1" for capacity, vine in ((5, "pinot"), (7, "malvasia"))]
HARVESTED = ["used:yoke+1 harvested5+1 grape:red:1+1 grape:white:1+1", "used:yoke+1 harvested7+1 grape:white:1+1"]
BY_SEASON = [
    *(case("row 49", f"both in {season} by the second edition", lay(season, PLANTED, preset="second_edition"), YOKE_IT,
           ends=UPROOTED + HARVESTED) for season in ("summer", "winter")),
    *(case("row 49", f"one in {season} by the letter", lay(season, PLANTED, preset="manual_literal"), YOKE_IT,
           ends=ends) for season, ends in (("summer", UPROOTED), ("winter", HARVESTED))),
    *(case("rows 34 and 49", f"where all is harvested, {season} ({preset})", lay(
        season, PLANTED | {"harvested": [5, 7]}, preset=preset), **{expected: YOKE_IT})
      for preset, season, expected in ((PRESETS[1], "winter", "refuses"), (PRESETS[1], "summer", "offers"),
                                       (PRESETS[0], "winter", "offers"))),
    *(case("row 52", f"a field is harvested for the year ({preset})", lay(
        "winter", PLANTED | {"fields": {5: ["pinot"]}}, {"regular": 0, "grande": 0}, preset=preset), YOKE_IT,
           "option:2 field:5", refuses=place("harvest_field")) for preset in PRESETS),
]  # fmt: skip
CASES = [*PRICES, *MISSING_PRICE, *CARDS, *TASTING_ROOM, *BY_SEASON]
