"""Options of the game, and numbers of an owner's copy in place of reconstructed ones."""

import copy

import vitienv
from tests.toscana.positions import by_good, new, prices, tail, to_tasting
from vitienv.session.replay import replay
from vitienv.toscana import COMPONENTS
from vitienv.toscana.components import facts, neutral
from vitienv.toscana.enums import CAPACITY, CROSS_COLUMNS, CROSS_ROWS, LEVELS, N_TILES, WINEMASTERS, WORKERS

STOCK = {"start": {"stock": {"red": 1, "white": 0, "rose": 5, "champagne": 2, "water": 4}}}


def test_uncertain_components_are_marked():
    assert set(COMPONENTS) == {
        "premade.rows", "piece", "pieces_rule.rotation.allowed", "tile", "start.price_level", "start.stock",
        "recommendations.start_signs", "supply.champagne.count",
    }  # fmt: skip
    message = {path: component.source for path, component in COMPONENTS.items()}
    assert message.pop("supply.champagne.count") == "inferred" and set(message.values()) == {"reconstructed"}
    assert all(len(component.why) > 40 and component.value is not None for component in COMPONENTS.values())


def test_constants_equal_the_data():
    """Sizes are numbers of the sources, so that compiled code never differs from them."""
    data = facts()
    assert data["map"]["crossroads"]["count"]["total"] == CROSS_ROWS * CROSS_COLUMNS
    assert data["market"]["storage"]["capacity_per_good"] == data["player"]["storage"]["cap_per_good"] == CAPACITY
    assert len(data["market"]["price_track"]["levels"]) == LEVELS
    pieces = data["player"]["components"]
    assert (pieces["workers"], pieces["winemasters"], pieces["winetasting_tiles"]) == (WORKERS, WINEMASTERS, N_TILES)
    assert data["player"]["hiring"]["five_players"]["players"] == 5
    assert set(neutral()) >= {"supply", "marks", "buying", "award"}


def test_components_replace_reconstructed_ones():
    levels = dict(zip(["red", "white", "rose", "champagne", "water"], [0, 6, 1, 2, 3]))
    signs = {"red": "minus", "white": "minus", "rose": "plus", "water": "plus"}
    game = new(components={
        "start": {**STOCK["start"], "price_level": levels}, "recommendations": {"start_signs": signs},
        "supply": {"champagne": {"count": 20}},
        "premade": {"rows": [list("AAAAAAAA"), list("RRRRRRRR"), list("WWWWWWWW"), list("YYYYOOCC")]},
    })  # fmt: skip
    assert by_good(game.state.stock) == {"red": 1, "rose": 5, "champagne": 2, "water": 4}
    assert prices(game) == {good: level + 1 for good, level in levels.items()}
    assert by_good(game.state.sign) == {"red": -1, "white": -1, "rose": 1, "water": 1}
    assert by_good(game.state.bank)["champagne"] == 18
    assert game.state.square_kind[:9].tolist() == [4] * 8 + [0]


def test_tiles_may_have_several_marks():
    """Entries of one id are added up."""
    tiles = copy.deepcopy(facts()["winetasting"]["tile"])
    tiles += [{"id": 1, "good": "red", "mark": 1}, {"id": 1, "good": "water", "mark": -1}]
    hand = {"hand": [1, 2]}
    game = to_tasting(tail(2, hand, hand, options={"components": {"tile": tiles}}, prices={"red": 2, "white": 4}))
    before = prices(game)
    game.step("taste:1").step("taste:2")
    after = {good: prices(game)[good] - before[good] for good in before}
    assert after == {"red": 2, "white": 1, "rose": 0, "champagne": 0, "water": -1}


def test_component_file_is_copied_into_the_log(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text("[start.stock]\nred = 1\nwhite = 0\nrose = 5\nchampagne = 2\nwater = 4\n")
    game = new(components=str(path))
    assert game.options == new(components=STOCK).options
    path.unlink()
    log = game.step(game.legal_actions()[0]).log
    assert replay(log).to_dict() == game.to_dict()
    assert vitienv.Game.from_dict(game.to_dict()) == game
