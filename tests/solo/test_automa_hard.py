"""The Automa of the hard and the very hard level, and planned workers that stand before it comes."""

import pytest

from tests.tabletop import WINTER_ACTIONS, place, placements, play, season, seat, workers

from .positions import (
    ABLE,
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

HARD = pytest.mark.parametrize("level", ["hard", "very_hard"])


def hard_summer(level, *cards, seat=None, **top):
    """A summer of that level for which the deck gave those cards."""
    game = start("spring", seat, options={"difficulty": level}, next_draws={"automa": list(cards)}, **top)
    return play(game, "wake_up:1")


def hard_winter(level, *cards, seat=None, **top):
    """A winter of that level for which the deck gave those cards."""
    game = start("summer", seat, options={"difficulty": level}, next_draws={"automa": list(cards)}, **top)
    return run_to_winter(game)


def still_forced(game):
    """The forced cards that have not been drawn."""
    return game.to_dict()["next_draws"].get("automa", [])


@HARD
@pytest.mark.parametrize(
    "cards, taken, used",
    [
        (["automa_01", "automa_02"], "draw_vine give_tour", 1),
        (["automa_02", "automa_05"], "draw_vine build_structure plant_vine", 1),
        (["automa_06", "automa_12", "automa_05"], "build_structure plant_vine", 2),
        (["automa_16", "automa_23", "automa_06", "automa_05", "automa_01"], "build_structure give_tour", 4),
        (["automa_16", "automa_02", "automa_05"], "draw_vine build_structure plant_vine", 2),
    ],
)
def test_cards_are_drawn_until_two_workers_stand(level, cards, taken, used):
    """Difficulty levels, hard: on and on until at least two stand in the season, and not longer."""
    game = hard_summer(level, *cards)
    assert blocked(game) == set(taken.split())
    assert still_forced(game) == cards[used:]
    assert len(game.to_dict()["automa_deck"]) == 24 - used


@HARD
def test_all_the_spots_of_a_further_card_are_taken(level):
    """Difficulty levels, hard: an extra card is carried out in full, beyond two workers."""
    game = hard_summer(level, "automa_05", "automa_02")
    assert blocked(game) == {"give_tour", "draw_vine", "build_structure", "plant_vine"}


@HARD
def test_an_action_with_a_worker_is_left_out(level):
    """Difficulty levels, hard: no second worker where one stands, and the draw goes on."""
    game = hard_summer(level, "automa_06", "automa_15", "automa_21", "automa_12", "automa_05")
    assert blocked(game) == {"build_structure", "plant_vine"}
    assert len(game.to_dict()["board"]["build_structure"]) == 1
    assert still_forced(game) == ["automa_05"]


@HARD
def test_a_further_card_fills_the_spots_that_are_free(level):
    """Difficulty levels, hard: of a card whose first action is taken, the others count."""
    game = hard_summer(level, "automa_06", "automa_02")
    assert blocked(game) == {"build_structure", "draw_vine", "plant_vine"}


@HARD
def test_winter_counts_for_itself(level):
    """Difficulty levels, hard: two in the current season; those of summer do not help."""
    cards = ["automa_01", "automa_05", "automa_03", "automa_04"]
    game = start("spring", options={"difficulty": level}, next_draws={"automa": cards})
    run_to_winter(play(game, "wake_up:1"))
    assert blocked(game, "summer") == {"draw_vine", "give_tour"}
    assert blocked(game, "winter") == {"harvest_field", "play_winter_visitor"}
    assert still_forced(game) == ["automa_04"]


@HARD
@pytest.mark.parametrize(
    "cards, in_summer, in_winter",
    [
        # 1 + 3 in summer, so that two are left for winter: harvest, then the first spot of the next card.
        (
            ["automa_12", "automa_04", "automa_05", "automa_23", "automa_16"],
            "plant_vine give_tour build_structure sell_grapes_or_field",
            "harvest_field draw_order",
        ),
        # 3 in summer and 1 + 2 of 3 in winter.
        (
            ["automa_02", "automa_05", "automa_23", "automa_16"],
            "draw_vine build_structure plant_vine",
            "harvest_field draw_order train_worker",
        ),
    ],
)
def test_the_sixth_worker_of_the_year_is_the_last(level, cards, in_summer, in_winter):
    """Difficulty levels, hard: spots are filled in the printed order, and after the sixth no more."""
    game = start("spring", options={"difficulty": level}, next_draws={"automa": cards})
    run_to_winter(play(game, "wake_up:1"))
    assert blocked(game, "summer") == set(in_summer.split())
    assert blocked(game, "winter") == set(in_winter.split())
    assert still_forced(game) == ["automa_16"]


@HARD
def test_the_workers_on_the_board_count_towards_six(level):
    """Difficulty levels, hard: the count is that of the whole year, however it came about."""
    board = {action: [AUTOMA] for action in ("draw_vine", "give_tour", "build_structure", "plant_vine")}
    game = hard_winter(level, "automa_23", "automa_16", board=board)
    assert blocked(game, "winter") == {"draw_order", "train_worker"}


@HARD
def test_six_again_in_the_next_year(level):
    """Solo, Year end: the workers are back, so the count starts anew."""
    cards = ["automa_02", "automa_05", "automa_23", "automa_09", "automa_06", "automa_22"]
    game = start("spring", options={"difficulty": level}, next_draws={"automa": cards})
    run_to_year_end(play(game, "wake_up:1"))
    run_to_winter(play(game, "wake_up:2"))
    assert len(blocked(game, "summer")) == 3
    assert blocked(game, "winter") == {"draw_order", "fill_order"}


@HARD
def test_a_used_up_deck_is_reshuffled_in_the_middle_of_a_season(level):
    """Difficulty levels, hard: if the cards run out, the deck is shuffled again and the draw goes on."""
    sizes = set()
    for seed in range(12):
        game = start("spring", options={"difficulty": level}, automa_deck=["automa_16", "automa_22"], seed=seed)
        play(game, "wake_up:1")
        assert len(blocked(game)) >= 2
        sizes.add(len(game.to_dict()["automa_deck"]))
    # At least one more card than the two that were left has been drawn of the new 24, and seldom many more.
    assert sizes <= set(range(15, 24))
    assert 23 in sizes


@HARD
def test_at_least_two_and_never_more_than_six(level):
    """Difficulty levels, hard: in whole games each season has two workers or more, each year six or fewer."""
    for seed in range(4):
        game = begin(seed, difficulty=level)
        while not game.is_over:
            play(game, game.legal_actions()[0])
            run_to(game, lambda g: season(g) == "summer" or g.decision == "place_worker")
            assert len(blocked(game, "summer")) >= 2
            run_to_winter(game)
            assert len(blocked(game, "winter")) >= 2
            assert len(blocked(game)) <= 6
            run_to_year_end(game)


def test_a_deck_lasts_for_all_cards_before_one_comes_again():
    """Difficulty levels, hard: cards are out until all 24 have been drawn."""
    reshuffled = 0
    for seed in range(5, 11):
        game = begin(seed, difficulty="hard")
        left = set(AUTOMA_CARDS)
        while not game.is_over:
            now = set(game.to_dict()["automa_deck"])
            assert now <= left or len(now) > len(left)
            reshuffled += len(now) > len(left)
            left = now
            legal = game.legal_actions()
            game.step(PASS if PASS in legal else legal[0])
    assert reshuffled


# Planned workers.


def test_a_planned_action_comes_before_the_automa():
    """Examples and clarifications, Planner, and ruling 9.6: first the planned action, then the Automa's card."""
    able = {"crush_pad": {"red": [1, 2], "white": []}}
    game = start("summer", able, board={"make_wine": [own()]}, automa_deck=["automa_14"])
    run_to(game, lambda g: g.decision == "make_wine")
    assert (season(game), game.legal_actions()) == ("winter", ["make:red"])
    assert (blocked(game), game.to_dict()["automa_deck"]) == (set(), ["automa_14"])
    play(game, "make:red", "grape:red:1", "done")
    assert game.decision == "place_worker"
    assert blocked(game) == {"draw_order"}


def test_the_automa_leaves_out_an_action_with_a_planned_worker():
    """Solo, Automa cards, and ruling 9.6: one space, one worker."""
    game = run_to_winter(start("summer", ABLE, board={"make_wine": [own()]}, automa_deck=["automa_02"]))
    settle_plan(game)
    assert blocked(game) == set()
    assert [worker["seat"] for worker in game.to_dict()["board"]["make_wine"]] == [0]
    assert placements(game, "make_wine") == [place("make_wine", "crowd", "grande")]


def settle_plan(game):
    """Carries out what was planned with the first thing offered, stopping where that is possible."""
    while game.decision != "place_worker":
        legal = game.legal_actions()
        game.step("done" if "done" in legal else legal[0])


@HARD
def test_a_planned_worker_makes_the_hard_automa_draw_on(level):
    """Difficulty levels, hard: an action left out places no worker, so another card is turned."""
    cards = ["automa_02", "automa_05", "automa_03", "automa_17"]
    game = hard_winter(level, *cards, seat={"workers": workers(1, 1)}, board={"make_wine": [own()]})
    assert game.decision == "place_worker"
    assert blocked(game) == {"harvest_field", "play_winter_visitor"}
    assert still_forced(game) == ["automa_17"]


@HARD
def test_the_draw_stops_when_no_action_is_free(level):
    """Difficulty levels, hard: with one action left there is room for one worker only."""
    taken = {action: [own()] for action in WINTER_ACTIONS if action != "train_worker"}
    game = hard_winter(level, seat={"workers": workers(0, 1)}, board=taken)
    settle_plan(game)
    assert (season(game), game.decision) == ("winter", "place_worker")
    assert blocked(game) == {"train_worker"}
    assert {place(action, "plain") for action in WINTER_ACTIONS}.isdisjoint(game.legal_actions())


@HARD
def test_no_card_is_needed_where_every_action_is_taken(level):
    """Difficulty levels, hard: with nowhere to place, the season starts without the Automa."""
    taken = {action: [own()] for action in WINTER_ACTIONS[:5]} | {"fill_order": [own("grande")]}
    game = hard_winter(level, seat={"workers": workers(0, 0, 1), "wake_up": 7}, board=taken)
    settle_plan(game)
    assert (season(game), blocked(game)) == ("winter", set())
    assert game.legal_actions() == [PASS, place("gain_lira")]


def test_the_planner_card_plans_on_free_left_spaces():
    """Examples and clarifications, Planner: the left spaces of winter, all of them free in summer."""
    hand = {"hand": {"summer": ["planner"]}, "workers": workers(3, 1)}
    game = start("summer", hand, automa_deck=["automa_23"])
    play(game, place("play_summer_visitor"), "card:summer:planner")
    assert game.decision == "plan_action"
    assert set(game.legal_actions()) == {
        place(action, "plain", kind) for action in WINTER_ACTIONS for kind in ("regular", "grande")
    }
    play(game, place("draw_order"))
    run_to_winter(game)
    assert blocked(game) == {"train_worker", "fill_order"}
    assert len(seat(game)["hand"]["order"]) == 1
