"""Invariants of all states, checked on batches."""

import numpy as np

from vitienv.core.frames import Frame
from vitienv.viticulture.cards import COPIES_IN, DECK_OF_KIND, N_KINDS, N_VINES
from vitienv.viticulture.enums import AUTOMA, N_DECKS, N_SPACES, Season, Worker
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.state import FIELDS, Rule

# Operations with cards in their frames.
HOLDING = [int(op) for op in (FrameOp.CARD, FrameOp.FILL, FrameOp.IMPORT, FrameOp.CARAVAN)]


def in_play(games: np.ndarray) -> np.ndarray:
    """Count the cards in pending frames: (games, N_KINDS)."""
    num_cards = np.zeros((len(games), N_KINDS), np.int64)
    frames = games["frames"]
    game_indices, depth = np.nonzero(np.isin(frames[:, :, Frame.OP], HOLDING))
    for game, frame in zip(game_indices.tolist(), frames[game_indices, depth].tolist(), strict=True):
        op = frame[Frame.OP]
        if op == FrameOp.CARD:
            num_cards[game, frame[Frame.CARD]] += 1
        elif op == FrameOp.FILL and frame[Frame.STAGE] == 1:
            num_cards[game, frame[Frame.P0]] += 1
        elif op == FrameOp.IMPORT:
            for i in range(frame[Frame.DONE]):
                num_cards[game, frame[Frame.P1 + i] % N_KINDS] += 1
        elif op == FrameOp.CARAVAN:
            for kind in frame[Frame.P0 : Frame.P0 + N_DECKS]:
                if kind >= 0:
                    num_cards[game, kind] += 1
    return num_cards


def problems(games: np.ndarray) -> list[str]:
    """Return the broken invariants of a batch of states, one line each."""
    games = np.asarray(games)  # field access is faster on plain arrays
    faults = []

    def need(good: np.ndarray, message: str) -> None:
        for game in np.flatnonzero(~np.asarray(good).reshape(len(games), -1).all(axis=1))[:3]:
            faults.append(f"game {game}: {message}")

    for field in FIELDS:
        need((games[field.name] >= field.low) & (games[field.name] <= field.high), f"{field.name} out of bounds")

    cards = games["hand"].sum(axis=1) + games["deck"] + games["discard"].astype(np.int64) + in_play(games)
    cards[:, :N_VINES] += games["vines"].sum(axis=(1, 2))
    rules = games["rules"]
    need(cards == COPIES_IN[rules[:, Rule.CARD_SET]], "cards are not conserved")
    for deck in range(N_DECKS):
        of_deck = deck == DECK_OF_KIND
        need(games["n_deck"][:, deck] == games["deck"][:, of_deck].sum(axis=1), "n_deck differs from the deck")
        need(games["n_pile"][:, deck] == games["discard"][:, of_deck].sum(axis=1), "n_pile differs from the discards")
        need((games["pile"][:, deck] >= 0).sum(axis=1) == games["n_pile"][:, deck], "the pile is not as long as n_pile")
        need(games["n_hand"][:, :, deck] == games["hand"][:, :, of_deck].sum(axis=2), "n_hand differs from the hand")
        need((games["n_deck"][:, deck] > 0) | (games["n_pile"][:, deck] == 0), "an empty deck was not reshuffled")
    need(games["shown"][:, :, :N_VINES] <= games["hand"][:, :, :N_VINES], "more vines shown than held")

    placed = games["staff"].astype(np.int64) - games["free"]
    standing = games["cart"].astype(np.int64)
    for seat in range(games["lira"].shape[1]):
        for worker in (Worker.REGULAR, Worker.GRANDE, Worker.TEMPORARY):
            on_space = (games["space_seat"] == seat) & (games["space_worker"] == worker)
            standing[:, seat, worker] += on_space.sum(axis=(1, 2)) + (games["yoke_worker"][:, seat] == worker)
        standing[:, seat, Worker.GRANDE] += (games["crowd"] >> seat & 1).sum(axis=1)
    need(placed == standing, "workers are not conserved")
    need(games["staff"][:, :, Worker.TEMPORARY].sum(axis=1) <= 1, "two temporary workers")
    need(games["staff"][:, :, Worker.REGULAR] + games["trained"] <= 5, "more than five regular workers")
    own_staff = games["staff"][:, 0, Worker.REGULAR] + games["trained"][:, 0]
    need(own_staff <= rules[:, Rule.STAFF_MAX], "more regular workers than the challenge allows")
    for space in range(N_SPACES):
        used = (games["space_seat"][:, :, space] >= 0).any(axis=1)
        need(~used | (rules[:, Rule.SPACES] >> space & 1 == 1), "somebody stands on a space that is not in use")
    automa = (games["space_seat"] == AUTOMA).sum(axis=(1, 2))
    need((automa == 0) | ((rules[:, Rule.AUTOMA_LEAST] >= 0) & (automa <= 6)), "too many workers of the Automa")
    tokens = games["glass"].sum(axis=2) + games["bonus_tokens"]
    max_tokens = np.where(games["year"] > 7, 14, 7) + rules[:, Rule.START_TOKENS]
    need(tokens <= np.where(rules[:, Rule.GLASS_TOKENS] == 1, max_tokens, 0)[:, None], "more tokens than there are")
    last = rules[:, Rule.LAST_YEAR]
    need((last == 0) | (games["year"] <= last), "a year after the last one")
    need(games["vp"] <= rules[:, Rule.VP_CAP][:, None], "more points than the cap")
    need(games["staff"][:, :, Worker.GRANDE] <= 1, "two grande workers")
    rows = games["row"]
    for row in range(1, 8):
        need((rows == row).sum(axis=1) <= 1, "two roosters in one row")
    need(~((games["sold"] == 1) & (games["vines"].sum(axis=3) > 0)), "a sold field carries vines")
    need((games["structures"][:, :, 7] == 0) | (games["structures"][:, :, 6] == 1), "a large cellar without the medium")
    need(games["cellar"][:, :, 2, :3] == 0, "a blush below 4")
    need(games["cellar"][:, :, 3, :6] == 0, "a sparkling below 7")
    need((games["status"] != 0) | (games["depth"] > 0), "nothing pending in a game that goes on")
    for good, message in moments(games):
        need(good, message)
    return faults


def moments(games: np.ndarray) -> list[tuple[np.ndarray, str]]:
    """Yield invariants that depend on season, year and ruleset: whether they hold in each game, and the message."""
    rules, year, season, playing = games["rules"], games["year"], games["season"], games["status"] == 0
    n = rules[:, Rule.NUM_PLAYERS]
    sits = np.arange(games["row"].shape[1]) < n[:, None]
    at_home = np.isin(season, (Season.SETUP, Season.SPRING, Season.YEAR_END))
    used = [games[key].reshape(len(games), -1).any(axis=1) for key in ("trained", "used", "harvested", "crowd", "cart")]
    used += [(games["yoke_worker"] >= 0).any(axis=1), (games["space_seat"] >= 0).any(axis=(1, 2))]
    turned = (games["first_player"][:, None] + np.arange(sits.shape[1])) % n[:, None]
    row = np.take_along_axis(games["row"], turned, axis=1)
    gaps = ((row[:, 1:] > 0) & (row[:, :-1] == 0) & sits[:, 1:]).any(axis=1)
    waits = sits & (games["row"] == 0) & (season == Season.SPRING)[:, None] & playing[:, None]
    blocks = (rules[:, Rule.BLOCKER_WORKERS] > 0)[:, None] & (np.arange(sits.shape[1]) == 1)
    unlit = (rules[:, Rule.GLASS_TOKENS] == 1)[:, None] & ~games["glass"].any(axis=2) & ~blocks
    automa = (games["space_seat"] == AUTOMA).any(axis=2)
    limit, goal = rules[:, Rule.MAX_YEARS], rules[:, Rule.GOAL_VP]
    drafts = (rules[:, Rule.DRAFT_PARENTS] == 1) & (season == Season.SETUP)
    blocker_has = [games[key][:, 1].reshape(len(games), -1).any(axis=1) for key in ("lira", "hand", "glass", "cellar")]
    twice = np.zeros(len(games), bool)
    for key in ("mamas", "papas"):
        dealt = np.sort(games[key].reshape(len(games), -1), axis=1)
        twice |= ((dealt[:, 1:] == dealt[:, :-1]) & (dealt[:, 1:] >= 0)).any(axis=1)
    return [
        ((year == 0) == (season == Season.SETUP), "the set-up is not in year 0"),
        ((limit == 0) | (year <= limit), "a year after max_years"),
        (~((games["vp"] >= goal[:, None]) & sits).any(axis=1) | (games["goal_reached"] == 1), "a goal is forgotten"),
        ((games["goal_reached"] == 0) | (rules[:, Rule.LAST_YEAR] == 0), "a goal in a game without"),
        (~playing | (games["lost"] == 0), "a lost game goes on"),
        (~at_home | ~np.any(used, axis=0), "something is used before summer"),
        (np.isin(season, (Season.SUMMER, Season.WINTER)) | ~games["passed"].any(axis=1), "a pass out of season"),
        (~playing | (season != Season.SPRING) | ~gaps, "rows are not taken clockwise"),
        (~playing | (season != Season.SETUP) | ~games["row"].any(axis=1), "a row before the first spring"),
        (~playing | (season < Season.SUMMER) | ~(sits & (games["row"] == 0)).any(axis=1), "a seat without a row"),
        (~(waits & unlit).any(axis=1), "a seat without a glass token is to choose a row"),
        ((season == Season.WINTER) | ~automa[:, 6:].any(axis=1), "the Automa is early"),
        (~twice, "a parent is dealt twice"),
        (drafts | ((games["mamas"][:, :, 1] < 0) & (games["papas"][:, :, 1] < 0)).all(axis=1), "two parents of a kind"),
        ((rules[:, Rule.BLOCKER_WORKERS] == 0) | ~np.any(blocker_has, axis=0), "a blocker owns something"),
    ]
