"""Result and score sheet of a game: points by source and by round, and the curve of points as SVG."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from html import escape
from typing import Any

from vitienv.game import Game
from vitienv.render.text import begins_turn, choices, result
from vitienv.session.replay import replay

# Colours of the seats, the yellow one darker than its token, which is too light for a line.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#b8a800", "#56b4e9", "#cc79a7")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2 5 2 1 2", "1 2")
LEFT, WIDTH, TOP, BOTTOM = 34, 220, 20, 190  # plot area in a picture of 400 x 215; replay.js repeats the widths
STEP = 5
NAME_HEIGHT = 13


def game_result(game: Game, names: Sequence[str]) -> dict[str, Any]:
    """Return the result of a finished game in words, scores and ranks by seat, and the score sheet."""
    spec = game.game_spec
    # All players of a team share the result.
    ranks = [None] * len(names) if spec.is_of_team else game.ranks
    seats = [
        {"seat": seat, "name": name, "points": game.scores[seat], "rank": ranks[seat]}
        for seat, name in enumerate(names)
    ]
    return {"text": result(game, names), "seats": seats, "scored_in": spec.scored_in,
            "can_deal": game.log["position"] is None, **score_sheet(game, names)}  # fmt: skip


def score_sheet(game: Game, names: Sequence[str]) -> dict[str, Any]:
    """Return the points that each seat gained, by source and by round.

    Returns:
        sources: rows of a name and the points by seat; a source is what the seat on turn chose at the start of
            its turn. rounds: the same by round. chart: `score_chart` as SVG.
    """
    replayed = replay({**game.log, "moves": [], "state": None})
    action_names = game.game_spec.actions.names
    sources: dict[str, list[int]] = defaultdict(lambda: [0] * game.num_players)
    rounds: dict[int, list[int]] = defaultdict(lambda: [0] * game.num_players)
    curve, starts, source = [replayed.scores], {replayed.round: 0}, ""
    if any(replayed.scores):
        sources["Start"] = replayed.scores
    for index, move in enumerate(game._moves):
        if begins_turn(replayed):
            titles = {choice.action: choice.group for choice in choices(replayed, names)}
            source = titles[action_names[move]] or str(replayed.decision).replace("_", " ").capitalize()
        round_number = replayed.round
        replayed.step(move)
        for seat, (before, after) in enumerate(zip(curve[-1], replayed.scores, strict=True)):
            if before != after:
                sources[source][seat] += after - before
                rounds[round_number][seat] += after - before
        curve.append(replayed.scores)
        starts.setdefault(replayed.round, index + 1)
    return {
        "sources": sorted(sources.items(), key=lambda row: -max(row[1])),
        "rounds": [[f"{game.game_spec.rounds.word.capitalize()} {number}", row] for number, row in rounds.items()],
        "chart": score_chart(curve, starts, names),
    }


def score_chart(
    curve: Sequence[Sequence[int]],
    starts: dict[int, int],
    names: Sequence[str],
    title: str = "Points of each seat after each move",
    step: int = STEP,
) -> str:
    """Return the points of all seats after each move as SVG.

    Args:
        curve: points by seat, before the first move and after each.
        starts: number of moves before each round.
        names: names of the seats.
        title: accessible name of the picture.
        step: points between two grid lines.
    """
    points = [score for scores in curve for score in scores]
    low, high, moves = min(0, *points), max(step, *points), max(1, len(curve) - 1)

    def x(move: int) -> float:
        return LEFT + WIDTH * move / moves

    def y(score: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (score - low) / (high - low)

    parts = [f'<svg viewBox="0 0 400 215" role="img"><title>{title}</title>']
    for score in range(-(-low // step) * step, high + 1, step):
        parts.append(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y(score):.1f}" y2="{y(score):.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(score) + 4:.1f}" text-anchor="end">{score}</text>')
    parts += [f'<text x="{x(move):.1f}" y="208">{number}</text>' for number, move in starts.items() if number]
    label_y = -float(NAME_HEIGHT)
    for seat in sorted(range(len(names)), key=lambda seat: -curve[-1][seat]):
        line = " ".join(f"{x(move):.1f},{y(scores[seat]):.1f}" for move, scores in enumerate(curve))
        parts.append(f'<polyline points="{line}" stroke="{COLORS[seat]}" stroke-dasharray="{DASHES[seat]}"/>')
        label_y = max(y(curve[-1][seat]), label_y + NAME_HEIGHT)  # names must not overlap
        parts.append(f'<text x="{LEFT + WIDTH + 6}" y="{label_y + 4:.1f}">{escape(names[seat])} '
                     f'({curve[-1][seat]})</text>')  # fmt: skip
    return "".join([*parts, "</svg>"])
