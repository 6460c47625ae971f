"""Invariants of Toscana, checked on batches."""

import numpy as np

from vitienv.core.frames import Frame
from vitienv.toscana.enums import N_TILES, NO_SEAT, NO_TILE, WINEMASTERS, WORKERS, Action, Good, Phase
from vitienv.toscana.frames import FrameOp
from vitienv.toscana.state import FIELDS, Rule


def problems(games: np.ndarray, seats: np.ndarray, masks: np.ndarray) -> list[str]:
    """Every broken invariant of a batch of records, one line each. seats, masks: of the seats that decide."""
    faults = []

    def need(good: np.ndarray, text: str) -> None:
        for game in np.flatnonzero(~np.asarray(good).reshape(len(games), -1).all(axis=1))[:3]:
            faults.append(f"game {game}: {text}")

    for field in FIELDS:
        need((games[field.name] >= field.low) & (games[field.name] <= field.high), f"{field.name} out of bounds")
    rules = games["rules"].astype(np.int64)
    n = rules[:, Rule.NUM_PLAYERS, None]
    plays = np.arange(games["money"].shape[1]) < n
    playing = games["status"] == 0
    wide = {name: games[name].astype(np.int64) for name in games.dtype.names if name not in ("key", "chance")}

    boxes = wide["bank"] + wide["stock"] + wide["boxes"].sum(axis=1)
    boxes[:, Good.WATER] += wide["water"].sum(axis=1)
    need(boxes == rules[:, Rule.SUPPLY : Rule.SUPPLY + 5], "boxes are not conserved")
    need(np.sort(wide["sign"], axis=1) == [-1, -1, 0, 1, 1], "not two plus, two minus and an empty square")

    owner, workers, masters = wide["square_owner"], wide["square_workers"], wide["square_winemaster"]
    need((owner == NO_SEAT) == ((workers == 0) & (masters == 0)), "pieces without an owner, or an owner without pieces")
    need((workers == 0) | (masters == 0), "workers and a winemaster on one square")
    need(owner < n, "pieces of a seat that does not play")
    for seat in range(plays.shape[1]):
        owned = owner == seat
        in_hand = (games["phase"] == Phase.SETUP) & ~owned.any(axis=1) & plays[:, seat]
        expected = np.where(plays[:, seat], WORKERS, 0)
        num_workers = (workers * owned).sum(axis=1) + wide["workers"][:, seat] + in_hand
        need(num_workers == expected, "workers are not conserved")
        expected = np.where(plays[:, seat], WINEMASTERS, 0)
        num_unplaced = wide["winemasters"][:, seat] + wide["lost"][:, seat]
        need((masters * owned).sum(axis=1) + num_unplaced == expected, "winemasters are not conserved")
        has_all_masters = wide["winemasters"][:, seat] == expected
        need((wide["workers"][:, seat] == 0) | has_all_masters, "a winemaster before a worker")
    need((wide["lost"] == 0) | (n == 5), "a winemaster was removed with fewer than five seats")
    for name in ("money", "boxes", "used", "hand", "played", "chosen"):
        need(wide[name].reshape(*plays.shape, -1).any(axis=2) <= plays, f"a seat that does not play has {name}")

    produced = wide["square_produced"]
    need(produced <= (owner != NO_SEAT), "an empty square has produced")
    need((produced == 0).all(axis=1) | (games["phase"] != Phase.SETUP), "a square has produced in the set-up")
    has_made_wine = wide["used"][np.arange(len(games))[:, None], owner, Action.WINEMAKING].astype(bool) | (n == 5)
    need((produced == 0) | has_made_wine, "a square has produced for a seat that has not made wine")

    hand, played, choice = wide["hand"], wide["played"], wide["chosen"]
    need(hand + played <= 1, "a tile twice")
    number = wide["round_number"][:, None] - playing[:, None]
    need(~plays | (played.sum(axis=2) == np.maximum(number, 0)), "not a tile used in every round")
    need(~plays | (hand.sum(axis=2) == np.minimum(2, N_TILES - played.sum(axis=2))), "a hand of a wrong size")
    is_in_hand = np.take_along_axis(hand, np.maximum(choice - 1, 0)[..., None], axis=2)[..., 0]
    need((choice == NO_TILE) | (is_in_hand == 1), "a chosen tile is not in hand")

    ops = wide["frames"][:, :, Frame.OP]
    actions = playing & (games["phase"] == Phase.ACTIONS)
    turns = wide["used"].sum(axis=(1, 2)) + (ops == FrameOp.TURN).any(axis=1)
    need(~actions | (turns == wide["frames"][:, 0, Frame.DONE]), "turns are not the actions used")
    need((np.arange(ops.shape[1]) < games["depth"][:, None]) == (ops > 0), "frames beyond the depth")
    need((games["water"] == 0).all(axis=1) | np.isin(ops[:, 1], (FrameOp.PLACE_WATER, FrameOp.MAKE)), "water left")
    need(playing | ((games["depth"] == 0) & (games["phase"] == Phase.TASTING)), "an end within a round")
    need(playing == (masks.any(axis=1) & (seats >= 0)), "the seat to act has no choice, or one after the end")
    return faults
