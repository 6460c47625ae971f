"""What runs the loops of games and of searches, and the networks that ship: this machine, unless another target is
used; the modules here are for others."""

from typing import Any


class Target:
    """This machine: loops as `core.compiling.jit` made them, compiled, or interpreted where there is no Numba."""

    def loops(self, game_spec: Any) -> Any:
        """The loops of a game, `core.kernel.Kernels`."""
        return game_spec.kernels

    def simulate(self, game_spec: Any) -> Any:
        """The loop of its searches, `core.search.simulate`."""
        return game_spec.searching.simulate

    def network(self, game_spec: Any, name: str) -> Any:
        """A network that ships, as `agents.network.Network`; None: it is read from its file."""
        return None


used = Target()


def use(target: Target) -> None:
    """What is made from now on runs there."""
    global used
    used = target
