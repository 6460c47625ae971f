"""A trained network in a seat: weights of the self-play learner, or a model saved by sb3-contrib's MaskablePPO."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.champions import NAME, Champions
from vitienv.agents.network import Network, read_network
from vitienv.agents.protocol import Views
from vitienv.games import DEFAULT, definition

WEIGHTS = ".safetensors"


class PolicyAgent:
    """Plays what a network finds best, or draws from its probabilities.

    path: the .safetensors file of a self-play run, which needs no torch, or the .zip of a MaskablePPO; the
    ending may be left out. "champion" are the networks that ship, each for its tables. deterministic: the most
    probable legal action; else one is drawn, by the seed. device: for a .zip. ValueError says what is wrong with the
    file.
    """

    def __init__(
        self,
        path: str,
        deterministic: bool = True,
        device: str = "cpu",
        seed: int | None = None,
        game: str = DEFAULT,
    ) -> None:
        evaluator = load_networks(path, game)
        self.game = definition(game).name
        self.name = f"policy:{Path(path).stem}"
        self.deterministic = deterministic
        self._model = load_model(find_weights(path), device, game) if evaluator is None else _Drawing(evaluator)
        if not deterministic:
            self._model.set_random_seed(seed)

    def act(self, observations: np.ndarray, masks: np.ndarray, games: Views | None = None) -> np.ndarray:
        """One legal action for each row; see `Agent.act`. Rows are independent if `deterministic`."""
        if len(observations) == 0:
            return np.empty(0, np.int64)
        actions, _ = self._model.predict(
            np.asarray(observations), action_masks=np.asarray(masks), deterministic=self.deterministic
        )
        return np.asarray(actions, np.int64)


class _Drawing:
    """Networks of the self-play learner, asked as the library's models are."""

    def __init__(self, network: Network | Champions) -> None:
        self.network = network
        self.set_random_seed(None)

    def set_random_seed(self, seed: int | None) -> None:
        self._chance = np.random.default_rng(seed)

    def predict(
        self, observations: np.ndarray, action_masks: np.ndarray, deterministic: bool
    ) -> tuple[np.ndarray, None]:
        if deterministic:
            return self.network.best(observations, action_masks), None
        logits, _ = self.network.evaluate(observations, action_masks)
        return (logits + self._chance.gumbel(size=logits.shape)).argmax(axis=1), None


def load_networks(path: str, game: str = DEFAULT) -> Network | Champions | None:
    """The network of the self-play learner in a file, or those that ship; None for a file of another kind."""
    if path == NAME:
        return Champions(game)
    file = find_weights(path)
    return read_network(file, game) if file.suffix == WEIGHTS else None


def find_weights(path: str) -> Path:
    """The file meant by `path`. ValueError if there is none, or if it is neither .safetensors nor a zip file."""
    given = Path(path).expanduser()
    tried = [given, *(given.with_name(given.name + ending) for ending in (WEIGHTS, ".zip") if given.name)]
    file = next((x for x in tried if given.name and x.is_file()), None)
    if file is None:
        raise ValueError(f"agent 'policy': there is no file {path!r}")
    if file.suffix != WEIGHTS and not zipfile.is_zipfile(file):
        raise ValueError(f"agent 'policy': {path!r} is not a saved model: it is damaged or no .zip file")
    return file


def load_model(file: Path, device: str, game: str = DEFAULT) -> Any:
    """The saved MaskablePPO. ValueError if it cannot be read or was trained for something else."""
    try:
        from sb3_contrib import MaskablePPO
    except ImportError as error:
        raise ValueError(f"agent 'policy' needs {error.name}: install vitienv[train]") from None
    with zipfile.ZipFile(file) as archive:
        if not {"data", "policy.pth"} <= set(archive.namelist()):
            raise ValueError(f"agent 'policy': {str(file)!r} was not saved by Stable-Baselines3")
    try:
        model = MaskablePPO.load(file, device=device)
    except Exception as error:  # whatever a damaged file makes the unpickling raise
        reason = str(error).strip().splitlines()
        raise ValueError(
            f"agent 'policy': {str(file)!r} cannot be read as a MaskablePPO "
            f"({type(error).__name__}: {reason[0] if reason else 'no reason given'})"
        ) from None
    made = definition(game)
    seen, acts = getattr(model.observation_space, "shape", None), getattr(model.action_space, "n", None)
    if seen != (made.observation.n,) or acts != made.actions.n:
        raise ValueError(
            f"agent 'policy': {str(file)!r} was trained for observations {seen} and {acts} actions, "
            f"this version of {made.name} has ({made.observation.n},) and {made.actions.n}"
        )
    return model
