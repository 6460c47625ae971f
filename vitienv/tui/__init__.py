"""Playing in a terminal: a sitting at a table, line by line."""
