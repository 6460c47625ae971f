"""The samples of a ladder's challenge so far, kept in a file, so that a killed challenge continues."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from vitienv.core.files import read_json, versions, write_json
from vitienv.registry import DEFAULT, game_spec
from vitienv.training.evaluation.ladder import SEEDS_AT_ONCE, Ladder, Part, digest_of_weights
from vitienv.training.run_dir import lock_run_dir
from vitienv.training.schema import checked


class Samples:
    """The samples of one challenge, in the order of their seeds, and what is told of the games."""

    def __init__(self, folder: Path, about: dict[str, Any]) -> None:
        """about: what decides about the samples. ValueError if the same challenge is under way in another process."""
        self._about = json.loads(json.dumps(about))
        mark = hashlib.sha256(json.dumps(self._about, sort_keys=True).encode()).hexdigest()[:8]
        self.file = folder / f".challenge-{mark}.json"
        self.lock = lock_run_dir(folder, f"{self.file.name}.lock")

    def load(self) -> list[Part]:
        """The parts in the order of their seeds, whole batches; none if there are none of this challenge."""
        if not self.file.exists():
            return []
        kept = read_json(self.file)
        if not isinstance(kept, dict) or kept.get("about") != self._about:
            return []
        try:
            parts = checked(list[Part], kept.get("parts", []), "parts")
            if any(not -1 <= sample <= 1 for part in parts for sample in part["samples"]):
                raise ValueError("samples must be from -1 to 1")
        except ValueError as error:
            raise ValueError(f"{str(self.file)!r} is damaged: {error}") from None
        return [part for part in parts if len(part["samples"]) == SEEDS_AT_ONCE]

    def save(self, parts: list[Part]) -> None:
        """Write them, whole or not at all."""
        write_json(self.file, {"about": self._about, "parts": parts})

    def end(self) -> None:
        """The challenge is decided, and its outcome noted."""
        self.file.unlink(missing_ok=True)


def samples_of(folder: Path, ladder: Ladder, agent: str, table: str, seed: int, game: str = DEFAULT) -> Samples:
    """The file with the samples of a bot's challenge of the present champion."""
    made, old = game_spec(game), ladder.champion(table, game)
    weights = [digest_of_weights(spec, table, made) for spec in (agent, old.agent)]
    about = {"agent": agent, "champion": old.agent, "table": table, "seed": seed, "game": game, "weights": weights}
    return Samples(folder, about | {"vitienv": versions()["vitienv"]})
