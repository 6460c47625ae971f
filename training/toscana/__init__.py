"""What only this game has: its recipes and report, and the study of its reconstructed values."""
