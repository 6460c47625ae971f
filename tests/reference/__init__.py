"""A second, slow implementation of the rules.

It works on position dicts, tries every way to resolve a card or board action on copies of the position, and has its
own tables, so that it shares no bug of the engine's rules or data.
"""
