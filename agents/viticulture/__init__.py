"""Viticulture's own bots: heuristic bots, compiled, and the networks that ship."""
