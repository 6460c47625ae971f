"""Trying everything: a node is a position with the parts of a card that are still to be done."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from .estate import State


class Step(NamedTuple):
    """One way to go on. Without a name nobody is asked: it simply happens."""

    name: str | None
    state: State
    then: tuple["Part", ...] = ()


# A part of a card looks at the position and lists the ways to do it; an empty list means that it cannot be done.
Part = Callable[[State], Iterable[Step]]


class Node(NamedTuple):
    state: State
    parts: tuple[Part, ...]


def ways(node: Node) -> list[tuple[str | None, Node]]:
    first, rest = node.parts[0], node.parts[1:]
    return [(step.name, Node(step.state, step.then + rest)) for step in first(node.state)]


def can_finish(node: Node) -> bool:
    """Whether some sequence of choices carries out all parts."""
    return not node.parts or any(can_finish(after) for _, after in ways(node))


def settle(node: Node) -> Node | None:
    """Do what happens without a choice; None if that is impossible."""
    while node.parts:
        possible = ways(node)
        if not possible:
            return None
        if possible[0][0] is not None:
            break
        node = possible[0][1]
    return node


def legal(node: Node) -> dict[str, Node]:
    """The choices from here after which everything can still be carried out."""
    settled = settle(node)
    if settled is None or not settled.parts:
        return {}
    return {name: after for name, after in ways(settled) if name is not None and can_finish(after)}
