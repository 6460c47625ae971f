"""Games and self-play on a Ray cluster: `executor` plays parts of a measurement, `selfplay` trains."""
