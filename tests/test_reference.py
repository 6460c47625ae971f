"""The engine against the reference implementation.

The quick tests compare some thousand decisions. The long one (`-m slow`) starts from REFERENCE_GAMES random positions,
the first one with the seed REFERENCE_SEED.
"""

import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from .reference.deal import random_position
from .reference.follow import Follower
from .reference.tables import SUMMER_VISITORS, WINTER_VISITORS


def choose(rng: Random, actions: list[str], card: str | None = None) -> str:
    """Mostly visitors, rarely a pass: most rules are on cards. A given card is always played first."""
    for wish in ("place:play_", f"card:summer:{card}", f"card:winter:{card}"):
        wished = [name for name in actions if card and name.startswith(wish)]
        if wished:
            return rng.choice(wished)
    weights = [0.1 if name == "pass" else 4.0 if ":play_" in name else 1.0 for name in actions]
    return rng.choices(actions, weights)[0]


def follow(rng: Random, game: Any, steps: int) -> Follower:
    follower = Follower()
    for _ in range(steps):
        if game.is_over or len(follower.complaints) >= 3:
            break
        follower.compare(game)
        action = choose(rng, game.legal_actions())
        follower.move(game.current_seat, action)
        game.step(action)
    return follower


def compare(seeds: range, whole_games: int, steps: int) -> tuple[list[str], Counter[str], Counter[str]]:
    """Play from a random position for every seed and, for the first ones, a whole game from its start."""
    import vitienv

    complaints: list[str] = []
    checked: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(seed)
        players = rng.randint(2, 6)
        starts = [(vitienv.Game.from_dict(random_position(rng, players)), steps)]
        if seed - seeds.start < whole_games:
            starts.append((vitienv.Game.new(num_players=players, seed=seed), 40 * steps))
        for game, limit in starts:
            follower = follow(rng, game, limit)
            complaints += [f"seed {seed}: {text}" for text in follower.complaints]
            checked += follower.checked
            cards += follower.played_cards
    return complaints, checked, cards


def compare_card(card: str, seeds: range) -> list[str]:
    import vitienv

    complaints: list[str] = []
    for seed in seeds:
        rng = Random(f"{card} {seed}")
        game = vitienv.Game.from_dict(random_position(rng, rng.randint(2, 6), card))
        turns = 0
        follower = Follower()
        while not game.is_over and turns < 2 and not follower.complaints:
            follower.compare(game)
            action = choose(rng, game.legal_actions(), None if follower.played_cards else card)
            follower.move(game.current_seat, action)
            game.step(action)
            turns += game.decision == "place_worker"
        if not game.is_over and not follower.complaints:
            follower.compare(game)
        complaints += [f"{card} {seed}: {text}" for text in follower.complaints]
    return complaints


def test_engine_equals_reference() -> None:
    complaints, checked, _ = compare(range(60), whole_games=1, steps=10)
    assert not complaints, "\n".join(complaints[:10])
    assert checked["place_worker"] > 250 and checked["effects"] > 200, checked


@pytest.mark.parametrize("card", SUMMER_VISITORS + WINTER_VISITORS)
def test_engine_equals_reference_by_card(card: str) -> None:
    complaints = compare_card(card, range(2))
    assert not complaints, "\n".join(complaints)


@pytest.mark.slow
@pytest.mark.parametrize("card", SUMMER_VISITORS + WINTER_VISITORS)
def test_engine_equals_reference_by_card_long(card: str) -> None:
    number = int(os.environ.get("REFERENCE_GAMES", "2000")) // 20
    complaints = compare_card(card, range(100, 100 + number))
    assert not complaints, "\n".join(complaints[:10])


@pytest.mark.slow
def test_engine_equals_reference_long() -> None:
    games = int(os.environ.get("REFERENCE_GAMES", "2000"))
    first = int(os.environ.get("REFERENCE_SEED", "1000"))
    complaints, checked, cards = compare(range(first, first + games), whole_games=games // 100, steps=20)
    print(checked, cards)
    assert not complaints, "\n".join(complaints[:30])
    if games >= 1000:
        assert set(cards) == set(SUMMER_VISITORS + WINTER_VISITORS)
