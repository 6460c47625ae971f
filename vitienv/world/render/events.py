"""A move of World and its results in sentences; see `vitienv.render.text`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vitienv.core.text_utils import YOU
from vitienv.viticulture.enums import Season
from vitienv.viticulture.positions.keys import shell_of
from vitienv.viticulture.render.text import events as others
from vitienv.viticulture.render.text.phrases import count, does, listed, plain
from vitienv.world.enums import N_LETTERS, NO_OVAL, OVALS, PLACES, Hat, Tile
from vitienv.world.render.component_names import Things, shown, things_of, tile_named
from vitienv.world.render.prompts import Here, choice
from vitienv.world.state import WorldRule

PARTNERS = "The partner"


class AsOthers:
    """A game of World as the other rulesets' words read it: its record is one of theirs."""

    def __init__(self, game: Any) -> None:
        self._game, self.state = game, shell_of(game.state)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


class Change(others.Change):
    """What one step changed, where a seat's year ends with its own pass."""

    def __init__(self, before: Any, after: Any, names: Sequence[str], viewer: int | None) -> None:
        super().__init__(before, after, names, viewer)
        self.things: Things = things_of(after.options)

    @property
    def ends_year(self) -> bool:
        """Nothing is paid and nothing ages when all have passed."""
        return False

    def went_home(self, seat: int) -> bool:
        """Whether a seat passed in winter: its tokens then aged, which needs no list."""
        if self.before.season != Season.WINTER or self.before.passed[seat]:
            return False
        return bool(self.after.passed[seat]) or self.after.season != Season.WINTER or self.after.year > self.before.year

    def outcome(self, seat: int) -> list[str]:
        """Hats that are gone too."""
        changes = super().outcome(seat)
        for hat, word in ((Hat.YELLOW, "yellow"), (Hat.BLUE, "blue")):
            if (self.after.hat[seat] == hat).sum() < (self.before.hat[seat] == hat).sum():
                changes.append(f"a {word} hat is gone")
        met = int(self.after.aims_met[seat].sum()) - int(self.before.aims_met[seat].sum())
        return changes + ([f"{count(met, 'aim')} met"] if met > 0 else [])

    def _tokens(self, seat: int) -> list[str]:
        return ["grapes and wines age"] if self.went_home(seat) else super()._tokens(seat)

    def of_team(self) -> list[str]:
        """What the step brought to all: steps of the token, tiles, what the year brings."""
        was, now, lines = self.before, self.after, []
        if now.influence > was.influence:
            end = int(now.rules[WorldRule.INFLUENCE_END])
            lines.append(f"Influence {now.influence - was.influence:+d} (now {now.influence} of {end}).")
        if now.goal_met and not was.goal_met:
            lines.append("The goal of this year's event is met.")
        for place in range(N_LETTERS):
            if now.oval_on[place] != was.oval_on[place] and was.oval_on[place] == NO_OVAL:
                oval = int(now.oval_on[place])
                lines.append(f"{self.things.name(place)} has the oval {plain(OVALS[oval])}: {self.things.oval(oval)}.")
            if now.tile[place] == Tile.PLACED != was.tile[place]:
                lines.append(f"{self.things.name(place)} now does: {self.things.does(place, True)}.")
        return lines

    def of_partner(self) -> list[str]:
        """Where the simulated partner's workers went, when a card of it was turned up."""
        if self.after.partner_gone == self.before.partner_gone:
            return []
        there = [self.things.name(int(place)) for place in np.flatnonzero(self.after.partner_on)]
        return [f"{PARTNERS} turns up a card and has {self.after.partner_lira} lira; its workers: {listed(there)}."]


def told(before: Any, after: Any, action: str, names: Sequence[str], viewer: int | None = None) -> list[str]:
    """A move and its results."""
    change = Change(before, after, names, viewer)
    seat = before.current_seat
    lines = ["; ".join([deed(before, after, action, names, viewer), *change.outcome(seat)]) + "."]
    for other in range(after.num_players):
        if other != seat and (came := change.outcome(other)):
            lines.append(f"{names[other]}: {', '.join(came)}.")
    return lines + change.of_team() + change.new_visitors() + _seasons(change) + change.of_partner()


def deed(before: Any, after: Any, action: str, names: Sequence[str], viewer: int | None = None) -> str:
    """A seat's move, without its results."""
    q = Here(before, names)
    who = names[q.seat]
    block, _, rest = action.partition(":")
    if block == "place":
        return _placed(q, who, rest)
    if (q.decision, block) in VERBS or ("", block) in VERBS:
        verb, form = VERBS.get((q.decision, block)) or VERBS["", block]
        called = choice(q, action).title
        return does(who, verb, form.format(called if block == "letter" else called[0].lower() + called[1:]))
    if q.decision in ANSWERS and block in ("yes", "no"):
        return does(who, *ANSWERS[q.decision][block == "no"])
    # A vine that went into its only field at once has been seen by all.
    is_planted = before.decision == "plant_vine" and after.decision != "plant_field"
    return others.deed(AsOthers(before), action, names, None if is_planted else viewer)


VERBS = {
    ("wake_up", "wake_up"): ("take", "{} of the ring"),
    ("papa_gift", "option"): ("take", "{}"),
    ("fall_benefit", "option"): ("choose", "for the fall: {}"),
    ("trade_partner", "seat"): ("turn", "to {}"),
    ("trade_give", "kind"): ("offer", "{}"),
    ("trade_take", "kind"): ("ask", "for {}"),
    ("trade_give", "amount"): ("offer", "{}"),
    ("trade_take", "amount"): ("ask", "for {}"),
    ("trade_give", "grape"): ("offer", "{}"),
    ("trade_take", "grape"): ("ask", "for {}"),
    ("trade_give", "wine"): ("offer", "{}"),
    ("trade_take", "wine"): ("ask", "for {}"),
    ("exchange_lose", "kind"): ("lose", "{}"),
    ("exchange_gain", "kind"): ("gain", "{}"),
    ("sell", "kind"): ("buy", "a grape"),
    ("sell_wine", "wine"): ("sell", "{}"),
    ("age_grape", "grape"): ("age", "{}"),
    ("gain_grape", "grape"): ("gain", "{}"),
    ("buy_grape", "grape"): ("take", "{}"),
    ("team_payment", "amount"): ("offer", "{} lira"),
    ("team_payment", "done"): ("offer", "{}"),
    ("buy_influence", "amount"): ("buy", "{}"),
    ("", "tile"): ("take", "{}"),
    ("", "letter"): ("put", "it on {}"),
    ("", "hat"): ("take off", "{}"),
}
ANSWERS = {
    "take_bonus": (("take", "the bonus of the oval"), ("leave", "the bonus of the oval for now")),
    "trade_start": (("begin", "a trade"), ("begin", "no trade")),
    "trade_answer": (("agree", "to the trade"), ("refuse", "the trade")),
    "event_offer": (("take", "what the event offers"), ("leave", "what the event offers")),
    "partner_acts": (("let", "the partner act"), ("let", "the partner rest")),
}


def _placed(q: Here, who: str, rest: str) -> str:
    word, _, how = rest.partition(":")
    place, worker = q.things.name(PLACES.index(word)), how.rpartition(":")[2]
    if q.decision == "manage_action":
        return does(who, "use", f"{place} without a worker")
    hat = "yellow" if q.game.phase == "summer" else "blue"
    called = {"grande": "the grande", "hatted": f"a {hat} worker"}.get(worker, "a bare worker")
    if q.decision == "retrieve_worker":
        return does(who, "take", f"{called} back from {place}")
    return does(who, "place", f"{called} on {place}" + (" (full)" if how.startswith("crowd") else ""))


def _seasons(change: Change) -> list[str]:
    """What follows by itself: the event and the tiles of a new year, the order of a season."""
    was, now, game = change.before, change.after, change.game
    if game.is_over or (now.season == was.season and now.year == was.year):
        return []
    if now.year != was.year:
        event = change.things.event(game.options.continent, int(now.event) + 1)
        tiles = listed(tile_named(word) for word in shown(game)) or "no tile"
        return [f"Year {int(now.year)} begins. Event: {event.title}. {event.text} On show: {tiles}."]
    if now.season in (Season.SUMMER, Season.WINTER) and change.n > 1:
        order = [change.names[int(seat)] for seat in now.order[: change.n]]
        order = [name if i == 0 or name != YOU else "you" for i, name in enumerate(order)]
        return [f"{Season(int(now.season)).name.capitalize()} begins, in this order: {', '.join(order)}."]
    return []
