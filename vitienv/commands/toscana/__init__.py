"""What only Toscana has on the command line and in the documentation."""
