"""What to install where a part needs more than the package: an extra of pyproject.toml."""


def missing(what: str, needed: object, extra: str) -> str:
    """One line for an error. what: is asked for. needed: the module that is not there. extra: brings it.

    The package is in no index, so extras are installed from the folder of its sources.
    """
    return f'{what} needs {needed}: pip install -e ".[{extra}]" in the folder of vitienv\'s sources'
