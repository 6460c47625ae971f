"""Positions and logs: round trips, and errors for contradictions."""

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import vitienv
from tests.engine.test_determinize import play


def test_copies_and_pickles_within_a_card():
    rng = np.random.default_rng(2)
    for step, game in enumerate(play(33, 3)):
        if step % 25:
            continue
        copies = [game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
        original = game.copy()
        for _ in range(20):
            if original.is_over:
                break
            action = int(rng.choice(np.flatnonzero(original.mask)))
            for copied in (original, *copies):
                copied.step(action)
        assert all(copied == original for copied in copies)
        assert all(copied.log == original.log for copied in copies)


def test_log_replays():
    *_, game = play(5, 2)
    log = json.loads(json.dumps(game.log))
    again = vitienv.replay(log)
    assert again == game and again.is_over and again.scores == log["scores"]


def test_log_from_a_position_replays():
    game = vitienv.Game.new(num_players=2, seed=4)
    for _ in range(30):
        game.step(game.legal_actions()[0])
    start = vitienv.Game.from_dict(game.to_dict())
    start.step(start.legal_actions()[-1])
    assert vitienv.replay(start.log) == start


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"moves": ["pass"]}, "move 1 of the log is illegal"),
        ({"format": 99}, "got 99"),
        ({"state": "0" * 64}, "does not reach the recorded state"),
        ({"options": {"num_players": 9}}, "num_players must be .*, got 9"),
        ({"options": {"colour": 1}}, "unknown option 'colour'"),
        ({"moves": "pass"}, "damaged"),
    ],
)
def test_damaged_log_raises(change, message):
    game = vitienv.Game.new(num_players=2, seed=4)
    game.step(game.legal_actions()[0])
    with pytest.raises(ValueError, match=message):
        vitienv.replay(game.log | change)


def test_file_that_is_not_a_log_raises(tmp_path):
    path = tmp_path / "log.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="is not a log"):
        vitienv.replay(path)
    with pytest.raises(ValueError, match="does not exist"):
        vitienv.replay(tmp_path / "none.json")


SEAT = {"lira": 5, "hand": {"vine": ["pinot"], "order": ["order_03"]}}


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"seats": [{"hand": {"order": ["order_03"]}}, {"hand": {"order": ["order_03"]}}]}, "order:order_03"),
        ({"seats": [SEAT], "discards": {"order": ["order_03"]}}, "order:order_03"),
        ({"seats": [{"fields": [{"capacity": 5, "vines": ["merlot", "merlot"]}]}]}, "worth more than 5"),
        ({"seats": [{"fields": [{"capacity": 5, "vines": ["merlot"], "sold": True}]}]}, "a field of seat 0 that is"),
        ({"seats": [{"cellar": {"red": [5]}}]}, "without its cellar"),
        ({"seats": [{"cellar": {"blush": [3]}}]}, "from 4 to 9"),
        ({"seats": [{"structures": ["large_cellar"]}]}, "structures of seat 0 must have the medium cellar below the"),
        ({"seats": [{"crush_pad": {"red": [2, 2]}}]}, "crush_pad of seat 0 must have different values of each kind, g"),
        ({"seats": [{"money": 3}]}, "unknown key 'money'"),
        ({"weather": "fine"}, "unknown key 'weather'"),
        ({"seats": [{"hand": {"vine": ["grapefruit"]}}]}, "unknown vine card 'grapefruit'"),
        ({"num_players": 7}, "num_players must be .*, got 7"),
        ({"season": "summer", "seats": [{"passed": True}], "to_act": 0}, r"to_act must be one of \[1\], as others"),
        ({"season": "summer", "seats": [{"wake_up": 2}, {"wake_up": 2}]}, r"wake_up must be different rows, got \["),
        ({"season": "fall"}, "season must be spring, summer or winter in a position without "),
        ({"season": "summer", "seats": [{"workers": {"regular": 0, "grande": 0}}], "to_act": 0}, "no worker to place"),
        ({"season": "summer", "board": {"draw_vine": [{"seat": 0}, {"seat": 1}]}}, "no free plain space"),
        ({"season": "summer", "board": {"draw_vine": [{"space": "bonus", "seat": 0}]}}, "no free bonus space"),
        ({"season": "summer", "board": {"yoke": [{"seat": 0}]}}, "used of seat 0 must be among its structures, got"),
        ({"next_draws": {"vine": ["sangiovese"] * 5}}, "next_draws must be in the deck, got more of vine:sangiovese"),
        ({"ruleset": "tuscany"}, "unknown ruleset 'tuscany'"),
        ({"seats": [{"victory_points": -6}]}, "from -5"),
        ([], "must be a mapping"),
    ],
)
def test_invalid_position_names_the_contradiction(position, message):
    with pytest.raises(ValueError, match=message):
        vitienv.Game.from_dict(position)


def test_marked_exceptions_are_accepted():
    seat = {
        "cellar": {"red": [5]},
        "wine_above_cellar": True,
        "fields": [{"capacity": 5, "vines": ["merlot", "merlot"], "over_limit": True}],
    }
    game = vitienv.Game.from_dict({"season": "summer", "seats": [seat]})
    written = game.to_dict()["seats"][0]
    assert written["wine_above_cellar"] is True and written["fields"][0]["over_limit"] is True


def test_forced_draws_precede_random_ones():
    game = vitienv.Game.from_dict(
        {"season": "summer", "to_act": 0, "next_draws": {"vine": ["merlot", "malvasia"]}, "seats": [{"wake_up": 1}]}
    )
    game.step("place:draw_vine:plain:regular")
    assert game.to_dict()["seats"][0]["hand"]["vine"] == ["merlot"]
    assert game.to_dict()["next_draws"] == {"vine": ["malvasia"]}


def test_illegal_action_raises_without_a_change():
    game = vitienv.Game.new(num_players=2, seed=7)
    before = game.copy()
    for action in ("pass", "place:nowhere", 10_000, -1, None, 1.5):
        with pytest.raises(vitienv.IllegalAction, match="papa_gift"):
            game.step(action)
    assert game == before and game.log == before.log


def test_unknown_options_raise():
    with pytest.raises(TypeError, match="unknown option 'players'"):
        vitienv.Game.new(players=3)
    with pytest.raises(ValueError, match="unknown reward 'money'"):
        vitienv.Game.new(reward="money")


def test_documented_position_is_valid():
    page = (Path(__file__).parents[2] / "docs" / "positions.md").read_text(encoding="utf-8")
    example = json.loads(page.split("```json\n")[1].split("```")[0])
    game = vitienv.Game.from_dict(example)
    assert game.decision == "place_worker" and game.current_seat == 0 and game.year == 2
    for key in game.to_dict()["seats"][0]:
        assert f"`{key}`" in page or f'"{key}"' in page, key


@pytest.mark.parametrize(
    "pending, message",
    [
        ([[1, 2]], r"frame 0 must be a list of 16 entries, got \[1, 2\]"),
        ([["place", 7, *[0] * 14]], "seat of the pending place must be from 0 to 1, got 7"),
        ([[99, 0, *[0] * 14]], "unknown operation 99; expected one of: .*make, grape, wine, b"),
        ([["place", 0, *[0] * 14]] * 50, "frames must be at most 16 frames, got 50"),
    ],
)
def test_invalid_pending_decisions_raise(pending, message):
    position = vitienv.Game.new(num_players=2, seed=1).to_dict()
    with pytest.raises(ValueError, match=message):
        vitienv.Game.from_dict({**position, "pending": {**position["pending"], "frames": pending}})
