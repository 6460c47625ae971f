"""Views and answers: nothing hidden, nothing guessed, three names for each action."""

import itertools
import json
import time

import pytest

import vitienv
from tests.random_play import decisions, random_game
from tests.tables import OTHER_GAMES, TABLES
from tests.toy import game_spec as toy

ALL_TABLES = TABLES | OTHER_GAMES | {"toy": {"game": toy.__name__, "num_players": 3}}
LONGEST = 8_000  # bytes of `words` at four seats


def positions(options, n, first=0):
    games = (game for seed in itertools.count(first) for game in decisions(seed, **options) if not game.is_over)
    return itertools.islice(games, n)


def check_choices(game):
    """Every choice is named by its number, name and sentence, and by nothing that another is named by."""
    descriptions = game.describe_actions()
    assert [description["name"] for description in descriptions] == game.legal_actions()
    for description in descriptions:
        assert game.game_spec.actions.name(description["number"]) == description["name"]
        name, line = description["name"], f"{description['number']}: {description['sentence']}"
        for form in (str(description["number"]), name, description["sentence"], line, f"{line} ({name})"):
            assert game.parse_action(form) == name, form
            assert game.parse_action(f"I think so.\n\n**Action: {form}**\n") == name, form
        assert game.parse_action(f"<action>{name.upper()}</action> it is") == name


def check_hidden(game, seed):
    """Determinization of a seat's hidden information does not change its view."""
    for seat in range(game.num_players):
        other = game.determinize(seat, seed)
        assert game.describe(seat) == other.describe(seat), (game.decision, seat)
        assert game.view(seat) == other.view(seat), (game.decision, seat)
        assert game.current_seat != seat or game.describe_actions() == other.describe_actions(), game.decision
        assert json.loads(json.dumps(game.view(seat), allow_nan=False)) == game.view(seat)
        assert game.num_players > 4 or len(game.describe(seat).encode()) <= LONGEST


@pytest.mark.parametrize("options", ALL_TABLES.values(), ids=ALL_TABLES)
def test_views_hide_information_and_answers_are_parsed(options):
    for step, game in enumerate(positions(options, 30)):
        check_choices(game)
        if step % 6 == 0:
            check_hidden(game, step)


@pytest.mark.parametrize("options", ALL_TABLES.values(), ids=ALL_TABLES)
def test_views_of_finished_games_hide_information(options):
    """Nor when it was cut off."""
    limit = {"max_years": 1} if options.get("game") is None else {}
    game = random_game(1, **options | limit)
    for seed in range(3):
        check_hidden(game, seed)


@pytest.mark.slow
@pytest.mark.parametrize("options", ALL_TABLES.values(), ids=ALL_TABLES)
def test_a_hundred_thousand_positions(options):
    for step, game in enumerate(positions(options, 100_000 // len(ALL_TABLES), first=1_000)):
        check_choices(game)
        if step % 4 == 0:
            check_hidden(game, step)


def test_view_has_the_hand_and_the_card_counts_of_others():
    game = vitienv.Game.from_dict({
        "num_players": 2, "season": "summer", "to_act": 0,
        "seats": [{"hand": {"vine": ["pinot"], "summer": ["broker"]}},
                  {"hand": {"vine": ["merlot"], "winter": ["taster", "noble"]}, "shown": {"winter:noble": 1}}],
    })  # fmt: skip
    mine, yours = game.view(0)["seats"]
    assert mine["hand"] == {"vine": ["pinot"], "order": [], "summer": ["broker"], "winter": []}
    assert yours["hand"] == {"vine": [], "order": [], "summer": [], "winter": ["noble"]}
    assert yours["cards"] == {"vine": 1, "order": 0, "summer": 0, "winter": 2}
    assert not {"chance", "next_draws", "pending", "seed"} & game.view(0).keys()
    text = game.describe(0)
    assert "Broker, summer visitor." in text and "Pinot" in text and "Noble" in text
    assert "Merlot" not in text and "Taster" not in text
    assert text.startswith("You are seat 1.") and "seat 2" in text and "seat 1 " in game.describe(1)


def test_description_for_other_seats_has_no_question():
    game = vitienv.Game.new(num_players=2, seed=1)
    assert game.describe(1 - game.current_seat).endswith(f"Seat {game.current_seat + 1} decides.")
    for seat, quoted in ((2, "2"), ("one", "'one'"), (1.0, "1.0"), (True, "True")):
        with pytest.raises(ValueError, match=f"^seat must be an integer from 0 to 1, got {quoted}$"):
            game.view(seat)


@pytest.mark.parametrize(("answer", "why"), [
    ("", "the answer is empty"),
    ("  \n * \n", "the answer is empty"),
    ("<action></action> option:1", "the answer is empty"),
    ("option:1 or option:2", "is not an action"),
    ("option:1\nI am not sure.", "is not an action"),
    ("0: option:1", "is not an action"),
    ("\uff11", r"'\\uff11' is not an action"),
    ("\u0663", r"'\\u0663' is not an action"),
    ("option:3", "'option:3' is not a legal action"),
    ("1", "'1' is not a legal action"),
    ("\x1b[31moption:1", r"the answer contains the control character '\\x1b'"),
    ("option:1\x0b", r"the answer contains the control character '\\x0b'"),
    ("action:\x1coption:1", r"the answer contains the control character '\\x1c'"),
    ("no\u2028option:1", r"the answer contains the control character '\\u2028'"),
    ("option:1 " * 20_000, "must have at most 100000 characters, got 180000"),
    (None, "answer must be a string, got NoneType"),
])  # fmt: skip
def test_answers_without_an_action_are_refused(answer, why):
    game = vitienv.Game.new(num_players=2, seed=7)
    with pytest.raises(vitienv.IllegalAction, match=why) as error:
        game.parse_action(answer)
    assert "\n" not in str(error.value) and len(str(error.value)) < 400
    assert game.moves == []


def test_the_last_tag_counts():
    game = vitienv.Game.new(num_players=2, seed=7)
    answer = "<action>option:1</action>? No.\n<ACTION>\n option:2 \n</ACTION>\nThat is my choice, not option:1"
    assert game.parse_action(answer) == "option:2"
    assert game.parse_action("<action> <action>option:2</action> or <action>") == "option:2"


def test_unclosed_tags_are_parsed_quickly():
    game = vitienv.Game.new(num_players=2, seed=7)
    start = time.process_time()
    for answer in ("<action>" * 12_400, "</action>" * 11_000, "<action></action" * 6_200):
        with pytest.raises(vitienv.IllegalAction):
            game.parse_action(answer)
    assert time.process_time() - start < 1


def test_finished_games_have_no_actions():
    game = random_game(1, max_years=1)
    assert game.describe_actions() == [] and "decides" not in game.describe(0)
    with pytest.raises(vitienv.IllegalAction, match="the game is over"):
        game.parse_action("pass")
