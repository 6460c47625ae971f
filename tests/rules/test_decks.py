"""Decks: reshuffling, exhausted decks, discard piles, what may be drawn."""

from collections import Counter

import pytest

from tests.table.facts import (
    ORDERS,
    SUMMER_VISITORS,
    VINE_COPIES,
    WINTER_VISITORS,
    hand_sizes,
    place,
    placements,
    play,
    seat,
    settle,
    workers,
)

from .positions import ALL_CARDS, deck, fields, start


def all_but(name, *cards):
    """The cards of a deck when these are taken out."""
    left = list(ALL_CARDS[name])
    for card in cards:
        left.remove(card)
    return left


@pytest.mark.parametrize("name, size", [("vine", 42), ("order", 36), ("summer", 38), ("winter", 38)])
def test_every_card_exists_in_its_number(name, size):
    """Essential, Components and Vine deck: 42 vines, 36 orders, 38 summer and 38 winter visitors, no card more."""
    assert len(ALL_CARDS[name]) == size
    assert len(seat(start(2, "spring", {"hand": {name: ALL_CARDS[name]}}), 0)["hand"][name]) == size
    for card in set(ALL_CARDS[name]):
        with pytest.raises(ValueError):
            start(2, "spring", {"hand": {name: [*ALL_CARDS[name], card]}})


def test_the_deck_holds_what_is_nowhere_else():
    """Essential, Setup: a card is in one place; what is not in a hand, on a field or discarded can be drawn."""
    planted = {"fields": fields(["merlot", "syrah"])}
    holder = {"hand": {"vine": all_but("vine", "merlot", "merlot", "syrah", "pinot")}}
    game = start(3, "summer", planted, holder, {"workers": workers(0, 0)})
    play(game, place("draw_vine", "bonus"), "yes")
    assert sorted(seat(game, 0)["hand"]["vine"]) == ["merlot", "pinot"]
    play(game, "pass")
    assert placements(game, "draw_vine") == []


def test_a_deck_is_reshuffled_when_its_last_card_is_drawn():
    """Essential, Setup, Deck maintenance: at once, not at the next draw."""
    discards = all_but("vine", "chardonnay")
    game = start(2, "summer", discards={"vine": discards})
    play(game, place("draw_vine"))
    assert seat(game, 0)["hand"]["vine"] == ["chardonnay"]
    assert deck(game, "vine") == sorted(discards)
    assert not game.to_dict()["discards"].get("vine")


def test_a_deck_is_not_reshuffled_before_its_last_card_is_drawn():
    """Essential, Setup, Deck maintenance: the discard pile stays while there is a card to draw."""
    discards = all_but("vine", "chardonnay", "merlot")
    game = start(2, "summer", discards={"vine": discards})
    play(game, place("draw_vine"))
    assert len(deck(game, "vine")) == 1
    assert game.to_dict()["discards"]["vine"] == discards


def test_two_cards_can_be_drawn_across_a_reshuffle():
    """Essential, Setup, Deck maintenance: the second card of a bonus comes from the new deck."""
    discards = all_but("vine", "chardonnay")
    game = start(3, "summer", discards={"vine": discards})
    play(game, place("draw_vine", "bonus"))
    assert game.legal_actions() == ["yes", "no"]
    play(game, "yes")
    assert hand_sizes(game, 0)["vine"] == 2
    assert len(deck(game, "vine")) == 40


def test_an_exhausted_deck_closes_its_action():
    """Essential, Setup, Deck maintenance: without cards and discards a deck is unavailable."""
    holder = {"hand": {"order": ORDERS}}
    game = start(2, "winter", {}, holder)
    assert placements(game, "draw_order") == []
    last = start(2, "winter", {}, {"hand": {"order": ORDERS[1:]}})
    assert placements(last, "draw_order") == [place("draw_order"), place("draw_order", worker="grande")]
    vines = list(Counter(VINE_COPIES).elements())
    assert placements(start(2, "summer", {}, {"hand": {"vine": vines}}), "draw_vine") == []
    assert placements(start(2, "summer", {}, {"hand": {"vine": vines[1:]}}), "draw_vine") != []


def test_an_exhausted_deck_gives_no_second_card():
    """Essential, Setup, Deck maintenance: the bonus of a draw space needs a card too."""
    game = start(3, "winter", {}, {"hand": {"order": ORDERS[1:]}})
    play(game, place("draw_order", "bonus"))
    if game.decision == "take_bonus":
        assert game.legal_actions() == ["no"]
        play(game, "no")
    assert seat(game, 0)["hand"]["order"] == ["order_01"]
    assert game.seat == 1


def test_an_exhausted_deck_gives_nothing_in_spring():
    """Essential, Setup, Deck maintenance: the row may be chosen, its card does not come."""
    holder = {"hand": {"order": ORDERS}}
    game = start(2, "spring", {}, holder)
    play(game, "wake_up:3")
    assert hand_sizes(game, 0) == {"vine": 0, "order": 0, "summer": 0, "winter": 0}
    assert game.seat == 1


def test_a_discard_revives_an_exhausted_deck():
    """Essential, Setup, Deck maintenance: the deck is available again once a card has been discarded."""
    own = {"hand": {"order": ORDERS}, "cellar": {"red": [1], "white": [3], "blush": [], "sparkling": []}}
    game = start(2, "winter", own)
    assert placements(game, "draw_order") == []
    play(game, place("fill_order"), "card:order:order_04", "wine:red:1", "wine:white:3")
    assert game.seat == 1
    play(game, place("draw_order"))
    assert seat(game, 1)["hand"]["order"] == ["order_04"]


def test_only_the_visitors_that_are_left_are_offered():
    """Essential, Fall actions: a visitor of the deck that still has cards; none if neither has."""
    game = start(2, "summer", {}, {"hand": {"summer": SUMMER_VISITORS}})
    play(game, "pass", "pass")
    assert (game.decision, game.legal_actions()) == ("choose_deck", ["deck:winter"])
    holder = {"hand": {"summer": SUMMER_VISITORS, "winter": WINTER_VISITORS}}
    game = start(2, "summer", {}, holder)
    play(game, "pass", "pass")
    assert (game.to_dict()["season"], game.decision) == ("winter", "place_worker")


def test_discards_lie_face_up_in_order():
    """Essential, Visitor cards and Filling wine orders: what is used goes on top of its pile."""
    hand = {"summer": ["patron", "surveyor"]}
    game = start(3, "summer", {"hand": hand}, discards={"summer": ["broker"]})
    play(game, place("play_summer_visitor", "bonus"), "card:summer:surveyor", "option:1")
    play(game, "card:summer:patron", "option:1")
    settle(game)
    assert game.to_dict()["discards"]["summer"] == ["broker", "surveyor", "patron"]


def test_sold_and_made_tokens_have_no_limit():
    """Essential, Components: the number of glass tokens limits nobody."""
    full = {"red": list(range(1, 10)), "white": list(range(1, 10))}
    own = {
        "crush_pad": full,
        "structures": ["medium_cellar", "large_cellar"],
        "cellar": {**full, "blush": [4, 5, 6, 7, 8, 9], "sparkling": [7, 8, 9]},
    }
    game = start(6, "summer", *([own] * 6))
    assert all(len(seat(game, k)["crush_pad"]["red"]) == 9 for k in range(6))
    assert all(seat(game, k)["cellar"]["sparkling"] == [7, 8, 9] for k in range(6))
