"""The Automa deck over whole games, and its randomness."""

from itertools import pairwise

import pytest

from tests.table.fixtures import SUMMER_ACTIONS, WINTER_ACTIONS

from .automa import CARDS
from .positions import AUTOMA_CARDS, ROWS, TO_WINTER, begin, game_of, run_to, run_to_year_end, spring, summer

ACTIONS = {"summer": SUMMER_ACTIONS, "winter": WINTER_ACTIONS}


def blocked(game):
    board = game.to_dict()["board"]
    return sorted(act for act, stand in board.items() if any(worker["seat"] == "automa" for worker in stand))


def played(game, *moves):
    for move in moves:
        game.step(move)
    return game


def decks(game):
    """Return the Automa deck at each decision until the game ends, while the seat passes."""
    cards = []
    while not game.is_over:
        cards.append(set(game.to_dict()["automa_deck"]))
        legal = game.legal_actions()
        game.step("pass" if "pass" in legal else legal[0])
    return cards


@pytest.mark.parametrize(
    "seed, level, cards", [(1, "normal", 14), (2, "normal", 14), (3, "normal", 14), (2, "very_easy", 16)]
)
def test_number_of_automa_cards(seed, level, cards):
    """Solo, Automa cards: one card per season from one deck; very easy has another year."""
    deck_history = decks(begin(seed, difficulty=level))
    assert all(later <= sooner and len(sooner - later) <= 1 for sooner, later in pairwise(deck_history))
    assert len(deck_history[-1]) == 24 - cards


def test_automa_cards_repeat_after_24():
    """Difficulty levels, hard: a card is not drawn again before all 24 have been."""
    reshuffled = 0
    for seed in range(5, 11):
        deck_history = decks(begin(seed, difficulty="hard"))
        for sooner, later in pairwise(deck_history):
            assert later <= sooner or len(later) > len(sooner)
            reshuffled += len(later) > len(sooner)
    assert reshuffled


def test_automa_deck_is_shuffled():
    """Solo, Setup 3: the first card depends on the seed."""
    assert len({tuple(blocked(played(begin(seed), "wake_up:1"))) for seed in range(40)}) >= 8


@pytest.mark.parametrize("card", [*CARDS][::5])
def test_automa_draws_from_its_deck(card):
    """Positions: cards that are not in `automa_deck` have been drawn."""
    for seed in range(5):
        game = game_of(spring(automa_deck=[f"automa_{card}"], seed=seed))
        assert blocked(played(game, "wake_up:1")) == sorted(CARDS[card][0].split())


def test_empty_automa_deck_is_reshuffled():
    """Difficulty levels, hard, and positions: all 24 cards form the deck again."""
    cards = set()
    for seed in range(40):
        game = played(game_of(spring(automa_deck=["automa_16"], seed=seed)), "wake_up:1", *TO_WINTER.split())
        (card,) = set(AUTOMA_CARDS) - set(game.to_dict()["automa_deck"])
        actions = CARDS[card.removeprefix("automa_")]
        assert blocked(game) == sorted(actions[1].split())
        cards.add(card)
    assert len(cards) >= 6


@pytest.mark.parametrize("level", ["hard", "very_hard"])
def test_automa_deck_is_reshuffled_within_a_season(level):
    """Difficulty levels, hard: if the cards run out, the deck is reshuffled and drawing continues."""
    sizes = set()
    for seed in range(12):
        position = spring(automa_deck=["automa_16", "automa_22"], seed=seed, difficulty=level)
        game = played(game_of(position), "wake_up:1")
        assert len(blocked(game)) >= 2
        sizes.add(len(game.to_dict()["automa_deck"]))
    # At least one more card than the two that were left has been drawn of the new 24, and seldom many more.
    assert sizes <= set(range(15, 24))
    assert 23 in sizes


@pytest.mark.parametrize("level", ["hard", "very_hard"])
def test_number_of_automa_workers(level):
    """Difficulty levels, hard: at least two per season, at most six per year."""
    for seed in range(4):
        game = begin(seed, difficulty=level)
        while not game.is_over:
            played(game, next(row for row in ROWS if row in game.legal_actions()))
            for season in ("summer", "winter"):
                run_to(game, lambda g, name=season: g.to_dict()["season"] == name and g.decision == "place_worker")
                assert len(set(blocked(game)) & set(ACTIONS[season])) >= 2
            assert len(blocked(game)) <= 6
            run_to_year_end(game)


@pytest.mark.parametrize("deck", [["automa_25"], ["automa_01", "automa_01"], ["pinot"]])
def test_unknown_automa_cards_raise(deck):
    """Positions: errors name contradictions."""
    with pytest.raises(ValueError, match=r"Automa|automa"):
        game_of(summer(automa_deck=deck))


def test_determinize_redeals_automa_cards():
    """Positions: a copy draws the same card; a determinized game draws others."""
    game = begin(8)
    same = [blocked(played(game.copy(), "wake_up:1")) for _ in range(3)]
    assert same[0] == same[1] == same[2]
    others = {tuple(blocked(played(game.determinize(0, seed), "wake_up:1"))) for seed in range(20)}
    assert len(others) >= 4
