"""Text and drawings of games: what every game shares, reached through the names in a game's definition."""
