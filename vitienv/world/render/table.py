"""World's table as people want to see it: what is missing, the event, the board by its letters, the vineyards."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from enum import IntEnum
from itertools import zip_longest
from typing import Any

from vitienv.viticulture.names import SEASONS, Season
from vitienv.viticulture.render.words.plain import lira, listed, plain, points
from vitienv.viticulture.render.words.table import Form as OthersForm
from vitienv.viticulture.render.words.table import cards_in_brief, laid_out, vineyard, vineyard_in_brief, wrapped
from vitienv.world.names import (
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
from vitienv.world.render.asked import at_hand
from vitienv.world.render.things import Things, shown, things_of, tile_named
from vitienv.world.state import WorldRule

GAP = 2
MARKS = {int(Hat.BARE): "", int(Hat.YELLOW): "y", int(Hat.BLUE): "b"}
KEY = "+ rectangle, (oval), y b hats, G grande, T temporary; for stand-ins: cards"


class Form(IntEnum):
    """How the table is put into lines: both seasons' actions and all vineyards; the present season's; other seats in
    two lines; no more of the board than has something on it; of other seats how they stand alone."""

    WHOLE = 0
    SEASON = 1
    BRIEF = 2
    USED = 3
    OWN = 4


def aim(game: Any) -> str:
    """What is missing for both conditions, and how much time is left."""
    r = game.record
    each, end = int(r.rules[WorldRule.VP_EACH]), game.influence_goal
    now = listed(map(str, game.scores))
    if game.is_over:
        return f"Influence {game.influence} of {end}; {now} of {points(each)}{' each' * (len(game.scores) > 1)}."
    who, whose = ("The team needs", " for every seat") if len(game.scores) > 1 else ("You need", "")
    years = int(r.rules[game.definition.lever("last_year")])
    wanted = f"influence {end} (now {game.influence}) and {points(each)}{whose} (now {now})"
    return f"{who} {wanted} by the end of year {years}."


def table(game: Any, viewer: int | None, names: Sequence[str], width: int = 80, height: int | None = None) -> str:
    """The state of the game in lines. viewer: whose hand is shown; None shows all. height: lines that there are room
    for; the whole is then put as briefly as needed."""
    lines: list[str] = []
    for form in Form:
        lines = _lines(game, viewer, names, max(40, width), form)
        if height is None or len(lines) <= height:
            break
    return "\n".join(lines)


def _lines(game: Any, viewer: int | None, names: Sequence[str], width: int, form: Form) -> list[str]:
    from vitienv.world.render.told import AsOthers

    things, seen, gap = things_of(game.options), AsOthers(game), [""] * (form == Form.WHOLE)
    lines = textwrap.wrap(_headline(game, things), width)
    lines += textwrap.wrap(_event(game, things, form), width, subsequent_indent="  ")
    lines += gap + _board(game, things, names, width, form)
    seats = list(range(game.num_players))
    if viewer is not None:  # the reader's own vineyard stands last, next to the question
        seats = [(viewer + k) % game.num_players for k in range(1, game.num_players)] + [viewer]
    for seat in seats:
        is_own = viewer is None or viewer == seat or game.options.open_hands
        is_brief = form >= Form.BRIEF
        cards = f", {cards_in_brief(game.record, seat)}" if is_brief and not is_own else ""
        first = f"{'>' if seat == game.seat else ' '} {names[seat]:<13} "
        lines += gap + wrapped(_standing(game, seat) + cards, width, first, " " * 16)
        if not is_brief or is_own:
            how = OthersForm.RUN_ON if is_brief else OthersForm.WHOLE
            lines += laid_out(vineyard(seen, seat, is_own, viewer), width, how)
        elif form < Form.OWN:
            lines += vineyard_in_brief(seen, seat, width)
    return lines + gap + ([KEY[:width]] if form < Form.USED else [])


def _headline(game: Any, things: Things) -> str:
    season = plain(SEASONS[int(game.record.season)])
    when = f"year {game.year}, {season}" if game.year else "before the first year"
    place = things.rule(game.options.continent).title
    if game.is_over:
        ended = "cut off" if game.is_truncated else "won" if game.outcome == "win" else "lost"
        return f"{place}, {when}: {ended}. {aim(game)}"
    return f"{place}, {when}. {aim(game)}"


def _event(game: Any, things: Things, form: Form) -> str:
    """This year's event, the continent's rule where there is room, and what is on show."""
    r, sentence = game.record, ""
    if r.event >= 0:
        event = things.event(game.options.continent, int(r.event) + 1)
        sentence = f"Event: {event.title}. {event.text}" + (" It is met." if r.goal_met else "")
    if form == Form.WHOLE:
        sentence += f" Rule: {things.rule(game.options.continent).text}"
    sentence += f" On show: {listed(tile_named(word) for word in shown(game)) or 'nothing'}."
    if r.rules[WorldRule.PARTNER]:
        sentence += f" The partner has {lira(int(r.partner_lira))}."
    return sentence.strip()


def _board(game: Any, things: Things, names: Sequence[str], width: int, form: Form) -> list[str]:
    """The actions by their letters, in two columns: what lies on them and who stands there."""
    is_winter = game.record.season >= Season.FALL
    seasons = {Form.WHOLE: (range(FIRST_WINTER), range(FIRST_WINTER, N_LETTERS))}.get(form)
    places = range(FIRST_WINTER, N_LETTERS) if is_winter else range(FIRST_WINTER)
    round_ = [_cell(game, things, int(place), names) for place in (Place.GAIN_LIRA, Place.YOKE, Place.EVENT)]
    if form >= Form.USED:
        cells = [_cell(game, things, place, names) for place in places if _is_used(game, place)]
        text = "; ".join([*cells, *(cell for cell in round_ if ":" in cell)])
        return textwrap.wrap(text, width, subsequent_indent="  ")
    left, right = seasons or (places[:4], places[4:])
    room = (width - GAP) // 2
    lines = []
    for pair in zip_longest(left, right):
        sides = [textwrap.wrap(_cell(game, things, place, names), room, subsequent_indent="  ") for place in pair]
        lines += [f"{a:<{room}}{' ' * GAP}{b}".rstrip() for a, b in zip_longest(*sides, fillvalue="")]
    stands = [cell for cell in round_ if ":" in cell]
    return lines + (textwrap.wrap("; ".join(stands), width) if stands else [])


def _is_used(game: Any, place: int) -> bool:
    r = game.record
    return bool(r.tile[place] == Tile.PLACED or r.oval_on[place] != NO_OVAL or _standers(game, place, []))


def _cell(game: Any, things: Things, place: int, names: Sequence[str]) -> str:
    """An action with its tiles and its workers: "K+Harvest field (vp): You G, 1 b"."""
    r, name = game.record, things.name(place)
    if place < N_LETTERS:
        name = f"{name[0]}{'+' if r.tile[place] == Tile.PLACED else ' '}{name[2:]}"
        if r.oval_on[place] != NO_OVAL:
            name += f" ({plain(OVALS[int(r.oval_on[place])])})"
    standers = _standers(game, place, names)
    return f"{name}: {', '.join(standers)}" if standers else name


def _standers(game: Any, place: int, names: Sequence[str]) -> list[str]:
    r, standers = game.record, []
    for seat in range(game.num_players):
        for w, at in enumerate(r.at[seat].tolist()):
            if at != AT_HAND and at // N_STANDS == place:
                mark = {GRANDE: "G", TEMPORARY: "T"}.get(w) or MARKS[int(r.hat[seat, w])]
                standers.append(f"{names[seat] if names else seat + 1} {mark}".rstrip())
    if place < N_LETTERS and r.partner_on[place]:
        standers.append("partner")
    return standers


def _standing(game: Any, seat: int) -> str:
    """How a seat stands: points, money, position, who is at hand, what is missing."""
    r = game.record
    parts = [points(int(r.vp[seat])), f"{lira(int(r.lira[seat]))}, +{int(r.residual[seat])} a year"]
    if r.row[seat]:
        parts.append(f"position {int(r.row[seat])}")
    is_out = r.passed[seat] and r.season in (Season.SUMMER, Season.WINTER)
    parts.append("passed" if is_out else f"at hand {listed(at_hand(r, seat)) or 'nobody'}")
    dealt = zip(r.aims[seat], r.aims_met[seat], strict=True)
    aims = [f"{int(aim) + 1}{' met' if met else ''}" for aim, met in dealt if aim >= 0]
    return ", ".join(parts + ([f"aims {listed(aims)}"] if aims else []))
