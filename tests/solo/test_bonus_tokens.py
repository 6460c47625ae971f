"""Bonus action tokens: what they give on each action, when they are asked for, and where they are not."""

import pytest

from tests.tabletop import ORDERS as ALL_ORDERS
from tests.tabletop import (
    SUMMER_ACTIONS,
    WINTER_ACTIONS,
    hand_sizes,
    place,
    placements,
    play,
    points,
    season,
    seat,
    settle,
    workers,
)
from tests.tabletop import VINES as ALL_VINES

from .positions import ABLE, AUTOMA, PASS, cellar, fields, own, run_to_winter, run_to_year_end, start, tokens

RED_3 = {"red": [1, 2, 3], "white": []}
FIRST_PLANTED = ["card:vine:malvasia", "field:5"]
TWO_WINES = ["make:red", "grape:red:1", "make:red", "grape:red:2"]
ORDER = ["card:order:order_04", "wine:red:1", "wine:white:3"]
SUMMER = ["card:summer:banker"]
WINTER = ["card:winter:politician"]


def lira(own_seat):
    return own_seat["lira"]


def vp(own_seat):
    return own_seat["victory_points"]


def cards(deck):
    return lambda own_seat: len(own_seat["hand"][deck])


# Each action: what the seat has, what it does without and with the bonus, and what it then has of something.
# Banker: 5 lira. Patron, first option: 4 lira. Politician below zero points: 6 lira. Crush expert: 3 lira.
BONUSES = {
    "draw_vine": ({}, [], [], cards("vine"), 1, 2),
    "give_tour": ({}, [], [], lira, 2, 3),
    "build_structure": ({"lira": 7}, ["structure:irrigation"], ["structure:irrigation"], lira, 4, 5),
    "sell_grapes_or_field": (
        {"crush_pad": {"red": [5], "white": []}},
        ["grape:red:5"],
        ["grape:red:5"],
        lambda own_seat: (vp(own_seat), lira(own_seat)),
        (0, 2),
        (1, 2),
    ),
    "plant_vine": (
        {"hand": {"vine": ["sangiovese", "malvasia"]}},
        FIRST_PLANTED,
        [*FIRST_PLANTED, "card:vine:sangiovese", "field:6"],
        cards("vine"),
        1,
        0,
    ),
    "play_summer_visitor": (
        {"hand": {"summer": ["banker", "patron"]}},
        SUMMER,
        [*SUMMER, "card:summer:patron", "option:1"],
        lira,
        5,
        9,
    ),
    "draw_order": ({}, [], [], cards("order"), 1, 2),
    "harvest_field": (
        {"fields": fields(["sangiovese"], ["malvasia"])},
        ["field:6"],
        ["field:6", "field:5"],
        lambda own_seat: own_seat["crush_pad"],
        {"red": [], "white": [1]},
        {"red": [1], "white": [1]},
    ),
    "train_worker": (
        {"lira": 6},
        [],
        [],
        lambda own_seat: (own_seat["trained_this_year"], lira(own_seat)),
        (1, 2),
        (1, 3),
    ),
    "play_winter_visitor": (
        {"victory_points": -1, "hand": {"winter": ["politician", "crush_expert"]}},
        WINTER,
        [*WINTER, "card:winter:crush_expert", "option:1"],
        lira,
        6,
        9,
    ),
    "make_wine": (
        {"crush_pad": RED_3},
        TWO_WINES,
        [*TWO_WINES, "make:red", "grape:red:3"],
        lambda own_seat: own_seat["cellar"]["red"],
        [1, 2],
        [1, 2, 3],
    ),
    "fill_order": (
        {"hand": {"order": ["order_04"]}, "cellar": cellar(red=[1], white=[3])},
        ORDER,
        ORDER,
        vp,
        2,
        3,
    ),
}
ACTIONS = pytest.mark.parametrize("action", SUMMER_ACTIONS + WINTER_ACTIONS)


def ready(action, count=1, **top):
    """A position in which that action can be taken, with so many tokens in hand."""
    return start(season_of(action), BONUSES[action][0] | {"bonus_tokens": count}, **top)


def season_of(action):
    """When an action is open."""
    return "summer" if action in SUMMER_ACTIONS else "winter"


@ACTIONS
def test_a_token_adds_the_bonus_of_the_action(action):
    """Solo, Bonus action tokens: the action and, for the token, its bonus."""
    _, _, steps, measure, _, expected = BONUSES[action]
    game = ready(action, 2)
    play(game, place(action), "yes", *steps)
    settle(game)
    assert measure(seat(game)) == expected
    assert tokens(game) == 1
    assert (game.decision, game.seat) == ("place_worker", 0)


@ACTIONS
def test_without_the_token_there_is_no_bonus(action):
    """Solo, Bonus action tokens: spending is a choice; the left space itself gives nothing more."""
    _, steps, _, measure, expected, _ = BONUSES[action]
    game = ready(action, 2)
    play(game, place(action), "no", *steps)
    if action == "sell_grapes_or_field":
        settle(game)
    assert measure(seat(game)) == expected
    assert tokens(game) == 2
    assert (game.decision, game.seat) == ("place_worker", 0)


@ACTIONS
def test_the_token_is_asked_for_before_the_action(action):
    """Solo, Bonus action tokens: spent when the worker is placed, before anything of the action has happened."""
    before = ready(action)
    game = play(before.copy(), place(action))
    assert (game.decision, game.legal_actions()) == ("spend_token", ["yes", "no"])
    then, now = seat(before), seat(game)
    assert now.pop("workers") == workers(1, 1)
    assert then.pop("workers") == workers(2, 1)
    assert now == then


@ACTIONS
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_one_token_at_most_for_a_placing(action, answer):
    """Solo, Bonus action tokens: one per turn, however many lie there; the next turn may spend another."""
    game = ready(action, 5)
    asked = 0
    play(game, place(action))
    while game.decision != "place_worker":
        legal = game.legal_actions()
        if game.decision == "spend_token":
            asked += 1
            play(game, answer)
        else:
            game.step(legal[0])
    assert (asked, tokens(game)) == (1, 4 if answer == "yes" else 5)
    other = "give_tour" if action in SUMMER_ACTIONS and action != "give_tour" else "draw_vine"
    if action in WINTER_ACTIONS:
        other = "draw_order" if action != "draw_order" else "gain_lira"
    play(game, place(other))
    assert game.decision == ("place_worker" if other == "gain_lira" else "spend_token")


@ACTIONS
def test_nothing_is_asked_without_a_token(action):
    """Solo, Bonus action tokens: nothing to spend, nothing to decide."""
    game = play(ready(action, 0), place(action))
    assert game.decision != "spend_token"
    assert tokens(game) == 0


@ACTIONS
def test_a_grande_on_a_blocked_action_has_the_bonus_of_the_token(action):
    """Solo, Bonus action tokens, and ruling 9.2: whenever a worker is placed, the overflowing grande included."""
    _, _, steps, measure, _, expected = BONUSES[action]
    game = ready(action, board={action: [AUTOMA]})
    assert placements(game, action) == [place(action, "crowd", "grande")]
    play(game, place(action, "crowd", "grande"))
    assert game.decision == "spend_token"
    play(game, "yes", *steps)
    settle(game)
    assert (measure(seat(game)), tokens(game)) == (expected, 0)


def test_a_token_opens_no_second_space():
    """Ruling 9.2: the token adds a bonus; it does not let a regular worker in where the left space is taken."""
    game = start("summer", {"bonus_tokens": 3, "workers": workers(2, 0)}, board={"give_tour": [AUTOMA]})
    assert placements(game, "give_tour") == []


@pytest.mark.parametrize(
    "action, steps, left",
    [
        ("plant_vine", [*FIRST_PLANTED, "done"], ("hand", "vine", ["sangiovese"])),
        ("harvest_field", ["field:5", "done"], ("crush_pad", "white", [])),
        ("make_wine", [*TWO_WINES, "done"], ("crush_pad", "red", [3])),
        ("play_summer_visitor", [*SUMMER, "done"], ("hand", "summer", ["patron"])),
        ("play_winter_visitor", [*WINTER, "done"], ("hand", "winter", ["crush_expert"])),
    ],
)
def test_a_bonus_that_repeats_the_act_may_still_be_left(action, steps, left):
    """Bonuses: the action is compulsory, the bonus is not, not even after the token is gone."""
    game = play(ready(action), place(action), "yes", *steps)
    outer, inner, value = left
    assert seat(game)[outer][inner] == value
    assert (tokens(game), game.decision) == (0, "place_worker")


def test_a_token_never_replaces_the_action():
    """Solo, Bonus action tokens: in addition to taking the action, so it must be possible."""
    game = start("winter", {"bonus_tokens": 4})
    for action in ("harvest_field", "make_wine", "fill_order", "play_winter_visitor"):
        assert placements(game, action) == []


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_the_tasting_room_works_with_and_without_a_token(answer):
    """Structures, Tasting room: the point comes with the placing on the tour."""
    own_seat = {"bonus_tokens": 1, "structures": ["tasting_room"], "cellar": cellar(red=[1])}
    game = play(start("summer", own_seat), place("give_tour"), answer)
    assert (points(game), lira(seat(game))) == (1, 3 if answer == "yes" else 2)


def test_tokens_are_saved_for_other_years():
    """Solo, Bonus action tokens: they accumulate from year to year."""
    game = start("summer", {"bonus_tokens": 2, "glass_tokens": [1, 3]})
    run_to_year_end(play(game, place("give_tour"), "yes"))
    assert tokens(game) == 1
    play(game, "wake_up:3")
    assert tokens(game) == 2


def test_the_token_of_this_spring_can_be_spent_at_once():
    """Solo, Wake-up chart: it is a bonus action token as soon as it has been taken."""
    game = start("spring", automa_deck=["automa_16"])
    play(game, "wake_up:1", place("give_tour"), "yes")
    assert (lira(seat(game)), tokens(game)) == (3, 0)


# Actions that only the bonus lira makes payable.


@pytest.mark.parametrize("board", [{}, {"build_structure": [AUTOMA]}])
def test_a_token_pays_the_last_lira_of_a_structure(board):
    """Bonuses, any order: the lira may come first, so that one lira and the token build for two."""
    kinds = [("crowd", "grande")] if board else [("plain", "regular"), ("plain", "grande")]
    poor = start("summer", {"lira": 1, "bonus_tokens": 1}, board=board)
    assert placements(poor, "build_structure") == [place("build_structure", *kind) for kind in kinds]
    play(poor, place("build_structure", *kinds[0]))
    assert (poor.decision, poor.legal_actions()) == ("spend_token", ["yes"])
    play(poor, "yes")
    assert poor.legal_actions() == ["structure:trellis", "structure:yoke"]
    play(poor, "structure:trellis")
    assert (lira(seat(poor)), seat(poor)["structures"], tokens(poor)) == (0, ["trellis"], 0)


@pytest.mark.parametrize("money, count", [(1, 0), (0, 1), (0, 5)])
def test_without_enough_for_the_cheapest_structure_nothing_is_built(money, count):
    """Bonuses: one token at most, so it is worth one lira at most."""
    assert placements(start("summer", {"lira": money, "bonus_tokens": count}), "build_structure") == []


@pytest.mark.parametrize("answer, open_to", [("yes", ["trellis", "irrigation", "yoke"]), ("no", ["trellis", "yoke"])])
def test_what_can_be_built_depends_on_the_token(answer, open_to):
    """Bonuses: two lira build for two; with the bonus for three."""
    game = play(start("summer", {"lira": 2, "bonus_tokens": 1}), place("build_structure"), answer)
    assert game.legal_actions() == [f"structure:{name}" for name in open_to]


def test_a_token_pays_the_last_lira_of_a_training():
    """Train a new worker: 4 lira, of which one may come from the bonus."""
    game = start("winter", {"lira": 3, "bonus_tokens": 1})
    play(game, place("train_worker"))
    assert (game.decision, game.legal_actions()) == ("spend_token", ["yes"])
    play(game, "yes")
    assert (lira(seat(game)), seat(game)["trained_this_year"], tokens(game)) == (0, 1, 0)
    assert placements(start("winter", {"lira": 3}), "train_worker") == []
    assert placements(start("winter", {"lira": 2, "bonus_tokens": 2}), "train_worker") == []


# Where no token can be spent.


@pytest.mark.parametrize("of_season", ["summer", "winter"])
@pytest.mark.parametrize("kind", ["regular", "grande"])
def test_the_cart_and_the_yoke_ask_for_no_token(of_season, kind):
    """Ruling 9.3: only the actions of the board have a bonus."""
    game = start(of_season, ABLE | {"bonus_tokens": 2})
    play(game, place("gain_lira", "plain", kind))
    assert (lira(seat(game)), tokens(game), game.decision) == (11, 2, "place_worker")
    play(game, place("yoke", "plain", "regular"))
    assert game.decision == "yoke"
    play(game, "option:2", "field:5")
    assert (tokens(game), game.decision) == (2, "place_worker")
    assert seat(game)["fields"][0]["harvested"]


def test_placing_the_planned_worker_asks_for_no_token():
    """Ruling 9.3: the Planner's worker is placed by a card."""
    game = start("summer", {"bonus_tokens": 2, "hand": {"summer": ["planner"]}, "workers": workers(3, 1)})
    play(game, place("play_summer_visitor"))
    assert game.decision == "spend_token"
    play(game, "no", "card:summer:planner", place("draw_order"))
    assert (game.decision, season(game), tokens(game)) == ("place_worker", "summer", 2)


def test_carrying_out_the_planned_action_asks_for_no_token():
    """Ruling 9.3: the planned action is taken without a placing in that turn."""
    plans = {"draw_order": [own()], "harvest_field": [own("grande")]}
    own_seat = {"bonus_tokens": 2, "workers": workers(2, 0), "fields": fields(["sangiovese"], ["malvasia"])}
    game = start("summer", own_seat, board=plans, automa_deck=["automa_01"])
    run_to_winter(game)
    assert (game.decision, game.legal_actions()) == ("harvest_field", ["field:5", "field:6"])
    play(game, "field:5")
    assert (game.decision, tokens(game)) == ("place_worker", 2)
    assert (hand_sizes(game)["order"], seat(game)["crush_pad"]) == (1, {"red": [1], "white": []})


def test_a_planned_training_is_not_made_payable_by_a_token():
    """Ruling 9.3: no bonus for a planned action, so three lira train nobody."""
    game = start("summer", {"bonus_tokens": 2, "lira": 3}, board={"train_worker": [own()]}, automa_deck=["automa_01"])
    run_to_winter(game)
    assert (game.decision, lira(seat(game)), seat(game)["trained_this_year"]) == ("place_worker", 3, 0)


def test_the_managers_action_asks_for_no_token():
    """Examples and clarifications, Manager: an action without a bonus and without a worker."""
    game = start("winter", {"bonus_tokens": 2, "hand": {"winter": ["manager"]}})
    play(game, place("play_winter_visitor"), "no", "card:winter:manager", place("draw_vine"))
    assert (game.decision, hand_sizes(game)["vine"], tokens(game)) == ("place_worker", 1, 2)


def test_the_managers_build_is_not_made_payable_by_a_token():
    """Examples and clarifications, Manager: no bonus, hence no discount."""
    game = start("winter", {"bonus_tokens": 2, "lira": 1, "hand": {"winter": ["manager"]}})
    play(game, place("play_winter_visitor"), "no", "card:winter:manager")
    assert game.decision == "manage_action"
    assert place("build_structure") not in game.legal_actions()
    assert place("give_tour") in game.legal_actions()


@pytest.mark.parametrize("deck, action, every", [("vine", "draw_vine", ALL_VINES), ("order", "draw_order", ALL_ORDERS)])
def test_no_token_where_the_second_card_does_not_exist(deck, action, every):
    """Deck maintenance: with one card left and none discarded there is no bonus to gain."""
    game = start(season_of(action), {"bonus_tokens": 1, "hand": {deck: every[1:]}})
    play(game, place(action))
    assert (game.decision, tokens(game)) == ("place_worker", 1)
    assert hand_sizes(game)[deck] == len(every)


@pytest.mark.parametrize("deck, action, every", [("vine", "draw_vine", ALL_VINES), ("order", "draw_order", ALL_ORDERS)])
@pytest.mark.parametrize("discarded", [0, 1])
def test_a_second_card_from_the_deck_or_the_reshuffled_discards(deck, action, every, discarded):
    """Deck maintenance: two cards, one of which may come from the discards that form the new deck."""
    top = {"discards": {deck: every[:1]}} if discarded else {}
    game = start(season_of(action), {"bonus_tokens": 1, "hand": {deck: every[2:]}}, **top)
    play(game, place(action))
    assert (game.decision, game.legal_actions()) == ("spend_token", ["yes", "no"])
    play(game, "yes")
    assert (hand_sizes(game)[deck], tokens(game), game.decision) == (len(every), 0, "place_worker")


def test_passing_spends_nothing():
    """Solo, Bonus action tokens: only when a worker is placed."""
    game = play(start("summer", {"bonus_tokens": 1}), PASS)
    assert (season(game), tokens(game)) == ("fall", 1)
