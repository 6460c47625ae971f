"""Self-play learner: masked proximal policy optimisation of one network for all seats.

An update plays `num_steps` decisions in every env (`play`), links each seat's decisions (`rollout.link`) and trains on
them in minibatches. Imitation (`imitate`) uses the same rollout with a bot's actions as labels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from torch.nn.functional import cross_entropy
from torch.optim.swa_utils import AveragedModel

from vitienv.agents import Agent
from vitienv.agents.policy import MaskableNetwork, PolicyAgent
from vitienv.core.batch import TRUNCATED
from vitienv.registry import game_spec
from vitienv.training.selfplay import gpu_acting
from vitienv.training.selfplay.acting import Step, is_thread_safe, run_tasks
from vitienv.training.selfplay.envs import Envs, initial_value, parse_mix
from vitienv.training.selfplay.gpu_envs import DeviceEnvs
from vitienv.training.selfplay.league import LEARNER, League
from vitienv.training.selfplay.network import Architecture, PolicyValue
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.rollout import Rollout, Sample
from vitienv.training.selfplay.settings import WARM, WARM_SHARE, Settings

if TYPE_CHECKING:
    from vitienv.core.targets.cuda import Device

GOLDEN = 0.6180339887  # golden-ratio sequence: assigns any fraction of the envs evenly
# Decisions whose action had a higher probability than `CONFIDENT_PROB` are subsampled: they were 68 to 81 % of all
# and less than 1 % of the squared policy gradient. Weights keep the means unchanged.
CONFIDENT_PROB, SUBSAMPLE_RATE = 0.9, 0.2
LEARNING_RATE_WARM = 1e-3  # for updates of the value alone
VALUE_LAYERS = "judge.", "value.", "worth"
AVERAGE_DECAY = 0.97  # exponential moving average of the weights, per update
# Imitation; the learning rate decays linearly between the two values.
LEARNING_RATES_IMITATE, GAE_LAMBDA_IMITATE, MINIBATCH_SIZE_IMITATE = (1e-3, 1e-4), 0.98, 1024


def _update_average(average: Any, weights: Any, num_averaged: torch.Tensor | int) -> None:
    """Update an exponential moving average, which forgets faster during the first updates of a run."""
    updates = int(num_averaged)
    torch._foreach_lerp_(average, weights, 1 - min(AVERAGE_DECAY, updates / (updates + 3)))


class Learner:
    """Network, optimizer, envs, league and random number generators of one process.

    average: the network with the exponential moving average of the weights, which is evaluated and saved.
    """

    def __init__(
        self, settings: Settings, processes: Processes, network: PolicyValue | None = None,
        start_metadata: dict[str, Any] | None = None, gpu: Device | None = None,
    ) -> None:  # fmt: skip
        """network: initial network, None for a new one.

        start_metadata: its training metadata. gpu: GPU of the games, or None.
        """
        self.start_metadata = start_metadata
        self.settings, self.processes, device = settings, processes, processes.device
        process_seed = settings.seed * 1000 + processes.rank
        torch.set_flush_denormal(True)  # rewards are mostly zero, and denormal numbers are slow
        torch.manual_seed(settings.seed)
        self.game_spec = game = game_spec(settings.game)
        kinds = parse_mix(settings.mix, game)
        lead, prior_value_weight = initial_value(settings, kinds)
        architecture = Architecture(settings.hidden, settings.blocks, lead, settings.policy_prior)
        self.network = (network or PolicyValue(architecture, settings.game, prior_value_weight)).to(device)
        if settings.prior_scale is not None:
            self.network.set_prior_scale(settings.prior_scale)
        processes.broadcast_weights(self.network)
        self.parameters = list(self.network.parameters())
        self._average = AveragedModel(self.network, multi_avg_fn=_update_average)
        self.optimizer = torch.optim.Adam(self.parameters, lr=settings.learning_rate, eps=1e-5)
        self.action_rng = torch.Generator().manual_seed(process_seed)
        self.shuffle_rng = torch.Generator().manual_seed(process_seed)
        num_envs, num_steps = settings.num_envs, settings.num_steps
        self.envs = (Envs if gpu is None else partial(DeviceEnvs, gpu))(
            game, kinds, num_envs, process_seed, settings.max_years, settings.reward,
            settings.solo_reward,
        )  # fmt: skip
        self.league = League(
            settings.league, settings.league_share, settings.num_snapshots, settings.active_snapshots, self.envs,
            process_seed,
        )  # fmt: skip
        prior_width, rewards_on_device = self.network.policy_prior.width, self.envs.is_on_device
        self.rollout = Rollout(game, num_steps, self.envs.players, prior_width, device, rewards_on_device)
        self.acts_on_device = device.type != "cpu" or gpu is not None  # torch instead of compiled code
        self.updates = self.policy_updates = self.decisions = self.imitated = 0
        self.sums: dict[str, float] = defaultdict(float)  # sums over games finished since the last `report`

    @property
    def average(self) -> PolicyValue:
        return cast(PolicyValue, self._average.module)

    def play(self) -> None:
        """Fill the rollout: the network plays the learner's seats, members of the league the others."""
        rollout, playing = self.rollout, None if self.acts_on_device else self.network.compiled()
        for t in range(rollout.num_steps):
            step = self._observe(t)
            controllers = self.league.controllers()
            rows = np.flatnonzero(controllers == LEARNER)
            if playing is None:
                gpu_acting.decide(self.network, self.league, rollout, t, controllers, step)
                rollout.store_seats(t, rows, self.envs.seats)
            else:
                tasks = self.league.member_tasks(controllers, step)
                run_tasks([(partial(step.play_learner, playing), rows), *tasks])
                rollout.store(t, rows, self.envs.seats, step)
            self._step(t, rollout.actions[rollout.rows(t)] if self.envs.is_on_device else step.actions)
            self.decisions += len(rows)

    def _observe(self, t: int) -> Step:
        uniform = torch.rand(self.envs.n, generator=self.action_rng, dtype=torch.float64).numpy()
        return Step(
            *self.rollout.observe(self.envs, t), self.network.policy_prior.width, uniform, self.envs.prior_error
        )  # fmt: skip

    def _step(self, t: int, actions: Any) -> None:
        step_result = self.envs.step(actions)
        self.envs.reward(self.rollout.rewards[t])
        self.rollout.ended[t] = step_result.ended
        over = np.flatnonzero(step_result.ended)
        if not len(over):
            return
        players = self.envs.players[over]
        is_learner = (self.league.seating[over] == LEARNER) & (np.arange(self.game_spec.max_seats) < players[:, None])
        is_multiplayer = players > 1
        for name, value in (
            ("games", len(over)), ("years", step_result.rounds[over].sum()),
            ("cut", (step_result.ended[over] == TRUNCATED).sum()),
            ("points", step_result.points[over][is_learner & is_multiplayer[:, None]].sum()),
            ("seats", (is_learner & is_multiplayer[:, None]).sum()),
            ("solo", (~is_multiplayer).sum()), ("solo_points", step_result.points[over][~is_multiplayer, 0].sum()),
        ):  # fmt: skip
            self.sums[name] += float(value)
        self.league.record(step_result)

    def update(self, progress: float = 0.0) -> dict[str, float]:
        """Play and learn; return the mean losses. progress: of the call, from 0 to 1."""
        self.update_league()
        self.play()
        means = self.learn(self.sample(), progress)
        self.rollout.carry_over()
        self.league.update_scores(self.processes.all_reduce_sum)
        self.updates += 1
        return means

    def update_league(self) -> None:
        """Add a snapshot every `snapshot_interval` updates and choose the league's active snapshots."""
        if self.updates % self.settings.snapshot_interval == 0:
            self.league.add_snapshot(self.network, f"self@{self.updates}")
        self.league.choose_active([self.settings.seed, self.updates])

    def sample(self) -> Sample:
        """Return the training sample of the rollout."""
        settings = self.settings
        rows, td_errors, advantages = self.rollout.link(
            settings.gamma, settings.gae_lambda_value, settings.gae_lambda
        )  # fmt: skip
        returns = td_errors + self.rollout.values[rows]
        normal = normalised(advantages) if len(advantages) > 1 else advantages
        variance = float(returns.var()) if len(returns) > 1 else 0.0
        explained_variance = 1 - float((td_errors**2).mean()) / variance if variance > 0 else 0.0
        selected, weights = self._subsample(self.rollout.log_probs[rows])
        return Sample(self.rollout, rows[selected], normal[selected], returns[selected], weights, explained_variance)

    def learn(self, sample: Sample, progress: float) -> dict[str, float]:
        """Train on a sample; return the mean losses and diagnostics."""
        settings = self.settings
        trains_policy = self._trains_policy(progress)
        self._freeze_policy(not trains_policy and self.start_metadata is not None)
        learning_rate = anneal(settings.learning_rate, settings.learning_rate_end, progress)
        ent_coef = anneal(settings.ent_coef, settings.ent_coef_end, progress)
        means = self._minibatches(
            lambda part: self._loss(sample, part, trains_policy, ent_coef), len(sample), settings.update_epochs,
            settings.minibatch_size, learning_rate if trains_policy else LEARNING_RATE_WARM,
        )  # fmt: skip
        self.policy_updates += trains_policy
        return means | {"explained": sample.explained_variance}

    def _trains_policy(self, progress: float) -> bool:
        warm = self.settings.value_warmup_updates
        is_over = self.policy_updates > 0 or self.imitated > 0  # imitation trains the value too
        is_long = warm is None and progress >= WARM_SHARE
        return is_over or is_long or self.updates >= (WARM if warm is None else warm)

    def _freeze_policy(self, is_frozen: bool) -> None:
        """Train only the layers of the value: a warm-up of the whole network would change the policy of `--start`."""
        for name, parameter in self.network.named_parameters():
            parameter.requires_grad_(not is_frozen or name.startswith(VALUE_LAYERS))

    def _subsample(self, log_probs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        is_sure = log_probs.cpu().exp() > CONFIDENT_PROB
        is_drawn = torch.rand(len(log_probs), generator=self.shuffle_rng) < SUBSAMPLE_RATE
        selected = torch.nonzero(~is_sure | is_drawn)[:, 0]
        weights = torch.where(is_sure[selected], 1 / SUBSAMPLE_RATE, 1.0)
        return selected.to(log_probs.device), weights.to(log_probs.device)

    def _loss(
        self, sample: Sample, part: torch.Tensor, trains_policy: bool, ent_coef: float
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Return clipped surrogate + squared value error - entropy bonus."""
        settings, rollout, rows = self.settings, sample.source, sample.rows[part]
        advantages, returns, weights = sample.advantages[part], sample.returns[part], sample.weights[part]
        logits, values = self.network(*rollout.inputs(rows))
        log_probs = torch.log_softmax(logits, dim=1)
        log_ratio = log_probs.gather(1, rollout.actions[rows][:, None])[:, 0] - rollout.log_probs[rows]
        ratio = log_ratio.exp()
        weights = weights / weights.sum()
        bounded = ratio.clamp(1 - settings.clip_coef, 1 + settings.clip_coef)
        policy = -(weights * torch.minimum(ratio * advantages, bounded * advantages)).sum()
        value = (weights * (values - returns).square()).sum()
        # log_probs.exp() would be ten times as slow with masked actions.
        entropy = -(weights * (torch.softmax(logits, dim=1) * log_probs).sum(dim=1)).sum()
        with torch.no_grad():
            approx_kl = (weights * (ratio - 1 - log_ratio)).sum()
            clip_fraction = (weights * ((ratio - 1).abs() > settings.clip_coef)).sum()
        loss = settings.vf_coef * value
        if trains_policy:
            loss = loss + policy - ent_coef * entropy
        losses = {"policy": policy, "value": value, "entropy": entropy, "kl": approx_kl, "clipped": clip_fraction}
        return loss, losses

    def _minibatches(
        self, loss_of: Callable, n: int, update_epochs: int, minibatch_size: int, learning_rate: float
    ) -> dict[str, float]:
        parts = int(self.processes.all_reduce_max(max(1, round(n / minibatch_size))))
        means: dict[str, torch.Tensor | float] = defaultdict(float)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        for _ in range(update_epochs):
            for part in torch.tensor_split(torch.randperm(n, generator=self.shuffle_rng), parts):
                loss, losses = loss_of(part.to(self.processes.device))
                self.optimizer.zero_grad()
                loss.backward()
                self.processes.average_gradients(self.parameters)
                torch.nn.utils.clip_grad_norm_(self.parameters, self.settings.max_grad_norm)
                self.optimizer.step()
                for name, value in losses.items():
                    means[name] = means[name] + value.detach()  # without waiting for the device
        self._average.update_parameters(self.network)
        return {name: float(value) / (update_epochs * parts) for name, value in means.items()}

    # Imitation.

    def imitate(self, bot: Agent, progress: float) -> dict[str, float]:
        """Train one update on a bot's actions, or on the probabilities of a network. progress: of the call, 0 to 1.

        The bot labels every position. The network plays up to half of the games, so that it also learns to act in the
        positions that its mistakes lead to (DAgger, Ross et al. 2011).
        """
        settings, rollout = self.settings, self.rollout
        is_ours = np.arange(self.envs.n) * GOLDEN % 1 < 0.5 * progress
        self.league.seating[:] = LEARNER
        num_equal = 0
        playing, all_envs = None if self.acts_on_device else self.network.compiled(), np.arange(self.envs.n)
        for t in range(rollout.num_steps):
            step = self._observe(t)
            labels = self._target_actions(bot, t, step)
            if playing is None:
                sampled, best = gpu_acting.store_labels(self.network, rollout, t, step, labels)
                rollout.store_seats(t, all_envs, self.envs.seats)
            else:
                run_tasks([(partial(step.play_learner, playing), all_envs)])
                sampled, best, step.actions = step.actions, step.best, labels
                rollout.store(t, all_envs, self.envs.seats, step)
            num_equal += int((best == labels).sum())
            self._step(t, np.where(is_ours, sampled, labels))
            self.league.seating[:] = LEARNER
        rows, advantages = rollout.link(settings.gamma, GAE_LAMBDA_IMITATE)
        returns = advantages + rollout.values[rows]
        teacher_probs = rollout.teacher_probs() if _network_of(bot) is not None else None
        if teacher_probs is not None:  # probabilities of carried decisions are not saved
            rows, returns = rows[rows >= rollout.first], returns[rows >= rollout.first]

        def loss_of(part: torch.Tensor) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
            at = rows[part]
            logits, values = self.network(*rollout.inputs(at))
            policy = cross_entropy(logits, rollout.actions[at] if teacher_probs is None else teacher_probs[at].float())
            value = (values - returns[part]).square().mean()
            return policy + settings.vf_coef * value, {"policy": policy, "value": value}

        first, last = LEARNING_RATES_IMITATE
        means = self._minibatches(
            loss_of, len(rows), settings.update_epochs, MINIBATCH_SIZE_IMITATE,
            first + progress * (last - first),
        )  # fmt: skip
        rollout.carry_over()
        self.imitated += rollout.num_steps * self.envs.n
        return means | {"agreement": num_equal / (rollout.num_steps * self.envs.n)}

    def _target_actions(self, bot: Agent, t: int, step: Step) -> np.ndarray:
        all_envs = np.arange(self.envs.n)
        if (network := _network_of(bot)) is not None:
            probabilities = np.empty(step.masks.shape, np.float16)
            run_tasks([(partial(step.play_teacher, network, probabilities), all_envs)])
            self.rollout.teacher_probs()[self.rollout.rows(t)] = torch.from_numpy(probabilities).to(
                self.rollout.values.device
            )
            return step.actions.copy()
        if is_thread_safe(bot):
            run_tasks([(partial(step.play_bot, partial(self.envs.ask, bot)), all_envs)])
            return step.actions.copy()
        return self.envs.ask(bot, all_envs)

    def end_imitation(self) -> None:
        """Start self-play: drop the carried decisions, which are the bot's."""
        self.rollout.carried[:] = -1
        self.league.seat(np.arange(self.envs.n))
        self.optimizer = torch.optim.Adam(self.parameters, lr=self.settings.learning_rate, eps=1e-5)

    def report(self) -> dict[str, float]:
        """Return means over the games of all processes that finished since the last report."""
        names = ("games", "years", "cut", "points", "seats", "solo", "solo_points")
        total = self.processes.all_reduce_sum(np.array([self.sums[name] for name in names], float))
        s = dict(zip(names, total.tolist(), strict=True))
        self.sums.clear()
        if not s["games"]:
            return {}
        means = {"years": s["years"] / s["games"], "cut": s["cut"] / s["games"], "games": s["games"]}
        means |= {"points": s["points"] / s["seats"]} if s["seats"] else {}
        return means | ({"solo_points": s["solo_points"] / s["solo"]} if s["solo"] else {})

    def state(self) -> dict[str, Any]:
        """Return the state shared by all processes."""
        return {
            "network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(),
            "average": self._average.state_dict(),
            "league": self.league.state(), "updates": self.updates, "imitated": self.imitated,
            "policy_updates": self.policy_updates,
        }  # fmt: skip

    def local_state(self) -> dict[str, Any]:
        """Return the state of this process: games, carried decisions, seating and random number generators."""
        return {
            "envs": self.envs.state(), "rollout": self.rollout.state(),
            "league": self.league.local_state(), "action_rng": self.action_rng.get_state(),
            "shuffle_rng": self.shuffle_rng.get_state(),
            "decisions": self.decisions, "sums": dict(self.sums),
        }  # fmt: skip

    def restore(self, state: dict[str, Any], local_state: dict[str, Any] | None) -> None:
        """Restore `state` and `local_state`. local_state: None in a new process, which starts new games."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self._average.load_state_dict(state["average"])
        self.league.restore(state["league"], None if local_state is None else local_state["league"], self.network)
        self.updates, self.imitated = state["updates"], state["imitated"]
        self.policy_updates = state["policy_updates"]
        if local_state is None:
            return
        self.envs.restore(local_state["envs"])
        self.rollout.restore(local_state["rollout"])
        self.action_rng.set_state(local_state["action_rng"])
        self.shuffle_rng.set_state(local_state["shuffle_rng"])
        self.decisions, self.sums = local_state["decisions"], defaultdict(float, local_state["sums"])


def _network_of(bot: Agent) -> Any:
    if not isinstance(bot, PolicyAgent) or isinstance(bot.network, MaskableNetwork):
        return None
    return bot.network


def anneal(first: float, last: float | None, progress: float) -> float:
    """Return the linear interpolation from first to last at progress (0 to 1); first if last is None."""
    return first if last is None else first + progress * (last - first)


def normalised(advantages: torch.Tensor) -> torch.Tensor:
    """Return advantages (n,) normalised to mean 0 and standard deviation 1."""
    return (advantages - advantages.mean()) / (advantages.std() + 1e-8)
