"""Level of the user, estimated from saved games."""

import sys

import pytest

from tests.command import ANY_CHOICES
from tests.random_play import random_game
from vitienv.core.files import write_json
from vitienv.session import saves
from vitienv.training.evaluation.player_rating import _opponents_in, describe_level


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("VITIENV_HOME", str(tmp_path))


@pytest.fixture(scope="module")
def finished():
    """Two finished games of Toscana by their winner."""
    games, seed = {}, 0
    while len(games) < 2:
        seed += 1
        game = random_game(seed, game="toscana", num_players=2)
        games.setdefault(game.ranks.index(1), game)
    return games


def save(name, finished_game, seats, folder="games", **changes):
    log = finished_game.log | changes | {"agents": seats, "seat": 0}
    write_json(saves.folder() / folder / f"{name}.json", log)


def test_the_winner_against_a_level_has_a_higher_level(finished):
    assert describe_level(finished[0]) == ""
    lines = []
    for seats in (["you", "level:5"], ["level:5", "you"]):
        for name in range(8):
            save(name, finished[0], seats, seed=name)
        lines.append(describe_level(finished[0]))
    assert all(line.startswith("Your level at this table: ") and line.endswith(", by 8 games.") for line in lines)
    winner, loser = (float(line.split()[5]) for line in lines)
    assert winner > 6 and loser < 4.5


def test_games_on_one_deal_count_as_one(finished):
    levels = []
    for name in range(8):
        save(name, finished[0], ["you", "level:5"])
        levels.append(describe_level(finished[0]).partition(", by ")[0])
    assert levels[0] and set(levels) == {levels[0]}


def test_games_of_the_browser_and_of_the_terminal_count_together(finished):
    save("a", finished[0], ["you", "level:5"])
    assert describe_level(finished[0]).endswith("by 1 game.")
    save("b", finished[1], ["you", "level:7"], "tables")
    assert describe_level(finished[0]).endswith("by 2 games.")


def test_games_without_one_person_and_one_level_do_not_count(finished):
    game, seats = finished[0], ["you", "level:5"]
    save("a", game, ["you", "heuristic"])
    save("b", game, ["you", "you"])
    save("c", game, ["level:5", "level:5"])
    save("d", game, seats, is_over=False)
    save("e", game, seats, position={"players": []})
    save("f", game, seats, options=game.log["options"] | {"open_hands": True})
    save("g", game, seats, game="viticulture")
    save("h", game, seats, scores="none")
    save("m", game, seats, game="wsgiref.validate", scores=[60, 60])
    save("i", game, ["you", "level:one"])
    (saves.folder() / "games" / "j.json").write_text("{", encoding="utf-8")
    (saves.folder() / "games" / "k.json").write_text("[]", encoding="utf-8")
    assert describe_level(game) == "" and "wsgiref.validate" not in sys.modules
    save("l", game, seats)
    assert describe_level(game).endswith("by 1 game.")


@pytest.mark.parametrize("winner", [0, 1])
def test_ties_of_points_are_resolved_by_the_rules(finished, winner):
    save("a", finished[winner], ["you", "level:5"])
    line = describe_level(finished[winner])
    save("a", finished[winner], ["you", "level:5"], scores=[60, 60])
    assert describe_level(finished[winner]) == line


def test_all_opponents_must_be_of_one_level():
    assert _opponents_in(["level:3", "you", "level:3"]) == (3, 1)
    for seats in (["level:3", "you", "level:4"], ["you"], ["level:3", "you", "random"]):
        assert _opponents_in(seats) is None


@pytest.mark.parametrize("options", [{"num_players": 2, "map": "pieces"}, {"num_players": 2, "max_rounds": 3}])
def test_a_table_without_ratings_has_no_level(options):
    game = random_game(1, game="toscana", **options)
    save("a", game, ["you", *["level:5"] * (game.num_players - 1)])
    assert describe_level(game) == ""


@pytest.mark.parametrize("game", ["toscana", "viticulture"])
def test_the_terminal_shows_the_level_after_a_game(play, game):
    status, out, _ = play(ANY_CHOICES, "--game", game, "--bots", "level:1", "--seed", "3")
    assert status == 0 and "against level 1" in out and "Your level at this table: " in out and "by 1 game." in out
    assert ("You played like level 1 (1 to 2): " in out) == (game == "viticulture")
