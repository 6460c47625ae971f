"""Heuristic bots of Viticulture World: the rules of Viticulture's bots, adapted to the goals of the team."""
