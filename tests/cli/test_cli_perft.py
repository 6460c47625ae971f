"""vitienv bench --perft: the same counts as stepping copies of a game one by one."""

import json

import pytest

import vitienv
from tests.command import refused
from vitienv import cli
from vitienv.commands.bench import perft as module
from vitienv.commands.bench.perft import perft

TOY = "tests.toy.game_spec"


def counted_slowly(game: vitienv.Game, depth: int) -> int:
    """Leaves below a game, by copies and single steps."""
    if depth == 0 or game.is_over:
        return 1
    return sum(counted_slowly(game.copy().step(action), depth - 1) for action in game.legal_actions())


def in_mid_game() -> vitienv.Game:
    game = vitienv.Game.new(num_players=2, seed=3)
    while game.decision != "place_worker" or len(game.legal_actions()) < 8:
        game.step(game.legal_actions()[0])
    return game


def test_one_decision_has_as_many_leaves_as_legal_actions():
    for game in (vitienv.Game.new(num_players=3, seed=1), in_mid_game(), vitienv.Game.new(game=TOY, seed=1)):
        found = perft(game, 1)
        assert found["actions"] == dict.fromkeys(game.legal_actions(), 1)
        assert found["leaves"] == found["nodes"] == len(game.legal_actions())


@pytest.mark.parametrize("at_once", [7, 2048])
def test_counts_are_those_of_single_steps(monkeypatch, at_once):
    """In parts that hold all games, and in parts that do not; the toy is over before its last decision."""
    monkeypatch.setattr(module, "BATCH_SIZE", at_once)
    toy = vitienv.Game.new(game=TOY, seed=4)
    for game, depth in ((in_mid_game(), 3), (vitienv.Game.new(num_players=4, seed=2), 5), (toy, 14)):
        before = game.copy()
        counts = perft(game, depth)
        slow = {action: counted_slowly(game.copy().step(action), depth - 1) for action in game.legal_actions()}
        assert counts["actions"] == slow and counts["leaves"] == sum(slow.values())
        assert game == before
    assert perft(toy, 30)["leaves"] == counts["leaves"]


def test_the_command_counts_from_a_seed_and_from_a_file(capsys, tmp_path):
    game = in_mid_game()
    path = tmp_path / "position.json"
    path.write_text(json.dumps(game.to_dict()), encoding="utf-8")
    assert cli.run(["bench", "--perft", "2", "--position", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["leaves"] == counted_slowly(game, 2)
    assert cli.run(["bench", "--perft", "3", "--seed", "4", "--game", TOY]) == 0
    out = capsys.readouterr().out
    assert "keep 4\n" in out and "draw 4\n" in out and "3 decisions: 8 leaves" in out


@pytest.mark.parametrize(
    ("content", "what"),
    [("{", "is damaged"), ('{"weather": "fine"}', "unknown key 'weather'"), (None, "does not exist")],
)
def test_a_file_without_a_position_is_refused_in_one_line(capsys, tmp_path, content, what):
    path = tmp_path / "position.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert what in refused(capsys, "bench", "--perft", 2, "--position", path)


def test_a_position_without_perft_is_refused(capsys):
    assert cli.run(["bench", "--position", "position.json"]) == 2
    assert "requires --perft" in capsys.readouterr().err
