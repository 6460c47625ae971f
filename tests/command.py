"""A command as it is typed."""

from vitienv import cli


def run(capsys, *arguments):
    """Status, stdout and stderr of a command."""
    return cli.run(list(arguments)), *capsys.readouterr()
