"""Options of the original edition, and errors of invalid ones."""

import json

import pytest

import vitienv

from .positions import PRESETS, start

# An option of another ruleset, and a value that is not its default.
OF_OTHERS = [
    ("draft_parents", True), ("friendly", True), ("sell_bonus", "lira"), ("visitors", "train"),
    ("difficulty", "hard"), ("aggressive", True), ("challenge", 1),
    ("bonus_tokens", 1), ("redraw_visitors", True), ("automa_replacement", "rival"), ("start_vp", 3), ("start_lira", 1),
    ("automa_vp", 23), ("regular_workers", 2), ("medium_wine_vp", 2), ("large_wine_vp", 4),
]  # fmt: skip
OWN = [("preset", "manual_literal"), ("train_price", 4), ("large_cellar_price", 6), ("field_capacities", (6, 6, 6))]


def refusal(make):
    """Return the one-line error of invalid options."""
    with pytest.raises(ValueError) as caught:
        make()
    message = str(caught.value)
    assert message and "\n" not in message
    return message


def new(**options):
    """Return a new game of the original edition, unless `options` contain another ruleset."""
    return vitienv.Game.new(seed=1, **{"ruleset": "original", **options})


def test_default_options():
    """Original, gaps, presets: the second edition, with two players."""
    options = new().options
    assert (options.ruleset, options.preset, options.num_players) == ("original", "second_edition", 2)
    assert new(preset="manual_literal").options.preset == "manual_literal"


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_two_to_six_players(num_players):
    """Original, row 6: two to six players."""
    game = new(num_players=num_players)
    assert game.num_players == num_players == len(game.to_dict()["seats"])


@pytest.mark.parametrize("num_players", [1, 0, 7])
def test_one_or_seven_players_raise(num_players):
    """Original, rows 5 and 6: no solo game, and six colours."""
    assert "num_players" in refusal(lambda: new(num_players=num_players))


@pytest.mark.parametrize("name, value", OF_OTHERS, ids=[name for name, _ in OF_OTHERS])
def test_options_of_other_rulesets_raise(name, value):
    """Original, rows 3, 5, 12 and 17: no parents, no solo game, no casual variant."""
    message = refusal(lambda: new(**{name: value}))
    assert name in message
    assert "original" in message


@pytest.mark.parametrize("name, value", OF_OTHERS, ids=[name for name, _ in OF_OTHERS])
def test_options_of_other_rulesets_raise_in_positions(name, value):
    """Original, rows 3, 5, 12 and 17: options in positions are checked as well."""
    assert name in refusal(lambda: start(2, "summer", options={name: value}))


def test_default_values_of_other_rulesets_are_accepted():
    """Callers can pass all options."""
    game = new(draft_parents=False, friendly=False, difficulty="normal", aggressive=False, challenge=None)
    assert game.decision == "wake_up"


@pytest.mark.parametrize("ruleset", ["essential", "solo"])
@pytest.mark.parametrize("name, value", OWN, ids=[name for name, _ in OWN])
def test_options_of_the_original_raise_elsewhere(name, value, ruleset):
    """Printed prices and fields of the Essential Edition are fixed."""
    message = refusal(lambda: new(ruleset=ruleset, **{name: value}))
    assert name in message
    assert ruleset in message


@pytest.mark.parametrize(
    "name, value",
    [
        ("preset", "first_edition"), ("preset", ""), ("preset", 2), ("train_price", -1), ("train_price", 1.5),
        ("train_price", "4"), ("train_price", True), ("large_cellar_price", -1), ("large_cellar_price", "6"),
        ("large_cellar_price", False), ("field_capacities", (6, 6)), ("field_capacities", (6, 6, 6, 6)),
        ("field_capacities", (6, 6, -1)), ("field_capacities", (6, 6, "6")), ("field_capacities", 6),
        ("field_capacities", "666"),
    ],
)  # fmt: skip
def test_invalid_values_raise(name, value):
    """Prices are non-negative integers; there are three fields."""
    assert name in refusal(lambda: new(**{name: value}))


def test_environments_raise_like_games():
    """Interfaces, Environments: all have the same options."""
    for make in (vitienv.env, vitienv.raw_env, lambda **options: vitienv.make_vec(num_envs=2, **options)):
        assert "draft_parents" in refusal(lambda make=make: make(ruleset="original", draft_parents=True))
        assert "num_players" in refusal(lambda make=make: make(ruleset="original", num_players=1))


@pytest.mark.parametrize("preset", PRESETS)
def test_positions_keep_options(preset):
    """Interfaces, Positions: a JSON round trip keeps prices and fields."""
    options = {"preset": preset, "train_price": 2, "large_cellar_price": 7, "field_capacities": (4, 6, 8)}
    game = new(num_players=3, **options)
    written = json.loads(json.dumps(game.to_dict()))
    assert (written["ruleset"], written["options"]["preset"]) == ("original", preset)
    assert vitienv.Game.from_dict(written) == game
    assert game.copy() == game


def test_positions_of_presets_differ():
    """Original, gaps, presets: a position of one preset does not fit the other."""
    first, second = (start(2, "spring", preset=preset) for preset in PRESETS)
    assert first != second
