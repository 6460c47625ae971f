"""Viticulture World, the cooperative ruleset: its data as typed rows, and what it does otherwise than the others."""
