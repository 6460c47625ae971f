"""Results of games in which a program fails: forfeited, void, or played on by another bot."""

import json
import sys

import pandas as pd
import pytest

import vitienv
from tests.command import contents, logs, refused, run
from tests.external_players.programs import write_player
from vitienv.agents.seeding import make_bot
from vitienv.session.replay import describe_forfeit
from vitienv.training.evaluation.merge import merge
from vitienv.training.evaluation.standings import games_frame, results_of, show
from vitienv.training.evaluation.tournament import Settings, load_settings, read_results, run_tournament

# It exits at some positions, independent of earlier questions.
PICKY = """
import json, sys
for line in sys.stdin:
    if len(line) % 4 == 0:
        sys.exit()
    print(json.dumps({"action": json.loads(line)["choices"][0]["number"]}), flush=True)
"""
SHORT = {"game": "toscana", "options": {"max_rounds": 1}}


@pytest.fixture(scope="module")
def specs(tmp_path_factory):
    """Specs of programs that crash at their third and fourth question, and at some positions."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "picky.py").write_text(PICKY)
    return [*(write_player(folder / f"{n}.py", n) for n in (2, 3)), f"program:{sys.executable} {folder / 'picky.py'}"]


def test_another_bot_plays_on_for_programs_that_fail(specs, tmp_path):
    settings = Settings((*specs[:2], "random"), 3, 6, seed=1, on_failure="replace", multipv=2, **SHORT)
    results = run_tournament(settings, tmp_path / "run")
    assert {bot["agent"]: bot["forfeits"] for bot in results["bots"]} == {
        specs[0]: {"crash": 6}, specs[1]: {"crash": 6}, "random": {}
    }  # fmt: skip
    assert "failed in 6 games by crash" in show(results).caption and "lost" not in show(results).caption
    replacement = make_bot("random", settings.seed, "toscana", 3)
    for log in logs(tmp_path / "run"):
        assert "forfeit" not in log and len(log["candidates"]) == len(log["moves"])
        game = vitienv.Game.new(seed=log["seed"], game="toscana", **log["options"])
        starts = {row["seat"]: row["move"] for row in log["replaced"]}
        answers = dict.fromkeys(starts, 0)
        for number, move in enumerate(log["moves"]):
            seat = game.current_seat
            if seat in starts and number >= starts[seat]:
                action = replacement.act(game.observation()[None], game.mask[None])[0]
                assert move == game.game_spec.actions.name(int(action))
            elif seat in starts:
                answers[seat] += 1
            game.step(move)
        assert game.is_over and game.ranks == log["ranks"]
        assert {log["agents"][seat]: n for seat, n in answers.items()} == {specs[0]: 2, specs[1]: 3}
        assert "Replaced by random after move" in describe_forfeit(log, 3) and "; " in describe_forfeit(log, 3)


def test_replaced_games_do_not_depend_on_chunks_and_can_be_merged(specs, tmp_path, capsys):
    settings = {"num_players": 2, "games": 4, "on_failure": "replace", **SHORT}
    for name, changes in {"a": {"chunk_size": 1}, "b": {"chunk_size": 4}, "c": {"seed": 9}}.items():
        run_tournament(Settings((specs[2], "random"), **settings, **changes), tmp_path / name)
    first, second = contents(tmp_path / "a"), contents(tmp_path / "b")
    assert all(first[name] == second[name] for name in ("games.parquet", "logs.jsonl.gz", "table.csv"))
    assert sum("replaced" in log for log in logs(tmp_path / "a")) > 1
    merged = merge([tmp_path / "a", tmp_path / "c"], tmp_path / "both")
    assert merged["settings"]["on_failure"] == "replace" and merged["games"] == 8
    failures = sum("replaced" in log for name in "ac" for log in logs(tmp_path / name))
    assert {bot["agent"]: bot["forfeits"] for bot in merged["bots"]} == {specs[2]: {"crash": failures}, "random": {}}
    run_tournament(Settings((specs[2], "random"), **settings | {"on_failure": "forfeit", "seed": 8}), tmp_path / "d")
    assert "on_failure forfeit instead of replace" in refused(
        capsys, "tournament", "--merge", tmp_path / "a", tmp_path / "d"
    )


def test_void_games_count_for_failures_only(specs, tmp_path, capsys):
    folder, bots = tmp_path / "run", (specs[0], "random", "random:seed=2")
    settings = Settings(bots, 2, 6, seed=1, on_failure="void", **SHORT)
    results = run_tournament(settings, folder)
    frame = pd.read_parquet(folder / "games.parquet")
    counted = frame[frame.groupby("game")["forfeit"].transform(lambda kinds: (kinds == "").all())]
    assert (results["games"], results["void"]) == (counted["game"].nunique(), 4) == (2, 4)
    by_name = {bot["agent"]: bot for bot in results["bots"]}
    assert by_name[specs[0]]["games"] == 0 and by_name[specs[0]]["forfeits"] == {"crash": 4}
    assert by_name[specs[0]]["rating"]["value"] is None and results["bots"][-1]["agent"] == specs[0]
    for bot in bots[1:]:
        assert by_name[bot]["points"]["value"] == counted[counted["agent"] == bot]["points"].mean()
        assert by_name[bot]["games"] == 2
    assert read_results(folder, load_settings(folder, plays=False)) == json.loads((folder / "results.json").read_text())
    assert ", 4 void, " in show(results).title
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert page.count("★") == 1 + int((counted["win"] > 0).sum()) and "does not count" in page
    assert "6 of 6 games; all rows" in page
    (forfeit, *_) = [log for log in logs(folder) if "forfeit" in log]
    assert describe_forfeit(forfeit, 2).startswith("Void: seat ") and " failed by crash: " in describe_forfeit(
        forfeit, 2
    )
    assert run(capsys, "analyse", str(folder), "--processes", "1")[0] == 0
    report = pd.read_parquet(folder / "report" / "bots.parquet").set_index("bot")
    assert report["n"].to_dict() == dict.fromkeys(bots[1:], 2)


def test_a_bot_without_a_rating_is_not_in_the_mean():
    """Its games are void, so the ratings are those of a tournament without it."""
    games = [
        {"number": i, "seed": i, "seed_number": i, "agents": list(agents), "ranks": [1, 2], "scores": [2, 1], "year": 1,
         "truncated": False, "decisions": 1, "state": "",
         "forfeit": {"seat": 1, "kind": "crash"} if "d" in agents else None}
        for i, agents in enumerate(("ab", "ac", "bc", "ac", "ad", "bd"))
    ]  # fmt: skip
    with_void = results_of(games_frame(games), tuple("abcd"), 2, on_failure="void")["bots"]
    assert with_void[-1]["rating"] == {"value": None, "low": None, "high": None}
    without = results_of(games_frame(games[:4]), tuple("abc"), 2)["bots"]
    assert [bot["rating"] for bot in with_void[:-1]] == [bot["rating"] for bot in without]


def test_a_tournament_of_void_games_only_has_files(specs, tmp_path):
    results = run_tournament(Settings((specs[0], "random"), 2, 2, on_failure="void", **SHORT), tmp_path / "run")
    assert (results["games"], results["seeds"], results["void"], results["ahead"]) == (0, 0, 2, [])
    assert show(results).row_count == 2 and (tmp_path / "run" / "index.html").exists()
