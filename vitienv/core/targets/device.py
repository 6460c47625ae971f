"""A batch of games on a device: arrays there, and the kernels of `vitienv/core/targets/cuda.py`."""

from collections.abc import Mapping
from threading import RLock
from typing import Any

import numpy as np

from vitienv.core.batch import ARRAYS, RANDOM, Batch, check_memory
from vitienv.core.options import Options
from vitienv.core.targets.cuda import TAKEN, Device
from vitienv.core.targets.llvm_modules import announced, kernels_of

RECORDS = ("games", "bytes_view", "int16_view")  # what kernels call the records, seen in three ways


class DeviceBatch(Batch):
    """n games on a device; the arrays of `Batch`, there. Records are `bytes_view` (n, bytes) int8; `games` has none.

    taken: (n,) int64, the decisions that the last call has taken.
    """

    def __init__(self, n: int, options: Options, device: Device) -> None:
        """ValueError for a wrong number of games, and where rules are interpreted."""
        host = Batch(1, options)
        check_memory(n, options.game_spec, device.memory)
        self.options, self.game_spec, self.rules = options, options.game_spec, host.rules
        self.reward_number, self.num_threads, self._pool = host.reward_number, 1, None
        self.lock = host.lock
        self.device, xp = device, device.xp
        for name in ("bytes_view", *ARRAYS):
            like = getattr(host, name)
            setattr(self, name, xp.zeros((n, *like.shape[1:]), like.dtype))
        self.viewers, self.taken = xp.zeros(n, np.int8), xp.zeros(n, np.int64)
        self.status = self.field("status")
        self._rules = xp.asarray(host.rules)
        self._loaded = {}
        folder = options.game_spec.kernels.folder
        kernels = kernels_of(host)
        with announced(kernels, folder) as making:
            for kernel in kernels:
                gives = [TAKEN] if kernel.function.__name__ == "run" else []
                with making(kernel):
                    loaded = device.load(kernel, folder)
                self._loaded[kernel.function.__name__] = loaded, [*kernel.arguments, *gives]

    def __len__(self) -> int:
        return len(self.bytes_view)

    def field(self, name: str) -> Any:
        """A field of the records that has one number of 8 bits in each, (n,) int8: a view. ValueError for others."""
        kind, at = self.game_spec.dtype.fields[name][:2]
        if kind.itemsize != 1:
            raise ValueError(f"{name!r} is {kind}, not one number of 8 bits")
        return self.bytes_view[:, at]

    def _call(self, name: str, **given: Any) -> None:
        """Start a kernel. given: its arguments besides the arrays of the batch, or in place of one."""
        kernel, names = self._loaded[name]
        known = dict.fromkeys(RECORDS, self.bytes_view) | {"rules": self._rules, "viewers": self.viewers} | given
        kernel(len(self), [known[own] if own in known else getattr(self, own) for own in names])

    def run(self, what: int) -> int:
        """Call the kernel on all games. The decisions taken are added up for random play alone, as that waits for the
        device; 0 otherwise."""
        self._call("run", what=what, reward_kind=self.reward_number)
        return int(self.fetch(self.taken.sum())) if what & RANDOM else 0

    def start(self, keys: np.ndarray, observe: bool = True, rows: np.ndarray | None = None) -> None:
        """New games under the chance keys (n, 2), which lie here."""
        super().start(self.device.xp.asarray(keys), observe, rows)

    def observe(self, viewers: Any, out: Any) -> Any:
        """What seat viewers[i] of each game sees, into out (n, observed numbers), both on the device."""
        self.viewers[...] = viewers
        self._call("observe_seat", obs=out)
        return out

    def standing(self) -> tuple[Any, Any]:
        """Points and ranks as things stand, new arrays (n, seats) on the device."""
        scores, ranks = self.device.xp.zeros_like(self.scores), self.device.xp.zeros_like(self.ranks)
        self._call("stand", scores=scores, ranks=ranks)
        return scores, ranks

    def determinize(self, viewers: Any, keys: Any) -> None:
        """Deal anew what seat viewers[i] cannot see, under the chance keys (n, 2) uint32, both on the device."""
        self.viewers[...] = viewers
        self._call("determinize", keys=keys)

    def fetch(self, array: Any) -> np.ndarray:
        """A copy of an array of the device, here."""
        return self.device.fetch(array)

    def here(self, rows: np.ndarray | None = None) -> Batch:
        """A copy of the games, or of the games `rows` (m,), here."""
        batch = Batch(len(self) if rows is None else len(rows), self.options)
        with self.device.current():  # the calling thread may be one of a pool
            at = slice(None) if rows is None else self.device.xp.asarray(rows)
            batch.restore({name: self.fetch(getattr(self, name)[at]) for name in ("bytes_view", *ARRAYS)})
        return batch

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """As `Batch.restore`, of arrays that lie here."""
        super().restore({name: self.device.xp.asarray(state[name]) for name in ("bytes_view", *ARRAYS)})

    def copy(self) -> "DeviceBatch":
        """An independent copy, on the device."""
        other = DeviceBatch.__new__(DeviceBatch)
        other.__dict__.update(self.__dict__, lock=RLock())
        for name in ("bytes_view", "viewers", "taken", *ARRAYS):
            setattr(other, name, getattr(self, name).copy())
        other.status = other.field("status")
        return other
