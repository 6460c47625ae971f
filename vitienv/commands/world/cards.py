"""List of World's components for `vitienv cards`."""

from __future__ import annotations

from typing import Any

from vitienv.console import echo, print_json


def show(options: Any, words: list[str], deck: str | None, json: bool) -> None:
    """Print all components of a game, or those that contain all words."""
    from vitienv.world.enums import CONTINENTS
    from vitienv.world.render.component_names import Components

    if deck is not None:
        raise ValueError(f"--deck must be unset for World, got {deck!r}")
    names = Components(options.tables)
    rules = [names.rule(name)._replace(word=f"rule:{name}") for name in CONTINENTS]
    events = [event for name in CONTINENTS for event in names.events(name)]
    components = [*names.tiles, *rules, *events, *names.aims, *names.parents, *names.partner]
    matching = [entry for entry in components if all(word in " ".join(entry[:3]).lower() for word in words)]
    if not matching:
        raise ValueError(f"no component with {' '.join(words)!r}; leave the words out to see all {len(components)}")
    if json:
        print_json([entry._asdict() for entry in matching])
        return
    for entry in matching:
        echo(f"{entry.word:<24} {entry.title}{' (stand-in)' if entry.is_stand_in else ''}: {entry.text}")
    num_stand_ins = sum(entry.is_stand_in for entry in matching)
    echo(f"{num_stand_ins} of {len(matching)} are stand-ins for printed components that are not documented")
