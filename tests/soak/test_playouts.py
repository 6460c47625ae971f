"""Pending frames with another value in one register are refused, or can be played on without broken invariants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitienv
from tests.engine import invariants as of_viticulture
from tests.engine.kinds import KINDS
from tests.invalid_positions import frame_mutations
from tests.world import invariants as of_world
from vitienv.core.batch import Batch
from vitienv.core.frames import Frame
from vitienv.core.positions import faults
from vitienv.viticulture.cards import N_VINES
from vitienv.viticulture.positions.pending import FRAMES as OF_VITICULTURE
from vitienv.world.enums import N_LETTERS, Tile
from vitienv.world.positions.pending import FRAMES as OF_WORLD

YEARS, STEPS, ALL = 4, 40, 16  # years of a game; steps of a playout; largest range that is tried completely
TABLES = {f"essential_{n}": {"num_players": n} for n in range(2, 7)} | KINDS
TABLES |= {"draft": {"num_players": 4, "draft_parents": True}}
TABLES |= {f"world_{n}": {"game": "world", "num_players": n, "continent": "asia"} for n in (1, 2, 4)}
TABLES |= {"world": {"game": "world", "num_players": 2, "continent": "europe"}}
QUICK = ("essential_3", "draft")


def decisions(seed: int, **options: Any) -> Iterator[Any]:
    """Yield a random game at each decision."""
    game, rng = vitienv.Game.new(seed=seed, **options), np.random.default_rng(seed)
    while not game.is_over and game.year <= YEARS:
        yield game
        game.step(int(rng.choice(np.flatnonzero(game.mask))))


def pending(seed: int, **options: Any) -> Iterator[tuple[Any, dict, int, list[int]]]:
    """Yield each pending frame of a random game: game, position, index and values of the frame."""
    for game in decisions(seed, **options):
        position = game.to_dict()
        frames = game.state.frames[: int(game.state.depth)].tolist() if "pending" in position else []
        for t, frame in enumerate(frames):
            yield game, position, t, frame


def mutated(name: str, seed: int, max_frames: int) -> Iterator[tuple[str, Any]]:
    """Yield accepted positions with another value in one register: description and game."""
    counts: dict[tuple[int, int], int] = {}
    rng = np.random.default_rng(seed)

    def values(low: int, high: int, number: int) -> set[int]:
        sample = {low, high, number - 1, number + 1, *rng.integers(low, high + 1, 4).tolist()}
        return set(range(low, high + 1)) if high - low <= ALL else {x for x in sample if low <= x <= high}

    frames_codec = OF_WORLD if TABLES[name].get("game") == "world" else OF_VITICULTURE
    for game in decisions(seed, **TABLES[name]):
        for position, _, description in frame_mutations(game, frames_codec, counts, max_frames, values):
            try:
                read = vitienv.Game.from_dict(position)
            except ValueError as refused:
                assert "\n" not in str(refused)
            else:
                yield description, read


def broken(name: str, seed: int, max_frames: int) -> dict[str, str]:
    """Return broken invariants and stuck games after random play, by mutation."""
    changes, games = zip(*mutated(name, seed, max_frames), strict=True)
    batch = Batch(len(games), games[0].options)
    for i, game in enumerate(games):
        batch.games[i] = game.state
    batch.refresh(observe=False)
    problems = of_world.problems if TABLES[name].get("game") == "world" else of_viticulture.problems
    broken_by: dict[str, str] = {}
    for step in range(STEPS):
        lines = [f"game {step % len(batch)}: {line}" for line in faults(batch.games[step % len(batch)], batch.options)]
        lines += problems(batch.records.view(np.ndarray))
        stuck = np.flatnonzero((batch.status == 0) & ~batch.masks.any(axis=1))
        lines += [f"game {i}: no legal action" for i in stuck]
        for line in lines:
            broken_by.setdefault(changes[int(line.split()[1][:-1])], line)
        if lines or not len(batch.playing()):
            break
        batch.step_random(restart=False, observe=False)
    return broken_by


@pytest.mark.parametrize("name", QUICK)
def test_accepted_mutations_can_be_played(name):
    assert broken(name, seed=0, max_frames=1) == {}


def not_held(record: Any, frame: list[int]) -> int:
    """Return a vine that the seat of a frame does not have."""
    return int(np.flatnonzero(record.hand[frame[Frame.SEAT], :N_VINES] == 0)[0])


def not_shown(record: Any, frame: list[int]) -> int:
    """Return an oval that is not on display."""
    return int(np.flatnonzero(record.tile[N_LETTERS:] != Tile.SHOWN)[0])


# Minimum stage at which a register of a trade is used.
FROM_STAGE = {Frame.P0: 1, Frame.P1: 2, Frame.P3: 3}
# Table, frame (and the one above it), register, another value within its bounds, error. Earlier versions accepted them,
# and most broke a game.
REFUSED = [
    ("essential_3", "plant", Frame.P0, not_held, "the seat holds the vine p0"),
    ("essential_3", "ask", Frame.A, 5, "the frame below is an offer with its a"),
    ("essential_3", "offers", Frame.A, 5, "its offer is that of the card"),
    ("essential_3", "train", Frame.A, 7, "its price is the table's"),
    ("essential_3", "cards", Frame.LEFT, 0, "left of the pending cards must be from 1 to"),
    ("essential_3", "bonus", Frame.A, 11, "it is of the turn's seat and action"),
    ("essential_3", "branch", Frame.CARD, 60, "its card is the card of the frame below"),
    ("essential_3", "build", Frame.C, 0, "it is what the card grants"),
    ("essential_3", "gift", Frame.SEAT, None, "it comes at another step of the set-up"),
    ("essential_6", "year", Frame.DONE, 6, "as many seats as are served in this spring have a row"),
    ("challenge_1", "parts", Frame.B, 8, "b of the pending parts must be from 0 to"),
    ("draft", "parent", Frame.STAGE, None, "it comes at another step of the set-up"),
    ("world", "tile", Frame.P0, not_shown, "the oval p0 is shown"),
    ("world", "trade", Frame.A, 0, "it is of the seat and place of the taking below it"),
    ("world", "trade", Frame.C, 1, "what is said at a later stage is still 0"),
    ("world_4", "trade", Frame.P1, 99, "who gives p1 of p0, and p3 of p2, has as much"),
    ("world_4", "trade", Frame.P3, 99, "who gives p1 of p0, and p3 of p2, has as much"),
    ("world_4", "cards cards", Frame.LEFT, 50, "the seat holds enough cards of decks a"),
    ("world_4", "cards cards", Frame.DONE, 1, "the seat holds enough cards of decks a"),
    ("world_4", "cards cards", Frame.SEAT, None, "the cards given below go the opposite way"),
    ("essential_3", "parts cards", Frame.B, 0, "the parts below have started"),
    ("original_4", "card branch", Frame.P0, 15, "its card is below, with the resolved options b"),
    ("original_4", "card parts", Frame.P0, 15, "the resolved options of its card fit"),
    ("challenge_1", "choose_vine plant", Frame.LEFT, 3, "left and done add up to its min$"),
    ("blocker", "deck", Frame.SEAT, 1, "its seat only blocks"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "word", "column", "other", "message"), REFUSED)
def test_harmful_mutations_raise(name, word, column, other, message):
    for seed in range(20):
        for game, position, t, frame in pending(seed, **TABLES[name]):
            was, frames = frame[column], position["pending"]["frames"]
            words = [row[0] for row in frames[t : t + 1 + word.count(" ")]]
            if " ".join(words) != word or frame[Frame.STAGE] < FROM_STAGE.get(column, 0):
                continue
            vitienv.Game.from_dict(position)
            value = other(game.state, frame) if callable(other) else other
            frames[t][column] = (was + 1) % 2 if value is None else value
            if frames[t][column] == was:
                continue
            with pytest.raises(ValueError, match=message):
                vitienv.Game.from_dict(position)
            return
    raise AssertionError(f"no random game had a frame {word}")


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_every_register_at_every_table(name):
    assert broken(name, seed=1, max_frames=2) == {}
