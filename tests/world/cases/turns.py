"""Positions in words, and what a whole turn leads to: every sequence of decisions to its end, told as changes.

A change is a word such as `lira-3`, `vp+1`, `vine+2`, `grape:red:4-1`, `plant5+1`, `oval:K:vp+1`; those of a seat other
than the one that acts begin with its number, `1.lira+3`. An end is all its words in order, in one string.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

import vitienv
from tests.table.ends import STOPS, each_end, records_of
from tests.table.fixtures import ALL_STRUCTURES, ORDERS, SUMMER_VISITORS, VINE_COPIES, WINTER_VISITORS
from vitienv.core.fields import empty_record
from vitienv.world.game_spec import GAME_SPEC

LETTERS = "ABCDEFGHIJKLMNOP"
PLACES = (
    "draw_vine play_summer_visitor give_tour build_structure plant_vine sell_grapes_or_field exchange innovate "
    "draw_order play_winter_visitor harvest_field train_worker make_wine fill_order sell_wine buy_influence "
    "gain_lira yoke event"
).split()
SPACES = ("plain", "oval", "crowd")
OVALS = "lira order vine summer winter vp age_grape age_wine left right up down".split()
TILES = (*LETTERS, *OVALS)
IN_STACK, SHOWN, PLACED, GONE = range(4)
METRICS = (
    "tours plants harvests wines_made orders_filled order_vp wines_sold structures_built visitors_played trades "
    "event_space_uses innovations_taken wines_sold_value_4_plus orders_filled_4vp_plus action_G_uses"
).split()
DECKS = ("vine", "order", "summer", "winter")
CARDS = {"vine": list(VINE_COPIES), "order": ORDERS, "summer": SUMMER_VISITORS, "winter": WINTER_VISITORS}
NUMBER = {}  # of a card among all kinds
for deck, names in CARDS.items():
    for name in names:
        NUMBER[deck, name] = len(NUMBER)
COLOURS = ("red", "white")
WINES = ("red", "white", "blush", "sparkling")
HATS = ("regular", "yellow", "blue")  # as numbers: none, of summer, of winter
GRANDE, TEMPORARY = 4, 5
AWAY = 3 * PLACES.index("yoke")  # where workers stand that a position does not tell of


@cache
def _template(ruleset: tuple, season: str, rows: tuple, first: int | None) -> vitienv.Game:
    """A game at the first decision of a season, seats on these positions of the ring."""
    for seed in range(1, 200):
        game = vitienv.Game.new(seed, **dict(ruleset))
        while True:
            if game.decision == "wake_up":
                if season == "spring":
                    break
                game.step(f"wake_up:{rows[game.current_seat]}")
            elif game.decision == "place_worker":
                if game.state.season == (2 if season == "summer" else 4):
                    break
                game.step("pass")
            else:
                game.step(game.legal_actions()[0])
        if season != "spring" or game.current_seat == first:
            return game
    raise AssertionError("no seed lets this seat choose first")


def game_of(position: dict[str, Any]) -> vitienv.Game:
    """The game of a position in words."""
    n, season, seats = position["num_players"], position["season"], position["seats"]
    ruleset = {"game": "world", "num_players": n, "continent": position["continent"], **position.get("options", {})}
    rows = tuple(seat["wake_up"] for seat in seats)
    game = _template(tuple(sorted(ruleset.items())), season, rows, position["first_player"]).copy()
    state = {name: game.state[name].tolist() for name in game.state.dtype.names}
    _put_seats(state, position, n)
    for field in ("influence", "year", "rule_steps", "rule_year", "rule_done", "goal_met"):
        if field in position:
            state[field] = int(position[field])
    now = position["events"]["now"]
    gone = [*position["events"]["gone"], now]
    state["event"], state["n_events"] = now - 1, int(position.get("year", 1))
    state["events_gone"] = sum(1 << number - 1 for number in gone)
    state["tile"] = [GONE if tile in ("H", "N") else IN_STACK for tile in TILES]
    state["oval_on"] = [-1] * 16
    lying = position["tiles"]
    for tile in lying["shown"]:
        state["tile"][TILES.index(tile)] = SHOWN
    for letter in lying["placed"]:
        state["tile"][TILES.index(letter)] = PLACED
    for letter, oval in lying["ovals"].items():
        state["tile"][TILES.index(oval)] = PLACED
        state["oval_on"][LETTERS.index(letter)] = OVALS.index(oval)
    for name, value in state.items():
        game.state[name] = value
    game._batch.refresh(observe=False)
    return vitienv.Game(game._batch, None, {})


def _put_seats(state: dict[str, Any], position: dict[str, Any], n: int) -> None:
    zeros = lambda *shape: [zeros(*shape[1:]) for _ in range(shape[0])] if shape else 0  # noqa: E731
    kinds = (state["deck"], *state["hand"], state["discard"])
    there = [sum(column) for column in zip(*kinds, strict=True)]
    state.update(
        lira=zeros(6), vp=zeros(6), residual=zeros(6), structures=zeros(6, 8), used=zeros(6, 3), vines=zeros(6, 3, 9),
        sold=zeros(6, 3), harvested=zeros(6, 3), crush=zeros(6, 2, 9), cellar=zeros(6, 4, 9), hand=zeros(6, 121),
        shown=zeros(6, 121), n_hand=zeros(6, 4), discard=zeros(121), passed=zeros(6), over_achieved=zeros(6),
        deeds=zeros(6, 15), aims_met=zeros(6, 2), free=zeros(6, 3), hat=zeros(6, 4), boosted=zeros(6),
    )  # fmt: skip
    empty = empty_record(GAME_SPEC.fields)[0]
    state |= {name: empty[name].tolist() for name in ("pile", "n_pile")}
    state["at"] = [[-1] * 6 for _ in range(6)]
    state["staff"] = [[4, 1, 0] if k < n else [0, 0, 0] for k in range(6)]
    for k, seat in enumerate(position["seats"]):
        state["lira"][k], state["vp"][k], state["residual"][k] = seat["lira"], seat["victory_points"], seat["residual"]
        state["passed"][k] = int(seat.get("passed", False))
        state["over_achieved"][k] = int(seat.get("reached_30", False))
        for structure in seat.get("structures", ()):
            state["structures"][k][ALL_STRUCTURES.index(structure)] = 1
        for i, name in enumerate(("windmill", "tasting_room", "yoke")):
            state["used"][k][i] = int(seat.get("used", {}).get(name, False))
        for i, field in enumerate(seat.get("fields", ())):
            for vine in field["vines"]:
                state["vines"][k][i][NUMBER["vine", vine]] += 1
                there[NUMBER["vine", vine]] -= 1
            state["sold"][k][i], state["harvested"][k][i] = int(field["sold"]), int(field["harvested"])
        for key, kinds, own in (("crush_pad", COLOURS, "crush"), ("cellar", WINES, "cellar")):
            for kind, values in seat.get(key, {}).items():
                for value in values:
                    state[own][k][kinds.index(kind)][value - 1] = 1
        for d, (deck, cards) in enumerate(seat.get("hand", {}).items()):
            for card in cards:
                state["hand"][k][NUMBER[deck, card]] += 1
                state["n_hand"][k][d] += 1
                there[NUMBER[deck, card]] -= 1
        for name, value in (position.get("deeds", ())[k : k + 1] or ({},))[0].items():
            state["deeds"][k][METRICS.index(name)] = value
        if "aims" in seat:
            state["aims"][k] = [aim - 1 for aim in seat["aims"]]
            state["aims_met"][k] = [int(aim in seat["aims_met"]) for aim in seat["aims"]]
        _put_workers(state, position, k)
    state["deck"], bounds = there, (0, 9, 45, 83, 121)
    state["n_deck"] = [sum(there[low:high]) for low, high in pairwise(bounds)]


def _put_workers(state: dict[str, Any], position: dict[str, Any], k: int) -> None:
    """The four regulars with their hats, those at hand last; who is not told of stands on the yoke."""
    at_hand = position["seats"][k]["workers"]
    places = {"grande": [], "temporary": []}  # type: dict[str, list[int]]
    regulars: list[tuple[int, int]] = []
    for place, workers in position.get("board", {}).items():
        for worker in workers:
            if worker["seat"] == k:
                where = 3 * PLACES.index(place) + SPACES.index(worker["space"])
                if worker["worker"] in places:
                    places[worker["worker"]].append(where)
                else:
                    regulars.append((HATS.index(worker["worker"]), where))
    for hat, name in enumerate(HATS):
        standing = sum(worn == hat for worn, _ in regulars)
        regulars += [(hat, -1)] * min(at_hand[name], 2 - standing if hat else 4)
    regulars = regulars[:4]
    while len(regulars) < 4:
        wanted = next((hat for hat in (1, 2) if sum(worn == hat for worn, _ in regulars) < 2), 0)
        regulars.append((wanted, AWAY))
    state["hat"][k] = [hat for hat, _ in regulars]
    grande = places["grande"] or [-1 if at_hand["grande"] else AWAY]
    temporary = places["temporary"] or [-1]
    state["at"][k] = [*(where for _, where in regulars), *grande, *temporary]
    state["staff"][k][2] = int(bool(at_hand["temporary"] or places["temporary"]))
    state["free"][k] = [sum(where < 0 for _, where in regulars), int(grande[0] < 0), at_hand["temporary"]]


def count(game: vitienv.Game) -> Counter:
    """What can be counted on a table, by words; those of a seat begin with its number."""
    there = counted(records_of(game))[0].tolist()
    return Counter({word: number for word, number in zip(WORDS, there, strict=True) if number})


def counted(records: np.ndarray) -> np.ndarray:
    """The counts of many records, a row each, in the order of `WORDS`."""
    n = len(records)

    def of(name: str, *shape: int) -> np.ndarray:
        return records[name].reshape(n, *shape).astype(np.int16)

    columns = [of("influence", 1), of("tile", len(TILES))[:, :16] == PLACED]
    columns.append((of("oval_on", 16, 1) == np.arange(len(OVALS))).reshape(n, 16 * len(OVALS)))
    hats = of("hat", 6, 4)
    seats = [
        of("lira", 6, 1), of("vp", 6, 1), of("residual", 6, 1), of("aims_met", 6, 2).sum(2, keepdims=True),
        of("staff", 6, 3)[:, :, 2:], (hats == 1).sum(2, keepdims=True), (hats == 2).sum(2, keepdims=True),
        of("n_hand", 6, 4), of("structures", 6, 8), of("vines", 6, 3, 9).sum(3), of("sold", 6, 3),
        of("harvested", 6, 3), of("crush", 6, 18) > 0, of("cellar", 6, 36) > 0,
    ]  # fmt: skip
    columns.append(np.concatenate(seats, axis=2).reshape(n, 6 * len(OF_SEAT)))
    return np.concatenate(columns, axis=1)


OF_SEAT = (
    *("lira vp residual aims_met temporary yellow blue".split()), *DECKS, *ALL_STRUCTURES,
    *(f"{what}{capacity}" for what in ("plant", "sold", "harvest") for capacity in (5, 6, 7)),
    *(f"grape:{colour}:{value}" for colour in COLOURS for value in range(1, 10)),
    *(f"wine:{colour}:{value}" for colour in WINES for value in range(1, 10)),
)  # fmt: skip
WORDS = (
    "influence", *(f"tile:{letter}" for letter in LETTERS), *(f"oval:{a}:{oval}" for a in LETTERS for oval in OVALS),
    *(f"{k}.{word}" for k in range(6) for word in OF_SEAT),
)  # fmt: skip


def change(before: Counter, after: Counter, seat: int) -> str:
    """The words that differ, in order."""
    words = []
    for word in {*before, *after}:
        more = after[word] - before[word]
        if more:
            words.append(f"{word.removeprefix(f'{seat}.')}{more:+d}")
    return " ".join(sorted(words))


def ends(game: vitienv.Game, *moves: str, most: int = 20_000, stops: tuple[str, ...] = STOPS) -> set[str] | None:
    """All results of a turn after its first moves, or None when it has too many decisions."""
    before, found = records_of(game), set[str]()
    tell = lambda records, _: found.update(changes(before, records, game.current_seat))  # noqa: E731
    return found if each_end(game, moves, tell, most, stops) else None


def changes(before: np.ndarray, after: np.ndarray, seat: int) -> set[str]:
    """How each of many records differs from one, as `change` tells it."""
    differing, outcomes = counted(after) - counted(before), set[str]()
    for row in {row.tobytes(): row for row in differing}.values():
        words = [f"{WORDS[i].removeprefix(f'{seat}.')}{row[i]:+d}" for i in np.flatnonzero(row)]
        outcomes.add(" ".join(sorted(words)))
    return outcomes
