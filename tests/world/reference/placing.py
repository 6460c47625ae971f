"""Reference of placements, from the numbered rules: all results by exhaustive search.

A state is a `Counter` of the words of `changes.count`, without the number of the seat to act. Words that start with `_`
are notes. Visitors are not implemented.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, combinations_with_replacement

import vitienv
from tests.reference.tables import ORDERS, VINES
from tests.world.cases import changes
from tests.world.cases.changes import DECKS, DEEDS, GRANDE, KINDS_OF_CARDS, LETTERS, OVALS, PLACES, TILES
from vitienv.world.enums import Tile

from . import goods
from .places import card_ends, card_open, deck_used, standing, walk, yoke
from .states import CELLAR, SLOTS, States, but, different, more, paying, step, strip
from .trades import trades

COVER = {**dict.fromkeys("ACFI", 1), **dict.fromkeys("BJNP", -1)}
# Event cards that change an action, by continent and number: letter and lira.
LIRA = {("asia", 2): ("G", 1), ("asia", 8): ("C", 1), ("south_america", 1): ("E", 1), ("south_america", 7): ("M", 1),
        ("north_america", 2): ("C", 2), ("north_america", 6): ("O", 3)}  # fmt: skip
TAX = {("oceania", 2): "E", ("south_america", 3): "K", ("europe", 3): "E", ("north_america", 7): "K",
       ("africa", 1): "E", ("africa", 4): "N"}  # fmt: skip
# Goals that are met at once: metric, number for each seat, minimum.
GOALS = {("asia", 3): ("tours", 1, 2), ("asia", 6): ("orders_filled", 1, 2), ("oceania", 3): ("wines_made", 2, 3),
         ("oceania", 8): ("wines_sold", 1, 2), ("south_america", 6): ("order_vp", 3, 6),
         ("north_america", 4): ("innovations_taken", 0, 3), ("africa", 6): ("order_vp", 5, 8)}  # fmt: skip


class Table:
    def __init__(self, game: vitienv.Game) -> None:
        self.record = record = game.state
        self.seat, self.n = game.current_seat, game.num_players
        self.continent, self.event = game.options.to_dict()["continent"], int(record.event) + 1
        self.card = (self.continent, self.event)
        self.state = Counter({word.removeprefix(f"{self.seat}."): k for word, k in changes.count(game).items()})
        self.state["_reached"] = int(record.over_achieved[self.seat])
        self.placed = {TILES[i] for i in range(16) if record.tile[i] == Tile.PLACED}
        self.ovals = {LETTERS[i]: OVALS[oval] for i, oval in enumerate(record.oval_on) if oval >= 0}
        self.vines = [
            [vine for vine, number in zip(VINES, field, strict=True) for _ in range(number)]
            for field in record.vines[self.seat]
        ]
        self.used = record.used[self.seat].tolist()  # windmill, tasting room, yoke
        self.free_card = {deck: record.n_deck[d] + record.n_pile[d] for d, deck in enumerate(DECKS)}

    # Parts of actions

    def draw_cards(self, deck: str, state: Counter, big: bool) -> States:
        """Draw as many cards as possible, at least one (W51, W57)."""
        available = {other: self.free_card[other] - state[other] + self.state[other] for other in DECKS}
        if not big:
            return goods.draw(state, *([deck] if available[deck] else []))
        if not any(available.values()):
            return iter(())
        two = min(2, available[deck])
        available[deck] -= two
        after = more(state, {deck: two})
        decks = [other for other in DECKS if available[other]]
        return goods.draw(after, *decks) if decks else iter([after])

    def tour(self, state: Counter, lira: int) -> States:
        """The tasting room requires a wine when the worker is placed."""
        room = state["tasting_room"] and not self.used[1] and any(self.state[slot] for slot in CELLAR)
        yield but(state, lira=lira, vp=int(bool(room)), _tours=1)

    def plant(self, state: Counter) -> States:
        for vine, (red, white, needs) in VINES.items():
            if not state[f"_vine:{vine}"] or not all(state[name] for name in needs):
                continue
            surcharge = int(self.continent == "africa" and "irrigation" in needs)
            for i, capacity in enumerate((5, 6, 7)):
                planted = [*self.vines[i], *(name for name in VINES for _ in range(state[f"_field{i}:{name}"]))]
                load = sum(sum(VINES[name][:2]) for name in planted)
                if state[f"sold{capacity}"] or load + red + white > capacity:
                    continue
                point = int(bool(state["windmill"]) and not self.used[0] and not state["_plants"])
                for paid in paying(state, surcharge):
                    yield more(paid, {f"plant{capacity}": 1, "vine": -1, "vp": point, "_plants": 1,
                                      f"_vine:{vine}": -1, f"_field{i}:{vine}": 1})  # fmt: skip

    def harvest(self, state: Counter) -> States:
        for i, capacity in enumerate((5, 6, 7)):
            if state[f"harvest{capacity}"] or not self.vines[i] or state[f"sold{capacity}"]:
                continue
            other = but(state, **{f"harvest{capacity}": 1, "_harvests": 1})
            for c, colour in enumerate(("red", "white")):
                value = min(sum(VINES[vine][c] for vine in self.vines[i]), 9)
                free = [v for v in range(1, value + 1) if not other[f"grape:{colour}:{v}"]]
                if free:
                    other[f"grape:{colour}:{free[-1]}"] += 1
            yield other

    def make(self, state: Counter) -> States:
        grapes_on_pad = [(slot.split(":")[1], int(slot[-1]), slot) for slot in SLOTS if state[slot]]
        ways = [(colour, [grape]) for grape in grapes_on_pad for colour in (grape[0],)]
        for number, kind in ((2, "blush"), (3, "sparkling")):
            for grapes in combinations(grapes_on_pad, number):
                colours = [grape[0] for grape in grapes]
                if colours.count("red") == number - 1 and colours.count("white") == 1:
                    ways.append((kind, list(grapes)))
        less = int(self.card == ("europe", 5))
        for kind, grapes in ways:
            minimum = {"blush": 4, "sparkling": 7}.get(kind, 1)
            value = min(sum(grape[1] for grape in grapes) - less, 9)
            if value < minimum:
                continue
            free = [v for v in range(minimum, min(value, goods.top(state)) + 1) if not state[f"wine:{kind}:{v}"]]
            if not free:
                continue
            other = but(state, lira=less, _wines_made=1)
            for grape in grapes:
                other[grape[2]] -= 1
            other[f"wine:{kind}:{free[-1]}"] += 1
            yield other

    def fill(self, state: Counter) -> States:
        for order, (icons, points, residual) in ORDERS.items():
            if not state[f"_order:{order}"]:
                continue
            for wines in goods.matching(state, icons):
                other = more(state, {"order": -1, f"_order:{order}": -1, "_orders_filled": 1, "_order_vp": points})
                for wine in wines:
                    other[wine] -= 1
                other["residual"] = min(other["residual"] + residual, 5)
                yield but(other, vp=points + int(self.card == ("europe", 5)))

    def exchange(self, state: Counter) -> States:
        """W53. Cards are distinguished by deck only."""
        lost = [more(paid, {}) for paid in paying(state, 3)]
        lost += [more(state, {slot: -1}) for slot in SLOTS if state[slot]]
        if state["vp"] > -5:
            lost.append(but(state, vp=-1))
        for two in combinations_with_replacement(DECKS, 2):
            if all(state[deck] >= two.count(deck) for deck in two):
                lost.append(more(state, {deck: -two.count(deck) for deck in two}))
        for after in lost:
            after["_action_G_uses"] += 1
            yield but(after, lira=3)
            yield but(after, vp=1)
            yield from (more(after, {slot: 1}) for slot in SLOTS if slot[-1] == "1" and not after[slot])
            available = {deck: self.free_card[deck] + self.state[deck] - after[deck] for deck in DECKS}
            for two in combinations_with_replacement(DECKS, 2):  # named before either is drawn
                if all(available[deck] for deck in two):
                    yield more(after, {deck: min(two.count(deck), available[deck]) for deck in two})

    def take_tile(self, state: Counter) -> States:
        for i, tile in enumerate(TILES):
            if self.record.tile[i] != Tile.SHOWN:
                continue
            if i < 16:
                yield more(state, {f"tile:{tile}": 1, "_innovations_taken": 1})
                continue
            for letter in LETTERS:
                if letter not in self.ovals and state["lira"] + COVER.get(letter, 0) >= 0:
                    yield more(state, {f"oval:{letter}:{tile}": 1, "lira": COVER.get(letter, 0),
                                       "_innovations_taken": 1})  # fmt: skip

    # Actions

    def act(self, letter: str, state: Counter) -> States | Iterable[Counter]:
        """Return the states after an action (W50 to W58, W72 to W75)."""
        big = letter in self.placed
        match letter:
            case "A" | "I":
                return self.draw_cards("vine" if letter == "A" else "order", state, big)
            case "C":
                return self.tour(state, 5 if big else 2)
            case "D":
                cheaper = int(big) + int(self.card == ("europe", 2))
                return goods.repeated(state, lambda state: goods.build(state, cheaper), 1 + big, big)
            case "E":
                return goods.repeated(state, self.plant, 1 + big, big)
            case "F":
                return [*goods.sell(state), *(goods.buy_grape(state) if big else ())]
            case "G":
                return (but(end, lira=1) for end in goods.repeated(state, self.exchange, 2, False)) if big else (
                    self.exchange(state))  # fmt: skip
            case "H":
                return (end for paid in paying(state, 4) for end in self.take_tile(paid))
            case "K":
                ends = goods.repeated(state, self.harvest, 1 + big, False)
                if not big:
                    return ends
                ends = list(ends)
                aged = (other for end in ends for other in (list(goods.age_grape(end)) or [end]))
                return aged if ends else goods.age_grape(state)  # one of both is enough (W57)
            case "L":
                return (end for paid in paying(state, 4) for end in goods.repeated(paid, goods.train, 1 + big, False))
            case "M":
                return goods.repeated(state, self.make, 4 if big else 2, False)
            case "N":
                return goods.repeated(state, self.fill, 1 + big, big)
            case "O":
                return goods.repeated(state, goods.sell_wine, 1 + big, big)
            case "P":
                price = 6 if big else 8
                return goods.repeated(state, lambda state: goods.influence(state, price), 1 + big, False)
        raise AssertionError(letter)

    def boosted(self, letter: str, end: Counter, trained: bool) -> States:
        """Yield the states after the boost of this year's card (W82, O37)."""
        yes = [end]
        if self.card == ("oceania", 4) and letter == "O":
            yes = [but(end, vp=1)]
        elif self.card == ("oceania", 7) and letter == "K" and trained:
            yes = list(goods.age_grape(end)) or yes
        elif self.card == ("south_america", 5) and letter == "K" and trained and not self.record.boosted[self.seat]:
            yes += [other for paid in paying(end, 1) for other in self.harvest(paid)]
        elif self.card == ("europe", 7) and letter == "N" and trained:
            yes = [but(end, residual=int(end["residual"] < 5))]
        yield from yes

    def counted(self, end: Counter) -> Counter:
        """Apply goals and rules that are met at once (W85, W90, W91)."""
        deeds = self.record.deeds[: self.n].sum(0)
        met = GOALS.get(self.card)
        if met and not self.record.goal_met:
            metric, of_each, minimum = met
            if deeds[DEEDS.index(metric)] + end[f"_{metric}"] >= max(of_each * self.n, minimum):
                step(end)
        rule = {"oceania": "wines_sold_value_4_plus"}.get(self.continent, "action_G_uses" if self.n == 1 else "")
        if self.continent in ("asia", "oceania") and rule:
            need, before = max(self.n, 2), int(deeds[DEEDS.index(rule)])
            for _ in range(min((before + end[f"_{rule}"]) // need - before // need, 3 - int(self.record.rule_steps))):
                step(end)
        if self.card == ("africa", 5) and self.n == 1 and not self.record.goal_met:
            if deeds[DEEDS.index("action_G_uses")] + end["_action_G_uses"] >= 2:
                step(end)
        return end

    def ends(self, move: str) -> set[str]:
        """Return all results of a placement in the format of `changes.ends`."""
        before = strip(self.state)
        return {changes.change(before, end) for end in different(self.each_end(move))}

    def partners(self, move: str) -> list[int]:
        """Return the seats with which a placed grande can trade (W43, W48)."""
        _, place, _, kind = move.split(":")
        if kind != "grande" or place == "yoke":
            return []
        is_there = (self.record.at[: self.n] // 3 == PLACES.index(place)).any(1)
        return [k for k in range(self.n) if is_there[k] and k != self.seat]

    def each_end(self, move: str) -> States:
        """Yield the states after an action with or without a trade before or after it (W46).

        The trade comes before or after everything else; the rules do not order it and an oval's bonus or a boost on the
        same side of the action (W63, O17, O23, O37).
        """
        before, partners = self.start(move), self.partners(move)
        at_once = different(self.taken(move, before))
        for end in at_once:
            yield end
            yield from self.traded(end, partners)
        if not at_once:  # the partner refused the trade that the action required
            yield strip(standing(self, move, before))
        for early in different(self.traded(before, partners)):
            done = different(self.taken(move, early))
            yield from done
            # The rules do not cover an action that a trade made impossible; the worker has no effect.
            if not done:
                yield strip(standing(self, move, early))

    def start(self, move: str) -> Counter:
        """Return the state before a placement, with notes of the cards that the action can use."""
        _, place, _, _ = move.split(":")
        deck, state = deck_used(self, place), Counter(self.state)
        for k in (self.seat, *self.partners(move)) if deck else ():
            for (kind, card), number in zip(KINDS_OF_CARDS, self.record.hand[k].tolist(), strict=True):
                if kind == deck and number:
                    state[f"_{deck}:{card}" if k == self.seat else f"{k}._{deck}:{card}"] = number
        return state

    def traded(self, state: Counter, partners: list[int]) -> States:
        """Yield the states after a trade, with the rules that count trades (W90, Africa 5)."""
        done = int(self.record.deeds[: self.n].sum(0)[DEEDS.index("trades")])
        steps = 0
        if self.continent == "asia" and self.record.rule_steps < 3:
            steps += (done + 1) % max(self.n, 2) == 0
        if self.card == ("africa", 5) and not self.record.goal_met:
            steps += done + 1 >= max(self.n, 2)
        for other in trades(state, partners):
            for _ in range(steps):
                step(other)
            yield other

    def taken(self, move: str, before: Counter) -> States:
        """Yield the states after an action with its bonus, boost and tax."""
        _, place, space, kind = move.split(":")
        if place in ("gain_lira", "yoke", "event"):
            elsewhere = {"gain_lira": lambda: [but(before, lira=1)], "yoke": lambda: yoke(self, before),
                         "event": lambda: card_ends(self, before)}  # fmt: skip
            yield from map(strip, elsewhere[place]())
            return
        letter = LETTERS[PLACES.index(place)]
        trained = kind != "hatted"
        starts = [before]
        for_all = self.card == ("asia", 8)  # all seats gain, once a year
        if letter == LIRA.get(self.card, ("", 0))[0] and not (for_all and self.record.boosted[self.seat]):
            starts = [but(before, lira=LIRA[self.card][1])]
            if for_all:
                starts = [more(starts[0], {f"{k}.lira": 1 for k in range(self.n) if k != self.seat})]
        bonus = walk(letter, self.ovals) if space == "oval" and trained else None
        starts = [other for state in starts for other in self.with_bonus(state, bonus)]
        if TAX.get(self.card) == letter:
            starts = [paid for state in starts for paid in paying(state, 1)]
        early = [state for state in starts if state["vp"] > before["vp"]]  # the point comes before the action
        late = bonus == "vp" and not any(True for state in early for _ in self.act(letter, state))
        for start in starts:
            for end in self.act(letter, start):
                for boosted in self.boosted(letter, end, trained):
                    lasts = [boosted]
                    if late:  # otherwise it would make the action impossible (W63)
                        lasts.append(but(boosted, vp=1))
                    if bonus in ("age_grape", "age_wine") and not start["_aged"]:
                        lasts += goods.age_grape(boosted) if bonus == "age_grape" else goods.age_wine(boosted)
                    yield from (strip(self.counted(Counter(state))) for state in lasts)

    def placements(self) -> set[str]:
        """Return the legal placements, except visitors (W11, W36, W37, W39, W41, W42, W62, W81)."""
        record, seat = self.record, self.seat
        summer = record.season == 2
        home = [i for i in range(4) if record.at[seat][i] < 0]
        hats = [int(record.hat[seat][i]) for i in home]
        kinds = {
            "hatted": (1 if summer else 2) in hats,
            "regular": 0 in hats or bool(record.free[seat][2]),
            "grande": record.at[seat][GRANDE] < 0,
        }
        moves = []
        for letter in "ACDEFGH" if summer else "IKLMNOP":
            place = PLACES[LETTERS.index(letter)]
            num_workers = (record.at[: self.n] == 3 * LETTERS.index(letter)).sum()
            full = num_workers >= (1 if self.n < 4 else 2)
            space = "oval" if letter in self.ovals else "crowd" if full else "plain"
            moves += [f"place:{place}:{space}:{kind}" for kind in kinds if kind == "grande" or space != "crowd"]
        others = ["gain_lira", "yoke", *(["event"] if card_open(self) else [])]
        moves += [f"place:{place}:plain:{kind}" for place in others for kind in kinds]
        return {move for move in moves if kinds[move.split(":")[3]] and self.possible(move)}

    def possible(self, move: str) -> bool:
        """Return whether the action is possible, perhaps after a trade (W46) whose cards the seat cannot see (W27)."""
        before = self.start(move)
        unseen = Counter({word: number for word, number in before.items() if "._" not in word})
        starts = (start for some in ([before], self.traded(unseen, self.partners(move))) for start in some)
        return any(True for start in starts for _ in self.taken(move, start))

    def with_bonus(self, state: Counter, bonus: str | None) -> States:
        yield state
        if bonus in DECKS and self.free_card[bonus]:
            yield more(state, {str(bonus): 1})
        elif bonus in ("lira", "vp"):
            yield more(state, {str(bonus): 1})
        elif bonus in ("age_grape", "age_wine"):
            for aged in goods.age_grape(state) if bonus == "age_grape" else goods.age_wine(state):
                yield but(aged, _aged=1)
