"""Options: NumPy scalars become Python values, and invalid values raise an error of one line."""

import json

import numpy as np
import pytest

import vitienv
from vitienv.registry import game_names, game_spec

ORIGINAL = {"ruleset": np.str_("original"), "num_players": np.int64(3)}


@pytest.mark.parametrize(
    "options",
    [
        {"max_years": np.int8(5), "skip_forced": np.True_, "reward": np.str_("rank")},
        {**ORIGINAL, "field_capacities": np.array([4, 5, 6])},
        {**ORIGINAL, "field_capacities": (np.int8(4), np.int8(5), np.int8(6))},
        {"game": "world", "years": np.uint8(4), "num_players": np.int16(2)},
        {"game": "toscana", "max_rounds": np.int32(7)},
    ],
    ids=lambda options: next(iter(options)),
)
def test_log_of_numpy_options_is_json(options):
    game = vitienv.Game.new(seed=np.int16(3), **options)
    assert vitienv.replay(json.loads(json.dumps(game.log))) == game


@pytest.mark.parametrize("game", game_names())
def test_lists_in_place_of_values_raise(game):
    options = game_spec(game).options
    for ruleset in game_spec(game).rulesets:
        for name in options.names():
            with pytest.raises(ValueError, match=name):
                options.of(**{"ruleset": ruleset, name: [[]]})


@pytest.mark.parametrize("ruleset", [[], (), {}, 0, False], ids=repr)
def test_empty_ruleset_raises(ruleset):
    with pytest.raises(ValueError, match="unknown ruleset"):
        vitienv.Game.new(ruleset=ruleset)


# Options of each ruleset, and words of the message.
BEERS = [{"id": n, "good": "beer", "mark": 1} for n in range(1, 8)]
MARKS = [{"id": n, "good": "red", "mark": 9} for n in range(1, 8)]
LEVELS = dict.fromkeys(["red", "white", "rose", "champagne", "water"], 7)
REFUSED = {
    "original": [
        *(({"num_players": number}, "num_players") for number in (1, 0, 7)),
        *(({"preset": value}, "preset") for value in ("first_edition", "", 2)),
        *(({"train_price": value}, "train_price") for value in (-1, 1.5, "4", True)),
        *(({"large_cellar_price": value}, "large_cellar_price") for value in (-1, "6", False)),
        *(({"field_capacities": value}, "field_capacities")
          for value in ((6, 6), (6, 6, 6, 6), (6, 6, -1), (6, 6, "6"), 6, "666")),
    ],
    "solo": [
        ({"num_players": 2}, "num_players", "1"),
        ({"num_players": 6}, "num_players", "1"),
        ({"num_players": 1, "automa_replacement": "rival"}, "num_players", "2"),
        ({"num_players": 3, "automa_replacement": "blocker"}, "num_players", "2"),
        ({"difficulty": "nightmare"}, "difficulty", "very_hard"),
        ({"difficulty": 3}, "difficulty", "normal"),
        ({"difficulty": None}, "difficulty", "normal"),
        *(({"challenge": value}, "challenge", "8") for value in (0, 9, "1", 1.5)),
        ({"aggressive": True, "difficulty": "very_easy"}, "aggressive", "normal"),
        ({"aggressive": True, "difficulty": "very_hard"}, "aggressive", "normal"),
        ({"aggressive": True, "challenge": 6}, "aggressive", "6"),
        ({"aggressive": True, "automa_vp": 10}, "automa_vp", "aggressive"),
        ({"aggressive": True, "automa_replacement": "rival"}, "automa_replacement", "marker"),
        ({"challenge": 1, "automa_replacement": "rival"}, "automa_replacement", "marker"),
        ({"bonus_tokens": -1}, "bonus_tokens", "0"),
        ({"bonus_tokens": 1.5}, "bonus_tokens", "0"),
        ({"automa_replacement": "robot"}, "automa_replacement", "rival"),
        ({"friendly": True}, "friendly", "essential"),
        ({"start_vp": -6, "challenge": 4}, "start_vp", "-5"),
        ({"start_lira": -1, "challenge": 7}, "start_lira", "0"),
        ({"regular_workers": 6, "challenge": 2}, "regular_workers", "5"),
        ({"medium_wine_vp": -1, "challenge": 6}, "medium_wine_vp", "0"),
        ({"large_wine_vp": "four", "challenge": 6}, "large_wine_vp", "0"),
        ({"automa_vp": "far", "difficulty": "very_hard"}, "automa_vp"),
    ],
    "toscana": [
        ({"map": "square"}, "unknown map 'square'; expected one of: 'printed', 'pieces'"),
        *(({"num_players": n}, "num_players must be an integer from 2 to 5", f"got {n}") for n in (1, 6)),
        ({"player_trades": 1}, "player_trades must be True or False, got 1"),
        ({"max_rounds": 0}, "max_rounds must be", "got 0"),
        ({"ruleset": "solo"}, "unknown ruleset 'solo'; expected one of: 'toscana'"),
        ({"components": "no/such.toml"}, "cannot read 'no/such.toml'"),
        ({"components": 3}, "components must be a mapping or the path of a TOML file, got 3"),
        ({"components": {"market": {}}}, "unknown component 'market'; expected one of: premade.rows, piece"),
        ({"components": {"start": {"stock": {"red": 1}}}}, "start.stock.white must be", "got None"),
        ({"components": {"start": {"price_level": LEVELS}}},
         "start.price_level.red must be an integer from 0 to 6, got 7"),
        ({"components": {"premade": {"rows": [["R"] * 8] * 3}}}, "premade.rows must be 4 rows of 8 squares"),
        ({"components": {"premade": {"rows": [["X"] * 8] * 4}}}, "squares out of R, W, O, C, A, Y, got "),
        ({"components": {"piece": [{"id": 1, "rows": []}]}},
         "piece must have 8 map pieces with the ids 1 to 8, got [1]"),
        ({"components": {"tile": BEERS}}, "tile 1: unknown good 'beer'"),
        ({"components": {"tile": MARKS}}, "mark", "got 9"),
        ({"components": {"recommendations": {"start_signs": {"red": "plus"}}}},
         'recommendations.start_signs must have two goods with "plus"'),
        ({"components": {"supply": {"champagne": {"count": 2}}}}, "supply.champagne.count must be", "got 2"),
    ],
    "world": [
        ({"num_players": 7}, "from 1 to 6"),
        ({"influence_start": 11}, "influence_start must be at most 10, the end of the track, got 11"),
        ({"continent": "greengully", "events": "shuffled"}, "events must be 'ordered' on 'greengully', got 'shuffled'"),
        ({"events": "sorted"}, "unknown events 'sorted'"),
        ({"partner": "burattino"}, "partner must be None with 2 seats, got 'burattino'"),
        *(({name: True}, f"unknown option '{name}'; expected one of:")
          for name in ("draft_parents", "friendly", "difficulty")),
        ({"training_visitors": "in"}, "unknown training_visitors 'in'"),
        ({"years": 7}, "years must be None or an integer from 1 to 6, got 7"),
        ({"vp_each": -1}, "got -1"),
        ({"components": {"innovation_tiles": {"rectangular": [{"letter": "A", "effect": [{"op": "x"}]}]}}}, "'x'"),
    ],
    "essential": [
        ({"continent": "asia"}, "unknown option 'continent'; expected one of:"),
        ({"visitors": "test"}, "unknown visitors 'test'; expected one of: 'all', 'train', 'held_out'"),
    ],
}  # fmt: skip


def refusal(make):
    """Return the one-line error of invalid options."""
    with pytest.raises(ValueError) as caught:
        make()
    message = str(caught.value)
    assert message and "\n" not in message
    return message


def new(ruleset, /, **options):
    game = {"game": ruleset} if ruleset in game_names() else {"ruleset": ruleset}
    return vitienv.Game.new(seed=1, **game | options)


@pytest.mark.parametrize(
    ("ruleset", "options", "words"),
    [(ruleset, options, words) for ruleset, rows in REFUSED.items() for options, *words in rows], ids=str,
)  # fmt: skip
def test_invalid_options_raise_in_one_line(ruleset, options, words):
    """Original, rows 5 and 6: no solo game, and six colours."""
    message = refusal(lambda: new(ruleset, **options))
    assert all(word in message for word in words), message


# Options that a ruleset does not have, with values that are not their defaults.
SOLO = {
    "difficulty": "hard", "aggressive": True, "challenge": 1, "bonus_tokens": 1, "redraw_visitors": True,
    "automa_replacement": "rival", "start_vp": -3, "start_lira": 2, "automa_vp": 23, "regular_workers": 2,
    "medium_wine_vp": 2, "large_wine_vp": 4,
}  # fmt: skip
PRINTED = {"preset": "manual_literal", "train_price": 4, "large_cellar_price": 6, "field_capacities": (6, 6, 6)}
OF_OTHERS = {
    "essential": SOLO | PRINTED,
    "solo": PRINTED,
    "original": SOLO | {"draft_parents": True, "friendly": True, "sell_bonus": "lira", "visitors": "train"},
}


@pytest.mark.parametrize(
    ("ruleset", "name", "value"),
    [(ruleset, name, value) for ruleset, options in OF_OTHERS.items() for name, value in options.items()],
)
def test_options_of_other_rulesets_raise(ruleset, name, value):
    """Original, rows 3, 5, 12 and 17: no parents, no solo game, no casual variant; other prices are fixed."""
    position = {"ruleset": ruleset, "season": "summer", "options": {name: value}}
    for make in (lambda: new(ruleset, **{name: value}), lambda: vitienv.Game.from_dict(position)):
        message = refusal(make)
        assert name in message and ruleset in message and ("solo" in message or name not in SOLO)


@pytest.mark.parametrize("ruleset", ["essential", "original"])
def test_default_values_of_other_rulesets_are_accepted(ruleset):
    """Callers can pass all options."""
    game = new(ruleset, draft_parents=False, friendly=False, difficulty="normal", aggressive=False, challenge=None)
    assert game == new(ruleset)


def test_environments_raise_like_games():
    for make in (vitienv.env, vitienv.raw_env, lambda **options: vitienv.make_vec(num_envs=2, **options)):
        for name, value in (("draft_parents", True), ("num_players", 1)):
            assert name in refusal(lambda make=make, options={name: value}: make(ruleset="original", **options))
