"""Optional dependencies: the extra of pyproject.toml that installs a missing module."""

from importlib.util import find_spec

EXTRA_OF = {
    **dict.fromkeys(("starlette", "uvicorn", "websockets"), "play"),
    **dict.fromkeys(("matplotlib", "pandas", "pyarrow", "pylunasvg"), "analysis"),
    **dict.fromkeys(("minari", "sb3_contrib", "stable_baselines3", "tensorboard", "torch"), "train"),
    **dict.fromkeys(("llvmlite", "numba"), "rules"),
    "httpx2": "llm",
    "pyspiel": "openspiel",
    "ray": "cluster",
}


def missing_message(feature: str, module: object, extra: str) -> str:
    """Return the error line for a missing module, with the command that installs it."""
    # The package is not on PyPI, so extras are installed from its source directory.
    return f'{feature} needs {module}: pip install -e ".[{extra}]" in vitienv\'s source directory'


def missing_module(error: ModuleNotFoundError) -> str | None:
    """Return the error line for a module of an extra; None for any other module."""
    name = (error.name or "").partition(".")[0]
    return missing_message("this command", name, EXTRA_OF[name]) if name in EXTRA_OF else None


def require(feature: str, *modules: str) -> None:
    """Raise ValueError if a module of an extra is not installed."""
    for name in modules:
        if find_spec(name) is None:
            raise ValueError(missing_message(feature, name, EXTRA_OF[name]))
