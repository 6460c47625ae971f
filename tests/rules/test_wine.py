"""Making wine: four types, cellars, minimum values, lowering, the cap, and the order of several tokens."""

import pytest

from tests.table.facts import CELLARS, place, placements, play, seat, settle

from .positions import start

EMPTY = {"red": [], "white": [], "blush": [], "sparkling": []}
TIERS = {"small": [], "medium": ["medium_cellar"], "large": CELLARS}


def winter(red=(), white=(), tier="large", cellar=None, num_players=2):
    """A winter position of a seat with these grapes, cellars and wines."""
    own = {"crush_pad": {"red": list(red), "white": list(white)}, "structures": TIERS[tier]}
    return start(num_players, "winter", own | {"cellar": EMPTY | (cellar or {})})


def make(game, *names, space="plain"):
    """Makes wine with the named steps, then stops; the cellar afterwards."""
    play(game, place("make_wine", space), *names)
    if game.decision == "make_wine":
        play(game, "done")
    assert game.seat == 1
    return seat(game, 0)["cellar"]


def makeable(game):
    """The kinds of wine that the action offers, or none if it cannot be chosen."""
    if not placements(game, "make_wine"):
        return []
    play(game, place("make_wine"))
    assert game.decision == "make_wine"
    return game.legal_actions()


@pytest.mark.parametrize("tier, top", [("small", 3), ("medium", 6), ("large", 9)])
@pytest.mark.parametrize("colour", ["red", "white"])
@pytest.mark.parametrize("value", range(1, 10))
def test_one_grape_one_wine(colour, value, tier, top):
    """Essential, Making wine, Red wine, White wine and Note 2: same value, lowered to what the cellars hold."""
    game = winter(**{colour: [value]}, tier=tier)
    cellar = make(game, f"make:{colour}", f"grape:{colour}:{value}")
    assert cellar == EMPTY | {colour: [min(value, top)]}
    assert seat(game, 0)["crush_pad"] == {"red": [], "white": []}


@pytest.mark.parametrize("tier, top", [("medium", 6), ("large", 9)])
@pytest.mark.parametrize("red, white", [(1, 3), (3, 1), (2, 3), (5, 2), (4, 4), (4, 5), (8, 9)])
def test_blush_is_the_sum(red, white, tier, top):
    """Essential, Making wine, Blush: red and white added, at most 9, lowered to what the cellars hold."""
    game = winter([red], [white], tier)
    cellar = make(game, "make:blush", f"grape:red:{red}", f"grape:white:{white}")
    assert cellar == EMPTY | {"blush": [min(red + white, top)]}
    assert seat(game, 0)["crush_pad"] == {"red": [], "white": []}


@pytest.mark.parametrize("reds, white, value", [((1, 2), 4, 7), ((1, 4), 3, 8), ((2, 3), 4, 9), ((4, 5), 6, 9)])
def test_sparkling_is_the_sum_of_three(reds, white, value):
    """Essential, Making wine, Sparkling: two red and one white added, at most 9."""
    game = winter(reds, [white])
    first, second = reds
    cellar = make(game, "make:sparkling", f"grape:red:{first}", f"grape:red:{second}", f"grape:white:{white}")
    assert cellar == EMPTY | {"sparkling": [value]}
    assert seat(game, 0)["crush_pad"] == {"red": [], "white": []}


@pytest.mark.parametrize("red, white, offered", [(1, 2, False), (2, 1, False), (1, 1, False), (2, 2, True)])
def test_blush_of_less_than_four_cannot_be_made(red, white, offered):
    """Essential, Glossary, Make wine: a blush is worth at least 4."""
    assert ("make:blush" in makeable(winter([red], [white]))) == offered


@pytest.mark.parametrize("reds, white, offered", [((1, 2), 3, False), ((1, 2), 4, True), ((2, 3), 1, False)])
def test_sparkling_of_less_than_seven_cannot_be_made(reds, white, offered):
    """Essential, Glossary, Make wine: a sparkling wine is worth at least 7."""
    assert ("make:sparkling" in makeable(winter(reds, [white]))) == offered


@pytest.mark.parametrize(
    "tier, kinds",
    [
        ("small", ["red", "white"]),
        ("medium", ["red", "white", "blush"]),
        ("large", ["red", "white", "blush", "sparkling"]),
    ],
)
def test_cellars_decide_the_kinds(tier, kinds):
    """Essential, Structures, Cellars: blush from the medium cellar on, sparkling with the large one."""
    assert makeable(winter([4, 5], [4], tier)) == [f"make:{kind}" for kind in kinds]


def test_sparkling_takes_two_red_and_one_white_only():
    """Essential, Glossary, Make wine: two red and one white grape, no other three."""
    assert makeable(winter([9], [8, 9])) == ["make:red", "make:white", "make:blush"]
    assert makeable(winter([8, 9], [])) == ["make:red"]
    assert makeable(winter([], [8, 9])) == ["make:white"]


def test_grapes_offered_for_a_blush():
    """Essential, Glossary, Make wine: only pairs worth 4 or more."""
    game = winter([1, 3], [1, 2])
    play(game, place("make_wine"), "make:blush")
    assert (game.decision, game.legal_actions()) == ("choose_grape", ["grape:red:3"])
    play(game, "grape:red:3")
    assert game.legal_actions() == ["grape:white:1", "grape:white:2"]
    play(game, "grape:white:1", "done")
    assert seat(game, 0)["cellar"]["blush"] == [4]
    assert seat(game, 0)["crush_pad"] == {"red": [1], "white": [2]}


def test_grapes_offered_for_a_sparkling():
    """Essential, Glossary, Make wine: only threes worth 7 or more, the two red ones in ascending order."""
    game = winter([1, 2, 4], [1, 3])
    play(game, place("make_wine"), "make:sparkling")
    assert (game.decision, game.legal_actions()) == ("choose_grape", ["grape:red:1", "grape:red:2"])
    other = game.copy()
    play(game, "grape:red:1")
    assert game.legal_actions() == ["grape:red:4"]
    play(game, "grape:red:4")
    assert game.legal_actions() == ["grape:white:3"]
    play(other, "grape:red:2")
    assert other.legal_actions() == ["grape:red:4"]
    play(other, "grape:red:4")
    assert other.legal_actions() == ["grape:white:1", "grape:white:3"]


@pytest.mark.parametrize("wines, result", [([4], [3, 4]), ([3, 4], [2, 3, 4]), ([2, 3, 4], [1, 2, 3, 4])])
def test_a_taken_slot_lowers_the_wine(wines, result):
    """Essential, Making wine, Note 3: one token on a slot; the next lower free one is used."""
    game = winter([4], tier="medium", cellar={"red": wines})
    assert make(game, "make:red", "grape:red:4")["red"] == result


def test_a_wine_without_any_free_slot_cannot_be_made():
    """Essential, Making wine, Note 3: unlike a harvest, no wine is made to be lost."""
    assert makeable(winter([3], tier="small", cellar={"red": [1, 2, 3]})) == []
    assert makeable(winter([2], tier="small", cellar={"red": [1, 2]})) == []
    assert makeable(winter([3], tier="small", cellar={"red": [1, 2]})) == ["make:red"]


def test_a_blush_is_not_lowered_below_four():
    """Essential, Glossary, Make wine: its slots begin at 4."""
    full = winter([2], [2], "medium", {"blush": [4], "red": [1, 2], "white": [1, 2]})
    assert makeable(full) == []
    higher = winter([3], [3], "medium", {"blush": [4, 6]})
    assert make(higher, "make:blush", "grape:red:3", "grape:white:3")["blush"] == [4, 5, 6]


def test_a_sparkling_is_not_lowered_below_seven():
    """Essential, Glossary, Make wine: its slots begin at 7."""
    assert "make:sparkling" not in makeable(winter([1, 2], [4], cellar={"sparkling": [7]}))
    game = winter([4, 5], [6], cellar={"sparkling": [9]})
    cellar = make(game, "make:sparkling", "grape:red:4", "grape:red:5", "grape:white:6")
    assert cellar["sparkling"] == [8, 9]
    assert "make:sparkling" not in makeable(winter([4, 5], [6], cellar={"sparkling": [7, 8, 9]}))


def test_types_do_not_share_slots():
    """Essential, Making wine, Note 3: each icon of the cellar is for one type."""
    cellar = make(winter([5], cellar={"white": [5], "blush": [5]}), "make:red", "grape:red:5")
    assert cellar == EMPTY | {"red": [5], "white": [5], "blush": [5]}


def test_a_wine_goes_to_the_highest_slot_unasked():
    """Essential, Making wine, Note 3: the value is not lowered by choice."""
    game = winter([5])
    play(game, place("make_wine"), "make:red", "grape:red:5")
    assert seat(game, 0)["cellar"]["red"] == [5]
    assert game.decision != "choose_wine"


def test_two_tokens_of_one_or_of_two_types():
    """Essential, Making wine: up to two tokens, of the same type or of different types."""
    same = make(winter([2, 5], [1]), "make:red", "grape:red:5", "make:red", "grape:red:2")
    assert same == EMPTY | {"red": [2, 5]}
    mixed = make(winter([2, 5], [1]), "make:white", "grape:white:1", "make:red", "grape:red:2")
    assert mixed == EMPTY | {"red": [2], "white": [1]}


def test_one_token_is_enough():
    """Essential, Making wine: up to two, at least one."""
    game = winter([2, 5])
    play(game, place("make_wine"))
    assert "done" not in game.legal_actions()
    play(game, "make:red", "grape:red:2")
    assert set(game.legal_actions()) == {"make:red", "done"}
    play(game, "done")
    assert seat(game, 0)["crush_pad"]["red"] == [5]
    assert game.seat == 1


def test_a_third_token_needs_the_bonus():
    """Essential, Making wine, Bonus: a third token on the bonus space only."""
    steps = ["make:red", "grape:red:1", "make:red", "grape:red:2"]
    plain = winter([1, 2, 3], num_players=3)
    settle(play(plain, place("make_wine"), *steps))
    assert plain.seat == 1
    bonus = winter([1, 2, 3], num_players=3)
    play(bonus, place("make_wine", "bonus"), *steps)
    assert (bonus.seat, set(bonus.legal_actions())) == (0, {"make:red", "done"})
    settle(play(bonus, "make:red", "grape:red:3"))
    assert seat(bonus, 0)["cellar"]["red"] == [1, 2, 3]


@pytest.mark.parametrize("first, second, result", [(3, 4, [2, 3]), (4, 3, [2, 3])])
def test_tokens_are_made_one_after_the_other(first, second, result):
    """Essential, Making wine, Note 3: the second token finds the slot of the first taken."""
    steps = ["make:red", f"grape:red:{first}", "make:red", f"grape:red:{second}"]
    assert make(winter([3, 4], tier="small"), *steps)["red"] == result


def test_two_blushes_take_two_slots():
    """Essential, Making wine: the player orders the tokens; each takes the highest slot then free."""
    own = {"red": [2, 4], "white": [2, 4]}
    high_first = ["make:blush", "grape:red:4", "grape:white:4", "make:blush", "grape:red:2", "grape:white:2"]
    low_first = [*high_first[3:], *high_first[:3]]
    for steps in (high_first, low_first):
        assert make(winter(**own, tier="medium"), *steps)["blush"] == [4, 6]
    crowded = {"blush": [6]}
    assert make(winter(**own, tier="medium", cellar=crowded), *high_first)["blush"] == [4, 5, 6]
    one_slot = {"blush": [5, 6]}
    assert make(winter(**own, tier="medium", cellar=one_slot), *high_first[:3])["blush"] == [4, 5, 6]


def test_wine_is_never_made_of_wine():
    """Essential, Making wine, Note 4: tokens in the cellar are not combined."""
    assert makeable(winter(cellar={"red": [5], "white": [5]})) == []


def test_wine_above_its_cellars_cannot_be_a_position():
    """Essential, Making wine, Note 2: a cellar is needed, unless a card says otherwise."""
    for kind, value, tier in (("red", 4, "small"), ("white", 7, "medium"), ("blush", 5, "small")):
        with pytest.raises(ValueError):
            winter(tier=tier, cellar={kind: [value]})


def test_two_wines_in_one_slot_cannot_be_a_position():
    """Essential, Making wine, Note 3: one token on a slot."""
    with pytest.raises(ValueError):
        winter(cellar={"red": [4, 4]})
