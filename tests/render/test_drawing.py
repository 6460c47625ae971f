"""The drawing is compared with the position: each token once, where it is, and no card that the viewer cannot see."""

import xml.etree.ElementTree as ET
from collections import Counter
from itertools import islice

import pytest

import vitienv
from tests.random_play import decisions
from tests.tables import OTHER_GAMES, TABLES
from vitienv.render.text import choices
from vitienv.viticulture.render.hands import SIZES, flow
from vitienv.viticulture.render.text.cards import CARDS

EVERY = 29  # decisions between two drawings


def positions(table, seed=5, max_steps=500):
    options = {"max_years": 9, **TABLES[table]} if table in TABLES else OTHER_GAMES[table]
    games = decisions(seed, avoid=("pass",), **options)
    every = EVERY if table in TABLES else EVERY // 3
    return (game for step, game in enumerate(islice(games, max_steps)) if step % every == 0 or game.is_over)


def draw(game, viewer=None, **form):
    return ET.fromstring(game.svg(viewer, **form))


def tokens(root, token_type):
    """The data of all tokens of a kind."""
    attributes = [group.attrib for group in root.iter() if group.get("data-token") == token_type]
    return [
        {key.removeprefix("data-"): value for key, value in attribute.items() if key != "data-token"}
        for attribute in attributes
    ]


def counted(dicts):
    return Counter(tuple(sorted((key, str(value)) for key, value in data.items())) for data in dicts)


def expected_workers(position):
    for act, stands in position["board"].items():
        for stand in stands:
            yield {"seat": stand["seat"], "kind": stand["worker"], "at": f"{act}:{stand['space']}"}
    for seat, data in enumerate(position["seats"]):
        for kind, n in data["workers"].items():
            yield from [{"seat": seat, "kind": kind, "at": "home"}] * n


def check_drawn(root, expected):
    """Compare the data of every token of each kind with the expected."""
    for token_type, dicts in expected.items():
        assert counted(tokens(root, token_type)) == counted(dicts), token_type


def check_tokens(game, root):
    position = game.to_dict()
    blocker = {1} if game.options.ruleset == "solo" and game.options.automa_replacement == "blocker" else set()
    seats = list(enumerate(position["seats"]))
    players = [(seat, data) for seat, data in seats if seat not in blocker]
    points = [{"seat": seat, "value": data["victory_points"]} for seat, data in players]
    if "automa_points" in position:
        points.append({"seat": "automa", "value": position["automa_points"]})
    vines = [
        {"seat": seat, "field": k, "card": vine}
        for seat, data in players for k, field in enumerate(data["fields"]) for vine in field["vines"]
    ]  # fmt: skip
    goods = {
        token_type: [
            {"seat": seat, "kind": kind, "value": value}
            for seat, data in players for kind, values in data[key].items() for value in values
        ]
        for token_type, key in (("grape", "crush_pad"), ("wine", "cellar"))
    }  # fmt: skip
    check_drawn(root, {
        "worker": expected_workers(position),
        "rooster": [{"seat": seat, "row": data["wake_up"]} for seat, data in seats if data["wake_up"]],
        "points": points,
        "residual": [{"seat": seat, "value": data["residual"]} for seat, data in players],
        "glass": [{"seat": seat, "row": row} for seat, data in seats for row in data.get("glass_tokens", [])],
        "trained": [{"seat": seat} for seat, data in seats for _ in range(data["trained_this_year"])],
        "vine": vines,
        **goods,
    })  # fmt: skip
    built = {data.get("data-structure") for data in root.iter() if data.get("data-built") == "1"}
    assert built == {f"{seat}:{name}" for seat, data in players for name in data["structures"]}
    assert {data["deck"]: int(data["cards"]) for data in tokens(root, "pile") if data["cards"] != "0"} == {
        deck: len(cards) for deck, cards in position["discards"].items()
    }


def check_hands(game, root, viewer):
    hand_tokens = [data for data in tokens(root, "card") if data["at"] == "hand"]
    for seat, data in enumerate(game.to_dict()["seats"]):
        hand = Counter((deck, card) for deck, cards in data["hand"].items() for card in cards)
        drawn_hand = Counter((card["deck"], card["card"]) for card in hand_tokens if card["seat"] == str(seat))
        is_open = viewer in (None, seat) or game.options.open_hands
        if is_open:
            assert drawn_hand == hand
        else:
            known_cards = Counter({card: n for card, n in drawn_hand.items() if card[1] != "hidden"})
            assert not known_cards - hand
            decks = [Counter(deck for deck, _ in some.elements()) for some in (drawn_hand, hand)]
            assert decks[0] == decks[1]


@pytest.mark.parametrize("table", TABLES)
def test_each_token_is_drawn_once_where_it_is(table):
    for k, game in enumerate(positions(table)):
        root = draw(game, columns=(4, 3, 2, 1)[k % 4])
        check_tokens(game, root)
        check_hands(game, root, None)


@pytest.mark.parametrize("table", TABLES | OTHER_GAMES)
def test_legal_actions_are_marked(table):
    """Every legal action and every element of a set is behind something that can be pointed at, and nothing else is."""
    for k, game in enumerate(positions(table, seed=8)):
        for viewer in {None, game.current_seat}:
            root = draw(game, viewer, columns=(4, 3, 2, 1)[k % 4])
            marked = [int(n) for group in root.iter() for n in group.get("data-actions", "").split()]
            picks = game.game_spec.text_module.picks(game)
            names = {choice.action for choice in picks.choices} if picks else game.legal_actions()
            assert set(marked) == {game.game_spec.actions.number(name) for name in names}
            assert "toscana" not in table or len(marked) == len(names)  # once
            cards = [data for data in root.iter() if data.get("data-token") == "card"]
            offered = [data for data in cards if any(part.get("data-actions") for part in data.iter())]
            assert {data.get("data-seat") for data in offered} <= {str(game.current_seat)}
        for viewer in set(range(game.num_players)) - {game.current_seat}:
            assert "data-actions" not in game.svg(viewer)


SEVERAL_SEATS = [name for name, options in (TABLES | OTHER_GAMES).items() if options.get("num_players", 1) > 1]


@pytest.mark.parametrize("table", SEVERAL_SEATS)
def test_nothing_hidden_is_drawn(table):
    """The drawing does not depend on hidden information."""
    num_changed = 0
    for k, game in enumerate(positions(table)):
        viewer = k % game.num_players
        if table in TABLES:
            check_hands(game, draw(game, viewer), viewer)
        if not game.is_over and not game.options.open_hands:
            for other in (viewer, (viewer + 1) % game.num_players):
                deal = game.determinize(other, seed=k)
                assert deal.svg(other) == game.svg(other)
                num_changed += deal.svg() != game.svg()
    assert num_changed > 2 or game.options.open_hands


def test_a_worker_is_marked_where_the_producer_may_take_it_back():
    game = vitienv.Game.from_dict({"num_players": 2, "season": "summer", "year": 2, "seats": [
        {"wake_up": 1, "lira": 5, "hand": {"summer": ["producer"]}, "workers": {"regular": 1, "grande": 0}},
        {"wake_up": 2}],
        "board": {"give_tour": [{"space": "plain", "seat": 0, "worker": "regular"}],
                  "draw_vine": [{"space": "plain", "seat": 1, "worker": "regular"}]}})  # fmt: skip
    for action in ("place:play_summer_visitor:plain:regular", "card:summer:producer"):
        game.step(action)
    assert game.decision == "retrieve_worker"
    marked = {group.get("data-space"): group.get("data-actions") for group in draw(game).iter()}
    assert marked["draw_vine:plain"] is None
    assert marked["give_tour:plain"] == str(vitienv.ACTIONS.number("place:give_tour:plain:regular"))


@pytest.mark.parametrize("game", vitienv.registry.game_names())
def test_themes_without_a_style_sheet(game):
    """For rasterisers every class becomes attributes; the pages' form follows the reader's setting."""
    game = vitienv.Game.new(seed=1, game=game)
    assert game._repr_svg_() == game.svg()
    assert "prefers-color-scheme" in game.svg() and 'class="v-paper"' in game.svg()
    light, dark = game.svg(theme="light"), game.svg(theme="dark")
    for svg in (light, dark):
        assert "class=" not in svg and "<style" not in svg and 'fill=""' not in svg
    assert light != dark


def test_any_number_of_cards_fits():
    for n in range(1, 61):
        across, step, width, height = flow(n, 142, 30)
        assert (width, height) in SIZES
        assert -(-n // across) * (height + 4) - 4 <= 30 and (across - 1) * step + width <= 142.01


@pytest.mark.parametrize("arguments, why", [
    ({"viewer": 2}, "seat must be an integer from 0 to 1, got 2"),
    ({"viewer": 1.0}, "seat must be an integer from 0 to 1, got 1.0"),
    ({"viewer": "0"}, "seat must be an integer from 0 to 1, got '0'"),
    ({"viewer": True}, "seat must be an integer from 0 to 1, got True"),
    ({"names": ["Ann"]}, "names must be one for each of 2 seats"),
    ({"columns": 5}, "columns must be 1, 2, 3 or 4, got 5"),
    ({"theme": "red"}, "'auto'"),
])  # fmt: skip
def test_invalid_arguments_are_refused(arguments, why):
    with pytest.raises(ValueError, match=why):
        vitienv.Game.new(seed=1).svg(**arguments)


def test_vines_are_inside_the_area_of_their_field():
    """Its vines lie over its middle: they are inside what is lit."""
    fields = [{"capacity": 7, "vines": ["pinot", "syrah", "malvasia"]}, {"capacity": 5}, {"capacity": 6}]
    mine = {"fields": fields, "structures": ["trellis", "irrigation"]}
    game = vitienv.Game.from_dict({"season": "winter", "seats": [mine, {}]})
    game.step("place:harvest_field:plain:regular")
    lit = [group for group in draw(game, 0).iter() if group.get("data-actions") and group.get("data-field")]
    assert [len(tokens(group, "vine")) for group in lit] == [3]


def test_names_of_structures_are_not_cut():
    mine = {"structures": ["tasting_room", "windmill", "medium_cellar"], "used": ["tasting_room", "windmill"]}
    root = draw(vitienv.Game.from_dict({"season": "summer", "seats": [mine, {}]}))
    words = [text.text or "" for text in root.iter() if text.tag.endswith("text")]
    assert words.count("Tasting room") == 2 and not [word for word in words if "…" in word]


@pytest.mark.parametrize("columns", [4, 3, 2, 1])
def test_buttons_have_titles_and_texts(columns):
    """In its own words, whole when pointed at, and never wider than the drawing."""
    for game, max_steps in (vitienv.Game.new(num_players=2, seed=7), 1), (long_choices(), 2):
        root = draw(game, columns=columns)
        wide = float(root.get("viewBox").split()[2])
        buttons = choices(game)
        groups = {button.get("data-actions"): button for button in root.iter() if button.get("data-actions")}
        for choice in buttons:
            button = groups[str(vitienv.ACTIONS.number(choice.action))]
            assert button[0].text == (f"{choice.name}: {choice.text}" if choice.text else choice.name)
            lines = [line.text for line in button if line.tag.endswith("text")]
            assert choice.name.startswith(" ".join(lines).rstrip("…")) and 0 < len(lines) <= max_steps
            box = button[-1]
            assert float(box.get("x")) >= 0 and float(box.get("x")) + float(box.get("width")) <= wide
    assert len(buttons) == 2 and all(len(choice.name) > 100 for choice in buttons)


def long_choices():
    """A choice between the two things of a card that are the longest in words."""
    game = vitienv.Game.from_dict({"num_players": 2, "season": "winter", "year": 2, "seats": [
        {"wake_up": 1, "hand": {"winter": ["promoter"]}, "crush_pad": {"red": [1], "white": []},
         "cellar": {"red": [2], "white": [], "blush": [], "sparkling": []}}, {"wake_up": 2}]})  # fmt: skip
    for action in ("place:play_winter_visitor:plain:regular", "card:winter:promoter"):
        game.step(action)
    return game


def test_names_of_seats_are_escaped():
    svg = vitienv.Game.new(seed=1).svg(names=["<b>&", '"x" onload="y'])
    assert ET.fromstring(svg) is not None and "<b>" not in svg


@pytest.mark.parametrize("tokens, words", [(1, "1 bonus token ·"), (2, "2 bonus tokens ·")])
def test_plural_of_bonus_tokens(tokens, words):
    assert words in vitienv.Game.new(ruleset="solo", bonus_tokens=tokens, seed=1).svg()


def test_question_is_shown_to_the_deciding_seat():
    game = vitienv.Game.new(seed=1)
    question, other = game.game_spec.text_module.question(game), 1 - game.current_seat
    assert question.endswith("your choice of a gift.")
    assert question in draw(game, game.current_seat)[0].text and question in draw(game)[0].text
    assert draw(game, other)[0].text.endswith(f"Seat {game.current_seat + 1} decides")


def test_abbreviated_vines_on_fields():
    fields = [{"capacity": 7, "vines": ["sauvignon_blanc", "merlot", "malvasia"]}, {"capacity": 6, "vines": ["pinot"]}]
    position = {"season": "summer", "seats": [{"fields": fields, "wake_up": 1}, {"wake_up": 2}]}
    for columns in (1, 3, 4):
        labels = [element.text for element in draw(vitienv.Game.from_dict(position), columns=columns).iter()]
        assert {"Sauv. blanc", "Merlot", "Pinot"} <= set(labels)


def test_cards_show_the_texts_of_visitors():
    """Where there is room, on wide pages and on a phone, which cannot point at it."""
    hand = {"summer": ["landscaper"], "winter": ["laborer"]}
    game = vitienv.Game.from_dict({"season": "summer", "seats": [{"hand": hand, "wake_up": 1}, {"wake_up": 2}]})
    for columns in (1, 3, 4):
        words = " ".join(
            element.text for element in draw(game, viewer=0, columns=columns).iter() if element.tag.endswith("text")
        )
        for card in ("landscaper", "laborer"):
            assert CARDS[card].text in words
