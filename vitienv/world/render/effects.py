"""World's data in words: each word of its closed language as people say it, so that an owner's data are told too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from vitienv.viticulture.render.words.plain import a, count, lira, listed, plain, points, up_to

Atom = Mapping[str, Any]
DECKS = {
    "vine": "vine card", "order": "order", "summer": "summer visitor", "winter": "winter visitor", "any": "card",
    "summer_or_winter": "visitor card",
}  # fmt: skip
SALES = {
    "sell_grapes": "sell grapes", "sell_field": "sell an empty field", "buy_field": "buy a field back",
    "buy_grape": "buy a grape by the row of the crush pad",
}  # fmt: skip


def _n(atom: Atom) -> int:
    return int(atom.get("n", 1))


def _signed(told: Callable[[int], str]) -> Callable[[Atom], str]:
    return lambda atom: told(_n(atom)) if _n(atom) >= 0 else f"lose {told(-_n(atom))}"


def _from(atom: Atom) -> str:
    least = atom.get("min_value", 1)
    return f" of value {least} or more" if least > 1 else ""


def _build(atom: Atom) -> str:
    less, each = atom.get("discount", 0), ", each" if _n(atom) > 1 else ""
    return f"build {up_to(_n(atom), 'structure')}" + (f"{each} for {lira(less)} less" if less else "")


def _exchange(atom: Atom) -> str:
    def side(parts: Sequence[Mapping[str, Any]]) -> str:
        words = {"cards": "card", "vp": "point"}
        found = []
        for part in parts:
            name, n = next((key, n) for key, n in part.items() if key in ("cards", "lira", "grape", "vp"))
            found.append(lira(n) if name == "lira" else count(n, words.get(name, name)))
        return listed(found, "or")

    return f"lose {side(atom['lose'])}, then gain {side(atom['gain'])}" if "lose" in atom else _again(atom)


def _again(atom: Atom) -> str:
    return "exchange one thing for another" + (f", {_n(atom)} times" if _n(atom) > 1 else "")


def _colour(atom: Atom) -> str:
    colour = atom.get("color", "choice")
    return "a grape of either colour" if colour == "choice" else f"a {colour} grape"


ATOMS: dict[str, Callable[[Atom], str]] = {
    "lira": _signed(lira),
    "vp": _signed(points),
    "influence": lambda atom: f"{_n(atom)} influence",
    "residual": _signed(lambda n: f"{lira(n)} a year in residual payments"),
    "draw": lambda atom: f"draw {a(_n(atom), DECKS[atom['deck']])}",
    "discard_cards": lambda atom: f"discard {a(_n(atom), 'card')}",
    "grape": lambda atom: f"{_colour(atom)} of value {atom.get('value', 1)}",
    "lose_grape": lambda atom: f"discard {a(_n(atom), 'grape')}{_from(atom)}",
    "wine": lambda atom: f"{atom.get('type')} wine of value {atom.get('value')}",
    "lose_wine": lambda atom: f"discard {a(_n(atom), 'wine')}{_from(atom)}",
    "age_grape": lambda atom: f"age {up_to(_n(atom), 'grape')} by 1",
    "age_wine": lambda atom: f"age {up_to(_n(atom), 'wine')} by 1",
    "play_visitor": lambda atom: "play " + up_to(_n(atom), f"{atom.get('season')} visitor"),
    "plant": lambda atom: f"plant {up_to(_n(atom), 'vine')}",
    "harvest": lambda atom: f"harvest {up_to(_n(atom), 'field')}",
    "make_wine": lambda atom: f"make {up_to(_n(atom), 'wine')}",
    "fill_order": lambda atom: f"fill {up_to(_n(atom), 'order')}",
    "build": _build,
    "tour": lambda atom: f"a tour for {lira(int(atom['lira']))}",
    "sell_wine": lambda atom: f"sell {up_to(_n(atom), 'wine')} for lira of its value",
    "remove_hat": lambda atom: f"take {up_to(_n(atom), 'hat')} off your workers",
    "take_innovation": lambda atom: f"take {up_to(_n(atom), 'tile')} on show",
    "retrieve_worker": lambda atom: f"take back {up_to(_n(atom), 'worker')}",
    "temporary_worker": lambda atom: "the temporary worker",
    "exchange": _exchange,
    "exchange_same_as_base": _again,
    "deal_aims": lambda atom: f"{count(_n(atom), 'aim')} of your own",
    "buy_influence_each": lambda atom: f"move the influence token, {up_to(int(atom.get('max', 1)), 'step')} "
    f"for {lira(int(atom['lira_each']))} each",
    "choose": lambda atom: listed((SALES[way[0]["op"]] for way in atom["of"]), "or"),
}


def effect(atoms: Sequence[Atom], needs_all: bool = False) -> str:
    """What an effect of the data does; "nothing" if it is empty. needs_all: its points need all of the first part."""
    found = []
    for atom in atoms:
        told = ATOMS[atom["op"]](atom) if atom["op"] in ATOMS else plain(str(atom["op"]))
        found.append(f"{told} if you do all of it" if needs_all and atom["op"] == "vp" else told)
    return listed(found) or "nothing"


THINGS = ("lira", "vp", "influence", "residual", "grape", "wine", "tour", "temporary_worker", "deal_aims")


def has(gain: Sequence[Atom], pay: Sequence[Atom] = ()) -> str:
    """What somebody has of an effect, or may do: "has 1 lira", "may age a grape", "may pay 1 lira and harvest"."""
    is_thing = gain[0]["op"] in THINGS and _n(gain[0]) >= 0
    if pay:
        cost = f"pay {lira(price(pay))}" if {atom["op"] for atom in pay} == {"lira"} else effect(pay)
        return f"may {cost} and {'have ' if is_thing else ''}{effect(gain)}"
    return f"{'has' if is_thing else 'may'} {effect(gain)}"


def price(atoms: Sequence[Atom]) -> int:
    """Lira that a cost of the data comes to."""
    return -sum(_n(atom) for atom in atoms if atom["op"] == "lira")


METRICS = {"vp": "points", "aims_met": "aims met", "action_G_uses": "times that action G was taken"}


def need(given: Mapping[str, Any]) -> str:
    """What a goal or an aim asks for."""
    thing, other = _metric(given["metric"]), given.get("solo_metric", given["metric"])
    bound, n = ("at most", given["at_most"]) if "at_most" in given else ("at least", given.get("at_least", 1))
    each, least = " for each seat" if given.get("per_player") else "", given.get("minimum", 0)
    if least > n:
        each += f" (alone {least})" if each and least <= 2 * n else f" (never below {least})"
    return f"{bound} {n}{each} of: {thing}" + (f" (alone: {_metric(other)})" if other != given["metric"] else "")


def _metric(word: str) -> str:
    return METRICS.get(word, plain(word).replace("vp", "points").replace("plus", "or more"))
