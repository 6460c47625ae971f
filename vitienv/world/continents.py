"""The continents as integer tables: their rules, events and aims (W13 to W16, W81 to W95)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.checks import check_bool, check_choice, check_int, check_keys, list_of, mapping_of
from vitienv.core.compiling.namespaces import Numbers
from vitienv.world.enums import (
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
    Metric,
    Scope,
    Who,
)
from vitienv.world.language import MOST, WorldPart, effect, price

NO_ROW = 0  # of the effects: nothing
NO_PLACE = -1
NO_METRIC = -1
SEASONS_OF_SPACE = ("both", "summer", "winter")
CHECKS = ("immediate", "year_end")


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


STEPS = ((Ru.NEED, Ru.GAIN), (Ru.NEED_2, Ru.GAIN_2))
# What a counter counts in another way than deeds, and what is then settled: its scope, its limit, its year-end check.
OTHER_RULES: dict[int, dict[int, int]] = {
    Metric.TEAM_PAYMENT_LIRA: {Ru.LIMIT: Limit.ONCE_TEAM},
    Metric.AIMS_MET: {Ru.SCOPE: Scope.EACH, Ru.LIMIT: Limit.ONCE_EACH},
    Metric.ALL_OWN_IRRIGATION_THEN_ALL_THREE_FIELDS: {Ru.NEED: 1, Ru.MINIMUM: 1, Ru.LIMIT: Limit.ONCE_EACH},
}


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

    def _for_all(self, given: Any, where: str) -> int:
        """The row of an effect that every seat has: without visitors, whose decisions do not fit on those of six."""
        if any(part.op == WorldPart.PLAY for part in effect(given, where)):
            raise ValueError(f"{where} is for every seat and must be without play_visitor")
        return self.add(given, where)

    def read_continents(self, told: Mapping[str, Any]) -> None:
        """Fill in all of them. ValueError for what contradicts itself."""
        by_id = {continent.get("id"): continent for continent in told["continent"]}
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
            continent = by_id[name]
            self.setup[i] = self.add(continent.get("setup", []), f"the set-up of {name}")
            self.may_shuffle[i] = check_bool(continent.get("shuffled_variant", True), f"shuffled_variant of {name}")
            self._rule(i, name, mapping_of(continent.get("rule"), f"the rule of {name}"))
            events = list_of(continent.get("event"), f"the events of {name}", MOST_EVENTS)
            if len(events) < EVENTS_IN_GAME:
                raise ValueError(f"{name} has a deck of {len(events)} events; it needs {EVENTS_IN_GAME} at least")
            if [event.get("number") for event in events] != list(range(1, len(events) + 1)):
                raise ValueError(f"the events of {name} must be numbered from 1 on")
            self.n_events[i] = len(events)
            for j, event in enumerate(events):
                self._event(i, j, f"event {j + 1} of {name}", event)
            if "aim" in continent:
                self._aims(name, continent["aim"])

    def _rule(self, i: int, name: str, rule: Mapping[str, Any]) -> None:
        where = f"the rule of {name}"
        counter = mapping_of(rule.get("counter"), f"the counter of {where}")
        metric = _metric(counter.get("metric"), where)
        row, usual = self.rule[i], OTHER_RULES.get(metric, {})
        row[list(usual)] = list(usual.values())
        row[Ru.METRIC] = row[Ru.SOLO_METRIC] = metric
        row[Ru.MOST] = check_int(counter.get("max_per_game"), 1, MOST, f"max_per_game of {where}")
        steps = [counter]
        if metric == Metric.AIMS_MET:
            steps = list_of(counter.get("steps"), f"steps of {where}")
            if len(steps) != 2:
                raise ValueError(f"{where} has {len(steps)} steps; there must be 2, as there are two aims")
        for (need, gain), step in zip(STEPS, steps):
            mapping_of(step, f"a step of {where}")
            if Ru.NEED not in usual:
                row[need] = check_int(step.get("at_least"), 1, 100, f"at_least of {where}")
            row[gain] = self._for_all(step.get("gain"), f"the gain of {where}")
        if metric == Metric.AIMS_MET:
            self.aim_gain[0] = self.add(rule.get("aim_gain"), f"aim_gain of {where}")
        if metric not in (Metric.AIMS_MET, Metric.ALL_OWN_IRRIGATION_THEN_ALL_THREE_FIELDS):
            row[Ru.PER_PLAYER] = check_bool(counter.get("per_player", False), f"per_player of {where}")
            row[Ru.MINIMUM] = check_int(counter.get("minimum", 0), 0, 100, f"minimum of {where}")
        if not usual:
            row[Ru.SOLO_METRIC] = _metric(counter.get("solo_metric", counter["metric"]), where)
            row[Ru.LIMIT] = _limit(counter.get("limit"), (Limit.ONCE_TEAM, Limit.REPEAT), where)
            row[Ru.AT_ONCE] = _is_at_once(counter, where)
            row[Ru.SCOPE] = _scope(counter, where)
        uses = mapping_of(rule.get("uses_per_player", {}), f"uses_per_player of {where}")
        row[Ru.USES] = check_int(uses.get("others", 1), 1, MOST, f"uses_per_player of {where}")
        row[Ru.USES_ALONE] = check_int(uses.get("1", row[Ru.USES]), 1, MOST, f"uses_per_player of {where}")
        self._flags(self.rule_flags[i], rule.get("flags", {}), where)

    def _event(self, i: int, j: int, where: str, event: Mapping[str, Any]) -> None:
        kind = EventKind(check_choice(event.get("kind"), [m.name.lower() for m in EventKind], f"kind of {where}"))
        known = {
            EventKind.SPACE: ("season", "pay", "gain"),
            EventKind.BOOST: ("action", "who", "limit", "pay", "gain", "discount"),
            EventKind.TAX: ("action", "pay"),
            EventKind.REVEAL: ("gain",),
            EventKind.GOAL: ("check", "scope", "need", "gain", "penalty"),
            EventKind.RULE: ("flags",),
        }[kind]
        event = {key: event[key] for key in known if key in event}
        row = self.event[i, j]
        row[Ev.KIND] = kind
        row[Ev.PLACE] = NO_PLACE
        if "action" in known:
            letter = check_choice(event.get("action"), list(LETTERS), f"action of {where}")
            row[Ev.PLACE] = self.place_of_letter[letter]
        if kind == EventKind.TAX:
            row[Ev.TAX] = price(event.get("pay"), f"pay of {where}")
            return
        is_for_all = kind in (EventKind.REVEAL, EventKind.GOAL) or event.get("who") == "all"
        add = self._for_all if is_for_all else self.add
        row[Ev.PAY] = self.add(event.get("pay", []), f"pay of {where}")
        row[Ev.GAIN] = add(event.get("gain", []), f"gain of {where}")
        row[Ev.PENALTY] = add(event.get("penalty", []), f"penalty of {where}")
        row[Ev.SEASON] = check_choice(event.get("season", "both"), SEASONS_OF_SPACE, f"season of {where}")
        row[Ev.LIMIT] = Limit.ONCE_PER_PLAYER  # of a space, but for `uses_per_player` of the continent's rule
        if kind != EventKind.SPACE:
            row[Ev.LIMIT] = _limit(event.get("limit", "per_taking"), (Limit.PER_TAKING, Limit.ONCE_PER_PLAYER), where)
        row[Ev.WHO] = check_choice(event.get("who", "actor"), [m.name.lower() for m in Who], f"who of {where}")
        row[Ev.DISCOUNT] = check_int(event.get("discount", 0), 0, MOST, f"discount of {where}")
        if row[Ev.PAY] and row[Ev.WHO] == Who.ALL:
            raise ValueError(f"pay of {where} is of one seat; who may be actor or trained, not all")
        if row[Ev.DISCOUNT] and (row[Ev.WHO] != Who.ACTOR or row[Ev.LIMIT] != Limit.PER_TAKING):
            raise ValueError(f"discount of {where} holds for all who take the action, as often as they do")
        row[Ev.AT_ONCE] = _is_at_once(event, where)
        row[Ev.SCOPE] = _scope(event, where)
        row[Ev.METRIC] = row[Ev.SOLO_METRIC] = NO_METRIC
        if kind == EventKind.GOAL:
            need = mapping_of(event.get("need"), f"need of {where}")
            if ("at_least" in need) == ("at_most" in need):
                raise ValueError(f"need of {where} says either at_least or at_most")
            row[Ev.METRIC] = _metric(need.get("metric"), where)
            row[Ev.SOLO_METRIC] = _metric(need.get("solo_metric", need["metric"]), where)
            row[Ev.IS_MOST] = "at_most" in need
            row[Ev.NEED] = check_int(need.get("at_most", need.get("at_least")), 0, 100, f"need of {where}")
            row[Ev.PER_PLAYER] = check_bool(need.get("per_player", False), f"per_player of {where}")
            row[Ev.MINIMUM] = check_int(need.get("minimum", 0), 0, 100, f"minimum of {where}")
            if row[Ev.IS_MOST] and row[Ev.AT_ONCE]:
                raise ValueError(f"need of {where} is a most, which only a check at the year_end can tell")
        self._flags(self.event_flags[i, j], event.get("flags", {}), where)

    def _flags(self, own: np.ndarray, given: Any, where: str) -> None:
        check_keys(given, FLAGS, f"flags of {where}")
        for name, value in given.items():
            own[FLAGS.index(name)] = int(value) if isinstance(value, bool) else check_int(value, 0, MOST, name)

    def _aims(self, name: str, aims: Any) -> None:
        listed = list_of(aims, f"the aims of {name}")
        if [aim.get("number") for aim in listed] != list(range(1, N_AIMS + 1)):
            raise ValueError(f"{name} has {len(listed)} aims; there must be {N_AIMS}, numbered from 1")
        for i, aim in enumerate(listed):
            where = f"aim {i + 1} of {name}"
            need = mapping_of(aim.get("need"), f"need of {where}")
            metric = _metric(need.get("metric"), where)
            least = check_int(need.get("at_least"), 1, 100, f"at_least of {where}")
            self.aim[i] = metric, least, _metric(need.get("solo_metric", need["metric"]), where)


def _metric(name: Any, where: str) -> int:
    return check_choice(name, METRICS, f"metric of {where}")


def _limit(name: Any, known: tuple[Limit, ...], where: str) -> int:
    return int(known[check_choice(name, [limit.name.lower() for limit in known], f"limit of {where}")])


def _scope(own: Mapping[str, Any], where: str) -> int:
    return check_choice(own.get("scope", "team"), [scope.name.lower() for scope in Scope], f"scope of {where}")


def _is_at_once(own: Mapping[str, Any], where: str) -> bool:
    return CHECKS[check_choice(own.get("check", "immediate"), CHECKS, f"check of {where}")] == "immediate"
