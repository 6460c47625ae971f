"""What only World has: its report and its recipes."""
