"""File of the samples of a challenge, from which an interrupted challenge resumes."""

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
    """Samples of one challenge in the order of their seeds, with forfeits and notes.

    settings: everything that determines the samples; a file with other values is ignored.
    """

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self._settings = json.loads(json.dumps(settings))
        mark = hashlib.sha256(json.dumps(self._settings, sort_keys=True).encode()).hexdigest()[:8]
        self.file = folder / f".challenge-{mark}.json"
        self.lock = lock_run_dir(folder, f"{self.file.name}.lock")

    def load(self) -> list[Part]:
        """Return the complete parts in the order of their seeds. ValueError if the file is damaged."""
        if not self.file.exists():
            return []
        content = read_json(self.file)
        if not isinstance(content, dict) or content.get("about") != self._settings:
            return []
        try:
            parts = checked(list[Part], content.get("parts", []), "parts")
            if any(not -1 <= sample <= 1 for part in parts for sample in part["samples"]):
                raise ValueError("samples must be from -1 to 1")
        except ValueError as error:
            raise ValueError(f"{str(self.file)!r} is damaged: {error}") from None
        return [part for part in parts if len(part["samples"]) == SEEDS_AT_ONCE]

    def save(self, parts: list[Part]) -> None:
        """Write the parts, atomically."""
        write_json(self.file, {"about": self._settings, "parts": parts})

    def end(self) -> None:
        """Delete the file, once the result of the challenge is saved."""
        self.file.unlink(missing_ok=True)


def samples_of(folder: Path, ladder: Ladder, agent: str, table: str, seed: int, game: str = DEFAULT) -> Samples:
    """Return the file with the samples of a bot's challenge of the current champion."""
    definition, old = game_spec(game), ladder.champion(table, game)
    weights = [digest_of_weights(spec, table, definition) for spec in (agent, old.agent)]
    settings = {"agent": agent, "champion": old.agent, "table": table, "seed": seed, "game": game, "weights": weights}
    return Samples(folder, settings | {"vitienv": versions()["vitienv"]})
