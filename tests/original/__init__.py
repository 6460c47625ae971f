"""The ruleset "original": each difference from the Essential Edition, and what stays the same."""
