"""A case: a rule, what is looked at, a position, moves from it, and what must be so after them."""

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
    """`expect` holds any of: `legal` (all moves there are), `offers`, `refuses` (moves that are there or not), `ends`
    (all that the turn can lead to), `with_ends`, `no_ends` (some that it must or must not lead to), `gives` (the one
    end that the moves are), `holds` (pairs of a path and a value in the position), `asks` (the seats that are asked the
    same, one after another, while each says no, or what comes first where no is no answer), and what a game says of
    itself, `OF_GAME`. Moves and words are in one string. `wrong` says why the engine is held to be at fault.
    """

    rule: str
    what: str
    position: dict[str, Any]
    moves: tuple[str, ...]
    expect: dict[str, Any]
    wrong: str = ""


def case(rule: str, what: str, position: dict[str, Any], *moves: str, wrong: str = "", **expect: Any) -> Case:
    """A row of a table of cases. AssertionError when something unknown is expected."""
    assert set(expect) <= set(EXPECTED), f"{what}: unknown among {sorted(expect)}; there is {', '.join(EXPECTED)}"
    return Case(rule, what, position, tuple(word for move in moves for word in move.split()), expect, wrong)


def each(cases: Iterable[Case]) -> Any:
    """A test's parameter for each case, named by rule and what."""
    return pytest.mark.parametrize(
        "case",
        [
            pytest.param(
                case,
                id=f"{case.rule}: {case.what}",
                marks=[pytest.mark.xfail(strict=True, reason=case.wrong)] if case.wrong else [],
            )
            for case in cases
        ],
    )


def words(said: Any) -> set[str]:
    """Moves that are expected, said in one string or in several."""
    return set(said.split() if isinstance(said, str) else said)


def sorted_words(end: str) -> str:
    """An end with its words in order; what is changed twice, `lira+5 lira-2`, is added up."""
    totals: dict[str, int] = {}
    for word in end.split():
        name, sign, number = re.split(r"([+-])(?=\d+$)", word)
        totals[name] = totals.get(name, 0) + int(sign + number)
    return " ".join(sorted(f"{name}{number:+d}" for name, number in totals.items() if number))


def check(case: Case, game: vitienv.Game, ends: Callable[..., set[str]], told: Callable[[vitienv.Game], Any]) -> None:
    """Play the case's moves and look whether all is so. ends: of the game at the start and the moves made; told: the
    position that `holds` looks into."""
    expect, start, n = case.expect, game.copy(), len(game.moves)
    assert expect, "nothing is expected"
    make_moves(game, *case.moves)
    if set(OF_TURN) & set(expect):
        outcomes = ends(start, *game.moves[n:])
        wanted = {name: {sorted_words(end) for end in expect.get(name, ())} for name in OF_TURN[:3]}
        assert "ends" not in expect or outcomes == wanted["ends"]
        assert wanted["with_ends"] <= outcomes
        assert not outcomes & wanted["no_ends"]
        assert "gives" not in expect or outcomes == {sorted_words(expect["gives"])}
    if "asks" in expect:
        assert [int(seat) for seat in expect["asks"].split()] == asked(game)
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
        there: Any = told(game)
        for key in path.split("."):
            there = there[int(key)] if isinstance(there, list) else there.get(key)
        assert there == value, path


def make_moves(game: vitienv.Game, *moves: str) -> vitienv.Game:
    """Make moves one after another. Where nothing but `done` is left to say, it is said, named or not."""
    for move in moves:
        if move != "done":
            settle(game)
        game.step(move)
    return game


def settle(game: vitienv.Game) -> None:
    """Stop an optional repetition where stopping is all that is left."""
    while game.legal_actions() == ["done"]:
        game.step("done")


def asked(game: vitienv.Game) -> list[int]:
    """The seats that are asked the same, one after another, while each says no, or what comes first."""
    seats, decision = [], game.decision
    while game.decision == decision:
        assert game.current_seat is not None
        seats.append(game.current_seat)
        legal = game.legal_actions()
        game.step(next((no for no in ("no", "pass", "done") if no in legal), legal[0]))
    return seats
