"""Producer: workers taken back, planned ones too."""

import pytest

from .table import (
    answer,
    legal,
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

# ---- Producer: 2 lira to take back one or two workers from other actions


TOUR, VINE = {"give_tour": [standing(0)]}, {"draw_vine": [standing(0)]}


def test_producer_takes_back_one_worker():
    game = table("producer", lira=2, board=TOUR | VINE)
    assert play(game, "producer", place("draw_vine"), "done") == {0: {"lira": -2, "regular": 1}}
    assert on_board(game, "draw_vine") == []
    assert on_board(game, "give_tour") == [(0, "regular", "plain")]


def test_producer_takes_back_two_workers_for_the_same_price():
    game = table("producer", lira=2, board=TOUR | VINE)
    assert play(game, "producer", place("draw_vine"), place("give_tour")) == {0: {"lira": -2, "regular": 2}}


def test_producer_takes_back_no_third():
    game = table("producer", lira=2, board=TOUR | VINE | {"gain_lira": [standing(0)]})
    play(game, "producer", place("draw_vine"), place("give_tour"))
    assert (game.seat, game.decision) == (1, "place_worker")
    assert on_board(game, "gain_lira") == [(0, "regular", "plain")]


def test_producer_names_two_workers_in_one_order_only():
    """Each pair is reached in one way: by ascending action."""
    game = table("producer", lira=2, board=TOUR | VINE | {"gain_lira": [standing(0)]})
    assert offered(game, "producer") == {place("draw_vine"), place("give_tour"), place("gain_lira")}
    assert offered(game, "producer", place("give_tour")) == {place("gain_lira"), "done"}


def test_producer_takes_back_at_least_one():
    game = table("producer", lira=2, board=VINE)
    assert offered(game, "producer") == {place("draw_vine")}


@pytest.mark.parametrize(("lira", "cards"), [(1, set()), (2, {"producer"})])
def test_producer_needs_two_lira(lira, cards):
    assert playable(table("producer", lira=lira, board=VINE)) == cards


def test_producer_refused_without_another_placed_worker():
    """The worker that plays it cannot come back, and opponents' workers are not yours."""
    assert playable(table("producer", lira=2)) == set()
    assert playable(table("producer", lira=2, board={"draw_vine": [standing(1)]})) == set()


def test_producer_takes_back_own_workers_only():
    board = {"draw_vine": [standing(1)], "give_tour": [standing(0)]}
    assert offered(table("producer", lira=2, board=board), "producer") == {place("give_tour")}


def test_producer_frees_the_space_for_everybody():
    game = table("producer", lira=2, board=VINE)
    play(game, "producer", place("draw_vine"))
    assert game.seat == 1
    assert place("draw_vine") in legal(game)


def test_producer_worker_may_be_placed_again_this_year():
    game = table("producer", lira=2, regular=1, grande=0, board=VINE)
    play(game, "producer", place("draw_vine"))
    game.step("pass")
    assert game.seat == 0
    assert place("draw_vine") in legal(game)


def test_producer_takes_back_the_grande_from_a_crowd():
    board = {"draw_vine": [standing(1), standing(0, "grande", "crowd")]}
    game = table("producer", lira=2, grande=0, board=board)
    assert play(game, "producer", place("draw_vine", "grande", "crowd")) == {0: {"lira": -2, "grande": 1}}
    assert on_board(game, "draw_vine") == [(1, "regular", "plain")]


def test_producer_takes_back_the_temporary_worker():
    game = table("producer", lira=2, row=7, board={"give_tour": [standing(0, "temporary")]})
    assert play(game, "producer", place("give_tour")) == {0: {"lira": -2, "temporary": 1}}


def test_producer_takes_back_a_worker_from_the_cart():
    game = table("producer", lira=2, board={"gain_lira": [standing(0), standing(1)]})
    assert play(game, "producer", place("gain_lira")) == {0: {"lira": -2, "regular": 1}}
    assert on_board(game, "gain_lira") == [(1, "regular", "plain")]


def test_producer_takes_back_two_workers_from_the_cart():
    game = table("producer", lira=2, board={"gain_lira": [standing(0), standing(0)]})
    assert play(game, "producer", place("gain_lira"), place("gain_lira")) == {0: {"lira": -2, "regular": 2}}


def test_producer_yoke_stays_used_after_its_worker_came_back():
    """Section 5, suggested: once a year, literally."""
    game = table(
        "producer",
        lira=2,
        structures=["yoke"],
        fields={5: ["pinot"]},
        used=["yoke"],
        board={"yoke": [standing(0)]},
    )
    assert play(game, "producer", place("yoke")) == {0: {"lira": -2, "regular": 1}}
    game.step("pass")
    assert place("yoke") not in legal(game)


def test_producer_may_take_the_other_worker_of_the_same_action():
    """Section 5, suggested: only the worker that plays the card is excluded."""
    board = {"play_summer_visitor": [standing(0, space="bonus")]}
    game = table("producer", lira=2, board=board, others=[{}, {}])
    assert offered(game, "producer") == {place("play_summer_visitor", space="bonus")}
    assert play(game, "producer", place("play_summer_visitor", space="bonus")) == {0: {"lira": -2, "regular": 1}}
    assert on_board(game, "play_summer_visitor") == [(0, "regular", "plain")]


def test_producer_played_by_the_grande_may_take_the_worker_it_joined():
    board = {"play_summer_visitor": [standing(0)]}
    game = table("producer", lira=2, board=board)
    assert offered(game, "producer", worker="grande", space="crowd") == {place("play_summer_visitor")}


def test_producer_cancels_a_planned_action():
    """Section 5: a worker taken back in between cancels its plan."""
    game = table("producer", lira=2, board={"draw_order": [standing(0)]})
    assert play(game, "producer", place("draw_order")) == {0: {"lira": -2, "regular": 1}}
    to_winter(game)
    assert question(game)[:2] == (0, "place_worker")
    assert not any(card.startswith("order") for card in me(game)["hand"])
    assert place("draw_order") in legal(game)


def test_producer_cancels_a_plan_made_with_the_planner():
    game = table("planner", "producer", lira=2)
    play(game, "planner", place("draw_order"))
    game.step("pass")
    taken = [place("play_summer_visitor"), place("draw_order")]
    change = play(game, "producer", *taken, worker="grande", space="crowd")
    assert change == {0: {"lira": -2, "regular": 2}}
    to_winter(game)
    assert not any(card.startswith("order") for card in me(game)["hand"])


def test_producer_through_the_manager_leaves_the_managers_worker():
    """Manager + Producer."""
    game = table("producer", season="winter", winter=["manager"], lira=2, board=VINE)
    answer(game, "place:play_winter_visitor:plain:regular", "card:winter:manager", place("play_summer_visitor"))
    answer(game, "card:summer:producer")
    assert question(game) == (0, "retrieve_worker", {place("draw_vine")})


def test_producer_through_a_planned_manager_leaves_the_planned_worker():
    """Manager + Producer: the worker that played the Manager was placed ahead in summer."""
    board = {"play_winter_visitor": [standing(0)], "draw_vine": [standing(0)]}
    game = table("producer", winter=["manager"], lira=2, board=board)
    to_winter(game)
    answer(game, "card:winter:manager", place("play_summer_visitor"), "card:summer:producer")
    assert question(game) == (0, "retrieve_worker", {place("draw_vine")})


def test_producer_cancels_a_plan_that_is_still_to_come():
    """Section 5; actions run in the order of the board, so the visitor comes before the order."""
    board = {"play_winter_visitor": [standing(0)], "fill_order": [standing(0)]}
    game = table(
        "producer",
        winter=["manager"],
        order=["order_01"],
        wines={"red": [5]},
        structures=["medium_cellar"],
        lira=2,
        board=board,
    )
    to_winter(game)
    answer(game, "card:winter:manager", place("play_summer_visitor"), "card:summer:producer", place("fill_order"))
    assert question(game)[:2] == (0, "place_worker")
    assert me(game)["vp"] == 0
    assert me(game)["wines"]["red"] == [5]
    assert me(game)["regular"] == 3


def test_producer_as_second_visitor_leaves_the_worker_that_played_both():
    game = table("patron", "producer", board=VINE, others=[{}, {}])
    answers = ["option:1", "card:summer:producer"]
    assert offered(game, "patron", *answers, space="bonus") == {place("draw_vine")}


def test_producer_as_second_visitor_takes_back_what_the_first_planned():
    game = table("planner", "producer", lira=2, others=[{}, {}])
    answers = [place("draw_order"), "card:summer:producer", place("draw_order")]
    change = play(game, "planner", *answers, space="bonus")
    assert change == {0: {"lira": -2, "lost": ["summer:producer"]}}
    assert on_board(game, "draw_order") == []


def test_producer_takes_back_workers_from_both_plain_spaces():
    board = {"give_tour": [standing(0), standing(0, "temporary")]}
    game = table("producer", lira=2, row=7, board=board, others=[{}, {}, {}, {}])
    assert play(game, "producer", place("give_tour"), place("give_tour")) == {
        0: {"lira": -2, "regular": 1, "temporary": 1}
    }
    assert on_board(game, "give_tour") == []


def test_producer_takes_back_the_grande_from_the_yoke():
    board = {"yoke": [standing(0, "grande")]}
    game = table("producer", lira=2, grande=0, structures=["yoke"], used=["yoke"], board=board)
    assert play(game, "producer", place("yoke", "grande")) == {0: {"lira": -2, "grande": 1}}


def test_producer_leaves_the_yokes_of_others():
    board = {"yoke": [standing(1)]}
    others = [{"structures": ["yoke"], "used": ["yoke"]}]
    assert playable(table("producer", lira=2, structures=["yoke"], others=others, board=board)) == set()
