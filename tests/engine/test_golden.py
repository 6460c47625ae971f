"""Games written down move by move, counts of positions, and the bench signature: any change of behaviour shows."""

from itertools import zip_longest

import pytest

import vitienv
from tests.engine import playthrough as module
from tests.engine.bless import bless
from tests.engine.playthrough import GAMES, GOLDEN, path_of, perft, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_golden_games_are_played_as_written(name):
    """After a wanted change: `python -m tests.engine.bless NAME`, and read what changed; one game after the other."""
    told, written = playthrough(name).split("\n"), path_of(name).read_text(encoding="utf-8").split("\n")
    for number, (now, then) in enumerate(zip_longest(told, written), start=1):
        assert now == then, f"line {number} of {name}"


def test_every_golden_file_is_of_a_game():
    assert {path.stem for path in GOLDEN.iterdir()} == set(GAMES)


def test_a_golden_game_tells_all_that_is_seen():
    """What the lines of each seat add up to is its last observation, number by number."""
    seed, options = GAMES["solo"]
    game, seen = vitienv.Game.new(seed=seed, **options), {}
    for block in playthrough("solo").split("\n0 ")[1:]:
        head, may, *told = [line for line in block.splitlines() if not line.startswith(("--", "over"))]
        assert may.removeprefix("  may: ").split() == game.legal_actions()
        for entry, *numbers in (line.split() for line in told):
            seen |= {entry + name: int(value) for name, value in (number.split("=") for number in numbers)}
        names = game.definition.observation.names
        assert {name: value for name, value in seen.items() if value} == {
            name: value for name, value in zip(names, game.observation().tolist(), strict=True) if value
        }
        game.step(head.split(": ")[1].split(" -> ")[0])
    assert game.is_over


def test_games_are_blessed_one_by_one(monkeypatch, tmp_path, capsys):
    """No name, two names and a wrong one write nothing; one name writes that game and says how many lines differ."""
    monkeypatch.setattr(module, "GOLDEN", tmp_path)
    for names in ([], ["solo", "challenge"], ["all"]):
        assert bless(names) == 2 and "one of players_2, " in capsys.readouterr().err
        assert not list(tmp_path.iterdir())
    assert bless(["challenge"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["challenge.txt"]
    assert (tmp_path / "challenge.txt").read_text(encoding="utf-8") == playthrough("challenge")
    capsys.readouterr()
    assert bless(["challenge"]) == 0 and "nothing changed" in capsys.readouterr().out
    (tmp_path / "challenge.txt").write_text(playthrough("challenge").replace("lira", "gold", 1), encoding="utf-8")
    assert bless(["challenge"]) == 0
    out = capsys.readouterr().out
    assert "lira" in out and "gold" in out and "1 line written anew, 1 line gone" in out


@pytest.mark.parametrize(
    ("num_players", "counts"), [(2, [2, 4, 28, 152]), (3, [2, 4, 8, 56]), (6, [2, 4, 8, 16, 32, 64, 448])]
)
def test_perft_from_the_start(num_players, counts):
    """Gifts of two choices each, then rows: seven, then six (one row asks for a deck first)."""
    game = vitienv.Game.new(num_players=num_players, seed=12)
    assert [perft(game, depth) for depth in range(1, len(counts) + 1)] == counts
