"""Tournaments of any number of bots, with all seat rotations on each seed and ratings; resumable.

A run directory contains settings.json (settings, versions, seeds), games.parquet (one row per game and seat),
logs.jsonl.gz (one replayable log per game), table.csv and results.json, and until it is finished chunks/ with one file
per finished chunk of games. An interrupted and resumed run writes the same bytes as an uninterrupted one.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.agents.candidates import MAX_CANDIDATES, CandidateRecorder
from vitienv.agents.policy import weight_digests
from vitienv.agents.registry import check_untrusted_specs
from vitienv.agents.seeding import make_bots
from vitienv.core.batch import Batch
from vitienv.core.files import atomic, from_json, read_json, read_lines, remove_leftovers, to_gzip, versions, write_json
from vitienv.core.kernel import SKIP
from vitienv.registry import DEFAULT, game_from_untrusted_file, game_spec
from vitienv.training.evaluation.match import GamesSettings, play
from vitienv.training.evaluation.schedule import GAUNTLET, ROUND_ROBIN, SCHEDULES, SWISS, Schedule, Swiss
from vitienv.training.evaluation.standings import ON_FAILURE, games_frame, results_of
from vitienv.training.json_dataclasses import checked, structured
from vitienv.training.report.games_file import read_games
from vitienv.training.report.standings_page import write
from vitienv.training.run_dir import lock_run_dir
from vitienv.training.workers import Bots, Executor, ProgressCallback, as_executor, no_progress

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Settings(GamesSettings):
    """Settings of a tournament. ValueError for an invalid setting.

    agents: at least two different specs for `vitienv.make_agent`. num_players: seats per game. games: number of games,
    rounded up to a complete schedule. seed: seed of games, tables and bots. chunk_size: games
    played and saved together; results do not depend on it. options: other game options, as for `vitienv.Game.new`.
    game: name of the game. logs: whether moves are saved. multipv: number of candidate actions logged per decision.
    on_failure: result of a game in which an external program fails: "forfeit" (it is last, and the others share the
    first place), "void" (the game does not count) or "replace" (the bot `random` plays on in its seat). schedule:
    "round-robin", "gauntlet" (the first bot is at each table) or "swiss" (see `schedule.Swiss`).
    """

    logs: bool = True
    multipv: int = 0
    on_failure: str = "forfeit"
    schedule: str = ROUND_ROBIN

    def __post_init__(self) -> None:
        if not 0 <= self.multipv <= MAX_CANDIDATES:
            raise ValueError(f"multipv must be from 0 to {MAX_CANDIDATES}, got {self.multipv}")
        if self.multipv and not self.logs:
            raise ValueError("multipv requires logs: candidates are saved in the logs of the games")
        if self.on_failure not in ON_FAILURE:
            raise ValueError(f"on_failure must be one of {', '.join(ON_FAILURE)}, got {self.on_failure!r}")
        if self.schedule not in SCHEDULES:
            raise ValueError(f"schedule must be one of {', '.join(SCHEDULES)}, got {self.schedule!r}")
        if len(self.agents) < 2:
            raise ValueError(f"agents must contain at least 2 bots, got {len(self.agents)}")
        duplicates = [spec for spec in self.agents if self.agents.count(spec) > 1]
        if duplicates:
            raise ValueError(f"agents must be distinct, got {duplicates[0]!r} twice")
        if not isinstance(self.options, dict):
            raise ValueError(f"options must be a mapping, got {self.options!r}")
        game = game_spec(self.game)
        allowed = game.options.of(ruleset=self.options.get("ruleset", game.rulesets[0])).players()
        if self.num_players < 2 or self.num_players not in allowed:
            minimum = max(2, allowed.start)
            raise ValueError(f"players must be from {minimum} to {allowed.stop - 1}, got {self.num_players}")
        if self.schedule == SWISS and len(self.agents) <= self.num_players:
            raise ValueError(f"swiss requires more bots than seats, got {len(self.agents)} for {self.num_players}")
        super().__post_init__()

    def make_schedule(self) -> Schedule:
        """Return the schedule of all games."""
        if self.schedule == SWISS:
            return Swiss(len(self.agents), self.num_players, self.games, self.seed)
        return Schedule(len(self.agents), self.num_players, self.games, self.seed, self.schedule == GAUNTLET)

    def num_games(self) -> int:
        """Return the number of games."""
        return len(self.make_schedule())

    def round_games(self) -> int:
        """Return the number of games whose tables do not depend on each other's results."""
        return self.make_schedule().round_games

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain JSON."""
        return asdict(self) | {"agents": list(self.agents)}

    @classmethod
    def from_dict(cls, values: Any) -> Settings:
        """Read settings from plain JSON. ValueError if they are invalid."""
        names = {member.name for member in fields(cls)}
        if not isinstance(values, dict) or set(values) != names:
            raise ValueError("settings are not those of a tournament")
        return structured(cls, values, "settings")

    def mark(self) -> str:
        """Return a hash that identifies the chunks of this tournament."""
        identity = json.dumps(self.to_dict() | {"vitienv": versions()["vitienv"]}, sort_keys=True)
        return hashlib.sha256(identity.encode()).hexdigest()[:16]


def run_tournament(
    settings: Settings, folder: Path | str, processes: int | Executor = 1, on_progress: ProgressCallback = no_progress
) -> dict[str, Any]:
    """Play a tournament in a run directory, or resume an interrupted one; return the content of results.json.

    processes: number of local processes, or an executor (see `executors.executor`). on_progress: called with the number
    of finished games and of all games. ValueError if the directory contains something else or is locked by another
    process; OSError if a file cannot be written.
    """
    executor, folder = as_executor(processes), Path(folder)
    bots = bots_of(settings)  # raises before the directory is written to
    at_once = max(getattr(bot, "at_once", 1) for bot in bots)  # a model's parallel requests come from one chunk
    settings, n = settings.with_chunk_size(at_once), settings.num_games()
    if _is_started(folder):
        settings = _matching_settings(folder, settings)
        if _is_finished(folder, settings) and not (folder / "chunks").exists():
            on_progress(n, n)
            return read_results(folder, settings)
    with lock_run_dir(folder):
        settings, chunks = _start_or_resume(folder, settings), folder / "chunks"
        remove_leftovers(chunks)
        if _is_finished(folder, settings):  # killed before the chunks were deleted
            shutil.rmtree(chunks, ignore_errors=True)
            return read_results(folder, settings)
        specs = Bots(settings.agents, settings.seed, settings.game, method="consider" if settings.multipv else "act")
        schedule, num_done = settings.make_schedule(), 0
        games_so_far: list[dict[str, Any]] = []
        for numbers in settings.rounds():
            if isinstance(schedule, Swiss):
                schedule.add_round(_standings(settings, games_so_far) if games_so_far else [])
            tasks = [(settings, i, [schedule.seating(game) for game in settings.chunk(i)]) for i in numbers]
            missing = [task for task in tasks if not _is_whole(chunks, *task)]
            num_done += settings.round_games() - sum(len(seating) for _, _, seating in missing)
            on_progress(num_done, n)
            for num_games in executor.run(play_chunk, missing, specs, chunks):
                num_done += num_games
                on_progress(num_done, n)
            if isinstance(schedule, Swiss):
                games_so_far += [game for number in numbers for game in _read_chunk(chunks, settings, number)]
        return _finish(folder, settings)


def load_settings(folder: Path | str, plays: bool = True) -> Settings:
    """Read the settings of the tournament in a run directory.

    plays: whether its bots will play. ValueError if there is none, if its game is a module, or if `plays` and a bot is
    untrusted code (see `check_untrusted_specs`).
    """
    saved = read_json(Path(folder) / "settings.json")
    if not isinstance(saved, dict) or saved.get("kind") != "tournament":
        raise ValueError(f"{str(folder)!r} does not contain a tournament")
    settings = saved.get("settings")
    if isinstance(settings, dict):
        bots = settings.get("agents")
        game = game_from_untrusted_file({"game": checked(str, settings.get("game", DEFAULT), "game")})
        check_untrusted_specs(
            bots if plays and isinstance(bots, list) else (), repr(str(Path(folder) / "settings.json")), game
        )
    return Settings.from_dict(settings)


def read_logs(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the logs of a tournament. ValueError if they do not exist or are damaged."""
    file = folder / "logs.jsonl.gz"
    if not file.exists():
        raise ValueError(f"{str(folder)!r} has no logs: the tournament was played with --no-logs")
    try:
        for line in read_lines(file):
            log = from_json(line)
            if not isinstance(log, dict):
                raise ValueError("a line must be a mapping")
            yield log
    except (OSError, ValueError) as error:
        raise ValueError(f"{str(file)!r} is damaged: {error}") from None


def version_in(heading: Any) -> str | None:
    """Return the version of vitienv in the content of settings.json; None if it is missing."""
    version = heading.get("versions") if isinstance(heading, dict) else None
    return version.get("vitienv") if isinstance(version, dict) else None


def _is_started(folder: Path) -> bool:
    """Return whether a tournament was started in a directory. ValueError if it contains something else."""
    if (folder / "settings.json").exists():
        return True
    if folder.exists() and (not folder.is_dir() or any(path.name[0] != "." for path in folder.iterdir())):
        raise ValueError(f"{str(folder)!r} exists and is not a tournament")
    return False


def _start_or_resume(folder: Path, settings: Settings) -> Settings:
    if _is_started(folder):
        return _matching_settings(folder, settings)
    schedule = settings.make_schedule()
    write_json(folder / "settings.json", {
        "kind": "tournament",
        "settings": settings.to_dict(),
        "options": settings.game_options().to_dict(),
        "versions": versions(),
        "weights": weight_digests(settings.agents),
        "games": len(schedule),
        "seeds": [schedule.seed(i * schedule.num_players) for i in range(schedule.n_seeds)],
    })  # fmt: skip
    return settings


def _matching_settings(folder: Path, settings: Settings) -> Settings:
    saved, heading = load_settings(folder, plays=False), read_json(folder / "settings.json")
    version = version_in(heading)
    if saved != replace(settings, chunk_size=saved.chunk_size):
        raise ValueError(f"{str(folder)!r} contains a tournament with other settings")
    if version != versions()["vitienv"]:
        raise ValueError(f"{str(folder)!r} was started with vitienv {version}; this is {versions()['vitienv']}")
    weights = weight_digests(settings.agents)
    if heading.get("weights") != weights:
        raise ValueError(f"{str(folder)!r} was started with other weights of its bots; use another directory")
    return saved


# Chunks.


def _chunk_file(chunks: Path, number: int) -> Path:
    return chunks / f"{number:06}.jsonl.gz"


def play_chunk(settings: Settings, number: int, seating: list[tuple[int, ...]], chunks: str) -> int:
    """Play the games of one chunk and write its file; return their number. seating: the bot in each seat by game."""
    schedule, agents = settings.make_schedule(), bots_of(settings)
    if settings.multipv:
        agents = [CandidateRecorder(bot, settings.multipv) for bot in agents]
    games = settings.chunk(number)
    candidates: list[list[Any]] = [[] for _ in games]  # candidates of each move, by game

    def note(batch: Batch, bot: int, rows: np.ndarray) -> None:
        name = batch.game_spec.actions.name
        for i, row in enumerate(rows):
            if batch.actions[row] != SKIP:  # a forfeit is not a move
                candidates[row].append(agents[bot].describe(i, name))

    played = play(
        settings.game_options(),
        [schedule.seed(game) for game in games],
        seating,
        agents,
        on_choice=note if settings.multipv else None,
        replacement=len(settings.agents) if settings.on_failure == "replace" else None,
    )
    header = {"tournament": settings.mark(), "chunk": number, "games": len(games)}
    with atomic(_chunk_file(Path(chunks), number)) as temporary, to_gzip(temporary) as file:
        file.write(json.dumps(header).encode() + b"\n")
        for i, game in enumerate(games):
            record = {
                "number": game,
                "seed_number": schedule.seed_number(game),
                "agents": [settings.agents[bot] for bot in seating[i]],
                "ranks": [int(rank) for rank in played.ranks[i]],
                "year": int(played.years[i]),
                "truncated": bool(played.truncated[i]),
                "decisions": len(played.moves[i]),
            }
            if i in played.notes:
                record["notes"] = {str(seat): dict(counted) for seat, counted in played.notes[i].items()}
            if i in played.forfeits:
                seat, forfeit = played.forfeits[i]
                void = {"void": True} if settings.on_failure == "void" else {}
                record["forfeit"] = {"seat": seat, **asdict(forfeit), **void}
            if i in played.replaced:
                failures = played.replaced[i].items()
                record["replaced"] = [{"seat": seat, **asdict(row), "move": move} for seat, (move, row) in failures]
            log = played.log(i)
            if not settings.logs:
                del log["moves"]
            elif settings.multipv:
                log["candidates"] = candidates[i]
            file.write(json.dumps(record | log).encode() + b"\n")
    return len(games)


def bots_of(settings: Settings) -> list[Any]:
    """Return the bots, with the same seeds in every chunk, so that results do not depend on the chunk size.

    The last one plays on for others if failures are replaced.
    """
    replacement = ("random",) if settings.on_failure == "replace" else ()
    return make_bots(settings.agents + replacement, settings.seed, settings.game)


def _read_chunk(chunks: Path, settings: Settings, number: int) -> list[dict[str, Any]]:
    try:
        header, *games = [from_json(line) for line in read_lines(_chunk_file(chunks, number))]
    except (OSError, ValueError) as error:
        raise ValueError(f"chunk {number} cannot be read: {error}") from None
    expected = {"tournament": settings.mark(), "chunk": number, "games": len(settings.chunk(number))}
    if header != expected or len(games) != expected["games"]:
        raise ValueError(f"chunk {number} is of another tournament")
    return games


def _is_whole(chunks: Path, settings: Settings, number: int, seating: list[tuple[int, ...]]) -> bool:
    try:
        games = _read_chunk(chunks, settings, number)
    except ValueError:
        return False
    return [game["agents"] for game in games] == [[settings.agents[bot] for bot in bots] for bots in seating]


def _standings(settings: Settings, games: list[dict[str, Any]]) -> list[int]:
    """Return the bots after some games, best first."""
    frame = games_frame(games, settings.game_options().game_spec.is_of_team)
    results = _results(frame.assign(seed_number=0), settings)  # intervals of several seeds take longer
    return [settings.agents.index(bot["agent"]) for bot in results["bots"]]


# Merging of the chunks.


def _is_finished(folder: Path, settings: Settings) -> bool:
    try:
        return read_json(folder / "results.json").get("tournament") == settings.mark()
    except (ValueError, AttributeError):
        return False


def _finish(folder: Path, settings: Settings) -> dict[str, Any]:
    """Write the files of a tournament with all chunks; results.json comes last."""
    import pandas as pd

    chunks = folder / "chunks"
    is_of_team = settings.game_options().game_spec.is_of_team
    frames: list[pd.DataFrame] = []

    def games() -> Iterator[dict[str, Any]]:
        for number in settings.chunk_numbers():
            games = _read_chunk(chunks, settings, number)
            frames.append(games_frame(games, is_of_team))
            yield from games

    if settings.logs:
        with atomic(folder / "logs.jsonl.gz") as temporary, to_gzip(temporary) as file:
            for game in games():
                file.write(json.dumps(game).encode() + b"\n")
    else:
        deque(games(), maxlen=0)
    frame = pd.concat(frames, ignore_index=True)
    results = _results(frame, settings)
    write(folder, frame, results)
    shutil.rmtree(chunks)
    return results


def read_results(folder: Path, settings: Settings) -> dict[str, Any]:
    """Return the results of a finished tournament, from games.parquet only. ValueError if it is damaged."""
    return _results(read_games(folder, settings), settings)


def _results(frame: pd.DataFrame, settings: Settings) -> dict[str, Any]:
    is_of_team = settings.game_options().game_spec.is_of_team
    return {
        "tournament": settings.mark(),
        "settings": settings.to_dict(),
        "versions": versions(),
        **results_of(frame, settings.agents, settings.num_players, is_of_team, settings.on_failure),
    }
