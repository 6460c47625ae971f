"""What faults of programs cost the others at a table, and where they are told."""

import json
import sys
from dataclasses import replace

import pytest

import vitienv
from tests.command import logs, run
from tests.external_players.endpoint import Stub, first
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
# It takes the first choice three times and then ends.
PLAYER = """
import json, sys
for _, line in zip(range(3), sys.stdin):
    print(json.dumps({"action": json.loads(line)["choices"][0]["number"]}), flush=True)
"""


@pytest.fixture
def spec(tmp_path):
    """A bot that faults in each of its games; its name is told as it is, with what a terminal might show otherwise."""
    (tmp_path / ":bug:.py").write_text(PLAYER)
    return f"program:{sys.executable} {tmp_path / ':bug:.py'}"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_others_share_the_first_place(spec, players):
    """Whoever had most points when the game was cut off."""
    options = vitienv.game_spec(GAME).options.of(num_players=players, skip_forced=True)
    seating = [[int(seat != own) for seat in range(players)] for own in range(players)]
    played = play(options, range(players), seating, make_bots((spec, "heuristic"), 0, GAME))
    assert len(played.forfeits) == players
    for game, (seat, _) in played.forfeits.items():
        assert played.ranks[game].tolist() == [players if other == seat else 1 for other in range(players)]


def test_a_tournament_shares_the_win(spec, tmp_path):
    bots = (spec, "heuristic", "random")
    results = run_tournament(Settings(bots, 3, 6, game=GAME), tmp_path / "run")
    rates = {bot["agent"]: bot["win_rate"]["value"] for bot in results["bots"]}
    ahead = {(pair["agent"], pair["than"]): pair["ahead"]["value"] for pair in results["ahead"]}
    assert rates == {spec: 0, "heuristic": 0.5, "random": 0.5}
    assert ahead["heuristic", "random"] == 0.5 and ahead["random", spec] == 1


def test_a_game_that_a_fault_ended_is_replayed_and_reported(spec, capsys, tmp_path):
    """It stands as it did then, and is lost as the tournament says."""
    import pandas as pd

    run_tournament(Settings((spec, "heuristic", "random"), 3, 6, game=GAME, multipv=2), tmp_path / "run")
    seat = logs(tmp_path / "run")[0]["forfeit"]["seat"]
    forfeit = f"Forfeit: seat {seat + 1} {spec} lost by crash: exited with status 0"
    for words in ((), ("--words",)):
        status, out, _ = run(capsys, "replay", str(tmp_path / "run"), *words)
        assert status == 0 and forfeit in out.splitlines()
    assert story(logs(tmp_path / "run")[0])["forfeit"] == forfeit  # of --html and --web
    assert run(capsys, "analyse", str(tmp_path / "run"), "--processes", "1")[0] == 0
    told = pd.read_parquet(tmp_path / "run" / "report" / "bots.parquet").set_index("bot")
    means = pd.read_parquet(tmp_path / "run" / "games.parquet").groupby("agent")[["win", "points"]].mean()
    assert told["win_share"].to_dict() == pytest.approx(means["win"].to_dict()) and told["win_share"][spec] == 0
    assert told["points"].to_dict() == pytest.approx(means["points"].to_dict())


@pytest.mark.parametrize("forfeit", [3, {"seat": 2, "kind": "crash", "text": "x"}, {"seat": 0, "kind": "crash"}])
def test_damaged_forfeits_are_refused(forfeit):
    with pytest.raises(ValueError, match="the log is damaged: a forfeit must have"):
        describe_forfeit({"forfeit": forfeit}, 2)


def test_forfeits_are_described_in_one_line():
    log = {"forfeit": {"seat": 1, "kind": "crash", "text": "out\nof \x1b[2J"}, "agents": ["a", "b"]}
    assert describe_forfeit(log, 2) == "Forfeit: seat 2 b lost by crash: out of ?[2J" and describe_forfeit({}, 2) == ""


def test_evaluate_says_the_faults(spec, capsys):
    line = ["evaluate", spec, "--opponents", "heuristic", "--game", GAME, "--games", "4", "--processes", "1"]
    status, out, _ = run(capsys, *line)
    assert status == 0 and f"  {spec} lost 4 games by crash" in out.splitlines()
    assert json.loads(run(capsys, *line, "--json")[1])["results"][0]["forfeits"] == {spec: {"crash": 4}}
    (one,) = json.loads(run(capsys, *line[:1], "random", *line[2:], "--json")[1])["results"]
    assert one["forfeits"] == one["notes"] == {}


def test_a_level_is_said_with_the_faults(spec, capsys):
    line = ["evaluate", spec, "--levels", "--game", GAME, "--games", "6"]
    status, out, _ = run(capsys, *line)
    assert status == 0 and f"  {spec} lost 6 games by crash" in out.splitlines()
    (result,) = json.loads(run(capsys, *line, "--json")[1])
    assert result["forfeits"] == {spec: {"crash": 6}} and result["notes"] == {}


def test_a_challenge_is_said_with_the_faults(spec, capsys, tmp_path):
    """Those of the seeds too that were played before it was interrupted."""
    line = ["ladder", "challenge", spec, "--game", GAME, "--file", str(tmp_path / "l.json"), "--processes", "1"]
    status, out, _ = run(capsys, *line, "--max-pairs", "8")
    assert status == 0 and f"  {spec} lost 16 games by crash" in out.splitlines()
    result = json.loads(run(capsys, *line, "--max-pairs", "9", "--json")[1])
    assert result["forfeits"] == {spec: {"crash": 18}} and result["notes"] == {} and result["score"] == 0


def test_a_point_of_a_curve_is_said_with_the_faults(spec, capsys, tmp_path):
    """The file of the points has no column for them."""
    bot = "ismcts:playout=random,prior=uniform"
    line = ["ladder", "curve", "--agent", bot, "--opponents", spec, "--game", GAME, "--file", str(tmp_path / "c.csv")]
    line += ["--simulations", "2", "--seeds", "1", "--processes", "1", "--table", "2"]
    status, _, error = run(capsys, *line)
    assert status == 0 and f"vitienv: table 2, 2 simulations: {spec} lost 2 games by crash" in error.splitlines()


@pytest.mark.parametrize("kind", ["--players 1", "--campaign 1 --max-games 2", "--game world --option continent=asia"])
def test_faults_alone_and_in_a_team_lose_the_game_and_are_said(spec, capsys, kind):
    line = ["evaluate", spec, *kind.split(), *(["--games", "2"] * ("campaign" not in kind)), "--processes", "1"]
    status, out, _ = run(capsys, *line)
    assert status == 0 and f"  {spec} lost 2 games by crash" in out.splitlines()
    (result,) = json.loads(run(capsys, *line, "--json")[1])["results"]
    assert result["forfeits"] == {spec: {"crash": 2}} and result["notes"] == {}
    assert sum(one["lost"] for one in result.get("challenges", [{"lost": 2}])) == 2
    assert result.get("win_rate", {"value": 0})["value"] == 0


@pytest.mark.parametrize(("seat", "outcome"), [(0, -1), (1, 1)])
def test_a_fault_loses_against_a_rival(spec, seat, outcome):
    """In whichever seat the program is."""
    bots = make_bots((spec, "heuristic") if seat == 0 else ("heuristic", spec), 0)
    options = Options(ruleset="solo", num_players=2, automa_replacement="rival")
    played = play_solo(options, bots[0], [1, 2], bots[1])
    assert played.outcome.tolist() == [outcome] * 2
    assert all(played.points_by_year.mask[game, year - 1 :].all() for game, year in enumerate(played.years))
    assert [lost for lost, _ in played.forfeits.values()] == [seat] * 2


@pytest.mark.parametrize("task", ["toscana_two: .*level:5", "solo:", "asia"])
def test_a_row_of_the_benchmark_is_said_with_the_faults(spec, capsys, tmp_path, monkeypatch, task):
    monkeypatch.setitem(benchmark.protocol(), "games", 4)
    only = ["--only", f"^{task}", "--out", str(tmp_path / "b.csv"), "--processes", "1"]
    status, _, error = run(capsys, "bench", "tasks", spec, *only)
    assert status == 0 and f"vitienv: benchmark: {spec} lost 4 games by crash" in error.splitlines()


def test_what_a_model_counted_is_said(capsys):
    stub = Stub(first)
    model = f"llm:model=m,url={stub.url},key=NONE"
    line = ["evaluate", model, "--opponents", "random", "--game", GAME, "--games", "2", "--max-years", "1"]
    status, out, _ = run(capsys, *line, "--processes", "1")
    stub.close()
    assert status == 0 and out.splitlines()[-1].startswith(f"  llm:model=m: {len(stub.requests)} answers, 0 unparsed, ")


def test_the_table_has_columns_for_faults(spec, tmp_path):
    import pandas as pd

    run_tournament(Settings((spec, "random"), 2, 4, game=GAME), tmp_path / "run")
    table = pd.read_csv(tmp_path / "run" / "table.csv").set_index("agent")
    assert table["forfeits_crash"].to_dict() == {spec: 4, "random": 0}
    run_tournament(Settings(("heuristic", "random"), 2, 4, game=GAME), tmp_path / "other")
    assert not [
        name for name in pd.read_csv(tmp_path / "other" / "table.csv") if name.startswith(("forfeits", "notes"))
    ]


def test_names_are_short_where_they_tell_the_bots_apart():
    one, other = (f"llm:url=http://localhost:{port}/v1,model=m,log=/tmp/{port}.jsonl" for port in (1, 2))
    assert names_of([one, "random"]) == {one: "llm:model=m", "random": "random"}
    assert names_of([one, other]) == {one: one, other: other}
    spec = "llm:url=http://localhost/v1,log=a,b.jsonl,model=m,key=OWN"
    assert names_of([spec]) == {spec: "llm:model=m"}
    assert names_of(["policy:runs/a,seed=1"]) == {"policy:runs/a,seed=1": "policy:runs/a,seed=1"}


@pytest.mark.parametrize("teams", [False, True])
def test_a_tournaments_table_shows_short_names_and_faults(teams):
    long = "llm:model=m,url=http://localhost:1/v1,log=/tmp/answers.jsonl"
    rate = {"value": 0.5, "low": 0.0, "high": 1.0, "seeds": 10}
    bot = {"agent": long, "games": 2, "rating": {"value": 25.0, "low": None, "high": None}, "win_rate": rate,
           "points": rate, "mean_rank": 1.5, "mean_years": 3.0, "by_seat": [], "forfeits": {"illegal": 2},
           "notes": {"unparsed": 7}}  # fmt: skip
    results = {"games": 2, "seeds": 1, "truncated": 1, "seats": [], "mean_years": 3.0, "settings": {"game": GAME},
               "bots": [bot]}  # fmt: skip
    table = show(results | ({"teams": []} if teams else {}))
    assert "2 games" in table.title and ", 1 cut off" in table.title
    assert "llm:model=m" in [cell for column in table.columns for cell in column.cells]
    assert table.caption.endswith("; llm:model=m lost 2 games by illegal; llm:model=m: 7 unparsed")


def test_a_model_is_asked_about_several_games_at_once(tmp_path):
    """Also in a tournament of few games; those are the same in chunks of any size, and when they are gone on with."""
    stub, few = Stub(first), {"games": 6, "seed": 3, "game": GAME, "options": {"max_rounds": 2}}
    model = f"llm:model=m,url={stub.url},at_once=5"
    run_tournament(Settings((model, "random"), **few), tmp_path / "run")
    assert load_settings(tmp_path / "run", plays=False).chunk_size == 5
    begun = Settings((model, "random"), **few, chunk_size=2)
    with pytest.raises(KeyboardInterrupt):
        run_tournament(begun, tmp_path / "begun", on_progress=stopped)
    assert len(list((tmp_path / "begun" / "chunks").glob("[0-9]*"))) == 1
    run_tournament(replace(begun, chunk_size=0), tmp_path / "begun")
    stub.close()
    assert load_settings(tmp_path / "begun", plays=False).chunk_size == 2
    assert logs(tmp_path / "run") == logs(tmp_path / "begun")


def stopped(done, of):
    """Progress that is interrupted after the first games."""
    if done:
        raise KeyboardInterrupt
