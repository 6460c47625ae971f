"""Mutants of rule functions: one change of the syntax tree each, applied in memory."""

from __future__ import annotations

import ast
import gc
import hashlib
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType

DECORATOR = "jit"
SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """statement, node: indices in `ast.walk(tree)`. option: index in `changes` of the node."""

    function: str
    mutation: str
    digest: str
    tree: ast.FunctionDef
    statement: int
    node: int
    option: int

    def order(self, seed: int) -> str:
        return hashlib.sha256(f"{seed}:{self.function}:{self.mutation}".encode()).hexdigest()

    def apply(self) -> None:
        tree = deepcopy(self.tree)
        node = list(ast.walk(tree))[self.node]
        set_code(self.function, Replacement(node, changes(node)[self.option]).visit(tree))


class Replacement(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def changes(node: ast.AST) -> list[ast.AST]:
    """Replacements of a node: operators, integers, truth values, conditions, and statements without a local name."""
    match node:
        case ast.Compare(left, [operator], comparators) if type(operator) in SWAPS:
            return [ast.Compare(left, [SWAPS[type(operator)]()], comparators)]
        case ast.BoolOp(operator, values):
            return [ast.BoolOp(SWAPS[type(operator)](), values)]
        case ast.BinOp(left, operator, right) if type(operator) in SWAPS:
            return [ast.BinOp(left, SWAPS[type(operator)](), right)]
        case ast.UnaryOp(ast.Not(), operand):
            return [operand]
        case ast.Constant(bool(value)):
            return [ast.Constant(not value)]
        case ast.Constant(int(value)):
            return [ast.Constant(value + 1), ast.Constant(value - 1)]
        case ast.If(test, body, orelse) if orelse:
            return [ast.If(test, orelse, body)]
        case ast.If(test, body, []):
            return [ast.If(ast.UnaryOp(ast.Not(), test), body, [])]
        case ast.IfExp(test, body, orelse):
            return [ast.IfExp(test, orelse, body)]
        case ast.AugAssign(target, operator, value):
            swapped = [ast.AugAssign(target, SWAPS[type(operator)](), value)] if type(operator) in SWAPS else []
            return [*swapped, ast.Pass()]
        case ast.Expr(ast.Call()) | ast.Assign([ast.Subscript() | ast.Attribute()]) | ast.Break() | ast.Continue():
            return [ast.Pass()]
        case ast.Return(None):
            return [ast.Pass()]
    return []


def text(node: ast.AST) -> str:
    first, *others = ast.unparse(node).splitlines()
    return first[:60] + ("..." if others or len(first) > 60 else "")


def mutants_of(root: Path, directory: str) -> Iterator[Mutant]:
    """Yield all mutants of the rule functions in a directory. root: a directory in `sys.path` above it."""
    for path in sorted((root / directory).rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        for tree in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(tree, ast.FunctionDef) and DECORATOR in map(ast.unparse, tree.decorator_list):
                digest = hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:12]
                tree.decorator_list = []
                yield from _mutants_of_function(f"{module}.{tree.name}", tree, digest)


def _mutants_of_function(function: str, tree: ast.FunctionDef, digest: str) -> Iterator[Mutant]:
    nodes = list(ast.walk(tree))
    statement_of = {0: 0}
    index = {id(node): i for i, node in enumerate(nodes)}
    counts: Counter[str] = Counter()
    for i, node in enumerate(nodes):  # parents come first
        for child in ast.iter_child_nodes(node):
            j = index[id(child)]
            statement_of[j] = j if isinstance(child, ast.stmt) else statement_of[i]
        for option, new in enumerate(changes(node)):
            name = f"{text(node)} -> {text(ast.fix_missing_locations(new))}"
            counts[name] += 1
            name += f" #{counts[name]}" if counts[name] > 1 else ""
            yield Mutant(function, name, digest, tree, statement_of[i], i, option)


def set_code(function: str, tree: ast.AST) -> None:
    """Replace the code of a function and of its copies for other games."""
    module, _, name = function.rpartition(".")
    original = getattr(import_module(module), name).__code__
    compiled = compile(ast.Module([ast.fix_missing_locations(tree)], []), original.co_filename, "exec")
    code = next(constant for constant in compiled.co_consts if isinstance(constant, CodeType))
    for holder in gc.get_referrers(original):
        if isinstance(holder, FunctionType):
            holder.__code__ = code


def instrument(mutants: list[Mutant]) -> None:
    """Call `_reach(i)` before the statement of each mutant, where i is its index."""
    functions: dict[str, list[tuple[int, Mutant]]] = {}
    for i, mutant in enumerate(mutants):
        functions.setdefault(mutant.function, []).append((i, mutant))
    for function, rows in functions.items():
        tree = deepcopy(rows[0][1].tree)
        nodes = list(ast.walk(tree))
        calls: dict[int, list[ast.stmt]] = {}
        for i, mutant in rows:
            call = ast.Expr(ast.Call(ast.Name("_reach", ast.Load()), [ast.Constant(i)], []))
            calls.setdefault(id(nodes[mutant.statement]), []).append(call)
        for block in [getattr(node, field, []) for node in nodes for field in ("body", "orelse")]:
            if isinstance(block, list):
                block[:] = [new for statement in block for new in (*calls.get(id(statement), []), statement)]
        set_code(function, tree)
