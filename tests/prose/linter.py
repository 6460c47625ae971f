"""Linter of names and prose: phrases that native technical writing does not use, and names that say nothing.

The hits of each file are limited by `limits.json`, which may only shrink; a file that is not listed must have none.
`python -m tests.prose.linter FILE ...` prints the hits of some files, `--update` lowers the limits.
"""

import argparse
import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LIMITS = Path(__file__).with_name("limits.json")
SOURCE_FOLDERS = ("vitienv", "agents", "training", "studies", "benchmarks", "tools", "tests")
PAGE_FOLDERS = (".", "docs", "results", ".github/ISSUE_TEMPLATE")
PROSE, DOCSTRING, COMMENT, ERROR = "prose", "docstring", "comment", "error"
ALL = {PROSE, DOCSTRING, COMMENT, ERROR}
VAGUE_NAMES = set(
    """told found own made given asked left kept taken known seen shown begun began held drawn chosen wanted needed
    named said about most least one each rest what who how where when now then here there right wrong more both usual
    chance apart thing way agreed alike begins came everyone gives goes_on got heard judged likely met sat says spent
    spoken stays""".split()
)
VAGUE_MODULES = set(
    """told asked kept kept_code taught elsewhere apart taking_back lowered finished same offered imagined compiled
    joined best""".split()
)
PARTICIPLE = re.compile(r"_?(?!deed|feed|need|red|seed|speed)[a-z]+ed")  # names of functions are verbs


class Rule(NamedTuple):
    """A phrase, and the kinds of text in which it is a hit."""

    id: str
    pattern: re.Pattern[str]
    kinds: set[str]


class Hit(NamedTuple):
    """A place where a rule is broken."""

    line: int
    rule: str
    text: str


RULES = [
    Rule(name, re.compile(pattern, re.IGNORECASE), kinds)
    for name, pattern, kinds in (
        ("L1 opener", r"\A(What|Who)\b", {DOCSTRING, COMMENT}),
        ("L2 fragment", r"\A(of|in|by|with|from|which|that|where|what|who|as|than|on|to)\b", {COMMENT}),
        (
            "L3 stands",
            r"\b(stands?|stood) (in(?! for)|on|at|there|here|beside|between|once|alone|twice|under|below|above)\b",
            ALL,
        ),
        ("L4 tell", r"\b(tells?|told|telling)\b(?! apart)", ALL),
        ("L5 go on", r"\b(go|goes|going|went|gone) on\b", ALL),
        ("L6 beside", r"\bbeside\b", ALL),
        ("L7 rule of thumb", r"\brules? of thumb\b", ALL),
        ("L8 anew", r"\banew\b", ALL),
        ("L9 is no", r"(?<!there )\b(is|are) no (?!longer\b|more\b|less\b|such\b|better\b|worse\b)[a-z]", ALL),
        ("L10 whole number", r"\bwhole numbers?\b", ALL),
        ("L11 so many", r"\bso many\b", ALL),
        ("L12 there is LIST", r"; there (is|are) \{", {ERROR}),
        ("L13 begun", r"\bbegun\b", ALL),
        ("L14 reckon", r"\breckon", ALL),
        ("L15 whoever", r"\b(whoever|whatever|whichever)\b", ALL),
        ("L16 fault", r"\bfaults?\b", ALL),
        ("L20 retired", r"\b(yardsticks?|observed numbers?)\b", ALL),
    )
]


def files() -> list[Path]:
    """Return all files with names or prose of the project, sorted."""
    sources = [
        path for folder in SOURCE_FOLDERS for kind in ("py", "toml") for path in (ROOT / folder).rglob(f"*.{kind}")
    ]
    pages = [path for folder in PAGE_FOLDERS for path in (ROOT / folder).glob("*.md")]
    return sorted({*sources, *pages, ROOT / "pyproject.toml"} - {Path(__file__).resolve()})


def hits(path: Path) -> list[Hit]:
    """Return the hits of one file by line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        tree = ast.parse(text)
        phrases = [*_comments(text), *_strings(tree)]
        names = [*_vague_names(tree), *([Hit(1, "L18 module", path.stem)] if path.stem in VAGUE_MODULES else [])]
        if not path.is_relative_to(ROOT / "tests"):
            names += _participles(tree)
    else:
        phrases, names = [*(_comments_of_toml(text) if path.suffix == ".toml" else _paragraphs(text))], []
    return sorted([*names, *(hit for phrase in phrases for hit in phrase_hits(*phrase))])


def phrase_hits(line: int, kind: str, text: str) -> Iterator[Hit]:
    """Yield the hits in a text of some kind that starts at a line."""
    for rule in RULES:
        if kind in rule.kinds:
            quoted = text if rule.id.startswith("L12") else re.sub(r"\{[^}]*\}|`[^`]*`", "{}", text)
            for match in rule.pattern.finditer(quoted):
                yield Hit(line + quoted[: match.start()].count("\n"), rule.id, match[0])


def _comments(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each comment, with the ones on the following lines that continue it."""
    block: list[str] = []
    first = last = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT:
            continue
        line = token.start[0]
        is_alone = token.line.lstrip().startswith("#")
        if block and not (is_alone and line == last + 1):
            yield first, COMMENT, "\n".join(block)
            block = []
        first = line if not block else first
        block.append(token.string.lstrip("#").strip())
        last = line
    if block:
        yield first, COMMENT, "\n".join(block)


def _strings(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Yield docstrings, texts of errors, and help texts of the command line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node)
            if docstring:
                yield node.body[0].lineno, DOCSTRING, docstring
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from ((item.lineno, ERROR, _literal(item)) for item in node.exc.args)
        elif isinstance(node, ast.keyword) and node.arg == "help":
            yield node.value.lineno, PROSE, _literal(node.value)


def _literal(node: ast.AST) -> str:
    """Return the text of a string; each formatted value is `{}`."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_literal(part) for part in node.values)
    if isinstance(node, ast.BinOp):
        return _literal(node.left) + _literal(node.right)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return "{}"


def _comments_of_toml(text: str) -> Iterator[tuple[int, str, str]]:
    for line, content in enumerate(text.splitlines(), 1):
        comment = re.search(r"(?:^|\s)#\s*(.*)", content)
        if comment and not comment[1].startswith(('"', "'")):
            yield line, PROSE, comment[1]


def _paragraphs(text: str) -> Iterator[tuple[int, str, str]]:
    without_code = re.sub(
        r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL
    )
    yield 1, PROSE, without_code


def _vague_names(tree: ast.Module) -> Iterator[Hit]:
    for node in ast.walk(tree):
        name = ""
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = node.attr.strip("_")
        if name in VAGUE_NAMES:
            yield Hit(node.lineno, "L17 name", name)


def _participles(tree: ast.Module) -> Iterator[Hit]:
    for scope in (tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))):
        for node in scope.body:
            if isinstance(node, ast.FunctionDef) and not node.decorator_list and PARTICIPLE.fullmatch(node.name):
                yield Hit(node.lineno, "L19 function", node.name)


def counts() -> dict[str, int]:
    """Return the number of hits of each file that has any."""
    numbers = {path.relative_to(ROOT).as_posix(): len(hits(path)) for path in files()}
    return {name: number for name, number in numbers.items() if number}


def limits() -> dict[str, int]:
    """Return the allowed number of hits by file."""
    return json.loads(LIMITS.read_text(encoding="utf-8")) if LIMITS.exists() else {}


def main() -> None:
    parser = argparse.ArgumentParser(description="Report names and phrases that the style guide excludes.")
    parser.add_argument("files", nargs="*", type=Path, help="files to report; all by default")
    parser.add_argument("--update", action="store_true", help="lower the limits to the hits of today")
    arguments = parser.parse_args()
    if arguments.update:
        old, new = limits(), counts()
        lowered = {name: min(new[name], old[name]) for name in sorted(new) if name in old}
        LIMITS.write_text(json.dumps(lowered, indent=0) + "\n")
        return
    for path in arguments.files or files():
        for hit in hits(path.resolve()):
            print(f"{path}:{hit.line}: {hit.rule}: {hit.text}")


if __name__ == "__main__":
    main()
