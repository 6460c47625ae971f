"""The soak finds what is wrong, leaves the game as a log, and counts what passed."""

import random
from itertools import islice

import pytest

import vitienv
from tests.soak import play as soak
from tests.toscana.reference import rulebook
from vitienv.core.batch import Batch


def a_piece(steps=40):
    piece = soak.Piece("viticulture", {"num_players": 3}, 3, seed=5)
    for _ in range(steps):
        piece.step(None, piece.batch.playing())
    return piece


def test_a_sound_piece_passes_and_ends_as_its_log():
    piece = soak.Piece("toscana", {"num_players": 2}, 4, seed=5)
    assert soak.play(piece, "random", 40, random.Random(1), lambda: False)
    assert piece.looked_at > 4 and piece.decisions > 200


def test_a_piece_that_is_broken_off_did_not_pass():
    assert not soak.play(a_piece(0), "random", 40, random.Random(1), lambda: True)


def test_a_lost_card_is_seen_and_its_game_left_as_a_log():
    piece = a_piece()
    piece.look(random.Random(1))
    piece.batch.games.deck[2, 20] -= 1
    with pytest.raises(soak.Wrong, match="cards are not conserved") as wrong:
        piece.look(random.Random(1))
    assert vitienv.replay(wrong.value.log) == piece.replayed(2)


def test_what_is_seen_of_another_deal_is_found(monkeypatch):
    piece = a_piece()

    def determinize(batch, viewers, keys):
        batch.games.vp += 1

    monkeypatch.setattr(Batch, "determinize", determinize)
    with pytest.raises(soak.Wrong, match="a seat sees what was dealt anew"):
        piece.determinize(random.Random(1))


def test_another_game_than_its_seed_says_is_found():
    piece = a_piece()
    piece.batch.games.vp += 1
    with pytest.raises(soak.Wrong, match="not the game of the batch"):
        piece.close(random.Random(1))


def test_counts_add_up_over_runs(tmp_path):
    for _ in range(2):
        counts = soak.Counts(tmp_path / "soak.csv")
        counts.add("toscana", "random", 2, 300, 10)
        counts.add("toscana", "thumb", 1, 100, 5)
    assert counts.decisions == 800
    assert len((tmp_path / "soak.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize("game", soak.SEATS)
@pytest.mark.parametrize("mode", [*soak.PLAYS, soak.REFEREE])
def test_a_piece_of_every_kind_passes(game, mode, tmp_path, monkeypatch):
    few = {"random": ("random", 64, 40), "thumb": ("heuristic", 8, 16), "search": ("ismcts:simulations=2", 1, 8)}
    monkeypatch.setattr(soak, "PLAYS", few)
    monkeypatch.setattr(rulebook, "compiled", lambda: rulebook)  # compilation takes longer than 40 positions
    counts = soak.Counts(tmp_path / "soak.csv")
    soak.run_piece(game, mode, random.Random(7), counts, lambda: False)
    assert [key[:2] for key in counts.rows] == [(game, mode)]
    assert counts.decisions >= (30 if mode == soak.REFEREE else 100)


def test_soak_draws_every_mode_and_ends_on_time(tmp_path, monkeypatch):
    assert {mode for _, mode in islice(soak.pieces(5), 200)} == {*soak.PLAYS, soak.REFEREE}
    games = []
    monkeypatch.setattr(soak, "run_piece", lambda game, *_: games.append(game))
    soak.soak(5, 1 / 600, soak.Counts(tmp_path / "soak.csv"))
    assert games and set(games) <= set(soak.SEATS)
