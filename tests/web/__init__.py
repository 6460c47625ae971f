"""The browser interface."""
