"""Organizer, Overseer."""

import pytest

from .table import (
    answer,
    asked,
    begin,
    legal,
    me,
    offered,
    play,
    question,
    standing,
    table,
    to_winter,
)

# ---- Organizer: move the rooster to an empty row, take its bonus, pass


def test_organizer_offers_the_empty_rows():
    game = table("organizer", row=1, others=[{"row": 3}, {"row": 5}])
    assert offered(game, "organizer") == {"wake_up:2", "wake_up:4", "wake_up:6", "wake_up:7"}


@pytest.mark.parametrize(
    ("row", "bonus"),
    [
        (1, {}),
        (2, {"gained": ["vine:merlot"]}),
        (3, {"gained": ["order:order_05"]}),
        (4, {"lira": 1}),
        (6, {"vp": 1}),
        (7, {"temporary": 1}),
    ],
)
def test_organizer_takes_the_bonus_of_the_new_row_and_passes(row, bonus):
    others = [{"row": 2 if row == 1 else 1}]
    game = table("organizer", row=5, others=others, draws={"vine": ["merlot"], "order": ["order_05"]})
    assert play(game, "organizer", f"wake_up:{row}") == {0: {"row": row, "passed": True} | bonus}


@pytest.mark.parametrize(("deck", "card"), [("summer", "broker"), ("winter", "judge")])
def test_organizer_row_five_lets_the_player_choose_the_deck(deck, card):
    game = table("organizer", draws={"summer": ["broker"], "winter": ["judge"]})
    assert offered(game, "organizer", "wake_up:5") == {"deck:summer", "deck:winter"}
    assert play(game, "organizer", "wake_up:5", f"deck:{deck}") == {
        0: {"row": 5, "passed": True, "gained": [f"{deck}:{card}"]}
    }


def test_organizer_ends_the_own_summer_but_not_that_of_the_others():
    game = table("organizer")
    play(game, "organizer", "wake_up:4")
    for worker in ("regular", "regular", "grande"):
        assert (game.seat, game.to_dict()["season"]) == (1, "summer")
        game.step(f"place:gain_lira:plain:{worker}")
    assert game.to_dict()["season"] == "fall"
    assert (me(game)["lira"], me(game, 1)["lira"]) == (1, 3)


def test_organizer_turn_goes_on_in_the_old_order():
    """Single cards, Organizer: this season's order stays."""
    game = table("organizer", row=2, others=[{"row": 3}, {"row": 4}])
    play(game, "organizer", "wake_up:1")
    seats = []
    for _ in range(4):
        seats.append(game.seat)
        game.step("place:gain_lira:plain:regular")
    assert seats == [1, 2, 1, 2]


def test_organizer_moving_down_gives_no_second_turn_this_season():
    game = table("organizer", row=1, others=[{"row": 2}, {"row": 3}])
    play(game, "organizer", "wake_up:6")
    seats = []
    for _ in range(4):
        seats.append(game.seat)
        game.step("place:gain_lira:plain:regular")
    assert seats == [1, 2, 1, 2]


def test_organizer_new_row_rules_fall_and_winter():
    game = table("organizer", row=1, others=[{"row": 3}])
    play(game, "organizer", "wake_up:6")
    game.step("pass")
    assert asked(game, "choose_deck", "deck:summer") == [1, 0]
    assert (game.seat, game.decision, game.to_dict()["season"]) == (1, "place_worker", "winter")
    game.step("place:gain_lira:plain:regular")
    assert game.seat == 0


def test_organizer_moving_up_acts_first_in_winter():
    game = table("organizer", row=3, others=[{"row": 2}])
    play(game, "organizer", "wake_up:1")
    to_winter(game)
    assert (game.seat, game.decision) == (0, "place_worker")


def test_organizer_keeps_the_unused_workers_for_winter():
    game = table("organizer")
    play(game, "organizer", "wake_up:4")
    to_winter(game)
    assert (me(game)["regular"], me(game)["grande"]) == (1, 1)


def test_organizer_temporary_worker_serves_in_winter():
    game = table("organizer", row=1, regular=1, grande=0)
    play(game, "organizer", "wake_up:7")
    game.step("pass")
    asked(game, "choose_deck", "deck:summer")
    game.step("pass")
    assert (game.seat, game.decision) == (0, "place_worker")
    assert me(game)["temporary"] == 1
    assert "place:gain_lira:plain:regular" in legal(game)


def test_organizer_leaving_row_seven_keeps_the_temporary_worker():
    """Single cards, Organizer."""
    game = table("organizer", row=7, temporary=1)
    play(game, "organizer", "wake_up:4")
    assert me(game)["temporary"] == 1


def test_organizer_finds_no_temporary_worker_on_a_vacated_row_seven():
    """Single cards, Organizer: a vacated row 7 gives no second temporary worker."""
    game = table("organizer", others=[{"row": 3, "temporary": 1}])
    assert play(game, "organizer", "wake_up:7") == {0: {"row": 7, "passed": True}}


def test_organizer_finds_no_temporary_worker_that_stands_on_the_board():
    board = {"gain_lira": [standing(1, "temporary")]}
    game = table("organizer", others=[{"row": 3}], board=board)
    assert play(game, "organizer", "wake_up:7") == {0: {"row": 7, "passed": True}}


def test_organizer_second_visitor_of_a_bonus_space_is_still_played():
    """Organizer + second visitor: before the pass takes effect."""
    game = table("organizer", "broker", lira=9, others=[{}, {}])
    changed = play(game, "organizer", "wake_up:4", "card:summer:broker", "option:1", space="bonus")
    assert changed == {0: {"row": 4, "passed": True, "lira": -8, "vp": 3, "lost": ["summer:broker"]}}
    assert game.seat == 1


def test_organizer_second_visitor_may_be_left_out():
    game = table("organizer", "broker", lira=9, others=[{}, {}])
    assert offered(game, "organizer", "wake_up:4", space="bonus") == {"card:summer:broker", "done"}
    changed = play(game, "organizer", "wake_up:4", "done", space="bonus")
    assert changed == {0: {"row": 4, "passed": True, "lira": 1}}


def test_organizer_as_second_visitor_passes():
    game = table("organizer", "broker", lira=9, others=[{}, {}])
    changed = play(game, "broker", "option:1", "card:summer:organizer", "wake_up:6", space="bonus")
    assert changed == {0: {"row": 6, "passed": True, "lira": -9, "vp": 4, "lost": ["summer:organizer"]}}


def test_organizer_new_row_counts_for_the_questions_of_a_later_card():
    """Ruling 3.13: interactive cards follow the rows of the chart."""
    game = table("organizer", row=1, others=[{"row": 2}, {"row": 3, "summer": ["banker"]}])
    play(game, "organizer", "wake_up:5", "deck:winter")
    answer(game, "place:gain_lira:plain:regular")
    begin(game, "banker", space="bonus")
    assert asked(game, "offer", "no") == [1, 0]


def test_organizer_as_last_active_player_ends_the_summer():
    game = table("organizer", others=[{"passed": True}])
    begin(game, "organizer", "wake_up:4")
    assert question(game) == (1, "choose_deck", {"deck:summer", "deck:winter"})


def test_organizer_through_the_manager_passes_the_winter():
    """Manager + Organizer."""
    game = table("organizer", season="winter", winter=["manager"])
    answer(game, "place:play_winter_visitor:plain:regular", "card:winter:manager")
    answer(game, "place:play_summer_visitor:plain:regular", "card:summer:organizer", "wake_up:6")
    assert me(game)["vp"] == 1
    assert me(game)["passed"] is True
    assert game.seat == 1
    game.step("place:gain_lira:plain:regular")
    assert game.seat == 1
