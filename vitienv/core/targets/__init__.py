"""Other machines that the compiled loops are made for, from the code that Numba made of them."""
