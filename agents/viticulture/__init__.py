"""Viticulture's own bots: rules of thumb, compiled, and the networks that ship."""
