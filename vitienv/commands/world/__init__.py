"""Commands of World."""
