"""Which decisions win in Viticulture World: `python studies/deciding.py`.

A team of one bot plays, and the same team with one thing forbidden or forced for all of its seats, on the same seeds.
What that costs is the difference, game by game, with its 95 % interval. `--write results/2026-11-23-world-studies.md`
puts the table into the page.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vitienv.agents import Agent
from vitienv.agents.protocol import Views
from vitienv.agents.seating import game_seeds, make_bots
from vitienv.commands.tables import check_marked, write_marked
from vitienv.core.definition import Definition
from vitienv.core.english import markdown
from vitienv.games import definition
from vitienv.training.intervals import mean
from vitienv.training.measure.match import play
from vitienv.world.names import CONTINENTS, OVALS

TABLE = "world-decides"
AT_ONCE = 250  # games side by side
EARLY, LATE = 2, 5  # the years until which influence is bought wherever it can be, and from which on it may be
BUY = "place:buy_influence"
KINDS = "decision:{0} world_decision:{0}"  # names of the observed numbers that say which kind of decision it is


@dataclass(frozen=True)
class Rule:
    """What a bot must do differently in decisions of one kind.

    actions: beginnings of names. Those actions are forbidden wherever others are legal; where `forced`, they are the
    only ones left wherever any of them is. last: of the legal ones, the last or the first by number is the only one
    left. years: the first and the last in which that holds.
    """

    decision: str
    actions: tuple[str, ...] = ()
    forced: bool = False
    last: bool | None = None
    years: tuple[int, int] = (1, 6)


OVAL_TILES = tuple(f"tile:{oval}" for oval in OVALS)
RULES: dict[str, Rule] = {
    "no trade is begun": Rule("trade_start", ("yes",)),
    "no trade is accepted": Rule("trade_answer", ("yes",)),
    "nobody innovates": Rule("place_worker", ("place:innovate",)),
    "rectangles before ovals": Rule("choose_tile", OVAL_TILES),
    "ovals before rectangles": Rule("choose_tile", OVAL_TILES, forced=True),
    "nobody trains": Rule("place_worker", ("place:train_worker",)),
    "no influence is bought": Rule("place_worker", (BUY,)),
    f"influence is bought wherever it can be, to year {EARLY}": Rule("place_worker", (BUY,), True, years=(1, EARLY)),
    f"influence is bought from year {LATE} on": Rule("place_worker", (BUY,), years=(1, LATE - 1)),
    "nobody exchanges": Rule("place_worker", ("place:exchange",)),
    "no order is filled": Rule("place_worker", ("place:fill_order",)),
    "no wine is sold": Rule("place_worker", ("place:sell_wine",)),
    "no visitor is played": Rule("place_worker", ("place:play_summer_visitor", "place:play_winter_visitor")),
    "nothing is built": Rule("place_worker", ("place:build_structure",)),
    "the ring by order: the first position that is free": Rule("wake_up", last=False),
    "the ring by benefit: the last position that is free": Rule("wake_up", last=True),
}  # fmt: skip


class Restrained:
    """A bot that keeps a rule: it is shown the masks that the rule leaves."""

    def __init__(self, bot: Agent, rule: Rule, game: Definition) -> None:
        self.name, self._bot, self._rule = bot.name, bot, rule
        names = game.actions.names
        meant = [any(f"{name}:".startswith(f"{each}:") for each in rule.actions) for name in names]
        self._left = np.array(meant) if rule.forced else ~np.array(meant)
        seen = game.observation
        self._kind = next(i for i, name in enumerate(seen.names) if name in KINDS.format(rule.decision).split())
        self._year = seen.start("year")

    def act(self, observations: np.ndarray, masks: np.ndarray, games: Views | None = None) -> np.ndarray:
        """The bot's choice among the actions that the rule leaves."""
        masks, (first, last) = np.array(masks), self._rule.years
        year = observations[:, self._year]
        bound = (observations[:, self._kind] == 1) & (first <= year) & (year <= last)
        left = self.left(masks[bound])
        masks[bound] = np.where(left.any(axis=1, keepdims=True), left, masks[bound])
        return self._bot.act(observations, masks, games)

    def left(self, masks: np.ndarray) -> np.ndarray:
        """What of the legal actions the rule leaves, (n, actions); nothing where it says nothing."""
        if self._rule.last is None:
            return masks * self._left
        n = masks.shape[1]
        ends = n - 1 - masks[:, ::-1].argmax(axis=1) if self._rule.last else masks.argmax(axis=1)
        return masks * (np.arange(n) == ends[:, None])


def results(bot: str, rule: str | None, continent: str, seats: int, games: int, seed: int) -> np.ndarray:
    """For each game 1 if it was won, else 0, and the margin, (games, 2)."""
    game, parts = definition(), []
    options = game.options.of(
        ruleset="world", continent=continent, num_players=seats, skip_forced=True, reward="margin"
    )  # fmt: skip
    for first in range(0, games, AT_ONCE):
        (made,) = make_bots([bot], seed)
        team = made if rule is None else Restrained(made, RULES[rule], options.definition)
        seeds = game_seeds(seed, range(first, min(games, first + AT_ONCE)))
        played = play(options, seeds, [[0] * seats] * len(seeds), [team])
        parts.append(np.stack([played.rewards[:, 0] > 0, played.rewards[:, 0]], axis=1))
    return np.concatenate(parts)


def table(bot: str, rules: Sequence[str], continents: Sequence[str], seats: int, games: int, seed: int) -> str:
    """A row for each rule, under what the team wins and its margin without one: what the rule changes."""
    free = {name: results(bot, None, name, seats, games, seed) for name in continents}
    lines = [["as it plays", *(f"{100 * won:.0f} %, {margin:+.2f}" for won, margin in
                               (found.mean(axis=0) for found in free.values()))]]  # fmt: skip
    for rule in rules:
        cells = []
        for name in continents:
            apart = results(bot, rule, name, seats, games, seed) - free[name]
            (won, won_half), (margin, margin_half) = (mean(column) for column in apart.T)
            cells.append(f"{100 * won:+.0f} ± {100 * won_half:.0f}, {margin:+.2f} ± {margin_half:.2f}")
        lines.append([rule, *cells])
    return markdown(["", *continents], lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python studies/deciding.py", description=__doc__)
    parser.add_argument("--agent", default="policy:champion")
    parser.add_argument("--games", type=int, default=500, help="of each team on each continent, at least 2")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--continents", default=",".join(CONTINENTS), help="separated by commas")
    parser.add_argument("--seed", type=int, default=91)
    parser.add_argument("--write", type=Path, help="the page whose table is written anew")
    args = parser.parse_args(arguments)
    if args.games < 2:
        parser.error(f"games is {args.games}; there must be at least 2")
    if args.write is not None:
        check_marked(args.write, TABLE)
    made = table(
        args.agent, list(RULES), args.continents.split(","), args.players, args.games, args.seed
    )  # fmt: skip
    how = f"`--agent {args.agent} --players {args.players} --games {args.games} --seed {args.seed}`"
    sentence = f"{args.games:,} games on each continent at {args.players} seats, the same seeds in all rows ({how})."
    if args.write is not None:
        write_marked(args.write, TABLE, "World", [made, sentence])
    else:
        print(f"{made}\n\n{sentence}")


if __name__ == "__main__":
    main()
