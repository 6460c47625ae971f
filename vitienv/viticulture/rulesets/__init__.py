"""Rulesets: their rule parameters and options."""
