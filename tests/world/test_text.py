"""World as people read it: questions, choices, moves and the table in words, at every moment of random games."""

import numpy as np
import pytest

import vitienv
from tests.table.case import make_moves
from tests.world.cases.positions import at, staff, table
from tests.world.cases.turns import game_of
from tests.world.table import new
from vitienv.core.text_utils import YOU
from vitienv.world.enums import CONTINENTS, LETTERS, OVALS, PLACES
from vitienv.world.render.component_names import Components

TABLES = {
    "partner": {"num_players": 1, "partner": "burattino", "years": 4},
    "two": {"num_players": 2, "years": 3},
    "aims": {"num_players": 3, "continent": "europe", "years": 1},
    "payment": {"num_players": 2, "continent": "north_america", "parents": "mixed", "years": 2},
}
WIDTH = 80


def called(game):
    return [YOU, *(f"bot {seat}" for seat in range(1, game.num_players))]


@pytest.mark.parametrize("name", TABLES)
def test_every_moment_is_told_in_words(name):
    """No name of an action or of the code is left, and a move tells a reader no card that its seat may not know."""
    chance = np.random.default_rng(3)
    game, words = new(seed=1, **TABLES[name]), vitienv.Game.new(game="world").game_spec.text_module
    names = called(game)
    while not game.is_over:
        asked = words.question(game, names)
        assert asked[-1] in ".?" and "_" not in asked and not asked.startswith("you "), asked
        for one in words.choices(game, names):
            assert one.title and not set("_:") & set(one.name.replace(": ", "")), one
            assert "{" not in one.text and "_" not in one.text, one
        before, action = game.copy(), str(chance.choice(game.legal_actions()))
        game.step(action)
        for viewer in (0, game.num_players - 1):
            told = " ".join(words.describe_move(before, game, action, names, viewer))
            assert told and "_" not in told and ":::" not in told, told
        if chance.random() < 0.2:
            table = words.table(game, 0, names, WIDTH)
            assert max(map(len, table.splitlines())) <= WIDTH
            standing = f"Influence {game.influence} of" if game.is_over else f"influence 10 (now {game.influence})"
            assert standing in " ".join(table.split())
            assert all(f"\n{left} " in table or f"\n{left}+" in table for left in LETTERS[:8])


def test_a_drawn_card_is_named_to_its_seat_alone():
    game, names = new(2, seed=3), ["one", "two"]
    while game.decision != "wake_up":
        game.step("option:2")
    before, seat = game.copy(), game.current_seat
    game.step("wake_up:2")
    tell = game.game_spec.text_module.describe_move
    own, other = (" ".join(tell(before, game, "wake_up:2", names, who)) for who in (seat, 1 - seat))
    assert "draws a vine card" in other and "draws a vine card" not in own and "draws" in own


def test_what_is_missing_is_said():
    game = vitienv.Game.from_dict({"game": "world", "influence": 7, "seats": [{"victory_points": 26}, {}]})
    told = game.game_spec.text_module.aim(game)
    assert told == (
        "The team needs influence 10 (now 7) and 25 points for every seat (now 26 and 0) by the end of year 6."
    )
    alone = vitienv.Game.new(game="world", num_players=1, seed=1)
    told = alone.game_spec.text_module.aim(alone)
    assert told == "You need influence 10 (now 5) and 25 points (now 0) by the end of year 6."
    for seats, whose in ((1, ""), (2, " each")):
        ended = vitienv.Game.new(game="world", num_players=seats, years=1, seed=1)
        while not ended.is_over:
            ended.step(ended.legal_actions()[0])
        now = " and ".join(map(str, ended.scores))
        told = ended.game_spec.text_module.aim(ended)
        assert told == f"Influence {ended.influence} of 10; {now} of 25 points{whose}."


def test_words_that_can_be_asked_about():
    words = vitienv.Game.new(game="world").game_spec.text_module
    for word in words.topics():
        assert words.explain(word), word
    assert words.explain("K")[0].startswith("K Harvest field: harvest a field.")
    assert "stand-in" in words.explain("tile:C")[0] and "stand-in" not in words.explain("tile:B")[0]
    assert words.explain("nonsense") == []
    game = vitienv.Game.from_dict({"game": "world", "continent": "asia"})
    assert words.explain("event", game)[0] != words.explain("event")[0] and words.explain("wake_up:2", game)


def test_every_component_has_words():
    """From the data, so that an owner's cards are told too."""
    things = Components()
    events = [event for name in CONTINENTS for event in things.events(name)]
    every = [*things.tiles, *things.aims, *things.partner, *things.parents, *events]
    assert len(things.tiles) == len(LETTERS) + len(OVALS)
    for thing in every:
        assert thing.title and thing.text[-1] == "." and "_" not in thing.text, thing
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
    own = Components()
    there = {one.word: one.text for name in CONTINENTS for one in own.events(name)}
    there |= {one.word: one.text for one in (*own.aims, *own.parents)}
    assert text in there[word]


def test_no_amount_reads_as_the_number_of_another_action():
    seats = [{"lira": 25}, {"lira": 25, "workers": staff(1)}]
    game = game_of(table("summer", *seats, board={"give_tour": [at(1)]}))
    make_moves(game, "place:give_tour:crowd:grande", "yes", "seat:+1", "kind:lira", "amount:10")
    for one in game.describe_actions():
        assert {game.parse_action(way) for way in (str(one["number"]), *list(one.values())[1:])} == {one["name"]}


def test_hands_of_others_are_counted():
    game = new(2)
    own, other = (game.game_spec.call("render")(game, viewer=seat) for seat in (0, 1))
    assert own != other and "decides: " in own and own.count("    cards ") == other.count("    cards ") == 1
