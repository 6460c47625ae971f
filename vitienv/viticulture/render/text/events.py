"""A move and its results in sentences: the differences of two states that a viewer may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.text_utils import YOU
from vitienv.viticulture.cards import AUTOMA_CARDS, CARD_IDS, DECK_OF_KIND, FIRST_ORDER, FIRST_SUMMER
from vitienv.viticulture.enums import ACTS, AUTOMA, COLOURS, N_BOARD_ACTIONS, N_DECKS, STRUCTURES, WINES, Season, Worker
from vitienv.viticulture.render.text.board import act_name
from vitienv.viticulture.render.text.cards import CARDS, card_of, card_title, cards_drawn, number_of
from vitienv.viticulture.render.text.choices import choice, field_name
from vitienv.viticulture.render.text.phrases import count, does, lira, listed, plain
from vitienv.viticulture.render.text.prompts import Asked
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import FIELD_NAMES

# Decisions whose move names the card that comes to hand.
NAMED = ("choose_vine", "uproot_vine", "choose_pile", "choose_card")
# Decisions whose picks the others at the table do not see, and what they see instead.
FACE_DOWN = {
    "import_card": ("give", "a card face down"),
    "give_card": ("give", "a card face down"),
    "plant_vine": ("choose", "a vine"),
}


class Change:
    """What one step changed."""

    def __init__(self, before: Any, after: Any, names: Sequence[str], viewer: int | None) -> None:
        self.before, self.after = before.state, after.state
        self.game, self.names, self.viewer = after, names, viewer
        self.n = after.num_players
        self.decision = before.decision
        self.is_open = viewer is None or after.options.open_hands

    @property
    def ends_year(self) -> bool:
        """Whether grapes and wines have aged and residual payments were made."""
        was, now = self.before, self.after
        return was.season < Season.YEAR_END and (now.year > was.year or now.season == Season.YEAR_END) and was.year > 0

    def gain(self, field: str, seat: int) -> int:
        """The rise of a seat's number."""
        return int(self.after[field][seat]) - int(self.before[field][seat])

    def residual(self, seat: int) -> int:
        """What a seat was paid at the end of the year, if the step led there."""
        return int(self.after.residual[seat]) if self.ends_year else 0

    def outcome(self, seat: int) -> list[str]:
        """What a seat gained and lost, as short pieces."""
        was, now = self.before, self.after
        changes = []
        money, vp = self.gain("lira", seat) - self.residual(seat), self.gain("vp", seat)
        if money:
            changes.append(f"{money:+d} lira (now {int(now.lira[seat]) - self.residual(seat)})")
        if vp:
            changes.append(f"{vp:+d} point{'' if abs(vp) == 1 else 's'} (now {int(now.vp[seat])})")
        if change := self.gain("residual", seat):
            changes.append(f"residual payments {change:+d} (now {int(now.residual[seat])} a year)")
        if self.decision not in ("build_structure", "papa_gift"):  # those name it themselves
            changes += [plain(STRUCTURES[int(i)]) for i in np.flatnonzero(now.structures[seat] > was.structures[seat])]
        if not self.ends_year and self.decision != "buy_grape":
            changes += self._tokens(seat)
            if (more := self.gain("trained", seat)) > 0:
                changes.append(f"{count(more, 'new worker')} from next year on")
            if now.staff[seat, Worker.TEMPORARY] > was.staff[seat, Worker.TEMPORARY]:
                changes.append("the temporary worker")
        if self.gain("bonus_tokens", seat) > 0:
            changes.append("a bonus action token")
        return changes + ([] if self.decision in NAMED else self._drawn(seat))

    def _tokens(self, seat: int) -> list[str]:
        """Grapes and wines that came; the words of the move name those that went."""
        tokens = []
        for field, words, kind in (("crush", COLOURS, "grape"), ("cellar", WINES, "wine")):
            for i, slot in np.argwhere(self.after[field][seat] > self.before[field][seat]):
                tokens.append(f"{words[int(i)]} {kind} {int(slot) + 1}")
        return tokens

    def _drawn(self, seat: int) -> list[str]:
        """Cards that came into a hand: by name where the reader may know them, else by their backs."""
        came = np.maximum(self.after.hand[seat].astype(int) - self.before.hand[seat], 0)
        known = came.copy()
        if not (self.is_open or seat == self.viewer):
            seen = 63 if self.viewer is None else 1 << self.viewer
            orders = (self.after.shown[seat] & seen) > (self.before.shown[seat] & seen)
            vines = np.maximum(self.after.shown[seat].astype(int) - self.before.shown[seat], 0)
            shown = np.where(np.arange(len(came)) >= FIRST_ORDER, orders, vines)
            known = np.minimum(came, shown)
        hidden = came - known
        named = [told_card(int(kind)) for kind in np.flatnonzero(known) for _ in range(int(known[kind]))]
        backs = [int(hidden[deck == DECK_OF_KIND].sum()) for deck in range(N_DECKS)]
        parts = [f"draws {listed(named)}" if self.names[seat] != YOU else f"draw {listed(named)}"] if named else []
        if any(backs):
            text = cards_drawn(backs)
            parts.append(f"draw {text}" if self.names[seat] == YOU else f"draws {text}")
        return parts

    def new_visitors(self) -> list[str]:
        """What the visitors say that the reader has just drawn."""
        if self.viewer is None:
            return []
        new = self.after.hand[self.viewer] > self.before.hand[self.viewer]
        drawn = [card_of(int(kind)) for kind in np.flatnonzero(new) if kind >= FIRST_SUMMER]
        return [f"  {card.title}: {card.text}" for card in drawn]


def told_card(kind: int) -> str:
    """A card with what is worth knowing at a glance."""
    if kind >= FIRST_SUMMER:
        return card_title(kind)
    card = CARDS[CARD_IDS[kind]]
    return f"{card.title} ({card.short})" if kind < FIRST_ORDER else f"an order ({card.short})"


def told(before: Any, after: Any, action: str, names: Sequence[str], viewer: int | None = None) -> list[str]:
    """A move and its results; see `vitienv.render.text`."""
    change = Change(before, after, names, viewer)
    seat = before.current_seat
    # A vine that went into its only field at once has been seen by all.
    is_planted = before.decision == "plant_vine" and after.decision != "plant_field"
    lines = ["; ".join([deed(before, action, names, None if is_planted else viewer), *change.outcome(seat)]) + "."]
    for other in range(after.num_players):
        if other != seat and (came := change.outcome(other)):
            lines.append(f"{names[other]}: {', '.join(came)}.")
    return lines + change.new_visitors() + _seasons(change)


def deed(before: Any, action: str, names: Sequence[str], viewer: int | None = None) -> str:
    """A seat's move, without its results."""
    q = Asked(before)
    who = names[q.seat]
    block, _, rest = action.partition(":")
    if q.decision in FACE_DOWN and viewer not in (None, q.seat) and block == "card":
        return does(who, *FACE_DOWN[q.decision])
    if block == "pass":
        return does(who, "pass")
    if block == "place":
        return _placed(q, who, rest)
    called = choice(q, action).title
    if block == "seat":
        return does(who, "choose", names[(q.seat + int(rest)) % before.num_players])
    if block == "card":
        called = told_card(number_of(action))
    elif block == "field":
        called = field_name(before.state, FIELD_NAMES.index(action))
        if q.is_planting and viewer not in (None, q.seat):  # the others see only now which vine it is
            return does(who, "plant", f"{told_card(q[Frame.P0])} on {called}")
    verb, form = VERBS.get(q.decision, ("choose", "{}"))
    if q.decision == "sell" and block == "field" and before.state.sold[q.seat, FIELD_NAMES.index(action)]:
        verb = "buy back"
    if block in ("yes", "no", "done"):
        return _answered(q, who, block)
    if block != "card" and q.decision not in ("choose_mama", "choose_papa", "choose_pile"):
        called = called[0].lower() + called[1:]
    return does(who, verb, form.format(called))


VERBS = {
    "wake_up": ("take", "wake-up {}"),
    "move_rooster": ("move", "the rooster to {}"),
    "choose_mama": ("keep", "{}"),
    "choose_papa": ("keep", "{}"),
    "papa_gift": ("take", "{}"),
    "choose_deck": ("choose", "the deck of {}s"),
    "choose_vine": ("choose", "{}"),
    "play_visitor": ("play", "{}"),
    "choose_option": ("choose", '"{}"'),
    "build_structure": ("build", "the {}"),
    "plant_vine": ("plant", "{}"),
    "plant_field": ("plant", "it on {}"),
    "harvest_field": ("harvest", "{}"),
    "uproot_field": ("uproot", "on {}"),
    "uproot_vine": ("uproot", "{}"),
    "discard_card": ("discard", "{}"),
    "discard_to_limit": ("discard", "{}"),
    "give_card": ("give", "{}"),
    "sell": ("sell", "{}"),
    "make_wine": ("make", "{}"),
    "choose_grape": ("use", "{}"),
    "fill_order": ("fill", "{}"),
    "choose_wine": ("give", "{}"),
    "yoke": ("use", "the yoke to {}"),
    "discard_grape": ("discard", "{}"),
    "discard_wine": ("discard", "{}"),
    "age_wine": ("age", "{}"),
    "buy_grape": ("take", "{}"),
    "queen": ("choose", '"{}"'),
    "import_card": ("give", "{}"),
    "choose_card": ("keep", "{}"),
    "choose_pile": ("take", "{} from its discard pile"),
}


def _placed(q: Asked, who: str, rest: str) -> str:
    act_id, _, how = rest.partition(":")
    place = act_name(ACTS.index(act_id))
    if q.decision == "manage_action":
        return does(who, "use", f"{place} without a worker")
    grande = "the grande worker" if how.endswith("grande") else "a worker"
    if q.decision == "retrieve_worker":
        return does(who, "take", f"{grande} back from {place}")
    where = {"bonus": " (bonus space)", "crowd": " (full)"}.get(how.partition(":")[0], "")
    return does(who, "place", f"{grande} on {place}{where}")


def _answered(q: Asked, who: str, block: str) -> str:
    if block == "done":
        left = {"import_card": ("give", "nothing"), "choose_option": ("leave", "the other option")}
        return does(who, *left.get(q.decision, ("stop", "there")))
    if q.decision == "offer":
        return does(who, "accept" if block == "yes" else "decline")
    if q.decision == "take_bonus":
        return does(who, "take" if block == "yes" else "leave", "the bonus")
    if q.decision == "spend_token":
        return does(who, "spend", "a bonus action token" if block == "yes" else "no token")
    return does(who, "say", block)


# What follows by itself: seasons, the Automa, the end of the year.


def _seasons(change: Change) -> list[str]:
    was, now = change.before, change.after
    lines = []
    if change.ends_year:
        paid = [
            does(change.names[seat], "receive", f"{lira(change.residual(seat))} of residual payments.")
            for seat in range(change.n)
            if change.residual(seat)
        ]
        lines.append(" ".join(["The year ends: grapes and wines age, all workers come home.", *paid]))
    if change.game.is_over:
        return lines
    if now.season != was.season or now.year != was.year:
        lines += _begins(change)
    return lines + _automa(change)


def _begins(change: Change) -> list[str]:
    now, names = change.after, change.names
    if now.season in (Season.SUMMER, Season.WINTER, Season.FALL) and change.n > 1:
        order = [names[int(seat)] for seat in now.order[: change.n]]
        order = [name if i == 0 or name != YOU else "you" for i, name in enumerate(order)]
        word = {Season.SUMMER: "Summer", Season.WINTER: "Winter", Season.FALL: "Fall"}[Season(int(now.season))]
        return [f"{word} begins, in this order: {', '.join(order)}."]
    if now.season == Season.SPRING and now.year != change.before.year:
        first = names[int(now.first_player)]
        begins = "" if change.n == 1 else f" {does(first, 'choose', 'the wake-up row first.')}"
        return [f"Year {int(now.year)} begins.{begins}"]
    return []


def _automa(change: Change) -> list[str]:
    was, now = change.before, change.after
    if not now.rules[Rule.MARKER] or now.season not in (Season.SUMMER, Season.WINTER):
        return []
    if now.season == was.season and now.year == was.year:
        return []
    turned = [AUTOMA_CARDS[int(i)] for i in np.flatnonzero((was.automa_deck == 1) & (now.automa_deck == 0))]
    blocked = [act_name(act) for act in range(N_BOARD_ACTIONS) if _new_worker(change, act)]
    if not turned and not blocked:
        return []
    cards = listed(CARDS[row.id].title for row in turned)
    what = f"its workers block {listed(blocked)}" if blocked else "it blocks nothing"
    return [f"The Automa turns up {cards or 'a card'}: {what}."]


def _new_worker(change: Change, act: int) -> bool:
    stands = (change.after.space_seat[act] == AUTOMA).any()
    return bool(stands and not (change.before.space_seat[act] == AUTOMA).any())
