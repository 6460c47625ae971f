"""The rules for who has never seen a game: short, whole, with the numbers of what is played, and those of the docs."""

import re
from pathlib import Path

import pytest

import vitienv
from vitienv.render.primer import MAX_CHARS, primer_of
from vitienv.viticulture.options import Options
from vitienv.viticulture.render.text.primer import NUMBERS, SECTION_RULESETS, TABLES, sections
from vitienv.world.enums import CONTINENTS

ALL = [
    *[("viticulture", {"num_players": n}) for n in (2, 6)],
    *[("viticulture", {"ruleset": "original", "num_players": n}) for n in (2, 6)],
    *[("viticulture", {"ruleset": "solo", "difficulty": level}) for level in ("very_easy", "normal", "very_hard")],
    ("viticulture", {"ruleset": "solo", "challenge": 5, "aggressive": True, "draft_parents": True}),
    *[("world", {"continent": name, "num_players": n}) for name in CONTINENTS for n in (1, 2, 6)],
    ("world", {"num_players": 1, "partner": "none", "parents": "mixed", "vp_each": 30, "training_visitors": "hats"}),
    *[("toscana", {"num_players": n}) for n in (2, 5)],
    ("toscana", {"player_trades": True, "map": "pieces"}),
]


@pytest.mark.parametrize("game,options", ALL, ids=str)
def test_primer_is_short_and_complete(game, options):
    text = vitienv.primer(game, **options)
    assert 4_000 < len(text) <= MAX_CHARS
    assert not re.search(r"[{}]|\]\(|<!--|32767|\n\n\n", text)
    assert max(map(len, text.splitlines())) < 500


def test_primer_has_the_numbers_of_the_options():
    text = vitienv.primer(ruleset="original", train_price=2, large_cellar_price=9, field_capacities=(4, 5, 8))
    assert "pay 2 lira for a new worker" in text and "New workers cost 2 lira" in text
    assert "| large cellar | 9 |" in text and "its limit (4, 5 and 8)" in text and "| irrigation | 2 |" in text
    assert "| winter | Cart |" in text and "| both | Cart |" in vitienv.primer()
    assert "8 years against a marker at 20" in vitienv.primer(ruleset="solo", difficulty="very_easy")
    assert "7 years against a marker at 23" in vitienv.primer(ruleset="solo", difficulty="very_hard")
    world = vitienv.primer("world", num_players=6, continent="asia", vp_each=31, influence_start=2)
    assert "must have at least 31 points" in world and "it starts at 2" in world and "The continent: Asia" in world
    assert "simulated partner" not in world and "simulated partner" in vitienv.primer("world", num_players=1)
    components = {"start": {"price_level": {"red": 6, "white": 2, "rose": 2, "champagne": 3, "water": 1}}}
    assert "Prices start at red 7, white 3" in vitienv.primer("toscana", components=components)
    assert "Prices start at red 2, white 3" in vitienv.primer("toscana")


def test_primer_has_the_sections_of_its_ruleset():
    for ruleset in Options.RULESETS:
        text = vitienv.primer(ruleset=ruleset)
        for name, rulesets in SECTION_RULESETS.items():
            assert (f"\n## {name}\n" in text) == (ruleset in rulesets), (ruleset, name)
    assert SECTION_RULESETS.keys() < sections().keys()
    used = set(re.findall(r"\{(\w+)\}", "".join(sections().values())))
    assert used == NUMBERS.keys() | TABLES.keys()


def test_primer_lists_options_that_differ_from_the_default():
    text = vitienv.primer(num_players=3, friendly=True, max_years=4)
    assert text.startswith("# Viticulture, essential: the rules for 3 seats\n")
    assert "* friendly (essential: variant" in text and "* max_years: 4 (the game is truncated" in text
    assert "At this table" not in vitienv.primer(num_players=3, reward="rank", skip_forced=True)


def test_game_without_a_primer_names_the_missing_function():
    with pytest.raises(ValueError, match=r"High card has no primer; define the function `primer` of vitienv.render"):
        vitienv.primer("tests.toy.game_spec")


def test_primer_is_installed_with_the_package():
    """Not in the documentation, which is not installed."""
    files = [path for path in Path(vitienv.__file__).parent.rglob("primer.md")]
    assert len(files) == 3
    assert primer_of(Options()) == vitienv.primer()
