"""Counter-based chance: a number depends only on the game's key, the purpose and how often it was asked.

No game depends on its batch, its index or the platform. The mixing is done on 32-bit words held in wider
integers, so that interpreted and compiled code give the same numbers.
"""

from vitienv.core.compiling.jit import jit

WORD = 0xFFFFFFFF


@jit
def mix(x):
    """A bijective scrambling of one 32-bit word (finalizer in the style of `lowbias32`)."""
    x = x & WORD
    x = x ^ (x >> 16)
    x = (x * 0x7FEB352D) & WORD
    x = x ^ (x >> 15)
    x = (x * 0x846CA68B) & WORD
    return x ^ (x >> 16)


@jit
def word(key0, key1, purpose, counter):
    """The `counter`-th 32-bit word for `purpose` under the 64-bit key (key0, key1)."""
    x = mix(int(key0) + 0x9E3779B9 * (int(counter) + 1))
    x = mix(x ^ int(key1) ^ ((int(purpose) + 1) * 0x85EBCA6B & WORD))
    return mix(x + int(key0))


@jit
def below(random_word, n):
    """A number from 0 to n - 1 from a 32-bit word; the bias is below n / 2**32."""
    return (random_word * int(n)) >> 32
