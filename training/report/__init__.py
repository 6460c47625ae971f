"""Reports: tables and plots of the logs of a tournament. See docs/report.md."""
