"""A command as it is typed, and what it leaves in the folder of a run."""

import gzip
import json

from vitienv import cli


def run(capsys, *arguments):
    """Status, stdout and stderr of a command."""
    return cli.run(list(arguments)), *capsys.readouterr()


def refused(capsys, *arguments):
    """The one line by which a command refuses what is typed, with status 2."""
    status, out, error = run(capsys, *map(str, arguments))
    assert (status, out) == (2, "") and error.startswith("vitienv: ") and error.count("\n") == 1, error
    return error


def contents(folder):
    """Every file in it and in its folders, as bytes by name; no locks."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def logs(folder):
    """The logs of a tournament."""
    with gzip.open(folder / "logs.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]
