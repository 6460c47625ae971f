"""Browser interface: tables, replays and their servers."""
