"""The drawing is compared with the position: each token once, where it is, and no tile that the viewer cannot see."""

import xml.etree.ElementTree as ET
from collections import Counter
from functools import reduce
from itertools import islice
from types import SimpleNamespace

import pytest

from tests.random_play import decisions
from tests.render.test_drawing import check_drawn, tokens
from tests.toscana.positions import ALL, at, full_map, new, start
from vitienv.envs.single import SingleAgentEnv
from vitienv.render.text import render
from vitienv.toscana.components import COMPONENTS
from vitienv.toscana.enums import GOODS
from vitienv.toscana.render import table
from vitienv.web.replay_page import story

TABLES = {
    "two": {"num_players": 2},
    "three": {"num_players": 3, "map": "pieces"},
    "four": {"num_players": 4, "player_trades": True},
    "five": {"num_players": 5, "map": "pieces", "player_trades": True},
    "open": {"num_players": 3, "open_hands": True},
}
COLUMNS = (4, 3, 2, 1)
EVERY = 10  # decisions between two drawings


def positions(table, seed=5):
    """Positions of a random game that rather does something than passes, and the last one."""
    games = islice(decisions(seed, avoid=("pass", "done"), game="toscana", **TABLES[table]), 400)
    return (game for step, game in enumerate(games) if step % EVERY == 0 or game.is_over)


def place(at):
    return ":".join(map(str, at))


def check_tokens(game, root):
    """Everything public, from the position's JSON."""
    position = game.to_dict()
    seats = list(enumerate(position["seats"]))
    on_map = {"worker": [], "winemaster": []}
    for square in position["squares"]:
        kind, n = ("winemaster", 1) if square.get("winemaster") else ("worker", square["workers"])
        on_map[kind] += [{"seat": square["seat"], "at": place(square["at"])}] * n
    for kind, pieces in on_map.items():
        pieces += [{"seat": seat, "at": "home"} for seat, mat in seats for _ in range(mat[f"{kind}s"])]
    prices, bank = position["prices"], dict(zip(GOODS, game.state.bank.tolist(), strict=True))
    check_drawn(root, {
        **on_map,
        "produced": [{"at": place(square["at"])} for square in position["squares"] if square.get("produced")],
        "water": [{"at": place(at)} for at in position.get("water", [])],
        "box": [{"seat": seat, "good": good} for seat, mat in seats for good in Counter(mat["boxes"]).elements()],
        "stock": [{"good": good} for good in Counter(position["stock"]).elements()],
        "price": [{"good": good, "level": prices[good] - 1} for good in GOODS],
        "sign": [{"good": good, "sign": 1 if sign == "plus" else -1} for good, sign in position["signs"].items()],
        "bank": [{"good": good, "boxes": bank[good]} for good in GOODS],
        "money": [{"seat": seat, "value": mat["money"]} for seat, mat in seats],
        "used": [{"seat": seat, "turn": turn} for seat, mat in seats for turn in mat["used"]],
        "lost": [{"seat": seat, "n": mat["lost"]} for seat, mat in seats if mat["lost"]],
    })  # fmt: skip
    kinds = {node.get("data-square"): node.get("data-kind") for node in root.iter() if node.get("data-square")}
    letters = dict(zip("RWOCAY", (*GOODS, "abandoned"), strict=True))
    assert kinds == {
        f"{row + 1}:{column + 1}": letters[letter]
        for row, line in enumerate(position["map"]) for column, letter in enumerate(line)
    }  # fmt: skip


def check_tiles(game, root, viewer):
    """Used tiles open to all; hands as the viewer may see them."""
    for seat, deck in enumerate(game.to_dict()["seats"]):
        tiles = [tile for tile in tokens(root, "tile") if tile["seat"] == str(seat)]
        assert sorted(int(tile["tile"]) for tile in tiles if tile["at"] == "used") == deck["played"]
        hand = [tile for tile in tiles if tile["at"] != "used"]
        if viewer in (None, seat) or game.options.open_hands:
            assert sorted(int(tile["tile"]) for tile in hand) == deck["hand"]
            assert [int(tile["tile"]) for tile in hand if tile["at"] == "chosen"] == (
                [deck["chosen"]] if "chosen" in deck else []
            )
        else:
            assert [tile["tile"] for tile in hand] == ["hidden"] * len(deck["hand"])
            assert sum(tile["at"] == "chosen" for tile in hand) == ("chosen" in deck)


@pytest.mark.parametrize("table", TABLES)
def test_each_token_is_drawn_once_in_its_place(table):
    for k, game in enumerate(positions(table)):
        viewer = (None, *range(game.num_players))[k % (game.num_players + 1)]
        root = ET.fromstring(game.svg(viewer, columns=COLUMNS[k % 4]))
        check_tokens(game, root)
        check_tiles(game, root, viewer)


def test_removed_winemaster_is_drawn():
    game = full_map([at(1, column) for column in range(1, 6)], {"lost": 1})
    check_tokens(game, ET.fromstring(game.svg()))
    assert tokens(ET.fromstring(game.svg()), "lost") == [{"seat": "0", "n": "1"}]


def test_note_on_reconstructed_components(monkeypatch):
    """Whole at any width, until `components` replaces all of them."""
    game, note = new(1), "Reconstructed where the printed game is not known."
    for columns in (1, 2, 3, 4):
        assert note in " ".join(
            element.text for element in ET.fromstring(game.svg(columns=columns)).iter() if element.text
        )
    assert note in render(game)
    parts = [path for path, part in COMPONENTS.items() if part.source == "reconstructed"]
    monkeypatch.setattr(table, "COMPONENTS", {parts[0]: COMPONENTS[parts[0]]})
    replacement = reduce(lambda value, key: {key: value}, reversed(parts[0].split(".")), 0)
    replaced = SimpleNamespace(options=SimpleNamespace(components=replacement))
    assert table.has_reconstructions(game) and not table.has_reconstructions(replaced)


def test_squares_are_named_like_their_actions():
    game = new(1)
    root = ET.fromstring(game.svg())
    texts = {element.text for element in root.iter() if element.tag.endswith("text")}
    assert texts >= {f"{row}:{column}" for row in range(1, 5) for column in range(1, 9)}


def test_pixels_and_replay_page():
    """Pixels for films, and a replay as one page."""
    env = SingleAgentEnv(game="toscana", num_players=3, render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (800, 1280, 3) and picture.std() > 20
    env.close()
    game = start(2, {"used": ALL}, {"used": ALL[:2]}, to_act=1).step("pass:trading")
    assert "data-token" in str(story(game.log))
