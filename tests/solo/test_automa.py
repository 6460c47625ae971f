"""The Automa's deck over whole games, and what chance has to do with it."""

from itertools import pairwise

import pytest

from tests.table.fixtures import SUMMER_ACTIONS, WINTER_ACTIONS

from .automa import CARDS
from .rows import AUTOMA_CARDS, ROWS, TO_WINTER, begin, game_of, run_to, run_to_year_end, spring, summer

ACTIONS = {"summer": SUMMER_ACTIONS, "winter": WINTER_ACTIONS}


def blocked(game):
    """The actions on which an Automa worker stands, in order."""
    board = game.to_dict()["board"]
    return sorted(act for act, stand in board.items() if any(worker["seat"] == "automa" for worker in stand))


def played(game, *moves):
    """The game after those moves."""
    for move in moves:
        game.step(move)
    return game


def decks(game):
    """The Automa's deck at each decision until the game ends, the seat passing."""
    cards = []
    while not game.is_over:
        cards.append(set(game.to_dict()["automa_deck"]))
        legal = game.legal_actions()
        game.step("pass" if "pass" in legal else legal[0])
    return cards


@pytest.mark.parametrize(
    "seed, level, cards", [(1, "normal", 14), (2, "normal", 14), (3, "normal", 14), (2, "very_easy", 16)]
)
def test_fourteen_different_cards_in_seven_years(seed, level, cards):
    """Solo, Automa cards: one card a season out of one deck; very easy has a year more."""
    found = decks(begin(seed, difficulty=level))
    assert all(later <= sooner and len(sooner - later) <= 1 for sooner, later in pairwise(found))
    assert len(found[-1]) == 24 - cards


def test_a_deck_lasts_for_all_cards_before_one_comes_again():
    """Difficulty levels, hard: cards are out until all 24 have been drawn."""
    reshuffled = 0
    for seed in range(5, 11):
        found = decks(begin(seed, difficulty="hard"))
        for sooner, later in pairwise(found):
            assert later <= sooner or len(later) > len(sooner)
            reshuffled += len(later) > len(sooner)
    assert reshuffled


def test_the_deck_is_shuffled():
    """Solo, Setup 3: the first card differs from game to game, and by no fixed order."""
    assert len({tuple(blocked(played(begin(seed), "wake_up:1"))) for seed in range(40)}) >= 8


@pytest.mark.parametrize("card", [*CARDS][::5])
def test_only_cards_of_the_deck_are_drawn(card):
    """Positions: what is not in the given deck has been drawn before."""
    for seed in range(5):
        game = game_of(spring(automa_deck=[f"automa_{card}"], seed=seed))
        assert blocked(played(game, "wake_up:1")) == sorted(CARDS[card][0].split())


def test_a_used_up_deck_is_shuffled_anew():
    """Difficulty levels, hard, and positions: when no card is left, all 24 form the deck again."""
    seen = set()
    for seed in range(40):
        game = played(game_of(spring(automa_deck=["automa_16"], seed=seed)), "wake_up:1", *TO_WINTER.split())
        (drawn,) = set(AUTOMA_CARDS) - set(game.to_dict()["automa_deck"])
        taken = CARDS[drawn.removeprefix("automa_")]
        assert blocked(game) == sorted(taken[1].split())
        seen.add(drawn)
    assert len(seen) >= 6


@pytest.mark.parametrize("level", ["hard", "very_hard"])
def test_a_used_up_deck_is_reshuffled_in_the_middle_of_a_season(level):
    """Difficulty levels, hard: if the cards run out, the deck is shuffled again and the draw goes on."""
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
def test_at_least_two_and_never_more_than_six(level):
    """Difficulty levels, hard: in whole games each season has two workers or more, each year six or fewer."""
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
def test_a_deck_of_cards_that_do_not_exist_is_refused(deck):
    """Positions: contradictions are named."""
    with pytest.raises(ValueError, match=r"Automa|automa"):
        game_of(summer(automa_deck=deck))


def test_what_comes_next_is_part_of_chance_only():
    """Positions: a copy draws the same card; a deal in which the unknown is dealt anew draws others."""
    game = begin(8)
    same = [blocked(played(game.copy(), "wake_up:1")) for _ in range(3)]
    assert same[0] == same[1] == same[2]
    others = {tuple(blocked(played(game.determinize(0, seed), "wake_up:1"))) for seed in range(20)}
    assert len(others) >= 4
