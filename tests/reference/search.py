"""Exhaustive search: a node is a position with the parts of a card that are not resolved yet."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, NamedTuple

from .estate import State


class Step(NamedTuple):
    """A successor of a position. A step without a name needs no decision."""

    name: str | None
    state: State
    next_parts: tuple["Part", ...] = ()


# A part of a card returns its possible steps in a position; without any, it is illegal.
Part = Callable[[State], Iterable[Step]]


def part(function: Callable[..., Iterable[Step]]) -> Callable[..., Part]:
    """Turn a function of a state and arguments into a function of the arguments that returns a part."""

    @wraps(function)
    def bind(*arguments: Any, **options: Any) -> Part:
        return lambda state: function(state, *arguments, **options)

    return bind


class Node(NamedTuple):
    state: State
    parts: tuple[Part, ...]


def ways(node: Node) -> list[tuple[str | None, Node]]:
    first, later_parts = node.parts[0], node.parts[1:]
    return [(step.name, Node(step.state, step.next_parts + later_parts)) for step in first(node.state)]


def can_finish(node: Node) -> bool:
    """Return whether some sequence of choices resolves all parts."""
    return not node.parts or any(can_finish(after) for _, after in ways(node))


def settle(node: Node) -> Node | None:
    """Apply steps without a decision; None if that is impossible."""
    while node.parts:
        possible = ways(node)
        if not possible:
            return None
        if possible[0][0] is not None:
            break
        node = possible[0][1]
    return node


def legal(node: Node) -> dict[str, Node]:
    """Return the choices after which all parts can still be resolved."""
    settled = settle(node)
    if settled is None or not settled.parts:
        return {}
    return {name: after for name, after in ways(settled) if name is not None and can_finish(after)}
