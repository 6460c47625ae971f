"""Errors that users may want to catch."""


class IllegalAction(ValueError):
    """An action that is unknown, or not legal now. The game is unchanged."""


class UnknownOption(TypeError, ValueError):
    """An option that a game does not have: an unknown keyword, and a wrong option."""
