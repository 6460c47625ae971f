"""The soak test finds errors, saves the log of the game, and counts completed pieces."""

import random
from itertools import islice

import pytest

import vitienv
from tests.soak import play as soak
from tests.toscana.reference import rulebook
from vitienv.core.batch import Batch


def some_piece(steps=40):
    piece = soak.Piece("viticulture", {"num_players": 3}, 3, seed=5)
    for _ in range(steps):
        piece.step(None, piece.batch.active_rows())
    return piece


def test_piece_without_errors_passes():
    piece = soak.Piece("toscana", {"num_players": 2}, 4, seed=5)
    assert soak.play(piece, "random", 40, random.Random(1), lambda: False)
    assert piece.looked_at > 4 and piece.decisions > 200


def test_stopped_piece_is_incomplete():
    assert not soak.play(some_piece(0), "random", 40, random.Random(1), lambda: True)


def test_lost_card_raises_with_a_log():
    piece = some_piece()
    piece.look(random.Random(1))
    piece.batch.games.deck[2, 20] -= 1
    with pytest.raises(soak.CheckFailed, match="deck must be") as error:
        piece.look(random.Random(1))
    assert vitienv.replay(error.value.log) == piece.replayed(2)


def test_visible_hidden_information_raises(monkeypatch):
    piece = some_piece()

    def determinize(batch, viewers, keys):
        batch.games.vp += 1

    monkeypatch.setattr(Batch, "determinize", determinize)
    with pytest.raises(soak.CheckFailed, match="the observation depends on hidden information"):
        piece.look(random.Random(1))


def test_game_that_differs_from_its_replay_raises(monkeypatch):
    monkeypatch.setattr(soak, "contradictions", lambda *_: [])  # they are found before
    piece = some_piece()
    piece.batch.games.vp += 1
    with pytest.raises(soak.CheckFailed, match="differs from the game of the batch"):
        soak.play(piece, "random", 40, random.Random(1), lambda: False)


def test_counts_add_up_over_runs(tmp_path):
    for _ in range(2):
        counts = soak.Counts(tmp_path / "soak.csv")
        counts.add("toscana", "random", 2, 300, 10)
        counts.add("toscana", "thumb", 1, 100, 5)
    assert counts.decisions == 800
    assert len((tmp_path / "soak.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize("game", soak.SEATS)
@pytest.mark.parametrize("mode", [*soak.PLAYS, soak.REFEREE])
def test_piece_of_every_mode(game, mode, tmp_path, monkeypatch):
    few = {"random": ("random", 64, 40), "thumb": ("heuristic", 8, 16), "search": ("ismcts:simulations=2", 1, 8)}
    monkeypatch.setattr(soak, "PLAYS", few)
    monkeypatch.setattr(soak, "POSITIONS", 3)
    monkeypatch.setattr(rulebook, "compiled", lambda: rulebook)  # compilation takes longer than 12 positions
    counts = soak.Counts(tmp_path / "soak.csv")
    soak.run_piece(game, mode, random.Random(7), counts, lambda: False)
    assert [key[:2] for key in counts.rows] == [(game, mode)]
    assert counts.decisions >= (10 if mode == soak.REFEREE else 100)


def test_soak_samples_every_mode_and_stops_in_time(tmp_path, monkeypatch):
    assert {mode for _, mode in islice(soak.pieces(5), 200)} == {*soak.PLAYS, soak.REFEREE}
    games = []
    monkeypatch.setattr(soak, "run_piece", lambda game, *_: games.append(game))
    soak.soak(5, 1 / 600, soak.Counts(tmp_path / "soak.csv"))
    assert games and set(games) <= set(soak.SEATS)
