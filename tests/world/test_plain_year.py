"""The engine against the plain writing of the year: every pass, the year's end, spring and the ring."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import vitienv

from .plain_year import SUMMER, WINTER, Year, compared, facts
from .test_plain import CONTINENTS, made_up
from .whole import METRICS, each_end

MOST = 3_000  # decisions tried for one move
COUNTED = "harvests wines_made tours visitors_played orders_filled trades action_G_uses".split()


def judged(game: vitienv.Game) -> Counter[str]:
    """Compare the pass of a position, or all positions of the ring; what was compared, by the season it leads to."""
    own = Year(game)
    legal = set(game.legal_actions())
    if game.decision == "wake_up":
        assert legal == own.placings_of_ring()
    moves = sorted(legal) if game.decision == "wake_up" else ["pass"]
    counts = Counter[str]()
    for move in moves:
        found = list[Counter]()
        if not each_end(game, (move,), lambda records, seats: found.extend(facts(game, records, seats)), MOST):  # noqa: B023
            counts["left"] += 1
            continue
        opened = {end["event"] for end in found if end["season"] == 1} if move == "pass" else {0}
        assert opened <= own.events_to_come() | {0}
        theirs = {compared(end, own.continent) for end in found}
        ours = set[frozenset]().union(*(own.ends(move, card) for card in opened or {0}))
        assert theirs == ours, told(own, move, theirs, ours)
        counts[kind(own, found[0], move)] += 1
    return counts


def kind(own: Year, end: Counter, move: str) -> str:
    if move != "pass":
        return "ring"
    if end["win"] or end["loss"]:
        return "won" if end["win"] else "lost"
    if end["season"] == own.start["season"]:
        return "summer" if end["season"] == SUMMER else "winter"
    return "fall" if end["season"] == WINTER else "spring"


def told(own: Year, move: str, theirs: set[frozenset], ours: set[frozenset]) -> str:
    """Some ends that only one of both has, as changes."""
    before = Counter(dict(compared(own.start, own.continent)))

    def change(end: frozenset) -> str:
        after = dict(end)
        return " ".join(f"{word}{after.get(word, 0) - before[word]:+d}" for word in sorted({*before, *after})
                        if after.get(word, 0) != before[word])  # fmt: skip

    only = [(name, sorted(map(change, one - other))[:2], len(one - other)) for name, one, other in
            (("engine", theirs, ours), ("plain", ours, theirs))]  # fmt: skip
    return f"{own.card} {own.n} seats, seat {own.seat}, {move}: {only}"


def prepared(chance: random.Random) -> vitienv.Game:
    """A made-up position, with deeds of the year and points that goals and the result look at."""
    game = made_up(chance)
    record, n = game.record, game.num_players
    for k in range(n):
        for name in COUNTED:
            record.deeds[k][METRICS.index(name)] = max(
                record.deeds[k][METRICS.index(name)], chance.choice((0, 0, 1, 2, 3))
            )
    if chance.random() < 0.3:
        record.year = 6
    if chance.random() < 0.5:
        record.influence = chance.choice((8, 9, 10))
        for k in range(n):
            record.vp[k] = chance.choice((24, 25, 28, 29))
    continent = game.options.to_dict()["continent"]
    if continent != "europe":
        record.rule_steps = chance.choice((0, 0, 2, 3))
    if continent == "africa":
        record.rule_done = chance.choice((0, 0, 1, 2, 3))
    game._batch.refresh(observe=False)
    return game


def passed_through(game: vitienv.Game, chance: random.Random) -> Counter[str]:
    """Judge passes, in turn, until the ring of the next year has been chosen or the game is over."""
    counts, year = Counter[str](), game.year
    while not game.is_over and (game.year == year or game.decision == "wake_up" or game.record.season == 1):
        if game.decision in ("place_worker", "wake_up"):
            counts += judged(game)
        moves = game.legal_actions()
        if game.decision == "place_worker" and chance.random() < 0.8:
            moves = ["pass"]
        game.step(chance.choice(moves))
    return counts


def made_up_years(seed: int, number: int) -> Counter[str]:
    chance = random.Random(seed)
    return sum((passed_through(prepared(chance), chance) for _ in range(number)), Counter())
