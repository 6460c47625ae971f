"""What the bots teach: tables and plots made from the logs of a tournament. See docs/report.md."""
