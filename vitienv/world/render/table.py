"""World's table as people want to see it: what is missing, the event, the board by its letters, the vineyards."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from vitienv.viticulture.enums import SEASONS, Season
from vitienv.viticulture.render.text.phrases import lira, listed, plain, points
from vitienv.viticulture.render.text.table import laid_out, vineyard, wrapped
from vitienv.world.enums import (
    AT_HAND,
    FIRST_WINTER,
    GRANDE,
    N_LETTERS,
    N_STANDS,
    NO_OVAL,
    OVALS,
    TEMPORARY,
    Hat,
    Place,
    Tile,
)
from vitienv.world.render.component_names import Things, shown, things_of, tile_named
from vitienv.world.render.prompts import at_hand
from vitienv.world.state import WorldRule

GAP = 2
MARKS = {int(Hat.BARE): "", int(Hat.YELLOW): "y", int(Hat.BLUE): "b"}
KEY = "+ rectangle, (oval), y b hats, G grande, T temporary; for stand-ins: cards"


def aim(game: Any) -> str:
    """What is missing for both conditions, and how much time is left."""
    r = game.state
    each, end = int(r.rules[WorldRule.VP_EACH]), game.influence_goal
    now = listed(map(str, game.scores))
    if game.is_over:
        return f"Influence {game.influence} of {end}; {now} of {points(each)}{' each' * (len(game.scores) > 1)}."
    who, whose = ("The team needs", " for every seat") if len(game.scores) > 1 else ("You need", "")
    years = int(r.rules[game.game_spec.rule_parameter("last_year")])
    wanted = f"influence {end} (now {game.influence}) and {points(each)}{whose} (now {now})"
    return f"{who} {wanted} by the end of year {years}."


def table(game: Any, viewer: int | None, names: Sequence[str], width: int = 80) -> str:
    """The state of the game in lines. viewer: whose hand is shown; None shows all."""
    from vitienv.world.render.events import AsOthers

    things, seen, width = things_of(game.options), AsOthers(game), max(40, width)
    lines = textwrap.wrap(_headline(game, things), width)
    lines += [*textwrap.wrap(_event(game, things), width, subsequent_indent="  "), ""]
    lines += _board(game, things, names, width)
    seats = list(range(game.num_players))
    if viewer is not None:  # the reader's own vineyard stands last, next to the question
        seats = [(viewer + k) % game.num_players for k in range(1, game.num_players)] + [viewer]
    for seat in seats:
        is_own = viewer is None or viewer == seat or game.options.open_hands
        first = f"{'>' if seat == game.current_seat else ' '} {names[seat]:<13} "
        lines += ["", *wrapped(_standing(game, seat), width, first, " " * 16)]
        lines += laid_out(vineyard(seen, seat, is_own, viewer), width)
    return "\n".join([*lines, "", KEY[:width]])


def _headline(game: Any, things: Things) -> str:
    season = plain(SEASONS[int(game.state.season)])
    when = f"year {game.year}, {season}" if game.year else "before the first year"
    place = things.rule(game.options.continent).title
    if game.is_over:
        ended = "cut off" if game.is_truncated else "won" if game.outcome == "win" else "lost"
        return f"{place}, {when}: {ended}. {aim(game)}"
    return f"{place}, {when}. {aim(game)}"


def _event(game: Any, things: Things) -> str:
    r, sentence = game.state, ""
    if r.event >= 0:
        event = things.event(game.options.continent, int(r.event) + 1)
        sentence = f"Event: {event.title}. {event.text}" + (" It is met." if r.goal_met else "")
    sentence += f" Rule: {things.rule(game.options.continent).text}"
    sentence += f" On show: {listed(tile_named(word) for word in shown(game)) or 'nothing'}."
    if r.rules[WorldRule.PARTNER]:
        sentence += f" The partner has {lira(int(r.partner_lira))}."
    return sentence.strip()


def _board(game: Any, things: Things, names: Sequence[str], width: int) -> list[str]:
    """The actions by their letters, in two columns: what lies on them and who stands there."""
    round_ = [_cell(game, things, int(place), names) for place in (Place.GAIN_LIRA, Place.YOKE, Place.EVENT)]
    room = (width - GAP) // 2
    lines = []
    for pair in zip_longest(range(FIRST_WINTER), range(FIRST_WINTER, N_LETTERS)):
        sides = [textwrap.wrap(_cell(game, things, place, names), room, subsequent_indent="  ") for place in pair]
        lines += [f"{a:<{room}}{' ' * GAP}{b}".rstrip() for a, b in zip_longest(*sides, fillvalue="")]
    stands = [cell for cell in round_ if ":" in cell]
    return lines + (textwrap.wrap("; ".join(stands), width) if stands else [])


def _cell(game: Any, things: Things, place: int, names: Sequence[str]) -> str:
    """An action with its tiles and its workers: "K+Harvest field (vp): You G, 1 b"."""
    r, name = game.state, things.name(place)
    if place < N_LETTERS:
        name = f"{name[0]}{'+' if r.tile[place] == Tile.PLACED else ' '}{name[2:]}"
        if r.oval_on[place] != NO_OVAL:
            name += f" ({plain(OVALS[int(r.oval_on[place])])})"
    standers = _standers(game, place, names)
    return f"{name}: {', '.join(standers)}" if standers else name


def _standers(game: Any, place: int, names: Sequence[str]) -> list[str]:
    r, standers = game.state, []
    for seat in range(game.num_players):
        for w, at in enumerate(r.at[seat].tolist()):
            if at != AT_HAND and at // N_STANDS == place:
                mark = {GRANDE: "G", TEMPORARY: "T"}.get(w) or MARKS[int(r.hat[seat, w])]
                standers.append(f"{names[seat]} {mark}".rstrip())
    if place < N_LETTERS and r.partner_on[place]:
        standers.append("partner")
    return standers


def _standing(game: Any, seat: int) -> str:
    """How a seat stands: points, money, position, who is at hand, what is missing."""
    r = game.state
    parts = [points(int(r.vp[seat])), f"{lira(int(r.lira[seat]))}, +{int(r.residual[seat])} a year"]
    if r.row[seat]:
        parts.append(f"position {int(r.row[seat])}")
    is_out = r.passed[seat] and r.season in (Season.SUMMER, Season.WINTER)
    parts.append("passed" if is_out else f"at hand {listed(at_hand(r, seat)) or 'nobody'}")
    dealt = zip(r.aims[seat], r.aims_met[seat], strict=True)
    aims = [f"{int(aim) + 1}{' met' if met else ''}" for aim, met in dealt if aim >= 0]
    return ", ".join(parts + ([f"aims {listed(aims)}"] if aims else []))
