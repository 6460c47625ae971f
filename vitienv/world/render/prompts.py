"""Prompts and choices of World; decisions of Viticulture have its texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vitienv.core.frames import Frame
from vitienv.render.text import Choice, question_of, seat_name
from vitienv.viticulture.cards import MAMAS, PAPAS
from vitienv.viticulture.enums import N_STRUCTURES, N_VALUES, STRUCTURES
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.positions.keys import as_viticulture
from vitienv.viticulture.render.text import prompts as viticulture_prompts
from vitienv.viticulture.render.text.board import structure_text
from vitienv.viticulture.render.text.cards import CARDS
from vitienv.viticulture.render.text.choices import Words
from vitienv.viticulture.render.text.choices import choice as viticulture_choice
from vitienv.viticulture.render.text.phrases import a, count, does, lira, listed, plain, points
from vitienv.world.enums import AT_HAND, N_LETTERS, N_REGULARS, OVALS, PLACES, Hat, Tile
from vitienv.world.render.component_names import GIFT_TEXTS, Components, components_of
from vitienv.world.rows import BLUE, EXCHANGED, RED
from vitienv.world.state import N_MAMAS, N_PAPAS, WorldRule
from vitienv.world.tables import GIFTS
from vitienv.world.vocabulary import KIND_WORDS
from vitienv.world.vocabulary import Choice as Kind

PARTNER = "the partner"
HATS = {int(Hat.BARE): "bare worker", int(Hat.YELLOW): "yellow hat", int(Hat.BLUE): "blue hat"}
PLACEMENTS = {
    "plain:hatted": "{} worker", "plain:regular": "bare worker", "plain:grande": "grande",
    "oval:hatted": "{} worker, no bonus", "oval:regular": "bare worker", "oval:grande": "grande",
    "crowd:grande": "grande (full)",
}  # fmt: skip
KINDS = {"cards": "Cards", "lira": "Lira", "vine": "Vine cards", "order": "Orders", "grape": "A grape",
         "wine": "A wine", "vp": "A point", "nothing": "Nothing"}  # fmt: skip


class Prompt(viticulture_prompts.Prompt):
    """The pending decision of a game of World. `state` is for Viticulture's texts, `world_state` is World's state."""

    def __init__(self, game: Any, names: Sequence[str] = ()) -> None:
        super().__init__(game, names)
        self.world_state, self.state = game.state, as_viticulture(game.state)
        self.components: Components = components_of(game.options)

    def name_of(self, seat: int) -> str:
        """Return the name of a seat inside a sentence; the simulated partner follows a single seat."""
        return PARTNER if seat >= self.game.num_players else super().name_of(seat)

    def workers(self) -> str:
        """Describe the workers at hand."""
        return listed(at_hand(self.world_state, self.seat)) or "no worker"

    def seat_after(self, k: int) -> int:
        """Return the seat k places clockwise; the simulated partner follows a single seat."""
        n = max(self.game.num_players, 1 + int(self.world_state.rules[WorldRule.PARTNER]))
        return (self.seat + k) % n


def at_hand(r: Any, seat: int) -> list[str]:
    """Return a seat's workers at hand: "2 yellow", "grande"."""
    free = [int(r.hat[seat, w]) for w in range(N_REGULARS) if r.at[seat, w] == AT_HAND]
    names = {Hat.YELLOW: "yellow", Hat.BLUE: "blue", Hat.BARE: "bare"}
    workers = [f"{free.count(int(hat))} {names[hat]}" for hat in names if int(hat) in free]
    return workers + ["grande"] * int(r.free[seat, 1]) + ["temporary"] * int(r.free[seat, 2])


# Prompts.


def _gift(q: Prompt) -> str:
    red, blue = int(q.world_state.mamas[q.seat, 0]), int(q.world_state.papas[q.seat, 0])
    gain = CARDS[MAMAS[red].id].short if red < N_MAMAS else _red(red - N_MAMAS)
    money = PAPAS[blue].lira if blue < N_PAPAS else int(BLUE[blue - N_PAPAS, 0])
    return f"Your red card gave you {gain}. Your blue card gives you {lira(money)} and a gift. Which one"


def _red(card: int) -> str:
    words = ("vine card", "order", "summer visitor", "winter visitor")
    cards = [a(int(n), word) for n, word in zip(RED[card][:4], words, strict=True) if n]
    return listed(cards + [lira(int(RED[card][4]))] * bool(RED[card][4]))


def _side(q: Prompt, column: int) -> str:
    kind, n = q[column], q[column + 1]
    if kind in (Kind.GRAPE, Kind.WINE):
        return _token(kind, n) if n >= 0 else KINDS[KIND_WORDS[kind]].lower()
    if kind == Kind.LIRA:
        return lira(n)
    words = {Kind.VINE: "vine card", Kind.ORDER: "order"}
    return a(n, words[kind]) if kind in words and n else "nothing" if kind == Kind.NOTHING else "something"


def _token(kind: int, token: int) -> str:
    words = ("red", "white") if kind == Kind.GRAPE else ("red", "white", "blush", "sparkling")
    return f"a {words[token // N_VALUES]} {'grape' if kind == Kind.GRAPE else 'wine'} {token % N_VALUES + 1}"


def _part(q: Prompt, verb: str) -> str:
    if q[Frame.C] == 0:
        return f"what do you {verb}"
    amount = "how many more" if q[Frame.P1 if verb == "give" else Frame.P3] else "how many"
    return f"{amount} do you {verb}" if q[Frame.C] == 1 else f"which one do you {verb}"


def _answer(q: Prompt) -> str:
    offer = does(q.names[q.below[Frame.SEAT]] if q.names else seat_name(q.below[Frame.SEAT]), "offer", "a trade")
    gain, gift = _side(q, Frame.P0), _side(q, Frame.P2)
    return f"{offer}: you get {gain} and give {gift}. Do you agree"


def _event_text(q: Prompt) -> str:
    return q.components.event(q.game.options.continent, int(q.world_state.event) + 1).text


def _payment(q: Prompt) -> str:
    missing = q[Frame.A] - q[Frame.P0]
    offer = f"The team may pay {lira(q[Frame.A])} for influence, together or not at all"
    return f"{offer}. Still missing: {lira(missing)}. How many do you pay"


def _partner(q: Prompt) -> str:
    does = "buy a step of influence" if PLACES[q[Frame.A]] == "buy_influence" else "innovate"
    return f"The partner has a worker there and {lira(int(q.world_state.partner_lira))}. Shall it {does} from its purse"


def _discard(q: Prompt) -> str:
    n = q[Frame.LEFT]
    num_cards = int(q.world_state.n_hand[q.seat].sum())
    return f"You hold {count(num_cards, 'card')} and may keep {num_cards - n}: discard {a(n, 'card')}"


TEXTS: dict[str, Callable[[Prompt], str]] = {
    "papa_gift": _gift,
    "wake_up": lambda q: "Choose your place on the wake-up ring. Lower numbers go first.",
    "place_worker": lambda q: f"Place a worker or pass. Left: {q.workers()}",
    "take_bonus": lambda q: f"Take the bonus of the oval tile ({q.components.oval(q[Frame.B])})",
    "fall_benefit": lambda q: "You passed. Choose which fall bonus",
    "choose_tile": lambda q: "Which tile does the partner take" if q[Frame.A] else "Take which tile",
    "place_oval": lambda q: f"Place the oval tile {plain(OVALS[q[Frame.P0]])} on which action",
    "take_hat": lambda q: "Take off which hat? That worker can then be placed in both seasons",
    "exchange_lose": lambda q: "Exchange one thing for another. What do you lose",
    "exchange_gain": lambda q: "Exchange one thing for another. What do you gain",
    "sell_wine": lambda q: "Sell which wine? You get its value in lira",
    "age_grape": lambda q: "Age which grape by 1",
    "gain_grape": lambda q: "Which grape do you gain",
    "buy_grape": lambda q: "Buy a grape of which row? It lies on the lowest free slot of the row",
    "buy_influence": lambda q: f"How many steps do you buy, for {lira(q[Frame.B])} each",
    "trade_start": lambda q: "Your grande worker shares an action with another player's worker: trade once with",
    "trade_partner": lambda q: "Trade with whom",
    "trade_give": lambda q: f"Trade with {q.name_of(q[Frame.B])}: {_part(q, 'give')}",
    "trade_take": lambda q: f"Trade with {q.name_of(q[Frame.B])}, who gets {_side(q, Frame.P0)}: {_part(q, 'take')}",
    "trade_answer": _answer,
    "event_offer": lambda q: f"This year's event: {_event_text(q)[:-1]}. Will you",
    "team_payment": _payment,
    "partner_acts": _partner,
    "discard_to_limit": _discard,
    "retrieve_worker": lambda q: "Take back which worker",
}
STATEMENTS = (*viticulture_prompts.STATEMENTS, "place_worker", "discard_to_limit")
TURNS = ("papa_gift", "wake_up", "place_worker", "fall_benefit", "discard_to_limit", "trade_answer", "team_payment")


def question(game: Any, names: Sequence[str] = ()) -> str:
    """Return the question for the current seat."""
    q = Prompt(game, names)
    if q.decision == "buy_grape" and q[Frame.OP] == FrameOp.BUY:
        return "Which grape of value 1 do you gain?"
    if q.decision not in TEXTS:
        return viticulture_prompts.question_of(q)
    return question_of(q, TEXTS, STATEMENTS)


# Choices.


def choice(q: Prompt, name: str) -> Choice:
    """Describe an action."""
    block, _, argument = name.partition(":")
    if block == "pass":
        ends = "you choose a fall benefit" if q.game.phase == "summer" else "grapes and wines age, workers come home"
        return Choice(name, "Pass", f"your {q.game.phase} ends; {ends}", is_grave=True)
    if block == "place":
        return _placing(q, name, argument)
    if block == "seat" and q.decision.startswith("trade"):
        return Choice(name, q.name_of(q.seat_after(int(argument))), "")
    describe = WORLD_CHOICES.get((q.decision, block)) or WORLD_CHOICES.get(("", block))
    if describe is None:
        return viticulture_choice(q, name)
    label, text = describe(q, argument)
    return Choice(name, label, text)


def _placing(q: Prompt, name: str, argument: str) -> Choice:
    word, _, placement = argument.partition(":")
    place = PLACES.index(word)
    has_tile = place < N_LETTERS and q.world_state.tile[place] == Tile.PLACED
    text = _event_text(q).rstrip(".") if word == "event" else q.components.does(place, bool(has_tile))
    if placement.startswith("oval"):
        text += f" (bonus: {q.components.oval(int(q.world_state.oval_on[place]))})"
    if q.decision == "manage_action":
        return Choice(name, q.components.name(place), text)
    hat = "yellow" if q.game.phase == "summer" else "blue"
    return Choice(name, PLACEMENTS[placement].format(hat), text, q.components.name(place))


def _gift_choice(q: Prompt, argument: str) -> Words:
    blue = int(q.world_state.papas[q.seat, 0])
    if blue < N_PAPAS:
        option = viticulture_choice(q, f"option:{argument}")
        return option.title, option.text
    if argument == "2":
        return f"{int(BLUE[blue - N_PAPAS, 2])} lira", ""
    gift = int(BLUE[blue - N_PAPAS, 1])
    if gift < N_STRUCTURES:
        return plain(STRUCTURES[gift]).capitalize(), structure_text(gift, q.rules)
    return GIFT_TEXTS[GIFTS[gift]].capitalize(), ""


def _fall_choice(q: Prompt, argument: str) -> Words:
    text = q.components.fall[int(argument) - 1]
    return text[0].upper() + text[1:], ""


def _tile_choice(q: Prompt, argument: str) -> Words:
    tile = q.components.tile(argument)
    return tile.title, tile.text.rstrip(".")


def _letter_choice(q: Prompt, argument: str) -> Words:
    place = q.components.place(argument)
    return q.components.name(place), q.components.cover(place)


def _kind_choice(q: Prompt, argument: str) -> Words:
    if q.decision == "sell":
        return "Buy a grape", "by the row of the crush pad"
    if q.decision.startswith("exchange"):
        row = EXCHANGED[0 if q.decision == "exchange_lose" else 1]
        n = int(row[("cards", "lira", "grape", "vp").index(argument)])
        return {"cards": a(n, "card"), "lira": lira(n), "grape": a(n, "grape"), "vp": points(n)}[
            argument
        ].capitalize(), ""
    return KINDS[argument], ""


def _amount_choice(q: Prompt, argument: str) -> Words:
    if q.decision == "buy_influence":
        return count(int(argument), "step"), f"for {lira(int(argument) * q[Frame.B])}"
    return argument, ""


WORLD_CHOICES: dict[tuple[str, str], Callable[[Prompt, str], Words]] = {
    ("wake_up", "wake_up"): lambda q, position: (f"Position {position}", q.components.ring(int(position))),
    ("papa_gift", "option"): _gift_choice,
    ("fall_benefit", "option"): _fall_choice,
    ("", "tile"): _tile_choice,
    ("", "letter"): _letter_choice,
    ("", "hat"): lambda q, hat: (f"A {hat} hat", ""),
    ("", "kind"): _kind_choice,
    ("", "amount"): _amount_choice,
    ("trade_give", "done"): lambda q, _: ("No more", ""),
    ("trade_take", "done"): lambda q, _: ("No more", ""),
    ("team_payment", "done"): lambda q, _: ("Nothing", ""),
}
