"""Training and evaluation code specific to Viticulture: solo game, campaign, report."""
