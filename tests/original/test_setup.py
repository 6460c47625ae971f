"""Set-up: no parents, everybody begins alike with a pinot, one summer visitor, three workers and three lira."""

from collections import Counter

import pytest

import vitienv
from tests.table.fixtures import ORDERS, VINE_COPIES, hand_sizes, seat, workers

from .positions import EMPTY_CELLAR, LATER_VISITORS, SUMMER_VISITORS, WINTER_VISITORS, both_presets

PLAYERS = [2, 3, 4, 5, 6]
VINE_KINDS = list(VINE_COPIES)  # in the order of observations


def new(num_players, seed=1, **options):
    """A new game of the original edition."""
    return vitienv.Game.new(ruleset="original", num_players=num_players, seed=seed, **options)


def holds(game, deck, cards):
    """Whether the deck holds these cards: only those can be made to come next."""
    try:
        vitienv.Game.from_dict({**game.to_dict(), "next_draws": {deck: list(cards)}})
    except ValueError:
        return False
    return True


@both_presets
@pytest.mark.parametrize("num_players", PLAYERS)
def test_no_parents_are_dealt(num_players, preset):
    """Original, rows 3 and 17: nobody is asked anything before the first rooster is placed."""
    for seed in range(5):
        game = new(num_players, seed, preset=preset)
        assert game.decision == "wake_up"
        assert game.current_seat == game.to_dict()["first_player"]
        for number in range(num_players):
            assert not {"mamas", "papas"} & set(seat(game, number))


@both_presets
@pytest.mark.parametrize("num_players", PLAYERS)
def test_everybody_begins_alike(num_players, preset):
    """Original, rows 13 to 16: two regular workers and a grande, a pinot, one summer visitor, 3 lira."""
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
    """Original, row 18: three fields, nothing planted."""
    for own in new(4).to_dict()["seats"]:
        assert len(own["fields"]) == 3
        assert not any(field["vines"] or field["harvested"] or field.get("sold") for field in own["fields"])


@pytest.mark.parametrize("num_players", PLAYERS)
def test_the_first_player_is_drawn_among_all(num_players):
    """Original, row 19: random, as in the Essential Edition."""
    firsts = {new(num_players, seed).to_dict()["first_player"] for seed in range(60)}
    assert firsts == set(range(num_players))


@pytest.mark.parametrize("num_players", PLAYERS)
def test_one_pinot_for_each_player_has_left_the_deck(num_players):
    """Original, row 14: of six pinots those of the players are set aside; all other vines are in the deck."""
    game = new(num_players)
    assert holds(game, "vine", ["pinot"] * (6 - num_players))
    assert not holds(game, "vine", ["pinot"] * (7 - num_players))
    left = Counter(VINE_COPIES)
    left["pinot"] -= num_players
    assert left.total() == 42 - num_players
    assert holds(game, "vine", left.elements())
    for vine in VINE_COPIES:
        assert not holds(game, "vine", [*left.elements(), vine])
    seen = vitienv.OBSERVATION
    assert seen.get(game.observation(), "n_deck")[0] == 42 - num_players
    assert seen.get(game.observation(), "unseen")[VINE_KINDS.index("pinot")] == 6 - num_players


@pytest.mark.parametrize("num_players", PLAYERS)
def test_the_other_decks_after_the_deal(num_players):
    """Original, rows 1, 2 and 14: 36 orders, 20 winter visitors, and 20 summer visitors less one for each player."""
    game = new(num_players)
    dealt = [card for own in game.to_dict()["seats"] for card in own["hand"]["summer"]]
    assert len(set(dealt)) == num_players
    rest = [card for card in SUMMER_VISITORS if card not in dealt]
    assert len(rest) == 20 - num_players
    for deck, cards in (("summer", rest), ("winter", WINTER_VISITORS), ("order", ORDERS)):
        assert holds(game, deck, cards)
        assert not holds(game, deck, [*cards, cards[0]])
    assert not holds(game, "summer", dealt[:1])
    for deck, later in LATER_VISITORS.items():
        assert len(later) == 18
        assert not any(holds(game, deck, [card]) for card in later)


def test_every_summer_visitor_may_be_the_first():
    """Original, row 14: the visitor of the start is random, each of the twenty."""
    dealt = set()
    for seed in range(60):
        dealt |= {own["hand"]["summer"][0] for own in new(6, seed).to_dict()["seats"]}
    assert dealt == set(SUMMER_VISITORS)


def test_the_first_visitor_is_dealt_apart_to_each_seat():
    """Original, row 14: no seat is favoured; each gets one of many over several games."""
    for number in range(3):
        assert len({seat(new(3, seed), number)["hand"]["summer"][0] for seed in range(30)}) > 5


def test_everybody_knows_of_the_pinots():
    """Original, row 14: each seat was seen to get one, so no guess at a hand leaves it out; the visitor is hidden."""
    game = new(4)
    visitors = set()
    for chance in range(10):
        other = game.determinize(0, chance)
        assert all(seat(other, number)["hand"]["vine"] == ["pinot"] for number in range(4))
        visitors.add(seat(other, 1)["hand"]["summer"][0])
    assert len(visitors) > 1


def test_the_essential_edition_still_deals_parents():
    """Original, rows 3 and 14: the difference is this ruleset's; the other one begins with the papas' question."""
    assert vitienv.Game.new(ruleset="essential", num_players=2, seed=1).decision == "papa_gift"
