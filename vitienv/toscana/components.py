"""Numbers of the game, read from the data, and those that an owner's copy may correct.

What pictures alone would show is reconstructed: `COMPONENTS` names it, with the value, its source and the reason.
Another value is given by `components`, in the form of the data: a mapping, or a TOML file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from vitienv.core import components
from vitienv.core.checks import check_int, check_keys
from vitienv.toscana.enums import COLUMNS, GOODS, LETTERS, LEVELS, N_GOODS, N_PIECES, N_TILES, PIECE, ROOM, ROWS

KINDS = tuple(LETTERS)
DATA = Path(__file__).with_name("data")
ABOUT = ("source", "reconstructed", "why", "also", "counts")  # what an entry says of itself
MOST_BOXES = 100  # of champagne, in a copy that is not ours
MOST_MARKS = 5  # on a tile
CHAMPAGNE = "supply.champagne.count"  # one number of the rule parameter `supply`


@dataclass(frozen=True)
class Component:
    """A part that is not known for certain. path: where the data have it. source: "inferred", "reconstructed" …"""

    path: str
    value: Any
    source: str
    why: str


@cache
def facts() -> dict[str, dict[str, Any]]:
    """The data by the names of their files: market, map, player, winetasting."""
    return components.files(DATA)


def _goods(given: Mapping[str, Any], missing: int = 0) -> list[int]:
    """Numbers by good, in the order of the goods."""
    return [int(given.get(good, missing)) for good in GOODS]


def _cells(rows: list[list[str]]) -> list[int]:
    return [LETTERS.index(letter) for row in rows for letter in row]


# The numbers of each part that may be given, by its path in the data: plain lists, row by row, as rule parameters hold
# them.


def _map(rows: Any, where: str, height: int = ROWS, width: int = COLUMNS) -> list[int]:
    right = isinstance(rows, list) and len(rows) == height
    right = right and all(isinstance(row, list) and len(row) == width for row in rows)
    if not right or not all(cell in KINDS for row in rows for cell in row):
        kinds = ", ".join(LETTERS)
        raise ValueError(f"{where} is {rows!r}; it must be {height} rows of {width} squares, each one of {kinds}")
    return _cells(rows)


def _listed(rows: Any, where: str, n: int, what: str) -> dict[int, list[Mapping[str, Any]]]:
    """Entries with ids from 1 to n, each id at least once."""
    by_id: dict[int, list[Mapping[str, Any]]] = {}
    for row in rows if isinstance(rows, list) else ():
        number = row.get("id") if isinstance(row, Mapping) else None
        by_id.setdefault(number if isinstance(number, int) else 0, []).append(row)
    if sorted(by_id, key=repr) != list(range(1, n + 1)):
        raise ValueError(f"{where} has the ids {list(by_id)}; there are {n} {what}, with the ids 1 to {n}")
    return by_id


def _pieces(rows: Any, where: str) -> list[int]:
    by_id = _listed(rows, where, N_PIECES, "map pieces")
    numbers: list[int] = []
    for number in range(1, N_PIECES + 1):
        if len(by_id[number]) != 1:
            raise ValueError(f"{where} has piece {number} twice")
        check_keys(by_id[number][0], ("id", "rows"), where, ABOUT)
        numbers += _map(by_id[number][0].get("rows"), f"{where} {number}", PIECE, PIECE)
    return numbers


def _tiles(rows: Any, where: str) -> list[int]:
    """Marks by tile and good; several entries of one id are marks of one tile."""
    numbers = [0] * (N_TILES * N_GOODS)
    for number, entries in sorted(_listed(rows, where, N_TILES, "tiles").items()):
        for entry in entries:
            check_keys(entry, ("id", "good", "mark"), where, ABOUT)
            if entry.get("good") not in GOODS:
                raise ValueError(f"{where} {number} marks {entry.get('good')!r}; the goods are {', '.join(GOODS)}")
            mark = check_int(entry.get("mark"), -MOST_MARKS, MOST_MARKS, f"the mark of {where} {number}")
            numbers[(number - 1) * N_GOODS + GOODS.index(entry["good"])] += mark
    return numbers


def _five(low: int, high: int):
    def read(given: Any, where: str) -> list[int]:
        check_keys(given, GOODS, where, ABOUT)
        return [check_int(given.get(good), low, high, f"{where}.{good}") for good in GOODS]

    return read


def _signs(given: Any, where: str) -> list[int]:
    """Two plus, two minus; the good that is not named has the empty square."""
    check_keys(given, GOODS, where, ABOUT)
    signs = {"plus": 1, "minus": -1}
    numbers = [signs.get(str(given.get(good)), 0) for good in GOODS]
    named = [good for good in GOODS if good in given]
    if sorted(numbers) != [-1, -1, 0, 1, 1] or len(named) != N_GOODS - 1:
        raise ValueError(f'{where} is {dict(given)!r}; two goods have "plus", two "minus" and one is left out')
    return numbers


def _flag(given: Any, where: str) -> list[int]:
    if not isinstance(given, bool):
        raise ValueError(f"{where} is {given!r}; it must be true or false")
    return [int(given)]


def _count(given: Any, where: str) -> list[int]:
    return [check_int(given, ROOM, MOST_BOXES, where)]


# By path: the rule parameter whose numbers they are, the file of the data, and what reads them.
PARTS: dict[str, tuple[str, str, Any]] = {
    "premade.rows": ("printed_map", "map", _map),
    "piece": ("map_pieces", "map", _pieces),
    "pieces_rule.rotation.allowed": ("rotation", "map", _flag),
    "tile": ("marks", "winetasting", _tiles),
    "start.price_level": ("start_price", "market", _five(0, LEVELS - 1)),
    "start.stock": ("start_stock", "market", _five(0, ROOM)),
    "recommendations.start_signs": ("start_sign", "market", _signs),
    CHAMPAGNE: ("champagne", "market", _count),
}


def _at(data: Mapping[str, Any], path: str) -> Any:
    """What stands at a path; None if nothing does."""
    found: Any = data
    for key in path.split("."):
        if not isinstance(found, Mapping) or key not in found:
            return None
        found = found[key]
    return found


def _paths(given: Mapping[str, Any], above: str = "") -> list[str]:
    """The paths of what is given; ValueError for one that is no part."""
    paths = []
    for key, value in given.items():
        path = f"{above}{key}"
        if path in PARTS:
            paths.append(path)
        elif isinstance(value, Mapping) and any(part.startswith(f"{path}.") for part in PARTS):
            paths += _paths(value, f"{path}.")
        elif not (above and key in ABOUT):
            raise ValueError(f"components has {path!r}; known are {', '.join(PARTS)}")
    return paths


def read(own: Any) -> dict[str, Any]:
    """Components as plain nested mappings. own: see `core.components.given`. ValueError, in one line, for whatever is
    wrong."""
    settings = components.given(own)
    nested: dict[str, Any] = {}
    for path in _paths(settings):
        PARTS[path][2](_at(settings, path), path)
        *outer, last = path.split(".")
        inner = nested
        for key in outer:
            inner = inner.setdefault(key, {})
        inner[last] = _at(settings, path)
    return nested


def numbers_of(given: Mapping[str, Any]) -> dict[str, list[int]]:
    """The rule parameters that components change, with their numbers."""
    return {PARTS[path][0]: PARTS[path][2](_at(given, path), path) for path in _paths(given)}


def neutral() -> dict[str, list[int]]:
    """The numbers of all rule parameters that come from the data."""
    market, player, tasting = facts()["market"], facts()["player"], facts()["winetasting"]
    hiring, services, end = player["hiring"], market["service"], player["game_end"]
    supply = market["supply"] | {"champagne": market["supply"]["champagne"]["count"]}
    masters = [number for cost in hiring["winemaster_costs"] for number in _goods(cost)]
    return {
        **{
            rule_parameter: reads(_at(facts()[file], path), path)
            for path, (rule_parameter, file, reads) in PARTS.items()
            if path != CHAMPAGNE
        },
        "supply": [supply[good] for good in GOODS],
        "start_boxes": _goods(player["start"]["boxes"]),
        "start_money": [player["start"]["money"]],
        "hand_size": [tasting["rules"]["hand_size"]],
        "buying": market["price_track"]["values"]["buy"],
        "selling": market["price_track"]["values"]["sell"],
        "worker_cost": _goods(hiring["worker_cost"]),
        "winemaster_cost": masters,
        "lobbyist_cost": _goods(services["lobbyist"]["cost"]),
        "mr_rose_cost": _goods(services["mr_rose"]["cost"]),
        "award": [hiring["third_winemaster_award_money"]],
        "end_money": [end["money_trigger"]],
        "last_round": [end["rounds_max"]],
    }


def _about(path: str) -> Mapping[str, Any]:
    """What the data say of a part: of itself, or of what it stands in."""
    data = facts()[PARTS[path][1]]
    if path == "tile":
        return data["set"]
    if path == "piece":
        return data["piece"][0] | {"why": "They are the blocks of the printed map, so that the kinds stay as many."}
    keys = path.split(".")
    tables = [_at(data, ".".join(keys[:end])) for end in range(len(keys), 0, -1)]
    return next(table for table in tables if isinstance(table, Mapping) and "source" in table)


def _component(path: str) -> Component:
    about = _about(path)
    return Component(path, _at(facts()[PARTS[path][1]], path), about["source"], " ".join(about["why"].split()))


# The parts that an owner's copy may correct, by their paths.
COMPONENTS: Mapping[str, Component] = {path: _component(path) for path in PARTS}
