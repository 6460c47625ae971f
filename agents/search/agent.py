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

from vitienv.agents.policy import data_at, knows
from vitienv.agents.protocol import Bot, Views, are_alike
from vitienv.agents.search.guides import POLICY, QUICK, Evaluator, Guide, NetworkGuide, RuleGuide
from vitienv.agents.search.searcher import Found, Limits, Tell, search
from vitienv.agents.seating import make_bot
from vitienv.core.definition import Definition
from vitienv.core.targets.parallel import ThreadPool, call_all
from vitienv.games import DEFAULT, definition

PLAYOUTS = ("heuristic", QUICK, POLICY, "random", "none")
PRIORS = ("heuristic", "uniform")
ROOTS = ("puct", "gumbel")
USUAL = "usual"  # the word "none" in a spec would be None
SIMULATIONS = 200
# Defaults: with the rule bot's priors, and with a network's, whose values are less noisy.
BY_RULE = {
    "playout": "heuristic", "years": 1, "root": "puct", "explore": 0.5, "trust": 8.0, "slope": 0.06, "cut": 8.0,
}  # fmt: skip
BY_NETWORK = {
    "playout": QUICK, "years": 2, "root": "gumbel", "explore": 5.0, "trust": 30.0, "slope": 0.02, "cut": 5.0,
}  # fmt: skip
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
    most `racers` actions, see `core.search.gumbel`. threads: how many search when several games are asked about at
    once; they change no choice. The others are for tuning; docs/bots.md says what they do and what was measured. What
    is None or USUAL is as in BY_RULE, or with a network as in BY_NETWORK. ValueError for a number that is out of its
    range.
    """

    def __init__(
        self,
        simulations: int | None = None,
        milliseconds: float | None = None,
        playout: str = USUAL,
        years: int | None = None,
        prior: str = "heuristic",
        policy: str | None = None,
        at_once: int | None = None,
        explore: float | None = None,
        trust: float | None = None,
        temperature: float = 80.0,
        slope: float | None = None,
        scale: float = 6.0,
        cut: float | None = None,
        root: str = USUAL,
        racers: int = RACERS,
        seed: int | None = None,
        threads: int = 1,
        game: str | Definition = DEFAULT,
    ) -> None:
        if simulations is None and milliseconds is None:
            simulations = SIMULATIONS
        usual: dict[str, Any] = BY_RULE if policy is None else BY_NETWORK
        is_usual = playout == USUAL
        playout, root = (usual[key] if word == USUAL else word for key, word in (("playout", playout), ("root", root)))
        years = usual["years"] if years is None else years
        settings = {"explore": explore, "trust": trust, "slope": slope, "cut": cut}
        explore, trust, slope, cut = (usual[key] if value is None else value for key, value in settings.items())
        for key, number, least, most in (
            ("simulations", simulations, 1, MOST_SIMULATIONS), ("years", years, 1, None),
            ("at_once", at_once, 1, MOST_GAMES_AT_ONCE), ("racers", racers, 1, None),
            ("seed", seed, 0, None), ("threads", threads, 1, None),
        ):  # fmt: skip
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
            ("trust", trust, 0),
        ):  # fmt: skip
            if value is not None and not value > above:
                raise ValueError(f"agent 'ismcts': {key} is {value}; it must be above {above}")
        for key, value in (("explore", explore), ("slope", slope), ("cut", cut)):
            if not value >= 0:
                raise ValueError(f"agent 'ismcts': {key} is {value}; it must be at least 0")
        for key, word, words in (("playout", playout, PLAYOUTS), ("prior", prior, PRIORS), ("root", root, ROOTS)):
            if word not in words:
                raise ValueError(f"agent 'ismcts': {key} must be {', '.join(words[:-1])} or {words[-1]}, not {word!r}")
        is_by_network = playout in (QUICK, POLICY)
        if is_by_network and policy is None:
            raise ValueError(f"agent 'ismcts': playout={playout} needs a network; give policy=champion or policy=FILE")
        races = root == ROOTS[1]
        if races and not slope > 0:
            raise ValueError(f"agent 'ismcts': slope is {slope}; with root=gumbel it must be above 0")
        if at_once is None:
            timed = AT_ONCE // 2 if is_by_network else AT_ONCE  # a network's playouts take long: end in time
            at_once = timed if simulations is None else min(MOST_AT_ONCE, max(LEAST_AT_ONCE, simulations // 4))
        budget = [f"{simulations} simulations"] if simulations is not None else []
        budget += [f"{milliseconds:g} ms"] if milliseconds is not None else []
        made = definition(game)
        super().__init__(f"ismcts ({', '.join(budget)})", made)
        self._threads = threads
        self.on_progress: Tell | None = None  # gets the progress of `act` and `consider`; see `agents.thinking`
        self.limits = Limits(
            simulations or MOST_SIMULATIONS, milliseconds, at_once, years, explore, trust, slope, cut,
            racers if races else 0,
        )  # fmt: skip
        # Where a network guides nobody may ask the rule of thumb, and a page has none of its own.
        needs_rule = policy is None or playout == PLAYOUTS[0]
        self._bot: Any = make_bot(made.rule_of_thumb, 0, game) if needs_rule else None
        self.guide: Guide
        if policy is None:
            self.guide = RuleGuide(self._bot, playout, prior == "heuristic", temperature, scale)
        else:
            from vitienv.agents.search.networks import load_evaluator

            self.use_network(load_evaluator(policy, game=game), playout=playout, is_usual=is_usual)
        self._seed = np.random.SeedSequence(seed).generate_state(2, np.uint64).tobytes()

    def knows(self, table: Definition) -> bool:
        """Whether what guides the search knows the layouts of a table."""
        if isinstance(self.guide, NetworkGuide):
            own = getattr(self.guide.network, "network", None)
            return are_alike(table, self.table) if own is None else knows(own, table)
        told = getattr(self._bot, "knows", None)
        return told is None or told(table)

    def data_at(self, table: Definition) -> str:
        """See `PolicyAgent.data_at`."""
        return data_at(getattr(getattr(self.guide, "network", None), "network", None), table)

    def compiled(self, what: str = "act") -> list[Any]:
        """See `Bot.compiled`."""
        return [self.table.searching.simulate, self.table.kernels.determinize, *self.guide.at(self.table).compiled()]

    def trial(self) -> Any:
        """See `Bot.trial`."""
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

    def _act(self, observations: np.ndarray, masks: np.ndarray, games: Views | None) -> np.ndarray:
        return self.consider(observations, masks, games)[0]

    def consider(
        self, observations: np.ndarray, masks: np.ndarray, games: Views | None
    ) -> tuple[np.ndarray, dict[int, Found]]:
        """The actions of `act`, and the result of the search by row, for rows with more than one legal action."""
        actions = np.asarray(masks).argmax(axis=1).astype(np.int64)
        rows = np.flatnonzero(np.asarray(masks).sum(axis=1) > 1)
        looked = self.look_at(observations, masks, games, rows, on_progress=self.on_progress)
        found = dict(zip(rows.tolist(), looked))
        for row, one in found.items():
            actions[row] = one.actions[0]
        return actions, found

    def look(self, observations: np.ndarray, masks: np.ndarray, games: Views | None, i: int) -> Found:
        """What a search of the i-th game finds: its actions, best first, with their visits and values."""
        return self.look_at(observations, masks, games, np.array([i]))[0]

    def look_at(
        self, observations: np.ndarray, masks: np.ndarray, games: Views | None, rows: np.ndarray,
        with_lines: bool = False, on_progress: Tell | None = None, stay: np.ndarray | None = None,
    ) -> list[Found]:  # fmt: skip
        """The results of searches of several games, side by side unless time is the limit; none changes another.
        with_lines, on_progress, stay (len(rows),): as of `searcher.search`; each search reports its games."""
        if len(rows) == 0:
            return []
        if games is None:
            raise ValueError("agent 'ismcts' searches: it needs `games` besides observations and masks")
        seen, legal = np.asarray(observations, np.int16)[rows], np.asarray(masks, np.int8)[rows]
        seeds = np.array([self._seed_of(seen[k], legal[k]) for k in range(len(rows))])
        together = min(max(1, MOST_SLOTS // self.limits.at_once), -(-len(rows) // self._threads))
        if self.limits.milliseconds is not None:
            together = 1
        stops: list[bool] = []  # filled by an interrupt, which need not wait for whole searches

        def report(done: int, whole: int) -> None:
            if stops:
                raise SearchStopped
            if on_progress is not None:
                on_progress(done, whole)

        def searched(first: int) -> list[Found]:
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
