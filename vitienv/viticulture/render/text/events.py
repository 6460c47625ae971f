"""Moves and their results in sentences: differences of two states that are visible to a viewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.text_utils import YOU
from vitienv.render.text import name_in_sentence
from vitienv.viticulture.cards import AUTOMA_CARDS, DECK_OF_KIND, FIRST_ORDER, FIRST_SUMMER, KIND
from vitienv.viticulture.enums import ACTS, AUTOMA, COLOURS, N_BOARD_ACTIONS, N_DECKS, STRUCTURES, WINES, Season, Worker
from vitienv.viticulture.render.text.board import act_name
from vitienv.viticulture.render.text.cards import CARDS, card_of, card_summary, cards_drawn
from vitienv.viticulture.render.text.choices import choice, field_name
from vitienv.viticulture.render.text.phrases import count, does, lira, listed, plain
from vitienv.viticulture.render.text.prompts import Prompt
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import FIELD_NAMES

# Decisions whose action names the drawn card.
NAMING_DECISIONS = ("choose_vine", "uproot_vine", "choose_pile", "choose_card")
# Decisions with hidden choices, and the sentence for other seats.
FACE_DOWN = {
    "import_card": ("give", "a card face down"),
    "give_card": ("give", "a card face down"),
    "plant_vine": ("choose", "a vine"),
}


class Change:
    """Differences of two states."""

    def __init__(self, before: Any, after: Any, names: Sequence[str], viewer: int | None) -> None:
        self.before, self.after = before.state, after.state
        self.game, self.names, self.viewer = after, names, viewer
        self.n = after.num_players
        self.seat, self.decision = before.current_seat, before.decision
        # A vine with a single possible field is public at once.
        self.is_planted = before.decision == "plant_vine" and after.decision != "plant_field"
        self.is_open = viewer is None or after.options.open_hands

    @property
    def ends_year(self) -> bool:
        """Whether grapes and wines have aged and residual payments were made."""
        old, new = self.before, self.after
        return old.season < Season.YEAR_END and (new.year > old.year or new.season == Season.YEAR_END) and old.year > 0

    def gain(self, field: str, seat: int) -> int:
        """Return the increase of a field of a seat."""
        return int(self.after[field][seat]) - int(self.before[field][seat])

    def residual(self, seat: int) -> int:
        """Return the residual payment of a seat, 0 unless the step ends the year."""
        return int(self.after.residual[seat]) if self.ends_year else 0

    def outcome(self, seat: int) -> list[str]:
        """Return the gains and losses of a seat as short phrases."""
        old, new = self.before, self.after
        changes = []
        money, vp = self.gain("lira", seat) - self.residual(seat), self.gain("vp", seat)
        if money:
            changes.append(f"{money:+d} lira (now {int(new.lira[seat]) - self.residual(seat)})")
        if vp:
            changes.append(f"{vp:+d} point{'' if abs(vp) == 1 else 's'} (now {int(new.vp[seat])})")
        if change := self.gain("residual", seat):
            changes.append(f"residual payments {change:+d} (now {int(new.residual[seat])} a year)")
        if self.decision not in ("build_structure", "papa_gift"):  # their sentences name the structure
            changes += [plain(STRUCTURES[int(i)]) for i in np.flatnonzero(new.structures[seat] > old.structures[seat])]
        if not self.ends_year and self.decision != "buy_grape":
            changes += self._tokens(seat)
            if (num_trained := self.gain("trained", seat)) > 0:
                changes.append(f"{count(num_trained, 'new worker')} from next year on")
            if new.staff[seat, Worker.TEMPORARY] > old.staff[seat, Worker.TEMPORARY]:
                changes.append("the temporary worker")
        if self.gain("bonus_tokens", seat) > 0:
            changes.append("a bonus action token")
        return changes + ([] if self.decision in NAMING_DECISIONS else self._drawn(seat))

    def _tokens(self, seat: int) -> list[str]:
        """Return new grapes and wines; sentences of moves name used ones."""
        tokens = []
        for field, words, kind in (("crush", COLOURS, "grape"), ("cellar", WINES, "wine")):
            for i, slot in np.argwhere(self.after[field][seat] > self.before[field][seat]):
                tokens.append(f"{words[int(i)]} {kind} {int(slot) + 1}")
        return tokens

    def _drawn(self, seat: int) -> list[str]:
        """Return cards drawn by a seat: by name if known to the viewer, otherwise by deck."""
        gained = np.maximum(self.after.hand[seat].astype(int) - self.before.hand[seat], 0)
        num_known = gained.copy()
        if not (self.is_open or seat == self.viewer):
            viewer_bits = 63 if self.viewer is None else 1 << self.viewer
            orders = (self.after.shown[seat] & viewer_bits) > (self.before.shown[seat] & viewer_bits)
            vines = np.maximum(self.after.shown[seat].astype(int) - self.before.shown[seat], 0)
            num_revealed = np.where(np.arange(len(gained)) >= FIRST_ORDER, orders, vines)
            num_known = np.minimum(gained, num_revealed)
        hidden = gained - num_known
        card_names = [
            card_summary(int(kind)) for kind in np.flatnonzero(num_known) for _ in range(int(num_known[kind]))
        ]
        backs = [int(hidden[deck == DECK_OF_KIND].sum()) for deck in range(N_DECKS)]
        verb = "draw" if self.names[seat] == YOU else "draws"
        return [f"{verb} {cards}" for cards in (listed(card_names), cards_drawn(backs)) if cards]

    def sentences(self, move: str) -> list[str]:
        """Return the results of a move for each seat. move: its sentence without results and full stop."""
        outcomes = {seat: self.outcome(seat) for seat in range(self.n)}
        lines = [f"{'; '.join([move, *outcomes.pop(self.seat)])}."]
        return lines + [f"{self.names[seat]}: {', '.join(changes)}." for seat, changes in outcomes.items() if changes]

    def turn_order(self) -> str:
        """Return the new season with its turn order."""
        order = [self.names[int(seat)] for seat in self.after.order[: self.n]]
        order[1:] = map(name_in_sentence, order[1:])
        return f"{Season(int(self.after.season)).name.capitalize()} begins, in this order: {', '.join(order)}."

    def new_visitors(self) -> list[str]:
        """Return the texts of visitors drawn by the viewer."""
        if self.viewer is None:
            return []
        new = self.after.hand[self.viewer] > self.before.hand[self.viewer]
        visitors = [card_of(int(kind)) for kind in np.flatnonzero(new) if kind >= FIRST_SUMMER]
        return [f"  {card.title}: {card.text}" for card in visitors]


def describe_move(before: Any, after: Any, action: str, names: Sequence[str], viewer: int | None = None) -> list[str]:
    """Return a move and its results, see `vitienv.render.text`."""
    change = Change(before, after, names, viewer)
    move = move_sentence(before, action, names, None if change.is_planted else viewer)
    return change.sentences(move) + change.new_visitors() + _seasons(change)


def move_sentence(before: Any, action: str, names: Sequence[str], viewer: int | None = None) -> str:
    """Return the sentence of a move without its results."""
    q = Prompt(before)
    name = names[q.seat]
    block, _, argument = action.partition(":")
    if q.decision in FACE_DOWN and viewer not in (None, q.seat) and block == "card":
        return does(name, *FACE_DOWN[q.decision])
    if block == "pass":
        return does(name, "pass")
    if block == "place":
        return _describe_placing(q, name, argument)
    phrase = choice(q, action).title
    if block == "seat":
        return does(name, "choose", names[(q.seat + int(argument)) % before.num_players])
    if block == "card":
        phrase = card_summary(KIND[action.removeprefix("card:")])
    elif block == "field":
        phrase = field_name(before.state, FIELD_NAMES.index(action))
        if q.is_planting and viewer not in (None, q.seat):  # the vine is hidden from other seats until now
            return does(name, "plant", f"{card_summary(q[Frame.P0])} on {phrase}")
    verb, form = VERBS.get(q.decision, ("choose", "{}"))
    if q.decision == "sell" and block == "field" and before.state.sold[q.seat, FIELD_NAMES.index(action)]:
        verb = "buy back"
    if block in ("yes", "no", "done"):
        return _describe_answer(q, name, block)
    if block != "card" and q.decision not in ("choose_mama", "choose_papa", "choose_pile"):
        phrase = phrase[0].lower() + phrase[1:]
    return does(name, verb, form.format(phrase))


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


def _describe_placing(q: Prompt, name: str, argument: str) -> str:
    act_id, _, placing = argument.partition(":")
    place = act_name(ACTS.index(act_id))
    if q.decision == "manage_action":
        return does(name, "use", f"{place} without a worker")
    grande = "the grande worker" if placing.endswith("grande") else "a worker"
    if q.decision == "retrieve_worker":
        return does(name, "take", f"{grande} back from {place}")
    suffix = {"bonus": " (bonus space)", "crowd": " (full)"}.get(placing.partition(":")[0], "")
    return does(name, "place", f"{grande} on {place}{suffix}")


ANSWERS = {
    "offer": (("accept",), ("decline",)),
    "take_bonus": (("take", "the bonus"), ("leave", "the bonus")),
    "spend_token": (("spend", "a bonus action token"), ("spend", "no token")),
}


def _describe_answer(q: Prompt, name: str, block: str) -> str:
    if block == "done":
        sentences = {"import_card": ("give", "nothing"), "choose_option": ("leave", "the other option")}
        return does(name, *sentences.get(q.decision, ("stop", "there")))
    return does(name, *(ANSWERS[q.decision][block == "no"] if q.decision in ANSWERS else ("say", block)))


# Automatic changes: seasons, the Automa, the end of the year.


def _seasons(change: Change) -> list[str]:
    old, new = change.before, change.after
    lines = []
    if change.ends_year:
        payments = [
            does(change.names[seat], "receive", f"{lira(change.residual(seat))} of residual payments.")
            for seat in range(change.n)
            if change.residual(seat)
        ]
        lines.append(" ".join(["The year ends: grapes and wines age, all workers come home.", *payments]))
    if change.game.is_over:
        return lines
    if new.season != old.season or new.year != old.year:
        lines += _begins(change)
    return lines + _automa(change)


def _begins(change: Change) -> list[str]:
    new, names = change.after, change.names
    if new.season in (Season.SUMMER, Season.WINTER, Season.FALL) and change.n > 1:
        return [change.turn_order()]
    if new.season == Season.SPRING and new.year != change.before.year:
        first = names[int(new.first_player)]
        begins = "" if change.n == 1 else f" {does(first, 'choose', 'the wake-up row first.')}"
        return [f"Year {int(new.year)} begins.{begins}"]
    return []


def _automa(change: Change) -> list[str]:
    old, new = change.before, change.after
    if not new.rules[Rule.MARKER] or new.season not in (Season.SUMMER, Season.WINTER):
        return []
    if new.season == old.season and new.year == old.year:
        return []
    revealed = [AUTOMA_CARDS[int(i)] for i in np.flatnonzero((old.automa_deck == 1) & (new.automa_deck == 0))]
    on_action = [(state.space_seat == AUTOMA).any(axis=1) for state in (old, new)]
    blocked = [act_name(act) for act in range(N_BOARD_ACTIONS) if on_action[1][act] > on_action[0][act]]
    if not revealed and not blocked:
        return []
    cards = listed(CARDS[row.id].title for row in revealed)
    effect = f"its workers block {listed(blocked)}" if blocked else "it blocks nothing"
    return [f"The Automa reveals {cards or 'a card'}: {effect}."]
