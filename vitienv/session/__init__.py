"""Games that people play: a session against bots, saves, undo, replays, and games as text."""
