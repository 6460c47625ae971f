"""The 24 Automa cards and how they are drawn on the levels without the rule of two workers."""

import pytest

from tests.tabletop import SUMMER_ACTIONS, WINTER_ACTIONS, hand_sizes, place, placements, play, season, seat, workers

from .positions import (
    ABLE,
    ACTIONS_OF,
    AUTOMA,
    AUTOMA_CARDS,
    PASS,
    begin,
    blocked,
    own,
    run_to,
    run_to_winter,
    run_to_year_end,
    start,
)

# What each card blocks on the base board: summer actions, winter actions.
CARDS = {
    "automa_01": ("draw_vine give_tour", ""),
    "automa_02": ("draw_vine build_structure plant_vine", "make_wine"),
    "automa_03": ("draw_vine play_summer_visitor", "play_winter_visitor"),
    "automa_04": ("give_tour build_structure sell_grapes_or_field", "train_worker"),
    "automa_05": ("give_tour", "harvest_field"),
    "automa_06": ("build_structure", "draw_order fill_order"),
    "automa_07": ("draw_vine play_summer_visitor", ""),
    "automa_08": ("give_tour plant_vine", "make_wine"),
    "automa_09": ("build_structure sell_grapes_or_field play_summer_visitor", "play_winter_visitor"),
    "automa_10": ("plant_vine sell_grapes_or_field", "train_worker"),
    "automa_11": ("play_summer_visitor sell_grapes_or_field", "harvest_field"),
    "automa_12": ("plant_vine", "draw_order fill_order"),
    "automa_13": ("draw_vine play_summer_visitor", "draw_order harvest_field"),
    "automa_14": ("give_tour sell_grapes_or_field", "draw_order make_wine"),
    "automa_15": ("build_structure", "draw_order play_winter_visitor"),
    "automa_16": ("", "harvest_field make_wine"),
    "automa_17": ("", "harvest_field train_worker"),
    "automa_18": ("plant_vine", "make_wine fill_order"),
    "automa_19": ("draw_vine play_summer_visitor", "play_winter_visitor train_worker"),
    "automa_20": ("give_tour sell_grapes_or_field", "play_winter_visitor"),
    "automa_21": ("build_structure", "play_winter_visitor fill_order"),
    "automa_22": ("", "harvest_field train_worker"),
    "automa_23": ("", "draw_order train_worker fill_order"),
    "automa_24": ("plant_vine", "make_wine fill_order"),
}
LISTED = {
    "summer": {card: set(lists[0].split()) for card, lists in CARDS.items()},
    "winter": {card: set(lists[1].split()) for card, lists in CARDS.items()},
}
YEAR_ROUND = {place(where, "plain", kind) for where in ("gain_lira", "yoke") for kind in ("regular", "grande")}


def open_to_the_seat(of_season, taken):
    """The placements that are left where the Automa stands on the actions `taken`."""
    free = set(ACTIONS_OF[of_season]) - taken
    plain = {place(action, "plain", kind) for action in free for kind in ("regular", "grande")}
    return plain | {place(action, "crowd", "grande") for action in taken} | YEAR_ROUND


def summer_with(card):
    """A summer for which that card was drawn."""
    game = start("spring", ABLE, automa_deck=[card])
    return play(game, "wake_up:1")


def winter_with(card):
    """A winter for which that card was drawn."""
    return run_to_winter(start("summer", ABLE, automa_deck=[card]))


@pytest.mark.parametrize("card", AUTOMA_CARDS)
def test_a_card_blocks_its_summer_actions(card):
    """Solo, Automa cards: green and yellow lines count in summer; a grande may join, cart and yoke stay open."""
    game = summer_with(card)
    assert (season(game), game.decision) == ("summer", "place_worker")
    assert blocked(game) == LISTED["summer"][card]
    assert set(placements(game)) == open_to_the_seat("summer", LISTED["summer"][card])


@pytest.mark.parametrize("card", AUTOMA_CARDS)
def test_a_card_blocks_its_winter_actions(card):
    """Solo, Automa cards: red and blue lines count in winter; a grande may join, cart and yoke stay open."""
    game = winter_with(card)
    assert (season(game), game.decision) == ("winter", "place_worker")
    assert blocked(game) == LISTED["winter"][card]
    assert set(placements(game)) == open_to_the_seat("winter", LISTED["winter"][card])


@pytest.mark.parametrize("of_season", ["summer", "winter"])
@pytest.mark.parametrize("level", ["very_easy", "easy", "normal"])
def test_below_hard_a_card_without_workers_is_all_there_is(of_season, level):
    """Solo, Automa cards: one card at the beginning of a season, be it for no worker at all."""
    options = {"difficulty": level}
    if of_season == "summer":
        game = play(start("spring", options=options, next_draws={"automa": ["automa_16", "automa_02"]}), "wake_up:1")
    else:
        game = run_to_winter(start("summer", options=options, next_draws={"automa": ["automa_01", "automa_02"]}))
    assert blocked(game) == set()
    assert len(game.to_dict()["automa_deck"]) == 23
    assert game.to_dict()["next_draws"] == {"automa": ["automa_02"]}


def test_summer_and_winter_draw_one_card_each():
    """Solo, Automa cards: a new card at the beginning of each season in which workers are placed."""
    game = start("spring", next_draws={"automa": ["automa_02", "automa_23"]})
    play(game, "wake_up:1")
    assert blocked(game) == {"draw_vine", "build_structure", "plant_vine"}
    run_to_winter(game)
    assert blocked(game, "winter") == {"draw_order", "train_worker", "fill_order"}
    left = set(AUTOMA_CARDS) - {"automa_02", "automa_23"}
    assert set(game.to_dict()["automa_deck"]) == left


def test_spring_and_fall_draw_none():
    """Solo, Automa cards: only seasons where workers are placed."""
    game = start("summer")
    play(game, PASS)
    assert season(game) == "fall"
    assert len(game.to_dict()["automa_deck"]) == 24
    run_to_year_end(game)
    assert (game.decision, len(game.to_dict()["automa_deck"])) == ("wake_up", 23)


def test_the_automa_neither_acts_nor_gains():
    """Solo, Automa cards: its workers only block; nothing else on the table changes."""
    before = start("spring", automa_deck=["automa_02"])
    game = play(before.copy(), "wake_up:1")
    assert (seat(game)["lira"], hand_sizes(game)) == (0, hand_sizes(before))
    assert game.automa_score == before.automa_score == 20
    assert game.to_dict()["discards"] == {}


def test_the_workers_of_summer_stand_until_the_year_end():
    """Solo, Year end: all Automa workers are retrieved then, and not before."""
    game = start("spring", next_draws={"automa": ["automa_02", "automa_23"]})
    run_to_winter(play(game, "wake_up:1"))
    assert blocked(game, "summer") == {"draw_vine", "build_structure", "plant_vine"}
    run_to_year_end(game)
    assert (game.decision, game.to_dict()["board"]) == ("wake_up", {})


def test_an_automa_worker_of_a_position_blocks():
    """Positions: a worker of the Automa on the board is read and written as such."""
    game = start("winter", ABLE, board={"make_wine": [AUTOMA], "harvest_field": [AUTOMA]})
    assert blocked(game) == {"make_wine", "harvest_field"}
    assert set(placements(game)) == open_to_the_seat("winter", {"make_wine", "harvest_field"})


def test_a_grande_acts_on_a_blocked_action():
    """Grande worker placement: it performs the action, without a bonus."""
    game = start("summer", board={"give_tour": [AUTOMA]})
    play(game, place("give_tour", "crowd", "grande"))
    assert (seat(game)["lira"], seat(game)["workers"]) == (2, workers(2, 0))
    assert placements(game, "give_tour") == []


def test_a_blocked_seat_without_a_grande_has_the_cart_left():
    """Solo, Automa cards: cart and yoke are no spaces that a card names."""
    game = start("winter", {"workers": workers(1, 0)}, board={action: [AUTOMA] for action in WINTER_ACTIONS})
    assert game.legal_actions() == [PASS, place("gain_lira")]


def test_the_seats_workers_of_summer_do_not_matter_in_winter():
    """Solo, Automa cards: a worker of last season does not matter for the actions of this one."""
    game = start("summer", ABLE, board={action: [own()] for action in SUMMER_ACTIONS[:2]}, automa_deck=["automa_23"])
    run_to_winter(game)
    assert blocked(game) == {"draw_order", "train_worker", "fill_order"}


# The deck.


def drawn_cards(game):
    """The Automa cards that leave the deck until the game ends, season by season, the seat passing."""
    cards, left = [], list(game.to_dict()["automa_deck"])
    while not game.is_over:
        run_to(game, lambda g: g.decision in ("wake_up", "place_worker"))
        if game.is_over:
            break
        now = game.to_dict()["automa_deck"]
        cards.append(sorted(set(left) - set(now)))
        left = now
        legal = game.legal_actions()
        game.step(PASS if PASS in legal else legal[0])
    return [card for drawn in cards for card in drawn], cards


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_fourteen_different_cards_in_seven_years(seed):
    """Solo, Automa cards: drawn from one deck, so no card comes twice in 14 seasons, one card in each."""
    cards, by_decision = drawn_cards(begin(seed))
    assert max(len(drawn) for drawn in by_decision) == 1
    assert len(cards) == len(set(cards)) == 14


def test_sixteen_different_cards_in_eight_years():
    """Difficulty levels, very easy: the added year draws from what is left of the same deck."""
    cards, _ = drawn_cards(begin(2, difficulty="very_easy"))
    assert len(cards) == len(set(cards)) == 16


def test_the_deck_is_shuffled():
    """Solo, Setup 3: the first card differs from game to game, and by no fixed order."""
    firsts = {tuple(sorted(blocked(play(begin(seed), "wake_up:1")))) for seed in range(40)}
    assert len(firsts) >= 8


@pytest.mark.parametrize("card", AUTOMA_CARDS[::5])
def test_only_cards_of_the_deck_are_drawn(card):
    """Positions: what is not in the given deck has been drawn before."""
    for seed in range(5):
        game = start("spring", automa_deck=[card], seed=seed)
        play(game, "wake_up:1")
        assert blocked(game) == LISTED["summer"][card]


def test_a_used_up_deck_is_shuffled_anew():
    """Difficulty levels, hard, and positions: when no card is left, all 24 form the deck again."""
    seen = set()
    for seed in range(40):
        game = start("spring", automa_deck=["automa_16"], seed=seed)
        run_to_winter(play(game, "wake_up:1"))
        assert len(game.to_dict()["automa_deck"]) == 23
        drawn = set(AUTOMA_CARDS) - set(game.to_dict()["automa_deck"])
        assert blocked(game, "winter") == LISTED["winter"][drawn.pop()]
        seen.add(tuple(sorted(blocked(game, "winter"))))
    assert len(seen) >= 6


@pytest.mark.parametrize("deck", [["automa_25"], ["automa_01", "automa_01"], ["pinot"]])
def test_a_deck_of_cards_that_do_not_exist_is_refused(deck):
    """Positions: contradictions are named."""
    with pytest.raises(ValueError, match=r"Automa|automa"):
        start("summer", automa_deck=deck)


def test_what_comes_next_is_part_of_chance_only():
    """Positions: a copy draws the same card; a deal in which the unknown is dealt anew draws others."""
    game = begin(8)
    same = [blocked(play(game.copy(), "wake_up:1")) for _ in range(3)]
    assert same[0] == same[1] == same[2]
    others = {tuple(sorted(blocked(play(game.determinize(0, seed), "wake_up:1")))) for seed in range(20)}
    assert len(others) >= 4
