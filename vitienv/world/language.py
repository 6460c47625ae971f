"""Effect language of World's data: actions, tiles, events and cards as parts with integer parameters.

An effect in the data is a list of tables like `{ op = "draw", deck = "vine", n = 2 }`. `WORDS` has a row for each word:
its settings, its part and its sentence. The handlers of a part are registered in `ops/`, as for cards. `effect` parses
data into parts and raises ValueError for an unknown word or setting.
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
from vitienv.world.components import check_all_read, settings_of
from vitienv.world.enums import Metric
from vitienv.world.vocabulary import MAX_AMOUNT

MAX_EFFECT_PARTS = 4
MAX_NUMBER = 20  # maximum amount in an effect
EITHER_COLOUR = len(COLOURS)
SELL_GRAPES, SELL_FIELD, BUY_FIELD, BUY_GRAPE = 1, 2, 4, 8  # bits of a sale


class Part(NamedTuple):
    """A part of an effect. times: maximum number of repetitions; one is enough."""

    op: int
    a: int = 0
    b: int = 0
    c: int = 0
    times: int = 1


@dataclass(frozen=True)
class Key:
    """A setting of a word: an integer from low to high, or one of `names`.

    missing: default, None if the setting is required; `&n` is the value of the key n. values: description of the values
    in the documentation, if they are neither integers nor names.
    """

    name: str
    low: int = 1
    high: int = MAX_NUMBER
    missing: Any = 1
    names: Mapping[str, int] = field(default_factory=dict)
    values: str = ""

    def value(self, atom: Mapping[str, Any]) -> Any:
        """Return the value in the data, or the default."""
        default = str(self.missing)
        return atom.get(self.name, atom.get(default[1:], 1) if default.startswith("&") else self.missing)

    def number(self, atom: Mapping[str, Any], label: str) -> int:
        """Return the value as an integer. Raises ValueError if it is invalid."""
        if self.names:
            return [*self.names.values()][check_choice(self.value(atom), [*self.names], f"{self.name} of {label}")]
        return check_int(self.value(atom), self.low, self.high, f"{self.name} of {label}")

    def bounds(self) -> str:
        """Return the valid values and the default in Markdown."""
        values = ", ".join(f"`{name}`" for name in self.names) or f"{self.low} to {self.high}"
        values += "" if self.missing is None else f" ({str(self.missing).strip('&')})"
        return f"`{self.name}`: {self.values or values}"


class Several(Key):
    """A setting with several of the names, as bits."""

    def number(self, atom: Mapping[str, Any], label: str) -> int:
        """Return the names as bits. Raises ValueError for an unknown name."""
        bits = 0
        for name in list_of(self.value(atom), f"{self.name} of {label}"):
            bits |= 1 << check_choice(name, [*self.names], f"{self.name} of {label}")
        return bits


class Sale(NamedTuple):
    """A kind of sale: its bit in `choose`, and its sentence."""

    bit: int
    says: str


SALES = {
    "sell_grapes": Sale(SELL_GRAPES, "sell grapes"),
    "sell_field": Sale(SELL_FIELD, "sell an empty field"),
    "buy_field": Sale(BUY_FIELD, "buy a field back"),
    "buy_grape": Sale(BUY_GRAPE, "buy a grape by the row of the crush pad"),
}


class Sales(Key):
    """A choice among sales, which is one decision."""

    def number(self, atom: Mapping[str, Any], label: str) -> int:
        """Return the sales as bits. Raises ValueError for other effects."""
        kinds = 0
        for sale in list_of(atom.get(self.name), f"{self.name} in {label}"):
            words = [mapping_of(entry, label).get("op") for entry in list_of(sale, f"{self.name} in {label}")]
            if len(words) != 1 or str(words[0]) not in SALES:
                raise ValueError(f"each choice of {label} must be one of: {', '.join(SALES)}; got {words}")
            kinds |= SALES[words[0]].bit
        return kinds


class Role(Enum):
    """Role of a part in an effect."""

    AT_ONCE = "gain without a decision, for every seat"
    GIFT = "gain"
    TOKEN = "gain that needs room"
    LOSS = "loss"
    ACTION = "action"


GAINS = (Role.AT_ONCE, Role.GIFT, Role.TOKEN)


@dataclass(frozen=True)
class Word:
    """A word of the data and its part.

    part: a part of cards, or the name of a part that World adds; these are numbered after `PartOp`. word: "" for a part
    without a word. says: the sentence, from the settings by name. kind: a gain alone does not make an action possible,
    and a loss that comes first is mandatory. a, b, c, times: a setting or a constant. also: settings without a column.
    finish(part, label): adjusts a part that depends on several settings. is_optional: whether the seat may skip
    repetitions. deed: metric of the repetitions, for points that need all of them. note: added to the documentation.
    """

    part: str | PartOp
    word: str
    says: Callable[..., str]
    kind: Role = Role.ACTION
    a: Key | int = 0
    b: Key | int = 0
    c: Key | int = 0
    times: Key | int = 1
    also: tuple[Key, ...] = ()
    finish: Callable[[Part, str], Part] | None = None
    is_optional: bool = False
    deed: Metric | None = None
    note: str = ""

    @property
    def keys(self) -> dict[str, Key]:
        """Return the settings by name."""
        columns = (*self.also, self.a, self.b, self.c, self.times)
        return {key.name: key for key in columns if isinstance(key, Key)}

    @property
    def number(self) -> int:
        """Return the number of the part."""
        return int(WorldPart[self.part] if isinstance(self.part, str) else self.part)

    def parse(self, atom: Mapping[str, Any], label: str) -> Part:
        """Return the part of an entry of an effect. Raises ValueError for invalid settings."""
        columns = (self.a, self.b, self.c, self.times)
        numbers = [key.number(atom, label) if isinstance(key, Key) else key for key in columns]
        part = Part(self.number, *numbers)
        return self.finish(part, label) if self.finish else part

    def describe(self, atom: Mapping[str, Any]) -> str:
        """Return the sentence of an entry of an effect."""
        return self.says(**{name: key.value(atom) for name, key in self.keys.items()})


# Settings and sentences of the rows.

N, SIGNED = Key("n"), Key("n", -MAX_NUMBER, missing=None)
MIN_VALUE = Key("min_value", high=N_VALUES)
# Deck bits and card names by word.
DECKS = {
    "vine": (1 << Deck.VINE, "vine card"), "order": (1 << Deck.ORDER, "order"),
    "summer": (1 << Deck.SUMMER, "summer visitor"), "winter": (1 << Deck.WINTER, "winter visitor"),
    "any": (ANY_DECK, "card"), "summer_or_winter": (VISITORS, "visitor card"),
}  # fmt: skip
DECK = Key("deck", missing=None, names={name: bits for name, (bits, _) in DECKS.items()})
SEASON = Key("season", missing=None, names={"summer": Deck.SUMMER, "winter": Deck.WINTER})
COLOUR = Key("color", missing="choice", names={name: i for i, name in enumerate((*COLOURS, "choice"))})
GRAPES = {"red": "a red grape", "white": "a white grape", "choice": "a grape of either colour"}
TYPE = Key("type", missing=None, names={name: i for i, name in enumerate(WINES)})
TYPES = Several("types", missing=WINES, names=TYPE.names, values="a list of types (all)")
EXCHANGED = ("cards", "lira", "grape", "vp")  # goods of action G
EXCHANGES = "a list of " + ", ".join(f"`{{ {kind} = n }}`" for kind in EXCHANGED)
MAX_DRAW = 7  # cards of one deck; three bits
MAX_DECK_CHOICES = 2


def _simplify_draw(part: Part, label: str) -> Part:
    """Turn a draw from a single deck into the part of cards."""
    if part.a in (ANY_DECK, VISITORS) and part.b > MAX_DECK_CHOICES:
        raise ValueError(f"n of {label} must be 1 or 2 if a deck is chosen for each card, got {part.b}")
    if part.a in DECK.names.values() and part.a not in (ANY_DECK, VISITORS):
        if part.b > MAX_DRAW:
            raise ValueError(f"n of {label} must be at most {MAX_DRAW} for one deck, got {part.b}")
        return Part(PartOp.DRAW, part.b << (3 * (part.a.bit_length() - 1)))
    return part


def _sign(n: int, text: str) -> str:
    return text if n >= 0 else f"lose {text}"


def _at_least(value: int) -> str:
    return f" of value {value} or more" if value > 1 else ""


def _build(discount: int, n: int) -> str:
    suffix = ", each" if n > 1 else ""
    return f"build {up_to(n, 'structure')}" + (f"{suffix} for {discount} lira less" if discount else "")


def _side(parts: Sequence[Mapping[str, Any]]) -> str:
    nouns = {"cards": "card", "vp": "point"}
    amounts = [(kind, part[kind]) for part in parts for kind in EXCHANGED if kind in part]
    return listed((f"{n} lira" if kind == "lira" else count(n, nouns.get(kind, kind)) for kind, n in amounts), "or")


def _exchange(lose: Sequence[Mapping[str, Any]], gain: Sequence[Mapping[str, Any]]) -> str:
    return f"lose {_side(lose)}, then gain {_side(gain)}" if lose else "exchange one thing for another"


ROWS = (
    # Parts of World.
    Word("INFLUENCE", "influence", lambda n: f"{n} influence", Role.AT_ONCE, a=N, note="steps of the shared token"),
    Word("DRAW_OF", "draw", lambda deck, n: f"draw {a(n, DECKS[deck][1])}", a=DECK, b=N, finish=_simplify_draw,
         note="2 at most where a deck is chosen for each card, else 7"),
    Word(
        "GRAPE", "grape",
        lambda color, value, n: f"{GRAPES[color]} of value {value}",
        Role.TOKEN, a=COLOUR, b=Key("value", high=N_VALUES, missing="&n"), times=N,
        note="in the highest free slot that is not above its value",
    ),
    Word(
        "WINE", "wine", lambda type, value: f"{type} wine of value {value}",
        Role.TOKEN, a=TYPE, b=Key("value", high=N_VALUES, missing=None), note="by the usual rules of cellars",
    ),
    Word(
        "LOSE_GRAPE", "lose_grape", lambda min_value, n: f"discard {a(n, 'grape')}{_at_least(min_value)}",
        Role.LOSS, a=MIN_VALUE, times=N,
    ),
    Word(
        "LOSE_WINE", "lose_wine", lambda min_value, types, n: f"discard {a(n, 'wine')}{_at_least(min_value)}",
        Role.LOSS, a=MIN_VALUE, b=TYPES, times=N,
    ),
    Word("AGE_GRAPE", "age_grape", lambda n: f"age {up_to(n, 'grape')} by 1", times=N),
    Word(
        "PLAY", "play_visitor", lambda n, season: f"play {up_to(n, f'{season} visitor')}",
        a=N, b=SEASON, deed=Metric.VISITORS_PLAYED,
    ),
    Word("TOUR", "tour", lambda lira: f"a tour for {lira} lira", Role.GIFT, a=Key("lira", missing=None)),
    Word(
        "SELL", "choose", lambda of: listed((SALES[sale[0]["op"]].says for sale in of), "or"),
        a=Sales("of", missing=None, values="lists of one of " + ", ".join(f'`{{ op = "{name}" }}`' for name in SALES)),
    ),
    Word(
        "SELL_WINE", "sell_wine", lambda n: f"sell {up_to(n, 'wine')} for lira of its value",
        times=N, is_optional=True, deed=Metric.WINES_SOLD,
    ),
    Word("REMOVE_HAT", "remove_hat", lambda n: f"remove {up_to(n, 'hat')} of your workers", times=N, is_optional=True),
    Word("INNOVATE", "take_innovation", lambda n: f"take {up_to(n, 'tile')} on show", times=N, is_optional=True),
    Word(
        "EXCHANGE", "exchange", _exchange, is_optional=True,
        also=(Key("lose", missing=(), values=EXCHANGES), Key("gain", missing=(), values=EXCHANGES)),
        note="of action G",
    ),
    Word(
        "EXCHANGE", "exchange_same_as_base",
        lambda n: "exchange one thing for another" + (f", {n} times" if n > 1 else ""), times=N, is_optional=True,
        note="with the amounts of action G",
    ),
    Word(
        "BUY_INFLUENCE", "buy_influence_each",
        lambda max, lira_each: f"move the influence token, {up_to(max, 'step')} for {lira_each} lira each",
        a=Key("max", high=MAX_AMOUNT), b=Key("lira_each", 0, missing=None),
    ),
    Word("TEMPORARY", "temporary_worker", lambda: "the temporary worker", Role.GIFT, note="this year's grey worker"),
    Word("POINTS_IF_ALL", "", lambda: "", Role.GIFT),  # `vp` where an effect says vp_needs_all
    Word(
        "DEAL_AIMS", "deal_aims", lambda n: f"{count(n, 'aim')} of your own", Role.GIFT,
        a=Key("n", high=2), note="face up, in the set-up of a continent with aims; at most two per seat",
    ),
    # Parts of cards.
    Word(PartOp.LIRA, "lira", lambda n: _sign(n, f"{abs(n)} lira"), Role.AT_ONCE, a=SIGNED, note="below 0 a payment"),
    Word(
        PartOp.POINTS, "vp", lambda n: _sign(n, count(abs(n), "point")), Role.AT_ONCE, a=SIGNED, note="below 0 a loss"
    ),
    Word(
        PartOp.RESIDUAL, "residual", lambda n: _sign(n, f"{abs(n)} lira a year in residual payments"),
        Role.AT_ONCE, a=Key("n", -5, missing=None), b=AT_LIMIT_TOO, note="within 0 and 5",
    ),
    Word(PartOp.DISCARD, "discard_cards", lambda n: f"discard {a(n, 'card')}", Role.LOSS, a=N, b=ANY_DECK),
    Word(PartOp.AGE_ONE, "age_wine", lambda n: f"age {up_to(n, 'wine')} by 1", times=N),
    Word(PartOp.PLANT, "plant", lambda n: f"plant {up_to(n, 'vine')}", a=N, deed=Metric.PLANTS),
    Word(PartOp.HARVEST, "harvest", lambda n: f"harvest {up_to(n, 'field')}", a=N, deed=Metric.HARVESTS),
    Word(PartOp.MAKE, "make_wine", lambda n: f"make {up_to(n, 'wine')}", a=N, deed=Metric.WINES_MADE),
    Word(
        PartOp.FILL, "fill_order", lambda n: f"fill {up_to(n, 'order')}",
        times=N, is_optional=True, deed=Metric.ORDERS_FILLED,
    ),
    Word(
        PartOp.BUILD, "build", _build, a=Key("discount", 0, missing=0), b=NO_PRICE, c=ALL_STRUCTURES, times=N,
        is_optional=True, deed=Metric.STRUCTURES_BUILT, note="at a discount for each",
    ),
    Word(
        PartOp.RETRIEVE, "retrieve_worker", lambda n: f"retrieve {up_to(n, 'worker')}", a=N,
        note="to be placed again this year, in a season they may work in",
    ),
)  # fmt: skip
WORDS = {row.word: row for row in ROWS if row.word}
_added = dict.fromkeys(row.part for row in ROWS if isinstance(row.part, str))
WorldPart: Any = namespace(f"{__name__}.WorldPart", {name: max(PartOp) + 1 + i for i, name in enumerate(_added)})
N_PARTS = int(max(WorldPart)) + 1
for _row in ROWS:
    if {*signature(_row.says).parameters} != {*_row.keys}:
        raise ValueError(f"the parameters of says of {_row.word!r} must be: {', '.join(_row.keys) or 'none'}")


def numbers(is_selected: Callable[[Word], bool]) -> list[int]:
    """Return the numbers of the parts whose rows are selected."""
    return sorted({row.number for row in ROWS if is_selected(row)})


def marks(is_selected: Callable[[Word], bool]) -> np.ndarray:
    """Return a mask by part number, int64, of the parts whose rows are selected."""
    mask = np.zeros(N_PARTS, np.int64)
    mask[numbers(is_selected)] = 1
    return mask


def effect(data: Any, label: str, needs_all: bool = False) -> list[Part]:
    """Parse an effect. needs_all: its points require all repetitions of the first part. Raises ValueError."""
    atoms = [settings_of(mapping_of(atom, label)) for atom in list_of(data, label)]
    if len(atoms) > MAX_EFFECT_PARTS:
        raise ValueError(f"{label} must have at most {MAX_EFFECT_PARTS} parts, got {len(atoms)}")
    parts = []
    for atom in atoms:
        word = atom.get("op")
        if not isinstance(word, str) or word not in WORDS:
            raise ValueError(f"unknown word {word!r} in {label}; expected one of: {', '.join(WORDS)}")
        part = WORDS[word].parse(atom, label)
        check_all_read(atom, f"{word} in {label}")
        if needs_all and part.op == PartOp.POINTS:
            deed = WORDS[atoms[0]["op"]].deed
            if deed is None:
                deeds = ", ".join(word for word, row in WORDS.items() if row.deed is not None)
                raise ValueError(f"vp_needs_all of {label} requires one of these as first part: {deeds}")
            part = Part(WorldPart.POINTS_IF_ALL, part.a, deed, N.number(atoms[0], label))
        parts.append(part)
    if needs_all and not any(part.op == WorldPart.POINTS_IF_ALL for part in parts):
        raise ValueError(f"vp_needs_all of {label} requires a part with points")
    return parts


def price(data: Any, label: str) -> int:
    """Parse a price, which must be in lira. Raises ValueError otherwise."""
    total = 0
    for part in effect(data, label):
        if part.op != PartOp.LIRA or part.a > 0:
            raise ValueError(f"{label} must be a payment of lira, such as {{ op = 'lira', n = -4 }}")
        total -= part.a
    return total


def table() -> str:
    """Return the documentation of all words as a Markdown table."""
    lines = ["| `op` | settings (defaults) | effect |", "| --- | --- | --- |"]
    for word, row in WORDS.items():
        example = {key.name: [*key.names, max(key.low, 1)][0] for key in row.keys.values() if key.missing is None}
        text = row.describe(example if word != "choose" else {"of": [[{"op": sale}] for sale in SALES]})
        settings = "; ".join(key.bounds() for key in row.keys.values())
        lines.append(f"| `{word}` | {settings} | {text}{f'; {row.note}' if row.note else ''} |")
    return "\n".join(lines)
