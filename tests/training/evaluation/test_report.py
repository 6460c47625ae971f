"""Reports: replayed games, sources of points, counts, intervals, files, and refused runs."""

import gzip
import json
import re
import shutil
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import vitienv
from tests.command import logs as logs_in
from vitienv.agents import make_agent
from vitienv.training.evaluation.match import play
from vitienv.training.evaluation.tournament import Settings, load_settings, run_tournament
from vitienv.training.ratings import win_shares
from vitienv.training.report import make, page
from vitienv.training.report.make import make_report
from vitienv.training.report.summary import ALL_BOTS
from vitienv.training.report.traces import trace
from vitienv.training.viticulture import report as report_of_viticulture
from vitienv.training.viticulture.report.facts import SPACE_KINDS, facts_of
from vitienv.training.viticulture.report.report_sections import SECTIONS, tables_of
from vitienv.training.viticulture.report.sources import Source, points_of
from vitienv.viticulture.cards import KIND, ORDERS
from vitienv.viticulture.enums import ACTS, STRUCTURES
from vitienv.viticulture.options import Options

BOTS = ("heuristic", "visitors", "random")
OPTIONS = {
    "two": {"num_players": 2},
    "three": {"num_players": 3, "draft_parents": True},
    "four": {"num_players": 4, "friendly": True},
    "six": {"num_players": 6},
    "every decision": {"num_players": 2, "skip_forced": False},
    "original": {"num_players": 3, "ruleset": "original"},
    "alone": {"ruleset": "solo", "max_years": None},
}


def logs_of(options, seeds=(1, 2, 3, 4)):
    """Return games as logged by a tournament."""
    options = Options.of(**{"skip_forced": True, "max_years": 12, **options})
    seats = options.num_players
    seating = [[(game + seat) % len(BOTS) for seat in range(seats)] for game in range(len(seeds))]
    played = play(options, seeds, seating, [make_agent(bot, seed=1) for bot in BOTS])
    return [
        {"number": i, "seed_number": i, "agents": [BOTS[bot] for bot in seating[i]]} | played.log(i)
        for i in range(len(seeds))
    ]


@pytest.fixture(scope="module", params=OPTIONS)
def logs(request):
    return logs_of(OPTIONS[request.param])


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The run directory of a small tournament."""
    folder = tmp_path_factory.mktemp("report") / "run"
    run_tournament(Settings(BOTS, 3, 12, seed=4, options={"max_years": 9}), folder)
    return folder


@pytest.fixture(scope="module")
def report(run, tmp_path_factory):
    out = tmp_path_factory.mktemp("report") / "out"
    make_report(run, out)
    return out


# Points.


def test_points_by_source_add_up_to_the_final_points(logs):
    played = trace(logs)
    points = points_of(played)
    total = np.zeros(played.points.shape, np.int64)
    np.add.at(total, (points["game"], points["seat"]), points["points"])
    assert np.array_equal(total, [log["scores"] for log in logs])
    assert total.max() >= 10
    assert Source.UNKNOWN not in set(points["kind"])
    once = points[points["kind"].isin([Source.WINDMILL, Source.TASTING_ROOM, Source.BONUS_SPACE, Source.WAKE_UP_ROW])]
    assert set(once["points"]) == {1}
    others = points[points["kind"] == Source.ANOTHERS_VISITOR]
    assert set(others["source"]) <= {"banker", "queen"} and set(others["points"]) <= {-1}


def test_counts_are_those_of_the_moves():
    """If no decision is omitted from the log, the names of its moves determine all events."""
    logs = logs_of({"num_players": 3, "skip_forced": False})
    facts, moves = facts_of(trace(logs)), Counter()
    for i, log in enumerate(logs):
        game = vitienv.Game.new(seed=log["seed"], **log["options"])
        for move in log["moves"]:
            moves[game.decision, i * 3 + game.current_seat, game.year, move] += 1
            game.step(move)

    def expected(decision, prefix):
        return {tuple(key): n for (name, *key), n in moves.items() if name == decision and prefix in key[-1]}

    def counts(rows, name):
        return Counter((int(row.unit), int(row.year), name(row)) for row in rows.itertuples())

    frames, names = facts.frames, {kind: f"card:{name}" for name, kind in KIND.items()}
    built = frames["structures"][frames["structures"]["year"] > 0]
    assert counts(frames["orders"], lambda row: names[row.card]) == expected("fill_order", "card:")
    assert counts(frames["visitors"], lambda row: names[row.card]) == expected("play_visitor", "card:")
    assert counts(frames["wake_ups"], lambda row: f"wake_up:{row.row}") == expected("wake_up", "wake_up:")
    assert counts(built, lambda row: f"structure:{STRUCTURES[row.structure]}") == expected(
        "build_structure", "structure:"
    )
    points, order_points = frames["points"], Counter()
    for (unit, _, move), n in expected("fill_order", "card:").items():
        order_points[unit] += n * ORDERS[int(move[-2:]) - 1].vp
    assert points[points["kind"] == Source.ORDER].groupby("unit")["points"].sum().to_dict() == order_points
    assert len(order_points) >= 5
    placements = Counter()
    for decision, prefix in (("place_worker", "place:"), ("plan_action", "place:")):
        for (unit, year, move), n in expected(decision, prefix).items():
            _, act, space, _ = move.split(":")
            space = {"gain_lira": "cart", "yoke": "yoke"}.get(act, {"crowd": "full"}.get(space, space))
            placements[unit, year, (act, space)] += n
    assert counts(frames["placements"], lambda row: (ACTS[row.action], SPACE_KINDS[row.space])) == placements


def test_structures_are_those_on_the_mats(logs):
    facts = facts_of(trace(logs))
    seats = len(logs[0]["agents"])
    standing = set()
    for i, log in enumerate(logs):
        mats = vitienv.replay(log).state.structures[:seats]
        standing |= {(i * seats + int(seat), int(structure)) for seat, structure in zip(*np.nonzero(mats))}
    assert set(zip(facts.frames["structures"]["unit"], facts.frames["structures"]["structure"])) == standing
    assert len(facts.frames["structures"]) == len(standing)


# Actions of two seats in a game of two years: the first legal one, or a pass.
PLANS = (
    ("wake_up:6", "place:give_tour:plain:regular", "place:gain_lira:plain:regular", "option:1", "deck:winter"),
    ("wake_up:2", "place:plant_vine:plain:regular", "card:vine:malvasia", "place:play_summer_visitor:plain:regular",
     "card:summer:surveyor", "field:5"),
)  # fmt: skip


@pytest.fixture(scope="module")
def by_hand():
    """Seat 0 has papa Morten (a point), seat 1 papa Jerry (a windmill), Malvasia and the Surveyor."""
    game = vitienv.Game.new(seed=1331, num_players=2, max_years=2)
    while not game.is_over:
        legal = game.legal_actions()
        plan = {"papa_gift": ("option:1",), "choose_option": ("option:2",)}.get(game.decision, PLANS[game.current_seat])
        game.step(next((move for move in plan if move in legal), "pass" if "pass" in legal else legal[0]))
    return facts_of(trace([{"number": 0, "seed_number": 0, "agents": ["first", "second"]} | game.log]))


def test_points_of_a_game_played_by_hand(by_hand):
    points = by_hand.frames["points"].groupby(["unit", "kind", "source"])["points"].sum().to_dict()
    assert points == {
        (0, Source.PAPAS_GIFT, "morten"): 1,
        (0, Source.WAKE_UP_ROW, "row 6"): 2,
        (1, Source.WINDMILL, "windmill"): 1,
        (1, Source.VISITOR, "surveyor"): 1,
    }
    assert by_hand.seats["win"].tolist() == [0.0, 0.0] and by_hand.seats["points"].tolist() == [3, 2]


def test_openings_of_a_game_played_by_hand(by_hand):
    assert by_hand.frames["visitors"]["deck"].tolist() == ["summer", "summer"]  # the Surveyor and the Planner
    openings = by_hand.frames["openings"].set_index(["unit", "kind"])["opening"].to_dict()
    assert openings[0, "papa"] == "morten: victory point" and openings[1, "papa"] == "jerry: windmill"
    assert openings[0, "placements"] == "give_tour > gain_lira"
    assert openings[1, "placements"] == "plant_vine > play_summer_visitor"


def test_win_shares_of_a_game_played_by_hand(by_hand):
    table = tables_of(by_hand, ["first", "second"])["wake_up_rows"]
    row = table[(table["bot"] == ALL_BOTS) & (table["year"] == 0) & (table["row"] == 6)].iloc[0]
    columns = ["total", "n", "seeds", "win_share", "expected", "win_low", "win_high"]
    assert row[columns].tolist() == [2, 2, 1, 0, 0, 0, 1]  # a truncated game; one seed has no variance


def test_the_first_seats_share_a_win():
    ranks, truncated = np.array([[1, 1, 3], [2, 1, 3], [2, 2, 2], [1, 2, 3]]), np.array([False, False, False, True])
    assert win_shares(ranks, truncated).tolist() == [[0.5, 0.5, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]]


# Files.


def test_the_report_has_every_table(run, report):
    assert {path.name for path in report.iterdir()} == {f"{name}.parquet" for name in SECTIONS} | {"report.html"}
    bots = pd.read_parquet(report / "bots.parquet").set_index("bot")
    results = json.loads((run / "results.json").read_text(encoding="utf-8"))
    for bot in results["bots"]:
        row = bots.loc[bot["agent"]]
        assert row["win_share"] == pytest.approx(bot["win_rate"]["value"])
        assert row["points"] == pytest.approx(bot["points"]["value"]) and row["n"] == bot["seats"]


def test_every_mean_is_inside_its_interval(report):
    for name in [*SECTIONS][1:]:
        table = pd.read_parquet(report / f"{name}.parquet")
        bots = {ALL_BOTS, *BOTS} - ({"random"} if name == "orders" else set())  # random fills no order
        assert len(table) and set(table["bot"]) == bots and set(table["players"]) == {3}
        assert (table["n"] >= 1).all() and (table["seeds"] <= table["n"]).all()
        assert table["win_share"].between(table["win_low"], table["win_high"]).all()
        assert (table["win_low"] < table["win_high"]).all()
        assert table["per_seat"].between(table["per_seat_low"], table["per_seat_high"]).all()
        every = table[table["bot"] == ALL_BOTS]["total"].sum()
        assert every == table[table["bot"] != ALL_BOTS]["total"].sum()


def test_totals_of_the_tables(run, report):
    games = pd.read_parquet(run / "games.parquet")
    points = pd.read_parquet(report / "points_by_source.parquet")
    kinds = points[(points["source"] == "any") & (points["bot"] != ALL_BOTS)].groupby("bot")["total"].sum()
    assert kinds.to_dict() == games.groupby("agent")["points"].sum().to_dict()
    rows = pd.read_parquet(report / "wake_up_rows.parquet")
    springs = rows[(rows["year"] == 0) & (rows["bot"] == ALL_BOTS)]["total"].sum()
    assert springs == games["year"].sum()
    spaces = pd.read_parquet(report / "spaces.parquet")
    spaces = spaces[spaces["bot"] == ALL_BOTS]
    split = spaces.assign(whole=spaces["season"] == "any", part=spaces["space"] != "any")
    sums = split.groupby(["whole", "part"])["total"].sum()
    assert sums[True, False] == sums[False, False] == sums[False, True]
    structures = pd.read_parquet(report / "structures.parquet")
    had = structures[structures["bot"] == ALL_BOTS].groupby(["structure", "when"])["n"].sum().unstack(fill_value=0)
    assert (had["ever"] + had["never"] == len(games)).all() and (had["gift"] + had["year"] == had["ever"]).all()


def test_the_page_has_every_section_and_no_external_resource(report):
    text = (report / "report.html").read_text(encoding="utf-8")
    for name, (heading, _, _) in SECTIONS.items():
        assert f'<section id="{name}"><h2>{heading}</h2>' in text
    assert text.count("<img ") == len(SECTIONS) - 1 and text.index("Read with care") < text.index("<section")
    assert page.CAUTION.split(";")[0] in text and "vitienv tournament heuristic visitors random --players 3" in text
    without_plots = re.sub(r'"data:image/svg\+xml;base64,[^"]+"', '"plot"', text)
    assert not re.search(r"https?:|//|url\(|@import|<script|<link|srcset", without_plots.replace("</", ""))
    assert set(re.findall(r'src="([^"]*)"', without_plots)) == {"plot"}


def test_tables_do_not_depend_on_the_batch_size_or_other_bots(run, report, monkeypatch):
    monkeypatch.setattr(make, "BATCH_GAMES", 5)
    progress = []
    facts = make.collect(run, load_settings(run), lambda *numbers: progress.append(numbers))
    assert progress[-1] == (12, 12) and progress == sorted(progress)
    for bots, compared in ((BOTS, [*BOTS, ALL_BOTS]), (["visitors"], ["visitors"])):
        for name, table in tables_of(facts.select(bots), bots).items():
            tables = table, pd.read_parquet(report / f"{name}.parquet").drop(columns="players")
            rows, expected = (table[table["bot"].isin(compared)].reset_index(drop=True) for table in tables)
            pd.testing.assert_frame_equal(rows, expected, check_dtype=False)


def test_equal_plots_have_equal_bytes(report):
    tables = {name: pd.read_parquet(report / f"{name}.parquet") for name in SECTIONS}
    first, second = (page._svg(report_of_viticulture.plots_of(tables, BOTS)["wake_up_rows"]) for _ in range(2))
    assert first == second


# Refused runs.


@pytest.fixture
def copy(run, tmp_path):
    return shutil.copytree(run, tmp_path / "run")


def change_log(name, value):
    """Return a function that changes a value of the fourth log; a function changes it in place."""

    def change(logs):
        if callable(value):
            value(logs[3][name])
        else:
            logs[3][name] = value

    return change


@pytest.mark.parametrize(("change", "message"), [
    (change_log("moves", list.pop), "game 3 .*end before the game does"),
    (change_log("moves", lambda moves: moves.append("pass")), "game 3 .*after the end"),
    (change_log("moves", lambda moves: moves.__setitem__(5, "wake_up:9")), "game 3 .*no action 'wake_up:9'"),
    (change_log("moves", lambda moves: moves.__setitem__(0, "pass")), "game 3 .*move 1, 'pass', cannot be played"),
    (change_log("state", "x"), "game 3 does not reach its recorded state"),
    (change_log("forfeit", {"seat": 0}), "game 3 .*it has a forfeit in a finished game"),
    (change_log("seed", -1), "seed"),
    (lambda logs: logs[3].pop("agents"), "has no 'agents'"),
    (change_log("agents", None), "game 3 .*damaged"),
    (change_log("agents", list.pop), "game 3 .*names 2 bots"),
    (change_log("agents", lambda bots: bots.__setitem__(0, "stranger")), "log 3 is not .*'stranger'"),
    (change_log("agents", list.reverse), "log 3 is not of this tournament"),
    (change_log("number", 0), "log 3 is not of this tournament"),
    (change_log("seed_number", 0), "log 3 is not of this tournament"),
    (lambda logs: logs.insert(0, logs.pop()), "log 0 is not of this tournament"),
    (change_log("scores", list.reverse), "game 3 .*scores must be"),
    (change_log("ranks", list.reverse), "game 3 .*ranks must be"),
    (change_log("year", 1), "game 3 .*year must be"),
    (change_log("truncated", None), "game 3 .*truncated must be"),
    (change_log("decisions", 1), "game 3 .*decisions must be"),
    (change_log("options", lambda options: options.update(max_years=8)), "game 3"),
    (change_log("format", 9), "game 3 has another format"),
    (list.pop, "11 games of 12"),
])  # fmt: skip
def test_damaged_logs_are_refused(copy, change, message):
    games = logs_in(copy)
    change(games)
    with gzip.open(copy / "logs.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(log) + "\n" for log in games)
    with pytest.raises(ValueError, match=message):
        make_report(copy)
    assert not (copy / "report").exists()


@pytest.mark.parametrize(("name", "content", "message"), [
    ("logs.jsonl.gz", lambda content: content[: len(content) // 2], "damaged"),
    ("logs.jsonl.gz", lambda content: b"not a log", "damaged"),
    ("logs.jsonl.gz", None, "--no-logs"),
    ("results.json", None, "not finished: vitienv tournament --resume"),
    ("settings.json", None, "does not contain a tournament"),
])  # fmt: skip
def test_run_directories_with_damaged_or_missing_files_are_refused(copy, name, content, message):
    path = copy / name
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content(path.read_bytes()))
    with pytest.raises(ValueError, match=message):
        make_report(copy)


def test_unknown_directories_and_bots_are_refused(run, tmp_path):
    with pytest.raises(ValueError, match="unknown bot 'nobody'; expected one of: heuristic"):
        make_report(run, bots=["nobody"])
    with pytest.raises(ValueError, match="does not exist"):
        make_report(tmp_path / "missing")


def test_a_ruleset_without_a_report_is_refused(monkeypatch):
    monkeypatch.setattr(report_of_viticulture, "RULESETS", ("essential", "original"))
    log = {"number": 0, "seed_number": 0, "agents": ["random"]} | vitienv.Game.new(seed=1, ruleset="solo").log
    with pytest.raises(ValueError, match="ruleset of a report must be one of essential, original, got 'solo'"):
        trace([log])
