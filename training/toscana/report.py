"""Report plugin of Toscana; see `training.report.generic`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from vitienv.toscana.enums import CAPACITY, GOODS, KINDS, N_SQUARES, N_TILES, SERVICES, TURNS, WINEMASTERS, Phase
from vitienv.toscana.handlers import Decision
from vitienv.toscana.state import Rule
from vitienv.toscana.vocabulary import Move
from vitienv.training.report.facts import Facts, by_unit, seats_of
from vitienv.training.report.summary import bots_table, summary
from vitienv.training.report.traces import Trace

RULESETS: tuple[str, ...] = ()
START, AWARD, LAST_SALE = "start", "third winemaster", "last sale"
SECTIONS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "bots": ("The bots", "", {"bot": "bot"}),
    "seats": (
        "Seats",
        "Seats by position in the first round (1 is the start player) and by number of rounds.",
        {"map": "map", "kind": "kind", "which": "which"},
    ),
    "plans": ("Plans", "Seats by number of hired winemasters.", {"winemasters": "winemasters"}),
    "orders": (
        "Order of actions",
        "Order of actions taken or passed, by round; “all” combines the rounds.",
        {"round": "round", "order": "order"},
    ),
    "squares": (
        "First squares",
        "Squares of the start worker and of the first and second hired piece.",
        {"piece": "piece", "square": "square"},
    ),
    "services": ("Services", "Seats with a hired service.", {"service": "service"}),
    "tiles": ("Tasting tiles", "Tiles by the round of their use.", {"round": "round", "tile": "tile"}),
    "money_by_source": (
        "Money by source",
        "Purchases are negative. The sources sum to the money of a seat.",
        {"source": "source"},
    ),
    "prices": (
        "Prices and storages",
        "At the start of tasting: the mean price level from 1 (the field 0/1) to 7, and how often the market storage "
        "is full or empty, over the games that reach this round.",
        {"round": "round", "good": "good", "price": "price", "full": "full, %", "empty": "empty, %"},
    ),
}  # fmt: skip


def columns(games: np.ndarray, rows: np.ndarray, actions: np.ndarray, frame: np.ndarray) -> dict[str, np.ndarray]:
    """Return prices and market storages (decisions, goods), and the kind of the named square, before each decision."""
    square = np.clip(actions - Move.SQUARE, 0, N_SQUARES - 1)
    return {"price": games["price"][rows], "stock": games["stock"][rows], "kind": games["square_kind"][rows, square]}


def facts_of(trace: Trace) -> Facts:
    """Return the facts of the games."""
    steps, action = trace.steps, trace.steps["action"].astype(np.int64)
    unit, number = trace.units, steps["year"].astype(np.int64)

    def rows(mask: np.ndarray, **extra: np.ndarray) -> pd.DataFrame:
        return by_unit(pd.DataFrame({"unit": unit[mask], "round": number[mask]} | extra))

    is_turn = steps["decision"] == Decision.TAKE_ACTION
    is_square = (action >= Move.SQUARE) & (action < Move.SQUARE + N_SQUARES)
    is_service = (action >= Move.LOBBYIST) & (action <= Move.MR_ROSE)
    is_tasting = (action >= Move.TASTE) & (action < Move.TASTE + N_TILES)
    piece_rows = rows(is_square, square=np.array(KINDS)[steps["kind"][is_square]])
    frames = {
        "units": _units(trace),
        "orders": rows(is_turn, turn=np.array(TURNS)[_turns(action[is_turn])]),
        "squares": piece_rows.assign(piece=piece_rows.groupby("unit").cumcount()),
        "services": rows(is_service, service=np.array(SERVICES)[action[is_service] - Move.LOBBYIST]),
        "tiles": rows(is_tasting, tile=action[is_tasting] - Move.TASTE + 1),
        "money": _money(trace),
        "prices": _prices(trace, is_tasting),
    }
    return Facts(seats_of(trace), frames)


def _turns(action: np.ndarray) -> np.ndarray:
    pass_turns = np.where(action == Move.PASS_HIRING, 0, np.where(action == Move.PASS_TRADING, 2, 1))
    return np.where(action < Move.PASS_HIRING, action - Move.TAKE, pass_turns)


def _units(trace: Trace) -> pd.DataFrame:
    """Return a row per seat: its position in the first round, number of rounds, hired winemasters, and the map."""
    games, (n, seats) = trace.games, trace.points.shape
    rounds = games["round_number"].astype(np.int64)
    first = (games["start_seat"] - (rounds - 1)) % seats  # the seat to the left begins the next round
    position = (np.arange(seats) - first[:, None]) % seats + 1
    return pd.DataFrame({
        "unit": np.arange(n * seats),
        "place": position.reshape(-1),
        "rounds": np.repeat(rounds, seats),
        "winemasters": (WINEMASTERS - games["winemasters"][:, :seats].astype(np.int64)).reshape(-1),
        "map": np.where(np.repeat(games["rules"][:, Rule.MAP_OF_PIECES], seats) == 1, "pieces", "printed"),
    })  # fmt: skip


def _money(trace: Trace) -> pd.DataFrame:
    """Return the sources of each seat's money: a step changes that of the seat to act, the last step that of all."""
    action, change, seats = trace.steps["action"].astype(np.int64), trace.change, trace.points.shape[1]
    gained = change[np.arange(len(change)), trace.steps["seat"]]
    is_tasting = action >= Move.TASTE
    goods = np.array(GOODS)
    is_sale, is_purchase = (action >= Move.SELL) & (action < Move.TASTE), (action >= Move.BUY) & (action < Move.SELL)
    source = np.full(len(action), AWARD, object)
    source[is_sale] = [f"{good} sold" for good in goods[(action[is_sale] - Move.SELL) // CAPACITY]]
    source[is_purchase] = [f"{good} bought" for good in goods[(action[is_purchase] - Move.BUY) // CAPACITY]]
    source[action < Move.DONE + 3] = "trades of seats"
    is_change = (gained != 0) & ~is_tasting
    parts = [pd.DataFrame({"unit": trace.units[is_change], "source": source[is_change], "money": gained[is_change]})]
    partner = change.copy()
    partner[np.arange(len(change)), trace.steps["seat"]] = 0
    for rows, source_name in ((is_tasting, LAST_SALE), (~is_tasting, "trades of seats")):
        moves = change[rows] if source_name == LAST_SALE else partner[rows]
        step, seat = np.nonzero(moves)
        base = trace.steps["game"][rows].astype(np.int64)[step] * seats
        parts.append(pd.DataFrame({"unit": base + seat, "source": source_name, "money": moves[step, seat]}))
    parts.append(
        pd.DataFrame({"unit": np.arange(trace.points.size), "source": START, "money": trace.start.reshape(-1)})
    )
    return by_unit(pd.concat(parts))


def _prices(trace: Trace, is_tasting: np.ndarray) -> pd.DataFrame:
    first = np.flatnonzero(is_tasting & (trace.steps["season"] == Phase.TASTING))
    key = trace.steps["game"][first].astype(np.int64) * 100 + trace.steps["year"][first]
    first = np.sort(first[np.unique(key, return_index=True)[1]])
    rows = np.repeat(first, len(GOODS))
    stock = trace.steps["stock"][first].reshape(-1)
    return by_unit(pd.DataFrame({
        "unit": trace.units[rows], "round": trace.steps["year"][rows].astype(np.int64),
        "good": list(GOODS) * len(first),
        "price": trace.steps["price"][first].reshape(-1).astype(np.int64) + 1,
        "full": stock == CAPACITY, "empty": stock == 0,
    }))  # fmt: skip


def tables_of(facts: Facts, bots: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return all tables by name."""
    frames, units = facts.frames, facts.frames["units"]
    which = [
        units.assign(kind=kind, which=units[column].astype(str))[["unit", "map", "kind", "which"]]
        for kind, column in (("place", "place"), ("rounds", "rounds"))
    ]
    orders = frames["orders"].groupby(["unit", "round"])["turn"].agg(" > ".join).rename("order").reset_index()
    squares = frames["squares"][frames["squares"]["piece"] < 3]
    units_with_service = set(frames["services"]["unit"])
    without_service = facts.seats.index.difference(pd.Index(sorted(units_with_service)))
    services = pd.concat(
        [frames["services"][["unit", "service"]], pd.DataFrame({"unit": without_service, "service": "none"})]
    )
    return {
        "bots": bots_table(facts, bots),
        "seats": summary(facts, pd.concat(which), ["map", "kind", "which"], bots),
        "plans": summary(facts, units, ["winemasters"], bots),
        "orders": summary(facts, _with_total(orders, "round"), ["round", "order"], bots),
        "squares": summary(facts, squares, ["piece", "square"], bots),
        "services": summary(facts, services, ["service"], bots),
        "tiles": summary(facts, _with_total(frames["tiles"], "round"), ["round", "tile"], bots),
        "money_by_source": summary(facts, frames["money"], ["source"], bots, value="money"),
        "prices": _price_table(frames["prices"]),
    }


def _with_total(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the rows, and a copy of them with the key "all"."""
    return pd.concat([rows.assign(**{column: "all"}), rows.assign(**{column: rows[column].astype(str)})])


def _price_table(rows: pd.DataFrame) -> pd.DataFrame:
    grouped = rows.groupby(["round", "good"], sort=False)
    aggregations = {column: (column, "mean") for column in ("price", "full", "empty")}
    table = grouped.agg(**aggregations, total=("price", "size"))
    table = table.assign(price=table["price"].round(2), full=(100 * table["full"]).round(1),
                         empty=(100 * table["empty"]).round(1)).reset_index()  # fmt: skip
    table = table.sort_values("round", kind="stable", ignore_index=True)
    table.insert(0, "bot", "all bots")
    return table


def visible_rows(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows shown on the page: orders and tiles only of all rounds together."""
    return table[table["round"] == "all"] if name in ("orders", "tiles") else table


def plots_of(tables: dict[str, pd.DataFrame], bots: Sequence[str]) -> dict[str, Figure]:
    """Return the plot of the mean prices."""
    table = tables["prices"]
    figure = Figure(figsize=(6, 3), layout="constrained")
    axes = figure.subplots()
    for good, style in zip(GOODS, ("o-", "s-", "^-", "D-", "x--"), strict=True):
        bot_rows = table[table["good"] == good]
        axes.plot(bot_rows["round"], bot_rows["price"], style, label=good)
    axes.set(xlabel="round", ylabel="price (1: the field 0/1)", ylim=(0.8, 7.2))
    axes.legend(frameon=False, fontsize=8)
    return {"prices": figure}
