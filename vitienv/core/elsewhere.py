"""Rulesets that are games of their own."""

# By the home of the game to which it is told to belong and its name: the home of the game that it is.
ELSEWHERE: dict[tuple[str, str], str] = {}
