"""NumPy's `SeedSequence`, from which keys of games and seeds of bots are derived."""

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
    """Return integers as 32-bit words, the lowest first."""
    if isinstance(number, Iterable):
        return [word for part in number for word in _words(part)]
    number = int(number)
    if number < 0:
        raise ValueError(f"seed must be an integer of at least 0, got {number}")
    words = [number & WORD]
    while number := number >> 32:
        words.append(number & WORD)
    return words


class _Hash:
    """Hash function of O'Neill; its constant changes with every word."""

    def __init__(self) -> None:
        self.constant = INIT_A

    def __call__(self, value: int) -> int:
        value ^= self.constant
        self.constant = self.constant * MULT_A & WORD
        value = value * self.constant & WORD
        return value ^ value >> SHIFT


def _mix(x: int, y: int) -> int:
    word = (MIX_LEFT * x - MIX_RIGHT * y) & WORD
    return word ^ word >> SHIFT


class SeedSequence:
    """See `numpy.random.SeedSequence`."""

    def __init__(self, entropy: Any = None, *, spawn_key: tuple[int, ...] = ()) -> None:
        self.entropy = secrets.randbits(128) if entropy is None else entropy
        self.spawn_key, self.n_children_spawned = tuple(spawn_key), 0
        words = _words(self.entropy)
        if self.spawn_key:
            words += [0] * (POOL - len(words)) + _words(self.spawn_key)
        hashed = _Hash()
        pool = [hashed(words[i] if i < len(words) else 0) for i in range(POOL)]
        for source in range(POOL):
            for target in range(POOL):
                if source != target:
                    pool[target] = _mix(pool[target], hashed(pool[source]))
        for word in words[POOL:]:
            for target in range(POOL):
                pool[target] = _mix(pool[target], hashed(word))
        self.pool = pool

    def generate_state(self, n_words: int, dtype: Any = uint32) -> ndarray:
        """Return words of 32 or 64 bits."""
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
        """Return derived seed sequences."""
        first, self.n_children_spawned = self.n_children_spawned, self.n_children_spawned + n
        return [SeedSequence(self.entropy, spawn_key=(*self.spawn_key, first + i)) for i in range(n)]


def default_rng(seed: Any = None) -> Any:
    raise NotImplementedError("default_rng requires NumPy")
