"""Additions to Viticulture: the number of places that each one touches, and errors for missing ones."""
