"""Integer tables of the continents: rules, events and aims (W13 to W16, W81 to W95)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.checks import check_bool, check_choice, check_int, check_keys, list_of, mapping_of
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.world.enums import (
    CONTINENTS,
    EVENTS_IN_GAME,
    FLAGS,
    LETTERS,
    MAX_EVENTS,
    METRICS,
    N_AIMS,
    N_FLAGS,
    UNCHANGED,
    Beneficiary,
    EventKind,
    Limit,
    Metric,
    Scope,
)
from vitienv.world.language import MAX_NUMBER, WorldPart, effect, price

NO_ROW = 0  # the empty effect
NO_PLACE = -1
NO_METRIC = -1
SEASONS_OF_SPACE = ("both", "summer", "winter")
CHECKS = ("immediate", "year_end")


class EventCol(IntConstants):
    """Columns of an event."""

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
    IS_AT_MOST = 13
    PER_PLAYER = 14
    MINIMUM = 15
    SCOPE = 16
    AT_ONCE = 17


class RuleCol(IntConstants):
    """Columns of a continent's rule."""

    METRIC = 0
    SOLO_METRIC = 1
    NEED = 2
    PER_PLAYER = 3
    MINIMUM = 4
    GAIN = 5
    LIMIT = 6
    AT_ONCE = 7
    MAX_STEPS = 8
    SCOPE = 9
    NEED_2 = 10
    GAIN_2 = 11
    USES = 12
    USES_ALONE = 13


STEPS = ((RuleCol.NEED, RuleCol.GAIN), (RuleCol.NEED_2, RuleCol.GAIN_2))
# Metrics that are not counts of deeds, and the columns that they fix.
FIXED_COLUMNS: dict[int, dict[int, int]] = {
    Metric.TEAM_PAYMENT_LIRA: {RuleCol.LIMIT: Limit.ONCE_TEAM},
    Metric.AIMS_MET: {RuleCol.SCOPE: Scope.EACH, RuleCol.LIMIT: Limit.ONCE_EACH},
    Metric.ALL_OWN_IRRIGATION_THEN_ALL_THREE_FIELDS: {
        RuleCol.NEED: 1,
        RuleCol.MINIMUM: 1,
        RuleCol.LIMIT: Limit.ONCE_EACH,
    },
}


class ContinentTables:
    """The part of `tables.Tables` about continents, one row each."""

    place_of_letter: np.ndarray  # (16,)
    setup: np.ndarray  # (7,) effects
    n_events: np.ndarray  # (7,)
    event: np.ndarray  # (7, MAX_EVENTS, columns of EventCol)
    event_flags: np.ndarray  # (7, MAX_EVENTS, flags)
    rule: np.ndarray  # (7, columns of RuleCol)
    rule_flags: np.ndarray  # (7, flags)
    may_shuffle: np.ndarray  # (7,)
    aim: np.ndarray  # (N_AIMS, 3) metric, at_least, metric with one seat
    aim_gain: np.ndarray  # (1,) effect

    def add(self, atoms: Any, label: str, needs_all: bool = False) -> int:
        """Return the row of an effect."""
        raise NotImplementedError

    def _for_all(self, atoms: Any, label: str) -> int:
        """Return the row of an effect for every seat; the stack has no room for the visitors of six seats."""
        if any(part.op == WorldPart.PLAY for part in effect(atoms, label)):
            raise ValueError(f"{label} must not contain play_visitor, as it applies to every seat")
        return self.add(atoms, label)

    def read_continents(self, data: Mapping[str, Any]) -> None:
        """Fill the tables of all continents. Raises ValueError for invalid data."""
        by_id = {continent.get("id"): continent for continent in data["continent"]}
        if sorted(by_id, key=str) != sorted(CONTINENTS):
            raise ValueError(f"continents must be {', '.join(CONTINENTS)}, got {', '.join(map(str, by_id))}")
        n = len(CONTINENTS)
        self.setup, self.n_events = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.event = np.zeros((n, MAX_EVENTS, len(EventCol)), np.int64)
        self.event_flags = np.full((n, MAX_EVENTS, N_FLAGS), UNCHANGED, np.int64)
        self.rule, self.rule_flags = np.zeros((n, len(RuleCol)), np.int64), np.full((n, N_FLAGS), UNCHANGED, np.int64)
        self.may_shuffle = np.zeros(n, np.int64)
        self.aim, self.aim_gain = np.zeros((N_AIMS, 3), np.int64), np.zeros(1, np.int64)
        for i, name in enumerate(CONTINENTS):
            continent = by_id[name]
            self.setup[i] = self.add(continent.get("setup", []), f"the set-up of {name}")
            self.may_shuffle[i] = check_bool(continent.get("shuffled_variant", True), f"shuffled_variant of {name}")
            self._rule(i, name, mapping_of(continent.get("rule"), f"the rule of {name}"))
            events = list_of(continent.get("event"), f"the events of {name}", MAX_EVENTS)
            if len(events) < EVENTS_IN_GAME:
                raise ValueError(f"the deck of {name} must have at least {EVENTS_IN_GAME} events, got {len(events)}")
            if [event.get("number") for event in events] != list(range(1, len(events) + 1)):
                raise ValueError(f"the events of {name} must be numbered from 1")
            self.n_events[i] = len(events)
            for j, event in enumerate(events):
                self._event(i, j, f"event {j + 1} of {name}", event)
            if "aim" in continent:
                self._aims(name, continent["aim"])

    def _rule(self, i: int, name: str, rule: Mapping[str, Any]) -> None:
        label = f"the rule of {name}"
        counter = mapping_of(rule.get("counter"), f"the counter of {label}")
        metric = _metric(counter.get("metric"), label)
        row, fixed = self.rule[i], FIXED_COLUMNS.get(metric, {})
        row[list(fixed)] = list(fixed.values())
        row[RuleCol.METRIC] = row[RuleCol.SOLO_METRIC] = metric
        row[RuleCol.MAX_STEPS] = check_int(counter.get("max_per_game"), 1, MAX_NUMBER, f"max_per_game of {label}")
        steps = [counter]
        if metric == Metric.AIMS_MET:
            steps = list_of(counter.get("steps"), f"steps of {label}")
            if len(steps) != 2:
                raise ValueError(f"steps of {label} must be 2, one for each aim, got {len(steps)}")
        for (need, gain), step in zip(STEPS, steps):
            mapping_of(step, f"a step of {label}")
            if RuleCol.NEED not in fixed:
                row[need] = check_int(step.get("at_least"), 1, 100, f"at_least of {label}")
            row[gain] = self._for_all(step.get("gain"), f"the gain of {label}")
        if metric == Metric.AIMS_MET:
            self.aim_gain[0] = self.add(rule.get("aim_gain"), f"aim_gain of {label}")
        if metric not in (Metric.AIMS_MET, Metric.ALL_OWN_IRRIGATION_THEN_ALL_THREE_FIELDS):
            row[RuleCol.PER_PLAYER] = check_bool(counter.get("per_player", False), f"per_player of {label}")
            row[RuleCol.MINIMUM] = check_int(counter.get("minimum", 0), 0, 100, f"minimum of {label}")
        if not fixed:
            row[RuleCol.SOLO_METRIC] = _metric(counter.get("solo_metric", counter["metric"]), label)
            row[RuleCol.LIMIT] = _limit(counter.get("limit"), (Limit.ONCE_TEAM, Limit.REPEAT), label)
            row[RuleCol.AT_ONCE] = _is_at_once(counter, label)
            row[RuleCol.SCOPE] = _scope(counter, label)
        uses = mapping_of(rule.get("uses_per_player", {}), f"uses_per_player of {label}")
        row[RuleCol.USES] = check_int(uses.get("others", 1), 1, MAX_NUMBER, f"uses_per_player of {label}")
        row[RuleCol.USES_ALONE] = check_int(
            uses.get("1", row[RuleCol.USES]), 1, MAX_NUMBER, f"uses_per_player of {label}"
        )
        self._flags(self.rule_flags[i], rule.get("flags", {}), label)

    def _event(self, i: int, j: int, label: str, event: Mapping[str, Any]) -> None:
        kind = EventKind(check_choice(event.get("kind"), [m.name.lower() for m in EventKind], f"kind of {label}"))
        keys = {
            EventKind.SPACE: ("season", "pay", "gain"),
            EventKind.BOOST: ("action", "who", "limit", "pay", "gain", "discount"),
            EventKind.TAX: ("action", "pay"),
            EventKind.REVEAL: ("gain",),
            EventKind.GOAL: ("check", "scope", "need", "gain", "penalty"),
            EventKind.RULE: ("flags",),
        }[kind]
        event = {key: event[key] for key in keys if key in event}
        row = self.event[i, j]
        row[EventCol.KIND] = kind
        row[EventCol.PLACE] = NO_PLACE
        if "action" in keys:
            letter = check_choice(event.get("action"), list(LETTERS), f"action of {label}")
            row[EventCol.PLACE] = self.place_of_letter[letter]
        if kind == EventKind.TAX:
            row[EventCol.TAX] = price(event.get("pay"), f"pay of {label}")
            return
        is_for_all = kind in (EventKind.REVEAL, EventKind.GOAL) or event.get("who") == "all"
        add = self._for_all if is_for_all else self.add
        row[EventCol.PAY] = self.add(event.get("pay", []), f"pay of {label}")
        row[EventCol.GAIN] = add(event.get("gain", []), f"gain of {label}")
        row[EventCol.PENALTY] = add(event.get("penalty", []), f"penalty of {label}")
        row[EventCol.SEASON] = check_choice(event.get("season", "both"), SEASONS_OF_SPACE, f"season of {label}")
        row[EventCol.LIMIT] = (
            Limit.ONCE_PER_PLAYER
        )  # for a space, `uses_per_player` of the continent's rule takes precedence
        if kind != EventKind.SPACE:
            row[EventCol.LIMIT] = _limit(
                event.get("limit", "per_taking"), (Limit.PER_TAKING, Limit.ONCE_PER_PLAYER), label
            )
        row[EventCol.WHO] = check_choice(
            event.get("who", "actor"), [m.name.lower() for m in Beneficiary], f"who of {label}"
        )
        row[EventCol.DISCOUNT] = check_int(event.get("discount", 0), 0, MAX_NUMBER, f"discount of {label}")
        if row[EventCol.PAY] and row[EventCol.WHO] == Beneficiary.ALL:
            raise ValueError(f"who of {label} must be actor or trained if the event has a pay, got all")
        if row[EventCol.DISCOUNT] and (
            row[EventCol.WHO] != Beneficiary.ACTOR or row[EventCol.LIMIT] != Limit.PER_TAKING
        ):
            raise ValueError(f"discount of {label} requires who actor and limit per_taking")
        row[EventCol.AT_ONCE] = _is_at_once(event, label)
        row[EventCol.SCOPE] = _scope(event, label)
        row[EventCol.METRIC] = row[EventCol.SOLO_METRIC] = NO_METRIC
        if kind == EventKind.GOAL:
            need = mapping_of(event.get("need"), f"need of {label}")
            if ("at_least" in need) == ("at_most" in need):
                raise ValueError(f"need of {label} must have either at_least or at_most")
            row[EventCol.METRIC] = _metric(need.get("metric"), label)
            row[EventCol.SOLO_METRIC] = _metric(need.get("solo_metric", need["metric"]), label)
            row[EventCol.IS_AT_MOST] = "at_most" in need
            row[EventCol.NEED] = check_int(need.get("at_most", need.get("at_least")), 0, 100, f"need of {label}")
            row[EventCol.PER_PLAYER] = check_bool(need.get("per_player", False), f"per_player of {label}")
            row[EventCol.MINIMUM] = check_int(need.get("minimum", 0), 0, 100, f"minimum of {label}")
            if row[EventCol.IS_AT_MOST] and row[EventCol.AT_ONCE]:
                raise ValueError(f"check of {label} must be year_end for a need with at_most")
        self._flags(self.event_flags[i, j], event.get("flags", {}), label)

    def _flags(self, row: np.ndarray, flags: Any, label: str) -> None:
        check_keys(flags, FLAGS, f"flags of {label}")
        for name, value in flags.items():
            row[FLAGS.index(name)] = int(value) if isinstance(value, bool) else check_int(value, 0, MAX_NUMBER, name)

    def _aims(self, name: str, aims: Any) -> None:
        listed = list_of(aims, f"the aims of {name}")
        if [aim.get("number") for aim in listed] != list(range(1, N_AIMS + 1)):
            raise ValueError(f"aims of {name} must be {N_AIMS}, numbered from 1, got {len(listed)}")
        for i, aim in enumerate(listed):
            label = f"aim {i + 1} of {name}"
            need = mapping_of(aim.get("need"), f"need of {label}")
            metric = _metric(need.get("metric"), label)
            at_least = check_int(need.get("at_least"), 1, 100, f"at_least of {label}")
            self.aim[i] = metric, at_least, _metric(need.get("solo_metric", need["metric"]), label)


def _metric(name: Any, label: str) -> int:
    return check_choice(name, METRICS, f"metric of {label}")


def _limit(name: Any, limits: tuple[Limit, ...], label: str) -> int:
    return int(limits[check_choice(name, [limit.name.lower() for limit in limits], f"limit of {label}")])


def _scope(entry: Mapping[str, Any], label: str) -> int:
    return check_choice(entry.get("scope", "team"), [scope.name.lower() for scope in Scope], f"scope of {label}")


def _is_at_once(entry: Mapping[str, Any], label: str) -> bool:
    return CHECKS[check_choice(entry.get("check", "immediate"), CHECKS, f"check of {label}")] == "immediate"
