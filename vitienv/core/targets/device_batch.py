"""A batch of games on a device, stepped by the kernels of `vitienv/core/targets/cuda.py`."""

from collections.abc import Mapping
from threading import RLock
from typing import Any

import numpy as np

from vitienv.core.batch import ARRAYS, RANDOM, Batch, check_memory
from vitienv.core.options import Options
from vitienv.core.targets.cuda import NUM_DECISIONS, Device
from vitienv.core.targets.llvm_modules import kernels_of, report_compilation

RECORDS = ("games", "bytes_view", "int16_view")  # kernel arguments that are views of the records


class DeviceBatch(Batch):
    """n games on a device, with the arrays of `Batch` in its memory. The records are `bytes_view` (n, bytes) int8.

    taken: (n,) int64, number of decisions that the last call took.
    """

    def __init__(self, n: int, options: Options, device: Device) -> None:
        """Create games. ValueError for an invalid number of games or interpreted rules."""
        host = Batch(1, options)
        check_memory(n, options.game_spec, device.memory)
        self.options, self.game_spec, self.rules = options, options.game_spec, host.rules
        self.reward_number, self.num_threads, self._pool = host.reward_number, 1, None
        self.lock = host.lock
        self.device, xp = device, device.xp
        for name in ("bytes_view", *ARRAYS):
            array = getattr(host, name)
            setattr(self, name, xp.zeros((n, *array.shape[1:]), array.dtype))
        self.viewers, self.taken = xp.zeros(n, np.int8), xp.zeros(n, np.int64)
        self.status = self.field("status")
        self._rules = xp.asarray(host.rules)
        self._loaded = {}
        folder = options.game_spec.kernels.folder
        kernels = kernels_of(host)
        with report_compilation(kernels, folder) as making:
            for kernel in kernels:
                results = [NUM_DECISIONS] if kernel.function.__name__ == "run" else []
                with making(kernel):
                    loaded = device.load(kernel, folder)
                self._loaded[kernel.function.__name__] = loaded, [*kernel.arguments, *results]

    def __len__(self) -> int:
        return len(self.bytes_view)

    def field(self, name: str) -> Any:
        """Return a scalar 8-bit field of the records, (n,) int8, a view. ValueError for other fields."""
        kind, offset = self.game_spec.dtype.fields[name][:2]
        if kind.itemsize != 1:
            raise ValueError(f"field {name!r} must be a scalar of 8 bits, got {kind}")
        return self.bytes_view[:, offset]

    def _call(self, name: str, **overrides: Any) -> None:
        """Launch a kernel. overrides: arguments that are not arrays of the batch, or replace one."""
        kernel, names = self._loaded[name]
        arrays = {**dict.fromkeys(RECORDS, self.bytes_view), "rules": self._rules, "viewers": self.viewers, **overrides}
        kernel(
            len(self),
            [
                arrays[name_of_array] if name_of_array in arrays else getattr(self, name_of_array)
                for name_of_array in names
            ],
        )

    def run(self, flags: int) -> int:
        """Call the kernel on all games; returns the decisions taken for random play, else 0 to avoid synchronizing."""
        self._call("run", flags=flags, reward_kind=self.reward_number)
        return int(self.fetch(self.taken.sum())) if flags & RANDOM else 0

    def start(self, keys: np.ndarray, observe: bool = True, rows: np.ndarray | None = None) -> None:
        """See `Batch.start`; the keys (n, 2) are in host memory."""
        super().start(self.device.xp.asarray(keys), observe, rows)

    def observe(self, viewers: Any, out: Any) -> Any:
        """See `Batch.observe`; viewers and out (n, features) are on the device."""
        self.viewers[...] = viewers
        self._call("observe_seat", obs=out)
        return out

    def standings(self) -> tuple[Any, Any]:
        """Return current scores and ranks, new arrays (n, max seats) on the device."""
        scores, ranks = self.device.xp.zeros_like(self.scores), self.device.xp.zeros_like(self.ranks)
        self._call("write_standings", scores=scores, ranks=ranks)
        return scores, ranks

    def determinize(self, viewers: Any, keys: Any) -> None:
        """See `Batch.determinize`; viewers and keys (n, 2) uint32 are on the device."""
        self.viewers[...] = viewers
        self._call("determinize", keys=keys)

    def fetch(self, array: Any) -> np.ndarray:
        """Copy an array to the host."""
        return self.device.fetch(array)

    def to_host(self, rows: np.ndarray | None = None) -> Batch:
        """Return a copy of the games, or of the games `rows` (m,), in host memory."""
        batch = Batch(len(self) if rows is None else len(rows), self.options)
        with self.device.current():  # the calling thread may belong to a pool
            at = slice(None) if rows is None else self.device.xp.asarray(rows)
            batch.restore({name: self.fetch(getattr(self, name)[at]) for name in ("bytes_view", *ARRAYS)})
        return batch

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """See `Batch.restore`; the arrays are in host memory."""
        super().restore({name: self.device.xp.asarray(state[name]) for name in ("bytes_view", *ARRAYS)})

    def copy(self) -> "DeviceBatch":
        """Return an independent copy on the device."""
        batch = DeviceBatch.__new__(DeviceBatch)
        batch.__dict__.update(self.__dict__, lock=RLock())
        for name in ("bytes_view", "viewers", "taken", *ARRAYS):
            setattr(batch, name, getattr(self, name).copy())
        batch.status = batch.field("status")
        return batch
