"""Training, tournaments, ratings and benchmarks."""
