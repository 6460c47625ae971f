"""The ladder of champions: the best bot of each table, replaced only when a sequential test accepts a better one.

The history is data: who beat whom, at which table, with which settings and seeds, in how many games, and how sure that
is. Each game says which tables it has, such as "2", "3" and "4" players and "solo".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.agents.champions import FROZEN, NAME, digest_of, file_at, path_of
from vitienv.agents.policy import find_weights
from vitienv.agents.registry import check_told
from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.core.files import read_json, versions, write_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.options import Options
from vitienv.core.text_utils import in_one_line
from vitienv.registry import DEFAULT, game_spec
from vitienv.session import saves
from vitienv.training.evaluation.match import Played, check_amount, play
from vitienv.training.evaluation.notes import FORFEITS, NOTES, Counted, GameCounts, counted, told
from vitienv.training.evaluation.sprt import ACCEPTED, OPEN, Sprt
from vitienv.training.intervals import clustered_share
from vitienv.training.run_dir import lock_run_dir
from vitienv.training.schema import structured
from vitienv.training.workers import Bots, Executor, place

if TYPE_CHECKING:
    from vitienv.training.evaluation.sprt_state import Samples

HISTORY = Path(__file__).with_name("champions.json")  # the project's own, shipped with it and never written to
SEEDS_AT_ONCE = 8  # played together; the test looks at the results after each of them, in their order
LAST_ROUND = 60
EVEN_ODDS = 1e-3  # the least and, from 1, the greatest share that is turned into a rating


class Part(GameCounts):
    """Some seeds: one sample each, and the faults and notes of their games."""

    samples: list[float]


@dataclass(frozen=True)
class Champion:
    """A bot that was champion. table, agent: where, and its spec. beaten: the champion before; None for the first.

    elo: above the one before, with its interval (95 %). score: at a table the share of the games won; alone how much
    larger the share of wins (a draw being half of one) is than that of the one before. seeds, games: played in the
    test. settings: of the test. weights: SHA-256 of the file of a network. date: the day, UTC. versions: of what
    decides about results.
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
    """The champions of all tables, oldest first. ValueError names what is wrong in a file."""

    def __init__(self, champions: list[Champion] | None = None) -> None:
        self.champions = list(champions or [])

    def first(self, table: str, game: str = DEFAULT) -> Champion:
        """The champion of a table before the first challenge, the heuristic bot. ValueError for an unknown table."""
        check_table(table, game_spec(game))
        return Champion(table, game_spec(game).heuristic_bot, game=game)

    def at(self, table: str, game: str = DEFAULT) -> list[Champion]:
        """The champions of a table, oldest first."""
        first = self.first(table, game)
        return [first, *(champion for champion in self.champions if (champion.table, champion.game) == (table, game))]

    def champion(self, table: str, game: str = DEFAULT) -> Champion:
        """The champion of a table."""
        return self.at(table, game)[-1]

    def add(self, champion: Champion) -> None:
        """Note a new champion, which must have beaten the old one."""
        old = self.champion(champion.table, champion.game).agent
        if champion.beaten != old:
            beat = f"{champion.agent} beat {champion.beaten}"
            raise ValueError(f"{beat}; the champion of table {champion.table} is {old}")
        self.champions.append(champion)

    def ratings(self, table: str, game: str = DEFAULT) -> list[tuple[Champion, float]]:
        """The champions of a table with their Elo above the first one, oldest first."""
        total, rated = 0.0, []
        for champion in self.at(table, game):
            total += champion.elo
            rated.append((champion, total))
        return rated

    def save(self, path: Path) -> None:
        """Write the history as JSON, whole or not at all."""
        champions = [asdict(champion) for champion in self.champions]
        write_json(path, {"kind": "ladder", "champions": champions})

    @classmethod
    def load(cls, path: Path) -> Ladder:
        """The history in a file; an empty one if there is none."""
        if not path.exists():
            return cls()
        saved = read_json(path)
        if not isinstance(saved, dict) or saved.get("kind") != "ladder" or not isinstance(saved.get("champions"), list):
            raise ValueError(f"{str(path)!r} is no history of champions")
        try:
            champions = [structured(Champion, one, f"champion {i}") for i, one in enumerate(saved["champions"], 1)]
        except ValueError as error:
            raise ValueError(f"{str(path)!r} is no history of champions: {error}") from None
        return cls(champions)


def own_history() -> Path:
    """The user's own ladder. It begins as the one that ships, which an upgrade would write over."""
    return saves.folder() / HISTORY.name


def read_history(file: Path | None) -> Ladder:
    """The ladder in a file; without one (None) the user's ladder, or the shipped one until there is a user's."""
    if file is None:
        file = own_history() if own_history().exists() else HISTORY
    return Ladder.load(file)


def note(champion: Champion, file: Path) -> None:
    """Add a champion to the ladder in a file, as it is now: another challenge may have ended meanwhile.

    ValueError if that changed who is champion, or if somebody is just writing; OSError if it cannot be written.
    """
    with lock_run_dir(file.parent, f".{file.name}.lock"):
        ladder = Ladder.load(file) if file.exists() or file != own_history() else Ladder.load(HISTORY)
        ladder.add(champion)
        ladder.save(file)


@dataclass(frozen=True)
class Trial:
    """How a challenge went. verdict: "accepted", "rejected" or "open" (the games ran out). samples: one a seed. told:
    the faults and notes of the games."""

    verdict: str
    samples: list[float]
    champion: Champion  # what would be, or is, noted of the challenger
    told: Counted


def challenge(
    ladder: Ladder,
    agent: str,
    table: str,
    test: Sprt,
    seed: int = 0,
    max_pairs: int = 2000,
    processes: int | Executor = 1,
    on_progress: Callable[[int, int, float], None] | None = None,
    game: str = DEFAULT,
    kept: Samples | None = None,
) -> Trial:
    """Let a bot play the champion of a table until the test is decided, and add it to the ladder if it is accepted.

    On each seed the challenger sits in every seat, the champion in all others; where one plays alone, both
    play the seed.
    The result depends on the seed, not on the processes, or the other place to play at (`places.executor`). kept:
    see `in_order`; whoever notes the outcome ends it. on_progress gets after each batch the number of seeds played, the
    largest number, and the log-likelihood ratio.
    """
    check_table(table, game_spec(game))
    check_amount("max_pairs", max_pairs)
    old = ladder.champion(table, game)
    check_told([old.agent], "the ladder", game)
    make_bots((agent, old.agent), seed, game)  # refused before the first game
    players = options_of(table, game_spec(game)).num_players
    samples, parts = list[float](), list[Part]()
    verdict = test.verdict(samples, players)  # refuses a `better` that no bot can reach
    for part in in_order(agent, old.agent, table, game, seed, max_pairs, place(processes), kept):
        parts.append(part)
        samples += part["samples"]
        verdict = test.verdict(samples, players)
        if on_progress is not None:
            on_progress(len(samples), max_pairs, test.log_ratio(samples, players))
        if verdict != OPEN:
            break
    new = _champion(agent, old.agent, table, game, samples, test, seed, max_pairs)
    if verdict == ACCEPTED:
        ladder.add(new)
    return Trial(verdict, samples, new, told(parts))


def in_order(
    agent: str, champion: str, table: str, game: str, seed: int, max_pairs: int, where: Executor, kept: Samples | None
) -> Iterator[Part]:
    """One batch of seeds after the other, in the order of the seeds. kept: where those so far are written after each;
    what it holds already comes first and is not played again."""
    parts = [] if kept is None else kept.load()[: max_pairs // SEEDS_AT_ONCE]
    yield from parts
    lows = range(len(parts) * SEEDS_AT_ONCE, max_pairs, SEEDS_AT_ONCE)
    tasks = ((agent, champion, table, game, seed, low, min(low + SEEDS_AT_ONCE, max_pairs)) for low in lows)
    waiting: dict[int, Part] = {}
    for low, part in where.run(play_seeds, tasks, Bots((agent, champion), seed, game)):
        waiting[low] = part
        while (expected := len(parts) * SEEDS_AT_ONCE) in waiting:
            parts.append(waiting.pop(expected))
            if kept is not None:
                kept.save(parts)
            yield parts[-1]


def play_seeds(agent: str, champion: str, table: str, game: str, seed: int, low: int, high: int) -> tuple[int, Part]:
    """What the challenger scored on the seeds low to high - 1."""
    specs = agent, champion
    seeds = game_seeds(seed, range(low, high))
    return low, part_of_seeds(make_bots(specs, seed, game), specs, seeds, options_of(table, game_spec(game)))


def part_of_seeds(bots: Sequence[Any], specs: Sequence[str], seeds: list[int], options: Options) -> Part:
    """What the first of two bots scored above an even share on each seed. specs: theirs, by which faults are told."""
    samples, played = (_alone if options.is_alone else _at_table)(bots, seeds, options)
    counts = told(one for games in played for one in counted(games, specs))
    return {"samples": [float(x) for x in samples], "forfeits": counts[FORFEITS], "notes": counts[NOTES]}


def _alone(bots: Sequence[Any], seeds: list[int], options: Options) -> tuple[np.ndarray, list[Played]]:
    """The challenger's result less the champion's: 1 for a win, half for a draw."""
    played = [play(options, seeds, [[bot]] * len(seeds), bots) for bot in range(2)]
    results = [(games.outcomes + 1) / 2 for games in played]
    return results[0] - results[1], played


def _at_table(bots: Sequence[Any], seeds: list[int], options: Options) -> tuple[np.ndarray, list[Played]]:
    players = options.num_players
    seats = np.tile(np.arange(players), len(seeds))
    seating = np.where(np.arange(players) == seats[:, None], 0, 1)
    played = play(options, list(np.repeat(seeds, players)), seating, bots)
    own = played.wins[np.arange(len(seats)), seats]
    own[played.truncated] = 1 / players  # a draw
    return own.reshape(-1, players).mean(axis=1) - 1 / players, [played]


def _champion(
    agent: str, beaten: str, table: str, game: str, samples: list[float], test: Sprt, seed: int, max_pairs: int
) -> Champion:
    values = np.array(samples)
    made = game_spec(game)
    players = options_of(table, made).num_players
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
        weights=digest_of_weights(agent, table, made),
        date=datetime.now(UTC).date().isoformat(),
        versions=versions(),
        game=game,
    )


def above(players: int, share: float) -> float:
    """Return a share of the wins above an even one; alone the difference of two shares."""
    return 2 * share - 1 if players == 1 else share - 1 / players


def shares(players: int, samples: np.ndarray) -> np.ndarray:
    """Return the inverse of `above`."""
    return (samples + 1) / 2 if players == 1 else samples + 1 / players


def score_interval(players: int, samples: np.ndarray) -> tuple[float, float]:
    """Return the 95 % interval of the mean of samples (seeds,), above an even share."""
    games = max(2, players)  # of each seed
    share = clustered_share(np.repeat(shares(players, samples), games), np.arange(len(samples)).repeat(games))
    return above(players, share["low"]), above(players, share["high"])


def elo(players: int, above_even: float) -> float:
    """The rating difference that a mean score above an even share stands for.

    By the Plackett-Luce model, which is Elo's for two: of n players one who is 10 ** (d / 400) times as strong as each
    other wins that share of the games. Where one plays alone the difference of two win rates is read as that of a game
    of two, whose score would be half of it above one half.
    """
    n = max(2, players)
    share = 0.5 + above_even / 2 if players == 1 else above_even + 1 / n
    share = min(max(share, EVEN_ODDS), 1 - EVEN_ODDS)
    return 400 * log10(share * (n - 1) / (1 - share))


def digest_of_weights(agent: str, table: str, game: GameSpec) -> str | None:
    """SHA-256 of the file of a network's weights, in a seat or in a search; None for other bots."""
    match = re.search(r"(?:^policy:|[:,](?:path|policy)=)(?:path=)?([^,]+)", agent)
    if match is None:
        return None
    if match[1] not in (NAME, FROZEN):
        return digest_of(find_weights(match[1]))
    file = file_at(table, game, match[1])
    return None if file is None else digest_of(path_of(file, game))


def check_table(table: str, game: GameSpec) -> None:
    """ValueError unless a game has a table of this name."""
    if table not in game.tables:
        raise ValueError(f"unknown table {table!r}; there is {', '.join(game.tables)}")


def options_of(table: str, game: GameSpec) -> Options:
    """What is played at a table of a game."""
    options = game.options.of(**game.tables[table], skip_forced=True)
    return options if options.is_alone else options.with_(**{game.options.LIMIT: LAST_ROUND})


def told_score(champion: Champion, game: GameSpec) -> str:
    """The score in words: a share of the games at a table, a difference of two shares alone."""
    if options_of(champion.table, game).is_alone:
        return f"{100 * champion.score:+.1f} % more won"
    return f"{100 * champion.score:.1f} % won"


def names_of(champions: list[Champion]) -> list[str]:
    """Their specs in one line; where two of them are alike, with the beginnings of the digests of their weights."""
    specs = [champion.agent for champion in champions]
    return [
        in_one_line(f"{spec} ({champion.weights[:8]})" if champion.weights and specs.count(spec) > 1 else spec)
        for spec, champion in zip(specs, champions, strict=True)
    ]


def plot(ladder: Ladder, picture: Path, game: str = DEFAULT) -> Path:
    """Draw the champions' ratings into a PNG file: a row for each champion, the first of each table on top."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from vitienv.core.files import atomic

    made = game_spec(game)
    rated = {table: ladder.ratings(table, game) for table in made.tables}
    lengths = [len(champions) for champions in rated.values()]
    with matplotlib.rc_context({"text.parse_math": False}):  # names are no formulas
        figure, axes = plt.subplots(
            len(rated), sharex=True, squeeze=False, figsize=(9, 1.5 + 0.45 * sum(lengths)), height_ratios=lengths,
            layout="constrained",
        )  # fmt: skip
    for each, (table, champions) in zip(axes[:, 0], rated.items(), strict=True):
        rows = range(len(champions))
        reach = [[champion.elo - champion.elo_low for champion, _ in champions],
                 [champion.elo_high - champion.elo for champion, _ in champions]]  # fmt: skip
        each.errorbar([value for _, value in champions], rows, xerr=reach, marker="o", capsize=4)
        each.set_yticks(rows, [name.split("/")[-1] for name in names_of([champion for champion, _ in champions])])
        each.set(title=f"{table} players" if table.isdigit() else table, ylim=(len(champions) - 0.5, -0.5))
        each.grid(axis="x", alpha=0.3)
    axes[-1, 0].set_xlabel(f"Elo above {made.heuristic_bot}, steps with 95 % intervals")
    with atomic(picture) as temporary:
        figure.savefig(temporary, dpi=120, format="png")
    plt.close(figure)
    return picture
