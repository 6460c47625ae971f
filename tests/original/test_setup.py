"""Setup: no parents; each seat starts with a pinot, a summer visitor, three workers and three lira."""

from collections import Counter

import pytest

import vitienv
from tests.table.fixtures import ORDERS, VINE_COPIES, hand_sizes, seat, workers

from .positions import EMPTY_CELLAR, LATER_VISITORS, SUMMER_VISITORS, WINTER_VISITORS, both_presets

PLAYERS = [2, 3, 4, 5, 6]
VINE_KINDS = list(VINE_COPIES)  # the order in observations


def new(num_players, seed=1, **options):
    return vitienv.Game.new(ruleset="original", num_players=num_players, seed=seed, **options)


def holds(game, deck, cards):
    """Return whether the deck contains these cards, which can then be forced as next draws."""
    try:
        vitienv.Game.from_dict({**game.to_dict(), "next_draws": {deck: list(cards)}})
    except ValueError:
        return False
    return True


@both_presets
@pytest.mark.parametrize("num_players", PLAYERS)
def test_no_parents(num_players, preset):
    """Original, rows 3 and 17: the first decision is the first wake-up."""
    for seed in range(5):
        game = new(num_players, seed, preset=preset)
        assert game.decision == "wake_up"
        assert game.current_seat == game.to_dict()["first_player"]
        for number in range(num_players):
            assert not {"mamas", "papas"} & set(seat(game, number))


@both_presets
@pytest.mark.parametrize("num_players", PLAYERS)
def test_initial_seats_are_equal(num_players, preset):
    """Original, rows 13 to 16: two regular workers and a grande, a pinot, a summer visitor, 3 lira."""
    for seed in range(5):
        game = new(num_players, seed, preset=preset)
        assert (game.year, game.to_dict()["season"]) == (1, "spring")
        for number in range(num_players):
            mat = seat(game, number)
            assert mat["workers"] == workers(2, 1)
            assert mat.get("trained_this_year", 0) == 0
            assert hand_sizes(game, number) == {"vine": 1, "order": 0, "summer": 1, "winter": 0}
            assert mat["hand"]["vine"] == ["pinot"]
            assert mat["hand"]["summer"][0] in SUMMER_VISITORS
            assert (mat["lira"], mat["victory_points"], mat["residual"]) == (3, 0, 0)
            assert mat["structures"] == []
            assert mat["wake_up"] is None
            assert mat["crush_pad"] == {"red": [], "white": []}
            assert mat["cellar"] == EMPTY_CELLAR


def test_three_empty_fields():
    """Original, row 18: nothing is planted at the start."""
    for mat in new(4).to_dict()["seats"]:
        assert len(mat["fields"]) == 3
        assert not any(field["vines"] or field["harvested"] or field.get("sold") for field in mat["fields"])


@pytest.mark.parametrize("num_players", PLAYERS)
def test_first_player_is_random(num_players):
    """Original, row 19: as in the Essential Edition."""
    firsts = {new(num_players, seed).to_dict()["first_player"] for seed in range(60)}
    assert firsts == set(range(num_players))


@pytest.mark.parametrize("num_players", PLAYERS)
def test_dealt_pinots_leave_the_deck(num_players):
    """Original, row 14: of six pinots each seat has one; all other vines are in the deck."""
    game = new(num_players)
    assert holds(game, "vine", ["pinot"] * (6 - num_players))
    assert not holds(game, "vine", ["pinot"] * (7 - num_players))
    deck = Counter(VINE_COPIES)
    deck["pinot"] -= num_players
    assert deck.total() == 42 - num_players
    assert holds(game, "vine", deck.elements())
    for vine in VINE_COPIES:
        assert not holds(game, "vine", [*deck.elements(), vine])
    layout = vitienv.OBSERVATION
    assert layout.get(game.observation(), "n_deck")[0] == 42 - num_players
    assert layout.get(game.observation(), "unseen")[VINE_KINDS.index("pinot")] == 6 - num_players


@pytest.mark.parametrize("num_players", PLAYERS)
def test_other_decks_after_the_deal(num_players):
    """Original, rows 1, 2 and 14: 36 orders, 20 winter visitors, and 20 summer visitors less one per seat."""
    game = new(num_players)
    dealt = [card for mat in game.to_dict()["seats"] for card in mat["hand"]["summer"]]
    assert len(set(dealt)) == num_players
    undealt = [card for card in SUMMER_VISITORS if card not in dealt]
    assert len(undealt) == 20 - num_players
    for deck, cards in (("summer", undealt), ("winter", WINTER_VISITORS), ("order", ORDERS)):
        assert holds(game, deck, cards)
        assert not holds(game, deck, [*cards, cards[0]])
    assert not holds(game, "summer", dealt[:1])
    for deck, later in LATER_VISITORS.items():
        assert len(later) == 18
        assert not any(holds(game, deck, [card]) for card in later)


def test_initial_visitor_is_random():
    """Original, row 14: each of the twenty."""
    dealt = set()
    for seed in range(60):
        dealt |= {mat["hand"]["summer"][0] for mat in new(6, seed).to_dict()["seats"]}
    assert dealt == set(SUMMER_VISITORS)


def test_initial_visitors_are_independent_of_the_seat():
    """Original, row 14: each seat gets many of them over several games."""
    for number in range(3):
        assert len({seat(new(3, seed), number)["hand"]["summer"][0] for seed in range(30)}) > 5


def test_determinize_keeps_the_pinots():
    """Original, row 14: pinots are public, the visitor is hidden."""
    game = new(4)
    visitors = set()
    for deal_seed in range(10):
        other = game.determinize(0, deal_seed)
        assert all(seat(other, number)["hand"]["vine"] == ["pinot"] for number in range(4))
        visitors.add(seat(other, 1)["hand"]["summer"][0])
    assert len(visitors) > 1


def test_essential_edition_deals_parents():
    """Original, rows 3 and 14: the Essential Edition starts with the gifts of the papas."""
    assert vitienv.Game.new(ruleset="essential", num_players=2, seed=1).decision == "papa_gift"
