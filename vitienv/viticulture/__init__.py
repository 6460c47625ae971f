"""Viticulture: state, cards, rule functions and the flow of the year."""
