"""What only World has on the command line."""
