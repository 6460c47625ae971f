"""Text and drawings common to all games."""
