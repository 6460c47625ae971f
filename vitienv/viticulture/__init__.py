"""Viticulture: state, cards, operations and the flow of the year."""
