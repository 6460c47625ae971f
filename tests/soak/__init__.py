"""Play without end, see `play`."""
