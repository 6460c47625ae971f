"""What only World has: its report."""
