"""Viticulture World, the cooperative ruleset, for 1 to 6 seats (World, Overview; General setup).

Its rules and data stand in `vitienv/world`, which is loaded when somebody plays it.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.options import listed
from vitienv.viticulture.state import Rule

if TYPE_CHECKING:
    from vitienv.core.definition import Definition
    from vitienv.viticulture.options import Options

PLAYERS = range(1, 7)
USUAL_PLAYERS = 2
OPTIONS = (
    "continent", "events", "parents", "training_visitors", "partner", "vp_each", "years", "influence_start",
    "components",
)  # fmt: skip
CONTINENTS = ("greengully", "asia", "oceania", "south_america", "europe", "north_america", "africa")
EVENTS = ORDERED, SHUFFLED = ("ordered", "shuffled")
PARENTS = NEW_ALONE, MIXED = ("world", "mixed")
TRAINING = OUT, HATS = ("out", "hats")
PARTNERS = BURATTINO, NO_PARTNER = ("burattino", "none")
MANY_SEATS = 4  # from which on both spaces of an action are in use (W11)


def check(options: "Options") -> None:
    """ValueError names an option that is wrong and what would be right."""
    for name, known in (
        ("continent", CONTINENTS), ("events", EVENTS), ("parents", PARENTS), ("training_visitors", TRAINING),
    ):  # fmt: skip
        if getattr(options, name) not in known:
            raise ValueError(f"unknown {name} {getattr(options, name)!r}; there is {listed(known)}")
    options.check_number("vp_each", 0, 1000)
    options.check_number("years", 1, 100)
    options.check_number("influence_start", 0, 100)
    if options.partner is not None and options.partner not in PARTNERS:
        raise ValueError(f"unknown partner {options.partner!r}; there is None, {listed(PARTNERS)}")
    if options.partner is not None and options.num_players != 1:
        raise ValueError(f"partner is {options.partner!r} at {options.num_players} seats; one seat alone has a partner")
    if options.components is not None:
        from vitienv.world.components import read

        object.__setattr__(options, "components", read(options.components))
    own = tables_of(options)
    if options.events == SHUFFLED and not own.may_shuffle[CONTINENTS.index(options.continent)]:
        raise ValueError(f"events is 'shuffled' on {options.continent!r}; its events always come in order")
    end = own.numbers["influence_end"]
    if options.influence_start is not None and options.influence_start > end:
        raise ValueError(f"influence_start is {options.influence_start}; the track ends at {end}")


def tables_of(options: "Options") -> Any:
    """The data that a game is played with."""
    from vitienv.world import tables

    return tables.DEFAULT if options.components is None else tables.tables(options.components)


def neutral() -> np.ndarray:
    """The numbers of a game in which no lever is moved."""
    from vitienv.world.state import LEVERS

    return LEVERS.neutral()


def numbers(options: "Options") -> dict[int, int]:
    """The ruleset's numbers, by place in the rules (W2, W3, W11, W13, W16, W18, W24, W103)."""
    from vitienv.core.options import SHORT
    from vitienv.world.state import WorldRule

    own = tables_of(options)
    told, seats = own.numbers, int(options.num_players)
    spaces = "alone" if seats == 1 else "many" if seats >= MANY_SEATS else "few"
    found = {
        Rule.GOAL_VP: SHORT,  # nothing ends early
        Rule.TIE_BREAKS: 0,
        Rule.LAST_YEAR: told["last_year"] if options.years is None else options.years,
        Rule.START_VP: told["start_vp"],
        WorldRule.CONTINENT: CONTINENTS.index(options.continent),
        WorldRule.SHUFFLED: int(options.events == SHUFFLED),
        WorldRule.MIXED_PARENTS: int(options.parents == MIXED),
        WorldRule.PARTNER: int(seats == 1 and options.partner != NO_PARTNER),
        WorldRule.TRAINERS: int(options.training_visitors == HATS),
        WorldRule.SPACES_EACH: told[f"spaces_{spaces}"],
        WorldRule.START_INFLUENCE: own.start_influence[seats]
        if options.influence_start is None
        else options.influence_start,
    }
    names = ("influence_end", "vp_each", "over_achieve_at", "yellow_hats", "blue_hats", "hand_limit")
    found |= {WorldRule[name.upper()]: told[name] for name in (*names, "tiles_a_year", "ovals_a_year")}
    found[WorldRule.OVER_ACHIEVE_GAIN] = told["over_achieve_gain"]
    if options.vp_each is not None:
        found[WorldRule.VP_EACH] = options.vp_each
    return found


def definition(options: "Options") -> "Definition":
    """What environments and bots ask about the game: its layouts are longer than those of the other rulesets."""
    from vitienv.world.definition import definition_for

    return definition_for(tables_of(options))
