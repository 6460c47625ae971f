"""The engine's machinery. Nothing in this package knows a game."""
