"""Heuristic bots and bundled networks of Viticulture."""
