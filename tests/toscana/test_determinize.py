"""Hidden information: hands of others, decks, tiles chosen in secret."""

import vitienv
from tests.toscana.positions import ALL, offered, play, start, to_tasting


def test_determinize_reaches_every_hand_and_choice():
    seats = [{"used": ALL, "hand": [1, 2], "chosen": 1}, {"used": ALL, "hand": [3, 4]}]
    game = start(2, *seats, round=1)
    dealt = [game.determinize(1, seed).state for seed in range(300)]
    assert len({tuple(record.hand[0]) for record in dealt}) == 21
    assert {int(record.chosen[0]) for record in dealt} == set(range(1, 8))
    assert all(record.hand[0, int(record.chosen[0]) - 1] == 1 for record in dealt)
    assert all(record.hand[1].tolist() == game.state.hand[1].tolist() for record in dealt)


def test_open_hands_show_hands_and_choices():
    layout = vitienv.game_spec("toscana").observation
    seats = [{"used": ALL, "hand": [1, 2], "chosen": 1}, {"used": ALL, "hand": [3, 4]}]
    closed, open_game = start(2, *seats), start(2, *seats, options={"open_hands": True})
    assert not layout.get(closed.observation(1), "hands").any()
    assert layout.get(open_game.observation(1), "hands")[0].tolist() == [1, 1, 0, 0, 0, 0, 0]
    assert layout.get(open_game.observation(1), "choices")[0].tolist() == [1, 0, 0, 0, 0, 0, 0]


def test_determinize_drops_forced_draws():
    game = start(2, {"hand": [1, 2]}, next_draws=[[7], []])
    draws = {tuple(game.determinize(1, seed).state.forced.ravel()) for seed in range(5)}
    assert draws == {(0,) * 35}


def test_tiles_are_chosen_in_secret_and_shown_together():
    """T71, rulings O7 and O15: from the start seat on, knowing the prices of the first two phases."""
    layout = vitienv.game_spec("toscana").observation
    game = to_tasting(start(3, {"hand": [1, 2]}, {"hand": [3, 4]}, {"hand": [5, 6]}))
    prices = game.state.price.tolist()
    assert prices != start(3).state.price.tolist() and game.current_seat == 0 and offered(game, "taste") == ["1", "2"]
    first, second = game.copy().step("taste:1"), game.copy().step("taste:2")
    assert first.current_seat == second.current_seat == 1 and first.state.price.tolist() == prices
    for viewer in (1, 2):
        assert (first.observation(viewer) == second.observation(viewer)).all()
    assert layout.get(first.observation(1), "has_chosen").tolist() == [0, 0, 1, 0, 0]
    assert layout.get(first.observation(0), "choice").tolist() == [1, 0, 0, 0, 0, 0, 0]
    play(first, "taste:3", "taste:5")
    assert layout.get(first.observation(1), "played")[2].tolist() == [1, 0, 0, 0, 0, 0, 0]


def test_used_tiles_are_public_and_hands_are_refilled():
    """T73, ruling O13: hands are 2, 2, 2, 2, 2, 2, 1 in rounds 1 to 7."""
    layout = vitienv.game_spec("toscana").observation
    game, hands = start(2), []
    while not game.is_over:
        to_tasting(game)
        hands.append(len(offered(game, "taste")))
        for seat in (0, 1):
            tiles = layout.get(game.observation(seat), "played")
            assert tiles[0].sum() == tiles[1].sum() == game.round - 1
        play(game, game.legal_actions()[0])
        play(game, game.legal_actions()[0])
    assert hands == [2, 2, 2, 2, 2, 2, 1]
