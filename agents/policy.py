"""A trained network in a seat: weights of one of the learners, or a model saved by sb3-contrib's MaskablePPO.

Weights (.safetensors) are numbers and nothing else. A .zip holds pickled Python, which runs when it is read: it is read
only if the user wrote it or trusts it (`vitienv.signing`).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np

from vitienv import signing
from vitienv.agents import mlp
from vitienv.agents.champions import FROZEN, NAME, Champions
from vitienv.agents.network import Network, read_network
from vitienv.agents.protocol import Bot, GameViews, have_same_layouts
from vitienv.core.game_spec import GameSpec
from vitienv.extras import missing
from vitienv.registry import DEFAULT, game_spec, relatives
from vitienv.threads import one_torch_thread

WEIGHTS = ".safetensors"
OF_A_RUN = "agent.safetensors"  # in the folder of a training: its bot
CARRIED: dict[str, Path] = {}  # files that came with work from another machine, by what the specs call them


class PolicyAgent(Bot):
    """Plays what a network finds best, or draws from its probabilities.

    path: the .safetensors file of a run, which needs no torch, or the .zip of a MaskablePPO; the ending may be left
    out. "champion" are the networks that ship, each for its tables. deterministic: the most probable legal action,
    whatever the other rows are; else one is drawn, by the seed. device: for a .zip. ValueError says what is wrong with
    the file.
    """

    def __init__(
        self,
        path: str,
        deterministic: bool = True,
        device: str = "cpu",
        seed: int | None = None,
        game: str | GameSpec = DEFAULT,
    ) -> None:
        evaluator = load_networks(path, game)
        self.network, self.deterministic = evaluator, deterministic  # None for a .zip
        self._model: _Maskable | _Drawing = (
            _Maskable(find_weights(path), device, game) if evaluator is None else _Drawing(evaluator)
        )
        super().__init__(f"policy:{Path(path).stem}", self._model.game_spec)
        if not deterministic:
            self._model.set_random_seed(seed)

    def supports(self, table: GameSpec) -> bool:
        """Whether it knows the layouts of a table."""
        return have_same_layouts(table, self.table) if self.network is None else supports(self.network, table)

    def data_digest(self, table: GameSpec) -> str:
        """The digest of the data of a table's game that it was trained with; nothing where there is none."""
        return data_digest(self.network, table)

    def kernels_for(self, what: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        if self.network is None or isinstance(self.network, mlp.Mlp):
            return []
        return self.network.kernels_for("best" if self.deterministic and what == "act" else "evaluate")

    def warm_up(self) -> Any:
        """See `Bot.warm_up`."""
        if self.network is None:
            return self
        other = copy(self)
        other._model = copy(self._model)
        other._model.set_random_seed(0)
        return other

    def _moved(self, table: GameSpec) -> Bot:
        other: Any = super()._moved(table)
        if isinstance(self.network, Champions):
            other.network = self.network.bind(table)
            other._model = copy(self._model)  # with the same chance
            other._model.network = other.network
        return other

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        if len(observations) == 0:
            return np.empty(0, np.int64)
        actions, _ = self._model.predict(
            np.asarray(observations), action_masks=np.asarray(action_masks), deterministic=self.deterministic
        )
        return np.asarray(actions, np.int64)


class _Maskable:
    """A model of the library, kept to few threads."""

    def __init__(self, file: Path, device: str, game: str | GameSpec) -> None:
        self._model = load_model(file, device, game)
        self.game_spec = _table_of(self._model, game_spec(game))
        self.set_random_seed = self._model.set_random_seed

    def predict(self, observations: np.ndarray, **how: Any) -> tuple[np.ndarray, None]:
        with one_torch_thread():
            return self._model.predict(observations, **how)[0], None


class _Drawing:
    """Networks of the learners, asked as the library's models are."""

    def __init__(self, network: Network | mlp.Mlp | Champions) -> None:
        self.network = network
        self.game_spec = network.game_spec
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


def load_networks(path: str, game: str | GameSpec = DEFAULT) -> Network | mlp.Mlp | Champions | None:
    """The network of a learner in a file, or those that ship; None for a file of another kind."""
    if path in (NAME, FROZEN):
        return Champions(game, path)
    file = find_weights(path)
    if file.suffix != WEIGHTS:
        return None
    metadata = _metadata(file)
    return mlp.read_mlp(file, metadata, game) if metadata.get("format") == mlp.FORMAT else read_network(file, game)


def supports(network: Network | mlp.Mlp | Champions, table: GameSpec) -> bool:
    """Whether networks of the learners know the layouts of a table."""
    if isinstance(network, Champions):
        return table.champions is not None
    return have_same_layouts(network.game_spec, table)


def data_digest(network: Any, table: GameSpec) -> str:
    """The digest of the data of a table's game that a network was trained with; nothing where there is none."""
    own = next(iter(network.bind(table).networks), None) if isinstance(network, Champions) else network
    return own.about["layout"].get("data", "") if isinstance(own, Network) else ""


def files_of(specs: Iterable[str]) -> dict[str, Path]:
    """The files of weights that specs of bots name, by what they call them."""
    files = {}
    for spec in specs:
        for piece in re.split(r",(?=[a-z_]+=)", spec.partition(":")[2]):
            for path in {piece, piece.partition("=")[2]} - {"", NAME, FROZEN}:
                with suppress(ValueError):
                    files[path] = find_weights(path)
    return files


def _metadata(file: Path) -> dict[str, str]:
    """The metadata of a file of weights; empty if it cannot be read, which reading its numbers reports."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="numpy") as opened:
            return opened.metadata() or {}
    except (SafetensorError, OSError):
        return {}


def find_weights(path: str) -> Path:
    """The file meant by `path`, which may be the folder of a training.

    ValueError if there is none, or if it is neither .safetensors nor a zip file.
    """
    if path in CARRIED:
        return CARRIED[path]
    given = Path(path).expanduser()
    longer = [given.with_name(given.name + ending) for ending in (WEIGHTS, ".zip") if given.name]
    tried = [given, given / OF_A_RUN, *longer]
    file = next((x for x in tried if path and x.is_file()), None)
    if file is None:
        raise ValueError(f"agent 'policy': there is no file {path!r}")
    if file.suffix != WEIGHTS and not zipfile.is_zipfile(file):
        raise ValueError(f"agent 'policy': {path!r} is not a saved model: it is damaged or no .zip file")
    return file


def load_model(file: Path, device: str, game: str | GameSpec = DEFAULT) -> Any:
    """The saved MaskablePPO. ValueError if it cannot be read, was trained for something else, or is a stranger's."""
    try:
        from sb3_contrib import MaskablePPO
    except ImportError as error:
        raise ValueError(missing("agent 'policy'", error.name, "train")) from None
    packed = file.read_bytes()  # once: the bytes that are read must be those that were checked
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        if not {"data", "policy.pth"} <= set(archive.namelist()):
            raise ValueError(f"agent 'policy': {str(file)!r} was not saved by Stable-Baselines3")
    if not signing.is_allowed():
        raise ValueError(f"agent 'policy': reading {str(file)!r} runs the code in it; {signing.HOW}")
    try:
        model = MaskablePPO.load(io.BytesIO(packed), device=device)
    except Exception as error:  # whatever a damaged file makes the unpickling raise
        reason = str(error).strip().splitlines()
        raise ValueError(
            f"agent 'policy': {str(file)!r} cannot be read as a MaskablePPO "
            f"({type(error).__name__}: {reason[0] if reason else 'no reason given'})"
        ) from None
    try:
        _table_of(model, game_spec(game))
    except ValueError as error:
        raise ValueError(f"agent 'policy': {str(file)!r} was trained for {error}") from None
    return model


def _table_of(model: Any, made: GameSpec) -> GameSpec:
    """The game that a library's model was trained for. The model says its sizes alone: they are those of `made`, or of
    just one of its relatives. ValueError if no game has them, or if several relatives do."""
    seen, acts = getattr(model.observation_space, "shape", None), getattr(model.action_space, "n", None)
    fitting = [relative for relative in (made, *relatives(made))
               if seen == (relative.observation.n,) and acts == relative.actions.n]  # fmt: skip
    if made in fitting or len(fitting) == 1:
        return fitting[0]
    told = f"observations {seen} and {acts} actions, "
    if fitting:
        raise ValueError(told + f"as {' and '.join(one.title for one in fitting)} have; give game= one of them")
    raise ValueError(told + f"this version of {made.name} has ({made.observation.n},) and {made.actions.n}")
