"""Execution of games on a Ray cluster."""
