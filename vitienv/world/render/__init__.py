"""Text and drawings of World: effects, tiles, events, places, prompts, choices and the table."""
