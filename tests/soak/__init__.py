"""Soak test: random games without end, see `play`."""
