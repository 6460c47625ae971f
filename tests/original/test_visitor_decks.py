"""The two visitor decks of twenty cards each."""

from itertools import islice

import pytest

import vitienv
from tests.random_play import decisions
from tests.table.fixtures import ORDERS, VINES, hand_sizes, place, placements, play, season, seat

from .positions import (
    LATER_SUMMER_VISITORS,
    LATER_WINTER_VISITORS,
    NOBODY,
    PRESETS,
    SUMMER_VISITORS,
    VISITORS,
    WINTER_VISITORS,
    both_presets,
    start,
)

SIZES = [("vine", VINES, 42), ("order", ORDERS, 36), ("summer", SUMMER_VISITORS, 20), ("winter", WINTER_VISITORS, 20)]


def visible_visitors(game):
    record = game.to_dict()
    visitors = {deck: set(record["discards"].get(deck, ())) for deck in VISITORS}
    for mat in record["seats"]:
        for deck in VISITORS:
            visitors[deck].update(mat["hand"][deck])
    return visitors


def random_play(seed, steps, num_players=3, **options):
    """Yield a random game before each move."""
    return islice(decisions(seed, ruleset="original", num_players=num_players, **options), steps)


@pytest.mark.parametrize("deck, cards, size", SIZES, ids=[deck for deck, _, _ in SIZES])
def test_number_of_copies_of_every_card(deck, cards, size):
    """Original, rows 1 and 2: 42 vines, 36 orders, 20 + 20 visitors, and no card more."""
    assert len(cards) == size
    assert len(seat(start(2, "spring", {"hand": {deck: cards}}))["hand"][deck]) == size
    for card in set(cards):
        with pytest.raises(ValueError):
            start(2, "spring", {"hand": {deck: [*cards, card]}})


@pytest.mark.parametrize(
    "deck, card",
    [("summer", card) for card in LATER_SUMMER_VISITORS] + [("winter", card) for card in LATER_WINTER_VISITORS],
)
def test_later_visitors_raise(deck, card):
    """Original, rows 1 and 69: no position contains one of the 18 + 18 later cards."""
    assert start(2, "spring", {"hand": {deck: [card]}}, ruleset="essential").current_seat == 0
    with pytest.raises(ValueError):
        start(2, "spring", {"hand": {deck: [card]}})
    with pytest.raises(ValueError):
        start(2, "spring", discards={deck: [card]})
    with pytest.raises(ValueError):
        start(2, "spring", next_draws={deck: [card]})


@both_presets
@pytest.mark.parametrize("deck", VISITORS)
def test_deck_is_exhausted_after_twenty_cards(deck, preset):
    """Original, row 1: with nineteen in a hand the twentieth is drawn, and then the deck is exhausted."""
    for last in VISITORS[deck][::7]:
        others = [card for card in VISITORS[deck] if card != last]
        game = start(3, "summer", {}, {}, {"hand": {deck: others}}, preset=preset)
        play(game, "pass", "pass", "pass", f"deck:{deck}")
        assert seat(game, 0)["hand"][deck] == [last]
        other = "winter" if deck == "summer" else "summer"
        assert (game.decision, game.current_seat, game.legal_actions()) == ("choose_deck", 1, [f"deck:{other}"])


def test_fall_is_skipped_without_visitors():
    """Original, row 63: with all forty visitors in hands no seat draws."""
    game = start(2, "summer", {}, {"hand": VISITORS})
    play(game, "pass", "pass")
    assert (season(game), game.decision) == ("winter", "place_worker")
    assert hand_sizes(game, 0) == {"vine": 0, "order": 0, "summer": 0, "winter": 0}


def test_discards_are_reshuffled():
    """Original, row 63: when the last card is drawn, the discards become the deck."""
    discards = [card for card in WINTER_VISITORS if card != "queen"]
    game = start(2, "summer", {}, {}, discards={"winter": discards})
    play(game, "pass", "pass", "deck:winter")
    assert seat(game, 0)["hand"]["winter"] == ["queen"]
    assert not game.to_dict()["discards"].get("winter")
    play(game, "deck:winter")
    assert seat(game, 1)["hand"]["winter"][0] in discards


def test_exhausted_deck_closes_its_action():
    """Original, row 63: until a card is discarded."""
    game = start(2, "winter", {}, {"hand": {"order": ORDERS}} | NOBODY)
    assert placements(game, "draw_order") == []
    last = start(2, "winter", {}, {"hand": {"order": ORDERS[1:]}} | NOBODY)
    play(last, place("draw_order"))
    assert seat(last, 0)["hand"]["order"] == ["order_01"]


@pytest.mark.parametrize("preset", PRESETS)
def test_random_games_draw_exactly_the_forty(preset):
    """Original, row 1: random games show each of the forty visitors and no other."""
    visitors = {deck: set() for deck in VISITORS}
    for seed in range(10):
        for turn, game in enumerate(random_play(seed, 400, preset=preset)):
            if turn % 8 == 0:
                for deck, cards in visible_visitors(game).items():
                    visitors[deck] |= cards
    assert visitors == {deck: set(cards) for deck, cards in VISITORS.items()}


def test_cards_are_conserved():
    """Original, row 1: cards in no hand and on no pile are in the deck."""
    for seed, num_players in enumerate((2, 4, 6)):
        for turn, game in enumerate(random_play(seed, 300, num_players)):
            if turn % 25 or game.decision not in ("wake_up", "place_worker"):
                continue
            gone = {deck: set(cards) for deck, cards in visible_visitors(game).items()}
            in_deck = {deck: [card for card in cards if card not in gone[deck]] for deck, cards in VISITORS.items()}
            assert vitienv.Game.from_dict({**game.to_dict(), "next_draws": in_deck}).current_seat == game.current_seat


def test_determinize_deals_the_forty():
    """Original, row 1, and interfaces, determinize: hands contain no later card."""
    hands = [{"hand": {"summer": SUMMER_VISITORS[k : k + 3], "winter": WINTER_VISITORS[k : k + 3]}} for k in (0, 3, 6)]
    game = start(3, "winter", *hands)
    dealt = {deck: set() for deck in VISITORS}
    for seed in range(40):
        other = game.determinize(0, seed)
        assert seat(other, 0)["hand"] == seat(game, 0)["hand"]
        for deck, cards in visible_visitors(other).items():
            dealt[deck] |= cards
    assert dealt == {deck: set(cards) for deck, cards in VISITORS.items()}
