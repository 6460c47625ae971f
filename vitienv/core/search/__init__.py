"""The search, compiled: its trees, the race at a root, the loop of simulations."""
