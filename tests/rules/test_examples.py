"""The rulebook's worked examples, one test each. Those about a single visitor are in tests/cards."""

import pytest

import vitienv
from tests.table.facts import (
    at,
    hand_sizes,
    place,
    placements,
    play,
    run_to_season,
    run_to_year_end,
    season,
    seat,
    settle,
)

from .positions import fields, start
from .test_setup import parents_of

EMPTY = {"red": [], "white": [], "blush": [], "sparkling": []}


def test_setup_example():
    """Essential, Setup, Example: the cards of Alaena, the lira and the choice of Matthew."""
    for seed in range(400):
        game = vitienv.Game.new(num_players=6, seed=seed)
        while game.decision == "papa_gift":
            number = game.seat
            if parents_of(game, number) == ("alaena", "matthew"):
                structure, money = game.copy(), game.copy()
                structure.step("option:1")
                money.step("option:2")
                for taken, lira, structures in ((structure, 1, ["windmill"]), (money, 6, [])):
                    own = seat(taken, number)
                    assert (own["lira"], own["structures"]) == (lira, structures)
                    assert own["workers"] == {"regular": 2, "grande": 1, "temporary": 0}
                    assert hand_sizes(taken, number) == {"vine": 1, "order": 1, "summer": 1, "winter": 0}
                return
            game.step("option:2")
    pytest.fail("not dealt in 400 games")


def test_wake_up_example():
    """Essential, Spring actions, Example: row 6 gives a point, row 4 a lira, and row 4 then goes before row 6."""
    game = start(2, "spring")
    play(game, "wake_up:6", "wake_up:4")
    assert (seat(game, 0)["victory_points"], seat(game, 0)["lira"]) == (1, 0)
    assert (seat(game, 1)["victory_points"], seat(game, 1)["lira"]) == (0, 1)
    assert (season(game), game.seat) == ("summer", 1)
    play(game, "pass")
    assert game.seat == 0


def test_wake_up_note():
    """Essential, Spring actions, Note: row 4 acts last in summer and is still first in fall and in winter."""
    game = start(2, "spring")
    play(game, "wake_up:6", "wake_up:4", place("gain_lira"), "pass", place("gain_lira"))
    assert (season(game), game.seat) == ("summer", 1)
    play(game, "pass")
    assert (season(game), game.seat) == ("fall", 1)
    run_to_season(game, "winter")
    assert game.seat == 1


def test_plant_means_planting():
    """Essential, Worker placement: a worker on Plant plants a vine; there is no standing there idle."""
    assert placements(start(2, "summer"), "plant_vine") == []
    game = start(2, "summer", {"hand": {"vine": ["sangiovese"]}})
    play(game, place("plant_vine"))
    assert (game.decision, game.legal_actions()) == ("plant_vine", ["card:vine:sangiovese"])


def test_order_bonus_example():
    """Essential, Bonuses: no point from the bonus space of the orders without filling one."""
    game = start(3, "winter", {"hand": {"order": ["order_08"]}, "cellar": EMPTY | {"red": [2], "white": [3]}})
    assert placements(game, "fill_order") == []


def test_grande_example():
    """Essential, Grande worker placement, Example: two players, the tour is taken, the grande still earns 2 lira."""
    game = start(2, "summer")
    play(game, place("give_tour"))
    assert placements(game, "give_tour") == [place("give_tour", "crowd", "grande")]
    play(game, place("give_tour", "crowd", "grande"))
    assert [seat(game, k)["lira"] for k in range(2)] == [2, 2]
    assert game.to_dict()["board"]["give_tour"] == [at(0), at(1, "crowd", "grande")]


def test_field_value_example():
    """Essential, Plant one vine, Note: a field of total value 5 has room for 1 more at 6, 2 more at 7, none at 5."""
    for own, room in (({"five": ["merlot", "syrah"]}, 0), ({"six": ["merlot", "syrah"]}, 1)):
        hand = {"hand": {"vine": ["malvasia"]}, "fields": fields(**own, sold=(7, 6 if "five" in own else 5))}
        assert len(placements(start(2, "summer", hand), "plant_vine")) == 2 * room
    seven = {"structures": ["trellis"], "fields": fields((), (), ["merlot", "syrah"], sold=(5, 6))}
    game = start(2, "summer", {**seven, "hand": {"vine": ["trebbiano"]}})
    play(game, place("plant_vine"), "card:vine:trebbiano", "field:7")
    assert len(seat(game, 0)["fields"][2]["vines"]) == 3


def test_price_example():
    """Essential, Sell grapes or field: a grape of value 4 is sold for 2 lira."""
    game = start(2, "summer", {"crush_pad": {"red": [4], "white": []}})
    settle(play(game, place("sell_grapes_or_field"), "grape:red:4"))
    assert seat(game, 0)["lira"] == 2


def test_harvest_example():
    """Essential, Harvesting fields, Example: three vines, red 1 + 1 and white 1 + 2, give a red 2 and a white 3."""
    game = start(2, "winter", {"fields": fields(["sangiovese", "pinot", "trebbiano"])})
    play(game, place("harvest_field"), "field:5")
    assert seat(game, 0)["crush_pad"] == {"red": [2], "white": [3]}


@pytest.mark.parametrize("taken, result", [([], [4]), ([4], [3, 4]), ([3, 4], [2, 3, 4])])
def test_devaluation_example(taken, result):
    """Essential, Harvesting fields, Note 2: a white 4 goes to 3 when 4 is taken, to 2 when 3 is taken as well."""
    game = start(2, "winter", {"fields": fields(["chardonnay"]), "crush_pad": {"red": [], "white": taken}})
    play(game, place("harvest_field"), "field:5")
    assert seat(game, 0)["crush_pad"]["white"] == result


def test_red_wine_example():
    """Essential, Making wine, Red wine: a red grape of 3 becomes a red wine of 3."""
    game = start(2, "winter", {"crush_pad": {"red": [3], "white": []}})
    settle(play(game, place("make_wine"), "make:red", "grape:red:3"))
    assert seat(game, 0)["cellar"] == EMPTY | {"red": [3]}


def test_blush_example():
    """Essential, Making wine, Blush: a white 1 and a red 4 make a blush of 5."""
    own = {"crush_pad": {"red": [4], "white": [1]}, "structures": ["medium_cellar"]}
    game = start(2, "winter", own)
    settle(play(game, place("make_wine"), "make:blush", "grape:red:4", "grape:white:1"))
    assert seat(game, 0)["cellar"] == EMPTY | {"blush": [5]}


@pytest.mark.parametrize("first, second", [(1, 4), (4, 1)])
def test_making_wine_example_1(first, second):
    """Essential, Making wine, Example 1: red 1 and red 4 without a medium cellar become 1 and 3."""
    game = start(2, "winter", {"crush_pad": {"red": [1, 4], "white": []}})
    play(game, place("make_wine"), "make:red", f"grape:red:{first}", "make:red", f"grape:red:{second}")
    settle(game)
    assert seat(game, 0)["cellar"] == EMPTY | {"red": [1, 3]}
    assert game.seat == 1


def test_making_wine_example_2():
    """Essential, Making wine, Example 2: a blush needs the medium cellar."""
    grapes = {"crush_pad": {"red": [3], "white": [2]}}
    without = start(2, "winter", grapes)
    play(without, place("make_wine"))
    assert "make:blush" not in without.legal_actions()
    game = start(2, "winter", {**grapes, "structures": ["medium_cellar"]})
    settle(play(game, place("make_wine"), "make:blush", "grape:red:3", "grape:white:2"))
    assert seat(game, 0)["cellar"] == EMPTY | {"blush": [5]}


def test_filling_an_order_example():
    """Essential, Filling a wine order, Example: red of 2 or more and white of 4 or more for 3 points and 1 residual."""
    own = {"hand": {"order": ["order_08"]}, "structures": ["medium_cellar"]}
    game = start(2, "winter", {**own, "cellar": EMPTY | {"red": [3], "white": [4, 6]}})
    play(game, place("fill_order"), "card:order:order_08", "wine:red:3", "wine:white:4")
    now = seat(game, 0)
    assert (now["victory_points"], now["residual"]) == (3, 1)
    assert now["cellar"] == EMPTY | {"white": [6]}
    assert game.to_dict()["discards"]["order"] == ["order_08"]


def test_residual_example():
    """Essential, Residual payments: position 1 is 1 lira at the end of each year, and the position stays."""
    game = start(2, "winter", {"residual": 1})
    run_to_year_end(game)
    assert (seat(game, 0)["lira"], seat(game, 0)["residual"]) == (1, 1)


def test_ageing_example():
    """Essential, Age grape and wine tokens: a 2 moves to 3 and a 3 to 4."""
    own = {"crush_pad": {"red": [2], "white": [3]}, "structures": ["medium_cellar"]}
    game = start(2, "winter", {**own, "cellar": EMPTY | {"red": [2], "white": [3]}})
    run_to_year_end(game)
    assert seat(game, 0)["crush_pad"] == {"red": [3], "white": [4]}
    assert seat(game, 0)["cellar"] == EMPTY | {"red": [3], "white": [4]}


def test_ageing_note_example():
    """Essential, Age grape and wine tokens, Note 2: red wines of 8 and 9 in a full set of cellars stay."""
    own = {"structures": ["medium_cellar", "large_cellar"], "cellar": EMPTY | {"red": [8, 9]}}
    game = start(2, "winter", own)
    run_to_year_end(game)
    assert seat(game, 0)["cellar"]["red"] == [8, 9]


def test_zymologist_example():
    """Essential, Examples, Zymologist: a red 5 without a medium cellar ages to 6 and not past it without both."""
    own = {"cellar": EMPTY | {"red": [5]}, "wine_above_cellar": True}
    game = start(2, "winter", own)
    run_to_year_end(game)
    assert seat(game, 0)["cellar"]["red"] == [6]
    for structures, value in (([], 6), (["medium_cellar"], 6), (["medium_cellar", "large_cellar"], 7)):
        own = {"cellar": EMPTY | {"red": [6]}, "structures": structures, "wine_above_cellar": not structures}
        game = start(2, "winter", own)
        run_to_year_end(game)
        assert seat(game, 0)["cellar"]["red"] == [value]


def test_cottage_example():
    """Essential, Structures, Cottage: two visitors in fall, here one of each kind."""
    game = start(2, "summer", {"structures": ["cottage"]})
    play(game, "pass", "pass", "deck:summer", "deck:winter")
    assert hand_sizes(game, 0) == {"vine": 0, "order": 0, "summer": 1, "winter": 1}
