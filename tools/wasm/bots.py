"""Kernels of the bundled bots and weights of their networks, for other targets."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from tools.entry_points import GAMES, EntryPoint
from tools.wasm.emit import tables
from vitienv.agents.champions import FROZEN, NAME, Champions, files_in, plugin, rollout_network
from vitienv.agents.levels import LEVELS
from vitienv.agents.network import Network
from vitienv.agents.protocol import GameViews
from vitienv.agents.registry import make_agent
from vitienv.agents.search.networks import SHARP
from vitienv.agents.search.searcher import TreeBatch
from vitienv.core.batch import Batch, make_key
from vitienv.core.files import atomic
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import Net, Room, best, empty_net, evaluate, room_for
from vitienv.core.options import Options
from vitienv.core.search.forest import Count, Slot, State, Tree
from vitienv.core.search.simulate import EDGE, MARGIN
from vitienv.core.search.tree import Edge, EdgeSum, Node
from vitienv.core.targets.llvm_modules import names_of

PRIOR_WIDTH = "prior_width"  # length of a network's `prior_scores`, 0 without a policy prior
NODES, EDGES = "nodes", "edges"  # capacity of a search tree
COLUMNS = (Tree, Slot, State, Count, Node, Edge, EdgeSum)
SEARCH = LEVELS[-1].bot
# Arrays of a search with a row per concurrent simulation.
SLOT_ARRAYS = ("games", "bytes_view", "int16_view", "masks", "rounds", "rivals", "bases", "slots", "paths",
               "observations", "legal", "logits", "leaf_values", "external_slots")  # fmt: skip


def entry_points(batch: Batch) -> list[EntryPoint]:
    """Return the kernels of the bots of a batch's game, with the arrays of the batch."""
    return [heuristic_kernel(batch), *network_kernels(batch), search_kernel(batch)]


def heuristic_kernel(batch: Batch) -> EntryPoint:
    """Return the kernel of the prior scores. The heuristic bot takes the first action with the best score."""
    bot: Any = make_agent(batch.game_spec.heuristic_bot, game=batch.game_spec)
    (loop,) = bot.kernels_for("prior_scores")
    values = bot.prior_arguments(batch.obs, batch.masks, _prior_scores(batch))
    arguments = dict(zip(names_of(loop), values, strict=True))
    names = {name: f"heuristic.{name}" for name in arguments}
    names |= {"observations": "obs", "masks": "masks", "prior_scores": "prior_scores"}
    shapes = {name: np.shape(value) for name, value in arguments.items() if name not in ("observations", "masks")}
    return EntryPoint(loop, arguments, shapes | {"prior_scores": (GAMES, PRIOR_WIDTH)}, names, ("weights",))


def network_kernels(batch: Batch) -> list[EntryPoint]:
    """Return the kernels of networks, with arrays for the largest bundled one."""
    nets = [network.net for network in networks_of(batch.game_spec).values()]
    net, room = _largest(nets), _largest(room_for(net) for net in nets)
    arguments = {"net": net, "observations": batch.obs, "masks": batch.masks, "prior_scores": _prior_scores(batch),
             "logits": batch.masks.astype(np.float32), "values": np.zeros(len(batch), np.float32),
             "actions": batch.actions, "room": room}  # fmt: skip
    shapes = _shapes(net=net, room=room) | {"prior_scores": (GAMES, PRIOR_WIDTH)}
    return [EntryPoint(loop, {name: arguments[name] for name in names_of(loop)}, shapes, {"observations": "obs"})
            for loop in (best, evaluate)]  # fmt: skip


def search_kernel(batch: Batch) -> EntryPoint:
    """Return the kernel of a search of one game with `n` concurrent simulations."""
    game = batch.game_spec
    forest = forest_at(game.options.of(num_players=game.max_seats))  # borrowed priors have the largest arrays
    loop = game.searching.simulate
    arguments = dict(zip(names_of(loop), forest.arguments(), strict=True))
    networks = networks_of(game).values()
    players = [network.net for network in networks if not network.policy_prior.width]
    arguments |= {
        "net": _largest(players or [empty_net()]),
        "room": _largest(room_for(network.net) for network in networks),
    }
    shapes: dict[str, tuple[int | str, ...]] = _shapes(**arguments)
    for length, arrays in ((GAMES, SLOT_ARRAYS), (NODES, ("nodes", "node_sums")), (EDGES, ("edges", "edge_sums"))):
        shapes |= {name: (length, *arguments[name].shape[1:]) for name in arrays}
    shared = {"games": "games", "masks": "masks", "logits": "logits", "net": "player", "room": "room"}
    return EntryPoint(loop, arguments, shapes, {name: f"search.{name}" for name in arguments} | shared)


def forest_at(options: Options) -> TreeBatch:
    """Return a search of the first decision at a table, with the champion's network."""
    batch = Batch(1, options)
    bot: Any = make_agent(SEARCH, game=options.game_spec)
    batch.start(make_key(0))
    games, rows = GameViews(batch, [0]), np.zeros(1, np.int64)
    forest = TreeBatch(games, rows, batch.masks, np.zeros((1, 2), np.uint32), bot.guide, bot.limits)
    forest.init_roots(batch.obs)
    return forest


def networks_of(game: GameSpec) -> dict[str, Network]:
    """Return the bundled networks of a game by name."""
    networks: dict[str, Network] = {}
    for name in (NAME, FROZEN):
        networks |= zip(files_in(game, name), Champions(game, name).networks, strict=True)
    quick = rollout_network(game)
    return networks if quick is None else networks | {plugin(game).QUICK.file: quick}


def manifest(game: GameSpec) -> dict[str, Any]:
    """Return the description of a game's bots as JSON.

    networks: width of the prior scores, whether the value of a solo game is a margin, and the arrays of the file.
    bots: for each table, the networks of the champion, of the levels and of playouts, and the parameters of a search.
    levels: see `agents.levels`. search: parameters of all searches, and offsets of the fields of a record that they
    read. columns: columns of the arrays of a search.
    """
    lead, clock = game.lead, game.rounds
    margin = {}
    if lead is not None and lead.rival_parameter is not None:
        alone = game.observation.start("rules") + game.rule_parameter(lead.rival_parameter)
        margin = {"lead": {"alone": alone, "unit": lead.unit, "margin": MARGIN, "edge": EDGE, "sharp": SHARP}}
    search: Any = make_agent(SEARCH, game=game)
    limits = search.limits
    fields = {"rules": "rules", "round": clock.round, "phase": clock.phase}
    return {
        "lengths": {PRIOR_WIDTH: game.actions.n + 1, NODES: 0, EDGES: 0},
        "networks": {
            name: {
                PRIOR_WIDTH: network.policy_prior.width,
                "margin": network.knows_margin,
                "arrays": [[part, array.dtype.str[1:], array.size] for part, array in _arrays(network)],
            }
            for name, network in networks_of(game).items()
        },
        "bots": {name: bots_at(options) for name, options in tables(game).items()},
        "levels": [_level(number, game) for number in range(1, len(LEVELS) + 1)],
        "search": {
            "settings": forest_at(game.options.of()).settings.tolist(),
            "years": limits.years,
            "cut": limits.prune_margin,
            "trust": limits.prior_visits,
            "slope": limits.value_scale,
            "skip_forced": game.rule_parameter("skip_forced"),
            "last": None if clock.last is None else game.rule_parameter(clock.last),
            "late": clock.late,
            "record": {key: _location(game.dtype, name) for key, name in fields.items() if name is not None},
            **margin,
        },
        "columns": {columns.__name__: {column.name: int(column) for column in columns} for columns in COLUMNS},
    }


def write_networks(game: GameSpec, folder: Path) -> None:
    """Write each network as the concatenation of its arrays, in the order of `manifest`."""
    for name, network in networks_of(game).items():
        with atomic(folder / f"{name}.bin") as file:
            file.write_bytes(b"".join(array.tobytes() for _, array in _arrays(network)))


def _arrays(network: Network) -> list[tuple[str, np.ndarray]]:
    """Return the arrays of a network's file. Weights that were stored in half precision stay so."""
    net = network.net
    halves = net.weights.astype(np.float16)
    weights = halves if (halves == net.weights).all() else net.weights
    return [("sizes", net.sizes), ("scalars", net.scalars), ("weights", weights), ("logs", net.logs)]


def _location(record: np.dtype, name: str) -> list[Any]:
    """Return the dtype, byte offset and length of a field."""
    fields: Any = record.fields
    dtype, offset = fields[name][:2]
    return [dtype.base.str[1:], offset, math.prod(dtype.shape)]


def bots_at(options: Options) -> dict[str, Any]:
    """Return the row of a table in the description."""
    forest = forest_at(options)
    names = {id(network.net): name for name, network in networks_of(options.game_spec).items()}
    batch = Batch(1, options)
    batch.start(make_key(0))

    def network_of(name: str) -> str | None:
        ((network, _),) = Champions(options.game_spec, name).parts(batch.obs)
        return names[id(network.net)] if isinstance(network, Network) else None

    return {
        "network": network_of(NAME),
        "level": network_of(FROZEN),
        "player": names.get(id(forest.net)),
        "config": forest.config.tolist(),
    }


def _level(number: int, game: GameSpec) -> dict[str, Any]:
    level = LEVELS[number - 1]
    kind = level.bot.partition(":")[0]
    bot: Any = make_agent(level.bot, game=game)
    budget = {"simulations": bot.limits.simulations, "batch_size": bot.limits.batch_size} if kind == "ismcts" else {}
    return {"bot": kind, "slips": level.slips, **budget}


def _largest(tuples: Iterable[Net | Room]) -> Any:
    """Return zeros of the largest length of each array of some tuples."""
    rows = list(tuples)
    return type(rows[0])(*(np.zeros(max(map(len, parts)), parts[0].dtype) for parts in zip(*rows)))


def _shapes(**arguments: Any) -> dict[str, tuple[int | str, ...]]:
    """Return the shapes of arrays, and of those of named tuples."""
    shapes: dict[str, tuple[int | str, ...]] = {}
    for name, value in arguments.items():
        parts = value._asdict().items() if isinstance(value, Net | Room) else ()
        shapes |= {f"{name}.{part}": array.shape for part, array in parts} if parts else {name: np.shape(value)}
    return shapes


def _prior_scores(batch: Batch) -> np.ndarray:
    return np.zeros((len(batch), batch.game_spec.actions.n + 1), np.int16)
