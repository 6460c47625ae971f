"""The full screen in a terminal."""
