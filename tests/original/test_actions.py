"""The board's actions and their bonuses in both presets, the price of training, selling, and the cart of the winter."""

import pytest

from tests.table.facts import (
    SUMMER_ACTIONS,
    WINTER_ACTIONS,
    at,
    place,
    placements,
    play,
    points,
    run_to_season,
    season,
    seat,
    settle,
    workers,
)

from .positions import ABLE, NOBODY, PRESETS, both_presets, lira, start

ACTIONS = [(action, "summer") for action in SUMMER_ACTIONS] + [(action, "winter") for action in WINTER_ACTIONS]
SPACES = {2: ["plain"], 3: ["plain", "bonus"], 4: ["plain", "bonus"]}
SPACES |= {5: ["plain", "bonus", "plain"], 6: ["plain", "bonus", "plain"]}
SELL = "sell_grapes_or_field"


# Spaces and workers, which are as in the Essential Edition.


@both_presets
def test_an_action_that_cannot_be_done_takes_no_worker(preset):
    """Original, row 34: the action is compulsory, so a worker is not put where nothing can be done."""
    for name, actions in (("summer", SUMMER_ACTIONS[2:]), ("winter", WINTER_ACTIONS[1:])):
        game = start(3, name, preset=preset)
        if preset == "manual_literal":
            actions = [action for action in actions if action != "train_worker"]  # free on its bonus space
        for action in actions:
            assert placements(game, action) == [], action


# Bonuses.


@both_presets
@pytest.mark.parametrize("answer, gained", [("yes", 1), ("no", 0)])
def test_selling_bonus_is_a_lira(answer, gained, preset):
    """Original, row 23: 1 lira, where the Essential Edition gives a victory point."""
    game = start(3, "summer", {"crush_pad": {"red": [5], "white": []}}, preset=preset)
    play(game, place(SELL, "bonus"), answer, "grape:red:5")
    settle(game)
    assert (lira(game), points(game), game.seat) == (2 + gained, 0, 1)


@both_presets
def test_building_bonus_takes_one_lira_off(preset):
    """Original, row 25: a discount of 1; without it the full price."""
    for answer, left in (("yes", 2), ("no", 1)):
        game = start(3, "summer", {"lira": 6}, preset=preset)
        play(game, place("build_structure", "bonus"), answer, "structure:windmill")
        assert (lira(game), seat(game)["structures"], game.seat) == (left, ["windmill"], 1)
    poor = start(3, "summer", {"lira": 1}, preset=preset)
    assert placements(poor, "build_structure") == [
        place("build_structure", "bonus"),
        place("build_structure", "bonus", "grande"),
    ]
    play(poor, place("build_structure", "bonus"), "yes")
    assert poor.legal_actions() == ["structure:trellis", "structure:irrigation", "structure:yoke"]
    play(poor, "structure:trellis")
    assert lira(poor) == 0


@pytest.mark.parametrize(
    "name, first, second", [("summer", "patron", "surveyor"), ("winter", "benefactor", "uncertified_teacher")]
)
def test_a_second_visitor_in_the_second_edition(name, first, second):
    """Original, row 21: on the bonus space one more visitor of the season, after the first and optional."""
    action = f"play_{name}_visitor"
    game = start(3, name, {"hand": {name: [first, second]}}, preset="second_edition")
    play(game, place(action, "bonus"), f"card:{name}:{first}", "option:1")
    assert (game.seat, game.decision) == (0, "play_visitor")
    assert {f"card:{name}:{second}", "done"} <= set(game.legal_actions())
    other = game.copy()
    play(other, "done")
    assert other.seat == 1
    assert second in seat(other)["hand"][name]
    play(game, f"card:{name}:{second}", "option:1" if name == "summer" else "option:2")
    assert game.to_dict()["discards"][name] == [first, second]
    assert game.seat == 1


@pytest.mark.parametrize(
    "name, first, second", [("summer", "patron", "surveyor"), ("winter", "benefactor", "uncertified_teacher")]
)
def test_no_second_visitor_by_the_letter(name, first, second):
    """Original, row 21: the manual names no bonus here, so the middle space is a space like the left one."""
    action = f"play_{name}_visitor"
    game = start(3, name, {"hand": {name: [first, second]}}, preset="manual_literal")
    assert place(action, "bonus") in placements(game, action)
    play(game, place(action, "bonus"), f"card:{name}:{first}", "option:1")
    assert (game.decision, game.seat) == ("place_worker", 1)
    assert second in seat(game)["hand"][name]
    assert game.to_dict()["discards"][name] == [first]


@pytest.mark.parametrize("preset", PRESETS)
def test_one_visitor_on_the_left_space(preset):
    """Original, row 21: without the bonus space one card in either preset."""
    game = start(3, "summer", {"hand": {"summer": ["patron", "surveyor"]}}, preset=preset)
    play(game, place("play_summer_visitor"), "card:summer:patron", "option:1")
    assert (game.decision, game.seat) == ("place_worker", 1)


# Training.

PRICES = [({"preset": "second_edition"}, 4), ({"preset": "manual_literal"}, 1)]
PRICES += [({"preset": "second_edition", "train_price": 1}, 1), ({"preset": "manual_literal", "train_price": 4}, 4)]
PRICES += [({"preset": preset, "train_price": 3}, 3) for preset in PRESETS]


@pytest.mark.parametrize("options, price", PRICES)
def test_price_of_training(options, price):
    """Original, row 28: 4 in the second edition, 1 by the letter, or what the option says; no less will do."""
    game = start(2, "winter", {"lira": price}, **options)
    play(game, place("train_worker"))
    assert (lira(game), seat(game)["trained_this_year"], game.seat) == (0, 1, 1)
    assert placements(start(2, "winter", {"lira": price - 1}, **options), "train_worker") == []


@pytest.mark.parametrize("options, price", PRICES)
def test_training_bonus_takes_one_lira_off(options, price):
    """Original, row 29: a discount of 1 on the bonus space, which by the letter makes the training free."""
    game = start(3, "winter", {"lira": price - 1}, **options)
    assert placements(game, "train_worker") == [
        place("train_worker", "bonus"),
        place("train_worker", "bonus", "grande"),
    ]
    play(game, place("train_worker", "bonus"))
    assert game.legal_actions() == ["yes"]
    play(game, "yes")
    assert (lira(game), seat(game)["trained_this_year"], game.seat) == (0, 1, 1)
    for answer, left in (("yes", 2), ("no", 1)):
        rich = start(3, "winter", {"lira": price + 1}, **options)
        play(rich, place("train_worker", "bonus"), answer)
        assert lira(rich) == left


@both_presets
def test_a_crowd_trains_at_full_price(preset):
    """Original, rows 29 and 39: no discount for a grande on a full action."""
    taken = {"train_worker": [at(1), at(2, "bonus")]}
    price = {"second_edition": 4, "manual_literal": 1}[preset]
    assert placements(start(3, "winter", {"lira": price - 1}, preset=preset, board=taken), "train_worker") == []
    game = start(3, "winter", {"lira": price}, preset=preset, board=taken)
    play(game, place("train_worker", "crowd", "grande"))
    assert lira(game) == 0


@both_presets
def test_a_trained_worker_starts_next_year_and_six_are_the_most(preset):
    """Original, rows 9 and 30: not stated by the manual, so as in the Essential Edition, five and the grande."""
    game = start(2, "winter", {"lira": 4}, NOBODY, preset=preset)
    play(game, place("train_worker"))
    assert seat(game)["workers"] == workers(1, 1)
    play(game, "pass")
    assert season(game) == "spring"
    assert seat(game)["workers"] == workers(3, 1)
    for regular, trained, temporary, offered in ((4, 0, 0, True), (5, 0, 0, False), (4, 1, 0, False), (4, 0, 1, True)):
        own = {"lira": 9, "workers": workers(regular, 1, temporary), "trained_this_year": trained}
        assert (place("train_worker") in start(2, "winter", own, preset=preset).legal_actions()) == offered


@pytest.mark.parametrize("train_price", [1, 4, 7])
def test_cards_that_train_name_their_own_price(train_price):
    """Original, rows 28 and 67: the board's price is not that of Teacher and Professor."""
    for card, option in (("teacher", "option:2"), ("professor", "option:1")):
        game = start(2, "winter", {"lira": 2, "hand": {"winter": [card]}}, train_price=train_price)
        play(game, place("play_winter_visitor"), f"card:winter:{card}", option)
        assert (lira(game), seat(game)["trained_this_year"]) == (0, 1)


# Selling.


@both_presets
def test_only_grapes_are_sold(preset):
    """Original, rows 18 and 22: no field is for sale, empty or not."""
    game = start(2, "summer", {"crush_pad": {"red": [2, 5], "white": [9]}}, preset=preset)
    play(game, place(SELL))
    assert sorted(game.legal_actions()) == ["grape:red:2", "grape:red:5", "grape:white:9"]
    assert placements(start(2, "summer", {"lira": 9}, preset=preset), SELL) == []
    essential = start(2, "summer", {"lira": 9}, ruleset="essential")
    assert place(SELL) in placements(essential, SELL)


@both_presets
def test_at_least_one_grape_and_any_number(preset):
    """Original, row 24: the action is compulsory, so one grape at least; prices are those of the Essential Edition."""
    game = start(2, "summer", {"crush_pad": {"red": [3, 6], "white": [7]}}, preset=preset)
    play(game, place(SELL))
    assert "done" not in game.legal_actions()
    settle(play(game, "grape:red:3", "grape:red:6", "grape:white:7"))
    assert (lira(game), game.seat) == (1 + 2 + 3, 1)
    assert seat(game)["crush_pad"] == {"red": [], "white": []}


# The cart.


@both_presets
def test_no_cart_in_summer(preset):
    """Original, row 27: the lira for help is a winter action."""
    game = start(2, "summer", ABLE, preset=preset)
    assert {name.split(":")[1] for name in placements(game)} == set(SUMMER_ACTIONS)
    assert "pass" in game.legal_actions()
    assert placements(start(2, "summer", ABLE, ruleset="essential"), "gain_lira") != []


@both_presets
def test_a_summer_with_nothing_to_do_is_passed(preset):
    """Original, rows 27 and 37: with no cart to go to, the workers wait for the winter."""
    board = {"draw_vine": [at(1)], "give_tour": [at(1)]}
    game = start(2, "summer", {"workers": workers(2, 0)}, {"workers": workers(0, 1)}, preset=preset, board=board)
    assert game.legal_actions() == ["pass"]
    run_to_season(game, "winter")
    assert seat(game)["workers"] == workers(2, 0)
    assert place("gain_lira") in game.legal_actions()
