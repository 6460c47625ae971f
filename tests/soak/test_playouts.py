"""Pending frames with another value in one register are refused, or can be played on without contradictions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import numpy as np
import pytest

import vitienv
from tests.engine.kinds import KINDS
from tests.invalid_positions import assert_refused, frame_mutations
from tests.random_play import decisions
from tests.states import contradictions
from vitienv.core.batch import Batch
from vitienv.core.frames import Frame
from vitienv.viticulture.positions.pending import FRAMES as OF_VITICULTURE
from vitienv.world.positions.pending import FRAMES as OF_WORLD

YEARS, STEPS, ALL = 4, 40, 16  # years of a game; steps of a playout; largest range that is tried completely
EVERY = 8  # steps between two checks of a game
TABLES = {f"essential_{n}": {"num_players": n} for n in range(2, 7)} | KINDS
TABLES |= {"draft": {"num_players": 4, "draft_parents": True}}
TABLES |= {f"world_{n}": {"game": "world", "num_players": n, "continent": "asia"} for n in (1, 2, 4)}
TABLES |= {"world": {"game": "world", "num_players": 2, "continent": "europe"}}


def first_years(seed: int, **options: Any) -> Iterator[Any]:
    """Yield a random game at each decision."""
    return takewhile(lambda game: not game.is_over and game.year <= YEARS, decisions(seed, **options))


def pending(seed: int, **options: Any) -> Iterator[tuple[dict, int, list[int]]]:
    """Yield each pending frame of a random game: position, index and numbers of the frame."""
    for game in first_years(seed, **options):
        position = game.to_dict()
        frames = game.state.frames[: int(game.state.depth)].tolist() if "pending" in position else []
        for t, frame in enumerate(frames):
            yield position, t, frame


def mutated(name: str, seed: int, max_frames: int) -> Iterator[tuple[str, Any]]:
    """Yield accepted positions with another value in one register: description and game."""
    counts: dict[tuple[int, int], int] = {}
    rng = np.random.default_rng(seed)

    def values(low: int, high: int, number: int) -> set[int]:
        sample = {low, high, number - 1, number + 1, *rng.integers(low, high + 1, 4).tolist()}
        return set(range(low, high + 1)) if high - low <= ALL else {x for x in sample if low <= x <= high}

    frames_codec = OF_WORLD if TABLES[name].get("game") == "world" else OF_VITICULTURE
    for game in first_years(seed, **TABLES[name]):
        for position, _, description in frame_mutations(game, frames_codec, counts, max_frames, values):
            try:
                read = vitienv.Game.from_dict(position)
            except ValueError as refused:
                assert "\n" not in str(refused)
            else:
                yield description, read


def broken(name: str, seed: int, max_frames: int) -> dict[str, str]:
    """Return contradictions and stuck games after random play, by mutation."""
    changes, games = zip(*mutated(name, seed, max_frames), strict=True)
    batch = Batch(len(games), games[0].options)
    for i, game in enumerate(games):
        batch.games[i] = game.state
    batch.refresh(observe=False)
    broken_by: dict[str, str] = {}
    for step in range(STEPS):
        lines = contradictions(batch, range(step % EVERY, len(batch), EVERY))
        stuck = np.flatnonzero((batch.status == 0) & ~batch.masks.any(axis=1))
        lines += [f"game {i}: no legal action" for i in stuck]
        for line in lines:
            broken_by.setdefault(changes[int(line.split()[1][:-1])], line)
        if lines or not len(batch.active_rows()):
            break
        batch.step_random(restart=False, observe=False)
    return broken_by


def test_accepted_mutations_can_be_played():
    assert broken("draft", seed=0, max_frames=1) == {}


# Minimum stage at which a register of a trade is used.
FROM_STAGE = {Frame.P1: 2, Frame.P3: 3}
# Table, frame (and the one above it), register, another value within its bounds, error. Earlier versions accepted them,
# and most broke a game.
REFUSED = [
    ("world_2", "tile", Frame.A, 1, "its a is 1 for the simulated partner's tile only"),
    ("draft", "parent", Frame.STAGE, None, "it comes at another step of the set-up"),
    ("world_4", "trade", Frame.P1, 99, "who gives p1 of p0, and p3 of p2, has as much"),
    ("world_4", "trade", Frame.P3, 99, "who gives p1 of p0, and p3 of p2, has as much"),
    ("world_4", "cards cards", Frame.LEFT, 50, "the seat holds enough cards of decks a"),
    ("world_4", "cards cards", Frame.DONE, 1, "the seat holds enough cards of decks a"),
    ("world_4", "cards cards", Frame.SEAT, None, "the cards given below go the opposite way"),
    ("essential_3", "parts cards", Frame.B, 0, "the parts below have started"),
    ("original_4", "card parts", Frame.P0, 15, "the resolved options of its card fit"),
    ("challenge_1", "choose_vine plant", Frame.LEFT, 3, "left and done add up to its min$"),
    ("blocker", "deck", Frame.SEAT, 1, "its seat only blocks"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "word", "column", "other", "message"), REFUSED)
def test_harmful_mutations_raise(name, word, column, other, message):
    for seed in range(20):
        for position, t, frame in pending(seed, **TABLES[name]):
            number, frames = frame[column], position["pending"]["frames"]
            words = [row[0] for row in frames[t : t + 1 + word.count(" ")]]
            if " ".join(words) != word or frame[Frame.STAGE] < FROM_STAGE.get(column, 0):
                continue
            vitienv.Game.from_dict(position)
            frames[t][column] = (number + 1) % 2 if other is None else other
            if frames[t][column] == number:
                continue
            assert_refused(position, message)
            return
    raise AssertionError(f"no random game had a frame {word}")


@pytest.mark.parametrize(("season", "steps"), [("spring", "3"), ("fall", "1")])
def test_steps_of_a_season_of_world(season, steps):
    positions = (game.to_dict() for seed in range(9) for game in decisions(seed, **TABLES["world_2"]))
    position = next(position for position in positions if position["season"] == season and "pending" in position)
    position["pending"]["frames"][0][Frame.DONE] = 2
    assert_refused(position, f"done of the first pending frame must be {steps} in {season}, got 2")


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_every_register_at_every_table(name):
    assert broken(name, seed=1, max_frames=2) == {}
