"""Compiled inference of networks."""
