"""Positions of the original edition.

By default seat k is in wake-up row k + 1 and has no money or cards, empty fields, two regular workers and the grande
worker; seat 0 is to act. In a seat, `vines` are the vines of the three fields from left to right and `harvested` the
indices (0, 1, 2) of the fields harvested this year.
"""

import pytest

import vitienv
from tests.table.fixtures import seat, workers
from tests.table.setup_position import table

PRESETS = ("second_edition", "manual_literal")
both_presets = pytest.mark.parametrize("preset", PRESETS)
OWN_OPTIONS = ("preset", "train_price", "large_cellar_price", "field_capacities")

# The only visitors of this edition.
SUMMER_VISITORS = (
    "surveyor broker wine_critic blacksmith contractor tour_guide novice_guide uncertified_broker planter buyer "
    "landscaper architect uncertified_architect patron auctioneer entertainer vendor handyman horticulturist peddler"
).split()
WINTER_VISITORS = (
    "merchant crusher judge oenologist marketer crush_expert uncertified_teacher teacher benefactor assessor queen "
    "harvester professor master_vintner uncertified_oenologist promoter mentor harvest_expert innkeeper "
    "jack_of_all_trades"
).split()
VISITORS = {"summer": SUMMER_VISITORS, "winter": WINTER_VISITORS}
# Visitors that came with later printings.
LATER_SUMMER_VISITORS = (
    "banker overseer importer sharecropper grower negotiator cultivator homesteader planner agriculturist swindler "
    "producer organizer sponsor artisan stonemason volunteer_crew wedding_party"
).split()
LATER_WINTER_VISITORS = (
    "politician supervisor scholar reaper motivator bottler craftsman exporter laborer designer governess manager "
    "zymologist noble governor taster caravan guest_speaker"
).split()
LATER_VISITORS = {"summer": LATER_SUMMER_VISITORS, "winter": LATER_WINTER_VISITORS}

DECKS = ("vine", "order", "summer", "winter")
EMPTY_CELLAR = {"red": [], "white": [], "blush": [], "sparkling": []}
# The fields from left to right, with any capacity.
FIELDS = ["field:5", "field:6", "field:7"]


# Replacements of later visitors in the hand of a seat that can do everything.
INSTEAD = {"banker": "patron", "vendor": "surveyor", "politician": "judge", "caravan": "benefactor"}


def seat_of(words):
    """Return a seat in the format of this edition."""
    seat = dict(words)
    seat["fields"] = [{key: value for key, value in field.items() if key != "sold"} for field in seat["fields"]]
    seat["hand"] = {deck: [INSTEAD.get(card, card) for card in cards] for deck, cards in seat["hand"].items()}
    return seat


def lay(season, *seats, **top):
    """Return a position in the notation of `tests.table.setup_position`, with fields of 5, 6 and 7."""
    position = table(season, *seats, **{"ruleset": "original", "field_capacities": (5, 6, 7)} | top)
    return position | {"seats": [seat_of(seat) for seat in position["seats"]]}


NOBODY = {"workers": workers(0, 0)}


def fields(vines, harvested=(), capacities=(6, 6, 6)):
    """Return three fields of a position with these vines."""
    return [
        {"capacity": capacity, "vines": list(planted), "harvested": number in harvested}
        for number, (capacity, planted) in enumerate(zip(capacities, vines, strict=True))
    ]


def position(num_players, season, *seats, ruleset="original", **top):
    """Return a position. `seats` override seat 0, 1, ...; `top` are options of this edition or keys of the position."""
    options = {name: top.pop(name) for name in OWN_OPTIONS if name in top}
    capacities = options.get("field_capacities", (5, 6, 7) if ruleset == "essential" else (6, 6, 6))
    full = []
    for number in range(num_players):
        seat = {
            "lira": 0,
            "victory_points": 0,
            "residual": 0,
            "wake_up": None if season == "spring" else number + 1,
            "workers": workers(),
        }
        words = dict(seats[number]) if number < len(seats) else {}
        vines, harvested = words.pop("vines", ((), (), ())), words.pop("harvested", ())
        words["hand"] = {deck: [] for deck in DECKS} | words.get("hand", {})
        words["fields"] = fields(vines, harvested, capacities)
        full.append(seat | words)
    head = {"ruleset": ruleset, "num_players": num_players, "seed": 1, "season": season, "first_player": 0}
    return {**head, "options": options | top.pop("options", {}), "seats": full, **top}


def start(num_players, season, *seats, **top):
    """Return a game that starts from a position."""
    return vitienv.Game.from_dict(position(num_players, season, *seats, **top))


def lira(game, number=0):
    return seat(game, number)["lira"]


def vines(game, number=0):
    """Return the vines of each field of a seat, from left to right."""
    return [sorted(field["vines"]) for field in seat(game, number)["fields"]]
