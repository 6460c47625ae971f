"""The commands at tables of this game."""

from vitienv import cli


def said(capsys, *words):
    assert cli.run([str(word) for word in words]) == 0
    return capsys.readouterr().out


def test_tournaments_and_measurements_count_rounds(tmp_path, capsys):
    """A game's rounds are called what its definition says."""
    bots = ("heuristic", "random", "--processes", 1)
    told = said(capsys, "tournament", *bots, "--game", "toscana", "--games", 4, "--run", tmp_path / "run")
    assert "rounds on average" in told and "year" not in told
    told = said(capsys, "evaluate", "heuristic", "--against", "random", "--game", "toscana", "--games", 4)
    assert "rounds" in told and "year" not in told
    told = said(capsys, "tournament", *bots, "--games", 2, "--max-years", 1, "--run", tmp_path / "other")
    assert "years on average" in told
