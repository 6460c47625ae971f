"""Bundled networks of Viticulture World and the tables that they play; docs/world.md has training and results."""

from pathlib import Path

from vitienv.agents.champions import BundledNetwork

HERE = Path(__file__).resolve().parent
NETWORKS = (BundledNetwork("few", num_players=(1, 2, 3)), BundledNetwork("more"))  # the first match plays
