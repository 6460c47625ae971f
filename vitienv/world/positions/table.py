"""Reading the table of a position of World: token, events, tiles, the simulated partner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.checks import list_of, mapping_of, one_of, only_keys, whole
from vitienv.viticulture.names import Season
from vitienv.viticulture.positions.checks import MOST
from vitienv.world.names import EVENTS_IN_GAME, LETTERS, N_LETTERS, OVALS, Tile
from vitienv.world.ops.partner import N_CARDS
from vitienv.world.positions.words import tile_words
from vitienv.world.state import WorldRule
from vitienv.world.tables import Tables


def read_token(r: np.record, position: Mapping[str, Any], least: int) -> None:
    """Where the influence token stands: never below what has moved it, as it never moves back (W9)."""
    end = int(r.rules[WorldRule.INFLUENCE_END])
    name = "influence, by its start, seats with reached_30 and rule_steps"
    r.influence = whole(position.get("influence", least), least, end, name)


def read_events(r: np.record, position: Mapping[str, Any], tables: Tables) -> None:
    """This year's event and those before it; by default the cards in their order (W15, W16, W30)."""
    there = int(tables.n_events[int(r.rules[WorldRule.CONTINENT])])
    written = mapping_of(position.get("events", {}), "events")
    only_keys(written, ("now", "gone"), "events")
    so_far = 0 if r.season == Season.SETUP else min(int(r.year), EVENTS_IN_GAME)
    now = written.get("now", so_far or None)
    others = [card for card in range(1, so_far + 1) if card != now]
    gone = list_of(written.get("gone", others[: max(0, so_far - 1)]), "gone of events")
    cards = [whole(card, 1, there, "an event") for card in (*gone, *([] if now is None else [now]))]
    if len(set(cards)) != len(cards):
        raise ValueError(f"an event is turned up twice: now {now}, gone {gone}")
    if len(cards) != so_far:
        raise ValueError(f"{len(cards)} events are turned up in year {r.year}; there is one each year, {so_far} so far")
    in_order = list(range(1, so_far + 1))
    if not r.rules[WorldRule.SHUFFLED] and (sorted(cards) != in_order or cards[-1:] != in_order[-1:]):
        raise ValueError(f"events come in order: now {now} and gone {gone} cannot be in year {r.year}")
    r.event = -1 if now is None else now - 1
    r.n_events = len(cards)
    r.events_gone = sum(1 << (card - 1) for card in cards)


def read_tiles(r: np.record, position: Mapping[str, Any], tables: Tables) -> None:
    """Tiles on show, on the board and out of the game; the others are in their stacks (W17, W32, W55, W59)."""
    words = tile_words(tables)
    written = mapping_of(position.get("tiles", {}), "tiles")
    only_keys(written, ("shown", "placed", "gone", "ovals"), "tiles")
    out = [] if r.rules[WorldRule.PARTNER] else [words[i] for i in range(N_LETTERS) if tables.solo_only[i]]
    for tile in out:
        r.tile[words.index(tile)] = Tile.GONE
    places: dict[str, str] = dict.fromkeys(out, "out of a game without the simulated partner")
    for key, where in (("shown", Tile.SHOWN), ("placed", Tile.PLACED), ("gone", Tile.GONE)):
        for tile in list_of(written.get(key, []), f"{key} of tiles"):
            _put(r, words, tile, where, key, places)
    for letter, oval in mapping_of(written.get("ovals", {}), "ovals of tiles").items():
        place = one_of(letter, words[:N_LETTERS], "letter of an oval")
        if not isinstance(oval, str):
            raise ValueError(f"the oval on {letter} is {oval!r}; one oval lies on an action")
        one_of(oval, OVALS, f"oval on {letter}")
        _put(r, words, oval, Tile.PLACED, f"on {letter}", places)
        r.oval_on[place] = OVALS.index(oval)
    loose = [tile for tile in list_of(written.get("placed", []), "placed of tiles") if tile not in LETTERS]
    if loose:
        raise ValueError(f"the oval {loose[0]} is placed and lies on no action; name it in ovals, by its letter")
    for rule, kind, tiles in (
        (WorldRule.TILES_A_YEAR, "rectangles", r.tile[:N_LETTERS]),
        (WorldRule.OVALS_A_YEAR, "ovals", r.tile[N_LETTERS:]),
    ):
        shown = int((tiles == Tile.SHOWN).sum())
        if shown > r.rules[rule]:
            raise ValueError(f"{shown} {kind} are on show; {r.rules[rule]} at most are turned up")


def _put(r: np.record, words: tuple[str, ...], tile: Any, where: int, key: str, places: dict[str, str]) -> None:
    """A tile where the position says. places: what it said of others so far."""
    at = one_of(tile, words, f"tile in {key}")
    if tile in places:
        raise ValueError(f"the tile {tile} is in two places: {places[tile]}, and {key}")
    places[tile] = key
    r.tile[at] = where


def read_partner(r: np.record, position: Mapping[str, Any]) -> None:
    """The purse of the simulated partner and its cards so far (W98)."""
    if "partner" not in position:
        return
    if not r.rules[WorldRule.PARTNER]:
        raise ValueError("partner is given in a game without the simulated partner")
    given = mapping_of(position["partner"], "partner")
    only_keys(given, ("lira", "gone"), "partner")
    r.partner_lira = whole(given.get("lira", 0), 0, MOST, "lira of the partner")
    cards = [whole(card, 1, N_CARDS, "a card of the partner") for card in list_of(given.get("gone", []), "its cards")]
    if len(set(cards)) != len(cards):
        raise ValueError(f"a card of the partner is turned up twice: {cards}")
    r.partner_gone = sum(1 << (card - 1) for card in cards)
