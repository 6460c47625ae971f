"""W65 to W67: every pair and every triple of ovals on the board against a plain walk along the arrows."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from tests.world.cases.positions import fields, hand, staff, table
from tests.world.cases.turns import DECKS, LETTERS, OVALS, PLACES, game_of
from vitienv.core.batch import Batch
from vitienv.core.compiling.static_checks import plain
from vitienv.world.ops.tiles import bonus_oval

from .places import STEPS, walk

ALL_AROUND = {
    "lira": 20,
    "hand": hand(["sangiovese", "malvasia"], ["order_04", "order_02"], ["banker", "patron"], ["caravan", "merchant"]),
    "fields": fields(["sangiovese"], ["malvasia"]),
    "crush_pad": {"red": [1, 4], "white": [1, 4]},
    "cellar": {"red": [1, 2], "white": [1, 3], "blush": [], "sparkling": []},
    "workers": staff(),
}
PLAIN = OVALS[:8]


def bonuses(season: str, boards: list[dict[str, str]], letters: list[str]) -> list[str | None]:
    """The bonus that the engine gives a grande placed on a letter of each board: what yes has that no has not."""
    game = game_of(table(season, ALL_AROUND, tiles={"shown": ["A"], "placed": [], "gone": [], "ovals": {}}))
    actions = game.game_spec.actions
    batch = Batch(len(boards), game.options)
    batch.games[:] = game.state
    for i, ovals in enumerate(boards):
        for letter, oval in ovals.items():
            batch.games["oval_on"][i, LETTERS.index(letter)] = OVALS.index(oval)
            batch.games["tile"][i, 16 + OVALS.index(oval)] = 2
    batch.refresh(observe=False)
    moves = [actions.number(f"place:{PLACES[LETTERS.index(letter)]}:oval:grande") for letter in letters]
    batch.check(np.array(moves))
    batch.actions[:] = moves
    batch.step(observe=False)
    asked = batch.masks[:, actions.number("yes")] == 1
    no = batch.copy()
    for one, move in ((batch, "yes"), (no, "no")):
        one.step_rows(np.flatnonzero(asked), np.full(asked.sum(), actions.number(move)), observe=False)
    answers: list[str | None] = []
    for i in range(len(boards)):
        if not asked[i]:
            answers.append(None)
            continue
        if batch.decision(i) in PLAIN:  # ageing asks for the token first
            answers.append(batch.decision(i))
            continue
        yes, left = batch.games[i], no.games[i]
        gains = [deck for d, deck in enumerate(DECKS) if yes.n_hand[0][d] > left.n_hand[0][d]]
        gains += [name for name in ("lira", "vp") if yes[name][0] > left[name][0]]
        (gain,) = gains
        answers.append(gain)
    return answers


def check(number: int, some: slice) -> int:
    asked: dict[str, tuple[list, list]] = {"summer": ([], []), "winter": ([], [])}
    for ovals in list(combinations(OVALS, number))[some]:
        if not set(ovals) & set(STEPS):
            continue
        for letters in permutations(LETTERS, number):
            board = dict(zip(letters, ovals, strict=True))
            for letter in letters:
                boards, there = asked["summer" if letter in "ABCDEFGH" else "winter"]
                boards.append(board)
                there.append(letter)
    done = 0
    for season, (boards, there) in asked.items():
        for low in range(0, len(boards), 4096):
            part, own = boards[low : low + 4096], there[low : low + 4096]
            for board, letter, found in zip(part, own, bonuses(season, part, own), strict=True):
                assert found == walk(letter, board), (board, letter)
            done += len(part)
    return done


def test_ovals_alone():
    """Each plain oval gives its own bonus on every action, and an arrow alone none."""
    for oval in OVALS:
        for season, letters in (("summer", LETTERS[:8]), ("winter", LETTERS[8:])):
            found = bonuses(season, [{letter: oval} for letter in letters], list(letters))
            assert found == [None if oval in STEPS else oval] * 8, oval


@pytest.mark.parametrize("part", range(3))
def test_pairs(part):
    assert check(2, slice(part, None, 9)) > 2_000


def test_boards_full_of_ovals():
    chance, arrows = np.random.default_rng(3), [*STEPS, *STEPS, "vp", "lira"]
    record = np.zeros(1, [("oval_on", "i1", (len(LETTERS),))]).view(np.recarray)[0]
    for _ in range(400):
        letters = chance.choice(list(LETTERS), chance.integers(3, 13), replace=False)
        ovals = {str(letter): str(chance.choice(arrows)) for letter in letters}
        record.oval_on[:] = [OVALS.index(ovals[letter]) if letter in ovals else -1 for letter in LETTERS]
        for letter in ovals:
            bonus = plain(bonus_oval)(record, LETTERS.index(letter))
            assert (None if bonus < 0 else OVALS[bonus]) == walk(letter, ovals), (letter, ovals)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(9))
def test_every_pair(part):
    assert check(2, slice(part, None, 9)) > 1_000


@pytest.mark.slow
@pytest.mark.parametrize("part", range(44))
def test_every_triple(part):
    assert check(3, slice(part, None, 44)) > 10_000
