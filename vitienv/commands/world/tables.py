"""The tables of World in the documentation, made from the options."""

import vitienv


def options_table() -> str:
    """The options of a game."""
    return vitienv.definition("world").options.table()
