"""Policy-value network of the self-play learner in torch: a shared body, action logits, and a value."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import nn
from torch.nn.functional import linear, relu

from vitienv.agents.network import FORMAT, Network, PolicyPrior, read_network
from vitienv.agents.policy import find_weights
from vitienv.agents.weights import extend_tensors, layout_of
from vitienv.core.files import atomic
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import PRIOR_UNIT, VALUE_UNIT
from vitienv.registry import DEFAULT, canonical_name, game_spec
from vitienv.training.selfplay.first_layer import FirstLayer

ILLEGAL = -1e9
LEAST_LIKELY = -10.0  # initial bias of actions added to the layout
JUDGE = 128  # width of the layer before the value
PRIOR_WEIGHT = 8.0  # initial weight: sampled play is nearly as strong as the prior's best action


@dataclass(frozen=True)
class Architecture:
    """Architecture of a `PolicyValue`.

    hidden: width of the body. blocks: number of residual layers. lead: weight of the current lead in the value.
    policy_prior: heuristic bot, or None.
    """

    hidden: int = 256
    blocks: int = 2
    lead: float = 0.5
    policy_prior: str | None = None


class PolicyValue(nn.Module):
    """Network from observations and masks to logits and values.

    The value starts as `lead` times the current lead in points. Such an initial value has the same effect on learning
    as potential-based reward shaping (Wiewiora 2003), and the value remains the expected result of the viewing seat.

    With a policy prior, an action x hundredths of a point below the policy prior's best starts with the logit
    -trust * log(1 + x / PRIOR_UNIT), so that an untrained network plays as the policy prior does, and
    1 / (1 + x / PRIOR_UNIT) takes the place of its flag in the mask. Learned logits are added. The prior's value of
    the position adds to the value, by a learned factor.
    """

    scale: torch.Tensor
    wide: torch.Tensor
    logs: torch.Tensor

    def __init__(
        self, architecture: Architecture | None = None, game: str | GameSpec = DEFAULT, worth: float | None = None
    ) -> None:
        """worth: initial weight of the policy prior's value; `lead` if None."""
        super().__init__()
        self.game_spec = game if isinstance(game, GameSpec) else game_spec(game)
        observation, n_actions = self.game_spec.observation, self.game_spec.actions.n
        self.architecture = a = architecture or Architecture()
        self.policy_prior = PolicyPrior(a.policy_prior, self.game_spec)
        self.input = nn.Linear(observation.n + n_actions, a.hidden)
        self.blocks = nn.ModuleList(nn.Linear(a.hidden, a.hidden) for _ in range(a.blocks))
        self.policy = nn.Linear(a.hidden, n_actions)
        self.judge = nn.Linear(a.hidden, JUDGE)
        self.value = nn.Linear(JUDGE, 1)
        for head in (self.policy, self.value):  # nearly uniform initial policy
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)
        if self.policy_prior.width:
            self.trust = nn.Parameter(torch.tensor(PRIOR_WEIGHT))
            self.worth = nn.Parameter(torch.tensor(a.lead if worth is None else worth))
        scale = torch.cat([torch.from_numpy(observation.scales), torch.ones(n_actions)])
        self.register_buffer("scale", scale, persistent=False)
        self.register_buffer("wide", torch.from_numpy(observation.logs), persistent=False)
        self.register_buffer("logs", torch.zeros(observation.n, dtype=torch.int8), persistent=False)
        self.logs[observation.logs] = 1

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor, prior_scores: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits (n, actions) and values (n,) of the observations (n, features) int16."""
        has_prior = self.policy_prior.width > 0
        x = relu(self._first_layer(observations, masks, prior_scores) + self.input.bias)
        for block in self.blocks:
            x = x + relu(block(x))
        logits = self.policy(x)
        if has_prior:
            logits = logits + self.trust * prior_logits(prior_scores)
        logits = logits.masked_fill(masks == 0, ILLEGAL)
        values = self.value(relu(self.judge(x)))[:, 0]
        if has_prior:
            values = values + self.worth * (prior_scores[:, -1] / VALUE_UNIT)
        return logits, values + self.architecture.lead * lead(self.game_spec, observations)

    def _first_layer(self, observations: torch.Tensor, masks: torch.Tensor, prior_scores: torch.Tensor) -> torch.Tensor:
        weights = self.input.weight * self.scale
        if observations.device.type == "cpu":
            return cast(torch.Tensor, FirstLayer.apply(weights.t(), observations, masks, prior_scores, self.logs))
        return linear(self._dense_inputs(observations, masks, prior_scores), weights)

    def _dense_inputs(
        self, observations: torch.Tensor, masks: torch.Tensor, prior_scores: torch.Tensor
    ) -> torch.Tensor:
        n = self.game_spec.observation.n
        inputs = torch.empty(len(observations), len(self.scale), device=observations.device)
        inputs[:, :n] = observations
        inputs[:, n:] = masks
        if self.policy_prior.width:
            inputs[:, n:] *= prior_logits(prior_scores).exp()
        wide = inputs.index_select(1, self.wide)
        inputs.index_copy_(1, self.wide, torch.sign(wide) * torch.log1p(torch.abs(wide)))
        return inputs

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return the tensors of a weights file, with scales multiplied into the weights."""
        tensors = {name: value.detach().cpu().clone() for name, value in self.state_dict().items()}
        tensors["input.weight"] *= self.scale.cpu()
        return tensors

    def compiled(self) -> Network:
        """Return a copy of the network for compiled code."""
        tensors = {name: value.numpy() for name, value in self.tensors().items()}
        return Network(tensors, {"architecture": asdict(self.architecture)}, self.game_spec)

    def set_prior_scale(self, trust: float) -> None:
        """Set `trust`: lower values flatten the policy prior. ValueError if the network has no policy prior."""
        if not self.policy_prior.width:
            raise ValueError(f"prior_scale requires a policy prior, got {trust}")
        with torch.no_grad():
            self.trust.fill_(trust)


def prior_logits(prior_scores: torch.Tensor) -> torch.Tensor:
    """Return `vitienv.agents.champions.prior_logits` (n, actions) in torch."""
    return -torch.log1p(prior_scores[:, :-1] / -PRIOR_UNIT)


def lead(game: GameSpec, observations: torch.Tensor) -> torch.Tensor:
    """Return `vitienv.agents.champions.lead` (n,) float32 in torch."""
    if game.lead is None:
        return torch.zeros(len(observations), device=observations.device)
    observation, score = game.observation, game.lead
    points = observations[:, observation.slice(score.points)].float()
    is_there = observations[:, observation.slice(score.present)][:, 1:] != 0
    best = points[:, 1:].masked_fill(~is_there, -torch.inf).amax(dim=1)
    if score.rival is not None:
        best = torch.where(is_there.any(dim=1), best, observations[:, observation.start(score.rival)].float())
    return ((points[:, 0] - best) / score.unit).clamp(-1, 1)


def save_network(path: str | Path, network: PolicyValue, trained: dict[str, Any], half: bool = True) -> None:
    """Write the weights for `policy:FILE`, atomically.

    trained: training metadata, as JSON. half: whether to write float16 instead of float32.
    """
    from safetensors.torch import save

    kind = torch.float16 if half else torch.float32
    layout = {"game": canonical_name(network.game_spec), **layout_of(network.game_spec)}
    metadata_values = {"architecture": asdict(network.architecture), "layout": layout, "trained": trained}
    metadata = {"format": FORMAT} | {name: json.dumps(value) for name, value in metadata_values.items()}
    with atomic(Path(path)) as temporary:
        tensors = {name: value.to(kind).contiguous() for name, value in network.tensors().items()}
        temporary.write_bytes(save(tensors, metadata))


def widened(network: PolicyValue, hidden: int, seed: int) -> PolicyValue:
    """Return an equivalent network with a wider body: new units are random with output weights 0 (Chen et al. 2016).

    ValueError if `hidden` is less than that of the network.
    """
    architecture = network.architecture
    if hidden < architecture.hidden:
        raise ValueError(f"hidden must be at least {architecture.hidden}, that of the initial network, got {hidden}")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        wider = PolicyValue(replace(architecture, hidden=hidden), network.game_spec)
    narrow = network.state_dict()
    with torch.no_grad():
        for name, value in wider.state_dict().items():
            old = narrow[name].to(value.device)
            if old.dim() == 2 and name != "input.weight":
                value[:, old.shape[1] :] = 0.0  # new units have no effect at first
            value[tuple(slice(n) for n in old.shape)] = old
    return wider


def read_start(path: str | Path, settings: Any, widens: bool = False) -> tuple[PolicyValue, Any, Any]:
    """Return the initial network of a run, the training metadata of its file, and the settings with its architecture.

    path: a weights file or the directory of a run. widens: whether to widen it to `settings.hidden`. ValueError as
    `find_weights`, `load_network` and `widened`.
    """
    path = find_weights(str(path))
    network = load_network(path, game=settings.game)
    if widens:
        network = widened(network, settings.hidden, settings.seed)
    size = network.architecture
    settings = replace(
        settings, hidden=size.hidden, blocks=size.blocks, shaping=size.lead, policy_prior=size.policy_prior
    )
    return network, read_network(path, settings.game).metadata["trained"], settings


def load_network(path: str | Path, game: str = DEFAULT) -> PolicyValue:
    """Load a network to continue training. ValueError as `read_network`, or if its value head differs."""
    from safetensors.numpy import load_file

    metadata = read_network(path, game).metadata
    network = PolicyValue(Architecture(**metadata["architecture"]), game)
    weights = extend_tensors(load_file(path), metadata["layout"], network.game_spec)
    tensors = {name: torch.from_numpy(np.asarray(value, np.float32)) for name, value in weights.items()}
    tensors["policy.bias"].clamp_(min=LEAST_LIKELY)  # lets the network learn new actions
    judge = len(tensors["judge.bias"])
    if judge != JUDGE:
        raise ValueError(f"the value layer of {str(path)!r} must have width {JUDGE} to be trained, got {judge}")
    scale = network.scale.clone()
    scale[scale == 0] = 1.0  # ignored inputs have weights of zero
    tensors["input.weight"] /= scale
    network.load_state_dict(tensors)
    return network
