"""What training and measuring know of Viticulture alone: the solo game, the campaign, what reports tell."""
