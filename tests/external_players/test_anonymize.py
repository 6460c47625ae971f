"""Neutral names for cards, parents, places and games: no other is told, and answers in them mean what they say."""

import itertools
import json
import re

import pytest

import vitienv
from tests.text.test_text_interface import TABLES, positions
from vitienv.agents import make_agent
from vitienv.agents.anonymize import Speech, neutral
from vitienv.agents.llm import llm_agent
from vitienv.viticulture.cards import CARD_IDS, MAMAS, PAPAS
from vitienv.world import components
from vitienv.world.enums import CONTINENTS
from vitienv.world.enums import PLACES as WORLD_PLACES
from vitienv.world.render.component_names import Components

HIDDEN, OPEN = Speech(True), Speech(False)
GAMES = {name: options for name, options in TABLES.items() if name != "toy"}
CARDS = [name for name in CARD_IDS if not name.startswith("order_")]
PARENTS = [row.id for row in (*MAMAS, *PAPAS)]
PLACES = ["draw_vine", "give_tour", "build_structure", "harvest_field", "make_wine", "fill_order", "gain_lira", "cart"]
TITLES = ["viticulture", "viticulture_world", "toscana", "tuscany", "essential", "automa", "burattino"]
COMPONENTS = [one.title for name in CONTINENTS for one in Components().events(name)] + [
    aim.title for aim in Components().aims
]
OTHERS = {"world": ["world", *WORLD_PLACES, *CONTINENTS, *COMPONENTS], "toscana": ["lobbyist", "mr_rose"]}


def real(names):
    """What finds names, however a text writes them."""
    ways = (re.escape(re.sub("[_ ]", "_", name)).replace("_", r"[_\s-]+") for name in names)
    return re.compile(rf"(?<![a-z])({'|'.join(ways)})(?![a-z])", re.I)


REAL = real(CARDS + PLACES)


@pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
def test_no_name_is_told_and_each_answer_means_what_it_says(options):
    named = 0
    own = vitienv.Game.new(**options).game_spec.name
    cards = [] if own == "toscana" else CARDS + PARENTS + PLACES
    names = real([*cards, *TITLES, *OTHERS.get(own, [])])
    for step, game in enumerate(itertools.islice(positions(options, 240), 0, None, 8)):
        shown = HIDDEN.describe_actions(game)
        told = f"{json.dumps(HIDDEN.view(game))} {HIDDEN.describe(game)} {json.dumps(shown)}"
        assert (found := names.search(told)) is None, found
        named += len(set(names.findall(f"{json.dumps(game.view())} {game.describe()}"))) > (own != "toscana")
        for one in shown:
            for way in (str(one["number"]), one["name"], f"I see.\n<action>{one['sentence']}</action>"):
                assert HIDDEN.parse_action(game, way) == one["number"], way
        if step % 8 == 0:
            other = game.determinize(game.current_seat, step)
            assert HIDDEN.describe(game) == HIDDEN.describe(other) and HIDDEN.view(game) == HIDDEN.view(other)
            rules = llm_agent._messages(game, HIDDEN)[0]["content"]
            assert (found := names.search(rules)) is None, found
    assert named > 12  # they are there without it


def test_real_names_are_no_answers_and_errors_tell_none():
    for game in positions({"num_players": 2}, 60):
        for one in game.describe_actions():
            if REAL.search(one["name"]):
                assert OPEN.parse_action(game, one["name"]) == one["number"]
                with pytest.raises(vitienv.IllegalAction) as error:
                    HIDDEN.parse_action(game, one["name"])
                assert REAL.search(str(error.value).replace(repr(one["name"]), "")) is None


def test_names_are_of_one_table_and_differ():
    names = neutral(vitienv.game_spec().options.of())
    assert {*CARDS, *PARENTS, *PLACES} <= names.keys() and names["cart"] == names["gain_lira"]
    assert len(set(names.values())) == len(names) - 1


@pytest.mark.parametrize(
    "written", ["Cabernet Sauvignon", "cabernet_sauvignon", "Cabernet\n      Sauvignon", "Cabernet-Sauvignon"]
)
def test_a_name_over_two_lines_is_hidden(written):
    told = HIDDEN.text(vitienv.Game.new(), f"Plant {written}, Nici.\n")
    assert re.fullmatch(r"Plant card\d+, parent\d+\.\n", told), told


@pytest.mark.parametrize("continent", ["asia", "europe"])
def test_names_of_an_owners_data_are_hidden(continent):
    """Of a continent, its events and its aims, also beside games with the same rules and other names."""
    (facts,) = (one for one in components.facts()["continents"]["continent"] if one["id"] == continent)
    own, count = {"id": continent, "name": "Elbonia"}, itertools.count()
    for kind in [kind for kind in components.WHOLE if kind in facts]:
        own |= {kind: [{**one, "name": f"St. {kind} {next(count)}th. Nobody"} for one in facts[kind]]}
    options = {"game": "world", "num_players": 2, "continent": continent}
    texts = {OPEN: vitienv.Game.new(**options).describe(), HIDDEN: ""}
    for game in positions(options | {"components": {"continents": {"continent": [own]}}}, 120):
        assert game.game_spec is vitienv.game_spec("world")  # nothing is compiled anew
        for said in texts:
            texts[said] += (
                said.describe(game)
                + json.dumps(said.describe_actions(game))
                + llm_agent._messages(game, said)[0]["content"]
            )
    assert {"Elbonia", "Nobody"} <= set(re.findall(r"\w+", texts[OPEN]))
    assert (found := re.search("Elbonia|Nobody|St[.]", texts[HIDDEN])) is None, found


def test_a_name_without_a_letter_hides_nothing():
    own = {"continents": {"continent": [{"id": "asia", "name": " "}, {"id": "africa", "name": "7"}]}}
    game = vitienv.Game.new(game="world", seed=1, components=own)
    assert HIDDEN.text(game, "17 lira, 7 points") == "17 lira, 7 points"


def test_a_game_without_names_is_refused():
    with pytest.raises(ValueError, match=r"anonymize: .* has no names of cards or places"):
        make_agent("program:cat,anonymize=yes", game=TABLES["toy"]["game"])
    for game in ("viticulture", "world", "toscana"):
        assert make_agent("program:cat,anonymize=yes", game=game).speech == HIDDEN
    assert make_agent("llm:model=m,url=http://x,anonymize=yes").speech == HIDDEN
