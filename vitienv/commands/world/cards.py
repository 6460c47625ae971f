"""What vitienv cards tells of World: tiles, events, aims, red and blue cards and the partner's."""

from __future__ import annotations

from typing import Any

from vitienv.console import echo, print_json


def show(options: Any, sought: list[str], deck: str | None, json: bool) -> None:
    """List what a game is played with, or what has all these words in it."""
    from vitienv.world.enums import CONTINENTS
    from vitienv.world.render.component_names import Things

    if deck is not None:
        raise ValueError(f"--deck is {deck!r}; leave it out: World's components are in no decks")
    own = Things(options.tables)
    rules = [own.rule(name)._replace(word=f"rule:{name}") for name in CONTINENTS]
    events = [event for name in CONTINENTS for event in own.events(name)]
    everything = [*own.tiles, *rules, *events, *own.aims, *own.parents, *own.partner]
    matching = [one for one in everything if all(word in " ".join(one[:3]).lower() for word in sought)]
    if not matching:
        raise ValueError(f"no component with {' '.join(sought)!r}; leave the words out to see all {len(everything)}")
    if json:
        print_json([one._asdict() for one in matching])
        return
    for one in matching:
        echo(f"{one.word:<24} {one.title}{' (stand-in)' if one.is_stand_in else ''}: {one.text}")
    made_up = sum(one.is_stand_in for one in matching)
    echo(f"{made_up} of {len(matching)} are stand-ins: the printed components could not be looked up")
