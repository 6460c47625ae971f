"""Cases of a visitor: seat 0 has it, places a regular worker and plays it.

of = visitor("noble")
of("a lira buys a residual payment", {"lira": 1}, moves="option:1", gives="lira-1 residual+1")
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from tests.table.case import Case, case
from tests.table.fixtures import COST, SUMMER_VISITORS
from tests.table.setup_position import table


def visitor(card: str) -> Callable[..., Case]:
    """Return a function that makes the cases of a card, from a title, seats as of `table`, and expectations.

    moves: answers to the decisions of the card. worker, space: its placement. top: keys of the position. branches:
    numbers of the legal branches. is_refused: whether the card cannot be played.
    """
    season = "summer" if card in SUMMER_VISITORS else "winter"

    def of(
        title: str, *seats: dict[str, Any], moves: str = "", worker: str = "regular", space: str = "plain", n: int = 2,
        top: dict[str, Any] | None = None, branches: str | None = None, is_refused: bool = False, **expect: Any,
    ) -> Case:  # fmt: skip
        first_seat = dict(seats[0]) if seats else {}
        others = first_seat.pop(season, [])
        position = table(season, first_seat | {season: [card, *others]}, *seats[1:], n=n, **(top or {}))
        place, name = f"place:play_{season}_visitor:{space}:{worker}", f"card:{season}:{card}"
        if is_refused:
            before, refused = (place, name) if others else ("", place)
            return case(card, title, position, before, refuses=refused, **expect)
        if branches is not None:
            expect["legal"] = [f"option:{number}" for number in branches.split()]
        return case(card, title, position, place, name, moves, **expect)

    return of


def make(*grapes: str) -> str:
    """Return the moves that make a wine of each grape, `red:2`."""
    return " ".join(f"make:{grape.partition(':')[0]} grape:{grape}" for grape in grapes)


def made(*grapes: str) -> str:
    """Return the changes when each grape becomes a wine of its value."""
    return " ".join(f"grape:{grape}-1 wine:{grape}+1" for grape in grapes)


def plant(*vines: str) -> str:
    return " ".join(f"card:vine:{vine[2:]} field:{vine[0]}" for vine in vines)


def planted(*vines: str) -> str:
    """Return the changes when vines are planted, `5:malvasia`."""
    return " ".join(f"plant{vine}+1 vine:{vine[2:]}-1" for vine in vines)


def up_to(max_changes: int, *changes: str, min_changes: int = 1) -> list[str]:
    """Return the results with `min_changes` to `max_changes` of these changes."""
    return [" ".join(some) for n in range(min_changes, max_changes + 1) for some in combinations(changes, n)]


def built(
    of: Callable[..., Case], less: int, *others: dict[str, Any], before: str = "", after: str = "",
    other_changes: Callable[[str], str] = lambda name: "", cannot: dict[str, Any] | None = None, **words: Any,
) -> list[Case]:  # fmt: skip
    """Return cases of each structure at a discount, never below zero (ruling 2.7), and of one lira less.

    before, after: other moves. other_changes: by structure. cannot: expectation if no structure is affordable.
    """
    cases = [of("the large cellar needs the medium one", words | {"lira": 9}, *others, moves=before,
                refuses="structure:large_cellar", offers="structure:medium_cellar")]  # fmt: skip
    for name, cost in COST.items():
        price, laid = max(cost - less, 0), {"structures": ["medium_cellar"] if name == "large_cellar" else []} | words
        cases.append(of(f"{name} for {price} lira", laid | {"lira": price}, *others,
                        moves=f"{before} structure:{name} {after}",
                        gives=f"{name}+1 {f'lira-{price}' if price else ''} {other_changes(name)}"))  # fmt: skip
        if price:
            short = {"moves": before, "refuses": f"structure:{name}"} if price > max(2 - less, 0) else cannot
            cases.append(of(f"{name} not for {price - 1} lira", laid | {"lira": price - 1}, *others, **short))
    return cases
