"""Setup of a solo game: one seat, decks, chart, marker and the values of the levels."""

import pytest

import vitienv
from tests.table.fixtures import hand_sizes, play, points, seat, workers

from .positions import AUTOMA_CARDS, REMOVED, ROWS, begin, game_of, summer


def test_solo_game_has_one_seat():
    """Solo, Introduction: the Automa has no seat."""
    game = vitienv.Game.new(ruleset="solo", seed=3)
    assert (game.num_players, game.options.num_players, game.options.ruleset) == (1, 1, "solo")
    assert (game.decision, game.current_seat) == ("papa_gift", 0)
    assert (len(game.scores), len(game.rewards), len(game.ranks)) == (1, 1, 1)


def test_num_players_is_optional():
    """Solo: the number of seats follows from the ruleset."""
    assert vitienv.Game.new(ruleset="solo", num_players=1, seed=3) == vitienv.Game.new(ruleset="solo", seed=3)


def test_vineyard_setup():
    """Solo, Setup: mama and papa give the same as in every game."""
    for seed in range(12):
        game = begin(seed)
        cards = hand_sizes(game)
        assert sum(cards.values()) in (2, 3)
        # All papas give 6 or 7 lira to a seat that wants no gift; two mamas add 2 lira and give one card less.
        mama_lira = 2 if sum(cards.values()) == 2 else 0
        assert seat(game)["lira"] - mama_lira in (6, 7)
        assert (seat(game)["workers"], seat(game)["structures"], points(game)) == (workers(), [], 0)


def test_draft_parents():
    """Setup, Advanced variant: two of each and a choice, in the solo game as well."""
    game = vitienv.Game.new(ruleset="solo", seed=5, draft_parents=True)
    decisions = []
    while game.decision != "wake_up":
        decisions.append(game.decision)
        play(game, "option:2")
    assert decisions == ["choose_mama", "choose_papa", "papa_gift"]


def test_initial_tokens():
    """Solo, Setup 2: one glass token on each of the seven rows, none in hand."""
    game = begin()
    assert game.legal_actions() == ROWS
    assert (sorted(seat(game)["glass_tokens"]), seat(game)["bonus_tokens"]) == ([1, 2, 3, 4, 5, 6, 7], 0)


def test_automa_deck_has_24_cards():
    """Solo, Setup 3: none is drawn before summer."""
    game = begin()
    assert sorted(game.to_dict()["automa_deck"]) == AUTOMA_CARDS
    assert game.to_dict()["year"] == 1


@pytest.mark.parametrize(
    "level, vp, marker",
    [("very_easy", 0, 20), ("easy", 3, 20), ("normal", 0, 20), ("hard", 0, 20), ("very_hard", 0, 23)],
)
def test_initial_points_by_level(level, vp, marker):
    """Difficulty levels: easy raises the seat, very hard the Automa."""
    game = begin(difficulty=level)
    assert (points(game), game.automa_score, game.to_dict()["automa_points"]) == (vp, marker, marker)
    assert game.scores == [vp]


def test_default_level_is_normal():
    """Difficulty levels: normal is the game as described."""
    assert begin() == begin(difficulty="normal")
    assert (begin().automa_score, points(begin())) == (20, 0)


@pytest.mark.parametrize(
    "options, vp, hand, marker",
    [
        ({"difficulty": "easy"}, 3, 0, 20),
        ({"difficulty": "very_hard"}, 0, 0, 23),
        ({"challenge": 4}, -2, 0, 20),
        ({"challenge": 7}, -2, 0, 20),
        ({"bonus_tokens": 2}, 0, 2, 20),
    ],
)
def test_defaults_of_a_position_follow_from_the_options(options, vp, hand, marker):
    """Positions: missing keys have their value at the start of the game."""
    game = vitienv.Game.from_dict({"ruleset": "solo", "season": "spring", "options": options})
    assert (game.num_players, game.legal_actions()) == (1, ROWS)
    assert (points(game), seat(game)["bonus_tokens"], game.automa_score) == (vp, hand, marker)


def test_points_of_levels_are_options():
    """Difficulty levels: the values of easy and very hard."""
    assert points(begin(difficulty="easy", start_vp=2)) == 2
    assert begin(difficulty="very_hard", automa_vp=25).automa_score == 25


def test_gift_of_a_point_is_added():
    """Setup, Mamas and papas: on top of the points of the level."""
    num_points = 0
    for seed in range(60):
        game = vitienv.Game.new(ruleset="solo", seed=seed, difficulty="easy")
        before = seat(game)
        after = seat(play(game, "option:1"))
        assert after["victory_points"] in (3, 4)
        if after["victory_points"] == 4:
            num_points += 1
            assert (after["structures"], after["workers"]) == (before["structures"], before["workers"])
    assert num_points


def test_bonus_tokens_follow_from_campaign_losses():
    """Campaign play: one token per loss in a row."""
    assert seat(begin())["bonus_tokens"] == 0
    game = begin(bonus_tokens=3)
    assert seat(game)["bonus_tokens"] == 3
    assert sorted(seat(game)["glass_tokens"]) == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("card", [(deck, card) for deck in REMOVED for card in REMOVED[deck]], ids=lambda c: c[1])
def test_removed_visitors_raise(card):
    """Solo, Setup 4: positions cannot contain removed cards."""
    deck, name = card
    for position in (summer({deck: [name]}), summer(next_draws={deck: [name]}), summer(discards={deck: [name]})):
        with pytest.raises(ValueError, match=name):
            game_of(position)


def test_opening_hands_have_no_removed_visitors():
    """Solo, Setup 4, the option to redraw."""
    visitors = set()
    for seed in range(60):
        hand = seat(begin(seed, redraw_visitors=True))["hand"]
        visitors |= set(hand["summer"]) | set(hand["winter"])
    assert len(visitors) > 20
    assert not visitors & {"swindler", "wedding_party", "queen", "governor"}
