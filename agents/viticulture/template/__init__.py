"""What `vitienv bot new` begins an own bot with: a bot that plays, and a test of it."""
