"""Soak test: `make soak MINUTES=15`, or `python -m tests.soak.play [--seed N]`.

A piece is a batch of games at a random table, played at random, or with half of the decisions by the heuristic bot or
by a search. `make soak` enables bounds checks of arrays. Checks: states, bounds of observations, a legal action
at each decision, observations of determinized copies, and round trips of positions and logs. A fourth kind of piece
compares games with the reference implementations.
The seed is printed first. A failure ends the run and saves the game to `build/soak` as a log for `vitienv replay`.
Complete pieces are counted in results/soak.csv.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

import vitienv
from tests.engine.kinds import KINDS
from tests.states import contradictions
from tests.test_reference import compare
from tests.toscana.reference import test_reference as toscana
from tests.world.reference import test_placing as world
from vitienv.agents.protocol import GameViews
from vitienv.agents.seeding import make_bot
from vitienv.core.batch import Batch, make_key
from vitienv.core.files import atomic
from vitienv.world.enums import CONTINENTS

ROOT = Path(__file__).resolve().parents[2]
COUNTS = ROOT / "results" / "soak.csv"
LOG_DIR = ROOT / "build" / "soak"
COLUMNS = ("game", "play", "version", "games", "decisions", "looked_at", "last")

VARIANTS: list[dict[str, Any]] = [{}, {"friendly": True}, {"draft_parents": True}, {"open_hands": True}]
VARIANTS += [{"skip_forced": True}, {"max_years": 3}]
SEATS = {"viticulture": range(2, 7), "world": range(1, 7), "toscana": range(2, 6)}
PLAYS = {"random": ("random", 4096, 40), "thumb": ("heuristic", 48, 16), "search": ("ismcts:simulations=6", 4, 8)}
REFEREE, POSITIONS = "referee", 10  # positions of each kind in a comparison with the reference
BOT_FRACTION = 0.5  # fraction of decisions by the bot
STATES = 16  # states of a batch that are checked at a time
MAX_STEPS = 3_000  # maximum number of steps; random games of some tables never end


class CheckFailed(Exception):
    """A check failed. log: log of the game, if any."""

    def __init__(self, message: str, log: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.log = log


def options_of(game: str, rng: random.Random) -> dict[str, Any]:
    n = rng.choice(SEATS[game])
    if game == "viticulture":
        plain = [{"num_players": n, **options} for options in VARIANTS]
        return dict(rng.choice(rng.choice([plain, list(KINDS.values())])))
    if game == "world":
        continent = rng.choice(CONTINENTS)
        options = {"continent": continent, "num_players": n, "parents": rng.choice(["world", "mixed"])}
        if continent != "greengully" and rng.random() < 0.5:
            options["events"] = "shuffled"
        return options | ({"partner": "none"} if n == 1 else {})
    options = {"num_players": n, "player_trades": rng.random() < 0.5, "open_hands": rng.random() < 0.2}
    options["map"] = rng.choice(["printed", "pieces"])
    return options | ({"start_on_water": False} if rng.random() < 0.3 else {})


class Piece:
    """Batch of games with the seeds from `seed` on."""

    def __init__(self, game: str, options: dict[str, Any], n: int, seed: int) -> None:
        self.game, self.options, self.seed = game, options, seed
        self.batch = Batch(n, vitienv.game_spec(game).options.of(**options))
        self.batch.start(np.concatenate([make_key(seed + i) for i in range(n)]))
        self.steps: list[tuple[np.ndarray, np.ndarray]] = []  # rows and actions of each step
        self.decisions = self.looked_at = 0

    def step(self, actions: np.ndarray | None, rows: np.ndarray) -> None:
        """Play one decision of each unfinished game, by `actions` or at random."""
        if actions is None:
            self.batch.step_random(restart=False)
        else:
            self.batch.step_rows(rows, actions)
        self.steps.append((rows, self.batch.actions[rows]))
        self.decisions += len(rows)

    def replayed(self, row: int) -> vitienv.Game:
        """Replay one of the games."""
        game = vitienv.Game.new(self.seed + row, game=self.game, **self.options)
        for rows, actions in self.steps:
            for action in actions[rows == row]:
                game.step(int(action))
        return game

    def wrong(self, row: int, message: str) -> CheckFailed:
        """Return the error with the log of the game, without the log if the replay fails."""
        try:
            return CheckFailed(message, self.replayed(row).log)
        except Exception as error:
            return CheckFailed(f"{message}; and the replay fails: {error}")

    def need(self, good: np.ndarray, message: str) -> None:
        """Raise an error for the first game in which a condition is false."""
        bad = np.flatnonzero(~np.asarray(good).reshape(len(self.batch), -1).all(axis=1))
        if len(bad):
            raise self.wrong(int(bad[0]), message)

    def look(self, rng: random.Random) -> None:
        """Check the state of some games, and all observations and legal actions."""
        batch = self.batch
        for row in rng.sample(range(len(batch)), min(len(batch), STATES)):
            if lines := contradictions(batch, [row]):
                raise self.wrong(row, lines[0])
        playing = batch.seats >= 0
        low, high = batch.game_spec.observation.bounds
        self.need(~playing[:, None] | ((batch.obs >= low) & (batch.obs <= high)), "an observation is out of bounds")
        self.need(~playing | batch.masks.any(axis=1), "a decision without a legal action")
        self.determinize(rng)
        self.looked_at += int(playing.sum())

    def determinize(self, rng: random.Random) -> None:
        """Check that observation and legal actions of a seat do not depend on hidden information."""
        n = self.batch.options.num_players
        viewers = np.array([rng.randrange(n) for _ in range(len(self.batch))], np.int8)
        other, before = self.batch.copy(), np.zeros_like(self.batch.obs)
        self.batch.observe(viewers, before)
        other.determinize(viewers, make_key(rng.randrange(2**32)).repeat(len(viewers), axis=0))
        after = other.observe(viewers, np.zeros_like(before))
        self.need(before == after, "the observation depends on hidden information")
        other.refresh(observe=False)
        decides = (viewers == self.batch.seats)[:, None]
        self.need(~decides | (other.masks == self.batch.masks), "legal actions depend on hidden information")

    def close(self, rng: random.Random) -> None:
        """Check a replay of one game, its log and its position."""
        row = rng.randrange(len(self.batch))
        game = self.replayed(row)
        alone, among = game.state.copy(), self.batch.games.view(np.ndarray)[row].copy()
        is_policy_stream = alone["chance"] == 0  # the stream of the random actions
        alone["chance"][is_policy_stream] = among["chance"][is_policy_stream]
        if alone.tobytes() != among.tobytes():
            raise self.wrong(row, "the replay differs from the game of the batch")
        if vitienv.replay(game.log) != game:
            raise CheckFailed("the log does not reach the state", game.log)
        if not game.is_over and not np.array_equal(vitienv.Game.from_dict(game.to_dict()).mask, game.mask):
            raise CheckFailed("the position has other legal actions", game.log)


def play(piece: Piece, bot: str, every: int, rng: random.Random, stop: Callable[[], bool]) -> bool:
    """Play a piece with checks every `every` steps; return False if it was stopped. Raises CheckFailed."""
    batch, action_rng = piece.batch, np.random.default_rng(rng.randrange(2**32))
    agent = None if bot == "random" else make_bot(bot, piece.seed, piece.game)
    for step in range(MAX_STEPS):
        rows = batch.active_rows()
        if not len(rows):
            break
        if stop():
            return False
        if step % every == 0:
            piece.look(rng)
        if agent is None:
            piece.step(None, rows)
            continue
        legal = batch.masks[rows].astype(bool)
        actions = np.where(legal, action_rng.random(legal.shape), -1).argmax(axis=1)
        by_bot = np.flatnonzero(action_rng.random(len(rows)) < BOT_FRACTION)
        if len(by_bot):
            bot_rows = rows[by_bot]
            actions[by_bot] = agent.act(batch.obs[bot_rows], batch.masks[bot_rows], GameViews(batch, bot_rows))
        piece.step(actions, rows)
    piece.look(rng)
    piece.close(rng)
    return True


def compare_with_reference(game: str, seed: int) -> int:
    """Compare positions of a game with its reference; return the number of equal decisions. Raises CheckFailed."""
    if game == "viticulture":
        complaints, checked, _ = compare(range(seed, seed + POSITIONS), whole_games=1, steps=20)
        if complaints:
            raise CheckFailed(f"the reference: {complaints[0]}")
        return sum(checked.values())
    try:
        if game == "world":
            rng = random.Random(seed)
            positions = list(world.reached(seed, POSITIONS))
            positions += [world.outcome_of(world.made_up(rng)) for _ in range(POSITIONS)]
            return sum(position.compared for position in positions)
        comparison = toscana.Comparison(toscana.rulebook.compiled())
        for record, marks in toscana.positions(seed=seed, n=4 * POSITIONS):
            comparison.check(record, marks)
        return comparison.compared
    except AssertionError as error:
        raise CheckFailed(f"the reference of {game}, seed {seed}: {error}") from None


class Counts:
    """Table of all completed pieces: a row per game, mode and version."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[tuple[str, ...], dict[str, Any]] = {}
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    self.rows[row["game"], row["play"], row["version"]] = row

    def add(self, game: str, play: str, games: int, decisions: int, looked_at: int) -> None:
        """Add a completed piece and save the table atomically."""
        key = (game, play, vitienv.__version__)
        row = self.rows.setdefault(key, dict(zip(COLUMNS, (*key, 0, 0, 0, ""), strict=True)))
        for name, increment in (("games", games), ("decisions", decisions), ("looked_at", looked_at)):
            row[name] = int(row[name]) + increment
        row["last"] = date.today().isoformat()

        with atomic(self.path) as path, path.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            table.writeheader()
            table.writerows(row for _, row in sorted(self.rows.items()))

    @property
    def decisions(self) -> int:
        return sum(int(row["decisions"]) for row in self.rows.values())


def pieces(seed: int) -> Iterator[tuple[random.Random, str]]:
    """Yield RNG and mode of each piece, which depend on the seed."""
    modes = ["random"] * 6 + ["thumb"] * 2 + ["search", REFEREE]
    for number in range(sys.maxsize):
        rng = random.Random(f"{seed} {number}")
        yield rng, rng.choice(modes)


def run_piece(game: str, mode: str, rng: random.Random, counts: Counts, stop: Callable[[], bool]) -> None:
    """Play and count a piece, unless it is stopped. Raises CheckFailed."""
    if mode == REFEREE:
        decisions = compare_with_reference(game, rng.randrange(2**31))
        counts.add(game, mode, 0, decisions, decisions)
        return
    options = options_of(game, rng)
    bot, n, every = PLAYS[mode]
    piece = Piece(game, options, n, rng.randrange(2**32))
    try:
        is_complete = play(piece, bot, every, rng, stop)
    except CheckFailed:
        raise
    except Exception as error:
        raise piece.wrong(0, f"{type(error).__name__}: {error} ({options}, seed {piece.seed})") from error
    if is_complete:
        counts.add(game, mode, n, piece.decisions, piece.looked_at)


def soak(seed: int, minutes: float, counts: Counts) -> None:
    """Play pieces for `minutes`, without the time for compilation. Raises CheckFailed."""
    for game in SEATS:
        for bot, _, _ in PLAYS.values():
            play(Piece(game, {"num_players": 2}, 1, seed), bot, MAX_STEPS, random.Random(seed), lambda: False)
    end, reported = time.monotonic() + 60 * minutes, time.monotonic()
    for rng, mode in pieces(seed):
        if time.monotonic() >= end:
            return
        run_piece(rng.choice(list(SEATS)), mode, rng, counts, lambda: time.monotonic() >= end)
        if time.monotonic() - reported > 10:
            reported = time.monotonic()
            minutes_left = max(0.0, end - reported) / 60
            print(f"soak: {counts.decisions:,} decisions counted, {minutes_left:.1f} minutes left", file=sys.stderr)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.play", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--seed", type=int, help="Seed; a random one is printed by default.")
    args = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    bounds = "checked" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else "NOT checked (NUMBA_BOUNDSCHECK=1)"
    print(f"soak: seed {seed}, bounds {bounds}")
    counts = Counts(COUNTS)
    try:
        soak(seed, args.minutes, counts)
    except KeyboardInterrupt:
        print("soak: interrupted; the last piece is not counted", file=sys.stderr)
    except CheckFailed as error:
        print(f"soak: {error}", file=sys.stderr)
        if error.log is not None:
            LOG_DIR.mkdir(parents=True, exist_ok=True)
            (LOG_DIR / f"{seed}.json").write_text(json.dumps(error.log), encoding="utf-8")
            print(f"soak: vitienv replay {LOG_DIR / f'{seed}.json'}", file=sys.stderr)
        return 1
    print(f"soak: {counts.decisions:,} decisions counted in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
