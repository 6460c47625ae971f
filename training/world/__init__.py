"""Evaluation and report of World."""
