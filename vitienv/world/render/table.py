"""Table of World as text: the aim, the event, the board by letter, the vineyards."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from vitienv.viticulture.enums import SEASONS, Season
from vitienv.viticulture.render.text.phrases import lira, listed, plain, points
from vitienv.viticulture.render.text.table import seat_lines
from vitienv.world.enums import (
    AT_HAND,
    FIRST_WINTER,
    GRANDE,
    N_LETTERS,
    N_STANCES,
    NO_OVAL,
    OVALS,
    TEMPORARY,
    Hat,
    Place,
    Tile,
)
from vitienv.world.render.component_names import Components, components_of, tile_name, tiles_on_show
from vitienv.world.render.events import VineyardGame
from vitienv.world.render.prompts import at_hand
from vitienv.world.state import WorldRule

GAP = 2
MARKS = {int(Hat.BARE): "", int(Hat.YELLOW): "y", int(Hat.BLUE): "b"}
KEY = "+ rectangle, (oval), y b hats, G grande, T temporary; for stand-ins: cards"


def aim(game: Any) -> str:
    """Describe the conditions of a win, the current values and the last year."""
    r = game.state
    target, end = int(r.rules[WorldRule.VP_EACH]), game.influence_goal
    scores = listed(map(str, game.scores))
    if game.is_over:
        return f"Influence {game.influence} of {end}; {scores} of {points(target)}{' each' * (len(game.scores) > 1)}."
    subject, scope = ("The team needs", " for every seat") if len(game.scores) > 1 else ("You need", "")
    years = int(r.rules[game.game_spec.rule_parameter("last_year")])
    goal = f"influence {end} (now {game.influence}) and {points(target)}{scope} (now {scores})"
    return f"{subject} {goal} by the end of year {years}."


def table(game: Any, viewer: int | None, names: Sequence[str], width: int = 80) -> str:
    """Return the state of the game as text. viewer: seat whose hand is shown; None shows all."""
    components, shell, width = components_of(game.options), VineyardGame(game), max(40, width)
    lines = textwrap.wrap(_headline(game, components), width)
    lines += [*textwrap.wrap(_event(game, components), width, subsequent_indent="  "), ""]
    lines += _board(game, components, names, width)
    lines += seat_lines(shell, viewer, names, width, lambda seat: _standing(game, seat))
    return "\n".join([*lines, "", KEY[:width]])


def _headline(game: Any, components: Components) -> str:
    season = plain(SEASONS[int(game.state.season)])
    date = f"year {game.year}, {season}" if game.year else "before the first year"
    return f"{components.rule(game.options.continent).title}, {date}. {aim(game)}"


def _event(game: Any, components: Components) -> str:
    r, sentence = game.state, ""
    if r.event >= 0:
        event = components.event(game.options.continent, int(r.event) + 1)
        sentence = f"Event: {event.title}. {event.text}" + (" It is met." if r.goal_met else "")
    sentence += f" Rule: {components.rule(game.options.continent).text}"
    sentence += f" On show: {listed(tile_name(word) for word in tiles_on_show(game)) or 'nothing'}."
    if r.rules[WorldRule.PARTNER]:
        sentence += f" The partner has {lira(int(r.partner_lira))}."
    return sentence.strip()


def _board(game: Any, components: Components, names: Sequence[str], width: int) -> list[str]:
    """Return the actions with their tiles and workers, in two columns by letter."""
    year_round = [_cell(game, components, int(place), names) for place in (Place.GAIN_LIRA, Place.YOKE, Place.EVENT)]
    room = (width - GAP) // 2
    lines = []
    for pair in zip_longest(range(FIRST_WINTER), range(FIRST_WINTER, N_LETTERS)):
        sides = [textwrap.wrap(_cell(game, components, place, names), room, subsequent_indent="  ") for place in pair]
        lines += [f"{a:<{room}}{' ' * GAP}{b}".rstrip() for a, b in zip_longest(*sides, fillvalue="")]
    occupied = [cell for cell in year_round if ":" in cell]
    return lines + (textwrap.wrap("; ".join(occupied), width) if occupied else [])


def _cell(game: Any, components: Components, place: int, names: Sequence[str]) -> str:
    """Describe an action with its tiles and workers: "K+Harvest field (vp): You G, 1 b"."""
    r, name = game.state, components.name(place)
    if place < N_LETTERS:
        name = f"{name[0]}{'+' if r.tile[place] == Tile.PLACED else ' '}{name[2:]}"
        if r.oval_on[place] != NO_OVAL:
            name += f" ({plain(OVALS[int(r.oval_on[place])])})"
    workers = _workers(game, place, names)
    return f"{name}: {', '.join(workers)}" if workers else name


def _workers(game: Any, place: int, names: Sequence[str]) -> list[str]:
    r, workers = game.state, []
    for seat in range(game.num_players):
        for w, at in enumerate(r.at[seat].tolist()):
            if at != AT_HAND and at // N_STANCES == place:
                mark = {GRANDE: "G", TEMPORARY: "T"}.get(w) or MARKS[int(r.hat[seat, w])]
                workers.append(f"{names[seat]} {mark}".rstrip())
    if place < N_LETTERS and r.partner_on[place]:
        workers.append("partner")
    return workers


def _standing(game: Any, seat: int) -> list[str]:
    r = game.state
    parts = [f"position {int(r.row[seat])}"] if r.row[seat] else []
    is_out = r.passed[seat] and r.season in (Season.SUMMER, Season.WINTER)
    parts.append("passed" if is_out else f"at hand {listed(at_hand(r, seat)) or 'nobody'}")
    dealt = zip(r.aims[seat], r.aims_met[seat], strict=True)
    aims = [f"{int(aim) + 1}{' met' if met else ''}" for aim, met in dealt if aim >= 0]
    return parts + ([f"aims {listed(aims)}"] if aims else [])
