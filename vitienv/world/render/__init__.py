"""World told to people: effects, tiles, events and places in words, questions and choices, the table, the drawing."""
