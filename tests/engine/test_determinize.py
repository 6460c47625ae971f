"""Determinization changes hidden fields only, and observations count every card."""

import numpy as np

import vitienv
from tests.random_play import decisions
from vitienv.core.fields import Visibility
from vitienv.core.frames import Frame
from vitienv.viticulture.cards import COPIES, N_KINDS
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.state import FIELDS


def play(seed: int, num_players: int, **options):
    return (game for game in decisions(seed, num_players=num_players, **options) if not game.is_over)


def test_determinize_changes_hidden_fields_only():
    """Each hidden field changes in some deal; public fields never do."""
    moved = set()
    for step, game in enumerate(play(4, 3)):
        if step % 20 == 0:
            other = game.determinize(game.current_seat, seed=step)
            for field in FIELDS:
                if not np.array_equal(game.state[field.name], other.state[field.name]):
                    moved.add(field.name)
    hidden = {field.name for field in FIELDS if field.visibility in (Visibility.HIDDEN, Visibility.PRIVATE)}
    public = {field.name for field in FIELDS if field.visibility is Visibility.PUBLIC}
    assert {"key", "chance", "deck", "hand"} <= moved <= hidden | {"shown", "frames"}
    assert not moved & public


def in_frames(game: vitienv.Game) -> np.ndarray:
    """Count cards turned up by the Caravan, or set aside by the viewer for the Importer."""
    num_cards = np.zeros(N_KINDS, np.int64)
    for frame in game.state.frames[: game.state.depth]:
        if frame[Frame.OP] == FrameOp.CARAVAN:
            for kind in frame[Frame.P0 : Frame.P0 + 4]:
                num_cards[kind] += kind >= 0
        if frame[Frame.OP] == FrameOp.IMPORT:
            for i in range(frame[Frame.DONE]):
                num_cards[frame[Frame.P1 + i] % N_KINDS] += frame[Frame.P1 + i] // N_KINDS == game.current_seat
    return num_cards


def test_determinize_keeps_known_cards():
    for step, game in enumerate(play(8, 4)):
        if step % 10 == 0:
            seat = game.current_seat
            other = game.determinize(seat, seed=step)
            assert np.array_equal(game.state.hand[seat], other.state.hand[seat])
            assert np.array_equal(game.state.n_hand, other.state.n_hand)


def test_open_hands_are_observed():
    layout = vitienv.OBSERVATION
    for step, game in enumerate(play(2, 2, open_hands=True)):
        if step % 10 == 0:
            unseen = layout.get(game.observation(), "unseen")
            assert np.array_equal(unseen, game.state.deck)


def test_number_of_unseen_cards():
    """Unseen and visible cards together are all cards."""
    layout = vitienv.OBSERVATION
    for step, game in enumerate(play(6, 5)):
        if step % 3:
            continue
        obs = game.observation()
        num_cards = layout.get(obs, "hand") + layout.get(obs, "discard") + layout.get(obs, "unseen")
        num_cards += layout.get(obs, "in_play") + in_frames(game)
        num_cards[:9] += layout.get(obs, "vines").sum(axis=(0, 1)) + layout.get(obs, "known_vines").sum(axis=0)
        num_cards[9:] += layout.get(obs, "known_holder") > 0
        assert np.array_equal(num_cards, COPIES), (step, game.decision)
