"""A test case: a rule, a title, a position, moves, and the expected result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest

import vitienv

OF_GAME = ("decision", "seat", "year", "is_over", "outcome", "scores", "ranks", "rewards", "automa_score")
OF_TURN = ("ends", "with_ends", "no_ends", "gives")
EXPECTED = (*OF_TURN, *OF_GAME, "legal", "offers", "refuses", "holds", "asks")


class Case(NamedTuple):
    """Test case.

    `expect` contains any of: `legal` (all legal moves), `offers`, `refuses` (some legal and illegal moves), `ends`
    (all results of the turn), `with_ends`, `no_ends` (some possible and impossible results), `gives` (the only result
    of the moves), `holds` (pairs of a path in the position and a value), `asks` (the seats that get the same decision
    one after another if each declines, or takes the first action), and the attributes of a game in `OF_GAME`. Moves
    and results are space-separated.
    """

    rule: str
    title: str
    position: dict[str, Any]
    moves: tuple[str, ...]
    expect: dict[str, Any]


def case(rule: str, title: str, position: dict[str, Any], *moves: str, **expect: Any) -> Case:
    """Return a test case; AssertionError for an unknown expectation."""
    assert set(expect) <= set(EXPECTED), (
        f"{title}: unknown expectation among {sorted(expect)}; expected: {', '.join(EXPECTED)}"
    )
    return Case(rule, title, position, tuple(word for move in moves for word in move.split()), expect)


def parametrize_cases(cases: Iterable[Case]) -> Any:
    return pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.rule}: {case.title}") for case in cases])


def words(moves: Any) -> set[str]:
    """Return a set of moves, which are written in one string or several."""
    return set(moves.split() if isinstance(moves, str) else moves)


def sorted_words(end: str) -> str:
    """Return a result with sorted changes; repeated changes, `lira+5 lira-2`, are added up."""
    totals: dict[str, int] = {}
    for word in end.split():
        name, sign, number = re.split(r"([+-])(?=\d+$)", word)
        totals[name] = totals.get(name, 0) + int(sign + number)
    return " ".join(sorted(f"{name}{number:+d}" for name, number in totals.items() if number))


def check(
    case: Case, game: vitienv.Game, ends: Callable[..., set[str]], position_of: Callable[[vitienv.Game], Any]
) -> None:
    """Play the moves of a case and compare the result.

    ends: returns the results of a turn, from the game before it and the moves. position_of: returns the position for
    `holds`.
    """
    expect, start, n = case.expect, game.copy(), len(game.moves)
    assert expect, "a case needs an expectation"
    make_moves(game, *case.moves)
    if set(OF_TURN) & set(expect):
        outcomes = ends(start, *game.moves[n:])
        expected_ends = {name: {sorted_words(end) for end in expect.get(name, ())} for name in OF_TURN[:3]}
        assert "ends" not in expect or outcomes == expected_ends["ends"]
        assert expected_ends["with_ends"] <= outcomes
        assert not outcomes & expected_ends["no_ends"]
        assert "gives" not in expect or outcomes == {sorted_words(expect["gives"])}
    if "asks" in expect:
        assert [int(seat) for seat in expect["asks"].split()] == asked_seats(game)
    settle(game)
    legal = set(game.legal_actions())
    assert legal == words(expect.get("legal", legal))
    assert words(expect.get("offers", ())) <= legal
    assert not legal & words(expect.get("refuses", ()))
    for name in set(OF_GAME) & set(expect):
        assert getattr(game, "current_seat" if name == "seat" else name) == (
            pytest.approx(expect[name]) if name == "rewards" else expect[name]
        ), name
    for path, value in expect.get("holds", ()):
        entry: Any = position_of(game)
        for key in path.split("."):
            entry = entry[int(key)] if isinstance(entry, list) else entry.get(key)
        assert entry == value, path


def make_moves(game: vitienv.Game, *moves: str) -> vitienv.Game:
    """Make moves in order. If `done` is the only legal action, it is made even if the moves omit it."""
    for move in moves:
        if move != "done":
            settle(game)
        game.step(move)
    return game


def settle(game: vitienv.Game) -> None:
    """Stop an optional repetition that has no other legal action."""
    while game.legal_actions() == ["done"]:
        game.step("done")


def asked_seats(game: vitienv.Game) -> list[int]:
    """Return the seats that get the same decision one after another if each declines, or takes the first action."""
    seats, decision = [], game.decision
    while game.decision == decision:
        assert game.current_seat is not None
        seats.append(game.current_seat)
        legal = game.legal_actions()
        game.step(next((no for no in ("no", "pass", "done") if no in legal), legal[0]))
    return seats
