"""Mama cards, which also give two regular workers (Essential, Mamas and papas)."""

from typing import NamedTuple


class Mama(NamedTuple):
    """Cards to draw from each deck, and lira."""

    id: str
    vine: int = 0
    order: int = 0
    summer: int = 0
    winter: int = 0
    lira: int = 0


MAMAS = (
    Mama("alaena", vine=1, order=1, summer=1),
    Mama("alyssa", vine=1, summer=1, winter=1),
    Mama("deann", vine=1, order=1, winter=1),
    Mama("margot", order=1, summer=1, winter=1),
    Mama("margaret", vine=2, summer=1),
    Mama("nici", vine=2, order=1),
    Mama("teruyo", vine=2, winter=1),
    Mama("emily", vine=1, summer=2),
    Mama("rebecca", order=1, summer=2),
    Mama("danyel", summer=2, winter=1),
    Mama("laura", vine=1, order=2),
    Mama("jess", order=2, summer=1),
    Mama("casey", order=2, winter=1),
    Mama("christine", vine=1, winter=2),
    Mama("naja", summer=1, winter=2),
    Mama("falon", order=1, winter=2),
    Mama("nicole", vine=1, winter=1, lira=2),
    Mama("ariel", order=1, summer=1, lira=2),
)
