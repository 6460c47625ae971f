"""Compiled tree search."""
