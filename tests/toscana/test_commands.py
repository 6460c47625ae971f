"""Commands with Toscana."""

from vitienv import cli


def said(capsys, *words):
    assert cli.run([str(word) for word in words]) == 0
    return capsys.readouterr().out


def test_tournaments_and_evaluations_count_rounds(tmp_path, capsys):
    """Reports use the name of a round of the game."""
    bots = ("heuristic", "random", "--processes", 1)
    output = said(capsys, "tournament", *bots, "--game", "toscana", "--games", 4, "--run", tmp_path / "run")
    assert "rounds on average" in output and "year" not in output
    output = said(capsys, "evaluate", "heuristic", "--opponents", "random", "--game", "toscana", "--games", 4)
    assert "rounds" in output and "year" not in output
    output = said(capsys, "tournament", *bots, "--games", 2, "--option", "max_years=1", "--run", tmp_path / "other")
    assert "years on average" in output
