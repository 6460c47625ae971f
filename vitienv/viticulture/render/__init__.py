"""Rendering of a game."""
