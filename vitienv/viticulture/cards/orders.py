"""Wine order cards: required wines, points and residual payment (Essential, Filling wine orders)."""

from typing import NamedTuple

from vitienv.viticulture.enums import Wine


class Order(NamedTuple):
    """Wine order. `wines`: type and minimum value of each wine, by type and descending value."""

    id: str
    wines: tuple[tuple[Wine, int], ...]
    vp: int
    residual: int


def order(number: int, vp: int, residual: int, **wines: int | tuple[int, ...]) -> Order:
    """Return the row of an order; `wines` has one or several minimum values for each type."""
    required = []
    for kind in Wine:
        values = wines.pop(kind.name.lower(), ())
        required += [(kind, value) for value in (values if isinstance(values, tuple) else (values,))]
    if wines or required != sorted(required, key=lambda wine: (wine[0], -wine[1])):
        raise ValueError(f"order {number} must have known types of wine and descending values, got {wines or required}")
    return Order(f"order_{number:02}", tuple(required), vp, residual)


ORDERS = (
    order(1, vp=2, residual=1, red=5),
    order(2, vp=2, residual=1, red=2, white=2),
    order(3, vp=2, residual=1, red=3, white=1),
    order(4, vp=2, residual=1, red=1, white=3),
    order(5, vp=2, residual=1, white=5),
    order(6, vp=2, residual=1, blush=4),
    order(7, vp=3, residual=1, red=6),
    order(8, vp=3, residual=1, red=2, white=4),
    order(9, vp=3, residual=1, red=4, white=2),
    order(10, vp=3, residual=1, red=3, white=3),
    order(11, vp=3, residual=1, red=(4, 3)),
    order(12, vp=3, residual=1, white=6),
    order(13, vp=3, residual=1, white=(4, 3)),
    order(14, vp=3, residual=1, blush=6),
    order(15, vp=4, residual=1, red=8),
    order(16, vp=4, residual=1, red=5, white=3),
    order(17, vp=4, residual=1, red=3, white=5),
    order(18, vp=4, residual=1, red=4, blush=4),
    order(19, vp=4, residual=1, red=(4, 3, 2)),
    order(20, vp=4, residual=1, white=8),
    order(21, vp=4, residual=1, white=4, blush=4),
    order(22, vp=4, residual=1, white=(4, 3, 2)),
    order(23, vp=4, residual=1, blush=8),
    order(24, vp=4, residual=1, sparkling=7),
    order(25, vp=5, residual=2, red=2, white=2, blush=5),
    order(26, vp=5, residual=2, red=(7, 6)),
    order(27, vp=5, residual=2, red=6, white=6),
    order(28, vp=5, residual=2, red=3, blush=7),
    order(29, vp=5, residual=2, white=3, blush=7),
    order(30, vp=5, residual=2, white=(7, 6)),
    order(31, vp=5, residual=2, sparkling=9),
    order(32, vp=6, residual=2, blush=(6, 5)),
    order(33, vp=6, residual=2, white=4, sparkling=7),
    order(34, vp=6, residual=2, white=3, sparkling=7),
    order(35, vp=6, residual=2, white=3, sparkling=8),
    order(36, vp=6, residual=2, white=2, sparkling=8),
)
