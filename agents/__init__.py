"""Bots: one protocol, made from a string by `vitienv.agent`."""
