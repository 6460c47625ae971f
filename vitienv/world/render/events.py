"""Sentences about moves and their results; see `vitienv.render.text`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vitienv.viticulture.enums import Season
from vitienv.viticulture.positions.keys import as_viticulture
from vitienv.viticulture.render.text import events as viticulture_events
from vitienv.viticulture.render.text.phrases import count, does, listed, plain
from vitienv.world.enums import N_LETTERS, NO_OVAL, OVALS, PLACES, Hat, Tile
from vitienv.world.render.component_names import Components, components_of, tile_name, tiles_on_show
from vitienv.world.render.prompts import Prompt, choice
from vitienv.world.state import WorldRule

PARTNERS = "The partner"


class VineyardGame:
    """A game of World with a state of Viticulture, for Viticulture's texts."""

    def __init__(self, game: Any) -> None:
        self._game, self.state = game, as_viticulture(game.state)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


class Change(viticulture_events.Change):
    """Changes of one step; in World a seat's year ends with its winter pass."""

    def __init__(self, before: Any, after: Any, names: Sequence[str], viewer: int | None) -> None:
        super().__init__(before, after, names, viewer)
        self.components: Components = components_of(after.options)

    @property
    def ends_year(self) -> bool:
        """False: nothing is paid or aged for all seats at once."""
        return False

    def went_home(self, seat: int) -> bool:
        """Return whether a seat passed in winter, so that its tokens aged."""
        if self.before.season != Season.WINTER or self.before.passed[seat]:
            return False
        return bool(self.after.passed[seat]) or self.after.season != Season.WINTER or self.after.year > self.before.year

    def outcome(self, seat: int) -> list[str]:
        """Describe the changes of a seat, with removed hats and met aims."""
        changes = super().outcome(seat)
        for hat, word in ((Hat.YELLOW, "yellow"), (Hat.BLUE, "blue")):
            if (self.after.hat[seat] == hat).sum() < (self.before.hat[seat] == hat).sum():
                changes.append(f"a {word} hat is gone")
        num_met = int(self.after.aims_met[seat].sum()) - int(self.before.aims_met[seat].sum())
        return changes + ([f"{count(num_met, 'aim')} met"] if num_met > 0 else [])

    def _tokens(self, seat: int) -> list[str]:
        return ["grapes and wines age"] if self.went_home(seat) else super()._tokens(seat)

    def of_team(self) -> list[str]:
        """Describe the changes of the team: influence, the goal, tiles."""
        before, after, lines = self.before, self.after, []
        if after.influence > before.influence:
            end = int(after.rules[WorldRule.INFLUENCE_END])
            lines.append(f"Influence {after.influence - before.influence:+d} (now {after.influence} of {end}).")
        if after.goal_met and not before.goal_met:
            lines.append("The goal of this year's event is met.")
        for place in range(N_LETTERS):
            if after.oval_on[place] != before.oval_on[place] and before.oval_on[place] == NO_OVAL:
                oval = int(after.oval_on[place])
                lines.append(
                    f"{self.components.name(place)} has the oval {plain(OVALS[oval])}: {self.components.oval(oval)}."
                )
            if after.tile[place] == Tile.PLACED != before.tile[place]:
                lines.append(f"{self.components.name(place)} now does: {self.components.does(place, True)}.")
        return lines

    def of_partner(self) -> list[str]:
        """Describe a revealed card of the simulated partner, and its workers."""
        if self.after.partner_gone == self.before.partner_gone:
            return []
        places = [self.components.name(int(place)) for place in np.flatnonzero(self.after.partner_on)]
        return [f"{PARTNERS} turns up a card and has {self.after.partner_lira} lira; its workers: {listed(places)}."]


def describe_move(before: Any, after: Any, action: str, names: Sequence[str], viewer: int | None = None) -> list[str]:
    """Describe a move and its results, a sentence each."""
    change = Change(before, after, names, viewer)
    lines = change.sentences(_move_sentence(before, action, names, None if change.is_planted else viewer))
    return lines + change.of_team() + change.new_visitors() + _seasons(change) + change.of_partner()


def _move_sentence(before: Any, action: str, names: Sequence[str], viewer: int | None = None) -> str:
    prompt = Prompt(before, names)
    player = names[prompt.seat]
    block, _, argument = action.partition(":")
    if block == "place":
        return _describe_placing(prompt, player, argument)
    if (prompt.decision, block) in VERBS or ("", block) in VERBS:
        verb, form = VERBS.get((prompt.decision, block)) or VERBS["", block]
        label = choice(prompt, action).title
        return does(player, verb, form.format(label if block == "letter" else label[0].lower() + label[1:]))
    if prompt.decision in ANSWERS and block in ("yes", "no"):
        return does(player, *ANSWERS[prompt.decision][block == "no"])
    return viticulture_events.move_sentence(VineyardGame(before), action, names, viewer)


TRADED = ("kind", "amount", "grape", "wine")
VERBS = {
    ("wake_up", "wake_up"): ("take", "{} of the ring"),
    ("papa_gift", "option"): ("take", "{}"),
    ("fall_benefit", "option"): ("choose", "for the fall: {}"),
    ("trade_partner", "seat"): ("turn", "to {}"),
    **{("trade_give", block): ("offer", "{}") for block in TRADED},
    **{("trade_take", block): ("ask", "for {}") for block in TRADED},
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


def _describe_placing(q: Prompt, player: str, argument: str) -> str:
    word, _, placement = argument.partition(":")
    place, worker = q.components.name(PLACES.index(word)), placement.rpartition(":")[2]
    if q.decision == "manage_action":
        return does(player, "use", f"{place} without a worker")
    hat = "yellow" if q.game.phase == "summer" else "blue"
    label = {"grande": "the grande", "hatted": f"a {hat} worker"}.get(worker, "a bare worker")
    if q.decision == "retrieve_worker":
        return does(player, "take", f"{label} back from {place}")
    return does(player, "place", f"{label} on {place}" + (" (full)" if placement.startswith("crowd") else ""))


def _seasons(change: Change) -> list[str]:
    """Describe a new year with its event and tiles, or a new season with its turn order."""
    before, after, game = change.before, change.after, change.game
    if game.is_over or (after.season == before.season and after.year == before.year):
        return []
    if after.year != before.year:
        event = change.components.event(game.options.continent, int(after.event) + 1)
        tiles = listed(tile_name(word) for word in tiles_on_show(game)) or "no tile"
        return [f"Year {int(after.year)} begins. Event: {event.title}. {event.text} On show: {tiles}."]
    if after.season in (Season.SUMMER, Season.WINTER) and change.n > 1:
        return [change.turn_order()]
    return []
