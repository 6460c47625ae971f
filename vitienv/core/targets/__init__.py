"""Targets that run the loops of games and searches and the bundled networks: this machine, unless replaced by `use`."""

from typing import Any


class Target:
    """This machine: kernels of `core.compiling.jit`, compiled or interpreted."""

    def loops(self, game_spec: Any) -> Any:
        """Return the loops of a game, `core.kernel.Kernels`."""
        return game_spec.kernels

    def simulate(self, game_spec: Any) -> Any:
        """Return its search loop, `core.search.simulate`."""
        return game_spec.searching.simulate

    def network(self, game_spec: Any, name: str) -> Any:
        """Return a bundled network, as `agents.network.Network`; None: read it from its file."""
        return None


used = Target()


def use(target: Target) -> None:
    """Set the target of new batches and searches."""
    global used
    used = target
