"""Invariants of World, checked on batches."""

import numpy as np

from tests.engine.invariants import in_play
from vitienv.viticulture.cards import DECK_OF_KIND, N_VINES, NEEDS_OTHERS
from vitienv.viticulture.enums import N_DECKS, Season, Worker
from vitienv.viticulture.state import Rule
from vitienv.world.enums import (
    AT_HAND,
    FIRST_WINTER,
    GRANDE,
    N_ACTIONS_ON_BOARD,
    N_LETTERS,
    N_REGULARS,
    N_STANDS,
    NO_OVAL,
    TEMPORARY,
    Hat,
    Place,
    Stands,
    Tile,
)
from vitienv.world.rows import COPIES_WITH_TRAINERS, SOLO_ONLY, WORLD_COPIES
from vitienv.world.state import FIELDS, WorldRule


def problems(games: np.ndarray) -> list[str]:
    """Every broken invariant of a batch of records, one line each."""
    faults = []

    def need(good: np.ndarray, text: str) -> None:
        for game in np.flatnonzero(~np.asarray(good).reshape(len(games), -1).all(axis=1))[:3]:
            faults.append(f"game {game}: {text}")

    rules = games["rules"]
    n = rules[:, Rule.NUM_PLAYERS]
    sits = np.arange(games["lira"].shape[1]) < n[:, None]
    for field in FIELDS:
        need((games[field.name] >= field.low) & (games[field.name] <= field.high), f"{field.name} out of bounds")

    cards = games["hand"].sum(axis=1) + games["deck"] + games["discard"].astype(np.int64) + in_play(games)
    cards[:, :N_VINES] += games["vines"].sum(axis=(1, 2))
    trains = rules[:, WorldRule.TRAINERS, None] == 1
    decks = np.where(trains, COPIES_WITH_TRAINERS, WORLD_COPIES)
    copies = np.where((n == 1)[:, None] & (NEEDS_OTHERS == 1), 0, decks)
    need(cards == copies, "cards are not conserved")
    for deck in range(N_DECKS):
        of_deck = deck == DECK_OF_KIND
        need(games["n_deck"][:, deck] == games["deck"][:, of_deck].sum(axis=1), "n_deck differs from the deck")
        need(games["n_hand"][:, :, deck] == games["hand"][:, :, of_deck].sum(axis=2), "n_hand differs from the hand")

    at, hat = games["at"].astype(int), games["hat"]
    place, stands = np.where(at == AT_HAND, -1, at // N_STANDS), np.where(at == AT_HAND, -1, at % N_STANDS)
    order = hat.astype(int) * 100 + at[:, :, :N_REGULARS]
    need(np.diff(order, axis=2) >= 0, "regulars are not in order")
    at_hand = at == AT_HAND
    need(at_hand | sits[:, :, None], "a worker of nobody is on the board")
    free = games["free"]
    need(~sits | (free[:, :, Worker.REGULAR] == at_hand[:, :, :N_REGULARS].sum(axis=2)), "free regulars differ")
    need(~sits | (free[:, :, Worker.GRANDE] == at_hand[:, :, GRANDE]), "a free grande differs")
    has_grey = games["staff"][:, :, Worker.TEMPORARY] == 1
    need((free[:, :, Worker.TEMPORARY] == 1) == (has_grey & at_hand[:, :, TEMPORARY]), "a free grey worker differs")
    need(has_grey | at_hand[:, :, TEMPORARY], "a temporary worker that nobody has is on the board")
    need(games["staff"][:, :, Worker.TEMPORARY].sum(axis=1) <= 1, "two temporary workers")
    need(~sits | (games["staff"][:, :, Worker.REGULAR] == N_REGULARS), "a seat without its four regulars")
    yellow, blue = hat == Hat.YELLOW, hat == Hat.BLUE
    need(yellow.sum(axis=2) <= rules[:, WorldRule.YELLOW_HATS, None], "more yellow hats than at the start")
    need(blue.sum(axis=2) <= rules[:, WorldRule.BLUE_HATS, None], "more blue hats than at the start")
    summer = (place >= 0) & (place < FIRST_WINTER)
    winter = (place >= FIRST_WINTER) & (place < N_ACTIONS_ON_BOARD)
    need(~(yellow & winter[:, :, :N_REGULARS]), "a yellow hat on a winter action")
    need(~(blue & summer[:, :, :N_REGULARS]), "a blue hat on a summer action")
    need((games["season"] == Season.WINTER)[:, None] | ~winter.any(axis=2), "a worker on a winter action out of winter")
    for action in range(N_LETTERS):
        is_on_action = place == action
        plain = (is_on_action & (stands == Stands.PLAIN)).sum(axis=(1, 2)) + (games["partner_on"][:, action] == 1)
        need(plain <= rules[:, WorldRule.SPACES_EACH], "more workers on an action than it has spaces")
        covered = games["oval_on"][:, action] != NO_OVAL
        need(
            covered | ~(is_on_action & (stands == Stands.OVAL)).any(axis=(1, 2)),
            "a worker on an oval that is not there",
        )
        need(~covered | ~(is_on_action & (stands != Stands.OVAL)).any(axis=(1, 2)), "a worker beside an oval")
        crowd = is_on_action & (stands == Stands.CROWD)
        crowd[:, :, GRANDE] = False
        need(~crowd.any(axis=(1, 2)), "another than the grande in a crowd")
    need((place == Place.YOKE).sum(axis=2) <= 1, "two workers on a yoke")

    tile = games["tile"]
    for first, end in ((0, N_LETTERS), (N_LETTERS, tile.shape[1])):
        need((tile[:, first:end] == Tile.SHOWN).sum(axis=1) <= rules[:, WorldRule.TILES_A_YEAR], "too many tiles shown")
    alone = rules[:, WorldRule.PARTNER] == 1
    need(alone[:, None] | (tile[:, np.flatnonzero(SOLO_ONLY)] == Tile.GONE), "a tile of the partner's is in the game")
    placed = (tile[:, N_LETTERS:] == Tile.PLACED).sum(axis=1)
    need(placed == (games["oval_on"] != NO_OVAL).sum(axis=1), "ovals placed differ from those on the board")
    for oval in range(tile.shape[1] - N_LETTERS):
        need((games["oval_on"] == oval).sum(axis=1) == (tile[:, N_LETTERS + oval] == Tile.PLACED), "an oval is lost")

    need(games["influence"] <= rules[:, WorldRule.INFLUENCE_END], "the token is past the end")
    need(games["influence"] >= rules[:, WorldRule.START_INFLUENCE], "the token has moved back")
    reached = games["vp"] >= rules[:, WorldRule.OVER_ACHIEVE_AT, None]
    need(~reached | (games["over_achieved"] == 1), "30 points without influence")
    gone = np.array([int(bits).bit_count() for bits in games["events_gone"]])
    need(gone == games["n_events"], "events turned up differ from their number")
    need((games["event"] >= 0) == (games["n_events"] > 0), "no event though one was turned up")
    fresh = np.isin(games["season"], (Season.SETUP, Season.SPRING))
    need(~fresh | ~games["deeds"].any(axis=(1, 2)), "deeds in spring")
    rows = games["row"]
    for row in range(1, 8):
        need((rows == row).sum(axis=1) <= 1, "two roosters on one position")
    need(games["depth"] <= games["frames"].shape[1], "the stack is too deep")
    need((games["status"] != 0) | (games["depth"] > 0), "nothing pending in a game that goes on")
    return faults
