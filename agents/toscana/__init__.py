"""Toscana's own bots: rules of thumb, compiled."""
