"""Texts, the terminal, saved games."""
