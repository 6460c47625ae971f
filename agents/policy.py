"""Bots that play trained networks: weights of a learner, or a model of sb3-contrib's MaskablePPO.

Weights (.safetensors) contain only numbers. A .zip contains pickled Python, which runs on loading: it is loaded only if
the user wrote it or trusts it (`vitienv.trust`).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from vitienv import trust
from vitienv.agents import mlp
from vitienv.agents.champions import FROZEN, NAME, Champions, digest_of
from vitienv.agents.network import Network, read_network
from vitienv.agents.protocol import Bot, GameViews, have_same_layouts
from vitienv.core.game_spec import GameSpec
from vitienv.extras import missing_message
from vitienv.registry import DEFAULT, game_spec
from vitienv.threads import one_torch_thread

WEIGHTS = ".safetensors"
RUN_WEIGHTS = "agent.safetensors"  # written by training runs
LOCAL_COPIES: dict[str, Path] = {}  # copies of remote files, by their paths in specs


class PolicyAgent(Bot):
    """Bot that plays the best action of a network, or samples from its policy.

    path: the .safetensors file of a run, or the .zip of a MaskablePPO, optionally without suffix, or "champion" for the
    bundled networks. deterministic: play the most probable legal action, otherwise sample with the seed. ValueError if
    the file is invalid.
    """

    def __init__(
        self, path: str, deterministic: bool = True, seed: int | None = None, game: str | GameSpec = DEFAULT
    ) -> None:
        self.network, self.deterministic = load_networks(path, game), deterministic
        super().__init__(f"policy:{Path(path).stem}", self.network.game_spec)
        self._rng = np.random.default_rng(seed)

    def supports(self, table: GameSpec) -> bool:
        """Return whether the network supports the layouts of a table."""
        return supports(self.network, table)

    def data_digest(self, table: GameSpec) -> str:
        """Return the digest of the game data of its training; empty if there is none."""
        return data_digest(self.network, table)

    def kernels_for(self, method: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        if not isinstance(self.network, Network | Champions):
            return []
        return self.network.kernels_for("best" if self.deterministic and method == "act" else "evaluate")

    def warm_up(self) -> Any:
        """See `Bot.warm_up`."""
        other = copy(self)
        other._rng = np.random.default_rng(0)
        return other

    def _rebound(self, table: GameSpec) -> Bot:
        other: Any = super()._rebound(table)
        if isinstance(self.network, Champions):
            other.network = self.network.bind(table)
        return other  # shares the RNG

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        if len(observations) == 0:
            return np.empty(0, np.int64)
        if self.deterministic:
            return self.network.best(observations, action_masks)
        logits, _ = self.network.evaluate(observations, action_masks)
        return (logits + self._rng.gumbel(size=logits.shape)).argmax(axis=1)


class MaskableNetwork:
    """The network of a MaskablePPO of sb3-contrib, evaluated by torch."""

    knows_margin = False

    def __init__(self, model: Any, game: GameSpec) -> None:
        self.model, self.game_spec = model, game

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Network.best`."""
        return self.evaluate(observations, masks)[0].argmax(axis=1)

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Network.evaluate`."""
        import torch

        policy = self.model.policy
        # The distribution requires a legal action even in rows without a decision.
        legal = np.where(masks.any(axis=1, keepdims=True), masks, 1).astype(bool)
        with torch.no_grad(), one_torch_thread():
            inputs, _ = policy.obs_to_tensor(np.asarray(observations))
            logits = policy.get_distribution(inputs, action_masks=legal).distribution.logits.numpy()
            values = policy.predict_values(inputs).numpy().reshape(-1)
        return np.where(legal, logits, -np.inf), values


AnyNetwork: TypeAlias = Network | mlp.Mlp | Champions | MaskableNetwork


def load_networks(path: str, game: str | GameSpec = DEFAULT) -> AnyNetwork:
    """Load a network from a file, or the bundled ones."""
    if path in (NAME, FROZEN):
        return Champions(game, path)
    file = find_weights(path)
    if file.suffix != WEIGHTS:
        return MaskableNetwork(load_model(file, game), game_spec(game))
    metadata = _metadata(file)
    return mlp.read_mlp(file, metadata, game) if metadata.get("format") == mlp.FORMAT else read_network(file, game)


def supports(network: AnyNetwork, table: GameSpec) -> bool:
    """Return whether a network supports the layouts of a table."""
    if isinstance(network, Champions):
        return table.champions is not None
    return have_same_layouts(network.game_spec, table)


def data_digest(network: Any, table: GameSpec) -> str:
    """Return the digest of the game data of a network's training; empty if there is none."""
    first = next(iter(network.bind(table).networks), None) if isinstance(network, Champions) else network
    return first.metadata["layout"].get("data", "") if isinstance(first, Network) else ""


def files_of(specs: Iterable[str]) -> dict[str, Path]:
    """Return the weight files of bot specs by their paths in the specs."""
    files = {}
    for spec in specs:
        for piece in re.split(r",(?=[a-z_]+=)", spec.partition(":")[2]):
            for path in {piece, piece.partition("=")[2]} - {"", NAME, FROZEN}:
                with suppress(ValueError):
                    files[path] = find_weights(path)
    return files


def weight_digests(specs: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of the weight files of bot specs by their paths in the specs."""
    return {name: digest_of(path) for name, path in files_of(specs).items()}


def digest_text(*specs: str) -> str:
    """Return the sorted digests of `weight_digests` in one text, "" for bundled networks, to compare measurements."""
    return " ".join(sorted(weight_digests(specs).values()))


def _metadata(file: Path) -> dict[str, str]:
    """Return the metadata of a weight file; empty if unreadable, as reading the tensors reports the error."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="numpy") as opened:
            return opened.metadata() or {}
    except (SafetensorError, OSError):
        return {}


def find_weights(path: str) -> Path:
    """Return the file of a path, which may be the directory of a training run.

    ValueError if it does not exist, or is neither .safetensors nor a zip file.
    """
    if path in LOCAL_COPIES:
        return LOCAL_COPIES[path]
    base = Path(path).expanduser()
    suffixed = [base.with_name(base.name + ending) for ending in (WEIGHTS, ".zip") if base.name]
    candidates = [base, base / RUN_WEIGHTS, *suffixed]
    file = next((x for x in candidates if path and x.is_file()), None)
    if file is None:
        raise ValueError(f"agent 'policy': file {path!r} does not exist")
    if file.suffix != WEIGHTS and not zipfile.is_zipfile(file):
        raise ValueError(f"agent 'policy': {path!r} is damaged or not a .zip file")
    return file


def load_model(file: Path, game: str | GameSpec = DEFAULT) -> Any:
    """Load a saved MaskablePPO. ValueError if it is unreadable, untrusted or for another game."""
    try:
        from sb3_contrib import MaskablePPO
    except ImportError as error:
        raise ValueError(missing_message("agent 'policy'", error.name, "train")) from None
    packed = file.read_bytes()  # read once: the loaded bytes must be the checked ones
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        if not {"data", "policy.pth"} <= set(archive.namelist()):
            raise ValueError(f"agent 'policy': {str(file)!r} was not saved by Stable-Baselines3")
    if not trust.is_allowed():
        raise ValueError(f"agent 'policy': reading {str(file)!r} runs the code in it; {trust.HINT}")
    try:
        model = MaskablePPO.load(io.BytesIO(packed), device="cpu")
    except Exception as error:  # unpickling a damaged file raises any exception
        reason = str(error).strip().splitlines()
        raise ValueError(
            f"agent 'policy': {str(file)!r} cannot be read as a MaskablePPO "
            f"({type(error).__name__}: {reason[0] if reason else 'no message'})"
        ) from None
    table = game_spec(game)
    sizes = getattr(model.observation_space, "shape", None), getattr(model.action_space, "n", None)
    expected = (table.observation.n,), table.actions.n
    if sizes != expected:
        shapes = f"observations {sizes[0]} and {sizes[1]} actions; {table.title} has {expected[0]} and {expected[1]}"
        raise ValueError(f"agent 'policy': {str(file)!r} was trained for {shapes}")
    return model
