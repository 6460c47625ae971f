"""Commands specific to Viticulture."""
