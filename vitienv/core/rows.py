"""One compiled function made from a table of rows: it calls the function of the row that a number names."""

from collections.abc import Callable, Mapping

from vitienv.core.compiling.jit import jit


def dispatch(name: str, functions: Mapping[int, Callable], arguments: str, otherwise: str | None = None) -> Callable:
    """`name(number, arguments)`, which calls the function of that number with the arguments.

    functions: compiled ones, or plain ones to be compiled. otherwise: what it answers, as Python, for a number without
    a function; without it nothing is answered at all.
    """
    scope: dict = {"__name__": __name__}
    source = f"def {name}(number, {arguments}):\n"
    for number, function in sorted(functions.items()):
        own = f"{name}_{number}"
        scope[own] = jit(function)
        call = f"{own}({arguments})"
        source += f"    if number == {number}:\n        {f'return {call}' if otherwise else f'{call}; return'}\n"
    exec(source + (f"    return {otherwise}\n" if otherwise else ""), scope)
    return jit(scope[name])
