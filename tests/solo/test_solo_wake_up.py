"""The wake-up chart of a solo game: rows with a glass token, their bonuses, and the Organizer."""

import pytest

from tests.tabletop import hand_sizes, place, placements, play, points, season, seat, workers

from .positions import PASS, ROWS, begin, blocked, run_to, run_to_year_end, start, tokens

NO_CARDS = {"vine": 0, "order": 0, "summer": 0, "winter": 0}


@pytest.mark.parametrize("left", [[1], [7], [2, 5], [1, 3, 4, 6]])
def test_only_rows_with_a_glass_token_can_be_chosen(left):
    """Solo, Wake-up chart: the rooster goes only where a token lies."""
    game = start("spring", {"glass_tokens": left})
    assert (game.decision, game.seat) == ("wake_up", 0)
    assert game.legal_actions() == [f"wake_up:{row}" for row in left]


@pytest.mark.parametrize("row", range(1, 8))
def test_the_token_of_the_row_becomes_a_bonus_action_token(row):
    """Solo, Wake-up chart: the token moves from the row to the side of the mat."""
    game = start("spring", {"bonus_tokens": 2})
    play(game, f"wake_up:{row}")
    assert tokens(game) == 3
    assert sorted(seat(game)["glass_tokens"]) == [other for other in range(1, 8) if other != row]
    assert seat(game)["wake_up"] == row


@pytest.mark.parametrize(
    "row, lira, vp, temporary, cards",
    [
        (1, 0, 0, 0, {}),
        (2, 0, 0, 0, {"vine": 1}),
        (3, 0, 0, 0, {"order": 1}),
        (4, 1, 0, 0, {}),
        (6, 0, 1, 0, {}),
        (7, 0, 0, 1, {}),
    ],
)
def test_a_row_gives_its_usual_bonus_too(row, lira, vp, temporary, cards):
    """Solo, Wake-up chart: the rooster is placed as usual, bonus included."""
    game = start("spring", {"lira": 2, "victory_points": 3})
    play(game, f"wake_up:{row}")
    assert (seat(game)["lira"], points(game)) == (2 + lira, 3 + vp)
    assert seat(game)["workers"] == workers(2, 1, temporary)
    assert hand_sizes(game) == NO_CARDS | cards
    assert season(game) == "summer"


@pytest.mark.parametrize("deck", ["summer", "winter"])
def test_row_five_asks_for_the_kind_of_visitor_before_summer_starts(deck):
    """Solo, Wake-up chart and Automa cards: the Automa draws at the start of summer, when spring is over."""
    game = start("spring", automa_deck=["automa_02"])
    play(game, "wake_up:5")
    assert (game.decision, game.legal_actions()) == ("choose_deck", ["deck:summer", "deck:winter"])
    assert blocked(game) == set()
    play(game, f"deck:{deck}")
    assert hand_sizes(game) == NO_CARDS | {deck: 1}
    assert (season(game), blocked(game)) == ("summer", {"draw_vine", "build_structure", "plant_vine"})


def test_each_row_is_used_once_in_seven_years():
    """Solo, Wake-up chart: a row whose token is gone cannot be chosen again."""
    game = begin(seed=4)
    free = list(ROWS)
    for row in (4, 7, 1, 6, 2, 5, 3):
        assert game.legal_actions() == free
        play(game, f"wake_up:{row}")
        free.remove(f"wake_up:{row}")
        run_to_year_end(game)
    assert game.is_over
    assert game.outcome is not None


def test_tokens_add_up_over_the_years():
    """Solo, Bonus action tokens: they may be kept from year to year."""
    game = begin(seed=4)
    counts = []
    while not game.is_over:
        play(game, game.legal_actions()[-1])
        counts.append(tokens(game))
        run_to_year_end(game)
    assert counts == [1, 2, 3, 4, 5, 6, 7]


def test_the_temporary_worker_stays_for_one_year():
    """Wake-up chart, row 7: the temporary worker of that year, and no more."""
    game = start("spring")
    play(game, "wake_up:7")
    assert seat(game)["workers"] == workers(2, 1, 1)
    run_to_year_end(game)
    play(game, "wake_up:1")
    assert seat(game)["workers"] == workers(2, 1, 0)


def test_very_easy_has_an_eighth_year_with_every_row_open():
    """Difficulty levels, very easy: in year 8 any row may be chosen, and a token comes with it."""
    for row in (1, 4, 7):
        game = start("winter", {"glass_tokens": [], "bonus_tokens": 2}, options={"difficulty": "very_easy"}, year=7)
        play(game, PASS)
        assert (game.decision, game.to_dict()["year"]) == ("wake_up", 8)
        assert game.legal_actions() == ROWS
        play(game, f"wake_up:{row}")
        assert tokens(game) == 3
        run_to_year_end(game)
        assert game.is_over


def test_very_easy_keeps_the_rows_of_the_first_seven_years():
    """Difficulty levels, very easy: only the added year is free of the rule of tokens."""
    game = begin(difficulty="very_easy")
    free = list(ROWS)
    for _ in range(7):
        assert game.legal_actions() == free
        play(game, free.pop(0))
        run_to_year_end(game)
    assert game.legal_actions() == ROWS


# The Organizer.


def organizer(row, left, **seat_too):
    """A seat in `row` that has just played the Organizer, tokens being on the rows `left`."""
    own = {"wake_up": row, "glass_tokens": left, "hand": {"summer": ["organizer"]}} | seat_too
    game = start("summer", own, next_draws={"vine": ["pinot"], "order": ["order_07"]})
    return play(game, place("play_summer_visitor"), "card:summer:organizer")


@pytest.mark.parametrize("row", [1, 3, 6])
@pytest.mark.parametrize("left", [[], [2], [1, 2, 3, 4, 5, 6, 7]])
def test_the_organizer_moves_to_any_free_row_but_the_seventh(row, left):
    """Solo, Wake-up chart, Note: never row 7; an empty row is one without a rooster, token or not."""
    game = organizer(row, left)
    assert game.decision == "move_rooster"
    assert game.legal_actions() == [f"wake_up:{other}" for other in range(1, 7) if other != row]


def test_the_organizer_may_leave_row_seven_and_keeps_the_temporary_worker():
    """Solo, Wake-up chart, Note: only moving to row 7 is closed."""
    game = organizer(7, [1, 2, 3, 4, 5, 6], workers=workers(1, 1, 1))
    assert game.legal_actions() == ROWS[:6]
    play(game, "wake_up:4", "deck:summer")
    # Whichever of the two kinds took the action, one of three workers is placed.
    assert sum(seat(game)["workers"].values()) == 2


@pytest.mark.parametrize("left", [[], [2, 3, 4, 6]])
@pytest.mark.parametrize(
    "row, lira, vp, cards", [(2, 0, 0, {"vine": 1}), (3, 0, 0, {"order": 1}), (4, 1, 0, {}), (6, 0, 1, {})]
)
def test_the_organizer_brings_the_bonus_of_the_row_but_no_token(row, lira, vp, cards, left):
    """Solo, Wake-up chart: a token is taken when the slot is chosen in spring; the card only gives the bonus."""
    game = organizer(1, left, bonus_tokens=0)
    play(game, f"wake_up:{row}")
    assert (tokens(game), sorted(seat(game)["glass_tokens"])) == (0, left)
    assert (seat(game)["lira"], points(game), seat(game)["wake_up"]) == (lira, vp, row)
    assert hand_sizes(game) == NO_CARDS | cards
    assert season(game) == "fall"


def test_a_row_that_the_organizer_used_keeps_its_token_for_later():
    """Solo, Wake-up chart: the token still lies there, so the row can be chosen in a later year."""
    game = organizer(1, [4, 5])
    play(game, "wake_up:4")
    run_to_year_end(game)
    assert game.legal_actions() == ["wake_up:4", "wake_up:5"]


def test_the_organizer_ends_the_summer():
    """Examples and clarifications, Organizer: then pass to the next season."""
    game = organizer(1, [2, 3])
    play(game, "wake_up:4")
    assert (season(game), game.decision) == ("fall", "choose_deck")
    run_to(game, lambda g: season(g) == "winter")
    assert seat(game)["workers"] == workers(1, 1)


def test_the_second_visitor_of_a_token_comes_before_the_pass():
    """Organizer, its ruling for two visitors: the bonus of the token belongs to the turn that is still going on."""
    own = {"bonus_tokens": 1, "hand": {"summer": ["organizer", "banker"]}}
    game = play(start("summer", own), place("play_summer_visitor"), "yes", "card:summer:organizer", "wake_up:6")
    assert (game.decision, season(game)) == ("play_visitor", "summer")
    play(game, "card:summer:banker")
    assert (seat(game)["lira"], points(game), season(game)) == (5, 1, "fall")


def test_without_workers_the_seat_needs_no_pass():
    """Summer: the cycle of turns ends when nobody can place."""
    game = start("summer", {"workers": workers(1, 0)})
    assert placements(game)
    play(game, place("give_tour"))
    assert (season(game), game.decision) == ("fall", "choose_deck")
