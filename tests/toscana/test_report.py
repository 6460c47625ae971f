"""vitienv analyse of games of this game: its tables against what the games themselves say."""

import numpy as np
import pandas as pd
import pytest

from vitienv.toscana.enums import GOODS
from vitienv.training.evaluation.tournament import Settings, run_tournament
from vitienv.training.report.make import collect, make_report

BOTS = ("heuristic", "pieces", "market")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tournament") / "run"
    settings = Settings(BOTS, 3, 12, game="toscana", options={"map": "pieces", "player_trades": True})
    run_tournament(settings, folder)
    return folder


@pytest.fixture(scope="module")
def tables(folder):
    report = make_report(folder)
    return {name: pd.read_parquet(folder / "report" / f"{name}.parquet") for name in report["rows"]}


def everybody(table):
    return table[table["bot"] == "all bots"]


def test_money_by_source_adds_up(folder, tables):
    facts = collect(folder, Settings(BOTS, 3, 12, game="toscana"))
    total = facts.frames["money"].groupby("unit")["money"].sum()
    assert (total.reindex(facts.seats.index) == facts.seats["points"]).all()
    money = everybody(tables["money_by_source"]).set_index("source")["total"]
    assert money["start"] == 3 * len(facts.seats) and money["last sale"] > 0
    assert money[[f"{good} bought" for good in GOODS if f"{good} bought" in money]].lt(0).all()


def test_every_seat_is_counted_once(tables):
    n = everybody(tables["seats"])["n"].sum() // 2
    assert n == tables["bots"]["n"].sum() == everybody(tables["plans"])["n"].sum()
    seats = everybody(tables["seats"])
    assert set(seats["map"]) == {"pieces"} and set(seats[seats["kind"] == "place"]["which"]) == {"1", "2", "3"}
    first = everybody(tables["squares"])
    assert first[first["piece"] == 0]["n"].sum() == n
    assert set(everybody(tables["services"])["service"]) >= {"none", "mr_rose"}


def test_orders_tiles_and_prices_by_round(tables):
    orders = everybody(tables["orders"])
    assert all(sorted(order.split(" > ")) == ["hiring", "trading", "winemaking"] for order in orders["order"])
    tiles = everybody(tables["tiles"])
    assert tiles[tiles["round"] == "all"]["total"].sum() == tiles[tiles["round"] != "all"]["total"].sum()
    prices = tables["prices"]
    assert prices["price"].between(1, 7).all() and (prices["full"] + prices["empty"] <= 100).all()
    assert (prices.groupby("round")["good"].nunique() == len(GOODS)).all()
    games = prices[prices["good"] == "red"].set_index("round")["total"]
    assert games[1] == games.max() and (np.diff(games) <= 0).all()


def test_report_has_all_sections(folder, tables):
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    for heading in ("Seats", "Plans", "Order of actions", "First squares", "Money by source", "Prices and storages"):
        assert f"{heading}</h2>" in page
    assert page.count("<img ") == 1
