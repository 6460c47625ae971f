"""A yardstick from another game's player: the worth of a position after the own choice, one ply deep, by TD(lambda).

    python studies/afterstate.py runs/afterstate --games 30000
    python studies/afterstate.py runs/afterstate --games 30000 --measure 2000 --seed 9801

A network of one layer tells how probable it is that the seat that chose wins, as Keldon's player of Race for the Galaxy
does. A bot tries each legal action in copies in which all that its seat cannot see, and all chance to come, are dealt
anew; it takes the action whose positions are worth most in the mean. The network learns from games with itself, at
two seats of the Essential Edition. A run goes on where it was; a line for each measurement goes to curve.csv.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.functional import linear

from vitienv.agents.protocol import Views
from vitienv.agents.seating import game_seeds, make_bot
from vitienv.core.batch import Batch
from vitienv.core.options import Options
from vitienv.games import definition
from vitienv.training.checkpoint import read_checkpoint, write_checkpoint
from vitienv.training.intervals import clustered_share
from vitienv.training.measure.match import play
from vitienv.training.measure.ratings import win_shares
from vitienv.training.selfplay.learner import falling

WIDTH = 50
LAMBDA = 0.9
AT_ONCE = 250  # games that are played side by side and then trained on
EPOCHS, MINIBATCH, RATES = 2, 256, (1e-3, 1e-4)
DEALS = 4  # of an action, over which its worth is averaged
# In games of training, an action worth so much less is drawn 1/e times as often.
WARMTH, DEALS_LEARNED, YEARS_LEARNED = 0.002, 1, 15
YEARS = 30  # after which a measured game is cut off
WATCHED, EVERY = 200, 2500  # games of a measurement on the way, and games learned from between two
FORMAT = 1


class Worth(nn.Module):
    """A network from observations (n, observed numbers) int16 to the viewing seat's probability of winning, (n,)."""

    scale: torch.Tensor
    wide: torch.Tensor

    def __init__(self, width: int = WIDTH) -> None:
        super().__init__()
        seen = definition().observation
        self.register_buffer("scale", torch.from_numpy(seen.scales).float(), persistent=False)
        self.register_buffer("wide", torch.from_numpy(seen.logs), persistent=False)
        self.hidden, self.out = nn.Linear(seen.n, width), nn.Linear(width, 1)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        taken = observations.float()
        wide = taken[:, self.wide]
        taken[:, self.wide] = torch.sign(wide) * torch.log1p(wide.abs())
        hidden = torch.tanh(linear(taken, self.hidden.weight * self.scale, self.hidden.bias))
        return torch.sigmoid(self.out(hidden))[:, 0]


class OnePly:
    """The bot. warmth: how much worse an action may be to be drawn at times; 0 for the best one."""

    name = "afterstate"

    def __init__(self, worth: Worth, seed: int, warmth: float = 0.0, deals: int = DEALS) -> None:
        self.worth, self.warmth, self.deals = worth, warmth, deals
        self.chance = np.random.default_rng(seed)

    def act(self, observations: np.ndarray, masks: np.ndarray, games: Views | None = None) -> np.ndarray:
        """As `Agent.act`; deals differ from call to call."""
        assert games is not None
        return self.choose(games._batch, games._rows)

    def choose(self, batch: Batch, rows: np.ndarray) -> np.ndarray:
        """An action for each of some games of a batch, (m,)."""
        of, actions = np.nonzero(batch.masks[rows])
        worth = self._worth_of(batch, rows[of], of, actions)
        if self.warmth:
            worth = worth + self.warmth * self.chance.gumbel(size=len(worth))
        best = np.full(len(rows), -np.inf)
        np.maximum.at(best, of, worth)
        found = np.zeros(len(rows), np.int64)
        is_best = worth == best[of]
        found[of[is_best]] = actions[is_best]
        return found

    def _worth_of(self, batch: Batch, rows: np.ndarray, of: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """What each action is worth, (k,), all actions of a game under the same deals. of: the choice it belongs to."""
        keys = self.chance.integers(0, 2**32, (of[-1] + 1, self.deals, 2), np.uint32)
        copies = Batch(len(of) * self.deals, batch.options)
        copies.octets[:] = np.repeat(batch.octets[rows], self.deals, axis=0)
        viewers = np.repeat(batch.seats[rows], self.deals)
        copies.deal_anew(viewers, np.ascontiguousarray(keys[of].reshape(-1, 2)))
        copies.actions[:] = np.repeat(actions, self.deals)
        copies.step(observe=False)
        return worth_after(self.worth, copies, np.arange(len(copies)), viewers).reshape(-1, self.deals).mean(axis=1)


def worth_after(worth: Worth, batch: Batch, rows: np.ndarray, viewers: np.ndarray) -> np.ndarray:
    """What games `rows` are worth to viewers (m,): the result if they are over, else what the network says."""
    seats = batch.options.num_players
    values = win_shares(batch.ranks[rows, :seats])[np.arange(len(rows)), viewers]
    goes_on = np.flatnonzero(batch.seats[rows] >= 0)
    if len(goes_on):
        seen = batch.observe_rows(rows[goes_on], viewers[goes_on])
        with torch.no_grad():
            values[goes_on] = worth(torch.from_numpy(seen)).numpy()
    return values


def returns(steps: list[tuple[np.ndarray, np.ndarray, np.ndarray]], results: np.ndarray) -> list[np.ndarray]:
    """The lambda-returns of steps, each (games, seats that chose, what the position after was worth); results (games,
    seats): how the games ended. What follows the last choice of a seat is the result."""
    following, worth = results.copy(), results.copy()
    lambda_returns = []
    for rows, seats, values in reversed(steps):
        lambda_returns.append((1 - LAMBDA) * worth[rows, seats] + LAMBDA * following[rows, seats])
        following[rows, seats], worth[rows, seats] = lambda_returns[-1], values
    return lambda_returns[::-1]


def played(bot: OnePly, options: Options, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """What was seen after each choice in games with itself, (k, observed numbers), and what it was worth, (k,)."""
    batch, seats = Batch(AT_ONCE, options), options.num_players
    batch.start_anew(seed, True)
    seen, steps = [], []
    while len(rows := batch.playing()):
        who = batch.seats[rows].copy()
        batch.step_rows(rows, bot.choose(batch, rows), observe=False)
        goes_on = batch.seats[rows] >= 0  # the result says what the others are worth
        rows, who = rows[goes_on], who[goes_on]
        seen.append(batch.observe_rows(rows, who))
        steps.append((rows, who, worth_after(bot.worth, batch, rows, who)))
    return np.concatenate(seen), np.concatenate(returns(steps, win_shares(batch.ranks[:, :seats])))


def learn(worth: Worth, optimizer: torch.optim.Optimizer, seen: np.ndarray, told: np.ndarray, rate: float) -> float:
    """Descend on the cross entropy; returns its mean."""
    observations, targets = torch.from_numpy(seen), torch.from_numpy(told).float()
    for group in optimizer.param_groups:
        group["lr"] = rate
    losses = []
    for _ in range(EPOCHS):
        for part in torch.randperm(len(targets)).split(MINIBATCH):
            loss = nn.functional.binary_cross_entropy(worth(observations[part]), targets[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return float(np.mean(losses))


def measured(worth: Worth, options: Options, games: int, seed: int) -> dict[str, Any]:
    """Wins against the rule of thumb, both seats of each seed, and the interval."""
    numbers = np.repeat(game_seeds(seed, range((games + 1) // 2)), 2)[:games]
    seats = np.arange(games) % 2
    bots = [OnePly(worth, seed), make_bot("heuristic", seed)]
    result = play(options, list(numbers), np.stack([seats, 1 - seats], axis=1), bots)  # type: ignore[arg-type]
    wins = win_shares(result.ranks)[np.arange(games), seats]
    points = result.points[np.arange(games), seats].mean(), result.points[np.arange(games), 1 - seats].mean()
    return {name: round(value, 4) for name, value in clustered_share(wins, np.arange(games) // 2).items()} | {
        "points": round(float(points[0]), 2), "against": round(float(points[1]), 2),
        "years": round(float(result.years.mean()), 2),
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("run", type=Path, help="folder of the run, gone on with if it is there")
    parser.add_argument("--games", type=int, default=30000, help="to learn from, of the whole run")
    parser.add_argument("--minutes", type=float, default=600.0, help="of this call")
    parser.add_argument("--measure", type=int, default=0, help="measure the saved network in so many games only")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    options = definition().options.of(num_players=2, skip_forced=True, max_years=YEARS)
    worth, file, done, spent = Worth(), args.run / "checkpoint.pt", 0, 0.0
    optimizer = torch.optim.Adam(worth.parameters())
    if file.exists():
        saved = read_checkpoint(file, FORMAT)
        worth.load_state_dict(saved["worth"])
        optimizer.load_state_dict(saved["optimizer"])
        done, spent = saved["games"], saved["seconds"]
    if args.measure:
        print(json.dumps({"games learned from": done} | measured(worth, options, args.measure, args.seed)))
        return
    args.run.mkdir(parents=True, exist_ok=True)
    began = time.monotonic() - spent
    while done < args.games and time.monotonic() - began - spent < 60 * args.minutes:
        bot = OnePly(worth, args.seed + done, WARMTH, DEALS_LEARNED)
        seen, targets = played(bot, options.with_(max_years=YEARS_LEARNED), args.seed + done)
        loss = learn(worth, optimizer, seen, targets, falling(*RATES, done / args.games))
        done += AT_ONCE
        write_checkpoint(file, {
            "format": FORMAT, "worth": worth.state_dict(), "optimizer": optimizer.state_dict(), "games": done,
            "seconds": time.monotonic() - began,
        })  # fmt: skip
        if done % EVERY == 0:
            row = {"games": done, "seconds": round(time.monotonic() - began), "choices": len(targets) / AT_ONCE,
                   "loss": round(loss, 4), **measured(worth, options, WATCHED, args.seed)}  # fmt: skip
            print(json.dumps(row), flush=True)
            is_new = not (args.run / "curve.csv").exists()
            with (args.run / "curve.csv").open("a", newline="") as lines:
                writer = csv.DictWriter(lines, list(row))
                if is_new:
                    writer.writeheader()
                writer.writerow(row)


if __name__ == "__main__":
    main()
