"""The pending question in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vitienv.core.frames import NO_CARD, Frame
from vitienv.render import text as common_text
from vitienv.viticulture.cards import FIRST_ORDER, MAMAS, ORDERS, PAPAS, VINES
from vitienv.viticulture.cards.parts import (
    ALL_STRUCTURES,
    NO_PRICE,
    VISITORS,
    WAIVE_LIMIT,
    WAIVE_STRUCTURES,
    Offer,
    Reward,
)
from vitienv.viticulture.enums import DECK_NOUNS, DECKS, HAND_LIMIT, WINES, Worker
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.ops import offers
from vitienv.viticulture.ops.cards import GIVE_CARD
from vitienv.viticulture.ops.offers import OFFERS
from vitienv.viticulture.ops.vineyard import structure_names
from vitienv.viticulture.ops.visitors import SECOND_FOR_A_POINT, SECOND_OF_TWO
from vitienv.viticulture.render.text.board import act_name, bonus_text
from vitienv.viticulture.render.text.cards import CARDS, card_of, wines_of, yields
from vitienv.viticulture.render.text.phrases import a, count, lira, listed, points, sentence, title
from vitienv.viticulture.state import Rule


class Prompt(common_text.Prompt):
    """Pending decision: the top frame of a game."""

    @property
    def below(self) -> list[int]:
        """Frame below the top one."""
        return [int(x) for x in self.state.frames[int(self.state.depth) - 2]]

    @property
    def is_planting(self) -> bool:
        """Whether a vine is chosen and its field is pending."""
        return self[Frame.OP] == FrameOp.PLANT and self[Frame.STAGE] == 1

    @property
    def lira(self) -> int:
        """Lira of the seat."""
        return int(self.state.lira[self.seat])

    def workers(self) -> str:
        """Return the free workers: "2 workers and your grande worker"."""
        free = [int(n) for n in self.state.free[self.seat]]
        phrases = [count(free[Worker.REGULAR], "worker")] * bool(free[Worker.REGULAR])
        phrases += ["the temporary worker"] * bool(free[Worker.TEMPORARY])
        return listed(phrases + ["your grande worker"] * bool(free[Worker.GRANDE]))


def decks(allowed: int, last: str = "or") -> str:
    """Return the decks of a bit mask."""
    return listed((DECK_NOUNS[deck] for i, deck in enumerate(DECKS) if (allowed >> i) & 1), last)


def _nth(q: Prompt) -> str:
    """Return the number of this pick among several."""
    total = q[Frame.LEFT] + q[Frame.DONE]
    return f" ({q[Frame.DONE] + 1} of {total})" if total > 1 else ""


def _limit(q: Prompt) -> str:
    """Return the limit of further picks: "", or ", at most 2"."""
    return f", at most {q[Frame.LEFT]}" if q[Frame.LEFT] > 1 else ""


def _place(q: Prompt) -> str:
    text = f"Place a worker or pass. You have {q.workers()} left"
    if q.state.free[q.seat, Worker.TEMPORARY] and q.state.free[q.seat, Worker.REGULAR]:
        text += " (the temporary one goes last)"
    return text


def _wake(q: Prompt) -> str:
    if q.rules[Rule.GLASS_TOKENS]:
        return (
            "Choose your wake-up row. Each has one glass token for the whole game: you take the row's bonus, and the "
            "token becomes a bonus action token"
        )
    return "Choose a wake-up time. Earlier rows go first; later rows have better bonuses."


def _gift(q: Prompt) -> str:
    papa = PAPAS[int(q.state.papas[q.seat, 0])]
    mamas = int(q.state.mamas[q.seat, 0])
    text = f"{title(papa.id)} (papa) gives you {lira(papa.lira)} and your choice of a gift."
    return text if mamas < 0 else f"{title(MAMAS[mamas].id)} (mama) gave you {CARDS[MAMAS[mamas].id].short}. {text}"


def _mama(q: Prompt) -> str:
    mama = MAMAS[int(q.state.mamas[q.seat, 0])]
    return f"Exchange your mama {title(mama.id)} ({CARDS[mama.id].short}) for another one? Orders cannot be filled here"


def _option(q: Prompt) -> str:
    if q[Frame.OP] == FrameOp.ORDER:
        return "Which of the two comes first"
    if q[Frame.A] == SECOND_FOR_A_POINT:
        return f"Also take the other option and lose {points(1)}?"
    return "Choose the second option" if q[Frame.A] == SECOND_OF_TWO else "Choose an option"


def _build(q: Prompt) -> str:
    noun = "a structure" if q[Frame.C] == ALL_STRUCTURES else structure_names(q[Frame.C])
    price = ""
    if q[Frame.B] != NO_PRICE:
        price = " without paying" if q[Frame.B] == 0 else f" for {lira(q[Frame.B])}"
    elif q[Frame.A]:
        price = f" for {lira(q[Frame.A])} less"
    return f"Build {noun}{price}. You have {lira(q.lira)}"


def _plant(q: Prompt) -> str:
    exceptions = " without the structures it needs" if q[Frame.A] & WAIVE_STRUCTURES else ""
    exceptions += ", even beyond the field's limit" if q[Frame.A] & WAIVE_LIMIT else ""
    return f"Plant {_up_to(q, 'vine', 'which vine')}{exceptions}"


def _up_to(q: Prompt, noun: str, single: str) -> str:
    """Return the object of a repeated choice: "up to 2 vines. Which one first", or `single` for the last one."""
    num_picks = q[Frame.LEFT]
    order = "next" if q[Frame.DONE] else "first"
    return f"up to {count(num_picks, noun)}. Which one {order}" if num_picks > 1 else single


def _cards(q: Prompt) -> str:
    n, allowed = q[Frame.LEFT], q[Frame.A]
    hand_size = sum(int(q.state.n_hand[q.seat, i]) for i in range(len(DECKS)))
    if q.decision == "discard_to_limit":
        return f"You hold {count(hand_size, 'card')} and may keep {HAND_LIMIT}: discard {a(n, 'card')}"
    kind = {(1 << len(DECKS)) - 1: "card", VISITORS: "visitor card"}.get(allowed) or decks(allowed)
    if q[Frame.STAGE] == GIVE_CARD:
        return f"Choose {a(n, kind)} to give to {q.name_of(q[Frame.C])}"
    return f"Discard {a(n, kind)} from your hand"


def _grape(q: Prompt) -> str:
    return f"{WINES[q[Frame.P0]].capitalize()} wine: from which grape" + ("s? The next one" if q[Frame.P1] else "")


def _wine(q: Prompt) -> str:
    row = ORDERS[q[Frame.P0] - FIRST_ORDER]
    kind, min_value = row.wines[q[Frame.DONE]]
    return f"The order needs {wines_of(row)}. Use which wine for {WINES[kind]} {min_value}"


def _token(q: Prompt) -> str:
    tokens = int(q.state.bonus_tokens[q.seat])
    return f"Spend a bonus token (you have {tokens}) on {act_name(q[Frame.A])}: {bonus_text(q[Frame.A], q.rules)}"


def _deck(q: Prompt) -> str:
    if q[Frame.DONE] + q[Frame.LEFT] > 1:
        total, card = q[Frame.DONE] + q[Frame.LEFT], ("First", "Second", "Third", "Fourth")[min(q[Frame.DONE], 3)]
        return f"Draw {total} visitors. Choose all decks before drawing. {card} card: which deck"
    return f"Draw a card. {sentence(decks(q[Frame.A]))[:-1]}"


def _opponent(q: Prompt) -> str:
    is_payment = q[Frame.A] == Reward.PAY_TWO_LIRA
    text = f"Pay {lira(offers.WEDDING_LIRA)} to whom" if is_payment else "Ask whom for a summer visitor"
    return f"{text}? Choose clockwise{_limit(q)}"


def _plant_field(q: Prompt) -> str:
    row = VINES[q[Frame.P0]]
    return f"Plant {title(row.id)} ({yields(row)}) in which field"


def _import(q: Prompt) -> str:
    return (
        f"{q.name_of(q.below[Frame.SEAT])} asks all players for visitor cards, {q[Frame.LEFT]} more in total. Give one?"
        " If there are not enough, all are returned"
    )


SWAPPED = ("the field of the first one", "which vine there", "the field of the other one", "which vine there")
TEXTS: dict[str, Callable[[Prompt], str]] = {
    "wake_up": _wake,
    "choose_mama": lambda q: "You were dealt two mamas. Keep which one",
    "choose_papa": lambda q: "You were dealt two papas. Keep which one",
    "redraw_mama": _mama,
    "choose_vine": lambda q: f"Choose a vine to plant before the game begins{_nth(q)}",
    "papa_gift": _gift,
    "choose_deck": _deck,
    "place_worker": _place,
    "take_bonus": lambda q: f"Take the bonus of {act_name(q[Frame.A])} ({bonus_text(q[Frame.A], q.rules)})",
    "spend_token": _token,
    "play_visitor": lambda q: f"Play {'another' if q[Frame.DONE] else 'a'} {DECK_NOUNS[DECKS[q[Frame.A]]]}",
    "choose_option": _option,
    "build_structure": _build,
    "plant_vine": _plant,
    "plant_field": _plant_field,
    "harvest_field": lambda q: f"Harvest {_up_to(q, 'field', 'which field')}",
    "uproot_field": lambda q: f"Uproot a vine in which field{_nth(q)}",
    "uproot_vine": lambda q: "Uproot which vine",
    "discard_card": _cards,
    "discard_to_limit": _cards,
    "give_card": _cards,
    "sell": lambda q: "Sell any number of grapes, or sell or buy back one field",
    "make_wine": lambda q: f"Make {_up_to(q, 'wine', 'which wine')}",
    "choose_grape": _grape,
    "fill_order": lambda q: "Fill which order",
    "choose_wine": _wine,
    "yoke": lambda q: "Your yoke",
    "discard_grape": lambda q: "Discard which grape",
    "discard_wine": lambda q: "Discard which wine" + (f" of value {q[Frame.A]} or more" if q[Frame.A] > 1 else ""),
    "age_wine": lambda q: "Age which wine by 1",
    "buy_grape": lambda q: "Which grape",
    "swap_vines": lambda q: f"Exchange two vines: {SWAPPED[q[Frame.STAGE]]}",
    "offer": lambda q: f"{q.name_of(q[Frame.B])} played this card: {OFFERS[Offer(q[Frame.A])]}. Will you",
    "queen": lambda q: f"{q.name_of(q[Frame.B])} played this card. Choose one",
    "import_card": _import,
    "choose_opponent": _opponent,
    "plan_action": lambda q: "Place a worker on a winter action now; the action is taken when winter begins",
    "retrieve_worker": lambda q: f"Take back which worker{_nth(q)}",
    "manage_action": lambda q: "Use which summer action? No worker needed, no bonus",
    "move_rooster": lambda q: "Move your rooster to which row? You take its bonus and pass for this season",
    "choose_card": lambda q: f"Keep {q[Frame.LEFT]} of the revealed cards",
    "choose_pile": lambda q: f"Take the top card of which discard pile{_nth(q)}",
}
STATEMENTS = ("place_worker", "build_structure", "discard_card", "discard_to_limit", "give_card", "choose_card",
              "wake_up", "plan_action", "choose_option", "swap_vines", "choose_vine", "queen",
              "yoke")  # fmt: skip

TURNS = ("choose_mama", "choose_papa", "papa_gift", "wake_up", "place_worker", "discard_to_limit")


def question(game: Any, names: Sequence[str] = ()) -> str:
    """Return the question to the seat that decides, by default the name of the decision."""
    return question_of(Prompt(game, names))


def question_of(q: Prompt) -> str:
    """Return the question of a pending decision with the title of its card."""
    has_title = q[Frame.CARD] != NO_CARD and q.decision != "place_worker"
    return common_text.question_of(q, TEXTS, STATEMENTS, card_of(q[Frame.CARD]).title if has_title else "")
