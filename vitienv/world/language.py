"""The closed language of World's data: what actions, tiles, events and cards do, as parts with numbers.

An effect in the data is a list of such tables as `{ op = "draw", deck = "vine", n = 2 }`. `effect` turns it into parts,
one of which is enough to carry it out. ValueError, in one line, for a word that is unknown, and for a setting that the
word does not read.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from vitienv.core.checks import list_of, mapping_of, one_of, whole
from vitienv.core.namespaces import Numbers
from vitienv.viticulture.cards.parts import ALL_STRUCTURES, ANY_DECK, AT_LIMIT_TOO, NO_PRICE, VISITORS, PartOp
from vitienv.viticulture.names import COLOURS, DECKS, N_VALUES, WINES, Deck
from vitienv.world.components import all_read, settings_of
from vitienv.world.names import Metric

MOST_PARTS = 4
MOST = 20  # of anything that one effect gives or takes
EITHER_COLOUR = len(COLOURS)
SELL_GRAPES, SELL_FIELD, BUY_FIELD, BUY_GRAPE = 1, 2, 4, 8  # what a sale may be, as bits


class WorldPart(Numbers):
    """Parts that cards of the other rulesets do not have; their numbers go on where `PartOp` ends."""

    INFLUENCE = max(PartOp) + 1
    DRAW_OF = max(PartOp) + 2
    GRAPE = max(PartOp) + 3
    WINE = max(PartOp) + 4
    LOSE_GRAPE = max(PartOp) + 5
    LOSE_WINE = max(PartOp) + 6
    AGE_GRAPE = max(PartOp) + 7
    PLAY = max(PartOp) + 8
    TOUR = max(PartOp) + 9
    SELL = max(PartOp) + 10
    SELL_WINE = max(PartOp) + 11
    REMOVE_HAT = max(PartOp) + 12
    INNOVATE = max(PartOp) + 13
    EXCHANGE = max(PartOp) + 14
    BUY_INFLUENCE = max(PartOp) + 15
    TEMPORARY = max(PartOp) + 16
    POINTS_IF_ALL = max(PartOp) + 17
    DEAL_AIMS = max(PartOp) + 18


class Part(NamedTuple):
    """A part: its number, its settings, and how often it may be done, once being enough."""

    op: int
    a: int = 0
    b: int = 0
    c: int = 0
    times: int = 1


# How often a thing was done is told by a deed: for points that need all of it.
DEED_OF: dict[str, Metric] = {
    "play_visitor": Metric.VISITORS_PLAYED,
    "build": Metric.STRUCTURES_BUILT,
    "plant": Metric.PLANTS,
    "harvest": Metric.HARVESTS,
    "fill_order": Metric.ORDERS_FILLED,
    "sell_wine": Metric.WINES_SOLD,
    "make_wine": Metric.WINES_MADE,
}


def _number(atom: Mapping[str, Any], key: str, where: str, low: int = 1, missing: int | None = 1) -> int:
    value = atom.get(key, missing)
    return whole(value, low, MOST, f"{key} of {where}")


def _draw(atom: Mapping[str, Any], where: str) -> Part:
    deck, n = atom.get("deck"), _number(atom, "n", where)
    several = {"any": ANY_DECK, "summer_or_winter": VISITORS}
    if deck in several:
        return Part(WorldPart.DRAW_OF, several[str(deck)], n)
    known = [*DECKS, *several]
    if deck not in known:
        raise ValueError(f"unknown deck {deck!r} in {where}; there is {', '.join(known)}")
    if n > 7:
        raise ValueError(f"n of {where} is {n}; at most 7 cards of a deck are drawn at once")
    return Part(PartOp.DRAW, n << (3 * DECKS.index(str(deck))))


def _grape(atom: Mapping[str, Any], where: str) -> Part:
    colour = one_of(atom.get("color", "choice"), [*COLOURS, "choice"], f"color of {where}")
    n = _number(atom, "n", where)
    return Part(WorldPart.GRAPE, colour, whole(atom.get("value", n), 1, N_VALUES, f"value of {where}"), 0, n)


def _wine(atom: Mapping[str, Any], where: str) -> Part:
    kind = one_of(atom.get("type"), WINES, f"type of {where}")
    return Part(WorldPart.WINE, kind, whole(atom.get("value"), 1, N_VALUES, f"value of {where}"))


def _lose_wine(atom: Mapping[str, Any], where: str) -> Part:
    kinds = 0
    for name in list_of(atom.get("types", WINES), f"types of {where}"):
        kinds |= 1 << one_of(name, WINES, f"type of {where}")
    least = whole(atom.get("min_value", 1), 1, N_VALUES, f"min_value of {where}")
    return Part(WorldPart.LOSE_WINE, least, kinds, 0, _number(atom, "n", where))


def _lose_grape(atom: Mapping[str, Any], where: str) -> Part:
    least = whole(atom.get("min_value", 1), 1, N_VALUES, f"min_value of {where}")
    return Part(WorldPart.LOSE_GRAPE, least, 0, 0, _number(atom, "n", where))


def _visitor(atom: Mapping[str, Any], where: str) -> Part:
    season = one_of(atom.get("season"), ["summer", "winter"], f"season of {where}")
    return Part(WorldPart.PLAY, _number(atom, "n", where), (Deck.SUMMER, Deck.WINTER)[season])


def _build(atom: Mapping[str, Any], where: str) -> Part:
    discount = _number(atom, "discount", where, 0, 0)
    return Part(PartOp.BUILD, discount, NO_PRICE, ALL_STRUCTURES, _number(atom, "n", where))


def _signed(op: int) -> Callable[[Mapping[str, Any], str], Part]:
    return lambda atom, where: Part(op, _number(atom, "n", where, -MOST, None))


def _up_to(op: int) -> Callable[[Mapping[str, Any], str], Part]:
    """Several are asked for by one question."""
    return lambda atom, where: Part(op, _number(atom, "n", where))


def _times(op: int) -> Callable[[Mapping[str, Any], str], Part]:
    """Several are asked for one after the other."""
    return lambda atom, where: Part(op, times=_number(atom, "n", where))


SALES = {"sell_grapes": SELL_GRAPES, "sell_field": SELL_FIELD, "buy_field": BUY_FIELD, "buy_grape": BUY_GRAPE}


def _sale(atom: Mapping[str, Any], where: str) -> Part:
    """A choice among sales, which is one question."""
    kinds = 0
    for way in list_of(atom.get("of"), f"of in {where}"):
        words = [mapping_of(each, where).get("op") for each in list_of(way, f"of in {where}")]
        if len(words) != 1 or words[0] not in SALES:
            raise ValueError(f"{where} chooses among {words}; a choice is among {', '.join(SALES)}, one each")
        kinds |= SALES[words[0]]
    return Part(WorldPart.SELL, kinds)


# By word: what makes the part. A setting beside `op` that it does not read is refused.
ATOMS: dict[str, Callable[[Mapping[str, Any], str], Part]] = {
    "lira": _signed(PartOp.LIRA),
    "vp": _signed(PartOp.POINTS),
    "influence": _up_to(WorldPart.INFLUENCE),
    "residual": lambda atom, where: Part(PartOp.RESIDUAL, _number(atom, "n", where, -5, None), AT_LIMIT_TOO),
    "draw": _draw,
    "discard_cards": lambda atom, where: Part(PartOp.DISCARD, _number(atom, "n", where), ANY_DECK),
    "grape": _grape,
    "lose_grape": _lose_grape,
    "wine": _wine,
    "lose_wine": _lose_wine,
    "age_grape": _times(WorldPart.AGE_GRAPE),
    "age_wine": _times(PartOp.AGE_ONE),
    "play_visitor": _visitor,
    "plant": _up_to(PartOp.PLANT),
    "harvest": _up_to(PartOp.HARVEST),
    "make_wine": _up_to(PartOp.MAKE),
    "fill_order": _times(PartOp.FILL),
    "build": _build,
    "tour": lambda atom, where: Part(WorldPart.TOUR, _number(atom, "lira", where, missing=None)),
    "sell_wine": _times(WorldPart.SELL_WINE),
    "remove_hat": _times(WorldPart.REMOVE_HAT),
    "take_innovation": _times(WorldPart.INNOVATE),
    "retrieve_worker": _up_to(PartOp.RETRIEVE),
    "temporary_worker": lambda atom, where: Part(WorldPart.TEMPORARY),
    "exchange": lambda atom, where: Part(WorldPart.EXCHANGE),
    "exchange_same_as_base": _times(WorldPart.EXCHANGE),
    "deal_aims": _up_to(WorldPart.DEAL_AIMS),
    "buy_influence_each": lambda atom, where: Part(
        WorldPart.BUY_INFLUENCE, _number(atom, "max", where), _number(atom, "lira_each", where, 0, None)),
    "choose": _sale,
}  # fmt: skip


def effect(given: Any, where: str, needs_all: bool = False) -> list[Part]:
    """The parts of an effect. needs_all: its points come only if the first part was done as often as it may be."""
    atoms = [settings_of(mapping_of(atom, where)) for atom in list_of(given, where)]
    if len(atoms) > MOST_PARTS:
        raise ValueError(f"{where} has {len(atoms)} parts; there may be {MOST_PARTS}")
    parts = []
    for atom in atoms:
        word = atom.get("op")
        if not isinstance(word, str) or word not in ATOMS:
            raise ValueError(f"unknown word {word!r} in {where}; there is {', '.join(ATOMS)}")
        part = ATOMS[word](atom, where)
        all_read(atom, f"{word} in {where}")
        if needs_all and part.op == PartOp.POINTS:
            first = atoms[0]
            if first.get("op") not in DEED_OF:
                raise ValueError(f"vp_needs_all of {where}: points may need all of {', '.join(DEED_OF)} alone")
            deed = DEED_OF[first["op"]]
            part = Part(WorldPart.POINTS_IF_ALL, part.a, deed, _number(first, "n", where))
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
