"""Cases of a visitor: seat 0 holds it, places a regular worker and plays it.

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
    """What makes the cases of a card. Of each: what is looked at, the seats in the words of `table`, and

    moves: answers to what the card asks. worker, space: with which it is played. top: keys of the position. branches:
    the numbers of the branches that may be chosen. is_refused: whether the card cannot be played at all. Whatever else
    a case can expect.
    """
    season = "summer" if card in SUMMER_VISITORS else "winter"

    def of(
        what: str, *seats: dict[str, Any], moves: str = "", worker: str = "regular", space: str = "plain", n: int = 2,
        top: dict[str, Any] | None = None, branches: str | None = None, is_refused: bool = False, **expect: Any,
    ) -> Case:  # fmt: skip
        own = dict(seats[0]) if seats else {}
        others = own.pop(season, [])
        position = table(season, own | {season: [card, *others]}, *seats[1:], n=n, **(top or {}))
        place, name = f"place:play_{season}_visitor:{space}:{worker}", f"card:{season}:{card}"
        if is_refused:
            before, refused = (place, name) if others else ("", place)
            return case(card, what, position, before, refuses=refused, **expect)
        if branches is not None:
            expect["legal"] = [f"option:{number}" for number in branches.split()]
        return case(card, what, position, place, name, moves, **expect)

    return of


def make(*grapes: str) -> str:
    """The moves that make a wine of each grape, `red:2`."""
    return " ".join(f"make:{grape.partition(':')[0]} grape:{grape}" for grape in grapes)


def made(*grapes: str) -> str:
    """The changes: each grape is a wine of its own value."""
    return " ".join(f"grape:{grape}-1 wine:{grape}+1" for grape in grapes)


def plant(*vines: str) -> str:
    """The moves that plant vines, `5:malvasia`."""
    return " ".join(f"card:vine:{vine[2:]} field:{vine[0]}" for vine in vines)


def planted(*vines: str) -> str:
    """The changes."""
    return " ".join(f"plant{vine}+1 vine:{vine[2:]}-1" for vine in vines)


def up_to(most: int, *ways: str, least: int = 1) -> list[str]:
    """The ends of so many of these changes."""
    return [" ".join(some) for n in range(least, most + 1) for some in combinations(ways, n)]


def built(
    of: Callable[..., Case], less: int, *others: dict[str, Any], before: str = "", after: str = "",
    more: Callable[[str], str] = lambda name: "", cannot: dict[str, Any] | None = None, **own: Any,
) -> list[Case]:  # fmt: skip
    """Each structure for so much less than its cost, never below nothing (ruling 2.7), and not for a lira less still.

    before, after: what is said around it. more: other changes. cannot: what is expected where nothing can be paid.
    """
    cases = [of("the large cellar needs the medium one", own | {"lira": 9}, *others, moves=before,
                refuses="structure:large_cellar", offers="structure:medium_cellar")]  # fmt: skip
    for name, cost in COST.items():
        price, laid = max(cost - less, 0), {"structures": ["medium_cellar"] if name == "large_cellar" else []} | own
        cases.append(of(f"{name} for {price} lira", laid | {"lira": price}, *others,
                        moves=f"{before} structure:{name} {after}",
                        gives=f"{name}+1 {f'lira-{price}' if price else ''} {more(name)}"))  # fmt: skip
        if price:
            short = {"moves": before, "refuses": f"structure:{name}"} if price > max(2 - less, 0) else cannot
            cases.append(of(f"{name} not for {price - 1} lira", laid | {"lira": price - 1}, *others, **short))
    return cases
