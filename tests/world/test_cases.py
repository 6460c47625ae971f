"""The cases of the numbered rules, each played from its position; and what a start of each kind must look like."""

from __future__ import annotations

from typing import Any

import pytest

import vitienv
from tests.table.case import check, parametrize_cases

from .cases import actions, cards, continents, rulings, side_boards, workers
from .cases.turns import (
    AWAY,
    GONE,
    HATS,
    LETTERS,
    METRICS,
    OVALS,
    PLACED,
    PLACES,
    SHOWN,
    SPACES,
    TEMPORARY,
    TILES,
    ends,
    game_of,
)

CASES = [*workers.CASES, *actions.CASES, *continents.CASES, *cards.CASES,
         *rulings.CASES, *side_boards.CASES]  # fmt: skip


def told(game: vitienv.Game) -> dict[str, Any]:
    """What `holds` asks for, in the words of a position."""
    record, board = game.state, {}  # type: ignore[var-annotated]
    for seat in range(game.num_players):
        for i, where in enumerate(record.at[seat].tolist()):
            if where >= 0 and where != AWAY:
                worker = HATS[record.hat[seat][i]] if i < 4 else "temporary" if i == TEMPORARY else "grande"
                place = {"seat": seat, "worker": worker, "space": SPACES[where % 3]}
                board.setdefault(PLACES[where // 3], []).append(place)
    return {
        "year": int(record.year),
        "season": {1: "spring", 2: "summer", 4: "winter"}.get(int(record.season)),
        "board": board,
        "tiles": {
            "placed": [TILES[i] for i in range(16) if record.tile[i] == PLACED],
            "ovals": {LETTERS[i]: OVALS[oval] for i, oval in enumerate(record.oval_on) if oval >= 0},
        },
        "seats": [
            {
                "lira": int(record.lira[seat]),
                "victory_points": int(record.vp[seat]),
                "deeds": {name: int(n) for name, n in zip(METRICS, record.deeds[seat], strict=True) if n},
            }
            for seat in range(game.num_players)
        ],
    }


def turn_ends(game: vitienv.Game, *moves: str) -> set[str]:
    """All results of the last move."""
    for move in moves[:-1]:
        game.step(move)
    found = ends(game, moves[-1])
    assert found is not None
    return found


@parametrize_cases(CASES)
def test_case(case):
    check(case, game_of(case.position), turn_ends, told)


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("continent", "greengully asia oceania south_america europe north_america africa".split())
def test_starts(continent, n):
    """W7, W9, W13 to W23, W30, W32: what lies on the table before the first wake-up position is chosen."""
    alone = {"partner": "none"} if n == 1 else {}
    game = vitienv.Game.new(n, game="world", continent=continent, num_players=n, **alone)
    while game.decision != "wake_up":
        game.step(game.legal_actions()[-1])
    record = game.state
    assert record.influence == 6 - n and record.year == 1
    assert record.event == 0 and record.n_events == 1 and record.events_gone == 1
    tiles = record.tile.tolist()
    assert tiles[:16].count(SHOWN) == tiles[16:].count(SHOWN) == 2
    assert [TILES[i] for i, where in enumerate(tiles) if where == GONE] == ["H", "N"]
    for seat in range(n):
        assert sorted(record.hat[seat].tolist()) == [1, 1, 2, 2] and record.staff[seat].tolist() == [4, 1, 0]
        assert record.vp[seat] in (0, 1) and record.residual[seat] == 0
    assert len({aim for aims in record.aims[:n].tolist() for aim in aims}) == (2 * n if continent == "europe" else 1)
