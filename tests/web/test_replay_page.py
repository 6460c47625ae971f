"""A replay as one page: every drawing is in it, and nothing else is needed."""

import json
import re

import pytest

import vitienv
from tests.command import parts_of, refused
from tests.random_play import decisions, random_game
from vitienv import cli
from vitienv.web.replay_page import replay_page, story
from vitienv.web.score_sheet import score_chart, score_sheet


def played(moves=70, **options):
    return random_game(moves=moves, **options)


@pytest.mark.parametrize("options", [{"num_players": 3}, {"ruleset": "solo"}, {"ruleset": "original"}])
def test_every_move_is_drawn(options):
    game = played(**options)
    data = story(game.log)
    assert len(data["shown"]) == len(game.moves) + 1 == len(data["moves"]) + 1
    again, curve = vitienv.replay({**game.log, "moves": [], "state": None}), []
    for number, forms in enumerate(data["shown"]):
        if number:
            before = again.copy()
            again.step(game.moves[number - 1])
            people = [f"seat {seat + 1}" for seat in range(game.num_players)]
            lines = game.game_spec.text_module.describe_move(before, again, game.moves[number - 1], people)
            assert data["moves"][number - 1]["text"] == " ".join(lines)
        if number % 20 == 0 or number == len(game.moves):
            for columns, pieces in zip(data["forms"], forms, strict=True):
                assert "".join(data["pieces"][piece] for piece in pieces) == again.svg(None, data["names"], columns)
        curve.append(again.scores)
    assert data["chart"] == score_chart(curve, {year["year"]: year["at"] for year in data["years"]}, data["names"])
    assert all(f"({points})</text>" in data["chart"] for points in game.scores)
    years = [year["year"] for year in data["years"]]
    assert years == sorted(set(years)) and years[-1] == game.year


def test_equal_pieces_are_stored_once():
    data = story(played().log)
    pieces = data["pieces"]
    assert len(pieces) == len(set(pieces))
    whole = sum(len(pieces[number]) for forms in data["shown"] for numbers in forms for number in numbers)
    assert sum(map(len, pieces)) < whole / 2


def test_page_makes_no_requests():
    page = replay_page(played(20).log)
    before, data, after = parts_of(page)
    markup = before + after
    assert data["forms"] == [3, 1]
    assert "default-src 'none'" in markup
    assert not re.search(r"\b(src|href)\s*=|@import|url\(|fetch\(|XMLHttpRequest", markup)
    assert not re.findall(r"https?://[^\"' ]+", markup)


def test_names_of_bots_are_escaped():
    log = {**played(5).log, "agents": ["</script><script>alert(1)", "<img src=x>"]}
    page = replay_page(log)
    assert "<script>alert" not in page and "<img" not in page
    assert all("<img" not in piece for piece in story(log)["pieces"])


def test_the_command_writes_the_page(tmp_path, capsys):
    log, page = tmp_path / "game.json", tmp_path / "game.html"
    log.write_text(json.dumps(played(12).log))
    assert cli.run(["replay", str(log), "--html", str(page)]) == 0
    assert "12 moves" in capsys.readouterr().out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_game_without_a_drawing_is_refused(tmp_path, capsys):
    log = tmp_path / "toy.json"
    log.write_text(json.dumps(vitienv.Game.new(game="tests.toy.game_spec", seed=1).log))
    message = refused(capsys, "replay", log, "--html", tmp_path / "page.html")
    assert message == "vitienv: High card has no drawing\n"
    assert not (tmp_path / "page.html").exists()


def test_lone_surrogates():
    """JSON can hold it, and no page can."""
    game = vitienv.Game.new(seed=1, num_players=2, max_years=1)
    while not game.is_over:
        game.step(game.legal_actions()[0])
    considered = [[{"action": "a\ud800", "value": 0.5}]] * len(game.moves)
    page = replay_page(game.log | {"agents": ["bot\ud800", "random"], "candidates": considered})
    assert "bot?" in page and page.encode()


def test_score_sheet_adds_up_to_the_scores():
    """By source and by round, in a game of each kind; a source is what a turn began with."""
    for options in ({"num_players": 3, "max_years": 3}, {"ruleset": "solo"}, {"game": "world", "num_players": 2}):
        *_, game = decisions(4, avoid=("pass",), **options)
        sheet = score_sheet(game, [f"<{seat}>" for seat in range(game.num_players)])
        for rows in (sheet["sources"], sheet["rounds"]):
            assert [sum(points) for points in zip(*(row for _, row in rows), strict=True)] == game.scores
        names = {name for name, _ in sheet["sources"]}
        assert names & {"Give tour", "Play summer visitor", "C Give tour", "Wake up"}
        assert "&lt;0&gt; (" in sheet["chart"] and "<0>" not in sheet["chart"]
