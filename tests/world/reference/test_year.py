"""The engine against the plain writing of the year: every pass, the year's end, spring and the ring."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import vitienv
from tests.table.ends import each_end
from tests.table.fixtures import ALL_STRUCTURES
from tests.world.cases.positions import event, table
from tests.world.cases.turns import METRICS, game_of

from .facts import SPRING, SUMMER, WINTER, compared, facts
from .placing import GOALS
from .test_placing import CONTINENTS, made_up
from .year import REVEALS, Year

GIVING = {*REVEALS, ("oceania", 1), ("europe", 1)}
MOST = 3_000  # decisions tried for one move
COUNTED = "harvests wines_made tours visitors_played orders_filled trades action_G_uses".split()


def judged(game: vitienv.Game) -> Counter[str]:
    """Compare the pass of a position, or all positions of the ring; what was compared, by the season it leads to."""
    year = Year(game)
    legal = set(game.legal_actions())
    if game.decision == "wake_up":
        assert legal == year.placings_of_ring()
    moves = sorted(legal) if game.decision == "wake_up" else ["pass"]
    counts = Counter[str]()
    for move in moves:
        outcomes = list[Counter]()
        if not each_end(game, (move,), lambda records, seats: outcomes.extend(facts(game, records, seats)), MOST):  # noqa: B023
            counts["left"] += 1
            continue
        opened = {end["event"] for end in outcomes if end["season"] == SPRING} if move == "pass" else {0}
        assert opened <= year.events_to_come() | {0}
        theirs = {compared(end, year.continent) for end in outcomes}
        ours = set[frozenset]().union(*(year.ends(move, card) for card in opened or {0}))
        assert theirs == ours, told(year, move, theirs, ours)
        counts[kind(year, outcomes[0], move)] += 1
    return counts


def kind(own: Year, end: Counter, move: str) -> str:
    if move != "pass":
        return "ring"
    if end["win"] or end["loss"]:
        return "won" if end["win"] else "lost"
    if end["season"] == own.start["season"]:
        return "summer" if end["season"] == SUMMER else "winter"
    if end["season"] == WINTER:
        return "fall"
    return "reveal" if (own.continent, end["event"]) in GIVING else "spring"


def told(own: Year, move: str, theirs: set[frozenset], ours: set[frozenset]) -> str:
    """Some ends that only one of both has, by the words that are not alike in all."""
    ends = [dict(end) for end in (*theirs, *ours)]
    words = [word for word in sorted(set().union(*ends)) if len({end.get(word, 0) for end in ends}) > 1]
    short = lambda some: sorted(" ".join(f"{word}={dict(end).get(word, 0)}" for word in words) for end in some)[:5]  # noqa: E731
    only = {"engine": short(theirs - ours), "plain": short(ours - theirs)}
    return f"{own.card} {own.n} seats, seat {own.seat}, {move}: {only}"


def prepared(chance: random.Random) -> vitienv.Game:
    """A made-up position, with deeds of the year and points that goals and the result look at."""
    game = made_up(chance)
    record, n = game.state, game.num_players
    many = chance.choice(((0, 0, 0, 1), (0, 0, 1, 2, 3)))
    for k in range(n):
        for name in COUNTED:
            own = record.deeds[k]
            own[METRICS.index(name)] = max(own[METRICS.index(name)], chance.choice(many))
    if chance.random() < 0.5:
        alike(record, n, chance)
    if chance.random() < 0.3:
        record.year = 6
    if chance.random() < 0.5:
        record.influence = chance.choice((8, 9, 10))
        for k in range(n):
            record.vp[k] = chance.choice((24, 25, 28, 29))
    continent = game.options.to_dict()["continent"]
    met = {**GOALS, ("africa", 5): ("trades", 1, 2)}.get((continent, int(record.event) + 1))
    if met:  # met at once, so before
        metric, each, least = met
        record.goal_met = record.deeds[:n, METRICS.index(metric)].sum() >= max(each * n, least)
    if continent == "africa":
        record.rule_done = chance.choice((0, 0, 1, 2, 3))
        record.rule_steps = int(record.rule_done).bit_count()
    elif continent != "europe":
        record.rule_steps = chance.choice((0, 0, 2, 3))
    game._batch.refresh(observe=False)
    return game


def alike(record: Any, n: int, chance: random.Random) -> None:
    """What goals ask of every seat, in most seats: structures, planted fields, two wines, lira for an aim."""
    for k in range(n):
        if chance.random() < 0.1:
            continue
        for name in ("trellis", "irrigation", "windmill"):
            record.structures[k][ALL_STRUCTURES.index(name)] = 1
        for field in range(3):
            if not record.vines[k][field].any():
                record.vines[k][field][0], record.sold[k][field] = 1, 0
        record.cellar[k][0][0] = record.cellar[k][1][0] = 1
        record.lira[k] = chance.choice((2, 11, 12, 13))


class Asked:
    """Whether several seats are asked in the order that the rules name (W35, W70, W84, O15, O29, O36)."""

    def __init__(self) -> None:
        self.places: dict[str, list[int]] = {}
        self.seen = Counter[str]()

    def note(self, game: vitienv.Game) -> None:
        what, record = f"{game.phase}:{game.decision}", game.state
        if game.decision in ("place_worker", "wake_up"):
            for name, places in self.places.items():
                assert places == sorted(places), (name, places)
                self.seen[name] += len(set(places)) > 1
            self.places = {}
        elif game.decision == "gain_grape" and game.phase == "spring":
            self.places.setdefault(what, []).append((game.current_seat - int(record.first_player)) % game.num_players)
        elif game.phase == "fall" or game.decision == "team_payment":
            self.places.setdefault(what, []).append(int(record.row[game.current_seat]))


def passed_through(game: vitienv.Game, chance: random.Random) -> Counter[str]:
    """Judge passes, in turn, until the ring of the next year has been chosen or the game is over."""
    counts, year, asked = Counter[str](), game.year, Asked()
    while not game.is_over and (game.year == year or game.state.season == SPRING):
        asked.note(game)
        if game.decision in ("place_worker", "wake_up"):
            counts += judged(game)
        moves = game.legal_actions()
        if game.decision == "place_worker" and chance.random() < 0.8:
            moves = ["pass"]
        game.step(chance.choice(moves))
    return counts + asked.seen


def made_up_years(seed: int, number: int) -> Counter[str]:
    chance = random.Random(seed)
    return sum((passed_through(prepared(chance), chance) for _ in range(number)), Counter())


def reached(seed: int, number: int, share: float) -> Counter[str]:
    """Judge a share of the passes and rings of whole games in which placings are chosen more often than passes."""
    chance, counts = random.Random(seed), Counter[str]()
    for _ in range(number):
        n, continent = chance.randint(1, 6), chance.choice(CONTINENTS)
        options = {"partner": "none"} if n == 1 else {}
        if continent != "greengully" and chance.random() < 0.7:
            options["events"] = "shuffled"
        game = vitienv.Game.new(chance.randrange(2**32), game="world", continent=continent, num_players=n, **options)
        eager, asked = chance.choice((0.0, 0.1, 0.5)), Asked()  # eager to pass
        while not game.is_over:
            asked.note(game)
            moves = game.legal_actions()
            if game.decision in ("place_worker", "wake_up"):
                counts += judged(game) if chance.random() < share else Counter()
                others = [move for move in moves if move != "pass"]
                moves = others if others and chance.random() >= eager else ["pass"] if not others else moves
            game.step(chance.choice(moves))
        counts += asked.seen
    return counts


def test_who_loses_a_grape_first():
    """W84 and O15 name the order round the table for what events give, not for what they take."""
    seats = [{"wake_up": row, "crush_pad": {"red": [3, 5]}} for row in (3, 1, 2)]
    game = game_of(table("winter", *seats, n=3, **event("africa", 3)))
    asked = []
    while game.decision != "wake_up":
        if game.decision == "discard_grape":
            asked.append(game.current_seat)
        game.step("pass" if game.decision == "place_worker" else game.legal_actions()[0])
    assert asked == [1, 2, 0]


@pytest.mark.parametrize("seed", range(4))
def test_years_of_made_up_positions(seed):
    counts = made_up_years(seed, 6)
    assert all(counts[name] for name in ("ring", "summer", "fall", "winter", "spring"))


@pytest.mark.parametrize("seed", range(2))
def test_a_reached_game(seed):
    assert sum(reached(seed, 1, 0.2).values()) > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 150))
def test_many_years_of_made_up_positions(seed):
    assert made_up_years(seed, 20)["ring"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 150))
def test_many_reached_games(seed):
    assert reached(seed, 3, 0.5)["spring"] >= 3
