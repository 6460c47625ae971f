"""Questions, choices and results of moves, as people read them."""

import vitienv
from tests.random_play import random_game
from tests.toscana.positions import ALL, at, crew, full_map, master, new, play, start, tail
from vitienv.core.text_utils import YOU
from vitienv.render.text import choices, render
from vitienv.session.game_session import GameSession
from vitienv.session.terminal import result_lines

WORDS = vitienv.game_spec("toscana").text_module


def titles(game, names=()):
    return {choice.action: choice.title for choice in choices(game, names)}


def texts(game):
    return {choice.action: choice.text for choice in choices(game)}


def test_text_of_crossroads():
    game = start(2, {"boxes": {"water": 3}}, squares=[at(1, 1, 0, 2), at(2, 2, 0), at(1, 3, 0, 2), at(2, 3, 1)])
    game.step("take:winemaking")
    assert titles(game)["crossroad:1:1"] == "Water between rows 1, 2 and columns 1, 2"
    assert texts(game)["crossroad:1:1"] == "makes 2 red, 1 water"
    assert texts(game)["crossroad:1:2"] == "makes 1 water, 1 of your choice"
    assert texts(game)["crossroad:3:7"] == "makes nothing more"
    game.step("crossroad:1:1")
    assert texts(game)["crossroad:1:2"] == "makes 1 of your choice"  # the others have their water


def test_text_of_hiring():
    game = start(2, {"boxes": {"red": 1, "champagne": 1, "rose": 1}}, squares=[at(1, 1)]).step("take:hiring")
    assert titles(game)["square:1:1"] == "Worker on red 1:1"
    assert texts(game)["square:1:1"] == "for 1 red box; next to your worker, makes 2 red"
    assert texts(game)["square:1:3"] == "for 1 red box; makes nothing yet"
    assert texts(game)["service:lobbyist"].startswith("for 1 champagne box")
    game.step("service:lobbyist")
    assert titles(game)["tile:red"] == "Plus of red to water" and texts(game)["tile:red"] == "price: water 2 -> 3"


def test_text_of_offers():
    game = start(2, {"boxes": {"red": 2}}, {"money": 9}, options={"player_trades": True})
    play(game, "take:trading", "seat:+1", "sell:red:2")
    assert WORDS.question(game, [YOU, "bot"]) == "Sell 2 red at what price a box?"
    assert texts(game)["at:3"] == "6 in all"
    game.step("at:3")
    assert WORDS.question(game, [YOU, "bot"]) == "You would sell 2 red at 3 money a box, 6 in all. Accept?"
    before = game.copy()
    game.step("yes")
    lines = WORDS.describe_move(before, game, "yes", [YOU, "bot"], 0)
    assert lines == ["bot accepts the offer of you (+2 red, -6 money; you -2 red, +6 money)."]


def test_chosen_tile_is_secret_until_all_are_shown():
    game = tail(2, {"hand": [1, 5]}, {"hand": [2, 3], "boxes": {}})
    before = game.copy()
    game.step("pass:trading")
    lines = WORDS.describe_move(before, game, "pass:trading", ["a", "b"])
    assert lines[1].startswith("All actions are used. Prices: red 2 -> 3")
    before = game.copy()
    game.step("taste:5")
    assert WORDS.describe_move(before, game, "taste:5", ["a", "b"], 1) == ["a chooses a tile."]
    assert WORDS.describe_move(before, game, "taste:5", ["a", "b"], 0) == ["a chooses tile 5 (-red)."]
    before = game.copy()
    game.step("taste:3")
    lines = WORDS.describe_move(before, game, "taste:3", ["a", "b"], 0)
    assert lines == ["b chooses a tile.", "The tasting: a: 5 (-red), b: 3 (+rose).",
                    "Prices: red 3 -> 2 and rose 2 -> 3.", "Round 2: b begins."]  # fmt: skip


def test_drawing_shows_the_prompt():
    svg = start(2).svg()
    assert "Pass winemaking for 1 red" in svg and "Take which action?" in svg and "take action" not in svg


def test_result_is_in_money():
    game = random_game(1, game="toscana", num_players=2)
    first = next(seat for seat, rank in enumerate(game.ranks) if rank == 1)
    assert result_lines(GameSession(game, ["you", "random"]))[0].endswith(f": {game.scores[first]} money")


def test_text_of_a_square_taken_over():
    mine = [*crew(0, (1, 2), (2, 1), (2, 2)), master(1, 1)]
    game = full_map(mine, {"boxes": {"water": 1}}, {}, {}, {}, {"boxes": {"water": 2, "white": 1}})
    play(game, "take:winemaking", "crossroad:1:1", *["pass:trading"] * 3, "take:hiring")
    assert texts(game)["square:1:1"].endswith("makes 2 red from the next round on")
    play(game, "square:1:1", *["pass:hiring"] * 4, "take:winemaking")
    assert texts(game)["crossroad:1:1"] == "makes nothing more"


SEATS = [{"money": 12, "boxes": {"red": 1}, "used": ALL, "hand": [1, 5], "chosen": 5}, {"used": ALL, "hand": [2, 3]}]


def test_rendered_table():
    squares = [*crew(0, (1, 1), (1, 3), (4, 8)), master(2, 4, 0), at(2, 5, 1)]
    text = render(start(2, *SEATS, squares=squares, prices={"red": 1}))
    for piece in ("Round 1, tasting. Seat 1 begins.", "Seat 2 decides: taste.", "0/1", "R 1:2", "W 1:M", "C 2:1",
                  "Seat 1: holds 1 (+red), 5 (-red); tiles used: none; has chosen 5 (-red)"):  # fmt: skip
        assert piece in text


def test_aim_names_both_ends():
    game = vitienv.Game.new(game="toscana", seed=1)
    text = game.game_spec.text_module.aim(game)
    assert text == "Most money wins. The game ends after round 7, or after a round in which someone has 60 money."


def test_rendered_table_hides_other_hands():
    text = render(start(2, *SEATS), viewer=1)
    assert "Seat 1: tiles used: none; has chosen a tile" in text and "+red" not in text and "(+white)" in text
    assert "-red" in render(start(2, *SEATS, options={"open_hands": True}), viewer=1)


def test_rendered_water():
    game = play(start(5, squares=[at(1, 1)]), "take:winemaking", "crossroad:1:2")
    assert "Water on the crossroads 1:2" in render(game)


def test_rendered_setup_and_end():
    game = new(max_rounds=1)
    assert render(game).startswith("Set-up. Seat")
    while not game.is_over:
        game.step(game.legal_actions()[-1])
    assert render(game).endswith("Cut off.")
