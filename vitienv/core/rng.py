"""Counter-based RNG: a random word is a function of the game's key, the stream and the counter of the stream.

Games are independent of batch, index and platform. The 32-bit words are stored in wider integers, so that interpreted
and compiled code return the same numbers.
"""

from vitienv.core.compiling.jit import jit

WORD = 0xFFFFFFFF


@jit
def mix(x):
    """Mix the bits of a 32-bit word, bijectively (a finalizer in the style of `lowbias32`)."""
    x = x & WORD
    x = x ^ (x >> 16)
    x = (x * 0x7FEB352D) & WORD
    x = x ^ (x >> 15)
    x = (x * 0x846CA68B) & WORD
    return x ^ (x >> 16)


@jit
def word(key0, key1, purpose, counter):
    """Return the `counter`-th 32-bit word of stream `purpose` under the 64-bit key (key0, key1)."""
    x = mix(int(key0) + 0x9E3779B9 * (int(counter) + 1))
    x = mix(x ^ int(key1) ^ ((int(purpose) + 1) * 0x85EBCA6B & WORD))
    return mix(x + int(key0))


@jit
def below(random_word, n):
    """Map a 32-bit word to an integer from 0 to n - 1; the bias is below n / 2**32."""
    return (random_word * int(n)) >> 32
