"""The words of chance that NumPy's `SeedSequence` makes of a seed: keys of games and seeds of bots come from there."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from numpy.arrays import ndarray
from numpy.kinds import dtype_of, uint32

WORD = 0xFFFFFFFF
POOL, SHIFT = 4, 16
INIT_A, MULT_A, INIT_B, MULT_B = 0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED
MIX_LEFT, MIX_RIGHT = 0xCA01F9DD, 0x4973F715


def _words(number: Any) -> list[int]:
    """A number, or several, as words of 32 bits, the lowest first."""
    if isinstance(number, Iterable):
        return [word for one in number for word in _words(one)]
    number = int(number)
    if number < 0:
        raise ValueError("a seed is a whole number from 0")
    found = [number & WORD]
    while number := number >> 32:
        found.append(number & WORD)
    return found


class _Hash:
    """O'Neill's hash, whose constant changes with every word."""

    def __init__(self) -> None:
        self.constant = INIT_A

    def __call__(self, value: int) -> int:
        value ^= self.constant
        self.constant = self.constant * MULT_A & WORD
        value = value * self.constant & WORD
        return value ^ value >> SHIFT


def _mix(x: int, y: int) -> int:
    found = (MIX_LEFT * x - MIX_RIGHT * y) & WORD
    return found ^ found >> SHIFT


class SeedSequence:
    """See NumPy's."""

    def __init__(self, entropy: Any = None, *, spawn_key: tuple[int, ...] = ()) -> None:
        self.entropy = secrets.randbits(128) if entropy is None else entropy
        self.spawn_key, self.n_children_spawned = tuple(spawn_key), 0
        words = _words(self.entropy)
        if self.spawn_key:
            words += [0] * (POOL - len(words)) + _words(self.spawn_key)
        mixed = _Hash()
        pool = [mixed(words[i] if i < len(words) else 0) for i in range(POOL)]
        for source in range(POOL):
            for to in range(POOL):
                if source != to:
                    pool[to] = _mix(pool[to], mixed(pool[source]))
        for word in words[POOL:]:
            for to in range(POOL):
                pool[to] = _mix(pool[to], mixed(word))
        self.pool = pool

    def generate_state(self, n_words: int, dtype: Any = uint32) -> ndarray:
        """So many words of 32 or 64 bits."""
        kind, constant, words = dtype_of(dtype), INIT_B, []
        for i in range(n_words * kind.itemsize // 4):
            value = self.pool[i % POOL] ^ constant
            constant = constant * MULT_B & WORD
            value = value * constant & WORD
            words.append(value ^ value >> SHIFT)
        if kind.itemsize == 8:
            words = [low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)]
        return ndarray.of(words, (n_words,), kind)

    def spawn(self, n: int) -> list[SeedSequence]:
        """Others that depend on this one."""
        first, self.n_children_spawned = self.n_children_spawned, self.n_children_spawned + n
        return [SeedSequence(self.entropy, spawn_key=(*self.spawn_key, first + i)) for i in range(n)]


def default_rng(seed: Any = None) -> Any:
    raise NotImplementedError("chance of NumPy's generators is not there without NumPy")
