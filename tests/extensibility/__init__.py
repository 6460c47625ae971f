"""Adding something to Viticulture: how many places an addition touches, and what a forgotten one leads to."""
