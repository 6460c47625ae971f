"""The networks of Viticulture World that ship with the project, and which of them plays which table.

How they were trained, and how far they come: docs/world.md.
"""

from pathlib import Path

from vitienv.agents.champions import Shipped

HERE = Path(__file__).resolve().parent
NETWORKS = (Shipped("few", num_players=(1, 2, 3)), Shipped("more"))  # the first row that fits a table plays it
