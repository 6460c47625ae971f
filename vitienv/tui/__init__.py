"""Playing in a terminal: a sitting at a table, in plain lines or on the full screen."""
