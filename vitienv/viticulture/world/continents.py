"""The continents as integer tables: their rules, events and aims (W13 to W16, W81 to W95)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.checks import list_of, mapping_of, one_of, only_keys, whole
from vitienv.core.namespaces import Numbers
from vitienv.viticulture.world.data import ABOUT
from vitienv.viticulture.world.language import MOST, price
from vitienv.viticulture.world.names import (
    CONTINENTS,
    EVENTS_IN_GAME,
    FLAGS,
    LETTERS,
    METRICS,
    MOST_EVENTS,
    N_AIMS,
    N_FLAGS,
    UNCHANGED,
    EventKind,
    Limit,
    Scope,
    Who,
)

NO_ROW = 0  # of the effects: nothing
NO_PLACE = -1
NO_METRIC = -1
SEASONS_OF_SPACE = ("both", "summer", "winter")


class Ev(Numbers):
    """The columns of an event."""

    KIND = 0
    PLACE = 1
    SEASON = 2
    LIMIT = 3
    WHO = 4
    PAY = 5  # rows of effects
    GAIN = 6
    PENALTY = 7
    DISCOUNT = 8
    TAX = 9
    METRIC = 10
    SOLO_METRIC = 11
    NEED = 12
    IS_MOST = 13
    PER_PLAYER = 14
    MINIMUM = 15
    SCOPE = 16
    AT_ONCE = 17


class Ru(Numbers):
    """The columns of a continent's rule."""

    METRIC = 0
    SOLO_METRIC = 1
    NEED = 2
    PER_PLAYER = 3
    MINIMUM = 4
    GAIN = 5
    LIMIT = 6
    AT_ONCE = 7
    MOST = 8
    SCOPE = 9
    NEED_2 = 10
    GAIN_2 = 11
    USES = 12
    USES_ALONE = 13


class ContinentTables:
    """What `tables.Tables` says of continents, each a row."""

    place_of_letter: np.ndarray  # (16,)
    setup: np.ndarray  # (7,) effects
    n_events: np.ndarray  # (7,)
    event: np.ndarray  # (7, MOST_EVENTS, columns of Ev)
    event_flags: np.ndarray  # (7, MOST_EVENTS, flags)
    rule: np.ndarray  # (7, columns of Ru)
    rule_flags: np.ndarray  # (7, flags)
    may_shuffle: np.ndarray  # (7,)
    aim: np.ndarray  # (N_AIMS, 3) metric, least, the metric of one seat alone
    aim_gain: np.ndarray  # (1,) effect

    def add(self, given: Any, where: str, needs_all: bool = False) -> int:
        """The row of an effect."""
        raise NotImplementedError

    def read_continents(self, told: Mapping[str, Any]) -> None:
        """Fill in all of them. ValueError for what contradicts itself."""
        by_id = {own.get("id"): own for own in told["continent"]}
        if sorted(by_id, key=str) != sorted(CONTINENTS):
            raise ValueError(f"the continents are {', '.join(map(str, by_id))}; there must be {', '.join(CONTINENTS)}")
        n = len(CONTINENTS)
        self.setup, self.n_events = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.event = np.zeros((n, MOST_EVENTS, len(Ev)), np.int64)
        self.event_flags = np.full((n, MOST_EVENTS, N_FLAGS), UNCHANGED, np.int64)
        self.rule, self.rule_flags = np.zeros((n, len(Ru)), np.int64), np.full((n, N_FLAGS), UNCHANGED, np.int64)
        self.may_shuffle = np.zeros(n, np.int64)
        self.aim, self.aim_gain = np.zeros((N_AIMS, 3), np.int64), np.zeros(1, np.int64)
        for i, name in enumerate(CONTINENTS):
            own = by_id[name]
            self.setup[i] = self.add(own.get("setup", []), f"the set-up of {name}")
            self.may_shuffle[i] = own.get("shuffled_variant", True) is True
            self._rule(i, name, mapping_of(own.get("rule"), f"the rule of {name}"))
            events = list_of(own.get("event"), f"the events of {name}", MOST_EVENTS)
            if len(events) < EVENTS_IN_GAME:
                raise ValueError(f"{name} has a deck of {len(events)} events; it needs {EVENTS_IN_GAME} at least")
            if [event.get("number") for event in events] != list(range(1, len(events) + 1)):
                raise ValueError(f"the events of {name} must be numbered from 1 on")
            self.n_events[i] = len(events)
            for j, event in enumerate(events):
                self._event(i, j, f"event {j + 1} of {name}", event)
            if "aim" in own:
                self._aims(name, own["aim"])

    def _rule(self, i: int, name: str, rule: Mapping[str, Any]) -> None:
        where = f"the rule of {name}"
        only_keys(rule, ("counter", "uses_per_player", "aim_gain", "flags"), where, ABOUT)
        counter = mapping_of(rule.get("counter"), f"the counter of {where}")
        only_keys(counter, ("metric", "at_least", "per_player", "minimum", "gain", "limit", "max_per_game", "check",
                            "solo_metric", "scope", "steps", "optional"), where)  # fmt: skip
        own = self.rule[i]
        own[Ru.METRIC] = _metric(counter.get("metric"), where)
        own[Ru.SOLO_METRIC] = _metric(counter.get("solo_metric", counter["metric"]), where)
        own[Ru.PER_PLAYER] = counter.get("per_player", False) is True
        own[Ru.LIMIT] = one_of(counter.get("limit"), [m.name.lower() for m in Limit], f"limit of {where}")
        own[Ru.AT_ONCE] = counter.get("check", "immediate") == "immediate"
        own[Ru.MOST] = whole(counter.get("max_per_game"), 1, MOST, f"max_per_game of {where}")
        own[Ru.SCOPE] = one_of(counter.get("scope", "team"), [m.name.lower() for m in Scope], f"scope of {where}")
        steps = counter.get("steps") or [{"at_least": counter.get("at_least"), "gain": counter.get("gain")}]
        if not 1 <= len(steps) <= 2:
            raise ValueError(f"{where} has {len(steps)} steps; there may be 2")
        columns = ((Ru.NEED, Ru.GAIN), (Ru.NEED_2, Ru.GAIN_2))
        for (need, gain), step in zip(columns, steps):
            own[need] = whole(step.get("at_least"), 1, 100, f"at_least of {where}")
            own[gain] = self.add(step.get("gain"), f"the gain of {where}")
        own[Ru.MINIMUM] = whole(counter.get("minimum", 0), 0, 100, f"minimum of {where}")
        uses = rule.get("uses_per_player", {})
        own[Ru.USES] = whole(uses.get("others", 1), 1, MOST, f"uses_per_player of {where}")
        own[Ru.USES_ALONE] = whole(uses.get("1", own[Ru.USES]), 1, MOST, f"uses_per_player of {where}")
        self._flags(self.rule_flags[i], rule.get("flags", {}), where)
        if "aim_gain" in rule:
            self.aim_gain[0] = self.add(rule["aim_gain"], f"aim_gain of {where}")

    def _event(self, i: int, j: int, where: str, event: Mapping[str, Any]) -> None:
        kind = EventKind(one_of(event.get("kind"), [m.name.lower() for m in EventKind], f"kind of {where}"))
        known = {
            EventKind.SPACE: ("season", "limit", "pay", "gain"),
            EventKind.BOOST: ("action", "who", "limit", "pay", "gain", "discount"),
            EventKind.TAX: ("action", "pay"),
            EventKind.REVEAL: ("gain",),
            EventKind.GOAL: ("check", "scope", "need", "gain", "penalty"),
            EventKind.RULE: ("flags",),
        }[kind]
        only_keys(event, ("kind", *known), where, ABOUT)
        own = self.event[i, j]
        own[Ev.KIND] = kind
        own[Ev.PLACE] = NO_PLACE
        if "action" in known:
            letter = one_of(event.get("action"), list(LETTERS), f"action of {where}")
            own[Ev.PLACE] = self.place_of_letter[letter]
        if kind == EventKind.TAX:
            own[Ev.TAX] = price(event.get("pay"), f"pay of {where}")
            return
        own[Ev.PAY] = self.add(event.get("pay", []), f"pay of {where}")
        own[Ev.GAIN] = self.add(event.get("gain", []), f"gain of {where}")
        own[Ev.PENALTY] = self.add(event.get("penalty", []), f"penalty of {where}")
        own[Ev.SEASON] = one_of(event.get("season", "both"), SEASONS_OF_SPACE, f"season of {where}")
        limits = [m.name.lower() for m in Limit]
        own[Ev.LIMIT] = one_of(event.get("limit", "per_taking"), limits, f"limit of {where}")
        own[Ev.WHO] = one_of(event.get("who", "actor"), [m.name.lower() for m in Who], f"who of {where}")
        own[Ev.DISCOUNT] = whole(event.get("discount", 0), 0, MOST, f"discount of {where}")
        own[Ev.AT_ONCE] = event.get("check", "immediate") == "immediate"
        own[Ev.SCOPE] = one_of(event.get("scope", "team"), [m.name.lower() for m in Scope], f"scope of {where}")
        own[Ev.METRIC] = own[Ev.SOLO_METRIC] = NO_METRIC
        if kind == EventKind.GOAL:
            need = mapping_of(event.get("need"), f"need of {where}")
            only_keys(need, ("metric", "at_least", "at_most", "per_player", "minimum", "solo_metric"), where)
            if ("at_least" in need) == ("at_most" in need):
                raise ValueError(f"need of {where} says either at_least or at_most")
            own[Ev.METRIC] = _metric(need.get("metric"), where)
            own[Ev.SOLO_METRIC] = _metric(need.get("solo_metric", need["metric"]), where)
            own[Ev.IS_MOST] = "at_most" in need
            own[Ev.NEED] = whole(need.get("at_most", need.get("at_least")), 0, 100, f"need of {where}")
            own[Ev.PER_PLAYER] = need.get("per_player", False) is True
            own[Ev.MINIMUM] = whole(need.get("minimum", 0), 0, 100, f"minimum of {where}")
            if own[Ev.IS_MOST] and own[Ev.AT_ONCE]:
                raise ValueError(f"need of {where} is a most, which only a check at the year_end can tell")
        self._flags(self.event_flags[i, j], event.get("flags", {}), where)

    def _flags(self, own: np.ndarray, given: Any, where: str) -> None:
        only_keys(given, FLAGS, f"flags of {where}")
        for name, value in given.items():
            own[FLAGS.index(name)] = int(value) if isinstance(value, bool) else whole(value, 0, MOST, name)

    def _aims(self, name: str, aims: Any) -> None:
        listed = list_of(aims, f"the aims of {name}")
        if [aim.get("number") for aim in listed] != list(range(1, N_AIMS + 1)):
            raise ValueError(f"{name} has {len(listed)} aims; there must be {N_AIMS}, numbered from 1")
        for i, aim in enumerate(listed):
            where = f"aim {i + 1} of {name}"
            only_keys(aim, ("need",), where, ABOUT)
            need = mapping_of(aim.get("need"), f"need of {where}")
            only_keys(need, ("metric", "at_least", "solo_metric"), where)
            metric = _metric(need.get("metric"), where)
            least = whole(need.get("at_least"), 1, 100, f"at_least of {where}")
            self.aim[i] = metric, least, _metric(need.get("solo_metric", need["metric"]), where)


def _metric(name: Any, where: str) -> int:
    return one_of(name, METRICS, f"metric of {where}")
