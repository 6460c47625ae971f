"""Operations: scalar functions on one game state, compiled by Numba."""
