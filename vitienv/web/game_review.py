"""Review of a finished game for a person: luck and play, the luckiest draws, the worst and the best decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.text_utils import YOU
from vitienv.web.score_sheet import score_chart
from vitienv.web.table_view import person_at

if TYPE_CHECKING:
    from vitienv.web.table import Table

TOP = 5  # draws and decisions of each list
MIN_VALUE = 0.01  # smallest difference that the text can show
PERCENT_STEP = 25  # between two grid lines


def game_review(table: Table, viewer: int | None) -> dict[str, Any]:
    """Return the review of a finished game for the person at a seat, from the cache of the table if possible.

    Returns:
        level: sentence with the level of the person's play, "" if unknown.
        luck: rows of a name and percentages by seat and chart as SVG, or text why luck cannot be estimated.
        lists: a title and rows of a sentence and a number of moves, after which the position is shown.

    Raises:
        ValueError: before the end, as the review reveals hidden information, or for a seat that is not a person's.
    """
    if not table.game.is_over:
        raise ValueError("a game can be reviewed after its end, as that reveals hidden information")
    seat = person_at(table, viewer)
    if seat not in table.reviews:
        table.reviews[seat] = _review(table, seat)
    return table.reviews[seat]


def _review(table: Table, seat: int) -> dict[str, Any]:
    from vitienv.agents.game_level import levels_in
    from vitienv.agents.search.analysis import review_decisions

    review = review_decisions(table.game, seat, TOP)
    worst = [
        (move.number - 1, f"{_decision(table, seat, move.number)}. Better by {move.loss:.2f}: {move.best_title}.")
        for move in review.worst(TOP)
        if move.loss >= MIN_VALUE
    ]
    best = [
        (move.number - 1, f"{_decision(table, seat, move.number)}. Better than the next choice by {move.lead:.2f}.")
        for move in review.best(TOP)
        if move.lead >= MIN_VALUE
    ]
    luck, draws = _luck(table, seat)
    lists = [("Luckiest draws, by chance of winning", draws), ("Your dearest decisions, by value", worst),
             ("Your best decisions, by value", best)]  # fmt: skip
    levels = levels_in(table.game)
    return {"level": f"You played like {levels[seat].describe()}." if levels else "", "luck": luck, "lists": [
        {"title": title, "rows": [{"at": at, "text": text} for at, text in rows]} for title, rows in lists if rows
    ]}  # fmt: skip


def _story(table: Table, seat: int, number: int) -> str:
    """Return the description of a move for a person, as in the history."""
    move = table.story[number - 1]
    return f"{move.date}: {' '.join(move.lines[seat])}"


def _decision(table: Table, seat: int, number: int) -> str:
    return _story(table, seat, number).partition(". ")[0].rstrip(".")


def _luck(table: Table, seat: int) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """Return the sheet and the chart of luck, or why they are missing, and the luckiest draws."""
    from vitienv.agents.luck import luck

    try:
        report = luck(table.game)
    except ValueError as error:
        return {"text": f"Luck cannot be estimated: {error}."}, []
    is_of_team, names = table.game.game_spec.is_of_team, table.names
    draws = []
    for lucky, draw in report.luckiest([seat] if is_of_team else range(len(names)), TOP):
        name = "the team" if is_of_team else names[lucky].replace(YOU, "you")
        text = _story(table, seat, draw.number) if draw.number else "The deal."
        draws.append((draw.number, f"{text} {100 * draw.luck[lucky]:+.1f} % for {name}."))
    starts: dict[int, int] = {}
    curve = [[0, 0]]
    following = [*(draw.seat for draw in report.draws[1:]), seat]
    for draw, total, mover in zip(report.draws, np.cumsum([draw.luck[seat] for draw in report.draws]), following):
        if draw.period[-1:].isdigit():
            starts.setdefault(int(draw.period.split()[-1]), len(curve) - 1)
        if mover == seat:  # the estimates of one network for two seats differ
            curve.append([round(100 * total), round(100 * (draw.chances[seat] - report.start[seat] - total))])
    rows = [["Start", [f"{100 * part:.1f}" for part in report.start]],
            ["Luck", [f"{100 * part:+.1f}" for part in report.luck]],
            ["Play", [f"{100 * part:+.1f}" for part in report.play]],
            ["Result", [f"{100 * part:.1f}" for part in report.result]]]  # fmt: skip
    title = "Luck and play before each of your moves, added up, in percent of winning"
    return {"rows": rows, "chart": score_chart(curve, starts, ["Luck", "Play"], title, PERCENT_STEP)}, draws
