"""What only this game has: its report, and the study of its reconstructed values."""
