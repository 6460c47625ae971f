"""A game of the team in words, for terminals of 80 columns: what is missing, the event, the board, the seats."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from vitienv.core.words import seat_name, seat_title
from vitienv.viticulture.cards import CARD_NAMES
from vitienv.viticulture.names import COLOURS, SEASONS, STRUCTURES, WINES, Worker
from vitienv.viticulture.state import Rule
from vitienv.world.names import (
    AT_HAND,
    CONTINENTS,
    LETTERS,
    N_LETTERS,
    N_STANDS,
    OVALS,
    PLACES,
    TEMPORARY,
    Hat,
    Place,
    Tile,
)
from vitienv.world.ops.workers import GRANDE
from vitienv.world.state import WorldRule
from vitienv.world.tables import DEFAULT, tables

WIDTH = 80
HATS = {int(Hat.BARE): "bare", int(Hat.YELLOW): "yellow", int(Hat.BLUE): "blue"}
PARTNER = "P"
STAND_INS = "Events, most tiles, red and blue cards and the partner are stand-ins."


def render(game: Any, viewer: int | None = None) -> str:
    """The state of a game as lines of text. viewer: the seat that reads, who sees no other hand unless hands are open;
    None sees every hand."""
    data = tables(game.options.components) if game.options.components else DEFAULT
    lines = [_headline(game), *_goals(game), *_event(game, data), "", *_board(game, data), ""]
    for seat in range(game.num_players):
        lines += _seat(game, seat, viewer is None or viewer == seat or game.options.open_hands)
    if game.record.rules[WorldRule.PARTNER]:
        lines.append(f"The simulated partner has {game.record.partner_lira} lira.")
    return "\n".join([*lines, STAND_INS])


def _headline(game: Any) -> str:
    r = game.record
    name = CONTINENTS[int(r.rules[WorldRule.CONTINENT])].replace("_", " ").title()
    when = f"year {game.year} of {int(r.rules[Rule.LAST_YEAR])}, {SEASONS[int(r.season)].replace('_', ' ')}"
    when = when if game.year else "set-up"
    if game.is_over:
        return f"{name}, {when}. {'Cut off' if game.is_truncated else 'Won' if game.outcome == 'win' else 'Lost'}."
    return f"{name}, {when}. {seat_title(game.seat)} decides: {str(game.decision).replace('_', ' ')}."


def _goals(game: Any) -> list[str]:
    """Both conditions, and how much each of them lacks (W4)."""
    r = game.record
    end, each = int(r.rules[WorldRule.INFLUENCE_END]), int(r.rules[WorldRule.VP_EACH])
    lacking = [max(0, each - points) for points in game.scores]
    missing = ", ".join(f"{seat_name(seat)} lacks {n}" for seat, n in enumerate(lacking) if n) or "all have them"
    return [f"Influence {r.influence} of {end}.", f"Points, {each} each: {missing}."]


def _event(game: Any, data: Any) -> list[str]:
    r = game.record
    if r.event < 0:
        return []
    name = CONTINENTS[int(r.rules[WorldRule.CONTINENT])]
    continent = next(own for own in data.data["continents"]["continent"] if own["id"] == name)
    event = continent["event"][int(r.event)]
    kind = f"{event['kind']} on {event['action']}" if "action" in event else event["kind"]
    met = ", met" if r.goal_met else ""
    return [
        f"Event {int(r.event) + 1}: {event.get('name', 'unnamed')} ({kind}{met}).",
        *wrap(continent["rule"].get("text", ""), WIDTH),
    ]


def _standing(game: Any, place: int) -> str:
    """Who stands on a place: the seat, with a letter for the grande, the temporary worker and hats."""
    r, standers = game.record, []
    marks = {GRANDE: "g", TEMPORARY: "t"}
    for seat in range(game.num_players):
        for w, at in enumerate(r.at[seat].tolist()):
            if at != AT_HAND and at // N_STANDS == place:
                standers.append(f"{seat + 1}{marks.get(w) or HATS[int(r.hat[seat, w])][0]}")
    if place < N_LETTERS and r.partner_on[place]:
        standers.append(PARTNER)
    return " ".join(standers)


def _board(game: Any, data: Any) -> list[str]:
    """A line for each action by its letter: its tiles and who stands there; then the year-round places."""
    r, lines = game.record, []
    for letter in LETTERS:
        place = int(data.place_of_letter[LETTERS.index(letter)])
        tiles = ["rectangle"] if r.tile[place] == Tile.PLACED else []
        tiles += [f"oval {OVALS[r.oval_on[place]]}"] if r.oval_on[place] >= 0 else []
        lines.append(f"{letter} {PLACES[place]:<22}{', '.join(tiles):<24}{_standing(game, place)}".rstrip())
    for place in (Place.GAIN_LIRA, Place.EVENT):
        lines.append(f"  {PLACES[place]:<46}{_standing(game, place)}".rstrip())
    shown = [LETTERS[int(data.letter_of_place[i])] for i in range(N_LETTERS) if r.tile[i] == Tile.SHOWN]
    shown += [f"oval {word}" for i, word in enumerate(OVALS) if r.tile[N_LETTERS + i] == Tile.SHOWN]
    return [*lines, f"On show: {', '.join(shown) or 'nothing'}."]


def _seat(game: Any, seat: int, is_open: bool) -> list[str]:
    r = game.record
    at_hand = [HATS[int(hat)] for hat, at in zip(r.hat[seat], r.at[seat]) if at == AT_HAND]
    at_hand += ["grande"] * int(r.free[seat, Worker.GRANDE]) + ["temporary"] * int(r.free[seat, Worker.TEMPORARY])
    texts = [
        f"{seat_title(seat)}: {game.scores[seat]} points, {r.lira[seat]} lira, residual {r.residual[seat]}, "
        f"position {r.row[seat] or '-'}{', passed' if r.passed[seat] else ''}.",
        f"At hand: {', '.join(at_hand) or 'nobody'}.",
    ]
    built = [STRUCTURES[i].replace("_", " ") for i in range(len(STRUCTURES)) if r.structures[seat, i]]
    grapes = [f"{name} {i + 1}" for c, name in enumerate(COLOURS) for i in range(9) if r.crush[seat, c, i]]
    wines = [f"{name} {i + 1}" for k, name in enumerate(WINES) for i in range(9) if r.cellar[seat, k, i]]
    for what, own in (("Built", built), ("Grapes", grapes), ("Wines", wines)):
        if own:
            texts.append(f"{what}: {', '.join(own)}.")
    aims = [f"{aim + 1}{' met' if met else ''}" for aim, met in zip(r.aims[seat], r.aims_met[seat]) if aim >= 0]
    if aims:
        texts.append(f"Aims: {', '.join(aims)}.")
    cards = [CARD_NAMES[kind] for kind in range(len(CARD_NAMES)) for _ in range(int(r.hand[seat, kind]))]
    texts.append(f"Hand: {', '.join(cards) or 'empty'}." if is_open else f"Hand: {int(r.n_hand[seat].sum())} cards.")
    first, *rest = wrap(" ".join(texts), WIDTH - 2)
    return [first, *(f"  {line}" for line in rest)]
