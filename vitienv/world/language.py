"""The closed language of World's data: what actions, tiles, events and cards do, as parts with numbers.

An effect in the data is a list of such tables as `{ op = "draw", deck = "vine", n = 2 }`. `WORDS` has a row for each
word: the settings it reads, the part it makes of them, the sentence that people read. What a part needs and does is a
row beside its verb in `ops/`, as for cards. `effect` turns data into parts, one of which is enough to carry an effect
out. ValueError, in one line, for a word that is unknown, and for a setting that the word does not read.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from vitienv.core.checks import check_choice, check_int, list_of, mapping_of
from vitienv.core.compiling.namespaces import namespace
from vitienv.core.text_utils import a, count, listed, up_to
from vitienv.viticulture.cards.parts import ALL_STRUCTURES, ANY_DECK, AT_LIMIT_TOO, NO_PRICE, VISITORS, PartOp
from vitienv.viticulture.enums import COLOURS, N_VALUES, WINES, Deck
from vitienv.world.components import all_read, settings_of
from vitienv.world.enums import Metric
from vitienv.world.vocabulary import MOST_AMOUNT

MOST_PARTS = 4
MOST = 20  # of anything that one effect gives or takes
EITHER_COLOUR = len(COLOURS)
SELL_GRAPES, SELL_FIELD, BUY_FIELD, BUY_GRAPE = 1, 2, 4, 8  # what a sale may be, as bits


class Part(NamedTuple):
    """A part: its number, its settings, and how often it may be done, once being enough."""

    op: int
    a: int = 0
    b: int = 0
    c: int = 0
    times: int = 1


@dataclass(frozen=True)
class Key:
    """A setting of a word: a whole number from low to high, or one of `names` with their numbers.

    missing: what it is where the data leave it out, None if they may not; `&n` is what the key n is. about: what may be
    said, where that is no number and no name.
    """

    name: str
    low: int = 1
    high: int = MOST
    missing: Any = 1
    names: Mapping[str, int] = field(default_factory=dict)
    about: str = ""

    def said(self, atom: Mapping[str, Any]) -> Any:
        """What the data say, or what it is without."""
        other = str(self.missing)
        return atom.get(self.name, atom.get(other[1:], 1) if other.startswith("&") else self.missing)

    def number(self, atom: Mapping[str, Any], where: str) -> int:
        """Its number. ValueError names what it may be."""
        if self.names:
            return [*self.names.values()][check_choice(self.said(atom), [*self.names], f"{self.name} of {where}")]
        return check_int(self.said(atom), self.low, self.high, f"{self.name} of {where}")

    def bounds(self) -> str:
        """What may be said, for the page of owners."""
        known = ", ".join(f"`{name}`" for name in self.names) or f"{self.low} to {self.high}"
        known += "" if self.missing is None else f" ({str(self.missing).strip('&')})"
        return f"`{self.name}`: {self.about or known}"


class Several(Key):
    """Several of the names, as bits."""

    def number(self, atom: Mapping[str, Any], where: str) -> int:
        """The bits of all of them."""
        bits = 0
        for name in list_of(self.said(atom), f"{self.name} of {where}"):
            bits |= 1 << check_choice(name, [*self.names], f"{self.name} of {where}")
        return bits


class Sale(NamedTuple):
    """A way to sell, one bit of `choose`, and its sentence."""

    bit: int
    says: str


SALES = {
    "sell_grapes": Sale(SELL_GRAPES, "sell grapes"),
    "sell_field": Sale(SELL_FIELD, "sell an empty field"),
    "buy_field": Sale(BUY_FIELD, "buy a field back"),
    "buy_grape": Sale(BUY_GRAPE, "buy a grape by the row of the crush pad"),
}


class Sales(Key):
    """A choice among sales, which is one question."""

    def number(self, atom: Mapping[str, Any], where: str) -> int:
        """The sales as bits."""
        kinds = 0
        for way in list_of(atom.get(self.name), f"{self.name} in {where}"):
            words = [mapping_of(each, where).get("op") for each in list_of(way, f"{self.name} in {where}")]
            if len(words) != 1 or str(words[0]) not in SALES:
                raise ValueError(f"{where} chooses among {words}; a choice is among {', '.join(SALES)}, one each")
            kinds |= SALES[words[0]].bit
        return kinds


class Kind(Enum):
    """What a part is to whoever has it."""

    AT_ONCE = "had at once, by everybody, whatever else is going on"
    GIFT = "had for nothing"
    TOKEN = "had if there is room"
    LOSS = "given up"
    ACTION = "done"


IS_HAD = (Kind.AT_ONCE, Kind.GIFT, Kind.TOKEN)


@dataclass(frozen=True)
class Word:
    """A word of the data and the part that it makes.

    part: a part of cards, or the name of one that World adds; their numbers go on where `PartOp` ends, in the order of
    the rows. word: "" for a part that no word makes alone. says: the sentence, from the settings by their names. kind:
    what comes free is no reason to take an action, and a loss that comes first must be borne. a, b, c, times: a setting
    or a number. also: settings that others read. finish(part, where): the part, where it depends on several settings.
    may_be_left: whether repetitions need not be used; gains and payments come as often as they say. deed: what counts
    how often it was done, for points that need all of it. note: what the sentence does not tell an owner.
    """

    part: str | PartOp
    word: str
    says: Callable[..., str]
    kind: Kind = Kind.ACTION
    a: Key | int = 0
    b: Key | int = 0
    c: Key | int = 0
    times: Key | int = 1
    also: tuple[Key, ...] = ()
    finish: Callable[[Part, str], Part] | None = None
    may_be_left: bool = False
    deed: Metric | None = None
    note: str = ""

    @property
    def keys(self) -> dict[str, Key]:
        """The settings by their names."""
        columns = (*self.also, self.a, self.b, self.c, self.times)
        return {key.name: key for key in columns if isinstance(key, Key)}

    @property
    def number(self) -> int:
        """The number of its part."""
        return int(WorldPart[self.part] if isinstance(self.part, str) else self.part)

    def made(self, atom: Mapping[str, Any], where: str) -> Part:
        """The part that the data mean."""
        columns = (self.a, self.b, self.c, self.times)
        numbers = [key.number(atom, where) if isinstance(key, Key) else key for key in columns]
        part = Part(self.number, *numbers)
        return self.finish(part, where) if self.finish else part

    def told(self, atom: Mapping[str, Any]) -> str:
        """The sentence of what the data say."""
        return self.says(**{name: key.said(atom) for name, key in self.keys.items()})


# What rows say and make.

N, SIGNED = Key("n"), Key("n", -MOST, missing=None)
LEAST = Key("min_value", high=N_VALUES)
# By word: the decks as bits, and what a card of them is called.
DRAWN = {
    "vine": (1 << Deck.VINE, "vine card"), "order": (1 << Deck.ORDER, "order"),
    "summer": (1 << Deck.SUMMER, "summer visitor"), "winter": (1 << Deck.WINTER, "winter visitor"),
    "any": (ANY_DECK, "card"), "summer_or_winter": (VISITORS, "visitor card"),
}  # fmt: skip
DECK = Key("deck", missing=None, names={name: bits for name, (bits, _) in DRAWN.items()})
SEASON = Key("season", missing=None, names={"summer": Deck.SUMMER, "winter": Deck.WINTER})
COLOUR = Key("color", missing="choice", names={name: i for i, name in enumerate((*COLOURS, "choice"))})
GRAPES = {"red": "a red grape", "white": "a white grape", "choice": "a grape of either colour"}
TYPE = Key("type", missing=None, names={name: i for i, name in enumerate(WINES)})
TYPES = Several("types", missing=WINES, names=TYPE.names, about="a list of types (all)")
EXCHANGED = ("cards", "lira", "grape", "vp")  # what action G loses and gains
EXCHANGES = "a list of " + ", ".join(f"`{{ {kind} = n }}`" for kind in EXCHANGED)
CARDS_OF_ONE_DECK = 7  # drawn at once
NAMED_DECKS = 2  # that a pending decision holds


def _of_one_deck(part: Part, where: str) -> Part:
    """A deck that leaves no choice is drawn from as by cards."""
    if part.a in (ANY_DECK, VISITORS) and part.b > NAMED_DECKS:
        raise ValueError(f"n of {where} must be 1 or 2 where a deck is chosen for each card, got {part.b}")
    if part.a in DECK.names.values() and part.a not in (ANY_DECK, VISITORS):
        if part.b > CARDS_OF_ONE_DECK:
            raise ValueError(f"n of {where} is {part.b}; at most {CARDS_OF_ONE_DECK} cards of a deck are drawn at once")
        return Part(PartOp.DRAW, part.b << (3 * (part.a.bit_length() - 1)))
    return part


def _signed(n: int, text: str) -> str:
    return text if n >= 0 else f"lose {text}"


def _at_least(value: int) -> str:
    return f" of value {value} or more" if value > 1 else ""


def _build(discount: int, n: int) -> str:
    each = ", each" if n > 1 else ""
    return f"build {up_to(n, 'structure')}" + (f"{each} for {discount} lira less" if discount else "")


def _side(parts: Sequence[Mapping[str, Any]]) -> str:
    nouns = {"cards": "card", "vp": "point"}
    amounts = [(kind, part[kind]) for part in parts for kind in EXCHANGED if kind in part]
    return listed((f"{n} lira" if kind == "lira" else count(n, nouns.get(kind, kind)) for kind, n in amounts), "or")


def _exchange(lose: Sequence[Mapping[str, Any]], gain: Sequence[Mapping[str, Any]]) -> str:
    return f"lose {_side(lose)}, then gain {_side(gain)}" if lose else "exchange one thing for another"


ROWS = (
    # Parts that World adds.
    Word("INFLUENCE", "influence", lambda n: f"{n} influence", Kind.AT_ONCE, a=N, note="steps of the shared token"),
    Word("DRAW_OF", "draw", lambda deck, n: f"draw {a(n, DRAWN[deck][1])}", a=DECK, b=N, finish=_of_one_deck,
         note="2 at most where a deck is chosen for each card, else 7"),
    Word(
        "GRAPE", "grape",
        lambda color, value, n: f"{GRAPES[color]} of value {value}",
        Kind.TOKEN, a=COLOUR, b=Key("value", high=N_VALUES, missing="&n"), times=N,
        note="in the highest free slot that is not above its value",
    ),
    Word(
        "WINE", "wine", lambda type, value: f"{type} wine of value {value}",
        Kind.TOKEN, a=TYPE, b=Key("value", high=N_VALUES, missing=None), note="by the usual rules of cellars",
    ),
    Word(
        "LOSE_GRAPE", "lose_grape", lambda min_value, n: f"discard {a(n, 'grape')}{_at_least(min_value)}",
        Kind.LOSS, a=LEAST, times=N,
    ),
    Word(
        "LOSE_WINE", "lose_wine", lambda min_value, types, n: f"discard {a(n, 'wine')}{_at_least(min_value)}",
        Kind.LOSS, a=LEAST, b=TYPES, times=N,
    ),
    Word("AGE_GRAPE", "age_grape", lambda n: f"age {up_to(n, 'grape')} by 1", times=N),
    Word(
        "PLAY", "play_visitor", lambda n, season: f"play {up_to(n, f'{season} visitor')}",
        a=N, b=SEASON, deed=Metric.VISITORS_PLAYED,
    ),
    Word("TOUR", "tour", lambda lira: f"a tour for {lira} lira", Kind.GIFT, a=Key("lira", missing=None)),
    Word(
        "SELL", "choose", lambda of: listed((SALES[way[0]["op"]].says for way in of), "or"),
        a=Sales("of", missing=None, about="lists of one of " + ", ".join(f'`{{ op = "{name}" }}`' for name in SALES)),
    ),
    Word(
        "SELL_WINE", "sell_wine", lambda n: f"sell {up_to(n, 'wine')} for lira of its value",
        times=N, may_be_left=True, deed=Metric.WINES_SOLD,
    ),
    Word("REMOVE_HAT", "remove_hat", lambda n: f"take {up_to(n, 'hat')} off your workers", times=N, may_be_left=True),
    Word("INNOVATE", "take_innovation", lambda n: f"take {up_to(n, 'tile')} on show", times=N, may_be_left=True),
    Word(
        "EXCHANGE", "exchange", _exchange, may_be_left=True,
        also=(Key("lose", missing=(), about=EXCHANGES), Key("gain", missing=(), about=EXCHANGES)),
        note="action G alone says what",
    ),
    Word(
        "EXCHANGE", "exchange_same_as_base",
        lambda n: "exchange one thing for another" + (f", {n} times" if n > 1 else ""), times=N, may_be_left=True,
        note="what action G says",
    ),
    Word(
        "BUY_INFLUENCE", "buy_influence_each",
        lambda max, lira_each: f"move the influence token, {up_to(max, 'step')} for {lira_each} lira each",
        a=Key("max", high=MOST_AMOUNT), b=Key("lira_each", 0, missing=None),
    ),
    Word("TEMPORARY", "temporary_worker", lambda: "the temporary worker", Kind.GIFT, note="this year's grey worker"),
    Word("POINTS_IF_ALL", "", lambda: "", Kind.GIFT),  # `vp` where an effect says vp_needs_all
    Word(
        "DEAL_AIMS", "deal_aims", lambda n: f"{count(n, 'aim')} of your own", Kind.GIFT,
        a=Key("n", high=2), note="face up, in the set-up of a continent with aims; two of a seat at most",
    ),
    # Parts of cards.
    Word(PartOp.LIRA, "lira", lambda n: _signed(n, f"{abs(n)} lira"), Kind.AT_ONCE, a=SIGNED, note="below 0 a payment"),
    Word(
        PartOp.POINTS, "vp", lambda n: _signed(n, count(abs(n), "point")), Kind.AT_ONCE, a=SIGNED, note="below 0 a loss"
    ),
    Word(
        PartOp.RESIDUAL, "residual", lambda n: _signed(n, f"{abs(n)} lira a year in residual payments"),
        Kind.AT_ONCE, a=Key("n", -5, missing=None), b=AT_LIMIT_TOO, note="within 0 and 5",
    ),
    Word(PartOp.DISCARD, "discard_cards", lambda n: f"discard {a(n, 'card')}", Kind.LOSS, a=N, b=ANY_DECK),
    Word(PartOp.AGE_ONE, "age_wine", lambda n: f"age {up_to(n, 'wine')} by 1", times=N),
    Word(PartOp.PLANT, "plant", lambda n: f"plant {up_to(n, 'vine')}", a=N, deed=Metric.PLANTS),
    Word(PartOp.HARVEST, "harvest", lambda n: f"harvest {up_to(n, 'field')}", a=N, deed=Metric.HARVESTS),
    Word(PartOp.MAKE, "make_wine", lambda n: f"make {up_to(n, 'wine')}", a=N, deed=Metric.WINES_MADE),
    Word(
        PartOp.FILL, "fill_order", lambda n: f"fill {up_to(n, 'order')}",
        times=N, may_be_left=True, deed=Metric.ORDERS_FILLED,
    ),
    Word(
        PartOp.BUILD, "build", _build, a=Key("discount", 0, missing=0), b=NO_PRICE, c=ALL_STRUCTURES, times=N,
        may_be_left=True, deed=Metric.STRUCTURES_BUILT, note="at a discount for each",
    ),
    Word(
        PartOp.RETRIEVE, "retrieve_worker", lambda n: f"take back {up_to(n, 'worker')}", a=N,
        note="to be placed again this year, in a season they may work in",
    ),
)  # fmt: skip
WORDS = {row.word: row for row in ROWS if row.word}
_added = dict.fromkeys(row.part for row in ROWS if isinstance(row.part, str))
WorldPart: Any = namespace(f"{__name__}.WorldPart", {name: max(PartOp) + 1 + i for i, name in enumerate(_added)})
N_PARTS = int(max(WorldPart)) + 1
for _row in ROWS:
    if {*signature(_row.says).parameters} != {*_row.keys}:
        raise ValueError(f"{_row.word!r}: its sentence must be made of its settings, {', '.join(_row.keys) or 'none'}")


def numbers(chosen: Callable[[Word], bool]) -> list[int]:
    """The numbers of the parts whose rows are so."""
    return sorted({row.number for row in ROWS if chosen(row)})


def marks(chosen: Callable[[Word], bool]) -> np.ndarray:
    """1 for the parts whose rows are so, by their numbers."""
    found = np.zeros(N_PARTS, np.int64)
    found[numbers(chosen)] = 1
    return found


def effect(given: Any, where: str, needs_all: bool = False) -> list[Part]:
    """The parts of an effect. needs_all: its points come only if the first part was done as often as it may be."""
    atoms = [settings_of(mapping_of(atom, where)) for atom in list_of(given, where)]
    if len(atoms) > MOST_PARTS:
        raise ValueError(f"{where} has {len(atoms)} parts; there may be {MOST_PARTS}")
    parts = []
    for atom in atoms:
        word = atom.get("op")
        if not isinstance(word, str) or word not in WORDS:
            raise ValueError(f"unknown word {word!r} in {where}; there is {', '.join(WORDS)}")
        part = WORDS[word].made(atom, where)
        all_read(atom, f"{word} in {where}")
        if needs_all and part.op == PartOp.POINTS:
            deed = WORDS[atoms[0]["op"]].deed
            if deed is None:
                known = ", ".join(word for word, row in WORDS.items() if row.deed is not None)
                raise ValueError(f"vp_needs_all of {where}: points may need all of {known} alone")
            part = Part(WorldPart.POINTS_IF_ALL, part.a, deed, N.number(atoms[0], where))
        parts.append(part)
    if needs_all and not any(part.op == WorldPart.POINTS_IF_ALL for part in parts):
        raise ValueError(f"vp_needs_all of {where}: there are no points in it")
    return parts


def price(given: Any, where: str) -> int:
    """A cost in the data, which is lira alone, as lira."""
    total = 0
    for part in effect(given, where):
        if part.op != PartOp.LIRA or part.a > 0:
            raise ValueError(f"{where} must be a payment of lira, such as {{ op = 'lira', n = -4 }}")
        total -= part.a
    return total


def table() -> str:
    """The words for owners' files, in Markdown."""
    lines = ["| `op` | settings, with what they are if left out | what it is, once |", "| --- | --- | --- |"]
    for word, row in WORDS.items():
        example = {key.name: [*key.names, max(key.low, 1)][0] for key in row.keys.values() if key.missing is None}
        told = row.told(example if word != "choose" else {"of": [[{"op": sale}] for sale in SALES]})
        settings = "; ".join(key.bounds() for key in row.keys.values())
        lines.append(f"| `{word}` | {settings} | {told}{f'; {row.note}' if row.note else ''} |")
    return "\n".join(lines)
