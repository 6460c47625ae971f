"""Viticulture World, the cooperative game: its data as typed rows, and the rules that differ from Viticulture."""
