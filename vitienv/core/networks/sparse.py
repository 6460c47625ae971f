"""The first layer of a network in training: products with a sparse matrix of inputs.

The matrix is stored by rows (decisions, CSR) or by columns (inputs, CSC): values, their indices, and the offset of each
row or column. Threads write disjoint rows or columns, and the order of each sum is fixed.
"""

import numpy as np

from vitienv.core.compiling.jit import cache_on_disk
from vitienv.core.networks.network import FOLDER, ROOM_TYPES, Room, gather_inputs
from vitienv.core.networks.sums import add_rows


def _count(observations, masks, counts):
    """Write the number of nonzero inputs of each of n rows into counts (n,) int64."""
    for i in range(len(observations)):
        observation, mask, n = observations[i], masks[i], 0
        for j in range(len(observation)):
            n += observation[j] != 0
        for j in range(len(mask)):
            n += mask[j] != 0
        counts[i] = n


def _list_inputs(logs, observations, masks, prior_scores, starts, places, numbers, room):
    """Write the nonzero inputs of n rows, row i from starts[i] on; see `network.gather_inputs`."""
    for i in range(len(observations)):
        n, _ = gather_inputs(logs, observations[i], masks[i], prior_scores[i], room)
        for k in range(n):
            places[starts[i] + k] = room.places[k]
            numbers[starts[i] + k] = room.numbers[k]


def _by_column(low, high, starts, places, numbers, column_starts, column_places, column_numbers, ends):
    """Convert rows to the columns `low` to `high`, which start at column_starts. ends: scratch, one per column."""
    for column in range(low, high):
        ends[column] = column_starts[column]
    for row in range(len(starts) - 1):
        for k in range(starts[row], starts[row + 1]):
            column = places[k]
            if column >= low and column < high:
                column_places[ends[column]] = row
                column_numbers[ends[column]] = numbers[k]
                ends[column] += 1


def _multiply(low, high, starts, places, numbers, matrix, out):
    """Write rows `low` to `high` of the product of the sparse matrix and a flat row-major matrix into `out`."""
    for row in range(low, high):
        for j in range(out.shape[1]):
            out[row, j] = np.float32(0)
        entries = slice(starts[row], starts[row + 1])
        add_rows(matrix, 0, places[entries], numbers[entries], out[row])


TYPES = {
    "int16[:, ::1]": "observations prior_scores",
    "int8[:, ::1]": "masks",
    "int64[::1]": "counts starts column_starts ends",
    "int8[::1]": "logs",
    "int32[::1]": "places column_places",
    "float32[::1]": "numbers column_numbers matrix",
    (Room, ROOM_TYPES): "room",
    "int64": "low high",
    "float32[:, ::1]": "out",
}
count, list_inputs, by_column, multiply = (
    cache_on_disk(kernel, FOLDER, "the networks", TYPES) for kernel in (_count, _list_inputs, _by_column, _multiply)
)
