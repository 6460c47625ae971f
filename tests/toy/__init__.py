"""A third game, in one folder: high card, of two or three seats, five rounds, with hidden cards and chance."""
