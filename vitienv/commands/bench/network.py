"""What `vitienv bench` measures of networks: the answers of new ones of some widths, and of the champion."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.agents.champions import Champions
from vitienv.agents.network import Network
from vitienv.agents.seating import make_bot
from vitienv.commands.bench.timing import microseconds, value
from vitienv.core.batch import Batch, keys_of
from vitienv.core.kernel import LEAVE
from vitienv.core.networks.network import evaluate, packed, room_for

if TYPE_CHECKING:
    from vitienv.core.definition import Definition
    from vitienv.core.options import Options

ROWS, WIDTHS = 256, (128, 256)
LONGEST = 128  # decisions into a game


def measure(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """A network's answer to an observation, each of many at once, on one core."""
    calls = _calls(options, seed)
    return [value(name, "µs", microseconds(once, runs, seconds, ROWS)) for name, once in calls.items()]


def _calls(options: Options, seed: int) -> dict[str, Callable[[], object]]:
    """What is measured, by its name: each call answers ROWS observations of games at the smallest table."""
    made = options.definition
    batch = games_of_rules(options.with_(num_players=options.players().start, skip_forced=True), seed)
    masks, logits, values = batch.masks, np.empty(batch.masks.shape, np.float32), np.empty(ROWS, np.float32)

    def alone(net: Any, advice: np.ndarray) -> Callable[[], object]:
        room = room_for(net)
        return lambda: evaluate(net, batch.obs, masks, advice, logits, values, room)

    calls: dict[str, Callable[[], object]] = {}
    for width in WIDTHS:
        net = packed(drawn_weights(made, width, seed), {"blocks": 2, "lead": 0.0}, made)
        calls[f"network of width {width}, weights drawn"] = alone(net, np.empty((ROWS, 0), np.int16))
    if made.champions is None:
        return calls
    champions = Champions(made)
    for network, _ in champions.parts(batch.obs):
        if isinstance(network, Network):
            calls["champion, its network alone"] = alone(network.net, network.adviser(batch.obs, masks))
            if network.adviser.width:
                calls["champion, with its adviser"] = lambda: champions.best(batch.obs, masks)
    return calls


def games_of_rules(options: Options, seed: int) -> Batch:
    """ROWS games that rules of thumb play, each another number of decisions on."""
    bot = make_bot(options.definition.rule_of_thumb, seed, game=options.definition)
    batch = Batch(ROWS, options)
    batch.start(keys_of(seed, ROWS))
    for done in range(LONGEST):
        goes_on = np.arange(ROWS) % LONGEST >= done
        batch.actions[:] = np.where(goes_on, bot.act(batch.obs, batch.masks), LEAVE)
        batch.step(restart=True)
    return batch


def drawn_weights(made: Definition, width: int, seed: int) -> dict[str, np.ndarray]:
    """Weights of a new network, as torch draws them."""
    rng, n, n_actions, judge = np.random.default_rng(seed), made.observation.n, made.actions.n, WIDTHS[0]
    sizes = {"input": (width, n + n_actions), "blocks.0": (width, width), "blocks.1": (width, width)}
    sizes |= {"judge": (judge, width), "value": (1, judge), "policy": (n_actions, width)}
    drawn = {}
    for name, (n_out, n_in) in sizes.items():
        for what, shape in (("weight", (n_out, n_in)), ("bias", (n_out,))):
            drawn[f"{name}.{what}"] = rng.uniform(-1, 1, shape) / n_in**0.5
    drawn["input.weight"][:, :n] *= made.observation.scales
    return drawn
