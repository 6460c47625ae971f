"""Networks, compiled: what they make of observations."""
