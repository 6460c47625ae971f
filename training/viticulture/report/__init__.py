"""Report plugin of Viticulture; see `training.report.generic`."""

from vitienv.training.viticulture.report.facts import facts_of
from vitienv.training.viticulture.report.plots import plots_of
from vitienv.training.viticulture.report.report_sections import SECTIONS, tables_of, visible_rows
from vitienv.training.viticulture.report.sources import columns

RULESETS = ("essential", "original", "solo")

__all__ = ["RULESETS", "SECTIONS", "columns", "facts_of", "plots_of", "tables_of", "visible_rows"]
