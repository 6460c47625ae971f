"""Dispatch by index, compiled from a table of functions."""

from collections.abc import Callable, Mapping

from vitienv.core.compiling.jit import jit


def dispatch(name: str, functions: Mapping[int, Callable], arguments: str, default: str | None = None) -> Callable:
    """Compile `name(number, arguments)`, which calls functions[number] with the arguments.

    default: Python expression returned for a number without a function; if None, the result is always None.
    """
    scope: dict = {"__name__": __name__}
    source = f"def {name}(number, {arguments}):\n"
    for number, function in sorted(functions.items()):
        function_name = f"{name}_{number}"
        scope[function_name] = jit(function)
        call = f"{function_name}({arguments})"
        source += f"    if number == {number}:\n        {f'return {call}' if default else f'{call}; return'}\n"
    exec(source + (f"    return {default}\n" if default else ""), scope)
    return jit(scope[name])
