"""Ladder of champions: the best bot of each table, replaced only if a sequential test accepts the challenger.

The history is a JSON file with a row per champion: opponent, table, settings, seeds, games and interval. The tables of
a game are defined in its `GameSpec`, such as "2", "3" and "4" players and "solo".
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from math import log10
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.champions import FROZEN, NAME, digest_of, file_at, path_of
from vitienv.agents.policy import find_weights
from vitienv.agents.registry import check_untrusted_specs
from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.core.files import read_json, versions, write_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.options import Options
from vitienv.core.text_utils import in_one_line
from vitienv.registry import DEFAULT, game_spec
from vitienv.session import saves
from vitienv.training.evaluation.csv_log import PartsFile, open_parts
from vitienv.training.evaluation.match import LAST_ROUND, GameResults, check_amount, play
from vitienv.training.evaluation.notes import FORFEITS, NOTES, BotCounts, GameCounts, counts_by_game, sum_counts
from vitienv.training.evaluation.sprt import ACCEPTED, OPEN, Sprt
from vitienv.training.intervals import clustered_share
from vitienv.training.json_dataclasses import structured
from vitienv.training.run_dir import lock_run_dir
from vitienv.training.workers import Bots, Executor, ProgressCallback, as_executor, no_progress

HISTORY = Path(__file__).with_name("champions.json")  # bundled with the package, read-only
SEEDS_AT_ONCE = 8  # seeds per batch; the test is evaluated after each batch, in order
EVEN_ODDS = 1e-3  # shares are clipped to [EVEN_ODDS, 1 - EVEN_ODDS] before conversion to Elo


class Part(GameCounts):
    """Samples of a batch of seeds, with the forfeits and notes of their games."""

    samples: list[float]


@dataclass(frozen=True)
class Champion:
    """Champion of a table. agent: its spec. beaten: the previous champion, None for the first.

    elo: rating difference to the previous champion, with its 95 % interval. score: share of games won; in solo games
    the difference of the win rates (a draw is half a win). seeds, games: numbers played in the test. settings: of the
    test. weights: SHA-256 of the network file. date: UTC. versions: of the packages that affect results.
    """

    table: str
    agent: str
    beaten: str | None = None
    elo: float = 0.0
    elo_low: float = 0.0
    elo_high: float = 0.0
    score: float = 0.0
    seeds: int = 0
    games: int = 0
    log_ratio: float = 0.0
    settings: dict[str, Any] = field(default_factory=dict)
    weights: str | None = None
    date: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    game: str = DEFAULT

    def __post_init__(self) -> None:
        if self.seeds < 0:
            raise ValueError(f"seeds must be at least 0, got {self.seeds}")
        if self.games < self.seeds:
            raise ValueError(f"games must be at least {self.seeds}, the number of seeds, got {self.games}")
        if not -1 <= self.score <= 1:
            raise ValueError(f"score must be from -1 to 1, got {self.score}")


class Ladder:
    """Champions of all tables, oldest first."""

    def __init__(self, champions: list[Champion] | None = None) -> None:
        self.champions = list(champions or [])

    def at(self, table: str, game: str = DEFAULT) -> list[Champion]:
        """Return the champions of a table, oldest first; the first is the heuristic bot. ValueError if unknown."""
        check_table(table, game_spec(game))
        first = Champion(table, game_spec(game).heuristic_bot, game=game)
        return [first, *(champion for champion in self.champions if (champion.table, champion.game) == (table, game))]

    def champion(self, table: str, game: str = DEFAULT) -> Champion:
        """Return the current champion of a table."""
        return self.at(table, game)[-1]

    def add(self, champion: Champion) -> None:
        """Append a champion. ValueError unless it beat the current one."""
        old = self.champion(champion.table, champion.game).agent
        if champion.beaten != old:
            beat = f"{champion.agent} beat {champion.beaten}"
            raise ValueError(f"{beat}; the champion of table {champion.table} is {old}")
        self.champions.append(champion)

    def ratings(self, table: str, game: str = DEFAULT) -> list[tuple[Champion, float]]:
        """Return the champions of a table with their Elo above the first one, oldest first."""
        total, rated = 0.0, []
        for champion in self.at(table, game):
            total += champion.elo
            rated.append((champion, total))
        return rated

    def save(self, path: Path) -> None:
        """Write the history as JSON, atomically."""
        champions = [asdict(champion) for champion in self.champions]
        write_json(path, {"kind": "ladder", "champions": champions})

    @classmethod
    def load(cls, path: Path) -> Ladder:
        """Read a history; empty if the file does not exist. ValueError if it is invalid."""
        if not path.exists():
            return cls()
        saved = read_json(path)
        if not isinstance(saved, dict) or saved.get("kind") != "ladder" or not isinstance(saved.get("champions"), list):
            raise ValueError(f"{str(path)!r} is not a history of champions")
        try:
            champions = [structured(Champion, row, f"champion {i}") for i, row in enumerate(saved["champions"], 1)]
        except ValueError as error:
            raise ValueError(f"{str(path)!r} is not a history of champions: {error}") from None
        return cls(champions)


def user_history() -> Path:
    """Return the file of the user's ladder. It starts as a copy of the bundled one, which upgrades overwrite."""
    return saves.folder() / HISTORY.name


def read_history(file: Path | None) -> Ladder:
    """Read the ladder in a file; None for the user's ladder, or the bundled one if there is none."""
    if file is None:
        file = user_history() if user_history().exists() else HISTORY
    return Ladder.load(file)


def note(champion: Champion, file: Path) -> None:
    """Append a champion to the ladder in a file, which is read again: another challenge may have ended meanwhile.

    ValueError if the champion has changed or the file is locked; OSError if it cannot be written.
    """
    with lock_run_dir(file.parent, f".{file.name}.lock"):
        ladder = Ladder.load(file) if file.exists() or file != user_history() else Ladder.load(HISTORY)
        ladder.add(champion)
        ladder.save(file)


@contextmanager
def open_samples(folder: Path, settings: dict[str, Any]) -> Iterator[PartsFile]:
    """Open the file of the samples of a challenge or a step, from which an interrupted one resumes.

    settings: everything that determines the samples. ValueError if the file is damaged or locked.
    """
    settings = settings | {"vitienv": versions()["vitienv"]}
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:8]
    with open_parts(folder / f".challenge-{digest}.jsonl", settings, Part) as file:
        if any(not -1 <= sample <= 1 for part in file.parts for sample in part["samples"]):
            raise ValueError(f"{str(file.path)!r} is damaged: samples must be from -1 to 1")
        file.parts = [part for part in file.parts if len(part["samples"]) == SEEDS_AT_ONCE]
        try:
            yield file
        finally:
            if not file.parts:
                file.delete()


def samples_of(
    folder: Path, ladder: Ladder, agent: str, table: str, seed: int, game: str = DEFAULT
) -> AbstractContextManager[PartsFile]:
    """Open the file of the samples of a bot's challenge of the current champion, see `open_samples`."""
    champion = ladder.champion(table, game).agent
    weights = [digest_of_weights(spec, table, game_spec(game)) for spec in (agent, champion)]
    settings = {"agent": agent, "champion": champion, "table": table, "seed": seed, "game": game, "weights": weights}
    return open_samples(folder, settings)


@dataclass(frozen=True)
class Trial:
    """Result of a challenge.

    verdict: "accepted", "rejected" or "open" (`max_pairs` reached). samples: one per seed. champion: row of the
    challenger, appended to the ladder if accepted. counts: forfeits and notes of the games.
    """

    verdict: str
    samples: list[float]
    champion: Champion
    counts: BotCounts


def challenge(
    ladder: Ladder,
    agent: str,
    table: str,
    test: Sprt,
    seed: int = 0,
    max_pairs: int = 2000,
    processes: int | Executor = 1,
    on_progress: ProgressCallback = no_progress,
    game: str = DEFAULT,
    samples_file: PartsFile | None = None,
) -> Trial:
    """Play a bot against the champion of a table until the test is decided; append it to the ladder if accepted.

    On each seed the challenger plays every seat against champions in the other seats; in solo games both play the seed.
    The result depends on the seed, not on `processes`: a number, or an executor (see `executors.executor`).
    samples_file: see `in_order`; the caller deletes it. on_progress: called after each batch with the number of seeds
    played and `max_pairs`.
    """
    check_table(table, game_spec(game))
    check_amount("max_pairs", max_pairs)
    old = ladder.champion(table, game)
    check_untrusted_specs([old.agent], "the ladder", game)
    make_bots((agent, old.agent), seed, game)  # raises before the first game
    players = options_of(table, game_spec(game)).num_players
    samples, parts = list[float](), list[Part]()
    verdict = test.verdict(samples, players)  # raises if `effect_size` is impossible
    for part in in_order(agent, old.agent, table, game, seed, max_pairs, as_executor(processes), samples_file):
        parts.append(part)
        samples += part["samples"]
        verdict = test.verdict(samples, players)
        on_progress(len(samples), max_pairs)
        if verdict != OPEN:
            break
    new = _champion(agent, old.agent, table, game, samples, test, seed, max_pairs)
    if verdict == ACCEPTED:
        ladder.add(new)
    return Trial(verdict, samples, new, sum_counts(parts))


def in_order(
    agent: str,
    champion: str,
    table: str,
    game: str,
    seed: int,
    max_pairs: int,
    executor: Executor,
    samples_file: PartsFile | None = None,
) -> Iterator[Part]:
    """Yield the batches in the order of their seeds. samples_file: they are saved to it and resumed from it."""
    parts = [] if samples_file is None else samples_file.parts[: max_pairs // SEEDS_AT_ONCE]
    yield from parts
    lows = range(len(parts) * SEEDS_AT_ONCE, max_pairs, SEEDS_AT_ONCE)
    tasks = ((agent, champion, table, game, seed, low, min(low + SEEDS_AT_ONCE, max_pairs)) for low in lows)
    waiting: dict[int, Part] = {}
    for low, part in executor.run(play_seeds, tasks, Bots((agent, champion), seed, game)):
        waiting[low] = part
        while (expected := len(parts) * SEEDS_AT_ONCE) in waiting:
            parts.append(waiting.pop(expected))
            if samples_file is not None:
                samples_file.add(parts[-1])
            yield parts[-1]


def play_seeds(agent: str, champion: str, table: str, game: str, seed: int, low: int, high: int) -> tuple[int, Part]:
    """Play the seeds low to high - 1; return low and the challenger's samples."""
    specs = agent, champion
    seeds = game_seeds(seed, range(low, high))
    return low, part_of_seeds(make_bots(specs, seed, game), specs, seeds, options_of(table, game_spec(game)))


def part_of_seeds(bots: Sequence[Any], specs: Sequence[str], seeds: list[int], options: Options) -> Part:
    """Return the first bot's score above an even share on each seed, with forfeits and notes by spec."""
    samples, played = (_alone if options.is_alone else _at_table)(bots, seeds, options)
    counts = sum_counts(game for games in played for game in counts_by_game(games, specs))
    return {"samples": [float(x) for x in samples], "forfeits": counts[FORFEITS], "notes": counts[NOTES]}


def _alone(bots: Sequence[Any], seeds: list[int], options: Options) -> tuple[np.ndarray, list[GameResults]]:
    """Return the challenger's results minus the champion's: 1 for a win, 1/2 for a draw."""
    played = [play(options, seeds, [[bot]] * len(seeds), bots) for bot in range(2)]
    results = [(games.outcomes + 1) / 2 for games in played]
    return results[0] - results[1], played


def _at_table(bots: Sequence[Any], seeds: list[int], options: Options) -> tuple[np.ndarray, list[GameResults]]:
    players = options.num_players
    seats = np.tile(np.arange(players), len(seeds))
    seating = np.where(np.arange(players) == seats[:, None], 0, 1)
    played = play(options, list(np.repeat(seeds, players)), seating, bots)
    wins = played.wins[np.arange(len(seats)), seats]
    wins[played.truncated] = 1 / players  # a draw
    return wins.reshape(-1, players).mean(axis=1) - 1 / players, [played]


def _champion(
    agent: str, beaten: str, table: str, game: str, samples: list[float], test: Sprt, seed: int, max_pairs: int
) -> Champion:
    values = np.array(samples)
    spec = game_spec(game)
    players = options_of(table, spec).num_players
    low, high = score_interval(players, values)
    return Champion(
        table=table,
        agent=agent,
        beaten=beaten,
        elo=round(elo(players, float(values.mean())), 1),
        elo_low=round(elo(players, low), 1),
        elo_high=round(elo(players, high), 1),
        score=round(float(values.mean()) + (0.0 if players == 1 else 1 / players), 4),
        seeds=len(samples),
        games=len(samples) * (2 if players == 1 else players),
        log_ratio=round(test.log_ratio(values, players), 3),
        settings={**asdict(test), "seed": seed, "max_pairs": max_pairs},
        weights=digest_of_weights(agent, table, spec),
        date=datetime.now(UTC).date().isoformat(),
        versions=versions(),
        game=game,
    )


def above(players: int, share: float) -> float:
    """Return the excess of a win share over an even share; in solo games the difference of two shares."""
    return 2 * share - 1 if players == 1 else share - 1 / players


def shares(players: int, samples: np.ndarray) -> np.ndarray:
    """Return the inverse of `above`."""
    return (samples + 1) / 2 if players == 1 else samples + 1 / players


def score_interval(players: int, samples: np.ndarray) -> tuple[float, float]:
    """Return the 95 % interval of the mean of samples (seeds,), above an even share."""
    games = max(2, players)  # games per seed
    share = clustered_share(np.repeat(shares(players, samples), games), np.arange(len(samples)).repeat(games))
    return above(players, share["low"]), above(players, share["high"])


def elo(players: int, above_even: float) -> float:
    """Return the Elo difference of a mean score above an even share.

    Plackett-Luce model, which is Elo's for two players: a player 10 ** (d / 400) times as strong as each of the n - 1
    opponents wins that share of the games. In solo games the difference of two win rates counts as that of a game of
    two, whose score is half of it above one half.
    """
    n = max(2, players)
    share = 0.5 + above_even / 2 if players == 1 else above_even + 1 / n
    share = min(max(share, EVEN_ODDS), 1 - EVEN_ODDS)
    return 400 * log10(share * (n - 1) / (1 - share))


def digest_of_weights(agent: str, table: str, game: GameSpec) -> str | None:
    """Return the SHA-256 of the weights of a policy or of a search's network; None for other bots."""
    match = re.search(r"(?:^policy:|[:,](?:path|policy)=)(?:path=)?([^,]+)", agent)
    if match is None:
        return None
    if match[1] not in (NAME, FROZEN):
        return digest_of(find_weights(match[1]))
    file = file_at(game.options.of(**game.tables[table]), match[1])
    return None if file is None else digest_of(path_of(file, game))


def check_table(table: str, game: GameSpec) -> None:
    """Raise ValueError unless a game has a table of this name."""
    if table not in game.tables:
        raise ValueError(f"unknown table {table!r}; expected one of: {', '.join(game.tables)}")


def options_of(table: str, game: GameSpec) -> Options:
    """Return the options of a table of a game."""
    options = game.options.of(**game.tables[table], skip_forced=True)
    return options if options.is_alone else options.replace(**{game.options.LIMIT: LAST_ROUND})


def format_score(champion: Champion, game: GameSpec) -> str:
    """Format a score: the share of games won, or in solo games the difference of two shares."""
    if options_of(champion.table, game).is_alone:
        return f"{100 * champion.score:+.1f} % more won"
    return f"{100 * champion.score:.1f} % won"


def names_of(champions: list[Champion]) -> list[str]:
    """Return the specs of champions, one line each; equal specs get a prefix of the digest of their weights."""
    specs = [champion.agent for champion in champions]
    return [
        in_one_line(f"{spec} ({champion.weights[:8]})" if champion.weights and specs.count(spec) > 1 else spec)
        for spec, champion in zip(specs, champions, strict=True)
    ]
