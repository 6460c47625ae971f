"""Template of `vitienv bot new`: a bot and its test."""
