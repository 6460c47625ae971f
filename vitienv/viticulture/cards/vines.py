"""Vine cards: variety, values by colour, required structures, copies (Essential, Vine deck varieties and values)."""

from typing import NamedTuple


class Vine(NamedTuple):
    """Vine variety. The sum of `red` and `white` counts against the capacity of the field."""

    id: str
    red: int
    white: int
    trellis: bool
    irrigation: bool
    copies: int


VINES = (
    Vine("sangiovese", red=1, white=0, trellis=False, irrigation=False, copies=4),
    Vine("malvasia", red=0, white=1, trellis=False, irrigation=False, copies=4),
    Vine("pinot", red=1, white=1, trellis=True, irrigation=False, copies=6),
    Vine("syrah", red=2, white=0, trellis=True, irrigation=False, copies=5),
    Vine("trebbiano", red=0, white=2, trellis=True, irrigation=False, copies=5),
    Vine("merlot", red=3, white=0, trellis=False, irrigation=True, copies=5),
    Vine("sauvignon_blanc", red=0, white=3, trellis=False, irrigation=True, copies=5),
    Vine("cabernet_sauvignon", red=4, white=0, trellis=True, irrigation=True, copies=4),
    Vine("chardonnay", red=0, white=4, trellis=True, irrigation=True, copies=4),
)
