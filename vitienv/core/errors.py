"""Exception classes of the public API."""


class IllegalAction(ValueError):
    """Unknown or illegal action. The game is unchanged."""


class UnknownOption(TypeError, ValueError):
    """Unknown option of a game."""
