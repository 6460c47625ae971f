"""What is shown in a browser: a replay as one file, and the table to play at."""
