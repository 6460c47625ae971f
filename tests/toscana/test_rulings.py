"""Rulings on points that the rulebook leaves open, from O18 on, and O8: docs/toscana.md."""

import re
from pathlib import Path

import vitienv
from tests.toscana.positions import GOODS, at, boxes, by_good, crew, full_map, money, new, offered, play, start

HERE = Path(__file__)
PAGE = HERE.parents[2] / "docs" / "toscana.md"
ONE_EACH = dict.fromkeys(GOODS, 1)
LAYOUT = vitienv.definition("toscana").observation


def test_every_ruling_of_this_page_has_a_case():
    rows = re.findall(r"^\| (O\d+) \| (.+) \| (.+) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    ids = [row[0] for row in rows]
    assert ids == [f"O{i}" for i in range(1, len(ids) + 1)] and all(all(row) for row in rows)
    cited = "".join(path.read_text(encoding="utf-8") for path in HERE.parent.glob("test_*.py"))
    assert [name for name in ids[17:] if not re.search(rf"\b{name}\b.*\"\"\"|\(ruling {name}\)", cited)] == []


def test_the_box_just_paid_to_mr_rose_may_be_bought_back():
    """O19: it lies in the bank, which sells where the market storage is empty."""
    others = [{"boxes": {"rose": held}} for held in (5, 5, 4)]
    game = start(4, {"money": 20, "boxes": {"rose": 1}}, *others, stock={"rose": 0})
    assert by_good(game.record.bank).get("rose", 0) == 0
    play(game, "take:hiring", "service:mr_rose")
    assert boxes(game) == {} and "rose:1" in offered(game, "buy")
    game.step("buy:rose:1")
    assert boxes(game) == {"rose": 1} and money(game) == 17 and by_good(game.record.bank).get("rose", 0) == 0


def test_sixty_reached_and_spent_again_ends_nothing():
    """O8: the money of the moment counts when the round is over."""
    game = start(2, {"money": 59, "boxes": {"red": 1, "rose": 1}}, prices={"red": 2}, round=2)
    play(game, "take:trading", "sell:red:1", "done", "pass:trading", "take:hiring", "service:mr_rose")
    assert money(game) == 61
    game.step("buy:white:1")
    while game.round == 2:
        game.step(next((move for move in game.legal_actions() if move.startswith("pass:")), game.legal_actions()[0]))
    assert money(game) < 60 and not game.is_over


def test_an_abandoned_square_gives_any_good_that_gives_a_box():
    """O20: each square its own, water too; nothing is declined, and what would be lost is not chosen."""
    game = start(2, {"boxes": {"water": 2, "white": 5}}, squares=[at(1, 3, 0, 2), at(1, 7, 0, 2)])
    play(game, "take:winemaking", "crossroad:1:3", "crossroad:1:7")
    assert game.legal_actions() == ["good:red", "good:rose", "good:champagne", "good:water"]
    assert boxes(play(game.copy(), "good:red", "good:red")) == {"red": 2, "white": 5}
    assert boxes(play(game.copy(), "good:rose", "good:water")) == {"white": 5, "rose": 1, "water": 1}


def test_what_a_removed_winemaster_still_counts_for():
    """O21: as hired, so for the price of the next and for the third's award; not as on the map."""
    mine = crew(0, (1, 1), (1, 2), (1, 3))
    one, two = (full_map(mine, {"boxes": {**ONE_EACH, "white": 3}, "lost": lost}) for lost in (1, 2))
    for game, white, had in ((one, 1, 3), (two, 3, 13)):
        assert LAYOUT.get(game.observation(), "masters_on_map")[0] == 0
        game.step("take:hiring")
        game.step(game.legal_actions()[0])
        assert boxes(game)["white"] == white and money(game) == had
        assert LAYOUT.get(game.observation(0), "masters_on_map")[0] == 1


def test_a_game_that_is_cut_off_is_counted_by_its_money_alone():
    """O22: it has not ended, so nothing is sold and nobody is rewarded."""
    game = new(max_rounds=1)
    while not game.is_over:
        game.step(game.legal_actions()[-1])
    assert game.is_truncated and game.scores == [money(game, 0), money(game, 1)] and game.rewards == [0, 0]
    assert boxes(game, 0) and boxes(game, 1)


def test_with_open_hands_the_deck_alone_is_not_seen():
    """O23: hands and choices are shown, so what is not seen of a seat is its deck; its order nobody knows."""
    seats = [{"hand": [1, 2]}, {"hand": [3, 4]}]
    closed, shown = (start(2, *seats, options={"open_hands": is_open}) for is_open in (False, True))
    assert LAYOUT.get(closed.observation(0), "not_seen")[:2].tolist() == [[0, 0, 1, 1, 1, 1, 1], [1] * 7]
    assert LAYOUT.get(shown.observation(0), "not_seen")[1].tolist() == [1, 1, 0, 0, 1, 1, 1]
    assert LAYOUT.get(shown.observation(0), "hands")[0].tolist() == [0, 0, 1, 1, 0, 0, 0]
