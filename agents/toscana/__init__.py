"""Toscana's own bots: heuristic bots, compiled."""
