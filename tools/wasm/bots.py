"""The compiled loops of the bots that ship, and their networks as plain numbers: for targets besides this machine."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from tools.wasm.emit import tables
from vitienv.agents.champions import FROZEN, NAME, Champions, files_in, plugin, quick_of
from vitienv.agents.levels import LEVELS
from vitienv.agents.network import Network
from vitienv.agents.protocol import GameViews
from vitienv.agents.registry import make_agent
from vitienv.agents.search.networks import SHARP
from vitienv.agents.search.searcher import TreeBatch
from vitienv.core.batch import Batch, key_of
from vitienv.core.files import atomic
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import Net, Room, best, evaluate, nobody, room_for
from vitienv.core.options import Options
from vitienv.core.search.forest import Count, Slot, State, Tree
from vitienv.core.search.simulate import EDGE, MARGIN
from vitienv.core.search.tree import Edge, EdgeSum, Node
from vitienv.core.targets.llvm_modules import GAMES, Kernel, names_of

PRIOR_WIDTH = "prior_width"  # length of a network's `prior_scores`, 0 without a policy prior
NODES, EDGES = "nodes", "edges"  # how many a tree may have
COLUMNS = (Tree, Slot, State, Count, Node, Edge, EdgeSum)
SEARCH = LEVELS[-1].bot


def kernels_of(batch: Batch) -> list[Kernel]:
    """Those that the bots of a batch's game are asked by, with the arrays of the batch."""
    return [heuristic_kernel(batch), *network_kernels(batch), search_kernel(batch)]


def heuristic_kernel(batch: Batch) -> Kernel:
    """Kernel of the prior scores of the heuristic bot, which plays the first action with the best score."""
    bot: Any = make_agent(batch.game_spec.heuristic_bot, game=batch.game_spec)
    (loop,) = bot.kernels_for("prior_scores")
    given = dict(zip(names_of(loop), bot.prior_arguments(batch.obs, batch.masks, _prior_scores(batch)), strict=True))
    names = {name: f"heuristic.{name}" for name in given}
    names |= {"observations": "obs", "masks": "masks", "prior_scores": "prior_scores"}
    shapes = {name: np.shape(value) for name, value in given.items() if name not in ("observations", "masks")}
    return Kernel(loop, given, shapes | {"prior_scores": (GAMES, PRIOR_WIDTH)}, names, ("weights",))


def network_kernels(batch: Batch) -> list[Kernel]:
    """The loops of networks, with room for the largest that ships."""
    nets = [network.net for network in networks_of(batch.game_spec).values()]
    net, room = _largest(nets), _largest(room_for(net) for net in nets)
    arguments = {"net": net, "observations": batch.obs, "masks": batch.masks, "prior_scores": _prior_scores(batch),
             "logits": batch.masks.astype(np.float32), "values": np.zeros(len(batch), np.float32),
             "actions": batch.actions, "room": room}  # fmt: skip
    shapes = _fixed(net=net, room=room) | {"prior_scores": (GAMES, PRIOR_WIDTH)}
    return [Kernel(loop, {name: arguments[name] for name in names_of(loop)}, shapes, {"observations": "obs"})
            for loop in (best, evaluate)]  # fmt: skip


def search_kernel(batch: Batch) -> Kernel:
    """The loop of a search of one game; `n` simulations go on side by side."""
    game = batch.game_spec
    forest = forest_at(game.options.of(num_players=game.max_seats))  # where priors are borrowed, which takes most room
    loop = game.searching.simulate
    arguments = dict(zip(names_of(loop), forest.arguments(), strict=True))
    nets = [network.net for network in networks_of(game).values()]
    players = [network.net for network in networks_of(game).values() if not network.policy_prior.width]
    arguments |= {"net": _largest(players or [nobody()]), "room": _largest(map(room_for, nets))}
    shapes: dict[str, tuple[int | str, ...]] = _fixed(**arguments)
    slots = (
        "games",
        "bytes_view",
        "int16_view",
        "masks",
        "rounds",
        "rivals",
        "bases",
        "slots",
        "paths",
        "observations",
        "legal",
        "logits",
        "leaf_values",
        "external_slots",
    )
    for length, arrays in ((GAMES, slots), (NODES, ("nodes", "node_sums")), (EDGES, ("edges", "edge_sums"))):
        shapes |= {name: (length, *arguments[name].shape[1:]) for name in arrays}
    known = {"games": "games", "masks": "masks", "logits": "logits", "net": "player", "room": "room"}
    return Kernel(loop, arguments, shapes, {name: f"search.{name}" for name in arguments} | known)


def forest_at(options: Options) -> TreeBatch:
    """A search by the champion at a table, planted at the first decision."""
    batch = Batch(1, options)
    bot: Any = make_agent(SEARCH, game=options.game_spec)
    batch.start(key_of(0))
    games, first = GameViews(batch, [0]), np.zeros(1, np.int64)
    forest = TreeBatch(games, first, batch.masks, np.zeros((1, 2), np.uint32), bot.guide, bot.limits)
    forest.init_roots(batch.obs)
    return forest


def networks_of(game: GameSpec) -> dict[str, Network]:
    """The networks that ship for a game, by their names."""
    found: dict[str, Network] = {}
    for name in (NAME, FROZEN):
        found |= zip(files_in(game, name), Champions(game, name).networks, strict=True)
    quick = quick_of(game)
    return found if quick is None else found | {plugin(game).QUICK.file: quick}


def about(game: GameSpec) -> dict[str, Any]:
    """What a caller must know of a game's bots, as plain JSON.

    networks: the length of what each hears of the heuristic bot, whether its value of a game alone is a margin, and the
    arrays of its file. bots: for each table the network that plays there, the one of its levels, the one that plays on
    in their searches, and how these go; None where there is none. levels: see `agents.levels`. search: how all searches
    go, and where they read what in a record; columns: of the arrays of a search.
    """
    lead, clock, seen = game.lead, game.clock, game.observation
    margin = {}
    if lead is not None and lead.rival_parameter is not None:
        alone = seen.start("rules") + game.rule_parameter(lead.rival_parameter)
        margin = {"lead": {"alone": alone, "unit": lead.unit, "margin": MARGIN, "edge": EDGE, "sharp": SHARP}}
    search: Any = make_agent(SEARCH, game=game)
    limits = search.limits
    read = {"rules": "rules", "round": clock.round, "phase": clock.phase}
    return {
        "lengths": {PRIOR_WIDTH: game.actions.n + 1, NODES: 0, EDGES: 0},
        "networks": {
            name: {
                PRIOR_WIDTH: network.policy_prior.width,
                "margin": network.knows_margin,
                "arrays": [[part, array.dtype.str[1:], array.size] for part, array in _file_of(network)],
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
            "record": {name: _place(game.dtype, own) for name, own in read.items() if own is not None},
            **margin,
        },
        "columns": {kind.__name__: {one.name: int(one) for one in kind} for kind in COLUMNS},
    }


def write_networks(game: GameSpec, folder: Path) -> None:
    """Write each network as a file of plain numbers, its arrays one after the other as `about` says."""
    for name, network in networks_of(game).items():
        with atomic(folder / f"{name}.bin") as file:
            file.write_bytes(b"".join(array.tobytes() for _, array in _file_of(network)))


def _file_of(network: Network) -> list[tuple[str, np.ndarray]]:
    """The arrays of a network, as they are written. Weights that shipped in half precision are written so."""
    net = network.net
    halves = net.weights.astype(np.float16)
    weights = halves if (halves == net.weights).all() else net.weights
    return [("sizes", net.sizes), ("scalars", net.scalars), ("weights", weights), ("logs", net.logs)]


def _place(record: np.dtype, name: str) -> list[Any]:
    """The kind of a field's numbers, at which byte of a record they begin, and how many there are."""
    fields: Any = record.fields
    own, at = fields[name][:2]
    return [own.base.str[1:], at, math.prod(own.shape)]


def bots_at(options: Options) -> dict[str, Any]:
    """The part of `about` that is of one table."""
    forest = forest_at(options)
    names = {id(network.net): name for name, network in networks_of(options.game_spec).items()}
    batch = Batch(1, options)
    batch.start(key_of(0))

    def playing(name: str) -> str | None:
        ((own, _),) = Champions(options.game_spec, name).parts(batch.obs)
        return names[id(own.net)] if isinstance(own, Network) else None

    return {
        "network": playing(NAME),
        "level": playing(FROZEN),
        "player": names.get(id(forest.net)),
        "config": forest.config.tolist(),
    }


def _level(number: int, game: GameSpec) -> dict[str, Any]:
    level = LEVELS[number - 1]
    kind = level.bot.partition(":")[0]
    bot: Any = make_agent(level.bot, game=game)
    budget = {"simulations": bot.limits.simulations, "at_once": bot.limits.batch_size} if kind == "ismcts" else {}
    return {"bot": kind, "slips": level.slips, **budget}


def _largest(tuples: Iterable[Net | Room]) -> Any:
    """Arrays of zeros in which each of some tuples of arrays has room."""
    each = list(tuples)
    return type(each[0])(*(np.zeros(max(map(len, parts)), parts[0].dtype) for parts in zip(*each)))


def _fixed(**arguments: Any) -> dict[str, tuple[int | str, ...]]:
    """The shapes of arrays, and of those of named tuples, as they are."""
    found: dict[str, tuple[int | str, ...]] = {}
    for name, value in arguments.items():
        parts = value._asdict().items() if isinstance(value, Net | Room) else ()
        found |= {f"{name}.{part}": own.shape for part, own in parts} if parts else {name: np.shape(value)}
    return found


def _prior_scores(batch: Batch) -> np.ndarray:
    return np.zeros((len(batch), batch.game_spec.actions.n + 1), np.int16)
