"""Branch-free, vectorised sums over rows of weights, in a fixed order, and lists of nonzero values."""

import numpy as np

from vitienv.core.compiling.jit import jit

LANES = 16  # parallel sums; layers are padded with zeros to a multiple of it
NARROW = 32  # width whose sums fit into registers
BITS = 0x7FFFFFFF  # mask for indices, so that the compiler omits the check for negative ones
ZERO = np.float32(0)


@jit
def copy(x, out):
    """Write x into `out`."""
    for i in range(len(out)):
        out[i] = x[i]


def narrow_adder():
    """Compile `add_rows` for out (NARROW,), unrolled so that all sums stay in registers."""
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
    """Add numbers[i] times row places[i] of the weights from `start` on to out (width,), for each i."""
    if len(out) == NARROW:
        add_narrow_rows(weights, start, places, numbers, out)
        return
    width, n, i = len(out), len(places), 0
    while i + 4 <= n:  # four rows at a time, to write `out` once
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
    """Return the dot product of x and y."""
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
    """Write the indices of the nonzero values of x into `places`; returns their number. parts: scratch, len(x) / 4."""
    # Skips groups of four zeros first, without branches, which would be mispredicted.
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
