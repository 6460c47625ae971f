"""The heuristic bots of Viticulture World: those of the other rulesets, with the team's ends in their places."""
