"""Reading the workers of a position of World: hats, who is at hand, who stands where (W21, W36 to W39, W62)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.checks import list_of, mapping_of, one_of, only_keys, whole
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.names import SEASONS, Season, Structure, Used, Worker
from vitienv.viticulture.positions.checks import check_crowd
from vitienv.world.continents import Ev
from vitienv.world.language import WorldPart
from vitienv.world.names import (
    AT_HAND,
    FIRST_WINTER,
    GRANDE,
    N_ACTIONS_ON_BOARD,
    N_REGULARS,
    N_STANDS,
    NO_OVAL,
    PLACES,
    TEMPORARY,
    EventKind,
    Hat,
    Place,
    Stands,
)
from vitienv.world.ops.workers import BESIDE, ON_SPACE
from vitienv.world.positions.contradictions import holds_temporary
from vitienv.world.positions.words import HATS, PARTNER, SPACES, WORKERS
from vitienv.world.state import WorldRule
from vitienv.world.tables import Tables

Standing = list[tuple[int, int]]  # a hat, and where the worker under it stands
BY_WORD = {word: hat for hat, word in HATS.items()}
WITH_A_BOARD = (Season.SUMMER, Season.FALL, Season.WINTER)
ONE = {"grande": GRANDE, "temporary": TEMPORARY}


def read_workers(r: np.record, position: Mapping[str, Any], n: int, tables: Tables) -> None:
    """The board, then who is left at hand. ValueError for a worker where none can stand, or for one too many."""
    board = mapping_of(position.get("board", {}), "board")
    only_keys(board, PLACES, "the board")
    regulars: list[Standing] = [[] for _ in range(n)]
    for name, workers in board.items():
        for stander in list_of(workers, f"the workers on {name}"):
            stander = mapping_of(stander, f"a worker on {name}")
            if stander.get("seat") == PARTNER:
                _read_partners(r, name, stander, tables)
                continue
            only_keys(stander, ("space", "seat", "worker"), f"a worker on {name}")
            seat = whole(stander.get("seat"), 0, n - 1, f"the seat of a worker on {name}")
            worker = WORKERS[one_of(stander.get("worker", "regular"), WORKERS, f"worker on {name}")]
            at = PLACES.index(name) * N_STANDS + _how(r, name, stander.get("space"), worker, tables)
            _check_season(r, name, worker, tables)
            if worker in ONE:
                if r.at[seat, ONE[worker]] != AT_HAND:
                    raise ValueError(f"seat {seat} has two {worker} workers on the board")
                r.at[seat, ONE[worker]] = at
            else:
                regulars[seat].append((BY_WORD[worker], at))
    seats = list_of(position.get("seats", []), "seats")
    for seat in range(n):
        stander = mapping_of(seats[seat] if seat < len(seats) else {}, f"seat {seat}").get("workers", {})
        temporary = int(holds_temporary(r, seat, tables))
        _read_at_hand(r, seat, mapping_of(stander, f"workers of seat {seat}"), regulars[seat], temporary)
    if int(r.staff[:n, Worker.TEMPORARY].sum()) > 1:
        raise ValueError("there is only one temporary worker")
    _check_spaces(r, n, tables)
    if r.season not in WITH_A_BOARD and (r.at[:n] != AT_HAND).any():
        season = SEASONS[int(r.season)]
        raise ValueError(f"there are workers on the board in {season}; they stand there from summer to winter")


def _how(r: np.record, name: str, space: Any, worker: str, tables: Tables) -> int:
    """How a worker stands on a place; where nothing is said, as the place asks."""
    place = PLACES.index(name)
    if place >= N_ACTIONS_ON_BOARD:
        if space not in (None, SPACES[Stands.PLAIN]):
            raise ValueError(f"a worker on {name} stands {space!r}; there it is plain")
        if place == Place.EVENT and not has_event_space(r, tables):
            raise ValueError("a worker stands on event; this year's event has no space")
        return int(Stands.PLAIN)
    covered = r.oval_on[place] != NO_OVAL
    usual = SPACES[Stands.OVAL if covered else Stands.PLAIN]
    how = one_of(usual if space is None else space, SPACES, f"space on {name}")
    if covered != (how == Stands.OVAL):
        there = "an oval lies there, on which all workers stand" if covered else "no oval lies there"
        raise ValueError(f"a worker on {name} stands {SPACES[how]!r}; {there}")
    if how == Stands.CROWD and worker != "grande":
        raise ValueError(f"only a grande worker can stand beside the spaces of {name}, not a {worker} one")
    return how


def has_event_space(r: np.record, tables: Tables) -> bool:
    """Whether this year's event is a place for workers (W81)."""
    event = tables.event[int(r.rules[WorldRule.CONTINENT]), int(r.event)]
    return bool(r.event >= 0 and event[Ev.KIND] == EventKind.SPACE)


def _season_of(r: np.record, place: int, tables: Tables) -> Season | None:
    """The season of an action or of this year's event; None for a year-round place."""
    if place < N_ACTIONS_ON_BOARD:
        return Season.SUMMER if place < FIRST_WINTER else Season.WINTER
    season = tables.event[int(r.rules[WorldRule.CONTINENT]), int(r.event), Ev.SEASON] if place == Place.EVENT else 0
    return (None, Season.SUMMER, Season.WINTER)[season]


def _check_season(r: np.record, name: str, worker: str, tables: Tables) -> None:
    """A hat is of one season, and winter's places are free until winter (W36, W81)."""
    season = _season_of(r, PLACES.index(name), tables)
    of_winter = season == Season.WINTER
    if (worker == "yellow" and of_winter) or (worker == "blue" and season == Season.SUMMER):
        raise ValueError(f"a {worker} worker stands on {name}; {worker} is the other season's hat")
    if worker == "blue" and r.season != Season.WINTER:
        raise ValueError(f"a blue worker stands on {name} in {SEASONS[int(r.season)]}; its hat is of winter")
    if of_winter and r.season != Season.WINTER:
        raise ValueError(f"a worker stands on {name} in {SEASONS[int(r.season)]}; that is an action of winter")


def _read_partners(r: np.record, name: str, stander: Mapping[str, Any], tables: Tables) -> None:
    """A worker of the simulated partner: on a space, or beside it."""
    only_keys(stander, ("space", "seat"), f"a worker of the partner on {name}")
    place = PLACES.index(name)
    if not r.rules[WorldRule.PARTNER] or place >= N_ACTIONS_ON_BOARD or r.partner_on[place]:
        raise ValueError(f"a worker of the partner cannot stand on {name}: no such partner, no action, or a second one")
    how = _how(r, name, stander.get("space"), "grande", tables)
    r.partner_on[place] = ON_SPACE if how == Stands.PLAIN else BESIDE


def _read_at_hand(r: np.record, seat: int, at_hand: Mapping[str, Any], standing: Standing, temporary: int) -> None:
    """Workers at hand; by default those of the start, and the temporary one of its position, that stand nowhere."""
    where = f"of seat {seat}"
    only_keys(at_hand, WORKERS, f"workers {where}")
    hats = {Hat.YELLOW: int(r.rules[WorldRule.YELLOW_HATS]), Hat.BLUE: int(r.rules[WorldRule.BLUE_HATS]), Hat.BARE: 0}
    regulars = list(standing)
    for hat, most in hats.items():
        there = sum(worn == hat for worn, _ in standing)
        n = whole(at_hand.get(HATS[int(hat)], max(0, most - there)), 0, N_REGULARS, f"{HATS[int(hat)]} workers {where}")
        if hat != Hat.BARE and n + there > most:
            sentence = f"seat {seat} has {n + there} {HATS[int(hat)]} workers"
            raise ValueError(f"{sentence}; there are {most}, and hats only go")
        regulars += [(int(hat), AT_HAND)] * n
    if len(regulars) != N_REGULARS:
        sentence = f"seat {seat} has {len(regulars)} regular workers, hatted ones and those on the board among them"
        raise ValueError(f"{sentence}; every seat has {N_REGULARS}")
    regulars.sort()
    r.hat[seat], r.at[seat, :N_REGULARS] = [hat for hat, _ in regulars], [at for _, at in regulars]
    r.staff[seat] = (N_REGULARS, 1, 0)
    r.free[seat, Worker.REGULAR] = sum(at == AT_HAND for _, at in regulars)
    for name, w, kind, usual in (
        ("grande", GRANDE, Worker.GRANDE, 1),
        ("temporary", TEMPORARY, Worker.TEMPORARY, temporary),
    ):
        stands = r.at[seat, w] != AT_HAND
        r.free[seat, kind] = whole(at_hand.get(name, 0 if stands else usual), 0, 1, f"{name} workers {where}")
        if stands and r.free[seat, kind]:
            raise ValueError(f"seat {seat} has its {name} worker at hand and on the board")
    if r.at[seat, GRANDE] == AT_HAND and not r.free[seat, Worker.GRANDE]:
        raise ValueError(f"seat {seat} has no grande worker, neither at hand nor on the board")
    r.staff[seat, Worker.TEMPORARY] = int(r.free[seat, Worker.TEMPORARY] or r.at[seat, TEMPORARY] != AT_HAND)


def _check_spaces(r: np.record, n: int, tables: Tables) -> None:
    """A space has one worker, and a grande joins an action that is full (W11, W39, W107)."""
    each = int(r.rules[WorldRule.SPACES_EACH])
    plays_visitors = bool((r.at[:n] // N_STANDS == Place.PLAY_SUMMER_VISITOR).any()) or _takes_back_elsewhere(tables)
    for place in range(N_ACTIONS_ON_BOARD):
        plain = int((r.at[:n] == place * N_STANDS + Stands.PLAIN).sum()) + (r.partner_on[place] == ON_SPACE)
        if plain > each:
            raise ValueError(f"{plain} workers stand on the spaces of {PLACES[place]}; in use are {each}")
        if (r.at[:n] == place * N_STANDS + Stands.CROWD).any():
            check_crowd(r, PLACES[place], plain == each, plays_visitors)


def _takes_back_elsewhere(tables: Tables) -> bool:
    """Whether an owner's data take workers back, or play a Producer, where no visitor is played on the board."""
    effects = np.isin(tables.parts[:, :, 0], (WorldPart.PLAY, PartOp.RETRIEVE)).any(axis=1)
    effects[tables.row[:, [Place.PLAY_SUMMER_VISITOR, Place.PLAY_WINTER_VISITOR]]] = False
    return bool(effects.any())


def check_yokes(r: np.record, n: int) -> None:
    """A yoke is its owner's, and has one worker."""
    for seat in range(n):
        on_yoke = int((r.at[seat] == Place.YOKE * N_STANDS).sum())
        if on_yoke > 1 or (on_yoke and not r.structures[seat, Structure.YOKE]):
            raise ValueError(f"seat {seat} has two workers on its yoke, or no yoke")
        if on_yoke:
            r.used[seat, Used.YOKE] = 1


def can_place(r: np.record, seat: int) -> bool:
    """Whether a seat has a worker that it can place in this season (W36, W37)."""
    hat = Hat.YELLOW if r.season == Season.SUMMER else Hat.BLUE
    usable = [r.at[seat, w] == AT_HAND and r.hat[seat, w] in (Hat.BARE, hat) for w in range(N_REGULARS)]
    return any(usable) or bool(r.free[seat, Worker.GRANDE] or r.free[seat, Worker.TEMPORARY])
