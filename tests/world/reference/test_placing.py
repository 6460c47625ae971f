"""The engine against the reference: legal placements, and all their results, at random and at reached positions."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, NamedTuple

import pytest

import vitienv
from tests.table.fixtures import ALL_STRUCTURES
from tests.world.cases.changes import CARDS, LETTERS, OVALS, PLACES, ends
from tests.world.cases.positions import at, staff, table
from vitienv.viticulture.enums import Season, Worker
from vitienv.world.enums import CONTINENTS, N_REGULARS

from .places import USED, is_place
from .placing import GOALS, Table

UNCHECKED_PLACES = ("play_summer_visitor", "play_winter_visitor")
MAX_STEPS = 1_000  # decisions of a placement
MAX_TRADING_STEPS = 4_000  # decisions of a placement that may trade
EXCLUDED = "planner organizer uncertified_teacher teacher professor scholar governess guest_speaker".split()
STAFF = [staff(), staff(1, 1, 2), staff(2, 0, 2), staff(1, 1, 1, 0), staff(2, 2, 0, 0)]
VINES = ("sangiovese", "malvasia", "pinot", "syrah", "trebbiano")
DEEDS = ("tours", "wines_made", "orders_filled", "order_vp", "wines_sold", "innovations_taken")


def made_up(rng: random.Random) -> vitienv.Game:
    """Return a random position of any continent and year with many tiles and crowded actions.

    Half of them have poor seats, so that all trades of a grande can be tried.
    """
    season, n, continent = rng.choice(("summer", "winter")), rng.randint(2, 6), rng.choice(CONTINENTS)
    decks = {name: [card for card in cards if card not in EXCLUDED] for name, cards in CARDS.items()}
    for name in decks:
        rng.shuffle(decks[name])
    is_poor = rng.random() < 0.5
    seats = [seat_of(rng, decks, is_poor) for _ in range(n)]
    number = rng.randint(1, 6 if continent == "greengully" else 8)
    year, top = number, dict[str, Any]()
    if continent != "greengully":
        year = rng.randint(4, 6)
        gone = rng.sample([card for card in range(1, 9) if card != number], year - 1)
        top = {"year": year, "events": {"now": number, "gone": gone}, "options": {"events": "shuffled"}}
    letters = rng.sample(LETTERS, min(rng.choice((0, 3, 6)), 2 * year - 2))
    ovals = rng.sample(OVALS, len(letters))
    rectangles = [letter for letter in LETTERS if letter not in "HN"]
    rng.shuffle(rectangles)
    num_placed = min(rng.choice((0, 4, 8)), 2 * year - 2)
    tiles = [*rectangles[num_placed : num_placed + 2], *[oval for oval in OVALS if oval not in ovals][:2]]
    board: dict[str, list[dict[str, Any]]] = {}
    places = [*(PLACES[:8] if season == "summer" else PLACES[8:16]), "gain_lira"]
    if is_place(continent, number, season):
        places += ["event"] * 3
    staffs = STAFF if year > 1 or season == "winter" else [staff(), staff(grande=0)]
    is_alone = rng.random() < 0.9  # seat 0 has no worker on the board
    for seat in range(is_alone, n):
        place = rng.choice(places)
        workers, letter = board.setdefault(place, []), (LETTERS + "   ")[PLACES.index(place)]
        if letter in letters or place in ("gain_lira", "event") or len(workers) < (1 if n < 4 else 2):
            workers.append(at(seat))
        else:
            seats[seat]["workers"] = rng.choice(staffs)
    if continent == "europe":
        aims = rng.sample(range(1, 13), 2 * n)
        for k, seat in enumerate(seats):
            seat["aims"] = aims[2 * k : 2 * k + 2]
    if is_alone:
        seats[0]["workers"] = rng.choice(staffs)
    deeds = [{name: rng.choice((0, 0, 1, 2)) for name in DEEDS} for _ in range(n)]
    if continent == "greengully" and len(board.get("event", ())) >= n:
        top = {"rule_steps": 1, "rule_year": 1}  # its influence was gained (W89)
    if goal := GOALS.get((continent, number)):
        metric, of_each, minimum = goal
        top["goal_met"] = sum(deed.get(metric, 0) for deed in deeds) >= max(of_each * n, minimum)
    influence = rng.choice((6, 8, 9, 10))
    position = table(season, *seats, n=n, event=f"{continent} {number}", display=" ".join(tiles), board=board,
                     deeds=deeds, placed=" ".join(rectangles[:num_placed]), ovals=dict(zip(letters, ovals)),
                     influence=influence, **top)  # fmt: skip
    return vitienv.Game.from_dict(position)


def seat_of(rng: random.Random, decks: dict[str, list[str]], is_poor: bool) -> dict[str, Any]:
    cellars = rng.choice(([], ["medium_cellar"], ["medium_cellar", "large_cellar"]))
    others = [name for name in ALL_STRUCTURES if "cellar" not in name]
    structures = [*rng.sample(others, rng.randint(0, 4)), *cellars]
    top = (3, 6, 9)[len(cellars)]

    def values(low: int, high: int, max_number: int) -> list[int]:
        numbers = range(low, high + 1)
        return sorted(rng.sample(numbers, min(len(numbers), rng.randint(0, max_number))))

    wines = {"red": values(1, top, 2), "white": values(1, top, 2), "blush": values(4, top, 1),
             "sparkling": values(7, top, 1)}  # fmt: skip
    fields: dict[int, list[str]] = {}
    for capacity in (5, 6, 7):
        vines = fields.setdefault(capacity, [])
        for vine in VINES:
            if len(vines) < 2 and rng.random() < 0.2 and vine in decks["vine"]:
                decks["vine"].remove(vine)
                vines.append(vine)
    hand = {name: [decks[name].pop() for _ in range(rng.choice((0, 1, 2))) if decks[name]] for name in decks}
    grapes = {"red": values(1, 9, 3), "white": values(1, 9, 2)}
    if is_poor:
        hand = {name: hand[name][: rng.choice((0, 0, 1))] for name in hand}
        wines, grapes = ({colour: some if rng.random() < 0.3 else [] for colour, some in tokens.items()}
                         for tokens in (wines, grapes))  # fmt: skip
    lira = (0, 0, 1, 2, 4) if is_poor else range(15) if rng.random() < 0.6 else range(4)
    used = [name for name in ("windmill", "tasting_room") if name in structures and rng.random() < 0.3]
    return {
        "lira": rng.choice(lira), "vp": rng.choice((-5, 0, 7, 28, 29)), "residual": rng.randint(0, 5), "used": used,
        "structures": structures, "wines": wines, "fields": fields, "grapes": grapes, **hand,
        "sold": [capacity for capacity, vines in fields.items() if not vines and rng.random() < 0.3],
        "harvested": [capacity for capacity, vines in fields.items() if vines and rng.random() < 0.2],
    }  # fmt: skip


class Judged(NamedTuple):
    """Number of placements of a position: compared, with too many decisions, and those of both that may trade."""

    compared: int
    skipped: int
    trading: int
    trading_skipped: int


def outcome_of(game: vitienv.Game) -> Judged:
    """Compare a position; AssertionError for a difference."""
    table, counts = Table(game), Counter[str]()
    # The reference does not know which card a bonus draws before the action.
    unchecked = {*UNCHECKED_PLACES, *(place for place, deck in USED.items() if deck in table.ovals.values())}

    def checked(moves: set[str]) -> set[str]:
        return {move for move in moves - {"pass"} if move.split(":")[1] not in unchecked}

    legal = checked(set(game.legal_actions()))
    assert legal == checked(table.placements())
    for move in sorted(legal):
        can_trade = bool(table.partners(move))
        outcomes = ends(game, move, max_steps=MAX_TRADING_STEPS if can_trade else MAX_STEPS)
        assert outcomes in (None, table.ends(move)), (move, table.card, sorted(table.placed), table.ovals)
        counts["skipped" if outcomes is None else "compared"] += 1
        counts["trading_skipped" if outcomes is None else "trading"] += can_trade
    return Judged(*(counts[name] for name in Judged._fields))


def has_workers_left(game: vitienv.Game) -> bool:
    """Return whether no seat must pass after one placement, which would have further effects."""
    state, hat = game.state, 1 if game.state.season == Season.SUMMER else 2
    for seat in range(game.num_players):
        regulars = (state.at[seat, :N_REGULARS] < 0) & ((state.hat[seat] == 0) | (state.hat[seat] == hat))
        num_usable = regulars.sum() + state.free[seat, Worker.GRANDE] + state.free[seat, Worker.TEMPORARY]
        if not state.passed[seat] and num_usable < 2:
            return False
    return True


def random_game(rng: random.Random) -> vitienv.Game:
    n, continent = rng.randint(1, 6), rng.choice(CONTINENTS)
    options = {"partner": "none"} if n == 1 else {}
    if continent != "greengully" and rng.random() < 0.5:
        options["events"] = "shuffled"
    return vitienv.Game.new(rng.randrange(2**32), game="world", continent=continent, num_players=n, **options)


def reached(seed: int, num_positions: int) -> list[Judged]:
    """Compare positions of random games that prefer placements to passes, at most 25 of a game."""
    rng, results = random.Random(seed), list[Judged]()
    while len(results) < num_positions:
        game, end = random_game(rng), min(len(results) + 25, num_positions)
        while not game.is_over and len(results) < end:
            if game.decision == "place_worker" and has_workers_left(game) and rng.random() < 0.4:
                results.append(outcome_of(game))
            moves = [move for move in game.legal_actions() if move not in ("pass", "done")]
            game.step(rng.choice(moves or game.legal_actions()))
    return results


def sizes(quick: int, number: int) -> list[Any]:
    """Return seeds and numbers of positions: quick ones, and 50,000 positions."""
    many = [pytest.param(seed, 500, marks=pytest.mark.slow) for seed in range(100, 200)]
    return [*((seed, number) for seed in range(quick)), *many]


@pytest.mark.parametrize(("seed", "number"), sizes(4, 4))
def test_random_positions(seed, number):
    rng = random.Random(seed)
    assert sum(outcome_of(made_up(rng)).compared for _ in range(number)) > 4 * number - 12


@pytest.mark.parametrize(("seed", "number"), sizes(3, 5))
def test_reached_positions(seed, number):
    assert sum(position.compared for position in reached(seed, number)) > 2 * number - 6
