"""Rules broken on purpose, to see that a test notices each: `python -m tests.breaks --help`.

A row is one broken rule: the rule, a file, a text that stands in it once, what takes its place, and the tests that
should notice. Each module here but the runner's holds the rows of one system as `ROWS`; a row that changes no game says
so by a note that begins with "equal program: ".
"""
