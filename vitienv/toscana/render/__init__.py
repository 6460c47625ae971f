"""A game for people."""
