"""Bench signature: a hash of fixed random games that is independent of machine and compilation.

It changes if and only if rules, actions, observations or random numbers change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.console import echo, print_json
from vitienv.core.batch import Batch, make_keys
from vitienv.core.options import Options
from vitienv.registry import DEFAULT, game_spec

if TYPE_CHECKING:
    from vitienv.core.targets.cuda import Device

# Small enough for the interpreter. The two-player game ends; the others reach every season several times.
GAMES = 1
STEPS = {1: 200, 2: 400, 3: 200, 4: 200, 5: 200, 6: 200}
SEED = 20_240_229


@dataclass(frozen=True)
class Signature:
    """Hashes by ruleset and number of players (`ruleset/players`) or variant."""

    parts: dict[str, str]

    @property
    def total(self) -> str:
        """Hash of all parts."""
        lines = "\n".join(f"{name} {part}" for name, part in sorted(self.parts.items()))
        return hashlib.sha256(lines.encode()).hexdigest()[:16]


def signature(game: str = DEFAULT, ruleset: str | None = None, device: Device | None = None) -> Signature:
    """Play the fixed games and return their hashes.

    A game derived from another one uses the tables of its `GameSpec.signature`. ruleset: a ruleset that is such a game,
    or None. device: CPU if None.
    """
    spec = game_spec(game) if ruleset is None else game_spec(game).options.of(ruleset=ruleset).game_spec
    if spec.base_game is not None:
        return signature_of({name: spec.options.of(**table) for name, table in spec.signature.items()}, device)
    tables = {
        f"{ruleset}/{num_players}": spec.options.of(ruleset=ruleset, num_players=num_players)
        for ruleset in spec.rulesets
        for num_players in spec.options.of(ruleset=ruleset).players()
    }
    variants = {name: spec.options.of(**settings) for name, settings in spec.signature.items()}
    return Signature(signature_of(tables, device).parts | signature_of(variants, device, STEPS[1]).parts)


def show(game: str, settings: Mapping[str, Any], device: Device | None, json: bool) -> None:
    """Print the signature of a game, its parts and the sizes of its arrays."""
    if unsupported := [name for name in settings if name != "ruleset"]:
        raise ValueError(f"--signature uses fixed tables and does not support --option {unsupported[0]}")
    hashes, spec = signature(game, settings.get("ruleset"), device), game_spec(game)
    if json:
        sizes = {"record": spec.dtype.itemsize, "observed": spec.observation.n, "actions": spec.actions.n}
        print_json({"signature": hashes.total, "parts": hashes.parts, "sizes": sizes})
        return
    for line in (*(f"{name} {part}" for name, part in hashes.parts.items()), hashes.total):
        echo(line)


def signature_of(tables: Mapping[str, Options], device: Device | None = None, steps: int | None = None) -> Signature:
    """Return the signature of named tables. steps: decisions per game, by default those of `STEPS`."""
    return Signature(
        {
            name: _hash_of(options, steps or STEPS.get(options.num_players, STEPS[1]), device)
            for name, options in tables.items()
        }
    )


def _hash_of(options: Options, steps: int, device: Device | None = None) -> str:
    """Hash every mask, seat, observation and action of random games, and their final states."""
    sha = hashlib.sha256()
    if device is None:
        device_batch = Batch(GAMES, options)
    else:
        from vitienv.core.targets.device_batch import DeviceBatch

        device_batch = DeviceBatch(GAMES, options, device)
    device_batch.start(make_keys(SEED, GAMES))
    batch = device_batch.to_host()
    for _ in range(steps):
        for array in (batch.masks, batch.seats, batch.obs):
            sha.update(np.ascontiguousarray(array).astype("<i2").tobytes())
        if not len(batch.active_rows()):
            break
        device_batch.step_random(restart=False)
        batch = device_batch.to_host()
        sha.update(batch.actions.astype("<i8").tobytes())
    for array in (batch.ended, batch.scores, batch.ranks, np.rint(batch.rewards * 1000)):
        sha.update(np.ascontiguousarray(array).astype("<i8").tobytes())
    for i in range(GAMES):
        sha.update(options.game_spec.digest(batch.games[i]).encode())
    return sha.hexdigest()[:16]
