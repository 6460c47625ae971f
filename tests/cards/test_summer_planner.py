"""Planner: a worker placed ahead on a winter action."""

import pytest

from tests.table.facts import WINTER_ACTIONS

from .table import (
    answer,
    legal,
    mats,
    me,
    offered,
    on_board,
    place,
    play,
    playable,
    question,
    standing,
    table,
    to_winter,
)

# ---- Planner: a worker on a winter action, carried out when winter starts


def test_planner_places_the_worker_and_does_nothing_yet():
    game = table("planner")
    assert play(game, "planner", place("draw_order")) == {0: {"regular": -1}}
    assert on_board(game, "draw_order") == [(0, "regular", "plain")]
    assert (game.seat, game.decision) == (1, "place_worker")


def test_planner_offers_winter_board_actions_only():
    """Section 5: not the yoke, not the cart."""
    game = table("planner", structures=["yoke"], fields={5: ["pinot"]})
    expected = {place(action, worker) for action in WINTER_ACTIONS for worker in ("regular", "grande")}
    assert offered(game, "planner") == expected


def test_planner_offers_bonus_spaces_where_there_are_any():
    game = table("planner", others=[{}, {}], grande=0)
    expected = {place(action, space=space) for action in WINTER_ACTIONS for space in ("plain", "bonus")}
    assert offered(game, "planner") == expected


def test_planner_full_action_takes_the_grande_only():
    """Section 5: a grande may overflow a full action."""
    game = table("planner", board={"draw_order": [standing(1)]})
    on_orders = {name for name in offered(game, "planner") if "draw_order" in name}
    assert on_orders == {place("draw_order", "grande", "crowd")}
    assert play(game, "planner", place("draw_order", "grande", "crowd")) == {0: {"grande": -1}}


def test_planner_grande_joins_no_action_that_has_a_free_space():
    """Ruling 1.4: a crowd only where every space is taken."""
    game = table("planner", others=[{}, {}], board={"draw_order": [standing(1)]})
    on_orders = {name for name in offered(game, "planner") if "draw_order" in name}
    assert on_orders == {place("draw_order", worker, "bonus") for worker in ("regular", "grande")}


def test_planner_may_use_the_temporary_worker():
    game = table("planner", row=7, regular=1, grande=0, temporary=1)
    play(game, "planner", place("draw_order"))
    assert (me(game)["regular"], me(game)["temporary"], me(game)["grande"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("workers", "cards"),
    [
        ({"regular": 1, "grande": 0}, set()),
        ({"regular": 1, "grande": 1}, {"planner"}),
        ({"regular": 2, "grande": 0}, {"planner"}),
    ],
)
def test_planner_needs_a_second_worker(workers, cards):
    assert playable(table("planner", **workers)) == cards


def test_planner_with_every_winter_action_full_needs_the_grande():
    board = {action: [standing(1)] for action in WINTER_ACTIONS[:5]} | {"fill_order": [standing(1, "grande")]}
    others = [{"regular": 0, "grande": 0}]
    assert playable(table("planner", grande=0, others=others, board=board)) == set()
    game = table("planner", grande=1, others=others, board=board)
    assert offered(game, "planner") == {place(action, "grande", "crowd") for action in WINTER_ACTIONS}


def test_planner_blocks_the_space_for_others():
    game = table("planner")
    play(game, "planner", place("draw_order"))
    to_winter(game)
    assert question(game)[:2] == (0, "place_worker")
    assert place("draw_order") not in legal(game)
    game.step("pass")
    assert game.seat == 1
    assert place("draw_order") not in legal(game)
    assert place("draw_order", "grande", "crowd") in legal(game)


def test_planner_acts_at_the_start_of_winter_before_the_first_turn():
    """Rulebook, Examples and clarifications: then the normal turn follows."""
    game = table("planner", draws={"order": ["order_07"]})
    play(game, "planner", place("draw_order"))
    assert me(game)["hand"] == []
    to_winter(game)
    assert "order:order_07" in me(game)["hand"]
    assert game.to_dict()["season"] == "winter"
    assert question(game)[:2] == (0, "place_worker")
    assert (me(game)["regular"], me(game)["grande"]) == (0, 1)


def test_planner_acts_before_a_player_who_wakes_up_earlier():
    game = table("planner", row=4, others=[{"row": 2}], fields={5: ["pinot"]})
    play(game, "planner", place("harvest_field"))
    to_winter(game)
    assert question(game) == (0, "harvest_field", {"field:5"})
    answer(game, "field:5")
    assert me(game)["grapes"] == {"red": [1], "white": [1]}
    assert question(game)[:2] == (1, "place_worker")


def test_planner_several_planned_actions_run_in_wake_up_order():
    board = {"draw_order": [standing(0), standing(1, space="bonus")]}
    game = table(
        row=3, board=board, others=[{"row": 1}, {"row": 2}], draws={"order": ["order_01", "order_02", "order_03"]}
    )
    to_winter(game)
    assert question(game) == (1, "take_bonus", {"yes", "no"})
    answer(game, "yes")
    assert [card for card in me(game, 1)["hand"] if card.startswith("order")] == ["order:order_01", "order:order_02"]
    assert [card for card in me(game)["hand"] if card.startswith("order")] == ["order:order_03"]
    assert question(game)[:2] == (1, "place_worker")


def test_planner_action_is_not_checked_when_the_worker_is_placed():
    """Section 5: an action that cannot be done now may be planned."""
    game = table("planner")
    assert place("fill_order") in offered(game, "planner")
    assert place("train_worker") in offered(game, "planner")


def test_planner_action_that_became_possible_is_carried_out():
    game = table("planner", lira=2)
    play(game, "planner", place("train_worker"))
    game.step("pass")
    game.step("place:give_tour:plain:grande")
    to_winter(game)
    assert me(game)["lira"] == 0
    assert me(game)["trained"] == 1


@pytest.mark.parametrize("action", ["harvest_field", "train_worker", "play_winter_visitor", "make_wine", "fill_order"])
def test_planner_impossible_action_is_lost_and_the_worker_stays(action):
    game = table("planner")
    play(game, "planner", place(action))
    before = mats(game)[0]
    to_winter(game)
    assert question(game)[:2] == (0, "place_worker")
    after = mats(game)[0]
    assert {key: after[key] for key in ("lira", "vp", "regular", "grande")} == {
        key: before[key] for key in ("lira", "vp", "regular", "grande")
    }
    assert on_board(game, action) == [(0, "regular", "plain")]


def test_planner_possible_action_is_compulsory():
    """Section 5, suggested: no declining."""
    game = table("planner", winter=["politician"])
    play(game, "planner", place("play_winter_visitor"))
    to_winter(game)
    assert question(game) == (0, "play_visitor", {"card:winter:politician"})


def test_planner_bonus_comes_when_the_action_is_carried_out():
    game = table("planner", lira=3, others=[{}, {}])
    assert play(game, "planner", place("train_worker", space="bonus")) == {0: {"regular": -1}}
    to_winter(game)
    # Ruling 1.7: 3 lira and the bonus lira pay for the training.
    answer(game, *(["yes"] if game.decision == "take_bonus" else []))
    assert me(game)["lira"] == 0
    assert me(game)["trained"] == 1


def test_planner_bonus_of_the_harvest_space_is_a_second_field():
    game = table("planner", fields={5: ["sangiovese"], 6: ["malvasia"]}, others=[{}, {}])
    play(game, "planner", place("harvest_field", space="bonus"))
    to_winter(game)
    answer(game, "field:5", "field:6")
    assert me(game)["grapes"] == {"red": [1], "white": [1]}
    assert me(game)["harvested"] == [5, 6]


def test_planner_grande_in_a_crowd_gets_no_bonus():
    board = {"draw_order": [standing(1), standing(1, space="bonus")]}
    game = table("planner", others=[{"row": 4, "regular": 0, "grande": 0}, {"row": 5}], board=board)
    play(game, "planner", place("draw_order", "grande", "crowd"))
    to_winter(game)
    assert len([card for card in me(game)["hand"] if card.startswith("order")]) == 1


def test_planner_follows_the_rows_of_winter_not_of_summer():
    """Single cards, Organizer: the new row holds for fall and winter."""
    board = {"draw_order": [standing(0), standing(1, space="bonus")]}
    draws = {"order": ["order_01", "order_02", "order_03"]}
    game = table("organizer", board=board, others=[{"row": 2}, {"row": 3}], draws=draws)
    play(game, "organizer", "wake_up:6")
    to_winter(game)
    assert question(game) == (1, "take_bonus", {"yes", "no"})
    answer(game, "no")
    assert "order:order_01" in me(game, 1)["hand"]
    assert "order:order_02" in me(game)["hand"]


def test_planner_two_plans_of_a_seat_run_in_the_order_of_the_board():
    board = {"harvest_field": [standing(0)], "make_wine": [standing(0)]}
    game = table(board=board, fields={5: ["syrah"]})
    to_winter(game)
    assert question(game) == (0, "harvest_field", {"field:5"})
    answer(game, "field:5")
    assert question(game) == (0, "make_wine", {"make:red"})
    answer(game, "make:red", "grape:red:2")
    assert me(game)["wines"]["red"] == [2]
    assert question(game)[:2] == (0, "place_worker")


def test_planner_bonus_of_the_visitor_space_is_a_second_visitor():
    game = table(
        "planner", winter=["judge", "politician"], vp=-1, others=[{}, {}], draws={"winter": ["noble", "queen"]}
    )
    play(game, "planner", place("play_winter_visitor", space="bonus"))
    to_winter(game)
    answer(game, "card:winter:politician")
    assert me(game)["lira"] == 6
    assert question(game)[:2] == (0, "play_visitor")
    answer(game, "card:winter:judge", "option:1")
    assert question(game)[:2] == (0, "place_worker")
    assert [card for card in me(game)["hand"] if card.startswith("winter")] == []


def test_planner_worker_comes_home_at_the_end_of_the_year():
    game = table("planner")
    play(game, "planner", place("draw_order"))
    to_winter(game)
    while game.decision == "place_worker":
        game.step("pass")
    assert (me(game)["regular"], me(game)["grande"]) == (2, 1)
    assert on_board(game, "draw_order") == []


def test_planner_refused_through_the_manager():
    """Manager + Planner: in winter no season is left to plan for."""
    game = table("planner", "broker", season="winter", winter=["manager"], lira=9)
    answer(game, "place:play_winter_visitor:plain:regular", "card:winter:manager", place("play_summer_visitor"))
    assert legal(game) == {"card:summer:broker"}
