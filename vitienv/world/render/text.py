"""World in words, see `vitienv.render.text`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vitienv.render.text import Picks
from vitienv.viticulture.render import text as others
from vitienv.viticulture.render.text.phrases import sentence
from vitienv.world.enums import CONTINENTS, LETTERS, OVALS, PLACES
from vitienv.world.render.component_names import Thing, Things, things_of
from vitienv.world.render.events import AsOthers, told
from vitienv.world.render.primer import primer
from vitienv.world.render.prompts import TURNS, Here, choice, choices, question
from vitienv.world.render.table import aim, table

__all__ = ["about", "aim", "begins_turn", "choices", "in_hand", "named", "picks", "question", "table", "things"]
__all__ += ["primer", "told"]

TERMS = {
    "influence": "The influence token must come to the end of its track. Steps are bought on P, come from the "
    "continent's rule and its events, and once for each seat that reaches 30 points. It never moves back.",
    "hat": "A worker under a yellow hat can be placed in summer only, one under a blue hat in winter only. Training "
    "takes the hat off; only workers without one, the grande and the temporary one gain the bonus of an oval.",
    "trade": "Whoever places the grande where another seat has a worker may trade once with that seat: lira, vine "
    "cards, orders, a grape or a wine for any of these, or for nothing. Both must agree.",
    "tile": "Innovate takes a tile on show. A rectangle goes on the action of its letter and replaces what it does; "
    "an oval goes on any action, which is then never full, and gives trained workers a bonus. Both serve everybody.",
    "team": "After the last year every seat must have its points and the influence token must stand on the end of its "
    "track; otherwise all have lost.",
    "fall": "Who passes in summer takes lira, a card, or ages a grape.",
}


def begins_turn(game: Any) -> bool:
    """Whether the question stands at the start of a turn, not in the midst of an action."""
    return game.decision in TURNS


def picks(game: Any, names: Sequence[str] = ()) -> Picks | None:
    """Cards that are to be named together."""
    return others.picks(AsOthers(game), names)


def in_hand(game: Any, viewer: int) -> list[str]:
    """What the viewer's visitors do."""
    return others.in_hand(game, viewer)


def about(word: str, game: Any = None) -> list[str]:
    """Paragraphs on a place, a tile, an event, an aim or a card; [] if the word means nothing here."""
    things = Things() if game is None else things_of(game.options)
    name = "_".join(word.strip().split())
    if game is not None and not game.is_over and name in game.legal_actions():
        block = name.partition(":")[0]
        if block not in ("card", "structure", "deck"):
            found = choice(Here(game), name)
            return [sentence(f"{found.name}: {found.text}" if found.text else found.name)]
    if name in LETTERS:
        return [_place(things, things.place(name), game), told_of(things.tile(name))]
    low = name.lower()
    if low.startswith("tile:"):
        low = name = name[5:]
    if name in LETTERS or low in OVALS:
        return [told_of(things.tile(name if name in LETTERS else low))]
    if low in TERMS:
        return [TERMS[low]]
    if low in CONTINENTS:
        return [told_of(things.rule(low)), *(told_of(event) for event in things.events(low))]
    if low in ("event", "aims", "partner"):
        listed = {"aims": things.aims, "partner": things.partner}
        if low in listed:
            return [told_of(one) for one in listed[low]]
        now = -1 if game is None else int(game.state.event)
        if now >= 0:
            return [told_of(things.event(game.options.continent, now + 1))]
    if low in PLACES:
        return [_place(things, PLACES.index(low), game)]
    for one in (*things.aims, *things.partner, *things.parents):
        if one.word == low:
            return [told_of(one)]
    return others.about(word, None)


def _place(own: Things, place: int, game: Any) -> str:
    has_tile = game is not None and place < len(LETTERS) and game.state.tile[place] == 2
    cover = own.cover(place) if place < len(LETTERS) else ""
    covering = f" Covering it with an oval {cover}." if cover else ""
    return f"{own.name(place)}: {own.does(place, bool(has_tile))}.{covering}"


def told_of(thing: Thing) -> str:
    """A component in a line; a stand-in is called one."""
    remark = " (A stand-in: the printed one is not known.)" if thing.is_stand_in else ""
    return f"{thing.title}. {thing.text}{remark}"


def named(options: Any) -> list[tuple[str, ...]]:
    """The parents, the continents with their events, and the aims, as the data at hand call them."""
    own = things_of(options)
    found = {names[0]: [(kind, *names)] for kind, *names in others.named(options)}
    found |= {aim.word: [("card", aim.title)] for aim in own.aims}
    for continent in CONTINENTS:
        events = [("card", event.title) for event in own.events(continent)]
        found[continent] = [("place", continent, own.rule(continent).title), *events]
    return [one for word in sorted(found) for one in found[word]]


def things(game: Any = None) -> list[str]:
    """The words that `about` knows."""
    own = Things()
    words = {*LETTERS, *OVALS, *TERMS, *CONTINENTS, *PLACES, "event", "aims", "partner"}
    words |= {one.word for one in (*own.aims, *own.partner, *own.parents)}
    return sorted(words | set(others.things(None)))
