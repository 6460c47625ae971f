"""Texts of effects, prices and goals, generated from the data, so that custom data have texts too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vitienv.viticulture.render.text.phrases import lira, listed, plain
from vitienv.world.language import GAINS, WORDS

Atom = Mapping[str, Any]


def effect(atoms: Sequence[Atom], needs_all: bool = False) -> str:
    """Describe an effect, "nothing" if it is empty. needs_all: its points require all of the first part."""
    sentences = [
        WORDS[atom["op"]].describe(atom) + (" if you do all of it" if needs_all and atom["op"] == "vp" else "")
        for atom in atoms
    ]
    return listed(sentences) or "nothing"


def has(gain: Sequence[Atom], pay: Sequence[Atom] = ()) -> str:
    """Describe a gain: "has 1 lira", "may age a grape", "may pay 1 lira and harvest"."""
    is_gain = WORDS[gain[0]["op"]].kind in GAINS and gain[0].get("n", 1) >= 0
    if pay:
        cost = f"pay {lira(price(pay))}" if {atom["op"] for atom in pay} == {"lira"} else effect(pay)
        return f"may {cost} and {'have ' if is_gain else ''}{effect(gain)}"
    return f"{'has' if is_gain else 'may'} {effect(gain)}"


def price(atoms: Sequence[Atom]) -> int:
    """Return the lira of a price in the data."""
    return -sum(atom["n"] for atom in atoms if atom["op"] == "lira")


METRICS = {"vp": "points", "aims_met": "aims met", "action_G_uses": "times that action G was taken"}


def need(goal: Mapping[str, Any]) -> str:
    """Describe the need of a goal or an aim."""
    metric, solo_metric = _metric(goal["metric"]), goal.get("solo_metric", goal["metric"])
    bound, n = ("at most", goal["at_most"]) if "at_most" in goal else ("at least", goal.get("at_least", 1))
    suffix, minimum = " for each seat" if goal.get("per_player") else "", goal.get("minimum", 0)
    if minimum > n:
        suffix += f" (alone {minimum})" if suffix and minimum <= 2 * n else f" (never below {minimum})"
    return f"{bound} {n}{suffix} of: {metric}" + (
        f" (alone: {_metric(solo_metric)})" if solo_metric != goal["metric"] else ""
    )


def _metric(word: str) -> str:
    return METRICS.get(word, plain(word).replace("vp", "points").replace("plus", "or more"))
