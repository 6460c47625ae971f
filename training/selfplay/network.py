"""The network of the self-play learner in torch: one body, a policy over all actions, a value for the viewing seat."""

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
from vitienv.agents.weights import extended, layout_of
from vitienv.core.files import atomic
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import PRIOR_UNIT, WORTH_UNIT
from vitienv.registry import DEFAULT, canonical_name, game_spec
from vitienv.training.selfplay.first_layer import FirstLayer
from vitienv.training.selfplay.traits import shared_rows, split

ILLEGAL = -1e9
LEAST_LIKELY = -10.0  # the logit with which an action that is new in the layout begins to be learned
JUDGE = 128  # width of the layer before the value
TRUST = 8.0  # initial weight of the policy prior: sampled play is then nearly as strong as the prior's best action


@dataclass(frozen=True)
class Architecture:
    """hidden: width of the body. blocks: layers added to it, each to what came before. lead: how much of the value
    is the present lead in points (see `PolicyValue`). policy_prior: the heuristic bot that is asked first, None for
    nobody. traits: whether the first layer has weights that cards share (see `training.selfplay.traits`); only learning
    knows them. ValueError for a number that makes no network.
    """

    hidden: int = 256
    blocks: int = 2
    lead: float = 0.5
    policy_prior: str | None = None
    traits: bool = False

    def __post_init__(self) -> None:
        if self.hidden < 1 or self.blocks < 0:
            raise ValueError(f"a network needs hidden >= 1 and blocks >= 0, not {self.hidden} and {self.blocks}")

    def to_play(self) -> dict[str, Any]:
        """What decides about play, as plain JSON."""
        return {name: value for name, value in asdict(self).items() if name != "traits"}


class PolicyValue(nn.Module):
    """Observations and masks to logits and values.

    The value starts as `lead` times the present lead in points and learns the rest. As initial value and as
    potential of a shaped reward (Wiewiora 2003) such a term has the same effect on learning; here the value stays
    the expected result of the game for the viewing seat.

    With a policy prior, an action x hundredths of a point below the policy prior's best starts with the logit
    -trust * log(1 + x / PRIOR_UNIT), so that an untrained network plays as the policy prior does, and
    1 / (1 + x / PRIOR_UNIT) takes the place of its flag in the mask. Learned logits are added. The prior's value of
    the position adds to the value, by a learned factor.
    """

    scale: torch.Tensor
    rows: torch.Tensor
    wide: torch.Tensor
    logs: torch.Tensor

    def __init__(
        self, architecture: Architecture | None = None, game: str | GameSpec = DEFAULT, worth: float | None = None
    ) -> None:
        """worth: initial factor of the policy prior's value; `lead` if None."""
        super().__init__()
        self.game_spec = game if isinstance(game, GameSpec) else game_spec(game)
        self.is_rounded = False  # its wide layers compute in bfloat16
        seen, n_actions = self.game_spec.observation, self.game_spec.actions.n
        self.architecture = a = architecture or Architecture()
        self.policy_prior = PolicyPrior(a.policy_prior, self.game_spec)
        self.input = nn.Linear(seen.n + n_actions, a.hidden)
        self.blocks = nn.ModuleList(nn.Linear(a.hidden, a.hidden) for _ in range(a.blocks))
        self.policy = nn.Linear(a.hidden, n_actions)
        self.judge = nn.Linear(a.hidden, JUDGE)
        self.value = nn.Linear(JUDGE, 1)
        for head in (self.policy, self.value):  # at first all legal actions are about equally likely
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)
        if self.policy_prior.width:
            self.trust = nn.Parameter(torch.tensor(TRUST))
            self.worth = nn.Parameter(torch.tensor(a.lead if worth is None else worth))
        if a.traits:
            rows = shared_rows(self.game_spec)
            self.shared = nn.Parameter(torch.zeros(rows.shape[1], a.hidden))
            self.register_buffer("rows", rows, persistent=False)
        scale = torch.cat([torch.from_numpy(seen.scales), torch.ones(n_actions)])
        self.register_buffer("scale", scale, persistent=False)
        self.register_buffer("wide", torch.from_numpy(seen.logs), persistent=False)
        self.register_buffer("logs", torch.zeros(seen.n, dtype=torch.int8), persistent=False)
        self.logs[seen.logs] = 1

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor, prior_scores: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """observations (n, observed numbers) int16, masks (n, actions) int8, prior_scores (n, prior width) int16, to
        logits (n, actions) and values (n,)."""
        has_prior = self.policy_prior.width > 0
        x = relu(self._first_layer(observations, masks, prior_scores) + self.input.bias)
        with self._rounding():
            for block in self.blocks:
                x = x + relu(block(x))
            logits, judged = self.policy(x).float(), relu(self.judge(x)).float()
        if has_prior:
            logits = logits + self.trust * prior_logits(prior_scores)
        logits = logits.masked_fill(masks == 0, ILLEGAL)
        values = self.value(judged)[:, 0]
        if has_prior:
            values = values + self.worth * (prior_scores[:, -1] / WORTH_UNIT)
        return logits, values + self.architecture.lead * lead(self.game_spec, observations)

    def _input_weights(self) -> torch.Tensor:
        """Those of the first layer with what is shared, (hidden, inputs)."""
        if not self.architecture.traits:
            return self.input.weight
        return self.input.weight + torch.sparse.mm(self.rows, self.shared).t()

    def _first_layer(self, observations: torch.Tensor, masks: torch.Tensor, prior_scores: torch.Tensor) -> torch.Tensor:
        """What is taken in, times the weights of the first layer, (n, hidden)."""
        weights = self._input_weights() * self.scale
        if observations.device.type == "cpu" and not self.is_rounded:
            return cast(torch.Tensor, FirstLayer.apply(weights.t(), observations, masks, prior_scores, self.logs))
        n = self.game_spec.observation.n
        taken = torch.empty(len(observations), len(self.scale), device=observations.device)
        taken[:, :n] = observations
        taken[:, n:] = masks
        if self.policy_prior.width:
            taken[:, n:] *= prior_logits(prior_scores).exp()
        wide = taken.index_select(1, self.wide)
        taken.index_copy_(1, self.wide, torch.sign(wide) * torch.log1p(torch.abs(wide)))
        with self._rounding():
            return linear(taken, weights)

    def _rounding(self) -> torch.autocast:
        """Around layers that compute in bfloat16 if the network is rounded."""
        return torch.autocast(self.input.weight.device.type, torch.bfloat16, enabled=self.is_rounded)

    def tensors(self) -> dict[str, torch.Tensor]:
        """The learned tensors by their names in a file, with scales and shared rows multiplied into the weights."""
        found = {name: value.detach().cpu().clone() for name, value in self.state_dict().items() if name != "shared"}
        found["input.weight"] = (self._input_weights() * self.scale).detach().cpu()
        return found

    def compiled(self) -> Network:
        """The network as it is now, to be played by compiled code."""
        tensors = {name: value.numpy() for name, value in self.tensors().items()}
        return Network(tensors, {"architecture": self.architecture.to_play()}, self.game_spec)

    def set_prior_scale(self, trust: float) -> None:
        """Set `trust`: lower values flatten the policy prior. ValueError if the network has no policy prior."""
        if not self.policy_prior.width:
            raise ValueError(f"trust is {trust}, but the network has no policy prior")
        with torch.no_grad():
            self.trust.fill_(trust)


def prior_logits(prior_scores: torch.Tensor) -> torch.Tensor:
    """As `vitienv.agents.champions.prior_logits`, for the policy prior's scores; (n, actions)."""
    return -torch.log1p(prior_scores[:, :-1] / -PRIOR_UNIT)


def lead(game: GameSpec, observations: torch.Tensor) -> torch.Tensor:
    """As `vitienv.agents.champions.lead`, (n,) float32."""
    if game.lead is None:
        return torch.zeros(len(observations), device=observations.device)
    seen, score = game.observation, game.lead
    points = observations[:, seen.slice(score.points)].float()
    is_there = observations[:, seen.slice(score.present)][:, 1:] != 0
    best = points[:, 1:].masked_fill(~is_there, -torch.inf).amax(dim=1)
    if score.rival is not None:
        best = torch.where(is_there.any(dim=1), best, observations[:, seen.start(score.rival)].float())
    return ((points[:, 0] - best) / score.unit).clamp(-1, 1)


def save_network(path: str | Path, network: PolicyValue, trained: dict[str, Any], half: bool = True) -> None:
    """Write the weights, atomically, as `policy:FILE` plays them.

    trained: how they came about, as JSON. half: two bytes a number instead of four.
    """
    from safetensors.torch import save

    kind = torch.float16 if half else torch.float32
    layout = {"game": canonical_name(network.game_spec), **layout_of(network.game_spec)}
    about = {"architecture": network.architecture.to_play(), "layout": layout, "trained": trained}
    metadata = {"format": FORMAT} | {name: json.dumps(value) for name, value in about.items()}
    with atomic(Path(path)) as temporary:
        tensors = {name: value.to(kind).contiguous() for name, value in network.tensors().items()}
        temporary.write_bytes(save(tensors, metadata))


def widened(network: PolicyValue, hidden: int, seed: int) -> PolicyValue:
    """The network with a wider body that computes the same (Chen et al. 2016): new units are random, and their outputs
    have weight 0.

    ValueError if `hidden` is less than the network has.
    """
    made = network.architecture
    if hidden < made.hidden:
        raise ValueError(f"hidden is {hidden}; the network to start with has {made.hidden} and can only become wider")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        wider = PolicyValue(replace(made, hidden=hidden), network.game_spec)
    narrow = network.state_dict()
    with torch.no_grad():
        for name, value in wider.state_dict().items():
            kept = narrow[name].to(value.device)
            if kept.dim() == 2 and name != "input.weight":
                value[:, kept.shape[1] :] = 0.0  # new units have no effect at first
            value[tuple(slice(n) for n in kept.shape)] = kept
    return wider


def with_traits(network: PolicyValue) -> PolicyValue:
    """The network with weights that cards share; it computes the same. ValueError for a game without traits."""
    made = PolicyValue(replace(network.architecture, traits=True), network.game_spec)
    kept = {name: value.cpu() for name, value in network.state_dict().items()}
    shared, own = split(made.rows, kept["input.weight"])
    made.load_state_dict(kept | {"shared": shared, "input.weight": own})
    return made


def load_network(path: str | Path, device: str = "cpu", game: str = DEFAULT) -> PolicyValue:
    """The network of a file, to go on learning from. ValueError as `read_network`."""
    from safetensors.numpy import load_file

    about = read_network(path, game).about
    network = PolicyValue(Architecture(**about["architecture"]), game)
    weights = extended(load_file(path), about["layout"], network.game_spec)
    tensors = {name: torch.from_numpy(np.asarray(value, np.float32)) for name, value in weights.items()}
    tensors["policy.bias"].clamp_(min=LEAST_LIKELY)  # so that new actions can be learned
    judge = len(tensors["judge.bias"])
    if judge != JUDGE:
        raise ValueError(f"{str(path)!r} plays, but cannot go on learning: its judge is {judge} wide, not {JUDGE}")
    scale = network.scale.clone()
    scale[scale == 0] = 1.0  # ignored inputs have weights of zero
    tensors["input.weight"] /= scale
    network.load_state_dict(tensors)
    return network.to(device)
