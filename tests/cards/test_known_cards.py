"""Knowledge about cards in hands (Essential, Game board setup, note 2: the cards in a hand are secret)."""

import numpy as np
import pytest

import vitienv
from tests.table.case import make_moves
from tests.table.fixtures import place
from tests.table.setup_position import table
from vitienv.viticulture.cards import CARD_NAMES, COPIES

from .visitor import visitor

LAYOUT = vitienv.OBSERVATION
N_VINES = 9


def after(card, moves, *seats, **top):
    """Return a game of three seats after seat 0 has played a visitor with some answers."""
    case = visitor(card)("", *seats, moves=moves, n=3, top=top)
    return make_moves(vitienv.Game.from_dict(case.position), *case.moves)


def is_known(game, viewer, seat, card):
    """Return whether a viewer knows that another seat has a card; for vines, how many copies."""
    k, kind = (seat - viewer) % game.num_players, CARD_NAMES.index(card)
    observation = game.observation(viewer)
    if kind < N_VINES:
        return LAYOUT.get(observation, "known_vines")[k - 1][kind]
    return LAYOUT.get(observation, "known_holder")[kind - N_VINES] == k


def check_deals(game, aside=False):
    """Check that determinization keeps known cards, the viewer's observation and the legal actions.

    Each card is counted once, unless some are set aside.
    """
    for viewer in range(game.num_players):
        if not aside:
            assert np.array_equal(counted(game.observation(viewer)), COPIES), viewer
        for seed in range(4):
            other = game.determinize(viewer, seed=seed)
            assert np.array_equal(game.observation(viewer), other.observation(viewer)), (viewer, seed)
            hand, known_cards = other.state.hand, other.state.shown
            assert np.array_equal(game.state.n_hand, other.state.n_hand)
            assert (hand[:, :N_VINES] >= known_cards[:, :N_VINES]).all()
            assert (hand[:, N_VINES:] >= (known_cards[:, N_VINES:] > 0)).all()
            assert viewer != game.current_seat or np.array_equal(game.mask, other.mask)


def counted(observation):
    """Return the number of copies of each card that an observation accounts for."""
    see = {name: LAYOUT.get(observation, name) for name in (
        "hand", "discard", "unseen", "in_play", "vines", "known_vines", "known_holder"
    )}  # fmt: skip
    total = see["hand"] + see["discard"] + see["unseen"] + see["in_play"]
    total[:N_VINES] += see["vines"].sum(axis=(0, 1)) + see["known_vines"].sum(axis=0)
    total[N_VINES:] += see["known_holder"] > 0
    return total


def same_to(viewer, *games):
    return all(np.array_equal(games[0].observation(viewer), game.observation(viewer)) for game in games[1:])


def test_dealt_and_drawn_cards_are_secret():
    next_draws = {"order": ["order_05"], "winter": ["queen"]}
    game = after("patron", "option:2", {}, {"winter": ["judge"]}, next_draws=next_draws)
    for card in ("order:order_05", "winter:queen"):
        assert not is_known(game, 1, 0, card) and not is_known(game, 2, 0, card)
    assert not is_known(game, 0, 1, "winter:judge")
    check_deals(game)


def test_only_the_giver_knows_a_given_card():
    hand = {"vine": ["syrah"], "summer": ["patron", "grower"]}
    game = after("queen", "option:2 card:summer:patron card:summer:grower", {}, {}, hand)
    for card in ("summer:patron", "summer:grower"):
        assert is_known(game, 2, 0, card) and not is_known(game, 1, 0, card)
    check_deals(game)


def test_first_of_two_given_cards_is_hidden_from_others():
    hand = {"summer": ["broker", "grower"], "winter": ["judge", "taster"]}
    games = [after("queen", f"option:2 card:summer:{card}", {}, {}, hand) for card in ("broker", "grower")]
    assert same_to(1, *games) and not same_to(2, *games)
    check_deals(games[0])


def test_only_the_givers_know_imported_cards():
    answers = "card:summer:broker card:summer:grower card:winter:queen"
    game = after("importer", answers, {}, {"summer": ["broker", "grower"]}, {"winter": ["queen"]})
    assert is_known(game, 1, 0, "summer:broker") and is_known(game, 2, 0, "winter:queen")
    assert not is_known(game, 2, 0, "summer:broker") and not is_known(game, 1, 0, "winter:queen")
    check_deals(game)


def test_offers_to_the_importer_are_hidden_until_complete():
    hands = {}, {"summer": ["broker", "grower"], "winter": ["judge"]}, {"winter": ["queen"]}
    games = [after("importer", f"card:summer:{card}", *hands) for card in ("broker", "grower")]
    (broker,) = np.flatnonzero([name == "summer:broker" for name in CARD_NAMES])
    assert same_to(0, *games) and same_to(2, *games) and not same_to(1, *games)
    assert LAYOUT.get(games[0].observation(2), "unseen")[broker] == 1
    check_deals(games[0], aside=True)
    assert len({games[0].determinize(0, seed=seed).state.frames.tobytes() for seed in range(8)}) > 1


@pytest.mark.parametrize(
    ("card", "moves", "revealed_card", "top"),
    [
        ("innkeeper", "deck:vine deck:order", "order:order_02",
         {"discards": {"vine": ["pinot"], "order": ["order_02"]}}),
        ("caravan", "card:order:order_05 card:summer:patron", "summer:patron",
         {"next_draws": {"vine": ["pinot"], "order": ["order_05"], "summer": ["patron"], "winter": ["judge"]}}),
    ],
)  # fmt: skip
def test_revealed_cards_are_known_to_all(card, moves, revealed_card, top):
    game = after(card, moves, **top)
    assert is_known(game, 1, 0, revealed_card) and is_known(game, 2, 0, revealed_card)
    check_deals(game)


def test_uprooted_vine_is_known_until_it_leaves_the_hand():
    uprooted, seat = "option:2 field:5 card:vine:syrah", {"vine": ["merlot"], "fields": {5: ["syrah"]}}
    game = after("sharecropper", uprooted, seat)
    assert is_known(game, 1, 0, "vine:syrah") == is_known(game, 2, 0, "vine:syrah") == 1
    assert is_known(game, 1, 0, "vine:merlot") == 0
    game.step("card:vine:merlot")
    assert is_known(game, 1, 0, "vine:syrah") == 1
    check_deals(game)
    again = after("sharecropper", f"{uprooted} card:vine:syrah", seat)
    assert is_known(again, 1, 0, "vine:syrah") == 0
    check_deals(again)


def test_vine_chosen_to_plant_is_hidden_until_planted():
    games = []
    for vine in ("malvasia", "sangiovese"):
        game = vitienv.Game.from_dict(table("summer", {"vine": ["malvasia", "sangiovese"]}, n=3))
        make_moves(game, place("plant_vine"), f"card:vine:{vine}")
        games.append(game)
        index = CARD_NAMES.index(f"vine:{vine}")
        assert all(game.determinize(1, seed=seed).state.hand[0, index] == 1 for seed in range(6))
    assert same_to(1, *games) and same_to(2, *games) and not same_to(0, *games)
    check_deals(games[0])


def test_order_being_filled_is_known_to_all():
    seat = {"order": ["order_03"], "wines": {"red": [3, 4], "white": [1]}, "structures": ["medium_cellar"]}
    game = vitienv.Game.from_dict(table("winter", seat, n=3))
    make_moves(game, place("fill_order"), "card:order:order_03")
    assert game.decision == "choose_wine"
    check_deals(game)


def test_determinize_redeals_fixed_draws():
    game = after("patron", "", next_draws={"order": ["order_05"], "winter": ["queen"]})
    hands = set()
    for seed in range(8):
        other = game.determinize(0, seed=seed)
        other.step("option:2")
        hands.add(tuple(np.flatnonzero(other.state.hand[0])))
    assert len(hands) > 1


def test_determinize_is_independent_of_the_rng_counter():
    game = after("patron", "")
    other = game.copy()
    other.state.chance[:] += 7
    assert game.determinize(0, seed=3).state.tobytes() == other.determinize(0, seed=3).state.tobytes()
