"""Facts of the game, with the source of each; what is reconstructed says so."""
