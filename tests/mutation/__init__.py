"""Mutation testing of the rule functions (`make mutation`)."""
