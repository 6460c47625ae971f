"""Names for numbers: enums whose members are plain whole numbers to compiled rules.

Numba knows `IntEnum`, but takes its members for a type of their own that is no integer everywhere: `max`, `int` and
sums with narrow numbers refuse it, and a function that is passed one is compiled once more. Members of `Numbers` are
int64 constants there; this is Numba's documented way of teaching it a type.
"""

from collections.abc import Mapping
from enum import EnumMeta, IntEnum
from typing import Any

from numba.core import types
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import models, register_model, typeof_impl


class NumbersMeta(EnumMeta):
    """The class of the namespaces, by which Numba tells them from other enums."""


class Numbers(IntEnum, metaclass=NumbersMeta):
    """A namespace of numbers: `class Deck(Numbers): VINE = 0`. Members are assigned one by one."""


def namespace(name: str, members: Mapping[str, int]) -> Any:
    """A namespace made from a table. name: with its module, as in f"{__name__}.At"."""
    module, _, own = name.rpartition(".")
    make: Any = Numbers
    return make(own, dict(members), module=module)


def words(names: type[IntEnum]) -> list[str]:
    """The members in lower case, in order."""
    return [member.name.lower() for member in names]


class Namespace(types.Opaque):
    """Numba's type of one namespace."""

    def __init__(self, names: NumbersMeta) -> None:
        self.names = names
        super().__init__(f"namespace({names.__module__}.{names.__qualname__})")


register_model(Namespace)(models.OpaqueModel)


@typeof_impl.register(NumbersMeta)
def _typeof(value, context):
    return Namespace(value)


@typeof_impl.register(Numbers)
def _typeof_member(value, context):
    return types.int64


@infer_getattr
class _Members(AttributeTemplate):
    key = Namespace

    def generic_resolve(self, namespace, name):
        """int64 for a member; Numba reports any other name as an unknown attribute."""
        return types.int64 if name in namespace.names.__members__ else None


@lower_getattr_generic(Namespace)
def _member(context, builder, namespace, value, name):
    return context.get_constant(types.int64, int(namespace.names[name]))


@lower_constant(Namespace)
def _namespace(context, builder, namespace, value):
    return context.get_dummy_value()
