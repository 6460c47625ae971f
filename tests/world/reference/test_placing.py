"""The engine against the plain writing: legal placings, and all that each can lead to, made up and reached."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, NamedTuple

import pytest

import vitienv
from tests.table.fixtures import ALL_STRUCTURES
from tests.world.cases.positions import event, staff, table
from tests.world.cases.turns import CARDS, LETTERS, OVALS, PLACES, ends, game_of

from .places import USED, is_place
from .placing import GOALS, Table

CONTINENTS = "greengully asia oceania south_america europe north_america africa".split()
LEFT_OUT = ("play_summer_visitor", "play_winter_visitor")
MOST = 1_000  # decisions tried for one placing
MOST_TRADING = 4_000  # and for one that may trade


def made_up(chance: random.Random) -> vitienv.Game:
    """A position that play seldom reaches: any continent and year, rich seats, many tiles, crowded actions.

    Half of them are of poor seats, so that all trades of a grande can be tried.
    """
    season, n = chance.choice(("summer", "winter")), chance.randint(2, 6)
    decks = {name: [*cards] * (2 if name == "vine" else 1) for name, cards in CARDS.items()}
    for name in decks:
        decks[name] = [card for card in decks[name] if card not in OUT]
        chance.shuffle(decks[name])
    poor = chance.random() < 0.5
    seats = [seat(chance, decks, poor) for _ in range(n)]
    continent = chance.choice(CONTINENTS)
    letters = chance.sample(LETTERS, chance.choice((0, 3, 9)))
    ovals = chance.sample(OVALS, len(letters))
    rectangles = [letter for letter in LETTERS if letter not in "HN"]
    chance.shuffle(rectangles)
    placed = chance.choice((0, 4, 9))
    shown = [*rectangles[placed : placed + 2], *[oval for oval in OVALS if oval not in ovals][:2]]
    top = event(continent, chance.randint(1, 6 if continent == "greengully" else 8))
    board: dict[str, list[dict[str, Any]]] = {}
    places = [*(PLACES[:8] if season == "summer" else PLACES[8:16]), "gain_lira"]
    if is_place(continent, top["events"]["now"], season):
        places += ["event"] * 3
    for k in range(0 if chance.random() < 0.1 else 1, n):
        place = chance.choice(places)
        there, covered = board.setdefault(place, []), place in [PLACES[LETTERS.index(letter)] for letter in letters]
        if covered or place in ("gain_lira", "event") or len(there) < (1 if n < 4 else 2):
            space = "oval" if covered else "plain"
            there.append({"seat": k, "worker": "yellow" if season == "summer" else "blue", "space": space})
    if continent == "europe":
        aims = chance.sample(range(1, 13), 2 * n)
        for k, own in enumerate(seats):
            own.update(aims=aims[2 * k : 2 * k + 2], aims_met=[])
    tiles = {"shown": shown, "placed": rectangles[:placed], "gone": [], "ovals": dict(zip(letters, ovals, strict=True))}
    deeds = [
        {name: chance.choice((0, 0, 1, 2)) for name in ("tours", "wines_made", "orders_filled", "order_vp",
         "wines_sold", "innovations_taken")} for _ in range(n)
    ]  # fmt: skip
    for worker in board.get("event", ()):
        deeds[worker["seat"]]["event_space_uses"] = 1
    if continent == "greengully" and len(board.get("event", ())) == n:
        top.update(rule_steps=1, rule_year=1)  # its influence has come (W89)
    if met := GOALS.get((continent, top["events"]["now"])):
        metric, each, least = met
        top["goal_met"] = sum(own.get(metric, 0) for own in deeds) >= max(each * n, least)
    return game_of(
        table(season, *seats, n=n, tiles=tiles, board=board, deeds=deeds, influence=chance.choice((0, 4, 9, 10)), **top)
    )


OUT = (
    "planner organizer uncertified_teacher teacher professor scholar governess guest_speaker".split()
)  # not in this game's decks


def seat(chance: random.Random, decks: dict[str, list[str]], poor: bool) -> dict[str, Any]:
    rich = not poor and chance.random() < 0.6
    cellars = chance.choice(([], ["medium_cellar"], ["medium_cellar", "large_cellar"]))
    others = [name for name in ALL_STRUCTURES if "cellar" not in name]
    structures = [*chance.sample(others, chance.randint(0, 4)), *cellars]
    top = (3, 6, 9)[len(cellars)]
    few = lambda values, most: sorted(chance.sample(list(values), min(len(list(values)), chance.randint(0, most))))  # noqa: E731
    cellar = {"red": few(range(1, top + 1), 2), "white": few(range(1, top + 1), 2),
              "blush": few(range(4, top + 1), 1), "sparkling": few(range(7, top + 1), 1)}  # fmt: skip
    fields = []
    for capacity in (5, 6, 7):
        vines = []
        for vine in ("sangiovese", "malvasia", "pinot", "syrah", "trebbiano"):
            if len(vines) < 2 and chance.random() < 0.2 and vine in decks["vine"]:
                decks["vine"].remove(vine)
                vines.append(vine)
        fields.append({"capacity": capacity, "vines": vines, "sold": not vines and chance.random() < 0.3,
                       "harvested": bool(vines) and chance.random() < 0.2})  # fmt: skip
    hand = {name: [decks[name].pop() for _ in range(chance.choice((0, 1, 2))) if decks[name]] for name in decks}
    pad = {"red": few(range(1, 10), 3), "white": few(range(1, 10), 2)}
    if poor:
        hand = {name: hand[name][: chance.choice((0, 0, 1))] for name in hand}
        cellar, pad = ({colour: some if chance.random() < 0.3 else [] for colour, some in there.items()}
                       for there in (cellar, pad))  # fmt: skip
    lira = chance.randint(0, 14) if rich else chance.choice((0, 0, 1, 2, 4)) if poor else chance.randint(0, 3)
    return {
        "lira": lira,
        "victory_points": chance.choice((-5, 0, 7, 28, 29)), "residual": chance.randint(0, 5),
        "structures": structures, "cellar": cellar, "fields": fields, "hand": hand,
        "crush_pad": pad,
        "used": {name: chance.random() < 0.3 for name in ("windmill", "tasting_room", "yoke")},
        "workers": chance.choice((staff(), staff(1, 1, 2), staff(2, 0, 2, 1), staff(1, 1, 1, 0), staff(2, 2, 0, 0))),
    }  # fmt: skip


class Judged(NamedTuple):
    """Placings of one position: judged whole, with too many ways, and how many of both may trade."""

    done: int
    left: int
    trading: int
    trading_left: int


def judged(game: vitienv.Game) -> Judged:
    """Compare one position."""
    table = Table(game)
    # Cards that a bonus draws before the action uses them: the plain writing does not know which.
    drawn = [place for place, deck in USED.items() if deck in table.ovals.values()]
    known = lambda moves: {move for move in moves if move.split(":")[1] not in (*LEFT_OUT, *drawn)}  # noqa: E731
    legal = known(set(game.legal_actions()) - {"pass"})
    assert legal == known(table.placings())
    counts = Counter[str]()
    for move in sorted(legal):
        trading = bool(table.partners(move))
        outcomes = ends(game, move, most=MOST_TRADING if trading else MOST)
        if outcomes is None:
            counts["left"] += 1
            counts["trading_left"] += trading
            continue
        assert outcomes == table.ends(move), (move, table.card, sorted(table.placed), table.ovals)
        counts["done"] += 1
        counts["trading"] += trading
    return Judged(*(counts[name] for name in Judged._fields))


@pytest.mark.parametrize("seed", range(4))
def test_made_up_positions(seed):
    chance = random.Random(seed)
    assert sum(judged(made_up(chance)).done for _ in range(4)) > 4


@pytest.mark.parametrize("seed", range(3))
def test_reached_positions(seed):
    assert sum(one.done for one in reached(seed, 5)) > 4


def settled(game: vitienv.Game) -> bool:
    """Whether nobody runs out of workers by one placing: a pass would bring more than the turn."""
    record, season = game.state, 1 if game.state.season == 2 else 2
    for k in range(game.num_players):
        home = [i for i in range(4) if record.at[k][i] < 0 and record.hat[k][i] in (0, season)]
        if not record.passed[k] and len(home) + record.free[k][1] + record.free[k][2] < 2:
            return False
    return True


def reached(seed: int, most: int) -> list[Judged]:
    """Judge positions of games in which placings are chosen rather than passes."""
    chance, results = random.Random(seed), list[Judged]()
    while len(results) < most:
        results += of_a_game(chance, min(most - len(results), 25))
    return results


def of_a_game(chance: random.Random, most: int) -> list[Judged]:
    n, continent = chance.randint(1, 6), chance.choice(CONTINENTS)
    options = {"partner": "none"} if n == 1 else {}
    if continent != "greengully" and chance.random() < 0.5:
        options["events"] = "shuffled"
    game = vitienv.Game.new(chance.randrange(2**32), game="world", continent=continent, num_players=n, **options)
    results: list[Judged] = []
    while not game.is_over and len(results) < most:
        if game.decision == "place_worker" and settled(game) and chance.random() < 0.4:
            results.append(judged(game))
        moves = [move for move in game.legal_actions() if move not in ("pass", "done")]
        game.step(chance.choice(moves or game.legal_actions()))
    return results


# Two hundred times five hundred: a hundred thousand positions.


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_made_up_positions(seed):
    chance = random.Random(seed)
    assert sum(judged(made_up(chance)).done for _ in range(500)) > 2_000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_reached_positions(seed):
    assert sum(one.done for one in reached(seed, 500)) > 1_000
