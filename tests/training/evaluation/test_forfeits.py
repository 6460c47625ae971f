"""Forfeits of failing programs: results for all seats, and remarks of every command."""

import json
from dataclasses import replace

import pandas as pd
import pytest

import vitienv
from tests.command import logs, run
from tests.external_players.endpoint import Stub, first
from tests.external_players.programs import write_player
from tests.training.evaluation.test_tournament import interrupt
from vitienv.agents.seeding import make_bots
from vitienv.session.replay import describe_forfeit
from vitienv.training.evaluation import benchmark
from vitienv.training.evaluation.match import play
from vitienv.training.evaluation.notes import names_of
from vitienv.training.evaluation.standings import show
from vitienv.training.evaluation.tournament import Settings, load_settings, run_tournament
from vitienv.training.viticulture.solo import play_solo
from vitienv.viticulture.options import Options
from vitienv.web.replay_page import story

GAME = "toscana"


@pytest.fixture
def spec(tmp_path):
    """Spec of a program that crashes in each of its games; a terminal could interpret its name as markup."""
    return write_player(tmp_path / ":bug:.py", 3)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_other_seats_share_the_first_place(spec, num_players):
    options = vitienv.game_spec(GAME).options.of(num_players=num_players, skip_forced=True)
    seating = [[int(seat != row) for seat in range(num_players)] for row in range(num_players)]
    played = play(options, range(num_players), seating, make_bots((spec, "heuristic"), 0, GAME))
    assert len(played.forfeits) == num_players
    for game, (loser, _) in played.forfeits.items():
        assert played.ranks[game].tolist() == [num_players if seat == loser else 1 for seat in range(num_players)]


def test_a_forfeit_counts_alike_in_results_replay_and_report(spec, capsys, tmp_path):
    folder, bots = tmp_path / "run", (spec, "heuristic", "random")
    results = run_tournament(Settings(bots, 3, 6, game=GAME, multipv=2), folder)
    rates = {bot["agent"]: bot["win_rate"]["value"] for bot in results["bots"]}
    ahead = {(pair["agent"], pair["than"]): pair["ahead"]["value"] for pair in results["ahead"]}
    assert rates == {spec: 0, "heuristic": 0.5, "random": 0.5}
    assert ahead["heuristic", "random"] == 0.5 and ahead["random", spec] == 1
    assert pd.read_csv(folder / "table.csv").set_index("agent")["forfeits_crash"].to_dict() == {
        spec: 6, "random": 0, "heuristic": 0
    }  # fmt: skip
    log = logs(folder)[0]
    forfeit = f"Forfeit: seat {log['forfeit']['seat'] + 1} {spec} lost by crash: exited with status 0"
    for words in ((), ("--text",)):
        status, out, _ = run(capsys, "replay", str(folder), *words)
        assert status == 0 and forfeit in out.splitlines()
    assert story(log)["forfeit"] == forfeit
    assert run(capsys, "analyse", str(folder), "--processes", "1")[0] == 0
    report = pd.read_parquet(folder / "report" / "bots.parquet").set_index("bot")
    means = pd.read_parquet(folder / "games.parquet").groupby("agent")[["win", "points"]].mean()
    assert report["win_share"].to_dict() == pytest.approx(means["win"].to_dict()) and report["win_share"][spec] == 0
    assert report["points"].to_dict() == pytest.approx(means["points"].to_dict())


@pytest.mark.parametrize("forfeit", [3, {"seat": 2, "kind": "crash", "text": "x"}, {"seat": 0, "kind": "crash"}])
def test_damaged_forfeits_are_refused(forfeit):
    with pytest.raises(ValueError, match="the log is damaged: a forfeit must have"):
        describe_forfeit({"forfeit": forfeit}, 2)


def test_forfeits_are_described_in_one_line():
    log = {"forfeit": {"seat": 1, "kind": "crash", "text": "out\nof \x1b[2J"}, "agents": ["a", "b"]}
    assert describe_forfeit(log, 2) == "Forfeit: seat 2 b lost by crash: out of ?[2J" and describe_forfeit({}, 2) == ""


# Command, number of forfeits, and words for a second run that resumes the first one.
COMMANDS = {
    "table": ("evaluate SPEC --opponents heuristic --game toscana --games 4 --processes 1", 4, "", 4),
    "level": ("evaluate SPEC --levels --game toscana --games 6", 6, "", 6),
    "challenge": ("ladder challenge SPEC --game toscana --file FILE --processes 1 --max-pairs 8", 16, "--max-pairs 9",
                  18),
    "alone": ("evaluate SPEC --players 1 --games 2 --processes 1", 2, "", 2),
    "campaign": ("evaluate SPEC --campaign 1 --max-games 2 --processes 1", 2, "", 2),
    "team": ("evaluate SPEC --game world --option continent=asia --games 2 --processes 1", 2, "", 2),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_report_forfeits_in_text_and_json(spec, capsys, tmp_path, name):
    line, num_forfeits, options, num_resumed = COMMANDS[name]
    words = [{"SPEC": spec, "FILE": str(tmp_path / "l.json")}.get(word, word) for word in line.split()]
    status, out, _ = run(capsys, *words)
    assert status == 0 and f"  {spec} lost {num_forfeits} games by crash" in out.splitlines()
    output = json.loads(run(capsys, *words, *options.split(), "--json")[1])
    (result,) = output["results"] if "results" in output else output if isinstance(output, list) else [output]
    assert result["forfeits"] == {spec: {"crash": num_resumed}} and result["notes"] == {}
    assert sum(row["lost"] for row in result.get("challenges", [{"lost": 2}])) == 2
    assert result.get("win_rate", {"value": 0})["value"] == result.get("score", 0) == 0 or name == "campaign"


@pytest.mark.parametrize("task", ["toscana_two:.*level:5", "solo:", "asia"])
def test_benchmark_reports_forfeits_on_stderr(spec, capsys, tmp_path, monkeypatch, task):
    monkeypatch.setitem(benchmark.protocol(), "games", 4)
    words = ["bench", "tasks", spec, "--only", f"^{task}", "--out", str(tmp_path / "rows.csv"), "--processes", "1"]
    status, _, error = run(capsys, *words)
    assert status == 0 and f"vitienv: benchmark: {spec} lost 4 games by crash" in error.splitlines()


@pytest.mark.parametrize(("seat", "outcome"), [(0, -1), (1, 1)])
def test_a_forfeit_against_a_rival_loses_in_either_seat(spec, seat, outcome):
    bots = make_bots((spec, "heuristic") if seat == 0 else ("heuristic", spec), 0)
    options = Options(ruleset="solo", num_players=2, automa_replacement="rival")
    played = play_solo(options, bots[0], [1, 2], bots[1])
    assert played.outcome.tolist() == [outcome] * 2
    assert [loser for loser, _ in played.games.forfeits.values()] == [seat] * 2


def test_evaluate_reports_the_counters_of_a_model(capsys):
    stub = Stub(first)
    model = f"llm:model=m,url={stub.url},key=NONE"
    line = f"evaluate {model} --opponents random --game toscana --games 2 --option max_rounds=1 --processes 1"
    status, out, _ = run(capsys, *line.split())
    stub.close()
    assert status == 0 and out.splitlines()[-1].startswith(f"  llm:model=m: {len(stub.requests)} answers, 0 unparsed, ")


URL = "llm:url=http://localhost:{0}/v1,model=m,log=/tmp/{0}.jsonl"


@pytest.mark.parametrize("names", [
    {URL.format(1): "llm:model=m", "random": "random"},
    {URL.format(1): URL.format(1), URL.format(2): URL.format(2)},
    {"llm:url=http://localhost/v1,log=a,b.jsonl,model=m,key=OWN": "llm:model=m"},
    {"policy:runs/a,seed=1": "policy:runs/a,seed=1"},
])  # fmt: skip
def test_names_are_short_unless_two_bots_would_share_one(names):
    assert names_of(names) == names


@pytest.mark.parametrize("teams", [False, True])
def test_the_table_of_a_tournament_shows_short_names_and_forfeits(teams):
    spec = "llm:model=m,url=http://localhost:1/v1,log=/tmp/answers.jsonl"
    rate = {"value": 0.5, "low": 0.0, "high": 1.0, "seeds": 10}
    bot = {"agent": spec, "games": 2, "rating": {"value": 25.0, "low": None, "high": None}, "win_rate": rate,
           "points": rate, "mean_rank": 1.5, "mean_years": 3.0, "by_seat": [], "forfeits": {"illegal": 2},
           "notes": {"unparsed": 7}}  # fmt: skip
    results = {"games": 2, "seeds": 1, "truncated": 1, "seats": [], "mean_years": 3.0, "bots": [bot],
               "settings": {"game": GAME, "on_failure": "forfeit"}}  # fmt: skip
    table = show(results | ({"teams": []} if teams else {}))
    assert "2 games" in table.title and ", 1 cut off" in table.title
    assert "llm:model=m" in [cell for column in table.columns for cell in column.cells]
    assert table.caption.endswith("; llm:model=m lost 2 games by illegal; llm:model=m: 7 unparsed")


def test_a_model_answers_for_parallel_games_of_one_chunk(tmp_path):
    """Games do not depend on the chunk size, nor on an interruption."""
    stub, settings = Stub(first), {"games": 6, "seed": 3, "game": "tests.toy.game_spec"}
    model = f"llm:model=m,url={stub.url},at_once=5"
    run_tournament(Settings((model, "random"), **settings), tmp_path / "run")
    assert load_settings(tmp_path / "run", plays=False).chunk_size == 5
    interrupted = Settings((model, "random"), **settings, chunk_size=2)
    interrupt(interrupted, tmp_path / "interrupted")
    assert len(list((tmp_path / "interrupted" / "chunks").glob("[0-9]*"))) == 1
    run_tournament(replace(interrupted, chunk_size=0), tmp_path / "interrupted")
    stub.close()
    assert load_settings(tmp_path / "interrupted", plays=False).chunk_size == 2
    assert logs(tmp_path / "run") == logs(tmp_path / "interrupted")
