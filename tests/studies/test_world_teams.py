"""The picture of what World's teams win."""

from pathlib import Path

import pandas as pd

from studies.world_teams import plot
from vitienv.commands.world.evaluate_world import COLUMNS

DATA = Path(__file__).resolve().parents[2] / "results" / "2026-11-22-world-teams.csv"


def test_the_data_are_drawn(tmp_path):
    rows = pd.read_csv(DATA)
    assert tuple(rows.columns) == COLUMNS and len(rows) == 4 * 7 * 6
    assert (rows["won"].between(rows["won_low"], rows["won_high"])).all()
    assert plot(rows[rows["seats"] < 3], tmp_path / "teams.png").stat().st_size > 1000
