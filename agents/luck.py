"""Luck in a finished game: the effect of the deal and the draws on each seat's chance of winning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from vitienv.agents.search.analysis import titles_of
from vitienv.agents.search.guides import Evaluator
from vitienv.agents.search.networks import load_evaluator
from vitienv.core.batch import Batch
from vitienv.game import Game
from vitienv.registry import canonical_name
from vitienv.render.text import round_name, seat_name
from vitienv.session.replay import position_after

DRAWS, DEALS = 16, 256  # alternative draws of each move, and alternative deals
EPSILON, MIN_REPORTED_LUCK = 1e-6, 0.0005


@dataclass(frozen=True)
class Draw:
    """A move with its draws. number: counted from 1; 0 is the deal, without seat.

    luck (seats,): chance of winning after the actual draw minus its mean over other draws. chances (seats,): after it.
    """

    number: int
    period: str
    seat: int | None
    title: str
    luck: tuple[float, ...]
    chances: tuple[float, ...]


@dataclass(frozen=True)
class GameLuck:
    """Luck of every seat: start + luck + play = result, chances of winning from 0 to 1.

    start: mean over deals. luck: sum over the deal and all draws. play: effect of the decisions of all seats.
    result: 1 for a win, 0 for a loss, a share for a tie.
    """

    start: tuple[float, ...]
    luck: tuple[float, ...]
    play: tuple[float, ...]
    result: tuple[float, ...]
    draws: tuple[Draw, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON."""
        return asdict(self)

    def describe(self, top: int = 5, names: Sequence[str] = ()) -> list[str]:
        """Return lines of text: the seats in percent, and the `top` luckiest draws. names: of the seats."""
        titles = list(names) or [seat_name(seat) for seat in range(len(self.start))]
        head = "chance of winning, %"
        width = max(len(head), *(len(title) for title in titles))
        lines = [f"{head:<{width}}   start    luck    play  result"]
        for title, start, luck, play, result in zip(titles, self.start, self.luck, self.play, self.result, strict=True):
            lines.append(f"{title:<{width}}{100 * start:8.1f}{100 * luck:+8.1f}{100 * play:+8.1f}{100 * result:8.1f}")
        lines.append("luckiest draws, % of winning:")
        for seat, draw in self.luckiest(range(len(titles)), top):
            place = f"move {draw.number}, {draw.period}: {draw.title}" if draw.number else draw.title
            lines.append(f"{100 * draw.luck[seat]:+6.1f}  {titles[seat]}, {place}")
        return lines

    def luckiest(self, seats: Iterable[int], top: int = 5) -> list[tuple[int, Draw]]:
        """Return the `top` draws with the largest luck of a seat, each with the seat."""
        draws = [(seat, draw) for draw in self.draws for seat in seats if draw.luck[seat] >= MIN_REPORTED_LUCK]
        return sorted(draws, key=lambda entry: -entry[1].luck[entry[0]])[:top]


def luck(game: Game, draws: int = DRAWS, seed: int = 0) -> GameLuck:
    """Return the luck of the seats in a finished game, as estimated by the bundled networks.

    Every move is repeated with `draws` other draws of unseen cards; hands stay the same. The actual draw has the same
    distribution, so the expected luck is 0 even if the networks err; how much of the result it explains depends on
    them. ValueError if the game is not over or has no bundled networks.
    """
    spec = game.game_spec
    if not game.is_over or game.is_truncated or not game.moves:
        raise ValueError("game must be finished")
    if spec.champions is None:
        raise ValueError(f"game must have bundled networks, got {canonical_name(spec)!r}")
    evaluator, rng = load_evaluator("champion", game=spec), np.random.default_rng(seed)
    options = spec.options.of(**game.options.to_dict() | {"reward": "win"})
    state = position_after(game.log, 0)
    records, moves = [state._batch.bytes_view[0].copy()], []
    for action in game.moves:
        moves.append((round_name(spec.rounds.word, state.round), state.current_seat, titles_of(state)[action]))
        state.step(action)
        records.append(state._batch.bytes_view[0].copy())
    states = Batch.from_bytes(np.array(records), options)
    chances = chances_of(states, evaluator)
    actions = [spec.actions.number(action) for action in game.moves]
    before = Batch.from_bytes(np.array(records[:-1]), options)
    lucks = chances[1:] - mean_chances(before, np.array(actions), draws, evaluator, rng)
    events = [Draw(i + 1, *move, _plain(lucks[i]), _plain(chances[i + 1])) for i, move in enumerate(moves)]
    start = chances[0]
    if not game.log.get("position"):
        deals = Batch(DEALS, options)
        deals.start(rng.integers(0, 2**32, (DEALS, 2), dtype=np.uint32))
        start = chances_of(deals, evaluator).mean(axis=0)
        events.insert(0, Draw(0, "", None, "deal", _plain(chances[0] - start), _plain(chances[0])))
    total = np.sum([event.luck for event in events], axis=0)
    return GameLuck(
        _plain(start), _plain(total), _plain(chances[-1] - start - total), _plain(chances[-1]), tuple(events)
    )


def mean_chances(
    batch: Batch, actions: np.ndarray, draws: int, evaluator: Evaluator, rng: np.random.Generator
) -> np.ndarray:
    """Return the mean chances of winning (n, seats) after legal actions (n,) in the games of a batch, over draws.

    With open hands, a determinization keeps what the seats hold and replaces all draws to come.
    """
    copies = Batch.from_bytes(np.repeat(batch.bytes_view, draws, axis=0), batch.options)
    rules, rule = copies.games["rules"], batch.game_spec.rule_parameter("open_hands")
    open_hands = rules[:, rule].copy()
    rules[:, rule] = 1
    keys = rng.integers(0, 2**32, (len(copies), 2), dtype=np.uint32)
    copies.determinize(np.repeat(batch.seats, draws), keys)
    rules[:, rule] = open_hands
    copies.actions[:] = np.repeat(actions, draws)
    copies.step()
    return chances_of(copies, evaluator).reshape(len(actions), draws, -1).mean(axis=1)


def chances_of(batch: Batch, evaluator: Evaluator) -> np.ndarray:
    """Return the chance of winning of each game and seat, (n, seats); of finished games the result.

    Networks learn from the observations of acting seats. So the acting seat's chance is its own estimate, and the
    others share the remainder in proportion to theirs; a team has one chance.
    """
    n, rows = batch.options.num_players, np.arange(len(batch))
    is_team, is_over = batch.game_spec.is_of_team, batch.seats < 0
    num_rivals = 1 if n == 1 or is_team else n - 1
    values, actors = np.empty((len(batch), n)), np.maximum(batch.seats, 0)
    for seat in range(n):
        observations = batch.observe(np.full(len(batch), seat, np.int8), np.zeros_like(batch.obs))
        masks = np.where((batch.seats == seat)[:, None], batch.masks, 0).astype(np.int8)
        values[:, seat] = evaluator.evaluate(observations, masks)[1]
    chances = np.clip((values * num_rivals + 1) / (num_rivals + 1), EPSILON, 1.0)
    acting = chances[rows, actors]
    if is_team:
        chances[:] = acting[:, None]
    elif n > 1:
        chances[rows, actors] = 0.0
        chances *= ((1.0 - acting) / chances.sum(axis=1))[:, None]
        chances[rows, actors] = acting
    chances[is_over] = (batch.rewards[is_over, :n] * num_rivals + 1) / (num_rivals + 1)
    return chances


def _plain(numbers: np.ndarray) -> tuple[float, ...]:
    return tuple(float(number) for number in numbers)
