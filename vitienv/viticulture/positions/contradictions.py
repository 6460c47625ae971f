"""Contradictions of a state of Viticulture whose fields are within their bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.kernel import Status
from vitienv.core.positions.schema import Contradictions
from vitienv.viticulture.board import AUTOMA_WORKERS_MAX
from vitienv.viticulture.cards import CARD_NAMES, DECK_OF_KIND, N_VINES
from vitienv.viticulture.cards.mamas import MAMAS
from vitienv.viticulture.enums import (
    ACTS,
    AUTOMA,
    DECKS,
    N_DECKS,
    N_ROWS,
    N_SPACES,
    N_SUMMER_ACTIONS,
    NO_SEAT,
    SEASONS,
    STRUCTURES,
    Act,
    Season,
    Structure,
    Worker,
)
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.positions.keys import USED, is_blocker_seat
from vitienv.viticulture.positions.pending import FRAMES
from vitienv.viticulture.setup import MAMAS_PER_COLUMN, SetupStage
from vitienv.viticulture.state import NO_AUTOMA, Rule

if TYPE_CHECKING:
    from vitienv.viticulture.options import Options

EMPTY_FOR_BLOCKER = (
    "lira", "residual", "trained", "structures", "used", "vines", "sold", "harvested", "crush", "cellar", "hand",
    "glass", "bonus_tokens",
)  # fmt: skip
WITH_A_BOARD = (Season.SUMMER, Season.FALL, Season.WINTER)  # seasons with workers on the board


def contradictions(r: np.record, options: Options) -> Contradictions:
    """Yield contradictions of a state; later ones may follow from the first."""
    n = options.num_players
    yield from FRAMES.contradictions(r)
    is_draft = r.season == Season.SETUP and r.frames[0, Frame.STAGE] == SetupStage.DRAFT
    yield from turn_contradictions(r, 2 * n * int(r.rules[Rule.DRAFT_PARENTS]) if is_draft else n)
    yield from common(r, n)
    yield from _board(r, n)
    for seat in range(n):
        yield from _seat(r, seat)
    yield from _parents(r, n)


def common(r: Any, n: int) -> Contradictions:
    """Yield contradictions that exist in every ruleset, including World."""
    yield from _time(r, n)
    yield from _rows(r, n)
    for seat in range(n):
        unheld = np.flatnonzero(r.shown[seat, :N_VINES] > r.hand[seat, :N_VINES])
        if len(unheld):
            yield f"shown of seat {seat} must be at most the hand, got more of {CARD_NAMES[unheld[0]]}"
        if r.structures[seat, Structure.LARGE_CELLAR] and not r.structures[seat, Structure.MEDIUM_CELLAR]:
            yield f"structures of seat {seat} must have the medium cellar below the large one"
        for name, is_used in zip(USED, r.used[seat]):
            if is_used and not r.structures[seat, STRUCTURES.index(name)]:
                yield f"used of seat {seat} must be among its structures, got {name}"
        if r.sold[seat].any() and not r.rules[Rule.FIELD_TRADE]:
            yield f"sold of fields of seat {seat} must be false in this ruleset"
        if (r.vines[seat, r.sold[seat] == 1]).any():
            yield f"a field of seat {seat} that is sold must have no vines"
    if (r.staff[:n, Worker.TEMPORARY]).sum() > 1:
        yield "temporary workers must be at most one in all"
    for deck in range(N_DECKS):
        if r.n_deck[deck] == 0 and r.n_pile[deck] > 0:
            yield f"the deck {DECKS[deck]} must have cards while its discard pile has some to reshuffle"
        draws = r.forced[deck, : r.n_forced[deck]]
        for kind in set(draws.tolist()):
            if (draws == kind).sum() > r.deck[kind] or DECK_OF_KIND[kind] != deck:
                yield f"next_draws must be in the deck, got more of {CARD_NAMES[kind]} than {r.deck[kind]}"


def _time(r: Any, n: int) -> Contradictions:
    year, season, is_playing = int(r.year), SEASONS[int(r.season)], r.status == Status.PLAYING
    last, limit, goal = (int(r.rules[rule]) for rule in (Rule.LAST_YEAR, Rule.MAX_YEARS, Rule.GOAL_VP))
    if (year == 0) != (r.season == Season.SETUP):
        yield f"year must be 0 in the set-up and at least 1 in other seasons, got {year} in {season}"
    if (last and year > last) or (limit and year > limit):
        yield f"year must be at most {min(filter(None, (last, limit)))} in this game, got {year}"
    if not is_playing and r.depth > 0:
        yield "pending must be left out of a game that is over"
    if r.status == Status.TRUNCATED and year != limit:
        yield f"status must be truncated only in the year max_years, {limit}, got {year}"
    if r.lost and is_playing:
        yield "lost must be false during the game; a lost game has status over"
    if not r.goal_reached and (r.vp[:n] >= goal).any():
        yield f"goal_reached must be true when a seat has {goal} points, got {r.vp[:n].max()}"
    if r.goal_reached and last:
        yield "goal_reached must be false in a game that ends after its last year"


def turn_contradictions(r: Any, steps: int) -> Contradictions:
    """Check that the set-up or the year is the bottom frame. steps: maximum of its counter in seasons without turns."""
    if r.status != Status.PLAYING:
        return
    season = SEASONS[int(r.season)]
    clock = FrameOp.SETUP if r.season == Season.SETUP else FrameOp.YEAR
    if not r.depth or r.frames[0, Frame.OP] != clock:
        yield f"pending must start with {'setup' if clock == FrameOp.SETUP else 'year'} in {season}"
    steps = 0 if r.season in (Season.SUMMER, Season.WINTER) else steps
    if r.depth and r.frames[0, Frame.DONE] > steps:
        yield f"done of the first pending frame must be at most {steps} in {season}, got {r.frames[0, Frame.DONE]}"


def _rows(r: Any, n: int) -> Contradictions:
    rows = r.row[:n][r.row[:n] > 0].tolist()
    if len(rows) != len(set(rows)):
        yield f"wake_up must be different rows, got {rows}"
    if r.status != Status.PLAYING:
        return
    has_row = [bool(r.row[(int(r.first_player) + i) % n]) for i in range(n)]
    is_wrong = {Season.SETUP: any(has_row), Season.SPRING: has_row != sorted(has_row, reverse=True)}
    if is_wrong.get(Season(int(r.season)), not all(has_row)):
        yield f"wake_up must be chosen clockwise from the first player in spring, by all before summer, got {has_row}"


def _board(r: np.record, n: int) -> Contradictions:
    """Check that workers and uses exist only from summer to winter, and passes only in summer and winter."""
    season, in_use = SEASONS[int(r.season)], [s for s in range(N_SPACES) if int(r.rules[Rule.SPACES]) >> s & 1]
    if r.season not in WITH_A_BOARD:
        for name, field in (("board", "staff"), ("trained_this_year", "trained"), ("used", "used"),
                            ("harvested", "harvested")):  # fmt: skip
            value = r.staff - r.free if field == "staff" else r[field]
            if value[:n].any() or (field == "staff" and (r.space_seat != NO_SEAT).any()):
                yield f"{name} must be empty in {season}; it is used from summer to winter"
    if r.season not in (Season.SUMMER, Season.WINTER) and r.passed[:n].any():
        yield f"passed must be false in {season}; seats pass in summer and in winter"
    visitors = Act.PLAY_SUMMER_VISITOR
    plays_visitors = bool((r.space_seat[visitors] != NO_SEAT).any() or r.crowd[visitors])
    for act in np.flatnonzero(r.crowd):
        yield from crowd_contradictions(
            r, ACTS[act], bool((r.space_seat[act, in_use] != NO_SEAT).all()), plays_visitors
        )
    by_automa = (r.space_seat == AUTOMA).sum(axis=1)
    has_automa = r.rules[Rule.MARKER] and r.rules[Rule.AUTOMA_LEAST] != NO_AUTOMA
    if by_automa.sum() > (AUTOMA_WORKERS_MAX if has_automa else 0):
        yield f"workers of the Automa must be at most {AUTOMA_WORKERS_MAX if has_automa else 0} in this game"
    if r.season != Season.WINTER and by_automa[N_SUMMER_ACTIONS:].any():
        yield f"workers of the Automa must be on summer actions in {season}"
    cards = r.automa_forced[: int(r.automa_n_forced)]
    if not r.automa_deck[cards].all():
        yield "next_draws of the Automa must be in its deck"


def crowd_contradictions(r: Any, name: str, is_full: bool, plays_visitors: bool) -> Contradictions:
    """Check that a grande joins a full action.

    Before winter only a Producer retrieves workers, and its player is on a space for summer visitors. is_full: whether
    all spaces are occupied now.
    """
    if not is_full and not plays_visitors and r.season != Season.WINTER:
        yield f"a grande worker must be on a free space of {name} while nobody has played a Producer"


def _seat(r: np.record, seat: int) -> Contradictions:
    regular, grande, temporary = (int(workers) for workers in r.staff[seat])
    blocks = is_blocker_seat(r, seat)
    limit = int(r.rules[Rule.BLOCKER_WORKERS if blocks else Rule.STAFF_MAX])
    if regular + int(r.trained[seat]) > limit or grande > 1 or temporary > 1:
        yield f"workers of seat {seat} must be at most {limit} with those trained, a grande and a temporary one"
    if r.yoke_worker[seat] >= 0 and not r.structures[seat, Structure.YOKE]:
        yield f"seat {seat} must have a yoke for the worker on it"
    for key in EMPTY_FOR_BLOCKER if blocks else ():
        if r[key][seat].any():
            yield f"{key} of seat {seat} must be empty, as it only blocks"
    if not r.rules[Rule.GLASS_TOKENS]:
        return
    # The glass token of a row becomes a bonus token, and all are back in the year after the last row.
    limit = int(r.rules[Rule.START_TOKENS]) + N_ROWS * (2 if r.year > N_ROWS else 1)
    glass, bonus = int(r.glass[seat].sum()), int(r.bonus_tokens[seat])
    if glass + bonus > limit:
        yield f"glass_tokens and bonus_tokens of seat {seat} must be at most {limit} in all, got {glass} and {bonus}"
    is_waiting = r.status == Status.PLAYING and r.season == Season.SPRING and r.row[seat] == 0
    if is_waiting and glass == 0 and not blocks:
        yield f"glass_tokens of seat {seat} must not be empty while it is to choose a row"


def _parents(r: np.record, n: int) -> Contradictions:
    """Check that every parent is dealt once, and that a seat has two of a kind only until it chooses."""
    aside = []
    if r.season == Season.SETUP and r.depth:
        # Mamas put aside in the set-up: the ones not chosen in the draft, and exchanged ones that gave orders (C8).
        columns = r.frames[0, [Frame.P0, Frame.P1]]
        aside = [mama for mama in range(len(MAMAS)) if columns[mama // MAMAS_PER_COLUMN] >> mama % MAMAS_PER_COLUMN & 1]
    num_chosen = int(r.rules[Rule.NUM_PLAYERS] * r.rules[Rule.DRAFT_PARENTS])
    if sum(not (r.rules[Rule.REDRAW_MAMA] and MAMAS[mama].order) for mama in aside) > num_chosen:
        yield f"mamas put aside (setup, p0 and p1) must be at most {num_chosen}, besides those exchanged"
    for key in ("mamas", "papas"):
        dealt = [int(card) for card in r[key][:n].ravel() if card >= 0] + (aside if key == "mamas" else [])
        if len(set(dealt)) < len(dealt):
            yield f"{key} must be dealt once each, got {sorted(dealt)}"
        if (r[key][:n, 1] >= 0).any() and not (r.rules[Rule.DRAFT_PARENTS] and r.season == Season.SETUP):
            yield f"{key} of a seat must be at most one, except in the set-up with draft_parents"
