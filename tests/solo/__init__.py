"""Tests of the solo game, its levels and its campaign, written from the rulebook."""
