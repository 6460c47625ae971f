"""The ruleset "original": each difference from the Essential Edition, and the rules that are the same."""
