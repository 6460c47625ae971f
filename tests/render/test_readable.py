"""No letter of a drawing is smaller than ten units, none is cut, and pages show a unit as a pixel at least."""

import xml.etree.ElementTree as ET
from itertools import islice

import pytest

import vitienv
from tests.render.test_drawing import positions
from tests.tables import OTHER_GAMES, TABLES
from vitienv.render.pen import humanize, measure_text, wrap
from vitienv.render.style import DARK, LIGHT, SEATS
from vitienv.toscana.render.style import COLOURS
from vitienv.toscana.render.svg import UNITS
from vitienv.viticulture.enums import STRUCTURES
from vitienv.viticulture.render.mat import SHORT_STRUCTURE_NAMES, STRUCTURE_AT
from vitienv.viticulture.render.style import DECKS, WINES
from vitienv.viticulture.render.text.cards import CARDS

TEN = 10.0


def written(element, scale=1.0):
    """All words below an element with the sizes in which they are seen."""
    if (moved := element.get("transform")) is not None and "scale" in moved:
        scale *= float(moved.partition("scale(")[2].rstrip(")"))
    if element.tag.endswith("text"):
        yield element.text or "", scale * float(element.get("font-size"))
    for inner in element:
        yield from written(inner, scale)


def is_text_of_a_card(words):
    """Return whether cut words are part of a visitor's text, which its tooltip has in full."""
    return any(words.removesuffix("…").strip() in card.text for card in CARDS.values())


@pytest.mark.parametrize("table", TABLES | OTHER_GAMES)
def test_words_are_large_and_whole(table):
    for game in islice(positions(table), 0, None, 2):
        names = ["You", *["a longer name"] * (game.num_players - 1)]
        for columns in (1, 2, 3, 4):
            min_size = TEN / (UNITS.get(columns, 1) if "toscana" in table else 1)
            for words, size in written(ET.fromstring(game.svg(game.current_seat, names, columns))):
                assert size > min_size - 0.05, (columns, words, size)
                assert not words.endswith("…") or is_text_of_a_card(words), (columns, words)


def test_a_phone_shows_long_texts_of_visitors():
    """Whole; only the text of Promoter is longer."""
    hand = {"summer": ["buyer", "negotiator"], "winter": ["noble"]}
    seats = [{"wake_up": 1, "hand": hand}, {"wake_up": 2}]
    game = vitienv.Game.from_dict({"num_players": 2, "year": 2, "season": "summer", "seats": seats})
    words = [words for words, _ in written(ET.fromstring(game.svg(0, columns=1)))]
    assert "Negotiator" in words and not [line for line in words if "…" in line]


def test_cards_in_play_leave_room_for_the_title_of_the_hand():
    seat = {"wake_up": 1, "hand": {"winter": ["caravan"]}, "workers": {"regular": 2, "grande": 1}}
    position = {"num_players": 2, "year": 2, "season": "winter", "seats": [seat, {"wake_up": 2}]}
    game = vitienv.Game.from_dict(position)
    game.step("place:play_winter_visitor:plain:regular").step("card:winter:caravan")
    words = [words for words, _ in written(ET.fromstring(game.svg(0, columns=1)))]
    title, label = (next(line for line in words if part in line) for part in ("Your hand", "in play"))
    assert measure_text(title, 14, "v-b") + measure_text(label, 11) < 312 - 24


def test_wrapped_lines_keep_to_the_width():
    words = "Everybody may train a worker for 1 lira; you score 1 point for each opponent who does."
    for width in (60, 90, 200):
        lines = wrap(words, 10, width)
        assert " ".join(lines) == words and max(measure_text(line, 10) for line in lines) <= width
    assert wrap("Uncertified", 10, 20) == ["Uncertified"]


def test_letter_widths_match_the_font():
    """None is taken for narrower than it is, and words for no more than a tenth wider."""
    matplotlib = pytest.importorskip("matplotlib")
    from matplotlib.ft2font import FT2Font

    for file, kind in (("DejaVuSans", ""), ("DejaVuSans-Bold", "v-b")):
        font = FT2Font(f"{matplotlib.get_data_path()}/fonts/ttf/{file}.ttf")
        font.set_size(1000, 72)
        for words in [*(card.text for card in CARDS.values()), "Large cellar", "0123456789"]:
            font.set_text(words)
            real = font.get_width_height()[0] / 64 / 1000
            assert real <= measure_text(words, 1, kind) + 0.1 and measure_text(words, 1, kind) < 1.1 * real + 0.1, words


def test_structure_names_leave_room_for_their_costs():
    """Written at the smallest size, three units from either edge of its box and as many from the cost."""
    for k, name in enumerate(STRUCTURES):
        width, label = STRUCTURE_AT[k % 4][1], SHORT_STRUCTURE_NAMES.get(name, humanize(name))
        assert 3 + measure_text(label, TEN) + 3 + measure_text("8", TEN) + 3 <= width + 0.5, name
        assert 3 + measure_text(humanize(name), TEN) <= width, name  # built


def luminance(color):
    """Relative luminance by WCAG 2.2."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


BACKGROUNDS = ("paper", "panel", "slot", "earth", "built", "card")
INKS = [
    *SEATS, *WINES.values(), *COLOURS.values(), *((color, "#ffffff") for color in DECKS.values()),
    *((theme[name], theme[ink]) for theme in (LIGHT, DARK) for name in BACKGROUNDS for ink in ("ink", "faint")),
]  # fmt: skip


@pytest.mark.parametrize("background, ink", INKS)
def test_contrast_of_text(background, ink):
    """At least 4.5 : 1, as WCAG 2.2 requires (1.4.3)."""
    dark, light = sorted((luminance(background), luminance(ink)))
    assert (light + 0.05) / (dark + 0.05) >= 4.5
