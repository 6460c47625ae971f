"""Play without end, every state looked at: `make soak MINUTES=15`, or `python -m tests.soak.play [--seed N]`.

A piece is some games at one table, of any game, ruleset, options and number of seats, played in one of three ways: at
random; half of the decisions by the heuristic bot; half of them by a search. `make soak` checks the bounds of arrays.
States are looked at for every invariant, for observed numbers within their bounds, for a legal action, for what a seat
sees under another deal, and for what a position and a log lead back to. A fourth kind of piece is a comparison with the
independent referees.

The seed is printed first. A game in which something is wrong is left in `build/soak`, as a log that `vitienv replay`
shows, and ends the run. Pieces that passed are counted in results/soak.csv; one that was broken off is not.
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
from tests.engine import invariants as of_viticulture
from tests.engine.kinds import KINDS
from tests.test_reference import compare
from tests.toscana import invariants as of_toscana
from tests.toscana.reference import test_reference as toscana
from tests.world import invariants as of_world
from tests.world.reference import test_placing as world
from vitienv.agents.protocol import GameViews
from vitienv.agents.seeding import make_bot
from vitienv.core.batch import Batch, key_of
from vitienv.core.files import atomic
from vitienv.core.positions import check_state
from vitienv.world.enums import CONTINENTS

ROOT = Path(__file__).resolve().parents[2]
COUNTS = ROOT / "results" / "soak.csv"
LEFT = ROOT / "build" / "soak"
COLUMNS = ("game", "play", "version", "games", "decisions", "looked_at", "last")

VARIANTS: list[dict[str, Any]] = [{}, {"friendly": True}, {"draft_parents": True}, {"open_hands": True}]
VARIANTS += [{"skip_forced": True}, {"max_years": 3}]
SEATS = {"viticulture": range(2, 7), "world": range(1, 7), "toscana": range(2, 6)}
PLAYS = {"random": ("random", 4096, 40), "thumb": ("heuristic", 48, 16), "search": ("ismcts:simulations=6", 4, 8)}
REFEREE = "referee"
SHARE = 0.5  # of the decisions that the bot takes; all others are drawn
LONGEST = 3_000  # steps of a piece: random games of some tables have no end of their own


class Wrong(Exception):
    """Something does not hold; log: of the game in which it was seen, if there is one."""

    def __init__(self, what: str, log: dict[str, Any] | None = None) -> None:
        super().__init__(what)
        self.log = log


def options_of(game: str, chance: random.Random) -> dict[str, Any]:
    """Random options of a game."""
    n = chance.choice(SEATS[game])
    if game == "viticulture":
        plain = [{"num_players": n, **options} for options in VARIANTS]
        return dict(chance.choice(chance.choice([plain, list(KINDS.values())])))
    if game == "world":
        continent = chance.choice(CONTINENTS)
        options = {"continent": continent, "num_players": n, "parents": chance.choice(["world", "mixed"])}
        if continent != "greengully" and chance.random() < 0.5:
            options["events"] = "shuffled"
        return options | ({"partner": "none"} if n == 1 else {})
    options = {"num_players": n, "player_trades": chance.random() < 0.5, "open_hands": chance.random() < 0.2}
    options["map"] = chance.choice(["printed", "pieces"])
    return options | ({"start_on_water": False} if chance.random() < 0.3 else {})


class Piece:
    """Some games of one table, from their seeds: `seed` and those after it."""

    def __init__(self, game: str, options: dict[str, Any], n: int, seed: int) -> None:
        self.game, self.options, self.seed = game, options, seed
        self.batch = Batch(n, vitienv.game_spec(game).options.of(**options))
        self.batch.start(np.concatenate([key_of(seed + i) for i in range(n)]))
        self.taken: list[tuple[np.ndarray, np.ndarray]] = []  # for each step its rows and their actions
        self.decisions = self.looked_at = 0

    def step(self, actions: np.ndarray | None, rows: np.ndarray) -> None:
        """Play one decision of each game that goes on, by `actions` or at random."""
        if actions is None:
            self.batch.step_random(restart=False)
        else:
            self.batch.step_rows(rows, actions)
        self.taken.append((rows, self.batch.actions[rows]))
        self.decisions += len(rows)

    def replayed(self, row: int) -> vitienv.Game:
        """One of the games again, by itself."""
        game = vitienv.Game.new(self.seed + row, game=self.game, **self.options)
        for rows, actions in self.taken:
            for action in actions[rows == row]:
                game.step(int(action))
        return game

    def wrong(self, row: int, what: str) -> Wrong:
        """What to raise, with the log of a game; without one if the game cannot be played again by itself."""
        try:
            return Wrong(what, self.replayed(row).log)
        except Exception as error:
            return Wrong(f"{what}; and the game does not come out again: {error}")

    def need(self, good: np.ndarray, what: str) -> None:
        """Raise `Wrong` for the first game in which something does not hold."""
        bad = np.flatnonzero(~np.asarray(good).reshape(len(self.batch), -1).all(axis=1))
        if len(bad):
            raise self.wrong(int(bad[0]), what)

    def look(self, chance: random.Random) -> None:
        """Whether all that must hold holds in every game as it stands."""
        batch, games = self.batch, self.batch.games.view(np.ndarray)
        if self.game == "toscana":
            found = of_toscana.problems(games, batch.seats, batch.masks)
        else:
            found = (of_world if self.game == "world" else of_viticulture).problems(games)
        if found:
            row = int(found[0].removeprefix("game ").partition(":")[0])
            raise self.wrong(row, found[0])
        row = chance.randrange(len(batch))
        try:
            check_state(batch.games[row], batch.options)
        except ValueError as error:
            raise self.wrong(row, str(error)) from None
        playing = batch.seats >= 0
        low, high = batch.game_spec.observation.bounds
        self.need(~playing[:, None] | ((batch.obs >= low) & (batch.obs <= high)), "an observed number is out of bounds")
        self.need(~playing | batch.masks.any(axis=1), "a decision without a legal action")
        self.determinize(chance)
        self.looked_at += int(playing.sum())

    def determinize(self, chance: random.Random) -> None:
        """No seat may see a difference when what it cannot see is dealt anew; who decides may not get other actions."""
        n = self.batch.options.num_players
        viewers = np.array([chance.randrange(n) for _ in range(len(self.batch))], np.int8)
        other, before = self.batch.copy(), np.zeros_like(self.batch.obs)
        self.batch.observe(viewers, before)
        other.determinize(viewers, key_of(chance.randrange(2**32)).repeat(len(viewers), axis=0))
        after = other.observe(viewers, np.zeros_like(before))
        self.need(before == after, "a seat sees what was dealt anew")
        other.refresh(observe=False)
        decides = (viewers == self.batch.seats)[:, None]
        self.need(~decides | (other.masks == self.batch.masks), "legal actions tell what was dealt anew")

    def close(self, chance: random.Random) -> None:
        """One of the games again: its moves, its log and its position lead to where it stands."""
        row = chance.randrange(len(self.batch))
        game = self.replayed(row)
        alone, among = game.state.copy(), self.batch.games.view(np.ndarray)[row].copy()
        drawn = alone["chance"] == 0  # the stream from which the batch drew actions
        alone["chance"][drawn] = among["chance"][drawn]
        if alone.tobytes() != among.tobytes():
            raise self.wrong(row, "a game by itself is not the game of the batch")
        if vitienv.replay(game.log) != game:
            raise Wrong("the log leads elsewhere", game.log)
        if not game.is_over and not np.array_equal(vitienv.Game.from_dict(game.to_dict()).mask, game.mask):
            raise Wrong("the position has other legal actions", game.log)


def play(piece: Piece, bot: str, every: int, chance: random.Random, stop: Callable[[], bool]) -> bool:
    """Play a piece, looking at every so many steps; returns whether it came to its end before it was to stop."""
    batch, drawn = piece.batch, np.random.default_rng(chance.randrange(2**32))
    agent = None if bot == "random" else make_bot(bot, piece.seed, piece.game)
    for step in range(LONGEST):
        rows = batch.playing()
        if not len(rows):
            break
        if stop():
            return False
        if step % every == 0:
            piece.look(chance)
        if agent is None:
            piece.step(None, rows)
            continue
        legal = batch.masks[rows].astype(bool)
        actions = np.where(legal, drawn.random(legal.shape), -1).argmax(axis=1)
        by_bot = np.flatnonzero(drawn.random(len(rows)) < SHARE)
        if len(by_bot):
            seen = rows[by_bot]
            actions[by_bot] = agent.act(batch.obs[seen], batch.masks[seen], GameViews(batch, seen))
        piece.step(actions, rows)
    piece.look(chance)
    piece.close(chance)
    return True


def compare_with_referee(game: str, seed: int) -> int:
    """Compare positions of a game with its referee; return the number of decisions that agreed. Raises Wrong."""
    if game == "viticulture":
        complaints, checked, _ = compare(range(seed, seed + 10), whole_games=1, steps=20)
        if complaints:
            raise Wrong(f"the referee: {complaints[0]}")
        return sum(checked.values())
    try:
        if game == "world":
            rng = random.Random(seed)
            positions = [*world.reached(seed, 10), *(world.judged(world.made_up(rng)) for _ in range(10))]
            return sum(position.done for position in positions)
        comparison = toscana.Comparison(toscana.rulebook.compiled())
        for record, marks in toscana.positions(seed=seed, n=40):
            comparison.check(record, marks)
        return comparison.compared
    except AssertionError as error:
        raise Wrong(f"the referee of {game}, seed {seed}: {error}") from None


class Counts:
    """The table of all that was ever played, a row for each game, way of playing and version."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[tuple[str, ...], dict[str, Any]] = {}
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    self.rows[row["game"], row["play"], row["version"]] = row

    def add(self, game: str, play: str, games: int, decisions: int, looked_at: int) -> None:
        """Count a piece that passed; the file is whole at any time."""
        key = (game, play, vitienv.__version__)
        row = self.rows.setdefault(key, dict(zip(COLUMNS, (*key, 0, 0, 0, ""), strict=True)))
        for name, more in (("games", games), ("decisions", decisions), ("looked_at", looked_at)):
            row[name] = int(row[name]) + more
        row["last"] = date.today().isoformat()

        with atomic(self.path) as path, path.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            table.writeheader()
            table.writerows(row for _, row in sorted(self.rows.items()))

    @property
    def decisions(self) -> int:
        """The decisions of all rows."""
        return sum(int(row["decisions"]) for row in self.rows.values())


def pieces(seed: int) -> Iterator[tuple[random.Random, str]]:
    """The RNG and the mode of each piece: the same for the same seed."""
    modes = ["random"] * 6 + ["thumb"] * 2 + ["search", REFEREE]
    for number in range(sys.maxsize):
        rng = random.Random(f"{seed} {number}")
        yield rng, rng.choice(modes)


def run_piece(game: str, mode: str, rng: random.Random, counts: Counts, stop: Callable[[], bool]) -> None:
    """Play a piece of one kind and count it, unless it was to stop. Raises Wrong."""
    if mode == REFEREE:
        decisions = compare_with_referee(game, rng.randrange(2**31))
        counts.add(game, mode, 0, decisions, decisions)
        return
    options = options_of(game, rng)
    bot, n, every = PLAYS[mode]
    piece = Piece(game, options, n, rng.randrange(2**32))
    try:
        is_complete = play(piece, bot, every, rng, stop)
    except Wrong:
        raise
    except Exception as error:
        raise piece.wrong(0, f"{type(error).__name__}: {error} ({options}, seed {piece.seed})") from error
    if is_complete:
        counts.add(game, mode, n, piece.decisions, piece.looked_at)


def soak(seed: int, minutes: float, counts: Counts) -> None:
    """Play pieces for so long, not counting what is compiled first. Raises Wrong."""
    for game in SEATS:
        for bot, _, _ in PLAYS.values():
            play(Piece(game, {"num_players": 2}, 1, seed), bot, LONGEST, random.Random(seed), lambda: False)
    end, reported = time.monotonic() + 60 * minutes, time.monotonic()
    for rng, mode in pieces(seed):
        if time.monotonic() >= end:
            return
        run_piece(rng.choice(list(SEATS)), mode, rng, counts, lambda: time.monotonic() >= end)
        if time.monotonic() - reported > 10:
            reported = time.monotonic()
            left = max(0.0, end - reported) / 60
            print(f"soak: {counts.decisions:,} decisions counted, {left:.1f} minutes left", file=sys.stderr)


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the status."""
    asked = argparse.ArgumentParser(prog="python -m tests.soak.play", description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--minutes", type=float, default=15)
    asked.add_argument("--seed", type=int, help="of all that is drawn; a fresh one is printed")
    args = asked.parse_args(arguments)
    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    bounds = "checked" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else "NOT checked (NUMBA_BOUNDSCHECK=1)"
    print(f"soak: seed {seed}, bounds {bounds}")
    counts = Counts(COUNTS)
    try:
        soak(seed, args.minutes, counts)
    except KeyboardInterrupt:
        print("soak: interrupted; the last piece is not counted", file=sys.stderr)
    except Wrong as wrong:
        print(f"soak: {wrong}", file=sys.stderr)
        if wrong.log is not None:
            LEFT.mkdir(parents=True, exist_ok=True)
            (LEFT / f"{seed}.json").write_text(json.dumps(wrong.log), encoding="utf-8")
            print(f"soak: vitienv replay {LEFT / f'{seed}.json'}", file=sys.stderr)
        return 1
    print(f"soak: {counts.decisions:,} decisions counted in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
