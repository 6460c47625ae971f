"""What training and measuring know of Viticulture alone: the solo game, the campaign, recipes, what reports tell."""
