"""Tests of the rules, written from the rulebook."""
