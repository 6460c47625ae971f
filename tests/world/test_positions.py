"""Positions of World in words: read back, made by hand, and refused where they contradict themselves."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import vitienv
from tests.invalid_positions import position_at, reading_errors
from tests.world.invariants import problems
from tests.world.test_games import TABLES, in_words
from vitienv.world.components import facts
from vitienv.world.enums import Metric
from vitienv.world.positions import from_dict
from vitienv.world.state import MOST_AT

ROOT = Path(vitienv.__file__).resolve().parent.parent

WORLD = {"game": "world"}
ALONE = WORLD | {"num_players": 1}
SUMMER, WINTER = {"season": "summer"}, {"season": "winter"}
SHUFFLED = {"continent": "africa", "options": {"events": "shuffled"}}
# Decisions at which every game is looked at: in the middle of a trade, of a tile, of a payment.
MIDDLE = ("trade_start", "trade_partner", "trade_give", "trade_take", "trade_answer", "give_card", "choose_tile",
          "place_oval", "take_hat", "team_payment", "partner_acts", "exchange_gain", "fall_benefit")  # fmt: skip


def position(*parts, **seat):
    """A position of World with a first seat of this kind."""
    whole = dict(WORLD)
    for part in parts:
        whole |= part
    return whole | ({"seats": [seat]} if seat else {})


def effect(a=0, b=0, p1=0, done=0):
    """A pending effect. done: steps of the year."""
    frames = [["year", -1, -1, 0, 0, 0, done, *[0] * 9], ["effects", 0, -1, 0, 1, 1, 0, a, b, 0, 0, 0, 0, p1, 0, 0]]
    return {"pending": {"frames": frames}}


def asked(word, seat=0, stage=0, a=0, b=0, c=0, picks=(0, 0, 0, 0)):
    """A pending question that is answered once."""
    return [word, seat, -1, stage, 1, 1, 0, a, b, c, 0, 0, *picks]


def taking(*above, seat=0):
    """A position in which the first of two seats takes a place, and what lies above that."""
    frames = [["year", -1, -1, *[0] * 13], asked("taking", seat, stage=8, a=3, b=2, c=-1), *above]
    seats = [{"wake_up": 1}, {"wake_up": 2, "hand": {"vine": ["pinot"]}}]
    return WORLD | SUMMER | {"seats": seats, "pending": {"frames": frames, "turn_seat": 0}}


OFFER = {"a": 3, "picks": (7, -1, 2, 1)}
TRADE = asked("trade", stage=3, b=1, **OFFER)


def partners(*places, **keys):
    """The simulated partner's workers, after its fourth card."""
    board = {place: [{"seat": "partner"}] for place in places}
    return {"partner": {"lira": 3, "gone": [4]}, "board": board, **keys}


def on_event(continent, number, worker):
    """A worker on the place of an event, in its year."""
    events = {"now": number, "gone": [*range(1, number)]}
    board = {"event": [{"seat": 0, "worker": worker}]}
    return {"continent": continent, "year": number, "events": events, "board": board}


def play(game):
    """Play to the end at random."""
    rng = np.random.default_rng(1)
    while not game.is_over:
        game.step(int(rng.choice(np.flatnonzero(game.mask))))


@pytest.mark.parametrize("name", TABLES)
def test_round_trips_and_copies_at_every_decision(name):
    """A game read from its position has the same state and continues alike."""
    options = TABLES[name]
    is_int = name == "2/europe"  # every decision; of the others some, and all in the middle of something
    met = set()
    for step, game in enumerate(in_words(2, years=3 if is_int else 2, **options)):
        met.add(game.decision)
        if not is_int and step % 4 and game.decision not in MIDDLE:
            continue
        content = json.loads(json.dumps(game.to_dict()))
        again = vitienv.Game.from_dict(content)
        assert again == game and np.array_equal(again.mask, game.mask), (step, game.decision)
        assert np.array_equal(again.observation(), game.observation())
        copy = game.copy()
        assert copy == game and copy.step(copy.legal_actions()[-1]) != game
        assert again.step(again.legal_actions()[-1]) == copy
    assert vitienv.Game.from_dict(game.to_dict()) == game
    required = {"trade_give", "trade_take", "trade_answer", "choose_tile", "place_oval", "take_hat"}
    assert not is_int or required <= met


def test_state_key_has_few_fields():
    """`state` only contains fields without a key of their own."""
    under_state = set()
    for game in in_words(2, num_players=3, continent="south_america", years=2):
        under_state |= set(game.to_dict().get("state", {}))
    assert under_state <= {"rule_steps", "rule_year", "rule_done", "goal_met", "goals_due", "boosted"}


def test_empty_position_is_the_first_spring():
    game = vitienv.Game.from_dict(WORLD)
    assert (game.year, game.phase, game.decision, game.current_seat) == (1, "spring", "wake_up", 0)
    assert game.influence == 4 and game.state.event == 0 and not (game.state.tile == 1).any()
    assert problems(game._batch.games.view(np.ndarray)) == []
    play(game)


@pytest.mark.parametrize(
    "position",
    [
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
    ],
    ids=lambda position: str({key: value for key, value in position.items() if key != "ruleset"})[:60],
)  # fmt: skip
def test_position_can_be_played(position):
    game = vitienv.Game.from_dict(position)
    assert problems(game._batch.games.view(np.ndarray)) == []
    assert vitienv.Game.from_dict(json.loads(json.dumps(game.to_dict()))) == game
    play(game)
    assert game.is_over


@pytest.mark.parametrize(
    "top",
    [
        SUMMER | {"board": {"play_summer_visitor": [{"seat": 1, "worker": "yellow"}]}},  # a Producer
        SUMMER | {"board": {"give_tour": [{"seat": 1, "worker": "yellow"}]}},
        WINTER,  # a Motivator, or a seat that has passed
    ],
)
def test_grande_in_the_crowd_with_a_free_space(top):
    """A Producer may have retrieved the workers of the action (W107)."""
    board = {"give_tour": [], **top.get("board", {})}
    board["give_tour"] = [*board["give_tour"], {"seat": 0, "worker": "grande", "space": "crowd"}]
    game = vitienv.Game.from_dict(WORLD | top | {"board": board})
    assert game == vitienv.Game.from_dict(game.to_dict())


ON_EVENT = {"board": {"event": [{"seat": 0, "worker": "yellow"}]}}


def test_worker_on_an_event_counts_as_a_use():
    """Nothing need be said of it; more uses than workers are a Producer's (W81)."""
    game = vitienv.Game.from_dict(position(SUMMER, ON_EVENT))
    assert game.state.deeds[0, Metric.EVENT_SPACE_USES] == 1
    assert not any(name.startswith("place:event") for name in game.legal_actions())
    assert vitienv.Game.from_dict(game.to_dict()) == game
    gone = vitienv.Game.from_dict(position(SUMMER, deeds={"event_space_uses": 1}))
    assert not any(name.startswith("place:event") for name in gone.legal_actions())
    alone = vitienv.Game.from_dict(ALONE | SUMMER | ON_EVENT)  # twice for a single seat
    assert any(name.startswith("place:event") for name in alone.legal_actions())


def test_custom_event_with_a_space():
    """Interpreted, in a process of its own: a table with other data is compiled apart, for most of a minute."""
    code = "from tests.world import test_positions; test_positions.read_an_owners_event()"
    settings = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def read_an_owners_event():
    """The data of the game are asked, not the project's."""
    asia = next(row for row in facts()["continents"]["continent"] if row["id"] == "asia")
    first = {"number": 1, "kind": "space", "season": "summer", "gain": [{"op": "lira", "n": 1}]}
    components = {"continents": {"continent": [{"id": "asia", "event": [first, *asia["event"][1:]]}]}}
    content = position(SUMMER, ON_EVENT, {"continent": "asia"})
    options = vitienv.Game.new(game="world", continent="asia", components=components).options
    content["options"] = {"components": components}
    game = from_dict({key: value for key, value in content.items() if key != "game"}, options.game_spec)
    assert game.games[0].deeds[0, Metric.EVENT_SPACE_USES] == 1


@pytest.mark.parametrize(
    ("options", "decisions"),
    [({"num_players": 1}, ("place_worker",)), ({"num_players": 2, "continent": "europe"}, MIDDLE)],
    ids=["turn", "pending"],
)
def test_wrong_values_raise_in_one_line(options, decisions):
    assert reading_errors(position_at(decisions, game="world", **options)) == []


def test_last_place_of_a_worker():
    """No number of the reader's own: a place beyond the field's is refused (`MOST_AT`)."""
    game = next(g for g in in_words(3, num_players=2, years=2) if g.decision == "choose_tile")
    position = game.to_dict()
    for place, is_there in ((MOST_AT, True), (MOST_AT + 1, False)):
        position["pending"]["turn_place"] = place
        if is_there:
            assert vitienv.Game.from_dict(position).state.turn_place == place
            continue
        with pytest.raises(ValueError, match=f"turn_place must be an integer from -1 to {MOST_AT}, got {place}"):
            vitienv.Game.from_dict(position)


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
        (taking(asked("hat")), "hat cannot be on taking among the pending decisions"),
        (taking(asked("effects", a=1), asked("effects", a=2)), "effects 2 cannot be on effects 1 among the pending"),
        (taking(asked("effects", a=1), asked("effects", a=1)), "effects is pending twice for seat 0"),
        (taking(asked("effects", a=1), asked("hat", seat=1)), "its seat is that of the frame below it"),
        (taking(asked("effects", a=1), asked("tile", stage=1, picks=(5, 0, 0, 0))), "the oval p0 is shown"),
        (taking(asked("trade", seat=1, a=3)), "it is of the seat and place of the taking below it"),
        (taking(asked("trade", a=4)), "it is of the seat and place of the taking below it"),
        (taking(asked("trade", stage=1, a=3, c=1)), "what is said at a later stage is still 0"),
        (taking(asked("oval_bonus", a=3, b=-1)), "b of the pending oval_bonus must be from 0 to 7, got -1"),
        (taking(asked("oval_bonus", a=3, b=8)), "b of the pending oval_bonus must be from 0 to 7, got 8"),
        (taking(asked("oval_bonus", a=3, b=4)), "the place and the oval of the taking below it"),
        (taking(TRADE, asked("answer", seat=0, **OFFER)), "below it lies the trade that it answers"),
        (taking(TRADE, asked("answer", seat=1, **OFFER | {"picks": (7, -1, 2, 2)})), "below it lies the trade that it"),
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
    ids=lambda x: x[:50] if isinstance(x, str) else "",
)  # fmt: skip
def test_contradictions_raise_in_one_line(position, message):
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        vitienv.Game.from_dict(position)
    assert "\n" not in str(error.value)
