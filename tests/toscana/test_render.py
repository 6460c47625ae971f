"""A game in words."""

import vitienv
from tests.toscana.positions import ALL, at, crew, master, new, play, start

SEATS = [{"money": 12, "boxes": {"red": 1}, "used": ALL, "hand": [1, 5], "chosen": 5}, {"used": ALL, "hand": [2, 3]}]


def shown(game, viewer=None):
    return vitienv.definition("toscana").call("render")(game, viewer=viewer)


def test_the_table_is_told():
    squares = [*crew(0, (1, 1), (1, 3), (4, 8)), master(2, 4, 0), at(2, 5, 1)]
    text = shown(start(2, *SEATS, squares=squares, prices={"red": 1}))
    for piece in ("Round 1, tasting. Seat 1 begins. Seat 2 decides: taste.", "0/1", "R 1:2", "W 1:M", "C 2:1",
                  "Seat 1: holds 1 (+red), 5 (-red); tiles used: none; has chosen 5 (-red)"):  # fmt: skip
        assert piece in text
    assert "Reconstructed where the printed game is not known: see docs/toscana.md." in " ".join(text.split())


def test_a_seat_reads_no_other_hand():
    text = shown(start(2, *SEATS), viewer=1)
    assert "Seat 1: tiles used: none; has chosen a tile" in text and "+red" not in text and "(+white)" in text
    assert "-red" in shown(start(2, *SEATS, options={"open_hands": True}), viewer=1)


def test_it_fits_into_80_columns_and_tells_water_on_crossroads():
    others = [{"money": 123, "used": ALL[:2]}] * 3
    game = start(5, {"used": ALL[:2]}, *others, {"used": ALL[:2]}, squares=[at(1, 1)], start_seat=0)
    play(game, "pass:trading")
    assert max(map(len, shown(game).splitlines())) <= 80
    game = play(start(5, squares=[at(1, 1)]), "take:winemaking", "crossroad:1:2")
    for seat in (None, 0, 3):
        text = shown(game, seat)
        assert max(map(len, text.splitlines())) <= 80 and "Water on the crossroads 1:2" in text


def test_the_end_and_the_set_up():
    game = new(max_rounds=1)
    assert shown(game).startswith("Set-up. Seat")
    while not game.is_over:
        game.step(game.legal_actions()[-1])
    assert shown(game).startswith("Round 1. Cut off: seat 1: rank")
