"""Extras of pyproject.toml: which one brings a module that is not installed."""

from importlib.util import find_spec

EXTRA_OF = {
    **dict.fromkeys(("starlette", "uvicorn", "websockets"), "play"),
    **dict.fromkeys(("matplotlib", "pandas", "pyarrow", "pylunasvg"), "analysis"),
    **dict.fromkeys(("minari", "sb3_contrib", "stable_baselines3", "tensorboard", "torch"), "train"),
    "numba": "rules",
    "httpx2": "llm",
    "pyspiel": "openspiel",
    "ray": "cluster",
}


def missing(what: str, needed: object, extra: str) -> str:
    """Error line for a missing module, with the command that installs it.

    The package is in no index, so extras are installed from the folder of its sources.
    """
    return f'{what} needs {needed}: pip install -e ".[{extra}]" in the folder of vitienv\'s sources'


def missing_module(error: ModuleNotFoundError) -> str | None:
    """The line for a module of an extra; None for any other module."""
    name = (error.name or "").partition(".")[0]
    return missing("this command", name, EXTRA_OF[name]) if name in EXTRA_OF else None


def require(what: str, *modules: str) -> None:
    """Raise ValueError if a module of an extra is not installed, before anything is played or written."""
    for name in modules:
        if find_spec(name) is None:
            raise ValueError(missing(what, name, EXTRA_OF[name]))
