"""Commands, one module each. Heavy modules are imported when a command runs."""
