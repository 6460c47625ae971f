"""Numba extensions: types of `IntConstants` namespaces, and a listener for compilations."""

from typing import Any

from numba.core import event as events
from numba.core import types
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import models, register_model, typeof_impl

from vitienv.core.compiling.namespaces import IntConstants, IntConstantsMeta
from vitienv.core.compiling.progress import PROGRESS

COMPILATION = "numba:compile"


class Namespace(types.Opaque):
    """Numba type of a namespace."""

    def __init__(self, names: IntConstantsMeta) -> None:
        self.names = names
        super().__init__(f"namespace({names.__module__}.{names.__qualname__})")


register_model(Namespace)(models.OpaqueModel)


@typeof_impl.register(IntConstantsMeta)
def _typeof(value, context):
    return Namespace(value)


@typeof_impl.register(IntConstants)
def _typeof_member(value, context):
    return types.int64


@infer_getattr
class _Members(AttributeTemplate):
    key = Namespace

    def generic_resolve(self, namespace, name):
        """Return int64 for a member; None, an unknown attribute, otherwise."""
        return types.int64 if name in namespace.names.__members__ else None


@lower_getattr_generic(Namespace)
def _member(context, builder, namespace, value, name):
    return context.get_constant(types.int64, int(namespace.names[name]))


@lower_constant(Namespace)
def _namespace(context, builder, namespace, value):
    return context.get_dummy_value()


class Listener(events.Listener):
    """Listener that forwards Numba's compilation events to the progress report."""

    def on_start(self, event: Any) -> None:
        """Handle the start of a compilation."""
        PROGRESS.on_start(event)

    def on_end(self, event: Any) -> None:
        """Handle the end of a compilation, successful or not."""
        PROGRESS.on_end(event)


events.register(COMPILATION, Listener())
