"""The engine against the reference of the year: every pass, the end of the year, spring and the ring."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import vitienv
from tests.table.ends import each_end
from tests.table.fixtures import ALL_STRUCTURES
from tests.world.cases.changes import DEEDS
from tests.world.cases.positions import table

from .placing import GOALS
from .table_counts import SPRING, SUMMER, WINTER, compared, facts
from .test_placing import made_up, random_game
from .year import REVEALS, Year

GIVING = {*REVEALS, ("oceania", 1), ("europe", 1)}
MAX_STEPS = 3_000  # decisions of a move
COUNTED = "harvests wines_made tours visitors_played orders_filled trades action_G_uses".split()


def outcome_of(game: vitienv.Game) -> Counter[str]:
    """Compare the pass of a position, or all rows; return the number of comparisons by the season they lead to."""
    year, legal = Year(game), set(game.legal_actions())
    if game.decision == "wake_up":
        assert legal == year.free_rows()
    moves = sorted(legal) if game.decision == "wake_up" else ["pass"]
    counts = Counter[str]()
    for move in moves:
        outcomes = list[Counter]()

        def add_facts(records: Any, seats: Any, outcomes: list[Counter] = outcomes) -> None:
            outcomes.extend(facts(game, records, seats))

        if not each_end(game, (move,), add_facts, MAX_STEPS):
            counts["skipped"] += 1
            continue
        opened = {end["event"] for end in outcomes if end["season"] == SPRING} if move == "pass" else {0}
        assert opened <= year.events_to_come() | {0}
        engine = {compared(end, year.continent) for end in outcomes}
        reference = set[frozenset]().union(*(year.ends(move, card) for card in opened or {0}))
        assert engine == reference, (year.card, year.n, year.seat, move, [dict(end) for end in engine ^ reference][:5])
        counts[kind(year, outcomes[0], move)] += 1
    return counts


def kind(year: Year, end: Counter, move: str) -> str:
    if move != "pass":
        return "ring"
    if end["win"] or end["loss"]:
        return "won" if end["win"] else "lost"
    if end["season"] == year.start["season"]:
        return "summer" if end["season"] == SUMMER else "winter"
    if end["season"] == WINTER:
        return "fall"
    return "reveal" if (year.continent, end["event"]) in GIVING else "spring"


def prepared(rng: random.Random) -> vitienv.Game:
    """Return a random position with deeds and points that goals and the result count."""
    game = made_up(rng)
    state, n = game.state, game.num_players
    numbers = rng.choice(((0, 0, 0, 1), (0, 0, 1, 2, 3)))
    for deeds in state.deeds[:n]:
        for name in COUNTED:
            deeds[DEEDS.index(name)] = max(deeds[DEEDS.index(name)], rng.choice(numbers))
    if rng.random() < 0.5:
        meet_goals(state, n, rng)
    if rng.random() < 0.3:
        state.year = 6
    if rng.random() < 0.5:
        state.influence = rng.choice((8, 9, 10))
        for seat in range(n):
            state.vp[seat] = rng.choice((24, 25, 28, 29))
    continent = game.options.to_dict()["continent"]
    goal = {**GOALS, ("africa", 5): ("trades", 1, 2)}.get((continent, int(state.event) + 1))
    if goal:  # it was met at once
        metric, of_each, minimum = goal
        state.goal_met = state.deeds[:n, DEEDS.index(metric)].sum() >= max(of_each * n, minimum)
    if continent == "africa":
        state.rule_done = rng.choice((0, 0, 1, 2, 3))
        state.rule_steps = int(state.rule_done).bit_count()
    elif continent != "europe":
        state.rule_steps = rng.choice((0, 0, 2, 3))
    game._batch.refresh(observe=False)
    return game


def meet_goals(state: Any, n: int, rng: random.Random) -> None:
    """Give structures, planted fields, two wines and lira to most seats, as goals and aims require."""
    for seat in range(n):
        if rng.random() < 0.1:
            continue
        for name in ("trellis", "irrigation", "windmill"):
            state.structures[seat][ALL_STRUCTURES.index(name)] = 1
        for field in range(3):
            if not state.vines[seat][field].any():
                state.vines[seat][field][0], state.sold[seat][field] = 1, 0
        state.cellar[seat][0][0] = state.cellar[seat][1][0] = 1
        state.lira[seat] = rng.choice((2, 11, 12, 13))


class SeatOrder:
    """Check that several seats decide in the order of the rules (W35, W70, W84, O15, O29, O36)."""

    def __init__(self) -> None:
        self.ranks: dict[str, list[int]] = {}
        self.counts = Counter[str]()

    def note(self, game: vitienv.Game) -> None:
        name, state = f"{game.phase}:{game.decision}", game.state
        if game.decision in ("place_worker", "wake_up"):
            for decision, ranks in self.ranks.items():
                assert ranks == sorted(ranks), (decision, ranks)
                self.counts[decision] += len(set(ranks)) > 1
            self.ranks = {}
        elif game.decision == "gain_grape" and game.phase == "spring":
            self.ranks.setdefault(name, []).append((game.current_seat - int(state.first_player)) % game.num_players)
        elif game.phase == "fall" or game.decision == "team_payment":
            self.ranks.setdefault(name, []).append(int(state.row[game.current_seat]))


def random_years(seed: int, number: int) -> Counter[str]:
    """Compare passes from random positions until the rows of the next year are chosen or the game is over."""
    rng, counts = random.Random(seed), Counter[str]()
    for _ in range(number):
        game, order = prepared(rng), SeatOrder()
        year = game.year
        while not game.is_over and (game.year == year or game.state.season == SPRING):
            order.note(game)
            if game.decision in ("place_worker", "wake_up"):
                counts += outcome_of(game)
            moves = game.legal_actions()
            if game.decision == "place_worker" and rng.random() < 0.8:
                moves = ["pass"]
            game.step(rng.choice(moves))
        counts += order.counts
    return counts


def reached(seed: int, number: int, share: float) -> Counter[str]:
    """Compare a share of the passes and rows of random games that prefer placements to passes."""
    rng, counts = random.Random(seed), Counter[str]()
    for _ in range(number):
        game = random_game(rng)
        pass_rate, order = rng.choice((0.0, 0.1, 0.5)), SeatOrder()
        while not game.is_over:
            order.note(game)
            moves = game.legal_actions()
            if game.decision in ("place_worker", "wake_up"):
                counts += outcome_of(game) if rng.random() < share else Counter()
                others = [move for move in moves if move != "pass"]
                moves = others if others and rng.random() >= pass_rate else moves
            game.step(rng.choice(moves))
        counts += order.counts
    return counts


def test_grapes_are_lost_in_ring_order():
    """W84 and O15 define the order of the gains of an event, not of its losses."""
    seats = [{"row": row, "grapes": {"red": [3, 5]}} for row in (3, 1, 2)]
    game = vitienv.Game.from_dict(table("winter", *seats, n=3, event="africa 3"))
    seats_to_discard = []
    while game.decision != "wake_up":
        if game.decision == "discard_grape":
            seats_to_discard.append(game.current_seat)
        game.step("pass" if game.decision == "place_worker" else game.legal_actions()[0])
    assert seats_to_discard == [1, 2, 0]


@pytest.mark.parametrize("seed", range(4))
def test_years_of_random_positions(seed):
    counts = random_years(seed, 6)
    assert all(counts[name] for name in ("ring", "summer", "fall", "winter", "spring"))


@pytest.mark.parametrize("seed", range(2))
def test_years_of_random_games(seed):
    assert sum(reached(seed, 1, 0.2).values()) > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 150))
def test_many_years_of_random_positions(seed):
    assert random_years(seed, 20)["ring"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 150))
def test_many_years_of_random_games(seed):
    assert reached(seed, 3, 0.5)["spring"] >= 3
