"""The search bot: information-set tree search over deals of what its seat cannot see."""

from __future__ import annotations

import hashlib
from copy import copy
from dataclasses import replace
from functools import partial
from itertools import chain
from math import isfinite
from typing import Any

import numpy as np

from vitienv.agents.policy import data_digest, supports
from vitienv.agents.protocol import Bot, GameViews, have_same_layouts
from vitienv.agents.search.guides import POLICY, QUICK, Evaluator, Guide, NetworkGuide, RuleGuide
from vitienv.agents.search.searcher import Limits, SearchResult, Tell, search
from vitienv.agents.seeding import make_bot
from vitienv.core.game_spec import GameSpec
from vitienv.core.targets.parallel import ThreadPool, call_all
from vitienv.registry import DEFAULT, game_spec

PLAYOUTS = ("heuristic", QUICK, POLICY, "random", "none")
PRIORS = ("heuristic", "uniform")
ROOTS = ("puct", "gumbel")
USUAL = "usual"  # the word "none" in a spec would be None
SIMULATIONS = 200
# Defaults: with the rule bot's priors, and with a network's, whose values are less noisy.
BY_RULE = {
    "playout": "heuristic",
    "years": 1,
    "root": "puct",
    "c_puct": 0.5,
    "prior_visits": 8.0,
    "value_scale": 0.06,
    "prune_margin": 8.0,
}
BY_NETWORK = {
    "playout": QUICK,
    "years": 2,
    "root": "gumbel",
    "c_puct": 5.0,
    "prior_visits": 30.0,
    "value_scale": 0.02,
    "prune_margin": 5.0,
}
RACERS = 8
FEW = 8  # simulations that call all that a search calls
# Simulations side by side: more are faster and choose their ways knowing less.
AT_ONCE, LEAST_AT_ONCE, MOST_AT_ONCE = 32, 4, 64
MOST_SLOTS = 512  # simulations of several searches side by side
# A tree and the games side by side are in memory: some 200 bytes a simulation, 12 kB a game.
MOST_SIMULATIONS, MOST_GAMES_AT_ONCE = 1_000_000, 4096


class SearchStopped(Exception):
    """The search was interrupted."""


class IsmctsAgent(Bot):
    """Chooses by simulated games, each with the hidden cards and all chance to come dealt anew.

    It searches `games`, so `act` without them is a ValueError.

    simulations, milliseconds: the budget of one decision; whichever is reached first ends it. Given neither, it is 200
    simulations. With milliseconds, choices depend on the machine; otherwise they are a function of the seed and of what
    the seat sees. Where the prior leaves one action, there is no search. playout: how a leaf is played on before it is
    valued, by "heuristic", "random" or "none", or with a network by "policy", the network itself, or "quick", the small
    one that ships for this, where none does as "policy"; not given, a network plays on by "quick", at hard levels of
    the Automa by "policy". years: to the end of which year, 1 being this one. prior: "heuristic" or "uniform". policy:
    a file of weights, or "champion"; the network gives priors and values. root: "puct", or "gumbel" for a race of at
    most `max_considered_actions` actions, see `core.search.gumbel`. threads: how many search when several games are
    asked about at once; they change no choice. The others are for tuning; docs/bots.md says what they do and what was
    measured. What is None or USUAL is as in BY_RULE, or with a network as in BY_NETWORK. ValueError for a number that
    is out of its range.
    """

    def __init__(
        self,
        simulations: int | None = None,
        milliseconds: float | None = None,
        playout: str = USUAL,
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
        root: str = USUAL,
        max_considered_actions: int = RACERS,
        seed: int | None = None,
        threads: int = 1,
        game: str | GameSpec = DEFAULT,
    ) -> None:
        if simulations is None and milliseconds is None:
            simulations = SIMULATIONS
        usual: dict[str, Any] = BY_RULE if policy is None else BY_NETWORK
        is_usual = playout == USUAL
        playout, root = (usual[key] if word == USUAL else word for key, word in (("playout", playout), ("root", root)))
        years = usual["years"] if years is None else years
        settings = {
            "c_puct": c_puct,
            "prior_visits": prior_visits,
            "value_scale": value_scale,
            "prune_margin": prune_margin,
        }
        c_puct, prior_visits, value_scale, prune_margin = (
            usual[key] if value is None else value for key, value in settings.items()
        )
        for key, number, least, most in (
            ("simulations", simulations, 1, MOST_SIMULATIONS),
            ("years", years, 1, None),
            ("batch_size", batch_size, 1, MOST_GAMES_AT_ONCE),
            ("max_considered_actions", max_considered_actions, 1, None),
            ("seed", seed, 0, None),
            ("threads", threads, 1, None),
        ):
            if number is not None and number < least:
                raise ValueError(f"agent 'ismcts': {key} is {number}; it must be at least {least}")
            if number is not None and most is not None and number > most:
                raise ValueError(f"agent 'ismcts': {key} is {number}; it must be at most {most:,}")
        numbers = settings | {"milliseconds": milliseconds, "temperature": temperature, "scale": scale}
        for key, value in numbers.items():
            if value is not None and not isfinite(value):
                raise ValueError(f"agent 'ismcts': {key} is {value}; it must be a finite number")
        for key, value, above in (
            ("milliseconds", milliseconds, 0), ("temperature", temperature, 0), ("scale", scale, 0),
            ("prior_visits", prior_visits, 0),
        ):  # fmt: skip
            if value is not None and not value > above:
                raise ValueError(f"agent 'ismcts': {key} is {value}; it must be above {above}")
        for key, value in (("c_puct", c_puct), ("value_scale", value_scale), ("prune_margin", prune_margin)):
            if not value >= 0:
                raise ValueError(f"agent 'ismcts': {key} is {value}; it must be at least 0")
        for key, word, words in (("playout", playout, PLAYOUTS), ("prior", prior, PRIORS), ("root", root, ROOTS)):
            if word not in words:
                raise ValueError(f"agent 'ismcts': {key} must be {', '.join(words[:-1])} or {words[-1]}, not {word!r}")
        is_by_network = playout in (QUICK, POLICY)
        if is_by_network and policy is None:
            raise ValueError(f"agent 'ismcts': playout={playout} needs a network; give policy=champion or policy=FILE")
        races = root == ROOTS[1]
        if races and not value_scale > 0:
            raise ValueError(f"agent 'ismcts': value_scale is {value_scale}; with root=gumbel it must be above 0")
        if batch_size is None:
            timed = AT_ONCE // 2 if is_by_network else AT_ONCE  # a network's playouts take long: end in time
            batch_size = timed if simulations is None else min(MOST_AT_ONCE, max(LEAST_AT_ONCE, simulations // 4))
        budget = [f"{simulations} simulations"] if simulations is not None else []
        budget += [f"{milliseconds:g} ms"] if milliseconds is not None else []
        made = game_spec(game)
        super().__init__(f"ismcts ({', '.join(budget)})", made)
        self._threads = threads
        self.on_progress: Tell | None = None  # gets the progress of `act` and `consider`; see `agents.search_progress`
        self.limits = Limits(
            simulations or MOST_SIMULATIONS,
            milliseconds,
            batch_size,
            years,
            c_puct,
            prior_visits,
            value_scale,
            prune_margin,
            max_considered_actions if races else 0,
        )
        # Where a network guides nobody may ask the heuristic bot, and a page has none of its own.
        needs_rule = policy is None or playout == PLAYOUTS[0]
        self._bot: Any = make_bot(made.heuristic_bot, 0, game) if needs_rule else None
        self.guide: Guide
        if policy is None:
            self.guide = RuleGuide(self._bot, playout, prior == "heuristic", temperature, scale)
        else:
            from vitienv.agents.search.networks import load_evaluator

            self.use_network(load_evaluator(policy, game=game), playout=playout, is_usual=is_usual)
        self._seed = np.random.SeedSequence(seed).generate_state(2, np.uint64).tobytes()

    def supports(self, table: GameSpec) -> bool:
        """Whether what guides the search knows the layouts of a table."""
        if isinstance(self.guide, NetworkGuide):
            own = getattr(self.guide.network, "network", None)
            return have_same_layouts(table, self.table) if own is None else supports(own, table)
        told = getattr(self._bot, "supports", None)
        return told is None or told(table)

    def data_digest(self, table: GameSpec) -> str:
        """See `PolicyAgent.data_digest`."""
        return data_digest(getattr(getattr(self.guide, "network", None), "network", None), table)

    def kernels_for(self, what: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        return [
            self.table.searching.simulate,
            self.table.kernels.determinize,
            *self.guide.bind(self.table).kernels_for(),
        ]

    def warm_up(self) -> Any:
        """See `Bot.warm_up`."""
        other = copy(self)
        other.limits = replace(self.limits, simulations=FEW, milliseconds=None)
        return other

    def use_network(
        self, network: Evaluator, temperature: float = 1.0, playout: str = "none", is_usual: bool = False
    ) -> IsmctsAgent:
        """Let a network give the priors and value the leaves, after playouts or without; is_usual: as of
        `NetworkGuide`. Returns the bot itself."""
        self.guide = NetworkGuide(network, temperature, playout, self._bot, is_usual)
        return self

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        return self.consider(observations, action_masks, games)[0]

    def consider(
        self, observations: np.ndarray, masks: np.ndarray, games: GameViews | None
    ) -> tuple[np.ndarray, dict[int, SearchResult]]:
        """The actions of `act`, and the result of the search by row, for rows with more than one legal action."""
        actions = np.asarray(masks).argmax(axis=1).astype(np.int64)
        rows = np.flatnonzero(np.asarray(masks).sum(axis=1) > 1)
        looked = self.look_at(observations, masks, games, rows, on_progress=self.on_progress)
        found = dict(zip(rows.tolist(), looked))
        for row, one in found.items():
            actions[row] = one.actions[0]
        return actions, found

    def look(self, observations: np.ndarray, masks: np.ndarray, games: GameViews | None, i: int) -> SearchResult:
        """What a search of the i-th game finds: its actions, best first, with their visits and values."""
        return self.look_at(observations, masks, games, np.array([i]))[0]

    def look_at(
        self, observations: np.ndarray, masks: np.ndarray, games: GameViews | None, rows: np.ndarray,
        with_lines: bool = False, on_progress: Tell | None = None, stay: np.ndarray | None = None,
    ) -> list[SearchResult]:  # fmt: skip
        """The results of searches of several games, side by side unless time is the limit; none changes another.
        with_lines, on_progress, stay (len(rows),): as of `searcher.search`; each search reports its games."""
        if len(rows) == 0:
            return []
        if games is None:
            raise ValueError("agent 'ismcts' searches: it needs `games` besides observations and masks")
        seen, legal = np.asarray(observations, np.int16)[rows], np.asarray(masks, np.int8)[rows]
        seeds = np.array([self._seed_of(seen[k], legal[k]) for k in range(len(rows))])
        together = min(max(1, MOST_SLOTS // self.limits.batch_size), -(-len(rows) // self._threads))
        if self.limits.milliseconds is not None:
            together = 1
        stops: list[bool] = []  # filled by an interrupt, which need not wait for whole searches

        def report(done: int, whole: int) -> None:
            if stops:
                raise SearchStopped
            if on_progress is not None:
                on_progress(done, whole)

        def searched(first: int) -> list[SearchResult]:
            part = slice(first, first + together)
            asked = seen[part], legal[part], games, rows[part], seeds[part], self.guide, self.limits
            tell = on_progress if self._threads == 1 else report
            return search(*asked, with_lines, tell, None if stay is None else stay[part])

        firsts = range(0, len(rows), together)
        if self._threads == 1 or len(firsts) == 1:
            return list(chain.from_iterable(map(searched, firsts)))
        pool = ThreadPool(min(self._threads, len(firsts)))
        calls = [partial(searched, first) for first in firsts]
        return list(chain.from_iterable(call_all(pool, calls, lambda: stops.append(True))))

    def _seed_of(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """What decides the chance of a search, (2,) uint32: the bot's seed and what the seat sees."""
        told = hashlib.blake2b(observation.tobytes() + mask.tobytes(), digest_size=8, key=self._seed)
        return np.frombuffer(told.digest(), "<u4").astype(np.uint32)
