"""Cases of World, and its initial positions."""

import pytest

import vitienv
from tests.table.case import check, make_moves, parametrize_cases
from vitienv.world.enums import CONTINENTS, Tile

from .cases import actions, cards, continents, rulings, side_boards, workers
from .cases.changes import TILES, ends

CASES = [*workers.CASES, *actions.CASES, *continents.CASES, *cards.CASES,
         *rulings.CASES, *side_boards.CASES]  # fmt: skip


def ends_of_last_move(game: vitienv.Game, *moves: str) -> set[str]:
    outcomes = ends(make_moves(game, *moves[:-1]), moves[-1])
    assert outcomes is not None
    return outcomes


@parametrize_cases(CASES)
def test_case(case):
    check(case, vitienv.Game.from_dict(case.position), ends_of_last_move, vitienv.Game.to_dict)


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("continent", CONTINENTS)
def test_initial_positions(continent, n):
    """W7, W9, W13 to W23, W30 and W32: the table before the first position of the ring is chosen."""
    alone = {"partner": "none"} if n == 1 else {}
    game = vitienv.Game.new(n, game="world", continent=continent, num_players=n, **alone)
    while game.decision != "wake_up":
        game.step(game.legal_actions()[-1])
    state = game.state
    assert (state.influence, state.year, state.event, state.n_events, state.events_gone) == (6 - n, 1, 0, 1, 1)
    tiles = state.tile.tolist()
    assert [tiles[:16].count(place) for place in (Tile.IN_STACK, Tile.SHOWN, Tile.GONE)] == [12, 2, 2]
    assert [tiles[16:].count(place) for place in (Tile.IN_STACK, Tile.SHOWN)] == [10, 2]
    assert [TILES[i] for i, place in enumerate(tiles) if place == Tile.GONE] == ["H", "N"]
    assert (state.oval_on == -1).all()
    assert (state.hat[:n] == [1, 1, 2, 2]).all() and (state.staff[:n] == [4, 1, 0]).all()
    assert not state.staff[n:].any() and not state.residual.any() and set(state.vp[:n]) <= {0, 1}
    aims = state.aims[:n].ravel().tolist()
    assert len(set(aims)) == 2 * n if continent == "europe" else set(aims) == {-1}
