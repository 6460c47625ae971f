"""Component data of the game, and corrections from an owner's copy.

Data that only pictures would show are reconstructed: `COMPONENTS` lists them with value, source and reason. The option
`components` replaces them with a mapping or a TOML file in the form of the data.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from vitienv.core import components
from vitienv.core.checks import check_int, check_keys
from vitienv.toscana.enums import CAPACITY, COLUMNS, GOODS, LETTERS, LEVELS, N_GOODS, N_PIECES, N_TILES, PIECE, ROWS

KINDS = tuple(LETTERS)
DATA = Path(__file__).with_name("data")
METADATA_KEYS = ("source", "reconstructed", "why", "also", "counts")
MAX_CHAMPAGNE_BOXES = 100
MAX_MARKS_OF_TILE = 5
CHAMPAGNE = "supply.champagne.count"  # a single number of the rule parameter `supply`


@dataclass(frozen=True)
class Component:
    """Uncertain component: path in the data, value, source ("inferred", "reconstructed" …) and reason."""

    path: str
    value: Any
    source: str
    why: str


@cache
def facts() -> dict[str, dict[str, Any]]:
    """Return the data by file name: market, map, player, winetasting."""
    return components.files(DATA)


def _goods(numbers: Mapping[str, Any], default: int = 0) -> list[int]:
    return [int(numbers.get(good, default)) for good in GOODS]


def _cells(rows: list[list[str]]) -> list[int]:
    return [LETTERS.index(letter) for row in rows for letter in row]


# Readers of components: each checks a value and flattens it to the numbers of a rule parameter.


def _map(rows: Any, path: str, height: int = ROWS, width: int = COLUMNS) -> list[int]:
    is_map = isinstance(rows, list) and len(rows) == height
    is_map = is_map and all(isinstance(row, list) and len(row) == width for row in rows)
    if not is_map or not all(cell in KINDS for row in rows for cell in row):
        kinds = ", ".join(LETTERS)
        raise ValueError(f"{path} must be {height} rows of {width} squares out of {kinds}, got {rows!r}")
    return _cells(rows)


def _by_id(rows: Any, path: str, n: int, noun: str) -> dict[int, list[Mapping[str, Any]]]:
    """Return the entries by id; each id from 1 to n must occur at least once."""
    by_id: dict[int, list[Mapping[str, Any]]] = {}
    for row in rows if isinstance(rows, list) else ():
        number = row.get("id") if isinstance(row, Mapping) else None
        by_id.setdefault(number if isinstance(number, int) else 0, []).append(row)
    if sorted(by_id, key=repr) != list(range(1, n + 1)):
        raise ValueError(f"{path} must have {n} {noun} with the ids 1 to {n}, got {list(by_id)}")
    return by_id


def _pieces(rows: Any, path: str) -> list[int]:
    by_id = _by_id(rows, path, N_PIECES, "map pieces")
    numbers: list[int] = []
    for number in range(1, N_PIECES + 1):
        if len(by_id[number]) != 1:
            raise ValueError(f"{path} must have piece {number} once")
        check_keys(by_id[number][0], ("id", "rows"), path, METADATA_KEYS)
        numbers += _map(by_id[number][0].get("rows"), f"{path} {number}", PIECE, PIECE)
    return numbers


def _tiles(rows: Any, path: str) -> list[int]:
    """Return marks by tile and good; entries with the same id are added up."""
    numbers = [0] * (N_TILES * N_GOODS)
    for number, entries in sorted(_by_id(rows, path, N_TILES, "tiles").items()):
        for entry in entries:
            check_keys(entry, ("id", "good", "mark"), path, METADATA_KEYS)
            if entry.get("good") not in GOODS:
                raise ValueError(
                    f"{path} {number}: unknown good {entry.get('good')!r}; expected one of: {', '.join(GOODS)}"
                )
            mark = check_int(entry.get("mark"), -MAX_MARKS_OF_TILE, MAX_MARKS_OF_TILE, f"the mark of {path} {number}")
            numbers[(number - 1) * N_GOODS + GOODS.index(entry["good"])] += mark
    return numbers


def _goods_reader(low: int, high: int):
    def read(values: Any, path: str) -> list[int]:
        check_keys(values, GOODS, path, METADATA_KEYS)
        return [check_int(values.get(good), low, high, f"{path}.{good}") for good in GOODS]

    return read


def _signs(words: Any, path: str) -> list[int]:
    """Return signs by good: two plus, two minus, and 0 for the good left out."""
    check_keys(words, GOODS, path, METADATA_KEYS)
    signs = {"plus": 1, "minus": -1}
    numbers = [signs.get(str(words.get(good)), 0) for good in GOODS]
    signed_goods = [good for good in GOODS if good in words]
    if sorted(numbers) != [-1, -1, 0, 1, 1] or len(signed_goods) != N_GOODS - 1:
        raise ValueError(f'{path} must have two goods with "plus" and two with "minus", got {dict(words)!r}')
    return numbers


def _flag(value: Any, path: str) -> list[int]:
    if not isinstance(value, bool):
        raise ValueError(f"{path} must be true or false, got {value!r}")
    return [int(value)]


def _count(value: Any, path: str) -> list[int]:
    return [check_int(value, CAPACITY, MAX_CHAMPAGNE_BOXES, path)]


# Rule parameter, data file and reader of each component, by path in the data.
PARTS: dict[str, tuple[str, str, Any]] = {
    "premade.rows": ("printed_map", "map", _map),
    "piece": ("map_pieces", "map", _pieces),
    "pieces_rule.rotation.allowed": ("rotation", "map", _flag),
    "tile": ("marks", "winetasting", _tiles),
    "start.price_level": ("start_price", "market", _goods_reader(0, LEVELS - 1)),
    "start.stock": ("start_stock", "market", _goods_reader(0, CAPACITY)),
    "recommendations.start_signs": ("start_sign", "market", _signs),
    CHAMPAGNE: ("champagne", "market", _count),
}


def value_at(data: Mapping[str, Any], path: str) -> Any:
    """Return the value at a dotted path; None if it is missing."""
    value: Any = data
    for key in path.split("."):
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return value


def _paths(settings: Mapping[str, Any], prefix: str = "") -> list[str]:
    paths = []
    for key, value in settings.items():
        path = f"{prefix}{key}"
        if path in PARTS:
            paths.append(path)
        elif isinstance(value, Mapping) and any(part.startswith(f"{path}.") for part in PARTS):
            paths += _paths(value, f"{path}.")
        elif not (prefix and key in METADATA_KEYS):
            raise ValueError(f"unknown component {path!r}; expected one of: {', '.join(PARTS)}")
    return paths


def read(corrections: Any) -> dict[str, Any]:
    """Check components and return them as nested mappings.

    corrections: a mapping or a TOML file, see `core.components`. Raises ValueError for invalid components.
    """
    settings = components.read_corrections(corrections)
    nested: dict[str, Any] = {}
    for path in _paths(settings):
        PARTS[path][2](value_at(settings, path), path)
        *outer, last = path.split(".")
        inner = nested
        for key in outer:
            inner = inner.setdefault(key, {})
        inner[last] = value_at(settings, path)
    return nested


def numbers_of(settings: Mapping[str, Any]) -> dict[str, list[int]]:
    """Return the numbers of the rule parameters that components change."""
    return {PARTS[path][0]: PARTS[path][2](value_at(settings, path), path) for path in _paths(settings)}


def neutral() -> dict[str, list[int]]:
    """Return the numbers of all rule parameters that come from the data."""
    market, player, tasting = facts()["market"], facts()["player"], facts()["winetasting"]
    hiring, services, end = player["hiring"], market["service"], player["game_end"]
    supply = market["supply"] | {"champagne": market["supply"]["champagne"]["count"]}
    masters = [number for cost in hiring["winemaster_costs"] for number in _goods(cost)]
    return {
        **{
            rule_parameter: reads(value_at(facts()[file], path), path)
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


def _metadata(path: str) -> Mapping[str, Any]:
    data = facts()[PARTS[path][1]]
    if path == "tile":
        return data["set"]
    if path == "piece":
        return data["piece"][0] | {"why": "They are the blocks of the printed map, so that the kinds stay as many."}
    keys = path.split(".")
    tables = [value_at(data, ".".join(keys[:end])) for end in range(len(keys), 0, -1)]
    return next(table for table in tables if isinstance(table, Mapping) and "source" in table)


def _component(path: str) -> Component:
    metadata, value = _metadata(path), value_at(facts()[PARTS[path][1]], path)
    return Component(path, value, metadata["source"], " ".join(metadata["why"].split()))


# Components that an owner's copy may correct, by path.
COMPONENTS: Mapping[str, Component] = {path: _component(path) for path in PARTS}
