"""The tables of World in the documentation, made from the options and the words of effects."""

import vitienv


def options_table() -> str:
    """The options of a game."""
    return vitienv.definition("world").options.table()


def words_table() -> str:
    """The words that effects in an owner's file are made of."""
    from vitienv.world.language import table

    return table()
