"""Report of Toscana."""
