"""Positions of World: start values, contradictions, and permitted exceptions."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import vitienv
from tests.invalid_positions import assert_refused, position_at
from vitienv.core.positions import check_state
from vitienv.world.components import facts
from vitienv.world.enums import Metric
from vitienv.world.state import MAX_AT

ROOT = Path(vitienv.__file__).resolve().parent.parent
WORLD = {"game": "world"}
ALONE = WORLD | {"num_players": 1}
SUMMER, WINTER = {"season": "summer"}, {"season": "winter"}
SHUFFLED = {"continent": "africa", "options": {"events": "shuffled"}}
ON_EVENT = {"board": {"event": [{"seat": 0, "worker": "yellow"}]}}
GRANDE = {"seat": 0, "worker": "grande", "space": "crowd"}


def position(*parts, **seat):
    merged = dict(WORLD)
    for part in parts:
        merged |= part
    return merged | ({"seats": [seat]} if seat else {})


def effect(a=0, b=0, p1=0, done=0):
    """Return a pending effect. done: steps of the year."""
    frames = [["year", -1, -1, 0, 0, 0, done, *[0] * 9], ["effects", 0, -1, 0, 1, 1, 0, a, b, 0, 0, 0, 0, p1, 0, 0]]
    return {"pending": {"frames": frames}}


def question(word, seat=0, stage=0, a=0, b=0, c=0, picks=(0, 0, 0, 0)):
    """Return a pending frame that is answered once."""
    return [word, seat, -1, stage, 1, 1, 0, a, b, c, 0, 0, *picks]


def taking(*above, seat=0):
    """Return a position in which the first of two seats takes a place, with these frames above."""
    frames = [["year", -1, -1, *[0] * 13], question("taking", seat, stage=8, a=3, b=2, c=-1), *above]
    seats = [{"wake_up": 1}, {"wake_up": 2, "hand": {"vine": ["pinot"]}}]
    return WORLD | SUMMER | {"seats": seats, "pending": {"frames": frames, "turn_seat": 0}}


OFFER = {"a": 3, "picks": (7, -1, 2, 1)}
TRADE = question("trade", stage=3, b=1, **OFFER)


def partners(*places, **parts):
    """Return the simulated partner's workers, after its fourth card."""
    board = {place: [{"seat": "partner"}] for place in places}
    return {"partner": {"lira": 3, "gone": [4]}, "board": board, **parts}


def on_event(continent, number, worker):
    """Return a worker on the place of an event, in its year."""
    events = {"now": number, "gone": [*range(1, number)]}
    board = {"event": [{"seat": 0, "worker": worker}]}
    return {"continent": continent, "year": number, "events": events, "board": board}


def play(game):
    rng = np.random.default_rng(1)
    while not game.is_over:
        game.step(int(rng.choice(np.flatnonzero(game.mask))))


def test_empty_position_is_the_first_spring():
    game = vitienv.Game.from_dict(WORLD)
    assert (game.year, game.phase, game.decision, game.current_seat) == (1, "spring", "wake_up", 0)
    assert game.influence == 4 and game.state.event == 0 and not (game.state.tile == 1).any()


@pytest.mark.parametrize(
    "position",
    [
        WORLD,
        position(SUMMER), position(WINTER, {"year": 4}), position(SHUFFLED, {"year": 3}), ALONE | SUMMER,
        position(SHUFFLED, {"year": 2, "events": {"now": 8, "gone": [2]}}),
        position(SUMMER, {"year": 2, "tiles": {"shown": ["B", "K", "lira", "left"], "placed": ["D"],
                                               "ovals": {"K": "vp"}}}),
        position(WINTER, {"board": {"harvest_field": [{"seat": 1, "worker": "blue"}], "gain_lira": [{"seat": 0}]}},
                 workers={"yellow": 1, "blue": 1, "regular": 1}),
        position(SUMMER, {"board": {"give_tour": [{"seat": 1, "worker": "grande"}],
                                    "event": [{"seat": 1, "worker": "yellow"}]}}),
        position({"continent": "europe", "year": 2} | WINTER, aims=[3, 7], aims_met=[3], deeds={"tours": 2},
                 victory_points=31),
        ALONE | SUMMER | {"partner": {"lira": 5, "gone": [4]}, "board": {"innovate": [{"seat": "partner"}]}},
        position(SUMMER, {"to_act": 1, "influence": 10}, mamas=["red_03"], papas=["blue_10"]),
        ALONE | {"continent": "asia", "options": {"partner": "none", "training_visitors": "hats"}},
        # A Producer retrieves workers in summer too, a Motivator and passing seats in winter (W107).
        *(position(season, {"board": {"give_tour": [GRANDE], **board}}) for season, board in (
            (SUMMER, {"play_summer_visitor": [{"seat": 1, "worker": "yellow"}]}),
            (SUMMER, {"give_tour": [{"seat": 1, "worker": "yellow"}, GRANDE]}), (WINTER, {}))),
    ],
    ids=lambda position: str({key: value for key, value in position.items() if key != "ruleset"})[:60],
)  # fmt: skip
def test_positions_by_hand_can_be_played(position):
    game = vitienv.Game.from_dict(position)
    assert vitienv.Game.from_dict(json.loads(json.dumps(game.to_dict()))) == game
    play(game)
    assert game.is_over


def test_worker_on_an_event_has_used_it():
    """By default the uses are the workers; a Producer makes them more (W81). A single seat has two uses."""
    game = vitienv.Game.from_dict(position(SUMMER, ON_EVENT))
    retrieved = vitienv.Game.from_dict(position(SUMMER, deeds={"event_space_uses": 1}))
    alone = vitienv.Game.from_dict(ALONE | SUMMER | ON_EVENT)
    assert game.state.deeds[0, Metric.EVENT_SPACE_USES] == 1
    assert vitienv.Game.from_dict(game.to_dict()) == game
    can_place = [any(name.startswith("place:event") for name in g.legal_actions()) for g in (game, retrieved, alone)]
    assert can_place == [False, False, True]


def test_event_space_of_custom_data():
    """Interpreted, in a subprocess: custom data are compiled for most of a minute."""
    code = "from tests.world import test_positions; test_positions.read_custom_event()"
    settings = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=settings, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def read_custom_event():
    asia = next(continent for continent in facts()["continents"]["continent"] if continent["id"] == "asia")
    first = {"number": 1, "kind": "space", "season": "summer", "gain": [{"op": "lira", "n": 1}]}
    components = {"continents": {"continent": [{"id": "asia", "event": [first, *asia["event"][1:]]}]}}
    options = {"options": {"components": components}}
    game = vitienv.Game.from_dict(position(SUMMER, ON_EVENT, {"continent": "asia"}, options))
    assert game.state.deeds[0, Metric.EVENT_SPACE_USES] == 1


@pytest.mark.parametrize("place", [MAX_AT, MAX_AT + 1])
def test_last_place_of_a_worker_is_that_of_the_board(place):
    turn = position_at(("choose_tile",), start=1, game="world", num_players=2)
    turn["pending"]["turn_place"] = place
    if place == MAX_AT:
        assert vitienv.Game.from_dict(turn).state.turn_place == place
    else:
        assert_refused(turn, f"turn_place must be an integer from -1 to {MAX_AT}, got {place}")


def test_worker_on_the_board_is_not_at_hand():
    board = {"give_tour": [{"seat": 0, "worker": "yellow"}], "build_structure": [{"seat": 0, "worker": "grande"}]}
    game = vitienv.Game.from_dict(position(SUMMER, {"board": board}))
    assert game.to_dict()["seats"][0]["workers"] == {"yellow": 1, "blue": 2, "regular": 0, "grande": 0, "temporary": 0}
    assert not any(name.endswith("grande") for name in game.legal_actions())


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "blue"}]}}),
         "a worker of seat 0 on give_tour must be there in the season of"),
        (position(WINTER, {"board": {"sell_wine": [{"seat": 0, "worker": "yellow"}]}}), "a worker of seat 0 on"),
        (position(SUMMER, {"board": {"gain_lira": [{"seat": 0, "worker": "blue"}]}}), "a worker of seat 0 on"),
        (position(SUMMER, {"board": {"sell_wine": [{"seat": 0, "worker": "grande"}]}}), "a worker of seat 0 on"),
        (position({"tiles": {"ovals": {"K": ["vp", "lira"]}}}), "unknown oval on K ['vp', 'lira']; expected one of:"),
        (position({"tiles": {"ovals": {"K": "vp", "A": "vp"}}}), "tiles must have each tile in one place, got"),
        (position({"tiles": {"shown": ["B"], "placed": ["B"]}}), "tiles must have each tile in one place, got"),
        (position({"tiles": {"shown": ["vp"], "ovals": {"C": "vp"}}}), "tiles must have each tile in one place, got"),
        (position({"tiles": {"placed": ["H"]}}), "tiles must have each tile in one place, got {'placed': ['H']}"),
        (position({"tiles": {"placed": ["vp"]}}), "unknown tile in placed 'vp'; expected one of: A, B, C, D, E, F"),
        (position({"tiles": {"shown": ["A", "B", "C"]}}), "rectangles on show must be at most 2 in year 1, got 3"),
        (position({"tiles": {"shown": ["Q"]}}), "unknown tile in shown 'Q'; expected one of: A, B, C, D, E, F, "),
        (position({"influence": 11}), "must be an integer from 4 to 10, got 11"),
        (position({"influence": 3}), "must be an integer from 4 to 10, got 3"),
        (position(workers={"yellow": 2, "blue": 2, "regular": 1}), "workers of seat 0 must be 4 regular ones with"),
        (position(workers={"yellow": 3}), "yellow of workers of seat 0 must be at most 2 with those on th"),
        (position(workers={"yellow": 1}), "workers of seat 0 must be 4 regular ones with those on the boa"),
        (position(workers={"grande": 0}), "grande of workers of seat 0 must be at hand or on the board, g"),
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "grande"}]}}, workers={"grande": 1}),
         "grande of workers of seat 0 must be at hand or on the board, g"),
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "yellow"}, {"seat": 1, "worker": "yellow"}]}}),
         "workers on the spaces of give_tour must be at most 1, got 2"),
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "yellow", "space": "oval"}]}}),
         "space of a worker of seat 0 on give_tour must be plain (crowd "),
        (position(SUMMER, {"tiles": {"ovals": {"C": "vp"}},
                           "board": {"give_tour": [{"seat": 0, "worker": "yellow", "space": "plain"}]}}),
         "space of a worker of seat 0 on give_tour must be oval (crowd f"),
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "yellow", "space": "crowd"}]}}),
         "space of a worker of seat 0 on give_tour must be plain (crowd "),
        (position({"board": {"give_tour": [{"seat": 0, "worker": "yellow"}]}}), "board must be empty in spring;"),
        (position(SUMMER, {"board": {"yoke": [{"seat": 0, "worker": "yellow"}]}}), "used of seat 0 must be among its"),
        (position(SUMMER, {"continent": "asia", "board": {"event": [{"seat": 0, "worker": "yellow"}]}}),
         "this year's event has no space"),
        (position(SUMMER, {"seats": [{"workers": {"temporary": 1}}, {"workers": {"temporary": 1}}]}),
         "temporary workers must be at most one in all"),
        (position({"year": 2, "events": {"now": 3, "gone": [1]}}), "events must come in order, got [1, 3]"),
        (position({"events": {"now": 1, "gone": [2]}}), "events must be 1 different cards, one each year so far, got"),
        (position(SHUFFLED, {"year": 2, "events": {"now": 1, "gone": [1]}}), "events must be 2 different cards, one"),
        (position({"events": {"now": 9}}), "an entry of events must be an integer from 1 to 6, got 9"),
        (position({"year": 7}), "year must be at most 6 in this game, got 7"),
        (position(SUMMER, effect(a=900)), "a of the pending effects must be below 65, got 900"),
        (position(SUMMER, effect(a=1, b=1, p1=3)), "p1 of the pending effects must be at most 0 for part 1, got 3"),
        (taking(seat=1), "it is the turn of another seat"),
        (taking(question("hat")), "hat cannot be on taking among the pending decisions"),
        (taking(question("event_offer", a=0)), "stage of the pending taking must be one of [5], got 8"),
        (taking(question("effects", a=1)), "stage of the pending taking must be one of [], got 8"),
        (taking(question("effects", a=1), question("effects", a=2)), "effects 2 cannot be on effects 1 among the"),
        (taking(question("effects", a=1), question("effects", a=1)), "effects is pending twice for seat 0"),
        (taking(question("effects", a=1), question("hat", seat=1)), "its seat is that of the frame below it"),
        (taking(question("effects", a=1), question("tile", stage=1, picks=(5, 0, 0, 0))), "the oval p0 is shown"),
        (taking(question("trade", seat=1, a=3)), "it is of the seat and place of the taking below it"),
        (taking(question("trade", a=4)), "it is of the seat and place of the taking below it"),
        (taking(question("trade", stage=1, a=3, c=1)), "what is said at a later stage is still 0"),
        (taking(question("oval_bonus", a=3, b=-1)), "b of the pending oval_bonus must be from 0 to 7, got -1"),
        (taking(question("oval_bonus", a=3, b=8)), "b of the pending oval_bonus must be from 0 to 7, got 8"),
        (taking(question("oval_bonus", a=3, b=4)), "the place and the oval of the taking below it"),
        (taking(TRADE, question("answer", seat=0, **OFFER)), "below it lies the trade that it answers"),
        (taking(TRADE, question("answer", seat=1, **OFFER | {"picks": (7, -1, 2, 2)})), "below it lies the trade that"),
        (position(SUMMER, effect(b=5)), "b of the pending effects must be from 0 to 4, got 5"),
        (position({"season": "fall"}, effect(done=3)), "done of the first pending frame must be at most 2 in fall,"),
        (position({"partner": {"lira": 3}}), "partner must be left out in this game, got {'lira': 3}"),
        (ALONE | {"partner": {"gone": [2, 2]}}, "gone must name each at most once, got [2, 2]"),
        (position(victory_points=31, reached_30=False), "reached_30 of seat 0 must be true with 31 points"),
        (position(aims=[1], aims_met=[2]), "unknown aims_met of seat 0 2; expected one of: 1"),
        (position({"seats": [{"aims": [1]}, {"aims": [1]}]}), "aims must be dealt once each, got [0, 0]"),
        (position({"seats": [{"mamas": ["red_01"]}, {"mamas": ["red_01"]}]}), "mamas must be dealt once each, got"),
        (position(deeds={"tours": 1}), "deeds must be empty in spring; it begins with summer"),
        (position(deeds={"naps": 1}), "unknown key 'naps' in deeds of seat 0; expected one of: tours, plants"),
        (position(trained_this_year=1), "unknown key 'trained_this_year' in seat 0; expected one of: lira, vic"),
        (position(hand={"summer": ["planner"]}), "cards must be at most the copies in the game, got more of summ"),
        (position({"continent": "atlantis"}), "unknown continent 'atlantis'"),
        (position({"automa_points": 3}), "unknown key 'automa_points' in the position"),
        (position({"data": "0123456789abcdef"}), "data must be '666b68321e8d8217', got '0123456789abcdef'"),
        (position(SUMMER, {"to_act": 0}, workers={"yellow": 0, "blue": 2, "regular": 2}, passed=True),
         "to_act must be one of [1], as others have passed or have no worker "),
        (position({"season": "fall"}), "season must be spring, summer or winter in a position without "),
        (position({"state": {"lira": [1] * 6}}), "unknown field 'lira'"),
        (position({"lost": True}), "lost must be false during the game; a lost game has sta"),
        (ALONE | {"year": 1, "season": "spring", "partner": {"gone": [1]}}, "gone of partner must be at most 0 cards"),
        (ALONE | SUMMER | {"partner": {"gone": [*range(1, 15)]}}, "gone of partner must be at most 1 cards in summer"),
        (ALONE | SUMMER | {"partner": {"lira": 10_001, "gone": [1]}}, "must be an integer from 0 to 10000, got 10001"),
        (ALONE | SUMMER | {"partner": {"lira": 3}}, "lira of partner must be 0 before its first card, got 3"),
        (ALONE | SUMMER | partners("sell_wine"), "workers of the partner must be where its cards [4] put them in"),
        (ALONE | partners("innovate", year=2), "workers of the partner must be where its cards [4] put them in"),
        (ALONE | SUMMER | partners("give_tour", "build_structure", "exchange", "innovate", "draw_vine"),
         "workers of the partner must be where its cards [4] put them in"),
        (ALONE | WINTER | partners("innovate", "sell_wine"), "workers of the partner must be where its cards [4] put"),
        (position(WINTER, {"to_act": 1, "board": {"draw_order": [{"seat": 0, "worker": "blue"}]}}, passed=True),
         "workers of seat 0 must be at hand, as it has passed in winter "),
        (position(SUMMER, {"turn_order": [1, 0]}, wake_up=1), "turn_order must be [0, 1], by the positions of the"),
        (position({"tiles": {"placed": ["B", "C", "D"]}}), "rectangles turned up must be at most 2 in year 1, got 3"),
        (position({"tiles": {"ovals": {"A": "vp", "B": "lira", "C": "left"}}}), "ovals turned up must be at most 2"),
        (position({"tiles": {"gone": ["B"]}}), "rectangles discarded must be at most 0 in year 1, got 1"),
        (position({"tiles": {"gone": ["lira"]}}), "ovals discarded must be at most 0 in year 1, got 1"),
        (position({"influence": 4}, reached_30=True), "influence must be an integer from 5 to 10, got 4"),
        (position({"influence": 4, "state": {"rule_steps": 1}}), "influence must be an integer from 5 to 10, got 4"),
        (position({"state": {"rule_steps": 7}}), "rule_steps must be at most 6 on this continent, got 7"),
        (position(SUMMER, wake_up=1, workers={"temporary": 1}), "the temporary worker must be that of the seat in"),
        (position(SUMMER, wake_up=7, workers={"temporary": 0}), "the temporary worker must be that of the seat in"),
        (position(WINTER, {"to_act": 1}, wake_up=7, passed=True, workers={"temporary": 1}),
         "the temporary worker must be that of the seat in position 7 of"),
        (position(SUMMER, on_event("asia", 4, "blue")), "a worker of seat 0 on event must be there in the season of"),
        (position(SUMMER, on_event("oceania", 6, "grande")), "a worker of seat 0 on event must be there in the"),
        (position(WINTER, on_event("oceania", 6, "yellow")), "a worker of seat 0 on event must be there in the"),
        (position(aims=[1]), "aims must be left out on a continent whose set-up deals none"),
        (position({"continent": "europe"}, aims=[1], aims_met=[1]), "aims are turned over at its end"),
        (position(mamas=["alaena"]), "mamas and papas must be those of World; the original ones are "),
        (position({"options": {"parents": "mixed"}}, papas=["rafael"]), "papas who give a worker must be left out in"),
        (position(mamas=["red_01", "red_02"]), "mamas of seat 0 must be a list of at most 1"),
        (position(SUMMER, deeds={"event_space_uses": 3}), "event_space_uses of seat 0 must be from 0 to 1, got 3"),
        (position(SUMMER, {"continent": "asia"}, deeds={"event_space_uses": 1}), "event_space_uses of seat 0 must be"),
        (position(SUMMER, workers={"yellow": 1, "regular": 1}), "workers of seat 0 without a hat must be 0 before"),
        (position(SUMMER, ON_EVENT, deeds={"event_space_uses": 0}),
         "event_space_uses of seat 0 must be from 1 to 1, got 0"),
        (position(SUMMER, {"board": {"event": [{"seat": 0, "worker": "yellow"}] * 2}}),
         "event_space_uses of seat 0 must be from 2 to 1, got 2"),
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "grande", "space": "crowd"}]}}),
         "a grande worker must be on a free space of give_tour while nob"),
    ],
    ids=lambda value: value[:50] if isinstance(value, str) else "",
)  # fmt: skip
def test_contradictions_raise(position, message):
    assert_refused(position, re.escape(message))


@pytest.mark.parametrize(
    ("changes", "bounds"),
    [({"influence": 3}, "4 to 10"), ({"influence": 11}, "4 to 10"), ({"rule_steps": 1}, "5 to 10")],
)
def test_influence_of_a_state_is_bounded(changes, bounds):
    game = vitienv.Game.new(seed=1, num_players=2, **WORLD)
    state = game.state.copy()
    for field, value in changes.items():
        state[field] = value
    with pytest.raises(ValueError, match=f"influence must be an integer from {bounds}, got"):
        check_state(state, game.options)
