"""The action space: a flat `Discrete` of named actions, in named blocks."""

from collections.abc import Iterable

from vitienv.core.options import did_you_mean, is_int


class ActionSpec:
    """Concatenated blocks of action names.

    >>> spec = ActionSpec({"answer": ["yes", "no"], "deck": ["deck:vine"]})
    >>> spec.number("no"), spec.name(2), spec.start("deck"), len(spec)
    (1, 'deck:vine', 2, 3)
    """

    def __init__(self, blocks: dict[str, list[str]]) -> None:
        self.blocks = {name: list(names) for name, names in blocks.items()}
        self.names: list[str] = [name for names in self.blocks.values() for name in names]
        self._numbers: dict[str, int] = {}
        for number, name in enumerate(self.names):
            if self._numbers.setdefault(name, number) != number:
                raise ValueError(f"duplicate action {name!r}")
        self._starts: dict[str, int] = {}
        position = 0
        for block, names in self.blocks.items():
            self._starts[block] = position
            position += len(names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def n(self) -> int:
        """Number of actions."""
        return len(self.names)

    def start(self, block: str) -> int:
        """Return the first action index of `block`."""
        return self._starts[block]

    def name(self, number: int) -> str:
        """Return the name of an action index. ValueError if it is out of range."""
        if not is_int(number) or not 0 <= number < len(self.names):
            raise ValueError(f"action index must be an integer from 0 to {len(self.names) - 1}, got {number!r}")
        return self.names[number]

    def number(self, name: str) -> int:
        """Return the index of an action name. ValueError, with similar names, if it is unknown."""
        if name not in self._numbers:
            raise ValueError(f"unknown action {name!r}{did_you_mean(name, self.names)}")
        return self._numbers[name]

    def legal(self, mask: Iterable[int]) -> list[str]:
        """Return the names of the actions that `mask` allows, in order."""
        return [name for name, allowed in zip(self.names, mask, strict=True) if allowed]
