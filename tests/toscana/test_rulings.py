"""Rulings of docs/toscana.md without a case."""

import re
from pathlib import Path

import vitienv
from tests.toscana.positions import boxes, crew, every, full_map, money, new, play, start

HERE = Path(__file__)
PAGE = HERE.parents[2] / "docs" / "toscana.md"
LAYOUT = vitienv.game_spec("toscana").observation


def test_every_ruling_has_a_test():
    rows = re.findall(r"^\| (O\d+) \| (.+) \| (.+) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    ids = [row[0] for row in rows]
    assert ids == [f"O{i}" for i in range(1, len(ids) + 1)] and all(all(row) for row in rows)
    cited = "".join(path.read_text(encoding="utf-8") for path in HERE.parent.rglob("*.py"))
    assert [name for name in ids[17:] if not re.search(rf'"{name}: |\(ruling {name}\)', cited)] == []


def test_removed_winemaster_counts_as_hired():
    """O21: as hired, so for the price of the next and for the third's award; not as on the map."""
    mine = crew(0, (1, 1), (1, 2), (1, 3))
    for lost, white, had in ((1, 1, 3), (2, 3, 13)):
        game = full_map(mine, {"boxes": every(1, white=3), "lost": lost})
        assert LAYOUT.get(game.observation(), "masters_on_map")[0] == 0
        play(game, "take:hiring", "square:3:8")
        assert boxes(game)["white"] == white and money(game) == had
        assert LAYOUT.get(game.observation(0), "masters_on_map")[0] == 1


def test_truncated_game_counts_only_money():
    """O22: it has not ended, so nothing is sold and nobody is rewarded."""
    game = new(max_rounds=1)
    while not game.is_over:
        game.step(game.legal_actions()[-1])
    assert game.is_truncated and game.round == 1 and game.rewards == [0, 0]
    assert game.scores == [money(game, 0), money(game, 1)]
    assert boxes(game, 0) and boxes(game, 1)


def test_open_hands_hide_only_the_deck():
    """O23: hands and choices are shown, so what is not seen of a seat is its deck; its order nobody knows."""
    seats = [{"hand": [1, 2]}, {"hand": [3, 4]}]
    closed, open_game = (start(2, *seats, options={"open_hands": is_open}) for is_open in (False, True))
    assert LAYOUT.get(closed.observation(0), "not_seen")[:2].tolist() == [[0, 0, 1, 1, 1, 1, 1], [1] * 7]
    assert LAYOUT.get(open_game.observation(0), "not_seen")[1].tolist() == [1, 1, 0, 0, 1, 1, 1]
    assert LAYOUT.get(open_game.observation(0), "hands")[0].tolist() == [0, 0, 1, 1, 0, 0, 0]
