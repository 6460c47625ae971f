"""Measuring bots: matches, tournaments, ratings, the ladder, and the data sets that games leave."""
