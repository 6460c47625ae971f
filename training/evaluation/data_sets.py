"""Writer of data sets: one Parquet row per decision of bots. `vitienv.data` reads them.

Each part file contains complete games and is written atomically. The metadata file lists the parts once all exist. An
interrupted and resumed run writes the same bytes as an uninterrupted one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from vitienv.agents import Agent
from vitienv.agents.policy import weight_digests
from vitienv.agents.protocol import GameViews
from vitienv.agents.query import BotCrashed
from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.agents.weights import layout_of
from vitienv.core.batch import Batch
from vitienv.core.files import atomic, versions, write_json
from vitienv.data import CARD, COLUMNS, FORMAT, KIND, MARK, as_lists, check_table, checked_card, part_file
from vitienv.registry import game_spec
from vitienv.training.evaluation.match import GameResults, GamesSettings, check_amount, play
from vitienv.training.evaluation.notes import NOTES, counts_by_game, public_names, sum_counts
from vitienv.training.run_dir import lock_run_dir
from vitienv.training.workers import Bots, Executor, ProgressCallback, as_executor, no_progress

if TYPE_CHECKING:
    import pyarrow as pa

GROUP_ROWS = 8192  # size of a Parquet row group
PROGRESS_ROWS = b"notes"  # key of a part's metadata: counters of the bots by public name, as JSON
# The rows of one game are similar, so the fastest compression level suffices.
PARQUET = {"compression": "zstd", "compression_level": 1, "use_dictionary": False, "write_statistics": False,
           "write_page_checksum": True}  # fmt: skip


@dataclass(frozen=True)
class Settings(GamesSettings):
    """Settings of a data set, see `GamesSettings`. ValueError for an invalid setting.

    Seat s of game i is played by agents[(i + s) % len(agents)]. chunk_size: games per part.
    """

    MAX_CHUNK_SIZE: ClassVar[int] = 128  # a part's observations need some hundred megabytes of memory

    def __post_init__(self) -> None:
        if not self.agents:
            raise ValueError("agents must contain at least one bot")
        super().__post_init__()

    def seating(self, game: int) -> list[int]:
        """Return the index of the bot in each seat of a game."""
        return [(game + seat) % len(self.agents) for seat in range(self.num_players)]

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain JSON, without `chunk_size`."""
        settings = asdict(self) | {"agents": list(self.agents), "options": self.game_options().to_dict()}
        return {name: value for name, value in settings.items() if name != "chunk_size"}


def write(
    settings: Settings, folder: Path | str, processes: int | Executor = 1, on_progress: ProgressCallback = no_progress
) -> dict[str, Any]:
    """Write a data set into a directory, or resume an interrupted one; return its metadata.

    processes: number of local processes, or an executor (see `executors.executor`). on_progress: called with the number
    of finished games and of all games. The metadata has "notes" if a bot has counters.

    ValueError if the directory contains something else or a data set of other settings, of another version or layout,
    and if an external program fails; OSError if a file cannot be written.
    """
    executor = as_executor(processes)
    bots = make_bots(settings.agents, 0, settings.game)
    folder = Path(folder)
    is_empty = folder.is_dir() and all(path.name[0] == "." for path in folder.iterdir())
    if folder.exists() and not is_empty and not (folder / CARD).exists():
        raise ValueError(f"{str(folder)!r} exists and is not a data set")
    with lock_run_dir(folder):
        card = _card(settings.with_chunk_size(), bots)
        if (folder / CARD).exists():
            card = _saved_card(folder, card)
        else:
            write_json(folder / CARD, card)
        settings = replace(settings, chunk_size=card["chunk"])
        if "parts" not in card:
            card |= _play(settings, folder, card, executor, on_progress)
            write_json(folder / CARD, card)
        else:
            on_progress(settings.games, settings.games)
    return card


def _card(settings: Settings, bots: Sequence[Agent]) -> dict[str, Any]:
    facts = {
        "kind": KIND, "format": FORMAT, **settings.to_dict(), "searched": any(hasattr(bot, "consider") for bot in bots),
        "versions": versions(), "layout": layout_of(game_spec(settings.game)),
    }  # fmt: skip
    facts |= {"weights": weights} if (weights := weight_digests(settings.agents)) else {}
    decides = {name: value for name, value in facts.items() if name != "versions"} | {"vitienv": versions()["vitienv"]}
    mark = hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:16]
    return facts | {"chunk": settings.chunk_size, "mark": mark}


def _saved_card(folder: Path, card: dict[str, Any]) -> dict[str, Any]:
    saved = checked_card(folder)
    for name in ("game", "agents", "num_players", "games", "seed", "options", "layout", "weights"):
        if saved.get(name) != card.get(name):
            values = "" if name in ("layout", "weights") else f" ({saved.get(name)!r} instead of {card.get(name)!r})"
            raise ValueError(f"{str(folder)!r} was started with another value of {name}{values}; use another directory")
    if saved["mark"] != card["mark"]:
        version = saved["versions"].get("vitienv")
        raise ValueError(f"{str(folder)!r} was started with vitienv {version}; this is {versions()['vitienv']}")
    check_amount("chunk", saved.get("chunk", 0), Settings.MAX_CHUNK_SIZE)
    return saved


def _play(
    settings: Settings, folder: Path, card: dict[str, Any], executor: Executor,
    on_progress: ProgressCallback,
) -> dict[str, Any]:  # fmt: skip
    """Play the missing parts; return the number of rows of each part, and the bots' counters if there are any."""
    numbers = settings.chunk_numbers()
    played = {
        number: result for number in numbers if (result := _read_footer(folder, number, card["mark"])) is not None
    }
    done = sum(len(settings.chunk(number)) for number in played)

    on_progress(done, settings.games)
    missing = [number for number in numbers if number not in played]
    tasks = [(settings, number, card["mark"]) for number in missing]
    bots = Bots(settings.agents, settings.seed, settings.game)
    for number, *result in executor.run(write_part, tasks, bots, folder):
        played[number] = result
        done += len(settings.chunk(number))
        on_progress(done, settings.games)
    notes = sum_counts({NOTES: json.loads(played[number][1])} for number in numbers)[NOTES]
    return {"parts": [played[number][0] for number in numbers], **({NOTES: notes} if notes else {})}


def _read_footer(folder: Path, number: int, mark: str) -> list[Any] | None:
    """Return the number of rows and the counters of a part; None if it is missing or of another set."""
    from pyarrow import ArrowException, parquet

    try:
        footer = parquet.read_metadata(folder / part_file(number))
    except (OSError, ArrowException):
        return None
    metadata = footer.metadata or {}
    return [footer.num_rows, metadata.get(PROGRESS_ROWS, b"{}")] if metadata.get(MARK) == mark.encode() else None


def write_part(settings: Settings, number: int, mark: str, folder: str) -> tuple[int, int, str]:
    """Play the games of a part and write its file; return its index, its number of rows, and the counters as JSON.

    BotCrashed if an external program fails: a forfeited game has no final result for its rows.
    """
    from pyarrow import parquet

    numbers = settings.chunk(number)
    spec = game_spec(settings.game)
    bots = [Thinker(bot) if hasattr(bot, "consider") else bot
            for bot in make_bots(settings.agents, settings.seed, settings.game)]  # fmt: skip
    recorder = Recorder(bots)

    def record(batch: Batch, bot: int, rows: np.ndarray) -> None:
        for i, forfeit in getattr(bots[bot], "forfeits", {}).items():
            seat, game = int(batch.seats[rows[i]]), numbers[rows[i]]
            raise BotCrashed(f"{bots[bot].name} in seat {seat} of game {game} failed ({forfeit.kind}): {forfeit.text}")
        recorder(batch, bot, rows)

    played = play(
        settings.game_options(),
        game_seeds(settings.seed, numbers),
        [settings.seating(game) for game in numbers],
        bots,
        on_choice=record,
    )
    names = public_names(settings.agents)  # parts may be published unchanged
    notes = json.dumps(sum_counts(counts_by_game(played, names))[NOTES])
    metadata = {MARK: mark} | ({PROGRESS_ROWS: notes} if notes != "{}" else {})
    rows, writer = 0, None
    with atomic(Path(folder) / part_file(number)) as temporary, ExitStack() as opened:
        for table in recorder.tables(played, numbers.start):
            check_table(table, spec, {"games": settings.games, "agents": settings.agents})
            if writer is None:
                schema = table.schema.with_metadata(metadata)
                writer = opened.enter_context(parquet.ParquetWriter(temporary, schema, **PARQUET))
            writer.write_table(table.replace_schema_metadata(metadata))
            rows += table.num_rows
        opened.close()
    return number, rows, notes


class Thinker:
    """Wrapper of a searching bot that stores the search results of the last call."""

    def __init__(self, bot: Any) -> None:
        self.name, self.game, self._bot = bot.name, getattr(bot, "game", None), bot
        self.results: dict[int, Any] = {}

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None = None) -> np.ndarray:
        """Return the bot's actions; see `Agent.act`."""
        actions, self.results = self._bot.consider(observations, action_masks, games)
        return actions


class Recorder:
    """Recorder of all decisions of a batch: `on_choice` of `training.evaluation.match.play`."""

    def __init__(self, bots: Sequence[Agent]) -> None:
        self._bots = bots
        self._is_searched = any(isinstance(bot, Thinker) for bot in bots)
        self._calls: list[dict[str, np.ndarray]] = []  # columns of each call; "game" is the row of the batch

    def __call__(self, batch: Batch, bot: int, rows: np.ndarray) -> None:
        """Append the decisions of one bot in the games `rows`."""
        columns = {
            "game": rows, "observation": batch.obs[rows], "mask": batch.masks[rows], "action": batch.actions[rows],
            "seat": batch.seats[rows], "decision": batch.decisions[rows], "agent": np.full(len(rows), bot, np.int8),
        }  # fmt: skip
        if self._is_searched:
            columns["visits"], columns["value"] = self._search_results(self._bots[bot], batch, rows)
        self._calls.append(columns)

    def _search_results(self, bot: Agent, batch: Batch, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return visits (rows, actions) and values (rows,) of a bot's last search."""
        actions = batch.actions[rows]
        visits = np.zeros((len(rows), batch.masks.shape[1]), np.int32)
        values = np.full(len(rows), np.nan, np.float32)
        for row, search in bot.results.items() if isinstance(bot, Thinker) else ():
            visits[row, search.actions] = search.visits
            values[row] = search.values[search.actions == actions[row]][0]
        return visits, values

    def tables(self, played: GameResults, first: int) -> Iterator[pa.Table]:
        """Yield all rows sorted by game, a row group at a time. first: index of the first game."""
        import pyarrow as pa

        lengths = [len(columns["game"]) for columns in self._calls]
        call_of_row = np.repeat(np.arange(len(lengths)), lengths)
        row_in_call = np.concatenate([np.arange(length) for length in lengths])
        game_column = np.concatenate([columns["game"] for columns in self._calls])
        order = np.argsort(game_column, kind="stable")
        rewards = np.where(played.truncated[:, None], 0, played.rewards)
        for low in range(0, len(order), GROUP_ROWS):
            group = np.sort(order[low : low + GROUP_ROWS])
            calls, starts = np.unique(call_of_row[group], return_index=True)
            pieces = list(zip(calls, np.split(row_in_call[group], starts[1:]), strict=True))
            by_game = np.argsort(game_column[group], kind="stable")
            values = {
                name: np.concatenate([self._calls[call][name][rows] for call, rows in pieces])[by_game]
                for name in self._calls[0]
            }
            games, seats = values["game"], values["seat"]
            values |= {
                "game": games + first, "reward": rewards[games, seats], "points": played.points[games, seats],
                "rank": played.ranks[games, seats], "truncated": played.truncated[games],
            }  # fmt: skip
            columns = [column for column in COLUMNS if column.name in values]
            arrays = [as_lists(values[column.name], column) for column in columns]
            fields = [pa.field(column.name, array.type, nullable=False) for column, array in zip(columns, arrays)]
            yield pa.Table.from_arrays(arrays, schema=pa.schema(fields))
