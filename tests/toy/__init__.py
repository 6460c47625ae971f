"""A minimal third game: high card for two or three seats, five rounds, with hidden cards and chance."""
