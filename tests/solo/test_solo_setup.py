"""Set-up of a solo game: one seat, its decks, the chart, the marker and the numbers of the levels."""

import pytest

import vitienv
from tests.table.fixtures import hand_sizes, play, points, seat, workers

from .rows import AUTOMA_CARDS, REMOVED, ROWS, begin, game_of, summer


def test_a_solo_game_has_one_seat():
    """Solo, Introduction: one person; the Automa is no seat."""
    game = vitienv.Game.new(ruleset="solo", seed=3)
    assert (game.num_players, game.options.num_players, game.options.ruleset) == (1, 1, "solo")
    assert (game.decision, game.current_seat) == ("papa_gift", 0)
    assert (len(game.scores), len(game.rewards), len(game.ranks)) == (1, 1, 1)


def test_one_player_may_be_said_or_left_out():
    """Solo: the number of seats follows from the ruleset."""
    assert vitienv.Game.new(ruleset="solo", num_players=1, seed=3) == vitienv.Game.new(ruleset="solo", seed=3)


def test_the_vineyard_is_set_up_as_usual():
    """Solo, Setup: mama and papa give what they give in every game."""
    for seed in range(12):
        game = begin(seed)
        cards = hand_sizes(game)
        assert sum(cards.values()) in (2, 3)
        # All papas give 6 or 7 lira to a seat that wants no gift; two mamas add 2 lira and give one card less.
        more = 2 if sum(cards.values()) == 2 else 0
        assert seat(game)["lira"] - more in (6, 7)
        assert (seat(game)["workers"], seat(game)["structures"], points(game)) == (workers(), [], 0)


def test_parents_may_be_drafted():
    """Setup, Advanced variant: two of each and a choice, in the solo game too."""
    game = vitienv.Game.new(ruleset="solo", seed=5, draft_parents=True)
    asked = []
    while game.decision != "wake_up":
        asked.append(game.decision)
        play(game, "option:2")
    assert asked == ["choose_mama", "choose_papa", "papa_gift"]


def test_a_token_lies_on_each_row_and_none_in_hand():
    """Solo, Setup 2: one glass token on each of the seven rows."""
    game = begin()
    assert game.legal_actions() == ROWS
    assert (sorted(seat(game)["glass_tokens"]), seat(game)["bonus_tokens"]) == ([1, 2, 3, 4, 5, 6, 7], 0)


def test_the_automa_deck_has_24_cards():
    """Solo, Setup 3: all Automa cards, none drawn before summer."""
    game = begin()
    assert sorted(game.to_dict()["automa_deck"]) == AUTOMA_CARDS
    assert game.to_dict()["year"] == 1


@pytest.mark.parametrize(
    "level, own, marker",
    [("very_easy", 0, 20), ("easy", 3, 20), ("normal", 0, 20), ("hard", 0, 20), ("very_hard", 0, 23)],
)
def test_the_levels_differ_in_the_points_at_the_start(level, own, marker):
    """Difficulty levels: easy starts the seat higher, very hard the Automa."""
    game = begin(difficulty=level)
    assert (points(game), game.automa_score, game.to_dict()["automa_points"]) == (own, marker, marker)
    assert game.scores == [own]


def test_normal_is_the_level_unless_another_is_named():
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
def test_a_position_says_nothing_that_the_options_say(options, vp, hand, marker):
    """Positions: what is missing has its value at the start of the game."""
    game = vitienv.Game.from_dict({"ruleset": "solo", "season": "spring", "options": options})
    assert (game.num_players, game.legal_actions()) == (1, ROWS)
    assert (points(game), seat(game)["bonus_tokens"], game.automa_score) == (vp, hand, marker)


def test_numbers_given_by_one_source_only_can_be_changed():
    """Difficulty levels: the numbers of easy and very hard are open to options."""
    assert points(begin(difficulty="easy", start_vp=2)) == 2
    assert begin(difficulty="very_hard", automa_vp=25).automa_score == 25


def test_the_papas_point_is_added_to_the_start():
    """Setup, Mamas and papas: a gift of a point comes on top of the points of the level."""
    found = 0
    for seed in range(60):
        game = vitienv.Game.new(ruleset="solo", seed=seed, difficulty="easy")
        before = seat(game)
        after = seat(play(game, "option:1"))
        assert after["victory_points"] in (3, 4)
        if after["victory_points"] == 4:
            found += 1
            assert (after["structures"], after["workers"]) == (before["structures"], before["workers"])
    assert found


def test_a_game_without_campaign_losses_starts_without_tokens():
    """Campaign play: tokens in hand at the start only after losses, as many as losses in a row."""
    assert seat(begin())["bonus_tokens"] == 0
    game = begin(bonus_tokens=3)
    assert seat(game)["bonus_tokens"] == 3
    assert sorted(seat(game)["glass_tokens"]) == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("card", [(deck, card) for deck in REMOVED for card in REMOVED[deck]], ids=lambda c: c[1])
def test_a_removed_visitor_is_nowhere_in_the_game(card):
    """Solo, Setup 4: a position cannot hold a card that was taken out."""
    deck, name = card
    for position in (summer({deck: [name]}), summer(next_draws={deck: [name]}), summer(discards={deck: [name]})):
        with pytest.raises(ValueError, match=name):
            game_of(position)


def test_mamas_redraw_them_too():
    """Solo, Setup 4, the other way: no opening hand has one of the four."""
    held = set()
    for seed in range(60):
        hand = seat(begin(seed, redraw_visitors=True))["hand"]
        held |= set(hand["summer"]) | set(hand["winter"])
    assert len(held) > 20
    assert not held & {"swindler", "wedding_party", "queen", "governor"}
