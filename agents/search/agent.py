"""The search bot: information-set Monte Carlo tree search (ISMCTS) over determinized games."""

from __future__ import annotations

import hashlib
from copy import copy
from dataclasses import replace
from math import inf, isfinite
from typing import Any

import numpy as np

from vitienv.agents.policy import data_digest, supports
from vitienv.agents.protocol import Bot, GameViews, have_same_layouts
from vitienv.agents.search.guides import POLICY, QUICK, Evaluator, Guide, NetworkGuide, RuleGuide
from vitienv.agents.search.searcher import Limits, ProgressCallback, SearchResult, search
from vitienv.agents.seeding import make_bot
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT, game_spec

PLAYOUTS = ("heuristic", QUICK, POLICY, "random", "none")
PRIORS = ("heuristic", "uniform")
ROOTS = ("puct", "gumbel")
DEFAULT_WORD = "usual"  # the word "none" in a spec would be None
SIMULATIONS = 200
# Defaults with priors of the heuristic bot, and of a network, whose values are less noisy.
BY_RULE: dict[str, Any] = {
    "playout": "heuristic", "years": 1, "root": "puct",
    "c_puct": 0.5, "prior_visits": 8.0, "value_scale": 0.06, "prune_margin": 8.0,
}  # fmt: skip
BY_NETWORK: dict[str, Any] = {
    "playout": QUICK, "years": 2, "root": "gumbel",
    "c_puct": 5.0, "prior_visits": 30.0, "value_scale": 0.02, "prune_margin": 5.0,
}  # fmt: skip
CONSIDERED_ACTIONS = 8
WARM_UP_SIMULATIONS = 8  # enough to call every kernel of a search
# Parallel simulations: larger batches are faster but select with less information.
BATCH_SIZE, MIN_BATCH_SIZE, MAX_BATCH_SIZE = 32, 4, 64
MAX_PARALLEL_SIMULATIONS = 512  # over all parallel searches
# Memory limits: about 200 bytes per simulation in the tree, 12 kB per game.
MAX_SIMULATIONS, MAX_GAMES = 1_000_000, 4096
# Bounds of options; others must be above 0.
BOUNDS: dict[str, tuple[int, float]] = {
    "simulations": (1, MAX_SIMULATIONS), "years": (1, inf), "batch_size": (1, MAX_GAMES),
    "max_considered_actions": (1, inf), "seed": (0, inf), "c_puct": (0, inf), "value_scale": (0, inf),
    "prune_margin": (0, inf),
}  # fmt: skip


class IsmctsAgent(Bot):
    """Tree search bot; every simulation resamples hidden information and future chance.

    simulations, milliseconds: budget of one decision; the first limit reached ends it; 200 simulations by default. With
    milliseconds, choices depend on the machine, otherwise only on the seed and the observation. If pruning by the prior
    leaves one action, there is no search. playout: truncated playouts before the value of a leaf: "heuristic", "random"
    or "none", or with a network "policy", the network itself, or "quick", the bundled small network ("policy" if there
    is none). Default of networks: "quick", at hard levels of the Automa "policy". years: playout depth; 1 ends with the
    current year. prior: "heuristic" or "uniform". policy: a file of weights, or "champion", for priors and values.
    root: "puct", or "gumbel" for sequential halving of at most `max_considered_actions` actions, see
    `core.search.gumbel`. docs/bots.md documents the tuning parameters. Defaults are BY_RULE, or BY_NETWORK with a
    policy. ValueError for values out of range, and in `act` without `games`.
    """

    def __init__(
        self,
        simulations: int | None = None,
        milliseconds: float | None = None,
        playout: str = DEFAULT_WORD,
        years: int | None = None,
        prior: str = "heuristic",
        policy: str | None = None,
        batch_size: int | None = None,
        c_puct: float | None = None,
        prior_visits: float | None = None,
        temperature: float = 80.0,
        value_scale: float | None = None,
        scale: float = 6.0,
        prune_margin: float | None = None,
        root: str = DEFAULT_WORD,
        max_considered_actions: int = CONSIDERED_ACTIONS,
        seed: int | None = None,
        game: str | GameSpec = DEFAULT,
    ) -> None:
        if simulations is None and milliseconds is None:
            simulations = SIMULATIONS
        defaults, is_default = BY_RULE if policy is None else BY_NETWORK, playout == DEFAULT_WORD
        settings: dict[str, Any] = {
            "playout": playout, "years": years, "root": root, "c_puct": c_puct, "prior_visits": prior_visits,
            "value_scale": value_scale, "prune_margin": prune_margin,
        }  # fmt: skip
        settings = {key: defaults[key] if x in (None, DEFAULT_WORD) else x for key, x in settings.items()}
        playout, root = settings.pop("playout"), settings.pop("root")
        numbers = settings | {
            "simulations": simulations, "milliseconds": milliseconds, "batch_size": batch_size, "seed": seed,
            "temperature": temperature, "scale": scale, "max_considered_actions": max_considered_actions,
        }  # fmt: skip
        for key, number in numbers.items():
            if number is None:
                continue
            minimum, maximum = BOUNDS.get(key, (None, inf))
            if not isfinite(number):
                raise ValueError(f"agent 'ismcts': {key} must be finite, got {number}")
            if minimum is None and number <= 0:
                raise ValueError(f"agent 'ismcts': {key} must be above 0, got {number}")
            if minimum is not None and number < minimum:
                raise ValueError(f"agent 'ismcts': {key} must be at least {minimum}, got {number}")
            if number > maximum:
                raise ValueError(f"agent 'ismcts': {key} must be at most {maximum:,}, got {number}")
        for key, word, words in (("playout", playout, PLAYOUTS), ("prior", prior, PRIORS), ("root", root, ROOTS)):
            if word not in words:
                raise ValueError(f"agent 'ismcts': unknown {key} {word!r}; expected one of: {', '.join(words)}")
        is_by_network = playout in (QUICK, POLICY)
        if is_by_network and policy is None:
            raise ValueError(f"agent 'ismcts': playout={playout} requires policy=champion or policy=FILE")
        races = root == ROOTS[1]
        if races and not settings["value_scale"] > 0:
            raise ValueError(
                f"agent 'ismcts': value_scale must be above 0 with root=gumbel, got {settings['value_scale']}"
            )
        if batch_size is None:
            # Network playouts are slow: smaller batches end in time.
            timed = BATCH_SIZE // 2 if is_by_network else BATCH_SIZE
            batch_size = timed if simulations is None else min(MAX_BATCH_SIZE, max(MIN_BATCH_SIZE, simulations // 4))
        budget = [f"{simulations} simulations"] if simulations is not None else []
        budget += [f"{milliseconds:g} ms"] if milliseconds is not None else []
        table = game_spec(game)
        super().__init__(f"ismcts ({', '.join(budget)})", table)
        self.on_progress: ProgressCallback | None = None  # for `act` and `consider`; see `agents.search_progress`
        self.limits = Limits(
            simulations or MAX_SIMULATIONS, milliseconds, batch_size,
            max_considered_actions=max_considered_actions if races else 0, **settings,
        )  # fmt: skip
        # Searches by networks do not need the heuristic bot, and the web page does not contain it.
        needs_rule = policy is None or playout == PLAYOUTS[0]
        self._bot: Any = make_bot(table.heuristic_bot, 0, game) if needs_rule else None
        self.guide: Guide
        if policy is None:
            self.guide = RuleGuide(self._bot, playout, prior == "heuristic", temperature, scale)
        else:
            from vitienv.agents.search.networks import load_evaluator

            self.use_network(load_evaluator(policy, game=game), playout=playout, is_default=is_default)
        self._seed = np.random.SeedSequence(seed).generate_state(2, np.uint64).tobytes()

    def supports(self, table: GameSpec) -> bool:
        """Return whether the network or the heuristic bot supports the layouts of a table."""
        if isinstance(self.guide, NetworkGuide):
            network = getattr(self.guide.network, "network", None)
            return have_same_layouts(table, self.table) if network is None else supports(network, table)
        rule_supports = getattr(self._bot, "supports", None)
        return rule_supports is None or rule_supports(table)

    def data_digest(self, table: GameSpec) -> str:
        """See `PolicyAgent.data_digest`."""
        return data_digest(getattr(getattr(self.guide, "network", None), "network", None), table)

    def kernels_for(self, method: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        return [
            self.table.searching.simulate,
            self.table.kernels.determinize,
            *self.guide.bind(self.table).kernels_for(),
        ]

    def warm_up(self) -> Any:
        """See `Bot.warm_up`."""
        other = copy(self)
        other.limits = replace(self.limits, simulations=WARM_UP_SIMULATIONS, milliseconds=None)
        return other

    def use_network(self, network: Evaluator, playout: str = "none", is_default: bool = False) -> IsmctsAgent:
        """Use a network for priors and values; see `NetworkGuide`. Returns the bot itself."""
        self.guide = NetworkGuide(network, playout, self._bot, is_default)
        return self

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        return self.consider(observations, action_masks, games)[0]

    def consider(
        self, observations: np.ndarray, masks: np.ndarray, games: GameViews | None
    ) -> tuple[np.ndarray, dict[int, SearchResult]]:
        """Return the actions of `act`, and the search results of rows with several legal actions."""
        actions = np.asarray(masks).argmax(axis=1).astype(np.int64)
        rows = np.flatnonzero(np.asarray(masks).sum(axis=1) > 1)
        searches = self.search_rows(observations, masks, games, rows, on_progress=self.on_progress)
        results = dict(zip(rows.tolist(), searches))
        for row, result in results.items():
            actions[row] = result.actions[0]
        return actions, results

    def search_row(self, observations: np.ndarray, masks: np.ndarray, games: GameViews | None, i: int) -> SearchResult:
        """Return the result of a search of the i-th game."""
        return self.search_rows(observations, masks, games, np.array([i]))[0]

    def search_rows(
        self, observations: np.ndarray, masks: np.ndarray, games: GameViews | None, rows: np.ndarray,
        with_lines: bool = False, on_progress: ProgressCallback | None = None, stay: np.ndarray | None = None,
    ) -> list[SearchResult]:  # fmt: skip
        """Return the results of independent searches, in parallel unless time is the limit; see `searcher.search`."""
        if len(rows) == 0:
            return []
        if games is None:
            raise ValueError("agent 'ismcts' requires `games` in addition to observations and masks")
        root_observations, root_masks = np.asarray(observations, np.int16)[rows], np.asarray(masks, np.int8)[rows]
        seeds = np.array([self._seed_of(root_observations[k], root_masks[k]) for k in range(len(rows))])
        is_timed = self.limits.milliseconds is not None
        num_parallel = 1 if is_timed else max(1, MAX_PARALLEL_SIMULATIONS // self.limits.batch_size)
        results: list[SearchResult] = []
        for first in range(0, len(rows), num_parallel):
            part = slice(first, first + num_parallel)
            results += search(
                root_observations[part], root_masks[part], games, rows[part], seeds[part], self.guide, self.limits,
                with_lines, on_progress, None if stay is None else stay[part],
            )  # fmt: skip
        return results

    def _seed_of(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the chance key of a search, (2,) uint32, from the bot's seed, the observation and the mask."""
        digest = hashlib.blake2b(observation.tobytes() + mask.tobytes(), digest_size=8, key=self._seed)
        return np.frombuffer(digest.digest(), "<u4").astype(np.uint32)
