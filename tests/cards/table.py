"""A small language for the tests of summer visitors: lay a table, play a card, read what changed.

    game = table("broker", lira=9)                                  # seat 0 holds the Broker and is to act
    assert play(game, "broker", "option:1") == {0: {"lira": -9, "vp": 3}}

`table` lays a summer position in which seat 0 is to place a worker. What a test does not name is poor: no money, no
cards, no structures, three empty fields; seat n sleeps in wake-up row n + 1 and has two regular workers and a grande.
"""

import copy
from collections import Counter

from tests.table.facts import ALL_STRUCTURES as STRUCTURES
from tests.table.facts import SUMMER_VISITORS as SUMMER
from tests.table.facts import VINE_COPIES as COPIES
from tests.table.lay import DECKS, WINES
from vitienv import Game

FIELDS = (5, 6, 7)
HERE = "play_summer_visitor"

_NUMBERS = ("lira", "vp", "residual", "regular", "grande", "temporary", "trained")


# ---- laying the table


def standing(seat, worker="regular", space="plain"):
    """A worker on the board, for `board={"draw_vine": [standing(0)]}`."""
    return {"space": space, "seat": seat, "worker": worker}


def table(*hand, others=({},), board=None, discards=None, draws=None, season="summer", **seat0):
    """A game in which seat 0, holding the summer visitors `hand`, is to act.

    `seat0` and each of `others` describe a seat in the words of `_seat`; `draws` forces the next cards of a deck.
    """
    seats = [_seat(0, summer=list(hand), **seat0)]
    seats += [_seat(number, **words) for number, words in enumerate(others, start=1)]
    position = {
        "ruleset": "essential",
        "num_players": len(seats),
        "seed": 11,
        "year": 2,
        "season": season,
        "first_player": 0,
        "to_act": 0,
        "seats": seats,
    }
    for key, value in (("board", board), ("discards", discards), ("next_draws", draws)):
        if value:
            position[key] = value
    return Game.from_dict(position)


def _seat(
    number,
    lira=0,
    vp=0,
    residual=0,
    row=None,
    passed=False,
    regular=2,
    grande=1,
    temporary=0,
    structures=(),
    fields=None,
    sold=(),
    harvested=(),
    over_limit=(),
    grapes=None,
    wines=None,
    vine=(),
    order=(),
    summer=(),
    winter=(),
    used=(),
):
    """The JSON of one seat. `fields` maps capacities to vines; `sold`, `harvested`, `over_limit` list capacities."""
    planted = {capacity: [] for capacity in FIELDS} | (fields or {})
    field_rows = []
    for capacity, vines in planted.items():
        row_of_field = {
            "capacity": capacity,
            "vines": list(vines),
            "sold": capacity in sold,
            "harvested": capacity in harvested,
        }
        if capacity in over_limit:
            row_of_field["over_limit"] = True
        field_rows.append(row_of_field)
    seat = {
        "lira": lira,
        "victory_points": vp,
        "residual": residual,
        "wake_up": number + 1 if row is None else row,
        "passed": passed,
        "workers": {"regular": regular, "grande": grande, "temporary": temporary},
        "structures": list(structures),
        "fields": field_rows,
        "crush_pad": {"red": [], "white": []} | (grapes or {}),
        "cellar": {wine: [] for wine in WINES} | (wines or {}),
        "hand": {"vine": list(vine), "order": list(order), "summer": list(summer), "winter": list(winter)},
    }
    if used:
        seat["used"] = list(used)
    return seat


def needs(structure):
    """What must stand before `structure` can be built."""
    return ["medium_cellar"] if structure == "large_cellar" else []


def all_but(*structures):
    """Every structure except these."""
    return [structure for structure in STRUCTURES if structure not in structures]


def all_vines(*kept_back):
    """The whole vine deck less `kept_back`: in somebody's hand, it leaves the deck empty."""
    return list((Counter(COPIES) - Counter(kept_back)).elements())


def all_summer_visitors(*kept_back):
    """The whole summer deck less `kept_back`."""
    return [card for card in SUMMER if card not in kept_back]


# ---- acting


def answer(game, *names):
    """Step through `names`. Where nothing but `done` is left to say, it is said, whether or not `names` has it."""
    for name in names:
        if name != "done":
            _nothing_left_to_choose(game)
        elif "done" not in game.legal_actions():
            continue
        game.step(name)
    _nothing_left_to_choose(game)


def _nothing_left_to_choose(game):
    while game.legal_actions() == ["done"]:
        game.step("done")


def place(action, worker="regular", space="plain"):
    """The name of placing a worker, or of taking one back."""
    return f"place:{action}:{space}:{worker}"


def begin(game, card, *answers, worker="regular", space="plain"):
    """Play `card` from the seat to act and answer the questions; it may be unfinished afterwards."""
    game.step(place(HERE, worker, space))
    answer(game, f"card:summer:{card}", *answers)


def play(game, card, *answers, worker="regular", space="plain"):
    """Play `card` to its end, when it lies on its pile and the next turn begins; the changes at every seat.

    The placed worker and the played card are left out of the changes; they go without saying.
    """
    seat = game.seat
    before = mats(game)
    before[seat][worker] -= 1
    before[seat]["hand"].remove(f"summer:{card}")
    begin(game, card, *answers, worker=worker, space=space)
    assert game.decision == "place_worker", f"{card} asks on: {question(game)}"
    assert card in pile(game, "summer")
    return changes(before, mats(game))


def offered(game, card, *answers, worker="regular", space="plain"):
    """The actions open after playing `card` and `answers`; empty where the card or one of the answers is refused."""
    probe = game.copy()
    for name in (place(HERE, worker, space), f"card:summer:{card}", *answers):
        if name not in probe.legal_actions():
            return set()
        probe.step(name)
    return legal(probe)


def playable(game, worker="regular", space="plain"):
    """The summer visitors that the seat to act may play now."""
    if place(HERE, worker, space) not in game.legal_actions():
        return set()
    probe = game.copy()
    probe.step(place(HERE, worker, space))
    return {name.removeprefix("card:summer:") for name in probe.legal_actions()}


def asked(game, decision, reply):
    """The seats that are asked `decision` one after another when each replies `reply`."""
    seats = []
    while game.decision == decision:
        seats.append(game.seat)
        game.step(reply)
    return seats


def to_winter(game):
    """Everybody passes, and draws a summer visitor in fall; then whatever winter begins with."""
    while game.decision == "place_worker" and game.to_dict()["season"] == "summer":
        game.step("pass")
    while game.decision == "choose_deck":
        game.step("deck:summer")


# ---- reading


def legal(game):
    return set(game.legal_actions())


def question(game):
    """Who is asked what, and the possible answers."""
    return game.seat, game.decision, legal(game)


def me(game, seat=0):
    return mats(game)[seat]


def pile(game, deck):
    """The discard pile of `deck`, its top card last."""
    return game.to_dict().get("discards", {}).get(deck, [])


def on_board(game, action):
    """The (seat, worker, space) of each worker on `action`."""
    workers = game.to_dict().get("board", {}).get(action, [])
    return sorted((worker["seat"], worker["worker"], worker["space"]) for worker in workers)


def mats(game):
    """Each seat's state as a flat dictionary in the words of `_seat`; what is unordered is sorted."""
    return [_flat(seat) for seat in copy.deepcopy(game.to_dict())["seats"]]


def _flat(seat):
    fields = seat["fields"]
    return {
        "lira": seat["lira"],
        "vp": seat["victory_points"],
        "residual": seat["residual"],
        "row": seat["wake_up"],
        "passed": seat["passed"],
        **{worker: seat["workers"].get(worker, 0) for worker in ("regular", "grande", "temporary")},
        "trained": seat.get("trained_this_year", 0),
        "used": sorted(seat.get("used", [])),
        "structures": sorted(seat["structures"]),
        "fields": {field["capacity"]: sorted(field["vines"]) for field in fields},
        "sold": [field["capacity"] for field in fields if field.get("sold")],
        "harvested": [field["capacity"] for field in fields if field.get("harvested")],
        "over_limit": [field["capacity"] for field in fields if field.get("over_limit")],
        "grapes": {colour: sorted(seat["crush_pad"].get(colour, [])) for colour in ("red", "white")},
        "wines": {wine: sorted(seat["cellar"].get(wine, [])) for wine in WINES},
        "hand": sorted(f"{deck}:{card}" for deck in DECKS for card in seat["hand"].get(deck, [])),
    }


def changes(before, after):
    """Per seat, what differs: numbers as differences, cards as `gained` and `lost`, else what a place holds now."""
    result = {}
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        changed = {key: new[key] for key in new if new[key] != old[key]}
        for key in changed:
            if key in _NUMBERS:
                changed[key] = new[key] - old[key]
            elif key in ("fields", "grapes", "wines"):
                changed[key] = {part: new[key][part] for part in new[key] if new[key][part] != old[key][part]}
        if "hand" in changed:
            del changed["hand"]
            gained, lost = Counter(new["hand"]) - Counter(old["hand"]), Counter(old["hand"]) - Counter(new["hand"])
            changed |= {name: sorted(cards.elements()) for name, cards in (("gained", gained), ("lost", lost)) if cards}
        if "structures" in changed:
            del changed["structures"]
            changed["built"] = sorted(set(new["structures"]) - set(old["structures"]))
        if changed:
            result[number] = changed
    return result
