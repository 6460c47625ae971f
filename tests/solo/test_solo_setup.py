"""Set-up of a solo game: one seat, its decks, the chart, the marker and the numbers of the levels."""

import pytest

import vitienv
from tests.tabletop import hand_sizes, place, placements, play, points, season, seat, workers

from .positions import AUTOMA_CARDS, KEPT, PASS, REMOVED, ROWS, begin, run_to_winter, start, tokens


def test_a_solo_game_has_one_seat():
    """Solo, Introduction: one person; the Automa is no seat."""
    game = vitienv.Game.new(ruleset="solo", seed=3)
    assert (game.num_players, game.options.num_players, game.options.ruleset) == (1, 1, "solo")
    assert (game.decision, game.seat) == ("papa_gift", 0)
    assert (len(game.scores), len(game.rewards), len(game.ranking)) == (1, 1, 1)


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
    assert (sorted(seat(game)["glass_tokens"]), tokens(game)) == ([1, 2, 3, 4, 5, 6, 7], 0)


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
    assert (points(game), tokens(game), game.automa_score) == (vp, hand, marker)


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
    assert tokens(begin()) == 0
    game = begin(bonus_tokens=3)
    assert tokens(game) == 3
    assert sorted(seat(game)["glass_tokens"]) == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("deck", ["summer", "winter"])
def test_two_visitors_of_each_season_are_not_in_the_decks(deck):
    """Solo, Setup 4: with every other visitor in hand, nothing is left to draw in fall."""
    game = start("summer", {"hand": {deck: KEPT[deck]}})
    play(game, PASS)
    assert (season(game), game.decision) == ("fall", "choose_deck")
    assert game.legal_actions() == ["deck:winter" if deck == "summer" else "deck:summer"]


@pytest.mark.parametrize("deck", ["summer", "winter"])
def test_the_last_card_of_a_visitor_deck_is_a_useful_one(deck):
    """Solo, Setup 4: one card left means that this one is drawn."""
    for card in (KEPT[deck][0], KEPT[deck][-1]):
        rest = [name for name in KEPT[deck] if name != card]
        game = start("summer", {"hand": {deck: rest}})
        play(game, PASS, f"deck:{deck}")
        assert sorted(seat(game)["hand"][deck]) == sorted(KEPT[deck])


@pytest.mark.parametrize("card", [(deck, card) for deck in REMOVED for card in REMOVED[deck]], ids=lambda c: c[1])
def test_a_removed_visitor_is_nowhere_in_the_game(card):
    """Solo, Setup 4: a position cannot hold a card that was taken out."""
    deck, name = card
    with pytest.raises(ValueError, match=name):
        start("summer", {"hand": {deck: [name]}})
    with pytest.raises(ValueError, match=name):
        start("summer", next_draws={deck: [name]})
    with pytest.raises(ValueError, match=name):
        start("summer", discards={deck: [name]})


@pytest.mark.parametrize("deck", ["summer", "winter"])
@pytest.mark.parametrize("seed", range(6))
def test_redrawn_visitors_never_come_into_the_hand(deck, seed):
    """Solo, Setup 4, the other way: they stay in the decks and another card is drawn in their place."""
    left = KEPT[deck][4]
    hand = [name for name in KEPT[deck] if name != left]
    game = start("summer", {"hand": {deck: hand}}, options={"redraw_visitors": True}, seed=seed)
    play(game, PASS, f"deck:{deck}")
    assert sorted(seat(game)["hand"][deck]) == sorted(KEPT[deck])
    assert season(game) == "winter"


def test_redrawn_visitors_are_part_of_the_decks():
    """Solo, Setup 4, the other way: a draw that is forced to one of them gives the next card, and it is discarded."""
    game = start("summer", options={"redraw_visitors": True}, next_draws={"winter": ["queen", "governor", "noble"]})
    play(game, PASS, "deck:winter")
    assert seat(game)["hand"]["winter"] == ["noble"]
    assert game.to_dict()["discards"]["winter"] == ["queen", "governor"]


def test_a_card_that_draws_visitors_redraws_them_too():
    """Solo, Setup 4, the other way: whatever draws, those four are not kept."""
    own_hand = {"hand": {"summer": ["importer"]}}
    draws = {"winter": ["queen", "noble", "governor", "judge", "caravan"]}
    game = start("summer", own_hand, options={"redraw_visitors": True}, next_draws=draws)
    play(game, place("play_summer_visitor"), "card:summer:importer")
    assert sorted(seat(game)["hand"]["winter"]) == ["caravan", "judge", "noble"]


def test_cards_that_are_turned_up_are_redrawn_too():
    """Solo, Setup 4, the other way: the Caravan turns up a card that could be of use."""
    game = start(
        "winter",
        {"hand": {"winter": ["caravan"]}},
        options={"redraw_visitors": True},
        next_draws={"vine": ["pinot"], "order": ["order_01"], "summer": ["swindler", "broker"], "winter": ["noble"]},
    )
    play(game, place("play_winter_visitor"), "card:winter:caravan", "card:summer:broker", "card:winter:noble")
    assert seat(game)["hand"] == {"vine": [], "order": [], "summer": ["broker"], "winter": ["noble"]}


@pytest.mark.parametrize("card", [(deck, card) for deck in REMOVED for card in REMOVED[deck]], ids=lambda c: c[1])
def test_a_card_that_needs_an_opponent_cannot_be_played(card):
    """Playing visitors: one that came to hand from a discard pile does nothing, so it stays in hand."""
    deck, name = card
    game = start(deck, {"hand": {deck: [name]}, "lira": 9}, options={"redraw_visitors": True})
    assert placements(game, f"play_{deck}_visitor") == []


def test_mamas_redraw_them_too():
    """Solo, Setup 4, the other way: no opening hand has one of the four."""
    held = set()
    for seed in range(60):
        hand = seat(begin(seed, redraw_visitors=True))["hand"]
        held |= set(hand["summer"]) | set(hand["winter"])
    assert len(held) > 20
    assert not held & {"swindler", "wedding_party", "queen", "governor"}


def test_the_seat_plays_on_the_spaces_of_two_players():
    """Solo, Gameplay: the left space of each action, which gives no bonus."""
    game = start("summer")
    for action in ("draw_vine", "give_tour"):
        assert place(action) in game.legal_actions()
        assert place(action, "bonus") not in game.legal_actions()
    play(game, place("give_tour"))
    assert (seat(game)["lira"], game.decision, game.seat) == (2, "place_worker", 0)
    assert place("give_tour") not in game.legal_actions()
    assert place("give_tour", "crowd", "grande") in game.legal_actions()


def test_the_fall_and_the_winter_are_as_usual():
    """Solo, Gameplay: one visitor in fall, then winter with the workers that are left."""
    game = start("summer")
    play(game, place("draw_vine"))
    run_to_winter(game)
    assert sum(hand_sizes(game)[deck] for deck in ("summer", "winter")) == 1
    assert seat(game)["workers"] == workers(1, 1)
    assert (game.decision, game.seat) == ("place_worker", 0)
