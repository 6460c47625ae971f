"""Legality.

`acts`: board actions and bonuses; `predicates`: conditions; `make_unmake`: trials on the record; `visitors`: cards.
Conditions on the partial choice of a single operation are next to it (`may_...`), because they read its frame.
"""
