"""The place of each card in the sources: its row, its verbs and its tests, read anew each time."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import vitienv

PACKAGE = Path(vitienv.__file__).parent
ROOT = PACKAGE.parent
GAME = PACKAGE / "viticulture"
DECK_FILES = {
    "vine": "vines.py",
    "order": "orders.py",
    "summer": "summer.py",
    "winter": "winter.py",
    "mama": "mamas.py",
    "papa": "papas.py",
}
VISITOR_DECKS = ("summer", "winter")
# Decks whose cards are numbers in one rule are tested all together.
DECK_VERBS = {"vine": ("plant", "harvest"), "order": ("apply_fill",), "mama": ("give_start",), "papa": ("apply_gift",)}
DECK_TESTS = {
    "vine": ("summer_actions.py::PLANT", "harvest.py::SUMS", "test_decks.py::test_every_card_exists_in_its_number"),
    "order": ("orders.py::EVERY_ORDER",),
    "mama": ("test_setup.py::test_every_mama_and_papa_is_dealt_as_printed",),
    "papa": ("test_setup.py::test_every_mama_and_papa_is_dealt_as_printed",),
}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A named place in the sources; `file` is relative to the repository."""

    name: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.name} ({self.file}:{self.line})"

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return {"name": self.name, "file": self.file, "line": self.line}


@dataclass(frozen=True)
class Card:
    """A card: its id and deck, its row as written, where that is, the verbs it uses, its tests."""

    id: str
    deck: str
    row: str
    place: Place
    verbs: list[Place] = field(default_factory=list)
    tests: list[Place] = field(default_factory=list)

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return {
            "id": self.id,
            "deck": self.deck,
            "row": self.row,
            "file": self.place.file,
            "line": self.place.line,
            "verbs": [verb.to_dict() for verb in self.verbs],
            "tests": [test.to_dict() for test in self.tests],
        }


def _relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def all_cards() -> dict[str, Card]:
    """Every card by its id, deck by deck."""
    ids = _ids()
    tests = _tests_of(tuple(card for cards in ids.values() for card in cards))
    cards = {}
    for deck, file in DECK_FILES.items():
        rows = _rows(GAME / "cards" / file, ids[deck])
        for card in ids[deck]:
            text, line = rows[card]
            of_card = tests.get(card, [])
            if deck not in VISITOR_DECKS:
                of_card = of_card + [place for name in DECK_TESTS[deck] for place in _test_of_rules(name)]
            verbs = _verbs_of_visitor(card) if deck in VISITOR_DECKS else [_function(name) for name in DECK_VERBS[deck]]
            cards[card] = Card(card, deck, text, Place(card, _relative(GAME / "cards" / file), line), verbs, of_card)
    return cards


def _ids() -> dict[str, list[str]]:
    from vitienv.viticulture import cards
    from vitienv.viticulture.names import DECKS

    of_deck: dict[str, list[str]] = {deck: [] for deck in DECK_FILES}
    for kind, card in enumerate(cards.CARD_IDS):
        of_deck[DECKS[int(cards.DECK_OF_KIND[kind])]].append(card)
    of_deck["mama"] = [row.id for row in cards.MAMAS]
    of_deck["papa"] = [row.id for row in cards.PAPAS]
    return of_deck


def _rows(path: Path, ids: list[str]) -> dict[str, tuple[str, int]]:
    """Each card's row as written and its line. Orders are written with their number."""
    source = path.read_text(encoding="utf-8")
    keys: dict[object, str] = {card: card for card in ids}
    keys |= {int(card.removeprefix("order_")): card for card in ids if card.startswith("order_")}
    rows = {}
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            card = keys.get(node.args[0].value)
            if card is not None:
                rows[card] = (" ".join((ast.get_source_segment(source, node) or "").split()), node.lineno)
    missing = [card for card in ids if card not in rows]
    if missing:
        raise LookupError(f"no row of {missing[0]!r} in {path}")
    return rows


# Verbs: from the parts of a row to the functions that carry them out.

NO_VERBS = ("push", "set_stage", "get", "first_least", "right_neighbour", "set_goals")  # they put a question


@cache
def _functions() -> dict[str, Place]:
    """Every function of the game's rules by its name; those of ops/ first."""
    places: dict[str, Place] = {}
    for path in [*sorted((GAME / "ops").glob("*.py")), *sorted(GAME.glob("*.py"))]:
        for node in _tree(path).body:
            if isinstance(node, ast.FunctionDef):
                places.setdefault(node.name, Place(node.name, _relative(path), node.lineno))
    return places


def _function(name: str) -> Place:
    return _functions()[name]


def _verbs_in(function: Any) -> list[str]:
    """The rules that a row's function calls; a question that it puts stands for the rule that takes the answer."""
    from vitienv.viticulture.frames import OPERATIONS, FrameOp

    names = []
    function = getattr(function, "py_func", function)
    for name in function.__code__.co_names:
        if name in FrameOp.__members__:
            asked = OPERATIONS.rows[FrameOp[name]].functions
            names.append(asked.get("apply", asked.get("run")).__name__)  # type: ignore[union-attr]
        elif name.startswith("ask_to_"):
            names += _verbs_in(function.__globals__[name])
        elif name in _functions() and name not in NO_VERBS:
            names.append(name)
    return names


@cache
def verbs_of(op: str) -> tuple[Place, ...]:
    """The functions that carry out a part of card rows, by its name."""
    from vitienv.viticulture import machine  # noqa: F401 - by then every row is there
    from vitienv.viticulture.cards.parts import PartOp
    from vitienv.viticulture.ops.parts import ROWS

    row = ROWS.rows[PartOp[op]]
    names = _verbs_in(row.does or row.asks) or _verbs_in(row.needs)
    return tuple(_function(name) for name in dict.fromkeys(names))


def _verbs_of_visitor(card: str) -> list[Place]:
    from vitienv.viticulture.cards import SUMMER_VISITORS, WINTER_VISITORS

    row = next(row for row in (*SUMMER_VISITORS, *WINTER_VISITORS) if row.id == card)
    ops = dict.fromkeys(part.op.name for branch in row.branches for part in branch)
    return list(dict.fromkeys(place for op in ops for place in verbs_of(op)))


# Tests.


def _defined(path: Path) -> list[Place]:
    """The functions and lists of cases of a file of tests; none where the package is installed without them."""
    places = []
    for node in _tree(path).body if path.is_file() else ():
        if isinstance(node, ast.FunctionDef):
            places.append(Place(node.name, _relative(path), node.lineno))
        elif isinstance(node, ast.Assign):
            places.append(Place(getattr(node.targets[0], "id", ""), _relative(path), node.lineno))
    return places


def _test_of_rules(where: str) -> list[Place]:
    """A test or a list of cases, `orders.py::EVERY_ORDER`."""
    file, _, name = where.partition("::")
    return [test for test in _defined(ROOT / "tests" / "rules" / file) if test.name == name]


def _tests_of(ids: tuple[str, ...]) -> dict[str, list[Place]]:
    """The tests of tests/cards whose names begin with test_ and the card's id, and the lists of cases with its name; of
    several ids that fit the longest."""
    by_card: dict[str, list[Place]] = {}
    for path in sorted((ROOT / "tests" / "cards").glob("*.py")):
        for test in _defined(path):
            rest = test.name.removeprefix("test_")
            fitting = [card for card in ids if rest == card or rest.startswith(f"{card}_")]
            if test.name.isupper() and test.name.lower() in ids:
                by_card.setdefault(test.name.lower(), []).append(test)
            elif fitting and rest != test.name:
                by_card.setdefault(max(fitting, key=len), []).append(test)
    return by_card
