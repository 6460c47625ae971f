"""Errors that users may want to catch."""


class IllegalAction(ValueError):
    """An action that is unknown, or not legal now. The game is unchanged."""
