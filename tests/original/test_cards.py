"""The forty visitors: each does what the card of that name does in the Essential Edition."""

import random

import pytest

from tests.table.fixtures import CELLARS, place, play, run_to_year_end, seat, workers

from .positions import NOBODY, PRESETS, SUMMER_VISITORS, VISITORS, WINTER_VISITORS, lira, start

SUMMER = place("play_summer_visitor")
WINTER = place("play_winter_visitor")
CARDS = [("summer", card) for card in SUMMER_VISITORS] + [("winter", card) for card in WINTER_VISITORS]
COMPARED = "lira victory_points residual workers structures used crush_pad cellar hand".split()


def without(cards, *taken):
    """The cards but for those taken."""
    return [card for card in cards if card not in taken]


def rich(deck, card):
    """A position in which nearly every branch of the card is possible, and whose draws are known."""
    kept = {name: without(cards, card) for name, cards in VISITORS.items()}
    actor = {
        "lira": 9,
        "victory_points": 3,
        "workers": workers(2, 1),
        "structures": ["trellis", "irrigation", *CELLARS],
        "vines": [["sangiovese", "pinot"], ["malvasia"], ["syrah"]],
        "crush_pad": {"red": [2, 5], "white": [3, 6]},
        "cellar": {"red": [4], "white": [7], "blush": [5], "sparkling": [8]},
        "hand": {
            "vine": ["merlot", "trebbiano"],
            "order": ["order_04", "order_06"],
            "summer": kept["summer"][:2],
            "winter": kept["winter"][:2],
        },
    }
    actor["hand"][deck] = [card, *actor["hand"][deck]]
    other = {
        "lira": 4,
        "structures": ["irrigation", "medium_cellar"],
        "workers": workers(5, 1),
        "crush_pad": {"red": [1], "white": [4]},
        "hand": {"vine": ["pinot"], "order": [], "summer": kept["summer"][2:3], "winter": kept["winter"][2:3]},
    }
    draws = {
        "vine": ["chardonnay", "merlot", "syrah"],
        "order": ["order_10", "order_11"],
        "summer": kept["summer"][3:9],
        "winter": kept["winter"][3:9],
    }
    discards = {"vine": ["merlot"], "order": ["order_20"], deck: [kept[deck][10]]}
    return {"seats": [actor, other], "next_draws": draws, "discards": discards}


def same_state(first, second):
    """What two games have in common as far as a visitor can touch it."""
    for number in range(first.num_players):
        one, two = seat(first, number), seat(second, number)
        for key in COMPARED:
            assert one[key] == two[key], key
        assert one.get("trained_this_year", 0) == two.get("trained_this_year", 0)
        for left, right in zip(one["fields"], two["fields"], strict=True):
            assert (left["vines"], left["harvested"]) == (right["vines"], right["harvested"])
    one, two = first.to_dict(), second.to_dict()
    assert (one["discards"], one["board"]) == (two["discards"], two["board"])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("deck, card", CARDS, ids=[card for _, card in CARDS])
def test_a_card_does_the_same_in_both_rulesets(deck, card, preset):
    """Original, rows 64 to 68: same question, same choices, same result, with fields and prices alike."""
    given = rich(deck, card)
    seats, top = given.pop("seats"), given
    essential = start(2, deck, *seats, ruleset="essential", **top)
    original = start(2, deck, *seats, preset=preset, field_capacities=(5, 6, 7), **top)
    begin = [SUMMER if deck == "summer" else WINTER, f"card:{deck}:{card}"]
    for walk in range(6):
        choice = random.Random(f"{card}{walk}")
        games = [play(game.copy(), *begin) for game in (essential, original)]
        while games[0].decision != "place_worker":
            asked = [(game.decision, game.current_seat, game.legal_actions()) for game in games]
            assert asked[0] == asked[1]
            name = choice.choice(asked[0][2])
            for game in games:
                game.step(name)
        assert games[1].decision == "place_worker"
        same_state(*games)
        assert games[1].to_dict()["discards"][deck][-1] == card


@pytest.mark.parametrize("preset", PRESETS)
def test_professor_trains_for_two_and_for_next_year(preset):
    """Original, row 67: what the manual says of this card is another, later card's."""
    own = {"lira": 2, "hand": {"winter": ["professor"]}}
    game = play(start(2, "winter", own, NOBODY, preset=preset), WINTER, "card:winter:professor")
    assert game.legal_actions() == ["option:1"]
    play(game, "option:1")
    assert (lira(game), seat(game)["trained_this_year"], seat(game)["workers"]) == (0, 1, workers(1, 1))
    assert seat(run_to_year_end(game))["workers"] == workers(3, 1)
