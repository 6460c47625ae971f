"""The verbs: small scalar functions on one game record, compiled by Numba."""
