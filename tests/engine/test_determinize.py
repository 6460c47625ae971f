"""Determinization changes hidden fields only, and observations count every card."""

import numpy as np
import pytest

import vitienv
from tests.random_play import decisions
from vitienv.core.fields import Visibility
from vitienv.core.frames import Frame
from vitienv.viticulture.cards import COPIES, N_KINDS
from vitienv.viticulture.frames import FrameOp

TABLES = {
    "viticulture": {"num_players": 3},
    "toscana": {"num_players": 5, "player_trades": True},
    "world": {"num_players": 3, "years": 3},
}


def play(seed: int, num_players: int, **options):
    return (game for game in decisions(seed, num_players=num_players, **options) if not game.is_over)


@pytest.mark.parametrize("game", TABLES)
def test_determinize_changes_hidden_fields_only(game):
    """Each hidden field changes in some deal; public fields, what a seat owns and the sizes of hands never do."""
    fields, moved = vitienv.game_spec(game).fields, set()
    for step, position in enumerate(decisions(4, game=game, **TABLES[game])):
        if step % 5 or position.is_over:
            continue
        seat = step % position.num_players
        before, after = position.state, position.determinize(seat, seed=step).state
        moved |= {field.name for field in fields if not np.array_equal(before[field.name], after[field.name])}
        for field in fields:
            if field.visibility is Visibility.PRIVATE:
                assert np.array_equal(before[field.name][seat], after[field.name][seat])
        assert np.array_equal(before.hand.sum(axis=1), after.hand.sum(axis=1))
        if game == "toscana":
            assert np.array_equal(before.chosen > 0, after.chosen > 0)
    hidden = {field.name for field in fields if field.visibility in (Visibility.HIDDEN, Visibility.PRIVATE)}
    required, allowed = ({"chosen"}, set()) if game == "toscana" else ({"deck"}, {"frames", "shown"})
    assert {"key", "chance", "hand"} | required <= moved <= hidden | allowed


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
