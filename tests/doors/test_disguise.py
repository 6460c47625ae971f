"""Neutral names for cards and places: no other is told, and answers in them mean what they say."""

import json
import re

import pytest

import vitienv
from tests.people.test_told import TABLES, positions
from vitienv.agents import chat, make_agent
from vitienv.agents.disguise import Speech, neutral
from vitienv.viticulture.cards import CARD_IDS

HIDDEN, OPEN = Speech(True), Speech(False)
GAMES = {name: options for name, options in TABLES.items() if name not in ("toscana", "trades", "toy")}
CARDS = [name for name in CARD_IDS if not name.startswith("order_")]
PLACES = ["draw_vine", "give_tour", "build_structure", "harvest_field", "make_wine", "fill_order", "gain_lira", "cart"]
REAL = re.compile(rf"(?<![a-z])({'|'.join(name.replace('_', '[_ ]') for name in CARDS + PLACES)})(?![a-z])", re.I)


@pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
def test_no_name_is_told_and_each_answer_means_what_it_says(options):
    named = 0
    for step, game in enumerate(positions(options, 24)):
        shown = HIDDEN.choices(game)
        told = f"{json.dumps(HIDDEN.told(game))} {HIDDEN.words(game)} {json.dumps(shown)}"
        assert (found := REAL.search(told)) is None, found
        named += REAL.search(f"{json.dumps(game.told())} {game.words()}") is not None
        for one in shown:
            for way in (str(one["number"]), one["name"], f"I see.\n<action>{one['sentence']}</action>"):
                assert HIDDEN.parse(game, way) == one["number"], way
        if step % 8 == 0:
            other = game.determinize(game.seat, step)
            assert HIDDEN.words(game) == HIDDEN.words(other) and HIDDEN.told(game) == HIDDEN.told(other)
            assert REAL.search(chat._messages(game, HIDDEN)[0]["content"]) is None  # the rules
    assert named > 12  # they are there without it


def test_real_names_are_no_answers_and_errors_tell_none():
    for game in positions({"num_players": 2}, 60):
        for one in game.choices():
            if REAL.search(one["name"]):
                assert OPEN.parse(game, one["name"]) == one["number"]
                with pytest.raises(vitienv.IllegalAction) as error:
                    HIDDEN.parse(game, one["name"])
                assert REAL.search(str(error.value).replace(repr(one["name"]), "")) is None


def test_names_are_of_one_table_and_differ():
    names = neutral(vitienv.definition())
    assert set(CARDS) | set(PLACES) <= names.keys() and names["cart"] == names["gain_lira"]
    assert len(set(names.values())) == len(names) - 1


def test_a_game_without_names_is_refused():
    with pytest.raises(ValueError, match="disguise: Toscana has no names of cards or places"):
        make_agent("pipe:x,disguise=yes", game="toscana")
    for spec in ("pipe:x,disguise=yes", "llm:model=m,url=http://x,disguise=yes"):
        assert make_agent(spec).speech == HIDDEN
