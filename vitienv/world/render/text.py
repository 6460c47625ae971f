"""Texts of World; see `vitienv.render.text`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vitienv.render.text import Picks
from vitienv.viticulture.render import text as viticulture_text
from vitienv.viticulture.render.text.phrases import sentence
from vitienv.world.enums import CONTINENTS, LETTERS, OVALS, PLACES
from vitienv.world.render.component_names import Component, Components, components_of
from vitienv.world.render.events import VineyardGame, describe_move
from vitienv.world.render.primer import primer
from vitienv.world.render.prompts import TURNS, Prompt, choice, question
from vitienv.world.render.table import aim, table

__all__ = ["TURNS", "Prompt", "aim", "choice", "component_aliases", "describe_move", "explain", "in_hand",
           "picks", "primer", "question", "table", "topics"]  # fmt: skip

TERMS = {
    "influence": "The influence token must reach the end of its track. Steps are bought on P, come from the "
    "continent's rule and its events, and once for each seat that reaches 30 points. It never moves back.",
    "hat": "A worker under a yellow hat can be placed in summer only, one under a blue hat in winter only. Training "
    "takes the hat off; only workers without one, the grande and the temporary one gain the bonus of an oval.",
    "trade": "A seat that places the grande where another seat has a worker may trade once with that seat: lira, vine "
    "cards, orders, a grape or a wine for any of these, or for nothing. Both must agree.",
    "tile": "Innovate takes a tile on show. A rectangle goes on the action of its letter and replaces what it does; "
    "an oval goes on any action, which is then never full, and gives trained workers a bonus. Both serve everybody.",
    "team": "After the last year every seat must have its points and the influence token must be at the end of its "
    "track; otherwise all have lost.",
    "fall": "A seat that passes in summer takes lira, a card, or ages a grape.",
}


def picks(game: Any, names: Sequence[str] = ()) -> Picks | None:
    """Return the cards of a decision about several cards; see `vitienv.render.text`."""
    return viticulture_text.picks(VineyardGame(game), names)


def in_hand(game: Any, viewer: int) -> list[str]:
    """Describe the viewer's visitors."""
    return viticulture_text.in_hand(game, viewer)


def explain(topic: str, game: Any = None) -> list[str]:
    """Describe a place, tile, event, aim or card in paragraphs; [] for an unknown word."""
    components = Components() if game is None else components_of(game.options)
    name = "_".join(topic.strip().split())
    if game is not None and not game.is_over and name in game.legal_actions():
        block = name.partition(":")[0]
        if block not in ("card", "structure", "deck"):
            return [sentence(choice(Prompt(game), name).line)]
    texts = _texts(components, game)
    return texts.get(name) or texts.get(name.lower()) or viticulture_text.explain(topic, None)


def _texts(components: Components, game: Any) -> dict[str, list[str]]:
    lists = {"aims": components.aims, "partner": components.partner}
    lists |= {
        component.word: [component] for component in sum((*lists.values(), components.tiles, components.parents), [])
    }
    lists |= {name: [components.rule(name), *components.events(name)] for name in CONTINENTS}
    lists |= {oval: [components.tile(oval)] for oval in OVALS}
    if game is not None and game.state.event >= 0:
        lists["event"] = [components.event(game.options.continent, int(game.state.event) + 1)]
    texts = {name: [_place(components, place, game)] for place, name in enumerate(PLACES)}
    texts |= {word: [describe_component(component) for component in row] for word, row in lists.items()}
    texts |= {term: [text] for term, text in TERMS.items()}
    for letter in LETTERS:
        place = _place(components, components.place(letter), game)
        texts[letter] = [place, describe_component(components.tile(letter))]
    return texts


def _place(components: Components, place: int, game: Any) -> str:
    has_tile = game is not None and place < len(LETTERS) and game.state.tile[place] == 2
    cover = components.cover(place) if place < len(LETTERS) else ""
    covering = f" Covering it with an oval {cover}." if cover else ""
    return f"{components.name(place)}: {components.does(place, bool(has_tile))}.{covering}"


def describe_component(component: Component) -> str:
    """Describe a component in a line that marks stand-ins."""
    note = " (A stand-in: the printed one is not known.)" if component.is_stand_in else ""
    return f"{component.title}. {component.text}{note}"


def component_aliases(options: Any) -> list[tuple[str, ...]]:
    """Return the names of parents, continents with their events, and aims in the data of the game."""
    components = components_of(options)
    aliases = {names[0]: [(kind, *names)] for kind, *names in viticulture_text.component_aliases(options)}
    aliases |= {aim.word: [("card", aim.title)] for aim in components.aims}
    for continent in CONTINENTS:
        events = [("card", event.title) for event in components.events(continent)]
        aliases[continent] = [("place", continent, components.rule(continent).title), *events]
    return [alias for word in sorted(aliases) for alias in aliases[word]]


def topics(game: Any = None) -> list[str]:
    """Return the topics that `explain` knows."""
    return sorted({*_texts(Components(), None), *viticulture_text.topics(None)})
