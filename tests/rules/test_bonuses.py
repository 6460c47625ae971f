"""The bonus of each of the twelve actions: what it gives, that it may be left, and when it may come first."""

import pytest

from tests.table.facts import at, hand_sizes, place, placements, play, seat, settle, workers

from .positions import ABLE, start

BONUS = {"draw_vine": "vine", "draw_order": "order"}


@pytest.mark.parametrize("action", BONUS)
@pytest.mark.parametrize("answer, cards", [("yes", 2), ("no", 1)])
def test_draw_bonus_is_a_second_card(action, answer, cards):
    """Essential, Draw one vine card and Draw one wine order card, Bonus: one more card, optional."""
    deck = BONUS[action]
    season = "summer" if deck == "vine" else "winter"
    game = start(3, season)
    play(game, place(action, "bonus"))
    assert (game.decision, game.legal_actions()) == ("take_bonus", ["yes", "no"])
    assert hand_sizes(game, 0)[deck] == 1
    play(game, answer)
    assert hand_sizes(game, 0)[deck] == cards
    assert (game.decision, game.seat) == ("place_worker", 1)


@pytest.mark.parametrize("action", BONUS)
def test_draw_on_a_plain_space_is_one_card(action):
    """Essential, Bonuses: no bonus without the icon."""
    deck = BONUS[action]
    game = start(3, "summer" if deck == "vine" else "winter")
    play(game, place(action))
    assert hand_sizes(game, 0)[deck] == 1
    assert game.seat == 1


@pytest.mark.parametrize("answer, lira", [("yes", 3), ("no", 2)])
def test_tour_bonus_is_one_lira(answer, lira):
    """Essential, Give a vineyard tour: 2 lira, 1 more as a bonus."""
    game = start(3, "summer")
    play(game, place("give_tour", "bonus"))
    assert (game.decision, game.legal_actions()) == ("take_bonus", ["yes", "no"])
    play(game, answer)
    assert seat(game, 0)["lira"] == lira
    assert game.seat == 1


@pytest.mark.parametrize("answer, lira", [("yes", 5), ("no", 4)])
def test_build_bonus_is_one_lira(answer, lira):
    """Essential, Build one structure: the bonus is 1 lira."""
    game = start(3, "summer", {"lira": 7})
    play(game, place("build_structure", "bonus"))
    assert (game.decision, game.legal_actions()) == ("take_bonus", ["yes", "no"])
    play(game, answer, "structure:irrigation")
    assert seat(game, 0)["lira"] == lira
    assert seat(game, 0)["structures"] == ["irrigation"]
    assert game.seat == 1


@pytest.mark.parametrize("answer, points", [("yes", 1), ("no", 0)])
def test_sell_bonus_is_one_point(answer, points):
    """Essential, Sell grapes or field: the bonus is 1 victory point."""
    game = start(3, "summer", {"crush_pad": {"red": [5], "white": []}})
    play(game, place("sell_grapes_or_field", "bonus"))
    assert (game.decision, game.legal_actions()) == ("take_bonus", ["yes", "no"])
    play(game, answer, "grape:red:5")
    settle(game)
    assert (seat(game, 0)["victory_points"], seat(game, 0)["lira"]) == (points, 2)
    assert game.seat == 1


def test_plant_bonus_is_a_second_vine():
    """Essential, Plant one vine: the bonus is one more vine from hand."""
    game = start(3, "summer", {"hand": {"vine": ["sangiovese", "malvasia"]}})
    play(game, place("plant_vine", "bonus"))
    assert game.decision == "plant_vine"
    assert game.legal_actions() == ["card:vine:sangiovese", "card:vine:malvasia"]
    play(game, "card:vine:malvasia", "field:5")
    assert (game.decision, set(game.legal_actions())) == ("plant_vine", {"card:vine:sangiovese", "done"})
    play(game, "card:vine:sangiovese", "field:5")
    settle(game)
    assert sorted(seat(game, 0)["fields"][0]["vines"]) == ["malvasia", "sangiovese"]
    assert hand_sizes(game, 0)["vine"] == 0
    assert game.seat == 1


def test_harvest_bonus_is_a_second_field():
    """Essential, Harvest one field: the bonus is one more field."""
    game = start(3, "winter", ABLE | {"crush_pad": {}})
    play(game, place("harvest_field", "bonus"))
    assert (game.decision, game.legal_actions()) == ("harvest_field", ["field:5", "field:6"])
    play(game, "field:6")
    assert (game.decision, set(game.legal_actions())) == ("harvest_field", {"field:5", "done"})
    play(game, "field:5")
    settle(game)
    assert seat(game, 0)["crush_pad"] == {"red": [1], "white": [1]}
    assert game.seat == 1


@pytest.mark.parametrize("answer, lira", [("yes", 3), ("no", 2)])
def test_train_bonus_is_one_lira(answer, lira):
    """Essential, Train a new worker: 4 lira; the bonus is 1 lira."""
    game = start(3, "winter", {"lira": 6})
    play(game, place("train_worker", "bonus"))
    assert (game.decision, game.legal_actions()) == ("take_bonus", ["yes", "no"])
    play(game, answer)
    assert seat(game, 0)["lira"] == lira
    assert seat(game, 0)["trained_this_year"] == 1
    assert game.seat == 1


@pytest.mark.parametrize(
    "season, first, second",
    [("summer", "banker", "surveyor"), ("winter", "politician", "craftsman")],
)
def test_visitor_bonus_is_a_second_visitor(season, first, second):
    """Essential, Play one visitor card: the bonus is one more visitor, played after the first is resolved."""
    game = start(3, season, {"hand": {season: [first, second]}}, {"victory_points": -5}, {"victory_points": -5})
    play(game, place(f"play_{season}_visitor", "bonus"))
    assert game.decision == "play_visitor"
    assert "done" not in game.legal_actions()
    play(game, f"card:{season}:{first}")
    assert game.decision == "play_visitor"
    assert set(game.legal_actions()) - {"done"} == {f"card:{season}:{second}"}
    assert game.to_dict()["discards"][season] == [first]
    play(game, f"card:{season}:{second}", "option:1")
    if second == "craftsman":
        play(game, "option:3")
    assert game.to_dict()["discards"][season] == [first, second]
    assert game.seat == 1


def test_make_wine_bonus_is_a_third_token():
    """Essential, Make up to two wine tokens: the bonus is one more token."""
    grapes = {"red": [1, 2, 3], "white": [1]}
    for space, most in (("plain", 2), ("bonus", 3)):
        game = start(3, "winter", {"crush_pad": grapes})
        play(game, place("make_wine", space))
        made = 0
        while game.decision == "make_wine" and "make:red" in game.legal_actions():
            play(game, "make:red", f"grape:red:{made + 1}")
            made += 1
        settle(game)
        assert made == most
        assert seat(game, 0)["cellar"]["red"] == [1, 2, 3][:most]
        assert game.seat == 1


@pytest.mark.parametrize("answer, points", [("yes", 3), ("no", 2)])
def test_fill_bonus_is_one_point(answer, points):
    """Essential, Fill one wine order: the bonus is 1 victory point."""
    game = start(3, "winter", {"hand": {"order": ["order_04"]}, "cellar": {"red": [1], "white": [3]}})
    play(game, place("fill_order", "bonus"))
    assert (game.decision, game.legal_actions()) == ("take_bonus", ["yes", "no"])
    play(game, answer, "card:order:order_04", "wine:red:1", "wine:white:3")
    assert seat(game, 0)["victory_points"] == points
    assert game.seat == 1


@pytest.mark.parametrize(
    "action, first, chosen",
    [
        ("plant_vine", ["card:vine:malvasia", "field:7"], ("hand", "vine", ["sangiovese"])),
        ("harvest_field", ["field:5"], ("crush_pad", "white", [1, 2])),
        ("make_wine", ["make:red", "grape:red:1"], ("crush_pad", "red", [2])),
    ],
)
def test_repeated_acts_may_stop_after_the_first(action, first, chosen):
    """Essential, Bonuses: the action is compulsory, the bonus is not."""
    game = start(3, "summer" if action == "plant_vine" else "winter", ABLE)
    play(game, place(action, "bonus"))
    assert "done" not in game.legal_actions()
    play(game, *first, "done")
    outer, inner, value = chosen
    assert seat(game, 0)[outer][inner] == value
    assert game.seat == 1


@pytest.mark.parametrize("season, deck", [("summer", "banker"), ("winter", "politician")])
def test_the_second_visitor_may_be_left(season, deck):
    """Essential, Bonuses: the second visitor is optional."""
    other = {"summer": "surveyor", "winter": "craftsman"}[season]
    game = start(3, season, {"hand": {season: [deck, other]}}, {"victory_points": -5}, {"victory_points": -5})
    play(game, place(f"play_{season}_visitor", "bonus"), f"card:{season}:{deck}", "done")
    assert seat(game, 0)["hand"][season].count(other) == 1
    assert game.seat == 1


def test_the_bonus_never_replaces_the_action():
    """Essential, Bonuses: no point for a worker on the order action without filling an order."""
    game = start(3, "winter", {"hand": {"order": ["order_01"]}, "cellar": {"white": [3]}})
    assert placements(game, "fill_order") == []


def test_build_bonus_works_as_a_discount():
    """Essential, Bonuses: in any order, so the lira may come before the payment."""
    poor = start(3, "summer", {"lira": 1})
    assert placements(poor, "build_structure") == [
        place("build_structure", "bonus"),
        place("build_structure", "bonus", "grande"),
    ]
    play(poor, place("build_structure", "bonus"))
    assert (poor.decision, poor.legal_actions()) == ("take_bonus", ["yes"])
    play(poor, "yes")
    assert poor.legal_actions() == ["structure:trellis", "structure:yoke"]
    play(poor, "structure:yoke")
    assert (seat(poor, 0)["lira"], seat(poor, 0)["structures"]) == (0, ["yoke"])


@pytest.mark.parametrize("answer, open_to", [("yes", ["trellis", "irrigation", "yoke"]), ("no", ["trellis", "yoke"])])
def test_what_can_be_built_depends_on_the_bonus_taken(answer, open_to):
    """Essential, Build one structure, Bonus: 2 lira build for 2; with the bonus for 3."""
    game = start(3, "summer", {"lira": 2})
    play(game, place("build_structure", "bonus"), answer)
    assert game.legal_actions() == [f"structure:{name}" for name in open_to]


def test_train_bonus_works_as_a_discount():
    """Essential, Train a new worker, Bonus: 3 lira are enough on the bonus space only."""
    game = start(3, "winter", {"lira": 3})
    assert placements(game, "train_worker") == [
        place("train_worker", "bonus"),
        place("train_worker", "bonus", "grande"),
    ]
    play(game, place("train_worker", "bonus"))
    assert (game.decision, game.legal_actions()) == ("take_bonus", ["yes"])
    play(game, "yes")
    assert (seat(game, 0)["lira"], seat(game, 0)["trained_this_year"]) == (0, 1)
    assert placements(start(3, "winter", {"lira": 2}), "train_worker") == []


def test_the_discount_does_not_exist_in_a_crowd():
    """Essential, Grande worker placement: no bonus, hence no discount, for a grande on a full action."""
    taken = [at(1), at(2, "bonus")]
    assert placements(start(3, "summer", {"lira": 1}, board={"build_structure": taken}), "build_structure") == []
    assert placements(start(3, "winter", {"lira": 3}, board={"train_worker": taken}), "train_worker") == []


def test_a_bonus_space_may_be_taken_without_using_its_bonus():
    """Essential, Glossary, Bonus: a space may be claimed although its bonus cannot be used."""
    game = start(3, "summer", {"hand": {"vine": ["sangiovese"]}})
    play(game, place("plant_vine", "bonus"), "card:vine:sangiovese", "field:6")
    settle(game)
    assert seat(game, 0)["fields"][1]["vines"] == ["sangiovese"]
    assert seat(game, 0)["workers"] == workers(1, 1)
    assert game.seat == 1
