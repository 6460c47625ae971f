"""Rule functions on one state record, compiled by Numba."""
