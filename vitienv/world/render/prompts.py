"""World's questions and choices in words; the questions of the other rulesets have their words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vitienv.core.frames import Frame
from vitienv.render.text import Choice, seat_name
from vitienv.viticulture.cards import MAMAS, PAPAS
from vitienv.viticulture.enums import N_STRUCTURES, N_VALUES, STRUCTURES
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.positions.keys import shell_of
from vitienv.viticulture.render.text import prompts as others
from vitienv.viticulture.render.text.board import structure_text
from vitienv.viticulture.render.text.cards import CARDS
from vitienv.viticulture.render.text.choices import Words
from vitienv.viticulture.render.text.choices import choice as others_choice
from vitienv.viticulture.render.text.phrases import a, count, does, lira, listed, plain, points
from vitienv.world.enums import AT_HAND, N_LETTERS, N_REGULARS, OVALS, PLACES, Hat, Tile
from vitienv.world.render.component_names import Things, things_of
from vitienv.world.rows import BLUE, EXCHANGED, RED
from vitienv.world.state import N_MAMAS, N_PAPAS, WorldRule
from vitienv.world.tables import GIFTS
from vitienv.world.vocabulary import KIND_WORDS
from vitienv.world.vocabulary import Choice as Kind

PARTNER = "the partner"
HATS = {int(Hat.BARE): "bare worker", int(Hat.YELLOW): "yellow hat", int(Hat.BLUE): "blue hat"}
HOW = {
    "plain:hatted": "{} worker", "plain:regular": "bare worker", "plain:grande": "grande",
    "oval:hatted": "{} worker, no bonus", "oval:regular": "bare worker", "oval:grande": "grande",
    "crowd:grande": "grande (full)",
}  # fmt: skip
KINDS = {"cards": "Cards", "lira": "Lira", "vine": "Vine cards", "order": "Orders", "grape": "A grape",
         "wine": "A wine", "vp": "A point", "nothing": "Nothing"}  # fmt: skip


class Here(others.Asked):
    """The top frame of a game of World. `record` is what the other rulesets' words read, `own` World's record."""

    def __init__(self, game: Any, names: Sequence[str] = ()) -> None:
        super().__init__(game, names)
        self.own, self.state = game.state, shell_of(game.state)
        self.things: Things = things_of(game.options)

    def who(self, seat: int) -> str:
        """Behind a single seat comes the simulated partner."""
        return PARTNER if seat >= self.game.num_players else super().who(seat)

    def workers(self) -> str:
        """The workers at hand, by their hats."""
        return listed(at_hand(self.own, self.seat)) or "no worker"

    def other(self, k: int) -> int:
        """The seat k places on; alone, the simulated partner."""
        n = max(self.game.num_players, 1 + int(self.own.rules[WorldRule.PARTNER]))
        return (self.seat + k) % n


def at_hand(r: Any, seat: int) -> list[str]:
    """A seat's workers still to be placed: "2 yellow", "the grande"."""
    free = [int(r.hat[seat, w]) for w in range(N_REGULARS) if r.at[seat, w] == AT_HAND]
    names = {Hat.YELLOW: "yellow", Hat.BLUE: "blue", Hat.BARE: "bare"}
    found = [f"{free.count(int(hat))} {names[hat]}" for hat in names if int(hat) in free]
    return found + ["grande"] * int(r.free[seat, 1]) + ["temporary"] * int(r.free[seat, 2])


# Questions.


def _gift(q: Here) -> str:
    red, blue = int(q.own.mamas[q.seat, 0]), int(q.own.papas[q.seat, 0])
    brought = CARDS[MAMAS[red].id].short if red < N_MAMAS else _red(red - N_MAMAS)
    money = PAPAS[blue].lira if blue < N_PAPAS else int(BLUE[blue - N_PAPAS, 0])
    return f"Your red card gave you {brought}. Your blue card gives you {lira(money)} and a gift. Which one"


def _red(card: int) -> str:
    words = ("vine card", "order", "summer visitor", "winter visitor")
    cards = [a(int(n), word) for n, word in zip(RED[card][:4], words, strict=True) if n]
    return listed(cards + [lira(int(RED[card][4]))] * bool(RED[card][4]))


def _bonus(q: Here) -> str:
    return f"Take the bonus of the oval tile ({q.things.oval(q[Frame.B])})"


def _tile(q: Here) -> str:
    return "Which tile does the partner take" if q[Frame.A] else "Take which tile"


def _cover(q: Here) -> str:
    return f"Place the oval tile {plain(OVALS[q[Frame.P0]])} on which action"


def _exchange(q: Here, verb: str) -> str:
    return f"Exchange one thing for another. What do you {verb}"


def _told_part(q: Here, column: int) -> str:
    """What has been named of one side of a trade: "3 lira", "a grape"."""
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


def _start(q: Here) -> str:
    return "Your grande worker shares an action with another player's worker: trade once with"


def _give(q: Here) -> str:
    return f"Trade with {q.who(q[Frame.B])}: {_part(q, 'give')}"


def _take(q: Here) -> str:
    return f"Trade with {q.who(q[Frame.B])}, who gets {_told_part(q, Frame.P0)}: {_part(q, 'take')}"


def _part(q: Here, verb: str) -> str:
    """What of a side of a trade is asked."""
    if q[Frame.C] == 0:
        return f"what do you {verb}"
    what = "how many more" if q[Frame.P1 if verb == "give" else Frame.P3] else "how many"
    return f"{what} do you {verb}" if q[Frame.C] == 1 else f"which one do you {verb}"


def _answer(q: Here) -> str:
    placed = does(q.names[q.below[Frame.SEAT]] if q.names else seat_name(q.below[Frame.SEAT]), "offer", "a trade")
    get, given = _told_part(q, Frame.P0), _told_part(q, Frame.P2)
    return f"{placed}: you get {get} and give {given}. Do you agree"


def _offer(q: Here) -> str:
    return f"This year's event: {_event_text(q)[:-1]}. Will you"


def _event_text(q: Here) -> str:
    return q.things.event(q.game.options.continent, int(q.own.event) + 1).text


def _payment(q: Here) -> str:
    missing = q[Frame.A] - q[Frame.P0]
    told = f"The team may pay {lira(q[Frame.A])} for influence, together or not at all"
    return f"{told}. Still missing: {lira(missing)}. How many do you pay"


def _partner(q: Here) -> str:
    does = "buy a step of influence" if PLACES[q[Frame.A]] == "buy_influence" else "innovate"
    return f"The partner stands there and has {lira(int(q.own.partner_lira))}. Shall it {does} from its purse"


def _discard(q: Here) -> str:
    """The hand limit of this year, which an event may change."""
    n = q[Frame.LEFT]
    held = int(q.own.n_hand[q.seat].sum())
    return f"You hold {count(held, 'card')} and may keep {held - n}: discard {a(n, 'card')}"


TEXTS: dict[str, Callable[[Here], str]] = {
    "papa_gift": _gift,
    "wake_up": lambda q: "Choose your place on the wake-up ring. Lower numbers go first.",
    "place_worker": lambda q: f"Place a worker or pass. Left: {q.workers()}",
    "take_bonus": _bonus,
    "fall_benefit": lambda q: "You passed. Choose which fall bonus",
    "choose_tile": _tile,
    "place_oval": _cover,
    "take_hat": lambda q: "Take off which hat? That worker can then be placed in both seasons",
    "exchange_lose": lambda q: _exchange(q, "lose"),
    "exchange_gain": lambda q: _exchange(q, "gain"),
    "sell_wine": lambda q: "Sell which wine? You get its value in lira",
    "age_grape": lambda q: "Age which grape by 1",
    "gain_grape": lambda q: "Which grape do you gain",
    "buy_grape": lambda q: "Buy a grape of which row? It lies on the lowest free slot of the row",
    "buy_influence": lambda q: f"How many steps do you buy, for {lira(q[Frame.B])} each",
    "trade_start": _start,
    "trade_partner": lambda q: "Trade with whom",
    "trade_give": _give,
    "trade_take": _take,
    "trade_answer": _answer,
    "event_offer": _offer,
    "team_payment": _payment,
    "partner_acts": _partner,
    "discard_to_limit": _discard,
    "retrieve_worker": lambda q: "Take back which worker",
}
STATEMENTS = (*others.STATEMENTS, "place_worker", "discard_to_limit")
TURNS = ("papa_gift", "wake_up", "place_worker", "fall_benefit", "discard_to_limit", "trade_answer", "team_payment")


def question(game: Any, names: Sequence[str] = ()) -> str:
    """What the seat that decides is asked."""
    q = Here(game, names)
    if q.decision == "buy_grape" and q[Frame.OP] == FrameOp.BUY:
        return "Which grape of value 1 do you gain?"
    if q.decision not in TEXTS:
        return others.question_of(q)
    text = TEXTS[q.decision](q)
    return text if text[-1] in ".?" else text + ("." if "?" in text or q.decision in STATEMENTS else "?")


# Choices.


def choices(game: Any, names: Sequence[str] = ()) -> list[Choice]:
    """The legal actions in the order of their numbers."""
    q = Here(game, names)
    return [choice(q, name) for name in game.legal_actions()]


def choice(q: Here, name: str) -> Choice:
    """An action in words."""
    block, _, rest = name.partition(":")
    if block == "pass":
        ends = "you choose a fall benefit" if q.game.phase == "summer" else "grapes and wines age, workers come home"
        return Choice(name, "Pass", f"your {q.game.phase} ends; {ends}", is_grave=True)
    if block == "place":
        return _placing(q, name, rest)
    if block == "seat" and q.decision.startswith("trade"):
        return Choice(name, q.who(q.other(int(rest))), "")
    own = OWN.get((q.decision, block)) or OWN.get(("", block))
    if own is None:
        return others_choice(q, name)
    called, text = own(q, rest)
    return Choice(name, called, text)


def _placing(q: Here, name: str, rest: str) -> Choice:
    word, _, how = rest.partition(":")
    place = PLACES.index(word)
    has_tile = place < N_LETTERS and q.own.tile[place] == Tile.PLACED
    text = _event_text(q).rstrip(".") if word == "event" else q.things.does(place, bool(has_tile))
    if how.startswith("oval"):
        text += f" (bonus: {q.things.oval(int(q.own.oval_on[place]))})"
    if q.decision == "manage_action":
        return Choice(name, q.things.name(place), text)
    hat = "yellow" if q.game.phase == "summer" else "blue"
    return Choice(name, HOW[how].format(hat), text, q.things.name(place))


def _gift_choice(q: Here, rest: str) -> Words:
    blue = int(q.own.papas[q.seat, 0])
    if blue < N_PAPAS:
        shown = others_choice(q, f"option:{rest}")
        return shown.title, shown.text
    if rest == "2":
        return f"{int(BLUE[blue - N_PAPAS, 2])} lira", ""
    gift = int(BLUE[blue - N_PAPAS, 1])
    if gift < N_STRUCTURES:
        return plain(STRUCTURES[gift]).capitalize(), structure_text(gift, q.rules)
    words = {"victory_point": points(1), "grape_value_1_any_colour": "a grape of value 1",
             "visitor_card_any_season": "a visitor card"}  # fmt: skip
    return words[GIFTS[gift]].capitalize(), ""


def _fall_choice(q: Here, rest: str) -> Words:
    text = q.things.fall[int(rest) - 1]
    return text[0].upper() + text[1:], ""


def _tile_choice(q: Here, rest: str) -> Words:
    found = q.things.tile(rest)
    return found.title, found.text.rstrip(".")


def _letter_choice(q: Here, rest: str) -> Words:
    place = q.things.place(rest)
    return q.things.name(place), q.things.cover(place)


def _kind_choice(q: Here, rest: str) -> Words:
    if q.decision == "sell":
        return "Buy a grape", "by the row of the crush pad"
    if q.decision.startswith("exchange"):
        row = EXCHANGED[0 if q.decision == "exchange_lose" else 1]
        n = int(row[("cards", "lira", "grape", "vp").index(rest)])
        return {"cards": a(n, "card"), "lira": lira(n), "grape": a(n, "grape"), "vp": points(n)}[rest].capitalize(), ""
    return KINDS[rest], ""


def _amount_choice(q: Here, rest: str) -> Words:
    if q.decision == "buy_influence":
        return count(int(rest), "step"), f"for {lira(int(rest) * q[Frame.B])}"
    return rest, ""


OWN: dict[tuple[str, str], Callable[[Here, str], Words]] = {
    ("wake_up", "wake_up"): lambda q, rest: (f"Position {rest}", q.things.ring(int(rest))),
    ("papa_gift", "option"): _gift_choice,
    ("fall_benefit", "option"): _fall_choice,
    ("", "tile"): _tile_choice,
    ("", "letter"): _letter_choice,
    ("", "hat"): lambda q, rest: (f"A {rest} hat", ""),
    ("", "kind"): _kind_choice,
    ("", "amount"): _amount_choice,
    ("trade_give", "done"): lambda q, rest: ("No more", ""),
    ("trade_take", "done"): lambda q, rest: ("No more", ""),
    ("team_payment", "done"): lambda q, rest: ("Nothing", ""),
}
