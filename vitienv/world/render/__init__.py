"""World in words and drawings: effects, tiles, events, places, questions, choices and the table."""
