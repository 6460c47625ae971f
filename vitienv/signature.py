"""The bench signature: one hash over fixed random games, the same compiled and interpreted, on any machine.

It changes when rules, actions, observations or chance change, and only then.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from vitienv.core.fields import digest
from vitienv.viticulture.batch import Batch, keys_of
from vitienv.viticulture.rulesets import MODULES, Options
from vitienv.viticulture.state import FIELDS, Status

# Few enough for the interpreter. A game of two is played to its end; the others see every season several times.
GAMES = 1
STEPS = {1: 200, 2: 400, 3: 200, 4: 200, 5: 200, 6: 200}
SEED = 20_240_229
# Games whose rules no number of players shows.
VARIANTS: dict[str, dict[str, Any]] = {
    "solo/hard": {"ruleset": "solo", "difficulty": "hard", "aggressive": True},
    "solo/rival": {"ruleset": "solo", "stand_in": "rival"},
    "solo/blocker": {"ruleset": "solo", "stand_in": "blocker"},
    **{f"solo/challenge {n}": {"ruleset": "solo", "challenge": n} for n in range(1, 9)},
    "original/literal": {"ruleset": "original", "num_players": 3, "preset": "manual_literal"},
}


@dataclass(frozen=True)
class Signature:
    """The hash of each ruleset and number of players, `ruleset/players`, of some variants, and of all of them."""

    parts: dict[str, str]

    @property
    def total(self) -> str:
        """One hash over all parts."""
        told = "\n".join(f"{name} {part}" for name, part in sorted(self.parts.items()))
        return hashlib.sha256(told.encode()).hexdigest()[:16]


def signature() -> Signature:
    """Play the fixed games and hash them."""
    parts = {}
    for ruleset, module in MODULES.items():
        for num_players in module.PLAYERS:
            options = Options(ruleset=ruleset, num_players=num_players)
            parts[f"{ruleset}/{num_players}"] = _hash_of(options, STEPS[num_players])
    for name, settings in VARIANTS.items():
        parts[name] = _hash_of(Options(**settings), STEPS[1])
    return Signature(parts)


def _hash_of(options: Options, steps: int) -> str:
    """A hash over every mask, seat, observation and action of random games, and over the states they end in."""
    sha = hashlib.sha256()
    batch = Batch(GAMES, options)
    batch.start(keys_of(SEED, GAMES))
    for _ in range(steps):
        for array in (batch.masks, batch.seats, batch.obs):
            sha.update(np.ascontiguousarray(array).astype("<i2").tobytes())
        if not (batch.games.status == Status.PLAYING).any():
            break
        batch.step_random(restart=False)
        sha.update(batch.actions.astype("<i8").tobytes())
    for array in (batch.ended, batch.scores, batch.ranks, np.rint(batch.rewards * 1000)):
        sha.update(np.ascontiguousarray(array).astype("<i8").tobytes())
    for i in range(GAMES):
        sha.update(digest(batch.games[i], FIELDS).encode())
    return sha.hexdigest()[:16]
