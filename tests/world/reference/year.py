"""Reference of the year, from the numbered rules: passes, fall, the end of the year, spring, the ring.

A state is a `Counter` of the words of `facts`. Drawn cards count by deck, tiles by shape; the next event card is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations_with_replacement, product

import numpy as np

import vitienv
from tests.table.ends import records_of
from tests.table.fixtures import ALL_STRUCTURES
from tests.world.cases.changes import DECKS, HATS, PLACES

from .states import CELLAR, SLOTS, States, different, step
from .table_counts import OF_SEAT, SPRING, SUMMER, WINTER, compared, facts

# Words that are reset in spring (O31).
MARKS = tuple(word for word in OF_SEAT if word.split(":")[0] in ("passed", "row", "boosted", "used", "deed")) + (
    "harvest5", "harvest6", "harvest7")  # fmt: skip

RING = {2: ("vine",), 3: ("order",), 5: ("summer", "winter")}  # the decks of its positions (W34)
REVEALS = {("asia", 1): ("vine", "order"), ("north_america", 1): ("vine", "vine")}
LIMITS = {("asia", 7): 7}
# Goals of the year's end by event card: whose, what is measured, at least.
GOALS = {
    ("asia", 5): ("each", "wines", 1), ("oceania", 5): ("each", "wines", 2),
    ("south_america", 2): ("each", "fields", 2), ("south_america", 8): ("each", "trained", 1),
    ("europe", 4): ("each", "structures", 3), ("europe", 6): ("each", "types", 2),
    ("north_america", 5): ("any", "best", 7),
}  # fmt: skip
# Europe's aims by number (W93).
AIMS = {
    1: ("structures", 5), 2: ("lira", 12), 3: ("residual", 3), 4: ("best", 8), 5: ("types", 3), 6: ("fields", 3),
    7: ("trained", 3), 8: ("grapes", 5), 9: ("deed:tours", 2), 10: ("deed:visitors_played", 3),
    11: ("deed:orders_filled", 2), 12: ("deed:trades", 2),
}  # fmt: skip


class Year:
    """Passes and choices of a row in a position."""

    def __init__(self, game: vitienv.Game) -> None:
        record = game.state
        self.seat, self.n, self.options = game.current_seat, game.num_players, game.options.to_dict()
        self.continent: str = self.options["continent"]
        self.card = (self.continent, int(record.event) + 1)
        self.start = facts(game, records_of(game), np.array([game.current_seat]))[0]
        self.aims = (record.aims[: self.n] + 1).tolist()
        self.opened = 0  # the event card of the year to come

    def events_to_come(self) -> set[int]:
        """Return the possible next event cards (W15, W16, W30)."""
        gone = {number for number in range(1, 9) if self.start[f"event_gone:{number}"]}
        if self.options["events"] == "ordered":
            return {len(gone) + 1}
        return set(range(1, 9)) - gone

    def ends(self, move: str, opened: int = 0) -> set[frozenset]:
        """Return all results of a pass or a row. opened: next event card, if a year starts."""
        self.opened = opened
        if move == "pass":
            after = (end for state in self.passed(self.start, self.seat) for end in self.go_on(state, self.seat))
        else:
            after = self.woken(self.start, int(move.split(":")[1]))
        return {compared(end, self.continent) for end in after}

    def free_rows(self) -> set[str]:
        """Return the legal rows (W33)."""
        occupied = {self.start[f"{k}.row"] for k in range(self.n)}
        return {f"wake_up:{row}" for row in range(1, 8) if row not in occupied}

    # Turns.

    def order(self, state: Counter) -> list[int]:
        return sorted(range(self.n), key=lambda k: state[f"{k}.row"])

    def usable(self, state: Counter, k: int) -> bool:
        """Return whether a seat has a worker for the season; the lira space is always free (W36, W37, W42)."""
        hat = "yellow" if state["season"] == SUMMER else "blue"
        return any(state[f"{k}.home:{kind}"] for kind in (hat, "regular", "grande", "temporary"))

    def go_on(self, state: Counter, last: int | None) -> States:
        """Yield the states at the next turn; a seat without a usable worker passes (W35, W49, W71, W79)."""
        order = self.order(state)
        start = 0 if last is None else order.index(last) + 1
        waiting = [k for k in (*order[start:], *order[:start]) if not state[f"{k}.passed"]]
        if not waiting:
            yield from self.winter(state) if state["season"] == SUMMER else self.year_over(state)
        elif self.usable(state, waiting[0]):
            yield with_words(state, turn=waiting[0] + 1)
        else:
            for after in different(self.passed(state, waiting[0])):
                yield from self.go_on(after, waiting[0])

    def passed(self, state: Counter, k: int) -> States:
        state = with_words(state, **{f"{k}.passed": 1})
        return self.fall(state, k) if state["season"] == SUMMER else self.own_year_end(state, k)

    # Fall

    def fall(self, state: Counter, k: int) -> States:
        """Take one of three benefits (W68, W69, O28)."""
        yield changed(state, **{f"{k}.lira": 2})
        for deck in DECKS:
            if state[f"deck:{deck}"]:
                yield drawn(state, k, deck)
        for slot in SLOTS:
            if state[f"{k}.{slot}"] and can_age(state, k, slot):
                yield moved_up(state, k, slot)

    def winter(self, state: Counter) -> States:
        """Start the winter with the cottages, in ring order (W70, O29)."""
        states = [state]
        for k in self.order(state):
            if state[f"{k}.cottage"]:
                states = different(other for after in states for other in one_of(after, k, ("summer", "winter")))
        for after in states:
            yield from self.go_on(with_words(after, season=WINTER, **{f"{j}.passed": 0 for j in range(self.n)}), None)

    # The end of the year of one seat

    def own_year_end(self, state: Counter, k: int) -> States:
        """Ageing, workers, the residual payment and the hand limit (W76 to W78)."""
        state = Counter(state)
        for slot in reversed([*(() if self.card == ("africa", 7) else SLOTS), *CELLAR]):
            if state[f"{k}.{slot}"] and can_age(state, k, slot):
                state = moved_up(state, k, slot)
        state[f"{k}.temporary"] = state[f"{k}.home:temporary"] = 0
        for place in PLACES:
            state[f"{k}.on:{place}"] = 0
        state[f"{k}.home:grande"] = 1
        for hat in HATS[1:]:
            state[f"{k}.home:{hat}"] = state[f"{k}.{hat}"]
        state[f"{k}.home:regular"] = 4 - state[f"{k}.yellow"] - state[f"{k}.blue"]
        less = int(self.card == ("africa", 8))
        state[f"{k}.lira"] += max(state[f"{k}.residual"] - less, 0)
        return self.discards(state, k, LIMITS.get(self.card, 5))

    def discards(self, state: Counter, k: int, limit: int) -> States:
        hand_sizes = [state[f"{k}.{deck}"] for deck in DECKS]
        for some in product(*(range(number + 1) for number in hand_sizes)):
            if sum(some) == max(sum(hand_sizes) - limit, 0):
                changes = {f"{k}.{deck}": -number for deck, number in zip(DECKS, some, strict=True)}
                back = {f"deck:{deck}": number for deck, number in zip(DECKS, some, strict=True)}
                yield changed(state, **changes, **back)

    # The end of the year of all seats

    def year_over(self, state: Counter) -> States:
        """Apply the continent's rule and the year's goal, then the result or a new year (W4, W80).

        The rules do not order rule and goal; the engine applies the rule first. It matters if Europe's sixth card takes
        a lira of a seat whose aim is twelve, and if North America pays for the last step of the track.
        """
        for after in different(end for ruled in self.rule(state) for end in self.goal(ruled)):
            if state["year"] == int(self.options.get("years") or 6):
                yield self.result(after)
            else:
                yield from self.spring(after)

    def measure(self, state: Counter, k: int, metric: str) -> int:
        wines = [slot for slot in CELLAR if state[f"{k}.{slot}"]]
        match metric:
            case "wines":
                return len(wines)
            case "types":
                return len({slot.split(":")[1] for slot in wines})
            case "best":
                return max((int(slot[-1]) for slot in wines), default=0)
            case "grapes":
                return sum(state[f"{k}.{slot}"] for slot in SLOTS)
            case "fields":
                return sum(state[f"{k}.plant{capacity}"] > 0 for capacity in (5, 6, 7))
            case "trained":
                return 4 - state[f"{k}.yellow"] - state[f"{k}.blue"]
            case "structures":
                return sum(state[f"{k}.{name}"] for name in ALL_STRUCTURES)
        if metric == "deed:trades" and self.n == 1:
            metric = "deed:action_G_uses"
        return state[f"{k}.{metric}"]

    def team(self, state: Counter, deed: str) -> int:
        return sum(state[f"{k}.deed:{deed}"] for k in range(self.n))

    def goal(self, state: Counter) -> States:
        """Apply the goal of the end of the year, or its penalty (W85, W88, O33)."""
        if self.card in GOALS:
            whose, metric, minimum = GOALS[self.card]
            met = (all if whose == "each" else any)(self.measure(state, k, metric) >= minimum for k in range(self.n))
        elif self.card == ("north_america", 3):
            met = self.team(state, "wines_made") <= self.n
        elif self.card == ("africa", 3):
            met = self.team(state, "harvests") >= max(self.n, 2)
        else:
            if self.card == ("africa", 6) and not state["goal_met"]:
                state = changed(state, **{f"{k}.vp": -1 for k in range(self.n) if state[f"{k}.vp"] > -5})
            return iter([state])
        if met:
            state = Counter(state)
            step(state)
        elif self.card == ("europe", 6):
            state = changed(state, **{f"{k}.lira": -1 for k in range(self.n) if state[f"{k}.lira"]})
        elif self.card == ("africa", 3):
            return self.grapes_lost(state)
        return iter([state])

    def grapes_lost(self, state: Counter) -> States:
        goods = [[f"{k}.{slot}" for slot in SLOTS if state[f"{k}.{slot}"]] for k in range(self.n)]
        for some in product(*(slots or [""] for slots in goods)):
            yield changed(state, **{slot: -1 for slot in some if slot})

    def rule(self, state: Counter) -> States:
        """Apply the rule of the continent (W92 to W95)."""
        state = Counter(state)
        if self.continent == "south_america" and state["rule_steps"] < 3:
            if self.team(state, "harvests") >= max(2 * self.n, 3):
                step(state)
                state["rule_steps"] += 1
        elif self.continent == "europe":
            self.aims_turned(state)
        elif self.continent == "north_america":
            return self.paid_together(state)
        elif self.continent == "africa":
            wells = all(state[f"{k}.irrigation"] for k in range(self.n))
            fields = all(self.measure(state, k, "fields") == 3 for k in range(self.n))
            for bit, met in ((1, wells), (2, fields)):
                if met and not state["rule_done"] & bit:
                    step(state)
                    state["rule_done"] |= bit
        return iter([state])

    def aims_turned(self, state: Counter) -> None:
        """Score 2 points for each aim met; the token moves when all seats have met one, and both (W93, O34)."""
        before = min(state[f"{k}.aims_met"] for k in range(self.n))
        for k, goods in enumerate(self.aims):
            for i, number in enumerate(goods):
                metric, minimum = AIMS[number]
                if not state[f"{k}.aim_met:{i}"] and self.measure(state, k, metric) >= minimum:
                    state[f"{k}.aim_met:{i}"] = 1
                    state[f"{k}.aims_met"] += 1
                    points(state, k, 2)
        after = min(state[f"{k}.aims_met"] for k in range(self.n))
        for _ in range((before < 1 <= after) + 2 * (before < 2 <= after)):
            step(state)

    def paid_together(self, state: Counter) -> States:
        """Pay five lira of any seats for a step, or nothing (W94, O36)."""
        yield state
        # A step that would be lost cannot be bought, as at P (W75).
        if state["rule_steps"] >= 3 or state["influence"] == 10:
            return
        for payers in combinations_with_replacement(range(self.n), 5):
            if all(state[f"{k}.lira"] >= payers.count(k) for k in payers):
                paid = changed(state, **{f"{k}.lira": -payers.count(k) for k in payers}, rule_steps=1)
                step(paid)
                yield paid

    def result(self, state: Counter) -> Counter:
        minimum = int(self.options.get("vp_each") or 25)
        won = state["influence"] == 10 and all(state[f"{k}.vp"] >= minimum for k in range(self.n))
        return with_words(state, **{"win" if won else "loss": 1})

    # Spring.

    def spring(self, state: Counter) -> States:
        """Reset marks, move the first choice, turn up a card and tiles (W30, W32, W84, O13, O31)."""
        state = with_words(state, **{f"{k}.{word}": 0 for k in range(self.n) for word in MARKS})
        state = with_words(state, season=SPRING, year=state["year"] + 1, event=self.opened, goal_met=0)
        state = with_words(state, **{f"event_gone:{self.opened}": 1}, first=(state["first"] - 2) % self.n + 1)
        for shape in ("rectangles", "ovals"):
            fresh = min(2, state[f"{shape}:stack"])
            state[f"{shape}:gone"] += state[f"{shape}:shown"]
            state[f"{shape}:stack"] -= fresh
            state[f"{shape}:shown"] = fresh
        state["turn"] = state["first"]
        states = [state]
        for k in self.choosing(state):
            states = different(other for after in states for other in self.revealed(after, k))
        yield from states

    def choosing(self, state: Counter) -> list[int]:
        """Return the seats in the order in which they choose rows (O13)."""
        first = state["first"] - 1
        return [(first + i) % self.n for i in range(self.n)]

    def revealed(self, state: Counter, k: int) -> States:
        card = (self.continent, self.opened)
        if card == ("europe", 1):
            state = changed(state, **{f"{k}.lira": 2})
        for deck in REVEALS.get(card, ()):
            if state[f"deck:{deck}"]:
                state = drawn(state, k, deck)
        slots = [f"{k}.{slot}" for slot in SLOTS if slot[-1] == "1" and not state[f"{k}.{slot}"]]
        if card != ("oceania", 1) or not slots:
            return iter([state])
        return (changed(state, **{slot: 1}) for slot in slots)

    def woken(self, state: Counter, row: int) -> Iterable[Counter]:
        """Yield the states after the benefit of a row, at the next choice or in summer (W33 to W35)."""
        k = self.seat
        state = with_words(state, **{f"{k}.row": row})
        if row in RING:
            states = one_of(state, k, RING[row])
        else:
            state[f"{k}.lira"] += row == 4
            points(state, k, int(row == 6))
            state[f"{k}.temporary"] += row == 7
            state[f"{k}.home:temporary"] += row == 7
            states = [state]
        for after in states:
            undecided = [j for j in self.choosing(after) if not after[f"{j}.row"]]
            if undecided:
                yield with_words(after, turn=undecided[0] + 1)
            else:
                yield from self.go_on(with_words(after, season=SUMMER), None)


def with_words(state: Counter, **words: int) -> Counter:
    other = Counter(state)
    other.update({word: number - other[word] for word, number in words.items()})
    return other


def changed(state: Counter, **changes: int) -> Counter:
    other = Counter(state)
    other.update(changes)
    return other


def points(state: Counter, k: int, number: int) -> None:
    """Score points; the thirtieth moves the token, once for each seat (W8)."""
    state[f"{k}.vp"] += number
    if state[f"{k}.vp"] >= 30 and not state[f"{k}.reached"]:
        state[f"{k}.reached"] = 1
        step(state)


def drawn(state: Counter, k: int, deck: str) -> Counter:
    return changed(state, **{f"{k}.{deck}": 1, f"deck:{deck}": -1})


def one_of(state: Counter, k: int, decks: tuple[str, ...]) -> list[Counter]:
    """Return the states with a card of one of these decks, or without one if all are empty (R8.2)."""
    return [drawn(state, k, deck) for deck in decks if state[f"deck:{deck}"]] or [state]


def can_age(state: Counter, k: int, slot: str) -> bool:
    """Return whether the next slot is free and open; a wine above its cellar ages within its tier (R7.14)."""
    kind, colour, value = slot.split(":")
    closed = {"3": "medium_cellar", "6": "large_cellar"}.get(value)
    if value == "9" or (kind == "wine" and closed and not state[f"{k}.{closed}"]):
        return False
    return not state[f"{k}.{kind}:{colour}:{int(value) + 1}"]


def moved_up(state: Counter, k: int, slot: str) -> Counter:
    return changed(state, **{f"{k}.{slot}": -1, f"{k}.{slot[:-1]}{int(slot[-1]) + 1}": 1})
