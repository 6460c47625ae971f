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
from tests.mutated import faults, met
from tests.world.invariants import problems
from tests.world.test_games import TABLES, in_words
from vitienv.world.components import facts
from vitienv.world.names import Metric
from vitienv.world.positions.reader import read_world
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


def partners(*places, **more):
    """The simulated partner's workers, after its fourth card."""
    board = {place: [{"seat": "partner"}] for place in places}
    return {"partner": {"lira": 3, "gone": [4]}, "board": board, **more}


def on_event(continent, number, worker):
    """A worker on the place of an event, in its year."""
    events = {"now": number, "gone": [*range(1, number)]}
    board = {"event": [{"seat": 0, "worker": worker}]}
    return {"continent": continent, "year": number, "events": events, "board": board}


def play(game):
    """Play to the end at random."""
    chance = np.random.default_rng(1)
    while not game.is_over:
        game.step(int(chance.choice(np.flatnonzero(game.mask))))


@pytest.mark.parametrize("name", TABLES)
def test_positions_and_copies_at_every_decision(name):
    """Read from words, a game is the same to the last number, and goes on as the other does."""
    options = TABLES[name]
    is_whole = name == "2/europe"  # every decision; of the others some, and all in the middle of something
    met = set()
    for step, game in enumerate(in_words(2, years=3 if is_whole else 2, **options)):
        met.add(game.decision)
        if not is_whole and step % 4 and game.decision not in MIDDLE:
            continue
        told = json.loads(json.dumps(game.to_dict()))
        again = vitienv.Game.from_dict(told)
        assert again == game and np.array_equal(again.mask, game.mask), (step, game.decision)
        assert np.array_equal(again.observation(), game.observation())
        copy = game.copy()
        assert copy == game and copy.step(copy.legal_actions()[-1]) != game
        assert again.step(again.legal_actions()[-1]) == copy
    assert vitienv.Game.from_dict(game.to_dict()) == game
    wanted = {"trade_give", "trade_take", "trade_answer", "choose_tile", "place_oval", "take_hat"}
    assert not is_whole or wanted <= met


def test_every_number_has_words():
    """What a position says under `state` are the few fields that have no words."""
    under_state = set()
    for game in in_words(2, num_players=3, continent="south_america", years=2):
        under_state |= set(game.to_dict().get("state", {}))
    assert under_state <= {"rule_steps", "rule_year", "rule_done", "goal_met", "goals_due", "boosted"}


def test_without_anything_it_is_the_first_spring():
    game = vitienv.Game.from_dict(WORLD)
    assert (game.year, game.phase, game.decision, game.seat) == (1, "spring", "wake_up", 0)
    assert game.influence == 4 and game.record.event == 0 and not (game.record.tile == 1).any()
    assert problems(game._batch.games.view(np.ndarray)) == []
    play(game)


@pytest.mark.parametrize(
    "given",
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
    ids=lambda given: str({key: value for key, value in given.items() if key != "ruleset"})[:60],
)  # fmt: skip
def test_positions_by_hand_are_games(given):
    game = vitienv.Game.from_dict(given)
    assert problems(game._batch.games.view(np.ndarray)) == []
    assert vitienv.Game.from_dict(json.loads(json.dumps(game.to_dict()))) == game
    play(game)
    assert game.is_over


@pytest.mark.parametrize(
    "more",
    [
        SUMMER | {"board": {"play_summer_visitor": [{"seat": 1, "worker": "yellow"}]}},  # a Producer
        SUMMER | {"board": {"give_tour": [{"seat": 1, "worker": "yellow"}]}},
        WINTER,  # a Motivator, or a seat that has passed
    ],
)
def test_a_grande_beside_spaces_of_which_one_is_free(more):
    """A Producer takes workers back in summer too (W107); after it the grande stands beside an empty action."""
    board = {"give_tour": [], **more.get("board", {})}
    board["give_tour"] = [*board["give_tour"], {"seat": 0, "worker": "grande", "space": "crowd"}]
    game = vitienv.Game.from_dict(WORLD | more | {"board": board})
    assert game == vitienv.Game.from_dict(game.to_dict())


ON_EVENT = {"board": {"event": [{"seat": 0, "worker": "yellow"}]}}


def test_a_worker_on_an_events_place_has_used_it():
    """Nothing need be said of it; more uses than workers are a Producer's (W81)."""
    game = vitienv.Game.from_dict(position(SUMMER, ON_EVENT))
    assert game.record.deeds[0, Metric.EVENT_SPACE_USES] == 1
    assert not any(name.startswith("place:event") for name in game.legal_actions())
    assert vitienv.Game.from_dict(game.to_dict()) == game
    gone = vitienv.Game.from_dict(position(SUMMER, deeds={"event_space_uses": 1}))
    assert not any(name.startswith("place:event") for name in gone.legal_actions())
    alone = vitienv.Game.from_dict(ALONE | SUMMER | ON_EVENT)  # who may use it twice
    assert any(name.startswith("place:event") for name in alone.legal_actions())


def test_an_owners_event_may_be_a_place():
    """Interpreted, in a process of its own: a table with other data is compiled apart, for most of a minute."""
    code = "from tests.world import test_positions; test_positions.read_an_owners_event()"
    settings = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def read_an_owners_event():
    """The data of the game are asked, not the project's."""
    asia = next(own for own in facts()["continents"]["continent"] if own["id"] == "asia")
    first = {"number": 1, "kind": "space", "season": "summer", "gain": [{"op": "lira", "n": 1}]}
    own = {"continents": {"continent": [{"id": "asia", "event": [first, *asia["event"][1:]]}]}}
    told = position(SUMMER, ON_EVENT, {"continent": "asia"})
    options = vitienv.Game.new(game="world", continent="asia", components=own).options
    game = read_world(told | {"options": {"components": own}}, options.definition)
    assert game.games[0].deeds[0, Metric.EVENT_SPACE_USES] == 1


@pytest.mark.parametrize(
    ("options", "decisions"),
    [({"num_players": 1}, ("place_worker",)), ({"num_players": 2, "continent": "europe"}, MIDDLE)],
    ids=["turn", "pending"],
)
def test_a_wrong_value_is_told_in_one_line(options, decisions):
    assert faults(met(decisions, game="world", **options)) == []


def test_the_last_place_of_a_worker_is_that_of_the_board():
    """No number of the reader's own: a place beyond the field's is refused (`MOST_AT`)."""
    game = next(g for g in in_words(3, num_players=2, years=2) if g.decision == "choose_tile")
    position = game.to_dict()
    for place, is_there in ((MOST_AT, True), (MOST_AT + 1, False)):
        position["pending"]["turn_place"] = place
        if is_there:
            assert vitienv.Game.from_dict(position).record.turn_place == place
            continue
        with pytest.raises(ValueError, match=f"turn_place is {place}; it must be a whole number from -1 to {MOST_AT}"):
            vitienv.Game.from_dict(position)


def test_a_worker_on_the_board_is_no_more_at_hand():
    board = {"give_tour": [{"seat": 0, "worker": "yellow"}], "build_structure": [{"seat": 0, "worker": "grande"}]}
    game = vitienv.Game.from_dict(position(SUMMER, {"board": board}))
    assert game.to_dict()["seats"][0]["workers"] == {"yellow": 1, "blue": 2, "regular": 0, "grande": 0, "temporary": 0}
    assert not any(name.endswith("grande") for name in game.legal_actions())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "blue"}]}}),
         "a blue worker stands on give_tour; blue is the other season's hat"),
        (position(WINTER, {"board": {"sell_wine": [{"seat": 0, "worker": "yellow"}]}}), "yellow is the other season's"),
        (position(SUMMER, {"board": {"gain_lira": [{"seat": 0, "worker": "blue"}]}}), "its hat is of winter"),
        (position(SUMMER, {"board": {"sell_wine": [{"seat": 0, "worker": "grande"}]}}), "that is an action of winter"),
        (position({"tiles": {"ovals": {"K": ["vp", "lira"]}}}), "one oval lies on an action"),
        (position({"tiles": {"ovals": {"K": "vp", "A": "vp"}}}), "the tile vp is in two places: on K, and on A"),
        (position({"tiles": {"shown": ["B"], "placed": ["B"]}}), "the tile B is in two places: shown, and placed"),
        (position({"tiles": {"shown": ["vp"], "ovals": {"C": "vp"}}}), "the tile vp is in two places"),
        (position({"tiles": {"placed": ["H"]}}), "H is in two places: out of a game without the simulated partner"),
        (position({"tiles": {"placed": ["vp"]}}), "the oval vp is placed and lies on no action"),
        (position({"tiles": {"shown": ["A", "B", "C"]}}), "3 rectangles are on show; 2 at most"),
        (position({"tiles": {"shown": ["Q"]}}), "unknown tile in shown: 'Q'"),
        (position({"influence": 11}), "is 11; it must be a whole number from 4 to 10"),
        (position({"influence": 3}), "is 3; it must be a whole number from 4 to 10"),
        (position(workers={"yellow": 2, "blue": 2, "regular": 1}), "seat 0 has 5 regular workers"),
        (position(workers={"yellow": 3}), "seat 0 has 3 yellow workers; there are 2"),
        (position(workers={"yellow": 1}), "seat 0 has 3 regular workers, hatted ones and those on the board among"),
        (position(workers={"grande": 0}), "seat 0 has no grande worker"),
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "grande"}]}}, workers={"grande": 1}),
         "its grande worker at hand and on the board"),
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "yellow"}, {"seat": 1, "worker": "yellow"}]}}),
         "2 workers stand on the spaces of give_tour; in use are 1"),
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "yellow", "space": "oval"}]}}),
         "stands 'oval'; no oval lies there"),
        (position(SUMMER, {"tiles": {"ovals": {"C": "vp"}},
                           "board": {"give_tour": [{"seat": 0, "worker": "yellow", "space": "plain"}]}}),
         "stands 'plain'; an oval lies there"),
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "yellow", "space": "crowd"}]}}),
         "only a grande worker can stand beside"),
        (position({"board": {"give_tour": [{"seat": 0, "worker": "yellow"}]}}), "workers on the board in spring"),
        (position(SUMMER, {"board": {"yoke": [{"seat": 0, "worker": "yellow"}]}}), "two workers on its yoke, or no"),
        (position(SUMMER, {"continent": "asia", "board": {"event": [{"seat": 0, "worker": "yellow"}]}}),
         "this year's event has no space"),
        (position(SUMMER, {"seats": [{"workers": {"temporary": 1}}, {"workers": {"temporary": 1}}]}),
         "there is only one temporary worker"),
        (position({"year": 2, "events": {"now": 3, "gone": [1]}}), "events come in order: now 3"),
        (position({"events": {"now": 1, "gone": [2]}}), "2 events are turned up in year 1"),
        (position(SHUFFLED, {"year": 2, "events": {"now": 1, "gone": [1]}}), "an event is turned up twice"),
        (position({"events": {"now": 9}}), "an event is 9; it must be a whole number from 1 to 6"),
        (position({"year": 7}), "year is 7; the game ends with year 6"),
        (position(SUMMER, effect(a=900)), "effects is pending with a 900; there are "),
        (position(SUMMER, effect(a=1, b=1, p1=3)), "with p1 3; part 1 of it is done 0 times at most"),
        (taking(seat=1), "it is the turn of another seat"),
        (taking(asked("hat")), "hat cannot lie on taking among the pending frames"),
        (taking(asked("effects", a=1), asked("effects", a=2)), "effects 2 of seat 0 cannot lie on effects 1 of seat 0"),
        (taking(asked("effects", a=1), asked("effects", a=1)), "effects is pending twice for seat 0"),
        (taking(asked("effects", a=1), asked("hat", seat=1)), "its seat is that of the frame below it"),
        (taking(asked("effects", a=1), asked("tile", stage=1, picks=(5, 0, 0, 0))), "the oval p0 is shown"),
        (taking(asked("trade", seat=1, a=3)), "it is of the seat and place of the taking below it"),
        (taking(asked("trade", a=4)), "it is of the seat and place of the taking below it"),
        (taking(asked("trade", stage=1, a=3, c=1)), "what is said at a later stage is still 0"),
        (taking(asked("oval_bonus", a=3, b=-1)), "oval_bonus is pending with b -1; that is a number from 0 to 7"),
        (taking(asked("oval_bonus", a=3, b=8)), "oval_bonus is pending with b 8; that is a number from 0 to 7"),
        (taking(asked("oval_bonus", a=3, b=4)), "the place and the oval of the taking below it"),
        (taking(TRADE, asked("answer", seat=0, **OFFER)), "below it lies the trade that it answers"),
        (taking(TRADE, asked("answer", seat=1, **OFFER | {"picks": (7, -1, 2, 2)})), "below it lies the trade that it"),
        (position(SUMMER, effect(b=5)), "effects is pending with b 5; that is a number from 0 to 4"),
        (position({"season": "fall"}, effect(done=3)), "year is pending with done 3; in this season that is 2 at most"),
        (position({"partner": {"lira": 3}}), "partner is given in a game without the simulated partner"),
        (ALONE | {"partner": {"gone": [2, 2]}}, "a card of the partner is turned up twice"),
        (position(victory_points=31, reached_30=False), "reached_30 of seat 0 is false and it has 31 points"),
        (position(aims=[1], aims_met=[2]), "aims_met of seat 0 names 2"),
        (position({"seats": [{"aims": [1]}, {"aims": [1]}]}), "1 of the aims is dealt twice"),
        (position({"seats": [{"mamas": ["red_01"]}, {"mamas": ["red_01"]}]}), "red_01 of the mamas is dealt twice"),
        (position(deeds={"tours": 1}), "seat 0 has deeds in spring; that begins with summer"),
        (position(deeds={"naps": 1}), "unknown deed of seat 0: 'naps'"),
        (position(trained_this_year=1), "trained_this_year, which there is not in this ruleset"),
        (position(hand={"summer": ["planner"]}), "more copies than there are: summer:planner"),
        (position({"continent": "atlantis"}), "unknown continent 'atlantis'"),
        (position({"automa_points": 3}), "unknown key 'automa_points' in the position"),
        (position({"data": "0123456789abcdef"}), "this position is of other data"),
        (position(SUMMER, {"to_act": 0}, workers={"yellow": 0, "blue": 2, "regular": 2}, passed=True),
         "to_act is 0; it must be a seat that has not passed"),
        (position({"season": "fall"}), "a position in fall needs its pending decisions"),
        (position({"state": {"lira": [1] * 6}}), "unknown field 'lira'"),
        (position({"lost": True}), "lost is true while the game goes on"),
        (ALONE | {"year": 1, "season": "spring", "partner": {"gone": [1]}}, "1 cards in spring of year 1; there are 0"),
        (ALONE | SUMMER | {"partner": {"gone": [*range(1, 15)]}}, "14 cards in summer of year 1; there are 1 by then"),
        (ALONE | SUMMER | {"partner": {"lira": 10_001, "gone": [1]}}, "lira of the partner is 10001"),
        (ALONE | SUMMER | {"partner": {"lira": 3}}, "3 lira and no card; its purse starts empty"),
        (ALONE | SUMMER | partners("sell_wine"), "where none of its cards [4] puts them in summer"),
        (ALONE | partners("innovate", year=2), "where none of its cards [4] puts them in spring"),
        (ALONE | SUMMER | partners("give_tour", "build_structure", "exchange", "innovate", "draw_vine"),
         "where none of its cards [4] puts them in summer"),
        (ALONE | WINTER | partners("innovate", "sell_wine"), "where none of its cards [4] puts them in winter"),
        (position(WINTER, {"to_act": 1, "board": {"draw_order": [{"seat": 0, "worker": "blue"}]}}, passed=True),
         "seat 0 has passed in winter and has a worker on the board"),
        (position(SUMMER, {"turn_order": [1, 0]}, wake_up=1), "turn_order is [1, 0]; by the positions of the ring"),
        (position({"tiles": {"placed": ["B", "C", "D"]}}), "3 rectangles are turned up in year 1; by then there are 2"),
        (position({"tiles": {"ovals": {"A": "vp", "B": "lira", "C": "left"}}}), "3 ovals are turned up in year 1"),
        (position({"tiles": {"gone": ["B"]}}), "1 rectangles are discarded in year 1; by then there are 0"),
        (position({"tiles": {"gone": ["lira"]}}), "1 ovals are discarded in year 1; by then there are 0"),
        (position({"influence": 4}, reached_30=True), "rule_steps is 4; it must be a whole number from 5"),
        (position({"influence": 4, "state": {"rule_steps": 1}}), "rule_steps is 4; it must be a whole number from 5"),
        (position({"state": {"rule_steps": 7}}), "rule_steps is 7; the rule of the continent gives 6"),
        (position(SUMMER, wake_up=1, workers={"temporary": 1}), "the temporary worker in summer with position 1 of"),
        (position(SUMMER, wake_up=7, workers={"temporary": 0}), "seat 0 is without the temporary worker in summer"),
        (position(WINTER, {"to_act": 1}, wake_up=7, passed=True, workers={"temporary": 1}),
         "seat 0 has the temporary worker in winter with position 7"),
        (position(SUMMER, on_event("asia", 4, "blue")), "a blue worker stands on event; blue is the other season's"),
        (position(SUMMER, on_event("oceania", 6, "grande")), "event in summer; that is an action of winter"),
        (position(WINTER, on_event("oceania", 6, "yellow")), "yellow is the other season's hat"),
        (position(aims=[1]), "a seat has aims on a continent whose set-up deals none"),
        (position({"continent": "europe"}, aims=[1], aims_met=[1]), "aims are turned over at its end"),
        (position(mamas=["alaena"]), "alaena of the mamas is dealt; the original ones are"),
        (position({"options": {"parents": "mixed"}}, papas=["rafael"]), "rafael of the papas is dealt; who gives"),
        (position(mamas=["red_01", "red_02"]), "mamas of seat 0 must be a list of at most 1"),
        (position(SUMMER, deeds={"event_space_uses": 3}), "event_space_uses of seat 0 is 3; a seat may place 1 there"),
        (position(SUMMER, {"continent": "asia"}, deeds={"event_space_uses": 1}), "a seat may place 0 there"),
        (position(SUMMER, workers={"yellow": 1, "regular": 1}), "seat 0 has 1 workers without a hat before the first"),
        (position(SUMMER, ON_EVENT, deeds={"event_space_uses": 0}),
         "event_space_uses of seat 0 is 0; 1 of its workers stand on event"),
        (position(SUMMER, {"board": {"event": [{"seat": 0, "worker": "yellow"}] * 2}}),
         "2 workers of seat 0 stand on event; a seat may place 1 there in a year"),
        (position(SUMMER, {"board": {"give_tour": [{"seat": 0, "worker": "grande", "space": "crowd"}]}}),
         "beside the spaces of give_tour, not all taken, in summer, and nobody has played a Producer"),
    ],
    ids=lambda x: x[:50] if isinstance(x, str) else "",
)  # fmt: skip
def test_contradictions_are_told_in_one_line(given, said):
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        vitienv.Game.from_dict(given)
    assert "\n" not in str(error.value)
