"""Writing data sets: bots play, and every decision becomes a row of Parquet. `vitienv.data` reads them.

A part is a file with whole games, there whole or not at all. The card stands in the folder from the beginning and names
the parts when all are there. Nothing tells when or how fast it was made: a set that was interrupted and finished later
has the same files as one that was not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.agents import Agent
from vitienv.agents.protocol import GameViews
from vitienv.agents.query import BotCrashed
from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.agents.weights import layout_of
from vitienv.core.batch import Batch
from vitienv.core.files import atomic, versions, write_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.options import Options
from vitienv.data import CARD, COLUMNS, FORMAT, KIND, MARK, as_lists, check_table, checked_card, part_file
from vitienv.registry import DEFAULT, game_spec
from vitienv.training.evaluation.match import Played, check_amount, play
from vitienv.training.evaluation.notes import NOTES, counted, public_names, told
from vitienv.training.evaluation.tournament import cut_off
from vitienv.training.run_dir import lock_run_dir
from vitienv.training.workers import Bots, Executor, place

if TYPE_CHECKING:
    import pyarrow as pa

PARTS_AIMED_AT = 16
LARGEST_PART = 128  # games: their observations are in memory at once, some hundred megabytes
ROWS_TOGETHER = 8192  # a row group of the file
COUNTED = b"notes"  # the entry of a part's metadata with what bots counted, by their public names, as JSON
AT_THE_END = ("game", "reward", "points", "rank", "truncated")  # columns that are known then
# Rows of one game are much alike, which the weakest level finds out already; it is the fastest one.
PARQUET = {"compression": "zstd", "compression_level": 1, "use_dictionary": False, "write_statistics": False,
           "write_page_checksum": True}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """What makes a data set. ValueError, in one line, for what is wrong.

    agents: specs for `vitienv.make_agent`; in game i seat s is taken by agents[(i + s) % len(agents)]. games: how many.
    seed: of the games and the bots. chunk_size: games of a part. options: further options of the games, as for
    `vitienv.Game.new`. game: its name.
    """

    agents: tuple[str, ...]
    num_players: int = 2
    games: int = 100
    seed: int = 0
    chunk_size: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    game: str = DEFAULT

    def __post_init__(self) -> None:
        if not self.agents:
            raise ValueError("a data set needs at least one bot")
        check_amount("games", self.games)
        if self.seed < 0:
            raise ValueError(f"seed is {self.seed}; it must be at least 0")
        if self.chunk_size != 0:
            check_amount("chunk", self.chunk_size, LARGEST_PART)
        self.game_options()

    def game_options(self) -> Options:
        """The options of the games."""
        return cut_off(self.game, self.options, self.num_players)

    def settled(self) -> Settings:
        """The settings with a size of parts."""
        usual = max(1, min(LARGEST_PART, -(-self.games // PARTS_AIMED_AT)))
        return self if self.chunk_size else replace(self, chunk_size=usual)

    def numbers(self, part: int) -> range:
        """The numbers of a part's games."""
        return range(part * self.chunk_size, min(self.games, (part + 1) * self.chunk_size))

    def seating(self, game: int) -> list[int]:
        """The bot in each seat of a game."""
        return [(game + seat) % len(self.agents) for seat in range(self.num_players)]

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON, without the size of parts."""
        told = asdict(self) | {"agents": list(self.agents), "options": self.game_options().to_dict()}
        return {name: value for name, value in told.items() if name != "chunk"}


def write(
    settings: Settings,
    folder: Path | str,
    processes: int | Executor = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Write a data set into a folder, or go on with the one that was interrupted there; returns its card.

    processes: how many on this machine, or another place to play at, see `places.executor`.
    on_progress gets the number of games done and of all. The finished card has "notes" if any bot counted something.
    ValueError for a folder that holds something else, for a set that was begun with other settings, another version or
    another layout, and for a program that faults; OSError, which names the file, if one cannot be written.
    """
    where = place(processes)
    bots = make_bots(settings.agents, 0, settings.game)
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or (not (folder / CARD).exists() and _is_used(folder))):
        raise ValueError(f"{str(folder)!r} exists and holds no data set")
    with lock_run_dir(folder):
        card = _card(settings.settled(), bots)
        if (folder / CARD).exists():
            card = _same(folder, card)
        else:
            write_json(folder / CARD, card)
        settings = replace(settings, chunk_size=card["chunk"])
        if "parts" not in card:
            card |= _play(settings, folder, card, where, on_progress)
            write_json(folder / CARD, card)
        elif on_progress is not None:
            on_progress(settings.games, settings.games)
    return card


def _is_used(folder: Path) -> bool:
    return any(path.name[0] != "." for path in folder.iterdir())


def _card(settings: Settings, bots: Sequence[Agent]) -> dict[str, Any]:
    """The card of a data set, written before its rows."""
    facts = {
        "kind": KIND, "format": FORMAT, **settings.to_dict(), "searched": any(map(searches, bots)),
        "versions": versions(), "layout": layout_of(game_spec(settings.game)),
    }  # fmt: skip
    decides = {name: value for name, value in facts.items() if name != "versions"} | {"vitienv": versions()["vitienv"]}
    mark = hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:16]
    return facts | {"chunk": settings.chunk_size, "mark": mark}


def _same(folder: Path, card: dict[str, Any]) -> dict[str, Any]:
    """The card in a folder. ValueError names what is not as it would be now."""
    there = checked_card(folder)
    if there["format"] != FORMAT:
        forfeit = f"of format {there['format']}, now {FORMAT}"
        raise ValueError(f"{str(folder)!r} holds a data set {forfeit}; name another folder")
    for name in ("game", "agents", "num_players", "games", "seed", "options", "layout"):
        if there.get(name) != card[name]:
            forfeit = "" if name == "layout" else f" ({there.get(name)!r}, now {card[name]!r})"
            raise ValueError(f"{str(folder)!r} holds a data set of another {name}{forfeit}; name another folder")
    if there["mark"] != card["mark"]:
        begun, now = there["versions"].get("vitienv"), versions()["vitienv"]
        raise ValueError(f"{str(folder)!r} was begun with vitienv {begun}; this is {now}")
    check_amount("chunk", there.get("chunk", 0), LARGEST_PART)
    return there


def _play(
    settings: Settings, folder: Path, card: dict[str, Any], where: Executor,
    on_progress: Callable[[int, int], None] | None,
) -> dict[str, Any]:  # fmt: skip
    """Play the parts that are missing; returns the rows of each part, and what bots counted, if they did."""
    numbers = range(-(-settings.games // settings.chunk_size))
    played = {number: found for number in numbers if (found := _found_in(folder, number, card["mark"])) is not None}
    done = sum(len(settings.numbers(number)) for number in played)

    def tell() -> None:
        if on_progress is not None:
            on_progress(done, settings.games)

    tell()
    missing = [number for number in numbers if number not in played]
    tasks = [(settings, number, card["mark"]) for number in missing]
    bots = Bots(settings.agents, settings.seed, settings.game)
    for number, *found in where.run(write_part, tasks, bots, folder):
        played[number] = found
        done += len(settings.numbers(number))
        tell()
    notes = told({NOTES: json.loads(played[number][1])} for number in numbers)[NOTES]
    return {"parts": [played[number][0] for number in numbers], **({NOTES: notes} if notes else {})}


def _found_in(folder: Path, number: int, mark: str) -> list[Any] | None:
    """The rows of a part that is there, and what bots counted; None if it is not there, or of another set."""
    from pyarrow import ArrowException, parquet

    try:
        about = parquet.read_metadata(folder / part_file(number))
    except (OSError, ArrowException):
        return None
    metadata = about.metadata or {}
    return [about.num_rows, metadata.get(COUNTED, b"{}")] if metadata.get(MARK) == mark.encode() else None


def write_part(settings: Settings, number: int, mark: str, folder: str) -> tuple[int, int, str]:
    """Play the games of a part and write its file; returns its number, its rows, and what bots counted, as JSON.

    BotCrashed names a program that faults: its game has no end from which the rows could be told.
    """
    from pyarrow import parquet

    numbers = settings.numbers(number)
    made = game_spec(settings.game)
    bots = [Thinker(bot) if searches(bot) else bot
            for bot in make_bots(settings.agents, settings.seed, settings.game)]  # fmt: skip
    recorder = Recorder(bots, made)

    def record(batch: Batch, bot: int, rows: np.ndarray) -> None:
        for i, forfeit in getattr(bots[bot], "forfeits", {}).items():
            where = f"in seat {int(batch.seats[rows[i]])} of game {numbers[rows[i]]}"
            raise BotCrashed(f"{bots[bot].name} {where} gave up ({forfeit.kind}): {forfeit.text}")
        recorder(batch, bot, rows)

    played = play(
        settings.game_options(),
        game_seeds(settings.seed, numbers),
        [settings.seating(game) for game in numbers],
        bots,
        on_choice=record,
    )
    names = public_names(settings.agents)  # parts are uploaded as they are
    notes = json.dumps(told(counted(played, names))[NOTES])
    metadata = {MARK: mark} | ({COUNTED: notes} if notes != "{}" else {})
    rows, writer = 0, None
    with atomic(Path(folder) / part_file(number)) as temporary, ExitStack() as opened:
        for table in recorder.tables(played, numbers.start):
            check_table(table, made, {"games": settings.games, "agents": settings.agents})
            if writer is None:
                schema = table.schema.with_metadata(metadata)
                writer = opened.enter_context(parquet.ParquetWriter(temporary, schema, **PARQUET))
            writer.write_table(table.replace_schema_metadata(metadata))
            rows += table.num_rows
        opened.close()
    return number, rows, notes


def searches(bot: Agent) -> bool:
    """Whether a bot reports the results of its search."""
    return hasattr(bot, "consider")


class Thinker:
    """A bot that searches, and keeps the searches of its last answer."""

    def __init__(self, bot: Any) -> None:
        self.name, self.game, self._bot = bot.name, getattr(bot, "game", None), bot
        self.found: dict[int, Any] = {}

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None = None) -> np.ndarray:
        """The bot's actions; see `Agent.act`."""
        actions, self.found = self._bot.consider(observations, action_masks, games)
        return actions


class Blocks:
    """Rows of numbers that are added one after the other, and taken in any order."""

    def __init__(self, shape: tuple[int, ...], kind: Any) -> None:
        """shape, kind: of a row."""
        self._shape, self._kind = shape, kind
        self._blocks: list[np.ndarray] = []
        self.n = 0

    def add(self, values: np.ndarray, rows: np.ndarray) -> None:
        """Add values[rows]."""
        while len(rows):
            inside = self.n % ROWS_TOGETHER
            if inside == 0:
                self._blocks.append(np.empty((ROWS_TOGETHER, *self._shape), self._kind))
            fitting = rows[: ROWS_TOGETHER - inside]
            self._blocks[-1][inside : inside + len(fitting)] = values[fitting]
            self.n += len(fitting)
            rows = rows[len(fitting) :]

    def take(self, numbers: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """The rows of these numbers, into `out` or a new array."""
        values = np.empty((len(numbers), *self._shape), self._kind) if out is None else out[: len(numbers)]
        blocks, inside = np.divmod(numbers, ROWS_TOGETHER)
        for block in np.unique(blocks):
            here = np.flatnonzero(blocks == block)
            values[here] = self._blocks[block].take(inside[here], axis=0, mode="clip")
        return values


class Recorder:
    """What is seen, asked and chosen in games that are being played, see `training.evaluation.match.play`."""

    def __init__(self, bots: Sequence[Agent], game: GameSpec) -> None:
        """bots: in the order of their numbers."""
        self._bots = bots
        is_searched = any(isinstance(bot, Thinker) for bot in bots)
        self._games = Blocks((), np.int64)
        self._kept = {
            column.name: Blocks((column.width(game),) if column.wide else (), column.kind)
            for column in COLUMNS if column.name not in AT_THE_END and (is_searched or not column.searched)
        }  # fmt: skip

    def __call__(self, batch: Batch, bot: int, rows: np.ndarray) -> None:
        """Keep what one bot has chosen in the games `rows`."""
        every, columns = np.arange(len(rows)), self._kept
        self._games.add(rows, every)
        for name, values in (("observation", batch.obs), ("mask", batch.masks), ("action", batch.actions),
                             ("seat", batch.seats), ("decision", batch.decisions)):  # fmt: skip
            columns[name].add(values, rows)
        columns["agent"].add(np.full(len(rows), bot, np.int8), every)
        if "visits" in columns:
            for name, values in zip(("visits", "value"), self._found(self._bots[bot], batch, rows)):
                columns[name].add(values, every)

    def _found(self, bot: Agent, batch: Batch, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Visits (m, actions) and values (m,) of a bot's last answer."""
        actions = batch.actions[rows]
        visits = np.zeros((len(rows), batch.masks.shape[1]), np.int32)
        values = np.full(len(rows), np.nan, np.float32)
        for row, found in bot.found.items() if isinstance(bot, Thinker) else ():
            visits[row, found.actions] = found.visits
            values[row] = found.values[found.actions == actions[row]][0]
        return visits, values

    def tables(self, played: Played, first: int) -> Iterator[pa.Table]:
        """All rows, game after game, so many at once as are kept together. first: the number of the first game.

        A table's memory is that of the one before: it is done with when the next one is asked for.
        """
        import pyarrow as pa

        every = self._games.take(np.arange(self._games.n))
        order = np.argsort(every, kind="stable")
        rewards = np.where(played.truncated[:, None], 0, played.rewards)
        room: dict[str, np.ndarray] = {}
        for low in range(0, len(order), ROWS_TOGETHER):
            numbers = order[low : low + ROWS_TOGETHER]
            for name, kept in self._kept.items():
                room[name] = kept.take(numbers, room.get(name))
            games, seats = every[numbers], room["seat"]
            made = room | {
                "game": games + first, "reward": rewards[games, seats], "points": played.points[games, seats],
                "rank": played.ranks[games, seats], "truncated": played.truncated[games],
            }  # fmt: skip
            columns = [column for column in COLUMNS if column.name in made]
            arrays = [as_lists(made[column.name], column) for column in columns]
            names = [column.name for column in columns]
            fields = [pa.field(name, array.type, nullable=False) for name, array in zip(names, arrays, strict=True)]
            yield pa.Table.from_arrays(arrays, schema=pa.schema(fields))
