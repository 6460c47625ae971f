"""The forty visitors, compared with the same cards of the Essential Edition."""

import random

import pytest

from tests.table.fixtures import CELLARS, place, play, run_to_year_end, seat, workers

from .positions import NOBODY, PRESETS, SUMMER_VISITORS, VISITORS, WINTER_VISITORS, lira, start

SUMMER = place("play_summer_visitor")
WINTER = place("play_winter_visitor")
CARDS = [("summer", card) for card in SUMMER_VISITORS] + [("winter", card) for card in WINTER_VISITORS]
COMPARED = "lira victory_points residual workers structures used crush_pad cellar hand".split()


def without(cards, *excluded):
    return [card for card in cards if card not in excluded]


def rich(deck, card):
    """Return a position in which nearly every branch of the card is legal and its draws are fixed."""
    others = {name: without(cards, card) for name, cards in VISITORS.items()}
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
            "summer": others["summer"][:2],
            "winter": others["winter"][:2],
        },
    }
    actor["hand"][deck] = [card, *actor["hand"][deck]]
    other = {
        "lira": 4,
        "structures": ["irrigation", "medium_cellar"],
        "workers": workers(5, 1),
        "crush_pad": {"red": [1], "white": [4]},
        "hand": {"vine": ["pinot"], "order": [], "summer": others["summer"][2:3], "winter": others["winter"][2:3]},
    }
    draws = {
        "vine": ["chardonnay", "merlot", "syrah"],
        "order": ["order_10", "order_11"],
        "summer": others["summer"][3:9],
        "winter": others["winter"][3:9],
    }
    discards = {"vine": ["merlot"], "order": ["order_20"], deck: [others[deck][10]]}
    return {"seats": [actor, other], "next_draws": draws, "discards": discards}


def assert_same_state(first, second):
    """Compare everything that a visitor can change in two games."""
    for number in range(first.num_players):
        a, b = seat(first, number), seat(second, number)
        for key in COMPARED:
            assert a[key] == b[key], key
        assert a.get("trained_this_year", 0) == b.get("trained_this_year", 0)
        for field, other in zip(a["fields"], b["fields"], strict=True):
            assert (field["vines"], field["harvested"]) == (other["vines"], other["harvested"])
    a, b = first.to_dict(), second.to_dict()
    assert (a["discards"], a["board"]) == (b["discards"], b["board"])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("deck, card", CARDS, ids=[card for _, card in CARDS])
def test_cards_are_the_same_in_both_rulesets(deck, card, preset):
    """Original, rows 64 to 68: same decisions, actions and results, with equal fields and prices."""
    top = rich(deck, card)
    seats = top.pop("seats")
    essential = start(2, deck, *seats, ruleset="essential", **top)
    original = start(2, deck, *seats, preset=preset, field_capacities=(5, 6, 7), **top)
    begin = [SUMMER if deck == "summer" else WINTER, f"card:{deck}:{card}"]
    for walk in range(6):
        choice = random.Random(f"{card}{walk}")
        games = [play(game.copy(), *begin) for game in (essential, original)]
        while games[0].decision != "place_worker":
            decisions = [(game.decision, game.current_seat, game.legal_actions()) for game in games]
            assert decisions[0] == decisions[1]
            name = choice.choice(decisions[0][2])
            for game in games:
                game.step(name)
        assert games[1].decision == "place_worker"
        assert_same_state(*games)
        assert games[1].to_dict()["discards"][deck][-1] == card


@pytest.mark.parametrize("preset", PRESETS)
def test_professor_trains_for_two_for_next_year(preset):
    """Original, row 67: the manual describes another, later card."""
    mat = {"lira": 2, "hand": {"winter": ["professor"]}}
    game = play(start(2, "winter", mat, NOBODY, preset=preset), WINTER, "card:winter:professor")
    assert game.legal_actions() == ["option:1"]
    play(game, "option:1")
    assert (lira(game), seat(game)["trained_this_year"], seat(game)["workers"]) == (0, 1, workers(1, 1))
    assert seat(run_to_year_end(game))["workers"] == workers(3, 1)
