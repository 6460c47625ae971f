"""Compilation of rule functions to machine code, caches, and static checks."""
