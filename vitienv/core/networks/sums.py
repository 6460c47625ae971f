"""What compiled networks are made of: sums of rows of weights, each in one fixed order, and lists of what is not zero.

They are as the processor likes them, a row of weights or a few numbers at a time and without branches that it could not
foretell; each sum is made of the same numbers in the same order however it is written.
"""

import numpy as np

from vitienv.core.compiling.jit import jit

LANES = 16  # sums side by side; all layers are as wide as a multiple of it, what is added being zero
NARROW = 32  # a width of which all sums fit into registers
BITS = 0x7FFFFFFF  # they say to the compiler that a place is not negative, so that it needs no check for it
ZERO = np.float32(0)


@jit
def copy(x, out):
    """Write x into `out`."""
    for i in range(len(out)):
        out[i] = x[i]


def narrow_adder():
    """`add_rows` for out (NARROW,), written out number by number: so all sums stay in registers to the last row."""
    sums = range(NARROW)
    source = "def add_narrow_rows(weights, start, places, numbers, out):\n"
    source += "".join(f"    sum{j} = out[{j}]\n" for j in sums)
    source += "    for i in range(len(places)):\n"
    source += f"        a, at = numbers[i], (start + places[i] * {NARROW}) & {BITS}\n"
    source += "".join(f"        sum{j} = sum{j} + a * weights[at + {j}]\n" for j in sums)
    source += "".join(f"    out[{j}] = sum{j}\n" for j in sums)
    scope: dict = {"__name__": __name__}
    exec(source, scope)
    return jit(scope["add_narrow_rows"])


add_narrow_rows = narrow_adder()


@jit
def add_rows(weights, start, places, numbers, out):
    """Add to out (width,) each of some numbers times its row of the weights from `start` on. places: of the rows."""
    if len(out) == NARROW:
        add_narrow_rows(weights, start, places, numbers, out)
        return
    width, n, i = len(out), len(places), 0
    while i + 4 <= n:  # four at a time: their sum is written once
        a, b, c, d = numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]
        at, bt = start + places[i] * width, start + places[i + 1] * width
        ct, dt = start + places[i + 2] * width, start + places[i + 3] * width
        rows_a, rows_b = weights[at : at + width], weights[bt : bt + width]
        rows_c, rows_d = weights[ct : ct + width], weights[dt : dt + width]
        for j in range(width):
            out[j] = out[j] + a * rows_a[j] + b * rows_b[j] + c * rows_c[j] + d * rows_d[j]
        i += 4
    while i < n:
        a, at = numbers[i], start + places[i] * width
        rows_a = weights[at : at + width]
        for j in range(width):
            out[j] = out[j] + a * rows_a[j]
        i += 1


@jit
def dot(x, y, lanes):
    """The sum of products of x and y."""
    for lane in range(LANES):
        lanes[lane] = ZERO
    for start in range(0, len(x), LANES):
        a, b = x[start : start + LANES], y[start : start + LANES]
        for lane in range(LANES):
            lanes[lane] += a[lane] * b[lane]
    total = ZERO
    for lane in range(LANES):
        total += lanes[lane]
    return total


@jit
def list_filled(x, parts, places):
    """List where x is not zero, in order; how many places there are. parts: scratch, a number for each four of x.

    Fours of zeros, which are most, are passed over first. No branch hangs on what is found: none could be foretold.
    """
    n_parts, whole = 0, len(x) // 4 * 4
    for i in range(0, whole, 4):
        parts[n_parts] = i
        n_parts += (x[i] | x[i + 1] | x[i + 2] | x[i + 3]) != 0
    n = 0
    for k in range(n_parts):
        first = parts[k] & BITS
        for i in range(first, first + 4):
            places[n & BITS] = i
            n += x[i] != 0
    for i in range(whole, len(x)):
        places[n] = i
        n += x[i] != 0
    return n
