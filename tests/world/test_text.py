"""World as people read it: questions, choices, moves and the table in words, at every moment of random games."""

import pytest

import vitienv
from tests.table.case import make_moves
from tests.world.cases.positions import at, table
from tests.world.table import new, pass_until
from vitienv.core.text_utils import YOU
from vitienv.render.text import render
from vitienv.world.enums import CONTINENTS, LETTERS, OVALS, PLACES
from vitienv.world.render.component_names import Components


def test_table_has_the_influence_and_all_actions():
    game = new(2, seed=1, years=1)
    while True:
        table = game.game_spec.text_module.table(game, 0, [YOU, "bot"], 80)
        standing = f"Influence {game.influence} of" if game.is_over else f"influence 10 (now {game.influence})"
        assert standing in " ".join(table.split())
        assert all(f"\n{letter} " in table or f"\n{letter}+" in table for letter in LETTERS[:8])
        if game.is_over:
            return
        pass_until(game, lambda game: True).step(game.legal_actions()[-1])


def test_drawn_card_is_named_only_to_its_seat():
    game, names = new(2, seed=3), ["one", "two"]
    while game.decision != "wake_up":
        game.step("option:2")
    before, seat = game.copy(), game.current_seat
    game.step("wake_up:2")
    describe_move = game.game_spec.text_module.describe_move
    actor, opponent = (" ".join(describe_move(before, game, "wake_up:2", names, viewer)) for viewer in (seat, 1 - seat))
    assert "draws a vine card" in opponent and "draws a vine card" not in actor and "draws" in actor


def test_text_of_the_aim():
    game = vitienv.Game.from_dict({"game": "world", "influence": 7, "seats": [{"victory_points": 26}, {}]})
    text = game.game_spec.text_module.aim(game)
    assert text == (
        "The team needs influence 10 (now 7) and 25 points for every seat (now 26 and 0) by the end of year 6."
    )
    alone = vitienv.Game.new(game="world", num_players=1, seed=1)
    text = alone.game_spec.text_module.aim(alone)
    assert text == "You need influence 10 (now 5) and 25 points (now 0) by the end of year 6."
    for seats, whose in ((1, ""), (2, " each")):
        ended = vitienv.Game.new(game="world", num_players=seats, years=1, seed=1)
        while not ended.is_over:
            ended.step(ended.legal_actions()[0])
        points = " and ".join(map(str, ended.scores))
        text = ended.game_spec.text_module.aim(ended)
        assert text == f"Influence {ended.influence} of 10; {points} of 25 points{whose}."


def test_explanations_of_components():
    words = vitienv.Game.new(game="world").game_spec.text_module
    for word in words.topics():
        assert words.explain(word), word
    assert words.explain("K")[0].startswith("K Harvest field: harvest a field.")
    assert "stand-in" in words.explain("tile:C")[0] and "stand-in" not in words.explain("tile:B")[0]
    assert words.explain("nonsense") == []
    game = vitienv.Game.from_dict({"game": "world", "continent": "asia"})
    assert words.explain("event", game)[0] != words.explain("event")[0] and words.explain("wake_up:2", game)


def test_every_component_has_a_text():
    """Custom components have texts as well."""
    things = Components()
    events = [event for name in CONTINENTS for event in things.events(name)]
    every = [*things.tiles, *things.aims, *things.partner, *things.parents, *events]
    assert len(things.tiles) == len(LETTERS) + len(OVALS)
    for component in every:
        assert component.title and component.text[-1] == "." and "_" not in component.text, component
    assert len(things.parents) == 20
    assert all(things.does(place, has) for place in range(len(PLACES)) for has in (False, place < len(LETTERS)))


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("event:europe:5", "and each order filled brings 1 point more."),
        ("event:europe:6", "if not, every seat that can must lose 1 lira."),
        ("event:south_america:5", "K Harvest field: a trained worker there may pay 1 lira and harvest a field, once a"),
        ("event:oceania:7", "a trained worker there may age a grape by 1."),
        ("event:asia:2", "the seat that goes there has 1 lira."),
        ("event:oceania:3", "at least 2 for each seat (alone 3) of: wines made"),
        ("event:africa:5", "(alone 2) of: trades (alone: times that action G was taken)"),
        ("event:north_america:4", "at least 3 of: innovations taken"),
        ("aim:12", "trades (alone: times that action G was taken)."),
        ("red_01", "3 vine cards."),
        ("blue_01", " lira, and "),
    ],
)
def test_components_in_sentences(word, text):
    """Whom they are for, what holds alone, and what their numbers are of."""
    components = Components()
    events = [event for name in CONTINENTS for event in components.events(name)]
    texts = {component.word: component.text for component in (*events, *components.aims, *components.parents)}
    assert text in texts[word]


def test_amounts_are_not_parsed_as_numbers_of_actions():
    game = vitienv.Game.from_dict(table("summer", {"lira": 25}, {"lira": 25}, board={"give_tour": [at(1)]}))
    make_moves(game, "place:give_tour:crowd:grande", "yes", "seat:+1", "kind:lira", "amount:10")
    for action in game.describe_actions():
        texts = (str(action["number"]), *list(action.values())[1:])
        assert {game.parse_action(text) for text in texts} == {action["name"]}


def test_rendered_table_counts_other_hands():
    game = new(2)
    first, second = (render(game, seat) for seat in (0, 1))
    assert first != second and "decides: " in first
    assert first.count("    cards ") == second.count("    cards ") == 1
