"""Generated tables of the documentation: `python -m tools.docs` writes them, `--check` compares them.

Text between the marks `<!-- table: NAME -->` and `<!-- end -->` is generated. The check also requires that named files,
functions and tests exist, and that each section of the rulebook cited by rules and rulings has a row.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path

import vitienv
from tools import doc_tables
from tools.markdown_tables import around
from vitienv import registry
from vitienv.core.text_utils import markdown
from vitienv.training import settings
from vitienv.training.evaluation import benchmark

ROOT = Path(vitienv.__file__).parent.parent
DOCS = ROOT / "docs"
INDEX = ROOT / "llms.txt"  # for language models
RULEBOOK = "rulebook.md"


def versions_table() -> str:
    """Return the tested versions of other libraries, from the constraints."""
    rows = ["| library | version | with |", "| --- | --- | --- |"]
    for constraints, names in TESTED.items():
        pinned = dict(line.split("==") for line in (ROOT / constraints).read_text().split() if "==" in line)
        common = ", ".join(f"{name} {pinned[name]}" for name in ("gymnasium", "pettingzoo", "torch", "numpy"))
        rows += [f"| {title} | {pinned[name]} | {common} |" for name, title in names.items()]
    return "\n".join(rows)


def positions_table(game: str = registry.DEFAULT) -> str:
    """Return the keys of a game's positions, without those of the game that it varies."""
    from vitienv.core.positions import table_of

    game_spec = registry.game_spec(game)
    bases = [
        doc_tables.key_rows(table_of(registry.game_spec(base).options())) for base in [game_spec.base_game] if base
    ]
    rows = [row for row in doc_tables.key_rows(table_of(game_spec.options())) if not any(row in base for base in bases)]
    return markdown(("key", "meaning"), rows)


def orders_table() -> str:
    """Return the wine orders of Viticulture."""
    from vitienv.viticulture.cards import ORDERS
    from vitienv.viticulture.render.text.cards import wines_of

    rows = [(order.id[-2:], wines_of(order), str(order.vp), str(order.residual)) for order in ORDERS]
    return markdown(("order", "wines of these values or more", "points", "lira a year"), rows)


def visitors_table(cards: str) -> str:
    """Return the visitors of Viticulture. cards: SUMMER_VISITORS or WINTER_VISITORS."""
    from vitienv.viticulture import cards as viticulture
    from vitienv.viticulture.render.text.cards import CARDS

    titles = [(CARDS[row.id].title, CARDS[row.id].text) for row in getattr(viticulture, cards)]
    return markdown(("visitor", "what happens"), titles)


def components_table() -> str:
    """Return the components of Toscana that are reconstructed or inferred, and why."""
    from vitienv.toscana.components import COMPONENTS

    rows = [(f"`{row.path}`", row.source, row.why) for row in COMPONENTS.values()]
    return markdown(("`components`", "source", "why"), rows)


def training_table(*names: str) -> str:
    """Return the options of `vitienv train` in the first two dataclasses alone; without names, those of all methods."""
    classes = [getattr(import_module(f"vitienv.training.{module}"), name)
               for module, _, name in (name.rpartition(".") for name in names)]  # fmt: skip
    if not names:
        return doc_tables.training_options_table([settings.Call])
    return doc_tables.training_options_table(classes[:2], [*classes[2:], settings.Call])


def sizes_table() -> str:
    """Return the size of the project: lines of Python, required dependencies, commands."""
    from vitienv.cli import COMMANDS

    def lines(*folders: str) -> str:
        files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
        count = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
        return f"{-(-count // 500) * 500:,}"

    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    rows = {
        "lines of `vitienv`, `agents`, `training`": (lines("vitienv", "agents", "training"), "52,000"),
        "lines of `tests`": (lines("tests"), "36,000"),
        "required dependencies": (len(dependencies), 9),
        "commands": (len(COMMANDS), 13),
    }
    body = [f"| {name} | {size} | {goal} |" for name, (size, goal) in rows.items()]
    return "\n".join(["| | at most | goal |", "| --- | --- | --- |", *body])


def table_of(home: str) -> str:
    """Return the table that a function writes, given by its dotted name."""
    module, _, name = home.rpartition(".")
    return getattr(import_module(module), name)()


# Libraries by the file that pins their versions.
TESTED = {
    "constraints.txt": {"stable_baselines3": "Stable-Baselines3", "sb3_contrib": "sb3-contrib"},
    "constraints-integrations.txt": {
        "torchrl": "TorchRL",
        "tianshou": "Tianshou",
        "ray": "RLlib (Ray)",
        "SuperSuit": "SuperSuit",
        "open_spiel": "OpenSpiel",
        "openenv": "OpenEnv",
    },
}

SELFPLAY = "selfplay.settings.Call", "selfplay.settings.Settings"
SEARCH = "search.settings.Call", "search.settings.Settings"
TABLES: dict[str, tuple[str, Callable[[], str]]] = {
    "actions": ("layouts.md", doc_tables.actions_table),
    "observation": ("layouts.md", doc_tables.observation_table),
    "axes": ("layouts.md", doc_tables.axes_table),
    "sizes": ("architecture.md", sizes_table),
    "versions": ("integrations.md", versions_table),
    "state": ("layouts.md", lambda: doc_tables.state_table(vitienv.game_spec().fields)),
    "options": ("environments.md", doc_tables.options_table),
    "positions": ("positions.md", positions_table),
    "world_positions": ("world.md", partial(positions_table, "world")),
    "toscana_positions": ("toscana.md", partial(positions_table, "toscana")),
    "data_columns": ("data.md", doc_tables.data_columns_table),
    "networks": ("champions.md", lambda: doc_tables.networks_table(vitienv.game_spec())),
    "benchmark": (benchmark.PAGE, doc_tables.benchmark_table),
    "benchmark_trained": (benchmark.PAGE, doc_tables.benchmark_training_table),
    "benchmark_held_out": (benchmark.PAGE, doc_tables.benchmark_held_out_table),
    "train": ("training.md", training_table),
    "train_ppo": ("training.md", partial(training_table, "ppo.settings.Call", "ppo.settings.Settings")),
    "train_selfplay": ("training.md", partial(training_table, *SELFPLAY)),
    "train_search": ("training.md", partial(training_table, *SEARCH, *SELFPLAY)),
    "orders": ("cards.md", orders_table),
    "summer_visitors": ("cards.md", partial(visitors_table, "SUMMER_VISITORS")),
    "winter_visitors": ("cards.md", partial(visitors_table, "WINTER_VISITORS")),
    "primer": ("how-to-play.md", partial(table_of, "vitienv.viticulture.render.text.primer.page")),
    "toscana_rules": ("toscana.md", partial(table_of, "vitienv.toscana.render.text.primer.page")),
    "world_options": ("world.md", partial(doc_tables.options_table, "world")),
    "world_words": ("world.md", partial(table_of, "vitienv.world.language.table")),
    "toscana_options": ("toscana.md", partial(doc_tables.options_table, "toscana")),
    "toscana_components": ("toscana.md", components_table),
    "toscana_actions": ("toscana.md", partial(doc_tables.actions_table, "toscana")),
    "toscana_observation": ("toscana.md", partial(doc_tables.observation_table, "toscana")),
    **{
        name: (place[0], partial(doc_tables.published_table, *place))
        for name, place in doc_tables.published_tables().items()
    },
}


def _page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def updated(name: str) -> str:
    """Return a page with new tables. ValueError if the marks of a table are missing."""
    text = _page(name)
    for table, (page, make) in TABLES.items():
        if page != name:
            continue
        before, after = around(text, table, f"docs/{name}")
        text = f"{before}\n{make()}\n{after}"
    return text


def index() -> str:
    """Return the content of `llms.txt`: the first page of the documentation, with paths from the repository's root."""
    text = re.sub(r"!\[[^]]*\]\([^)]*\)\n\n", "", _page("index.md"))
    return re.sub(r"\]\((?!\.\./)", "](docs/", text).replace("](../", "](")


def outdated() -> list[str]:
    """Return the errors of the documentation, one line each."""
    errors = []
    for page in sorted({page for page, _ in TABLES.values()}):
        if not (DOCS / page).exists():
            errors.append(f"docs/{page} is missing")
        elif updated(page) != _page(page):
            errors.append(f"docs/{page} is out of date: run `make docs`")
    if not INDEX.exists() or INDEX.read_text(encoding="utf-8") != index():
        errors.append(f"{INDEX.name} is out of date: run `make docs`")
    for path in sorted(DOCS.glob("*.md")):
        errors += [f"docs/{path.name} names {name}, which does not exist" for name in broken_names(_page(path.name))]
    rows = sections_with_rows(_page(RULEBOOK))
    errors += [
        f"docs/{RULEBOOK} has no row for the section {section!r}, cited in {source}"
        for section, source in cited_sections()
        if section.lower() not in rows
    ]
    return errors


# Names and citations.

NAMED = re.compile(r"`([\w/]*/[\w/]+\.py)(?:::(\w+))?`")
CITED = re.compile(r"Essential, ([^,;|)]+)")


def broken_names(text: str) -> list[str]:
    """Return named files and functions that do not exist; paths of tests start at tests/."""
    broken = []
    for file, function in dict.fromkeys(NAMED.findall(text)):
        path = next((base / file for base in (ROOT, ROOT / "tests") if (base / file).is_file()), None)
        if path is None or (function and function not in _defined(path)):
            broken.append(f"{file}::{function}" if function else file)
    return broken


@cache
def _defined(path: Path) -> frozenset[str]:
    """Return the functions, classes and constants of a file."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(names)


def sections_with_rows(text: str) -> set[str]:
    """Return the sections in the first column of the rulebook's page, in lower case."""
    rows = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")]
    return {name.strip().lower() for row in rows for name in row.split(" / ")}


def cited_sections() -> Iterator[tuple[str, str]]:
    """Yield the sections that rules and rulings cite, each with its first source."""
    sections = set()
    for path in [DOCS / "rulings.md", *sorted((ROOT / "vitienv" / registry.DEFAULT).rglob("*.py"))]:
        for section in _cited_in(path):
            if section.lower() not in sections:
                sections.add(section.lower())
                yield section, path.relative_to(ROOT).as_posix()


def _cited_in(path: Path) -> list[str]:
    """Return the cited sections. Citations in docstrings are in brackets and may contain line breaks."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if path.suffix == ".md":
        return [section.strip() for section in CITED.findall(text)]
    comments = [line.partition("#")[2] for line in text.splitlines()]
    docstrings = re.findall(r"\(Essential, [^)]+", re.sub(r"\s+", " ", text))
    return [section.strip() for part in comments + docstrings for section in CITED.findall(part)]


def write() -> list[str]:
    """Write the pages with changed tables; return their names."""
    from vitienv.core.files import atomic

    changed = []
    INDEX.write_text(index(), encoding="utf-8")
    for page in sorted({page for page, _ in TABLES.values()}):
        text = updated(page)
        path = DOCS / page
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            with atomic(path) as temporary:
                temporary.write_text(text, encoding="utf-8")
            changed.append(page)
    return changed


def main() -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs", description="Tables of the documentation.")
    parser.add_argument("--check", action="store_true", help="check only; fail if anything is out of date")
    if parser.parse_args().check:
        errors = outdated()
        print("\n".join(errors) or "the documentation is up to date")
        return 1 if errors else 0
    print("\n".join(f"written: docs/{page}" for page in write()) or "nothing changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
