"""The drawing: tokens where the position has them, and nothing hidden."""
