"""What contradicts itself although every part of a position is well formed: its time, its tokens, what is at home."""

from __future__ import annotations

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.kernel import Status
from vitienv.core.positions import check_stack
from vitienv.viticulture.cards import CARD_NAMES, N_VINES
from vitienv.viticulture.cards.mamas import MAMAS
from vitienv.viticulture.cards.papas import PAPAS
from vitienv.viticulture.frames import OPERATIONS
from vitienv.viticulture.names import AUTOMA, N_ROWS, N_SUMMER_ACTIONS, SEASONS, Season
from vitienv.viticulture.positions.checks import is_blocker_seat
from vitienv.viticulture.positions.pending import COMMON, LIES_ON, OWN, check_pending
from vitienv.viticulture.setup import MAMAS_A_COLUMN
from vitienv.viticulture.state import NO_AUTOMA, Rule

# What a seat that only blocks never has.
NOT_A_BLOCKERS = (
    "lira", "residual", "trained", "structures", "used", "vines", "sold", "harvested", "crush", "cellar", "hand",
    "glass", "bonus_tokens",
)  # fmt: skip
WITH_A_BOARD = (Season.SUMMER, Season.FALL, Season.WINTER)  # in which workers stand on the board


def check_whole(r: np.record, n: int) -> None:
    """ValueError names what contradicts itself in a record that is read but for its masks. n: seats."""
    check_stack(r, LIES_ON, OPERATIONS)
    check_common(r, n)
    check_pending(r, OWN, OPERATIONS)
    _check_home(r, n)
    _check_tokens(r, n)
    _check_automa(r)
    _check_parents(r, n)
    for seat in range(n):
        if is_blocker_seat(r, seat):
            _check_blocker(r, seat)


def check_common(r: np.record, n: int) -> None:
    """What holds in every ruleset."""
    _check_year(r)
    _check_end(r, n)
    _check_rows(r, n)
    check_pending(r, COMMON, OPERATIONS)
    for seat in range(n):
        _check_shown(r, seat)


def _check_year(r: np.record) -> None:
    """The year is within the game; the set-up, and nothing else, is year 0."""
    year, season = int(r.year), SEASONS[int(r.season)]
    if (year == 0) != (r.season == Season.SETUP):
        raise ValueError(f"year is {year} in {season}; the set-up is year 0, and every other season has a year from 1")
    last, limit = int(r.rules[Rule.LAST_YEAR]), int(r.rules[Rule.MAX_YEARS])
    if last and year > last:
        raise ValueError(f"year is {year}; the game ends with year {last}")
    if limit and year > limit:
        raise ValueError(f"year is {year}; max_years cuts the game off after year {limit}")


def _check_end(r: np.record, n: int) -> None:
    """Whether the game can be over, lost, cut off, or have its goal reached, as the position says."""
    playing = r.status == Status.PLAYING
    if not playing and r.depth > 0:
        raise ValueError("pending is given in a game that is over; leave it out, or write status playing")
    if r.status == Status.TRUNCATED and int(r.year) != int(r.rules[Rule.MAX_YEARS]):
        raise ValueError(f"status is truncated in year {r.year}; only max_years does that, at the end of its year")
    if r.lost and playing:
        raise ValueError("lost is true while the game goes on; a lost game has status over")
    goal = int(r.rules[Rule.GOAL_VP])
    if not r.goal_reached and (r.vp[:n] >= goal).any():
        raise ValueError(f"goal_reached is false and a seat has {r.vp[:n].max()} points; the goal is {goal}")
    if r.goal_reached and r.rules[Rule.LAST_YEAR]:
        raise ValueError("goal_reached is true in a game that ends after its last year, and has no goal")


def _check_rows(r: np.record, n: int) -> None:
    """Rows are taken clockwise in spring, one by each seat until summer; each choice is one of a glass token."""
    if r.status != Status.PLAYING:
        return
    if r.season == Season.SETUP and r.row[:n].any():
        raise ValueError("a seat has its wake_up row in the set-up; rows are taken in spring")
    if r.season == Season.SPRING:
        taken = [r.row[(int(r.first_player) + i) % n] > 0 for i in range(n)]
        if taken != sorted(taken, reverse=True):
            raise ValueError("in spring rows are taken clockwise from the first player; wake_up contradicts that")
    if r.season > Season.SPRING and not r.row[:n].all():
        seat = int(np.flatnonzero(r.row[:n] == 0)[0])
        raise ValueError(f"seat {seat} has no wake_up row in {SEASONS[int(r.season)]}; every seat has one after spring")


def _check_home(r: np.record, n: int) -> None:
    """Workers stand on the board, and things are used, from summer to winter; nobody has passed but in two of them."""
    season = SEASONS[int(r.season)]
    if r.season not in WITH_A_BOARD:
        crowded = (r.space_seat >= 0).any() or r.crowd.any() or r.cart.any() or (r.yoke_worker >= 0).any()
        if crowded:
            raise ValueError(f"there are workers on the board in {season}; they stand there from summer to winter")
        for key, name in (("trained", "trained_this_year"), ("used", "used"), ("harvested", "harvested")):
            seats = [seat for seat in range(n) if r[key][seat].any()]
            if seats:
                raise ValueError(f"seat {seats[0]} has {name} in {season}; it begins with summer and ends with winter")
    if r.season not in (Season.SUMMER, Season.WINTER) and r.passed[:n].any():
        seat = int(np.flatnonzero(r.passed[:n])[0])
        raise ValueError(f"seat {seat} has passed in {season}; seats pass in summer and in winter")


def _check_tokens(r: np.record, n: int) -> None:
    """Each row's glass token becomes a bonus token, and all lie there again in the year after the last row."""
    if not r.rules[Rule.GLASS_TOKENS]:
        return
    most = int(r.rules[Rule.START_TOKENS]) + N_ROWS * (2 if r.year > N_ROWS else 1)
    for seat in range(n):
        glass, bonus = int(r.glass[seat].sum()), int(r.bonus_tokens[seat])
        if glass + bonus > most:
            raise ValueError(f"seat {seat} has {glass} glass and {bonus} bonus tokens; there are {most} in all")
        waits = r.status == Status.PLAYING and r.season == Season.SPRING and r.row[seat] == 0
        if waits and glass == 0 and not is_blocker_seat(r, seat):
            raise ValueError(f"seat {seat} is to choose a row and has no glass_tokens; one at least is left")


def _check_automa(r: np.record) -> None:
    """Its workers stand only where its cards are played, on winter actions only in winter."""
    places = (r.space_seat == AUTOMA).any(axis=1)
    if places.any() and r.rules[Rule.AUTOMA_LEAST] == NO_AUTOMA:
        raise ValueError("a worker of the Automa is on the board; in this game it has none, as another seat blocks")
    if r.season != Season.WINTER and places[N_SUMMER_ACTIONS:].any():
        raise ValueError(f"a worker of the Automa is on a winter action in {SEASONS[int(r.season)]}, not winter")


def _check_parents(r: np.record, n: int) -> None:
    """Every parent is dealt once, and two of a kind lie before a seat only until it has kept one."""
    aside = _mamas_aside(r)
    for key, rows in (("mamas", MAMAS), ("papas", PAPAS)):
        dealt = [int(card) for card in r[key][:n].ravel() if card >= 0]
        twice = [rows[card].id for card in dealt if dealt.count(card) > 1]
        if twice:
            raise ValueError(f"{twice[0]} is dealt twice; there is one of each of the {key}")
        if key == "mamas" and set(dealt) & set(aside):
            name = rows[min(set(dealt) & set(aside))].id
            raise ValueError(f"{name} lies before a seat and was put aside (setup, p0 and p1); one of them is wrong")
        for seat in range(n):
            if r[key][seat, 1] >= 0 and not (r.rules[Rule.DRAFT_PARENTS] and r.season == Season.SETUP):
                raise ValueError(f"seat {seat} has two {key}; there are two only in the set-up with draft_parents")


def _mamas_aside(r: np.record) -> list[int]:
    """Mamas put aside in the set-up: those of the draft that were not kept, and those that gave orders (C8)."""
    if r.season != Season.SETUP or not r.depth:
        return []
    columns = r.frames[0, [Frame.P0, Frame.P1]]
    aside = [mama for mama in range(len(MAMAS)) if columns[mama // MAMAS_A_COLUMN] >> mama % MAMAS_A_COLUMN & 1]
    chosen = int(r.rules[Rule.NUM_PLAYERS] * r.rules[Rule.DRAFT_PARENTS])
    kept = [mama for mama in aside if not (r.rules[Rule.REDRAW_MAMA] and MAMAS[mama].order)]
    if len(kept) > chosen:
        raise ValueError(f"{MAMAS[kept[0]].id} was put aside (setup, p0 and p1); she can be neither chosen nor redrawn")
    return aside


def _check_shown(r: np.record, seat: int) -> None:
    """Others know of no more vines of a kind than the seat holds."""
    unheld = np.flatnonzero(r.shown[seat, :N_VINES] > r.hand[seat, :N_VINES])
    if len(unheld):
        name, held = CARD_NAMES[unheld[0]], int(r.hand[seat, unheld[0]])
        raise ValueError(f"seat {seat} has shown {r.shown[seat, unheld[0]]} of {name} and holds {held}")


def _check_blocker(r: np.record, seat: int) -> None:
    """A seat that only blocks has workers and nothing else."""
    for key in NOT_A_BLOCKERS:
        if r[key][seat].any():
            raise ValueError(f"seat {seat} only blocks and is given {key}; it has workers and nothing else")
