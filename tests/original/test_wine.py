"""Harvesting and making wine: a token without a place is lost, in this edition a wine as well as a grape."""

import pytest

from tests.table.facts import CELLARS, place, play, seat, settle

from .positions import EMPTY_CELLAR, both_presets, start

MAKE = place("make_wine")
TIERS = {"small": [], "medium": ["medium_cellar"], "large": CELLARS}
RED = ("make:red", "grape:red:3")


def cellar_of(red=(), white=(), tier="large", cellar=None, **own):
    """A seat with these grapes, cellars and wines."""
    grapes = {"red": list(red), "white": list(white)}
    return {"crush_pad": grapes, "structures": TIERS[tier], "cellar": EMPTY_CELLAR | (cellar or {}), **own}


def winter(red=(), white=(), tier="large", cellar=None, num_players=2, **options):
    """A winter position of such a seat."""
    return start(num_players, "winter", cellar_of(red, white, tier, cellar), **options)


def makeable(game):
    """The kinds of wine that the action offers, or none if it cannot be chosen."""
    if MAKE not in game.legal_actions():
        return []
    return play(game, MAKE).legal_actions()


def make(game, *names, space="plain"):
    """Makes wine with the named steps, then stops; the cellar afterwards."""
    play(game, place("make_wine", space), *names)
    if game.decision == "make_wine":
        play(game, "done")
    assert game.seat == 1
    return seat(game)["cellar"]


NO_GRAPES = {"red": [], "white": []}


@both_presets
@pytest.mark.parametrize("colour", ["red", "white"])
@pytest.mark.parametrize(
    "tier, value, wines",
    [
        ("small", 1, [1]),
        ("small", 3, [1, 2, 3]),
        ("small", 8, [1, 2, 3]),
        ("medium", 2, [1, 2, 3, 6]),
        ("large", 4, [1, 2, 3, 4, 5]),
        ("large", 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ],
)
def test_a_wine_without_a_free_place_is_made_and_lost(tier, value, wines, colour, preset):
    """Original, row 53: nothing at or below its value is free, so the token is gone; places above do not help."""
    game = winter(**{colour: [value]}, tier=tier, cellar={colour: wines}, preset=preset)
    assert makeable(game.copy()) == [f"make:{colour}"]
    assert make(game, f"make:{colour}", f"grape:{colour}:{value}") == EMPTY_CELLAR | {colour: wines}
    assert seat(game)["crush_pad"] == NO_GRAPES


@both_presets
def test_a_blend_without_a_free_place_is_made_and_lost(preset):
    """Original, row 53: blush and sparkling too; their places begin at 4 and 7."""
    blush = winter([2], [3], "medium", {"blush": [4, 5]}, preset=preset)
    assert "make:blush" in makeable(blush.copy())
    wines = make(blush, "make:blush", "grape:red:2", "grape:white:3")
    assert (wines["blush"], seat(blush)["crush_pad"]) == ([4, 5], NO_GRAPES)
    sparkling = winter([1, 2], [4], cellar={"sparkling": [7]}, preset=preset)
    assert "make:sparkling" in makeable(sparkling.copy())
    wines = make(sparkling, "make:sparkling", "grape:red:1", "grape:red:2", "grape:white:4")
    assert (wines["sparkling"], seat(sparkling)["crush_pad"]) == ([7], NO_GRAPES)


@both_presets
def test_a_lost_wine_is_one_of_two(preset):
    """Original, rows 31 and 53: it was made, so it counts; one more may follow and no third."""
    game = winter([1, 2, 3], tier="small", cellar={"red": [1, 2, 3]}, preset=preset)
    play(game, MAKE, *RED)
    assert "done" in game.legal_actions()
    settle(play(game, "make:red", "grape:red:2"))
    assert (seat(game)["crush_pad"]["red"], seat(game)["cellar"]["red"], game.seat) == ([1], [1, 2, 3], 1)


@both_presets
def test_two_tokens_of_wine_and_not_of_grapes(preset):
    """Original, row 31: a sparkling and a blush take five grapes in one action; a third wine takes the bonus."""
    grapes = {"red": [1, 2, 3], "white": [4, 5, 6]}
    steps = ["make:sparkling", "grape:red:1", "grape:red:2", "grape:white:4"]
    steps += ["make:blush", "grape:red:3", "grape:white:5"]
    game = winter(**grapes, num_players=3, preset=preset)
    wines = make(game, *steps)
    assert (wines["sparkling"], wines["blush"]) == ([7], [8])
    assert seat(game)["crush_pad"] == {"red": [], "white": [6]}
    game = winter(**grapes, num_players=3, preset=preset)
    assert make(game, *steps, "make:white", "grape:white:6", space="bonus")["white"] == [6]


@pytest.mark.parametrize("ruleset, branches", [("original", ["option:1", "option:2"]), ("essential", ["option:1"])])
def test_a_card_may_make_a_wine_that_is_lost(ruleset, branches):
    """Original, rows 53 and 64: a wine of a card is a wine; it can be made where it can only be lost."""
    own = cellar_of([3], tier="small", cellar={"red": [1, 2, 3]}, hand={"summer": ["novice_guide"]})
    game = start(2, "summer", own, ruleset=ruleset)
    play(game, place("play_summer_visitor"), "card:summer:novice_guide")
    assert game.legal_actions() == branches
    if "option:2" in branches:
        settle(play(game, "option:2", *RED))
        assert (seat(game)["crush_pad"], seat(game)["cellar"]["red"]) == (NO_GRAPES, [1, 2, 3])


def test_mentor_asks_who_can_only_lose_a_wine():
    """Original, row 53: an opponent's wine counts for the card even if no place is free for it."""
    full = cellar_of([3], tier="small", cellar={"red": [1, 2, 3]})
    game = start(2, "winter", {"hand": {"winter": ["mentor"]}}, full)
    play(game, place("play_winter_visitor"), "card:winter:mentor")
    while game.seat == 0 and "no" in game.legal_actions():
        game.step("no")
    assert (game.decision, game.seat) == ("offer", 1)
    settle(play(game, "yes", *RED))
    assert (seat(game, 1)["crush_pad"], seat(game, 1)["cellar"]["red"]) == (NO_GRAPES, [1, 2, 3])
    play(game, "deck:vine")
    assert len(seat(game)["hand"]["vine"]) == 1
