"""Data of the page of a table, as one person sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vitienv.registry import canonical_name
from vitienv.render.pen import Pen
from vitienv.session.game_session import date_of
from vitienv.web.score_sheet import game_result

if TYPE_CHECKING:
    from vitienv.web.table import Table

TOKEN_SIZE = 18  # pixels, in a line of text


def table_view(table: Table, viewer: int | None, columns: int, at: int | None, since: int) -> dict[str, Any]:
    """Return the data of the page for a person.

    Args:
        table: the table.
        viewer: the person's seat; by default that of the person to move, or the first person's.
        columns: columns of the drawing.
        at: number of moves of the position that is shown; None for the current one.
        since: index of the first move whose description is included.

    Raises:
        ValueError: for an invalid argument.
    """
    game, names = table.game, table.names
    viewer = person_at(table, viewer)
    num_moves = len(game._moves)
    position = game if at in (None, num_moves) else table.at(at)
    is_to_move = position is game and game.current_seat == viewer
    number, picks = game.game_spec.actions.number, table.picks if is_to_move else None
    choices = picks.choices if picks else table.choices if is_to_move else ()
    if game.is_over and not table.result:
        table.result = game_result(game, names)
    return {
        "svg": position.svg(viewer, names, columns),
        "version": table.version,
        "game": canonical_name(game.game_spec),
        "ruleset": game.options.ruleset,
        "viewer": viewer,
        "people": table.people,
        "actor": game.current_seat,
        "names": names,
        "tokens": [_token(seat) for seat in range(game.num_players)],
        "scores": game.scores,
        "date": date_of(game),
        "at": len(position._moves),
        "moves": num_moves,
        "aim": "" if game.is_over else table.text_module.aim(game),
        "question": table.question if is_to_move else "",
        "choices": [
            {
                "action": number(choice.action),
                "name": choice.name,
                "group": choice.group,
                "title": choice.title,
                "text": choice.text,
                "is_grave": choice.is_grave,
            }
            for choice in sorted(choices, key=lambda choice: (choice.is_grave, choice.action == "done"))
        ],
        "picks": picks.n if picks else 0,
        "events": [
            {"seat": row.seat, "date": row.date, "text": " ".join(row.lines[viewer])} for row in table.story[since:]
        ],
        "can_undo": is_to_move and table.can_undo(),
        "is_over": game.is_over,
        "result": dict(table.result) if game.is_over else None,
        "campaign": None if table.campaign is None else _campaign(table),
    }


def person_at(table: Table, viewer: int | None) -> int:
    """Return the seat of the viewer, by default of the person to move or the first person; ValueError for a bot."""
    if viewer is None:
        seat = table.game.current_seat
        return seat if seat is not None and seat in table.people else table.people[0]
    if viewer not in table.people:
        raise ValueError(f"viewer must be the seat of a person, got {viewer}")
    return viewer


def _campaign(table: Table) -> dict[str, Any]:
    """Return the state of the campaign, including this game if it is over, and whether it continues."""
    is_decided, is_over = table.game.outcome is not None, table.game.is_over
    campaign = table.campaign_after() if is_decided else table.campaign
    if campaign.is_complete:
        return {"text": f"The campaign is complete, in {campaign.score} games.", "has_next": False}
    won = f"{campaign.wins} of {len(campaign.challenges)} challenges won"
    challenge = f"{'next is ' if is_over else ''}challenge {campaign.challenge}"
    return {"text": f"Campaign: {challenge}, game {campaign.score + 1}; {won}.", "has_next": is_decided}


def _token(seat: int) -> str:
    """Return a seat's token as SVG; its colours are those of the drawing on the same page."""
    pen = Pen({})
    pen.seat_shape(TOKEN_SIZE / 2, TOKEN_SIZE / 2, 0.4 * TOKEN_SIZE, seat)
    return f'<svg class="v" viewBox="0 0 {TOKEN_SIZE} {TOKEN_SIZE}" aria-hidden="true">{"".join(pen.parts)}</svg>'
