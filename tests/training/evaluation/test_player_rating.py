"""A person's level, estimated from the games that are kept."""

import io
import random
import sys

import pytest

from vitienv import Game, cli
from vitienv.core.files import write_json
from vitienv.session import saves
from vitienv.training.evaluation.player_rating import _opponents_in, describe_level


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("VITIENV_HOME", str(tmp_path))


@pytest.fixture(scope="module")
def ended():
    """Two games of Toscana that are over, with the seat that has the first place: one of each."""
    games, seed = {}, 0
    while len(games) < 2:
        seed += 1
        game, rng = Game.new(seed=seed, game="toscana", num_players=2), random.Random(seed)
        while not game.is_over:
            game.step(rng.choice(game.legal_actions()))
        games.setdefault(game.ranks.index(1), game)
    return games


def keep(name, played, seats, folder="games", **other):
    log = {**played.log, **other}
    told = {"log": log, "seats": seats, "version": 3} if folder == "tables" else log | {"agents": seats, "seat": 0}
    write_json(saves.folder() / folder / f"{name}.json", told)


def test_who_wins_against_a_level_has_a_higher_one(ended):
    """The same games, told from either seat."""
    assert describe_level(ended[0]) == ""
    lines = []
    for seats in (["you", "level:5"], ["level:5", "you"]):
        for name in range(8):
            keep(name, ended[0], seats)
        lines.append(describe_level(ended[0]))
    assert all(line.startswith("Your level at this table: ") and line.endswith(", by 8 games.") for line in lines)
    effect_size, worse = (float(line.split()[5]) for line in lines)
    assert effect_size > 6 and worse < 4.5


def test_games_of_the_browser_and_of_the_terminal_count_together(ended):
    keep("a", ended[0], ["you", "level:5"])
    assert describe_level(ended[0]).endswith("by 1 game.")
    keep("b", ended[1], ["person", "level:7"], "tables")
    assert describe_level(ended[0]).endswith("by 2 games.")


def test_what_says_nothing_of_a_person_does_not_count(ended):
    game, both = ended[0], ["you", "level:5"]
    keep("a", game, ["you", "heuristic"])
    keep("b", game, ["you", "person"])
    keep("c", game, ["level:5", "level:5"])
    keep("d", game, both, is_over=False)
    keep("e", game, both, position={"players": []})
    keep("f", game, both, options=game.log["options"] | {"open_hands": True})
    keep("g", game, both, game="viticulture")
    keep("h", game, both, scores="none")
    keep("m", game, both, game="wsgiref.validate", scores=[60, 60])
    keep("i", game, ["you", "level:one"])
    (saves.folder() / "games" / "j.json").write_text("{", encoding="utf-8")
    (saves.folder() / "games" / "k.json").write_text("[]", encoding="utf-8")
    assert describe_level(game) == "" and "wsgiref.validate" not in sys.modules
    keep("l", game, both)
    assert describe_level(game).endswith("by 1 game.")


@pytest.mark.parametrize("winner", [0, 1])
def test_equal_points_are_told_apart_by_the_rules(ended, winner):
    keep("a", ended[winner], ["you", "level:5"])
    told = describe_level(ended[winner])
    keep("a", ended[winner], ["you", "level:5"], scores=[60, 60])
    assert describe_level(ended[winner]) == told


def test_all_others_are_of_one_level():
    assert _opponents_in(["level:3", "you", "level:3"]) == (3, 1)
    assert (
        _opponents_in(["level:3", "you", "level:4"])
        is _opponents_in(["you"])
        is _opponents_in(["level:3", "you", "random"])
        is None
    )


@pytest.mark.parametrize("options", [{"num_players": 2, "map": "pieces"}, {"num_players": 2, "max_rounds": 3}])
def test_a_table_without_ratings_has_no_level(options):
    game = Game.new(seed=1, game="toscana", **options)
    rng = random.Random(1)
    while not game.is_over:
        game.step(rng.choice(game.legal_actions()))
    keep("a", game, ["you", *["level:5"] * (game.num_players - 1)])
    assert describe_level(game) == ""


def test_the_terminal_tells_it_after_the_game(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{number}\n" for number in range(1, 8)) * 300))
    assert cli.run(["play", "--game", "toscana", "--bots", "level:1", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert "against level 1" in out and "Your level at this table: " in out and "by 1 game." in out
