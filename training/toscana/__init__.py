"""What only this game has: its report."""
