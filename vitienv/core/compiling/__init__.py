"""Compiles rule functions to machine code, after checks of their sources. Nothing here knows what a rule says."""
