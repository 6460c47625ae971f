"""Heuristic bots of Toscana."""
