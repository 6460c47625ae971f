"""Neutral names for cards, parents, places and games replace all real names, and answers may use them."""

import itertools
import json
import re

import pytest

import vitienv
from tests.tables import OTHER_GAMES, TABLES
from tests.text.test_text_interface import positions
from vitienv.agents import make_agent
from vitienv.agents.anonymize import GameText, neutral
from vitienv.agents.llm import llm_agent
from vitienv.viticulture.cards import CARD_IDS, MAMAS, PAPAS
from vitienv.world import components
from vitienv.world.enums import CONTINENTS
from vitienv.world.enums import PLACES as WORLD_PLACES
from vitienv.world.render.component_names import Components

HIDDEN, OPEN = GameText(True), GameText(False)
GAMES = TABLES | OTHER_GAMES
CARDS = [name for name in CARD_IDS if not name.startswith("order_")]
PARENTS = [row.id for row in (*MAMAS, *PAPAS)]
PLACES = ["draw_vine", "give_tour", "build_structure", "harvest_field", "make_wine", "fill_order", "gain_lira", "cart"]
TITLES = ["viticulture", "viticulture_world", "toscana", "tuscany", "essential", "automa", "burattino"]
COMPONENTS = [event.title for name in CONTINENTS for event in Components().events(name)] + [
    aim.title for aim in Components().aims
]
OTHERS = {"world": ["world", *WORLD_PLACES, *CONTINENTS, *COMPONENTS], "toscana": ["lobbyist", "mr_rose"]}


def real(names):
    """Return a pattern that finds names in any spelling."""
    spellings = (re.escape(re.sub("[_ ]", "_", name)).replace("_", r"[_\s-]+") for name in names)
    return re.compile(rf"(?<![a-z])({'|'.join(spellings)})(?![a-z])", re.I)


REAL = real(CARDS + PLACES)


@pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
def test_real_names_are_hidden_and_neutral_answers_are_parsed(options):
    num_named = 0
    game_name = vitienv.Game.new(**options).game_spec.name
    cards = [] if game_name == "toscana" else CARDS + PARENTS + PLACES
    names = real([*cards, *TITLES, *OTHERS.get(game_name, [])])
    for step, game in enumerate(itertools.islice(positions(options, 240), 0, None, 8)):
        actions = HIDDEN.describe_actions(game)
        text = f"{json.dumps(HIDDEN.view(game))} {HIDDEN.describe(game)} {json.dumps(actions)}"
        assert (match := names.search(text)) is None, match
        num_named += len(set(names.findall(f"{json.dumps(game.view())} {game.describe()}"))) > (game_name != "toscana")
        for action in actions:
            for answer in (str(action["number"]), action["name"], f"I see.\n<action>{action['sentence']}</action>"):
                assert HIDDEN.parse_action(game, answer) == action["number"], answer
        if step % 8 == 0:
            other = game.determinize(game.current_seat, step)
            assert HIDDEN.describe(game) == HIDDEN.describe(other) and HIDDEN.view(game) == HIDDEN.view(other)
            rules = llm_agent._messages(game, HIDDEN)[0]["content"]
            assert (match := names.search(rules)) is None, match
    assert num_named > 12  # without anonymization


def test_real_names_are_refused_without_being_repeated():
    for game in positions({"num_players": 2}, 60):
        for action in game.describe_actions():
            if REAL.search(action["name"]):
                assert OPEN.parse_action(game, action["name"]) == action["number"]
                with pytest.raises(vitienv.IllegalAction) as error:
                    HIDDEN.parse_action(game, action["name"])
                assert REAL.search(str(error.value).replace(repr(action["name"]), "")) is None


def test_names_are_of_one_table_and_differ():
    names = neutral(vitienv.game_spec().options.of())
    assert {*CARDS, *PARENTS, *PLACES} <= names.keys() and names["cart"] == names["gain_lira"]
    assert len(set(names.values())) == len(names) - 1


@pytest.mark.parametrize(
    "written", ["Cabernet Sauvignon", "cabernet_sauvignon", "Cabernet\n      Sauvignon", "Cabernet-Sauvignon"]
)
def test_a_name_over_two_lines_is_hidden(written):
    text = HIDDEN.text(vitienv.Game.new(), f"Plant {written}, Nici.\n")
    assert re.fullmatch(r"Plant card\d+, parent\d+\.\n", text), text


@pytest.mark.parametrize("continent", ["asia", "europe"])
def test_names_of_an_owners_data_are_hidden(continent):
    """Names of a continent, its events and its aims, also if another game has the same rules and other names."""
    (facts,) = (row for row in components.facts()["continents"]["continent"] if row["id"] == continent)
    data, count = {"id": continent, "name": "Elbonia"}, itertools.count()
    for kind in [kind for kind in components.WHOLE if kind in facts]:
        data |= {kind: [{**row, "name": f"St. {kind} {next(count)}th. Nobody"} for row in facts[kind]]}
    options = {"game": "world", "num_players": 2, "continent": continent}
    texts = {OPEN: vitienv.Game.new(**options).describe(), HIDDEN: ""}
    for game in positions(options | {"components": {"continents": {"continent": [data]}}}, 120):
        assert game.game_spec is vitienv.game_spec("world")  # no kernel is compiled
        for game_text in texts:
            texts[game_text] += (
                game_text.describe(game)
                + json.dumps(game_text.describe_actions(game))
                + llm_agent._messages(game, game_text)[0]["content"]
            )
    assert {"Elbonia", "Nobody"} <= set(re.findall(r"\w+", texts[OPEN]))
    assert (match := re.search("Elbonia|Nobody|St[.]", texts[HIDDEN])) is None, match


def test_a_name_without_a_letter_hides_nothing():
    components_data = {"continents": {"continent": [{"id": "asia", "name": " "}, {"id": "africa", "name": "7"}]}}
    game = vitienv.Game.new(game="world", seed=1, components=components_data)
    assert HIDDEN.text(game, "17 lira, 7 points") == "17 lira, 7 points"


def test_a_game_without_names_is_refused():
    with pytest.raises(ValueError, match=r"anonymize: .* has no names of cards or places"):
        make_agent("program:cat,anonymize=yes", game="tests.toy.game_spec")
    for game in ("viticulture", "world", "toscana"):
        assert make_agent("program:cat,anonymize=yes", game=game).game_text == HIDDEN
    assert make_agent("llm:model=m,url=http://x,anonymize=yes").game_text == HIDDEN
