"""Viticulture World, the cooperative game: its data as typed rows, and what it does otherwise than Viticulture."""
