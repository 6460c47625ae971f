"""Source directory of the documentation site: mkdocs.yml and all pages, including generated ones.

    python -m tools.site build/pages && python -m mkdocs build --config-file build/pages/mkdocs.yml

Zensical can build the same directory. Links of the pages work in the repository; on the site they lead to copies of the
linked files.
"""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Files of the root and their pages on the site.
PAGES = {"CHANGELOG.md": "about/changelog.md", "CONTRIBUTING.md": "about/contributing.md",
         "SECURITY.md": "about/security.md"}  # fmt: skip
# Objects of the API reference by heading.
API = {
    "Games": ("vitienv.game.Game", "vitienv.session.replay.replay", "vitienv.core.errors.IllegalAction"),
    "Environments": (
        "vitienv.envs.env", "vitienv.envs.raw_env", "vitienv.envs.make_vec", "vitienv.envs.vector.GameVec",
        "vitienv.envs.single.SingleAgentEnv", "vitienv.envs.single.SingleAgentVectorEnv",
        "vitienv.envs.sb3.SingleAgentVecEnv",
    ),
    "Layouts": ("vitienv.core.action_spec.ActionSpec", "vitienv.core.observation_spec.ObservationSpec"),
    "Bots": ("vitienv.agents.registry.make_agent", "vitienv.agents.protocol.Agent", "vitienv.agents.protocol.GameViews",
             "vitienv.agents.search.agent.IsmctsAgent"),
    "Data sets": ("vitienv.data.read", "vitienv.data.DataSet", "vitienv.data.minari.to_minari",
                  "vitienv.training.evaluation.data_sets.Settings", "vitienv.training.evaluation.data_sets.write"),
    "Matches and tournaments": ("vitienv.training.evaluation.match.play",
                                "vitienv.training.evaluation.match.GameResults",
                                "vitienv.training.evaluation.tournament.Settings",
                                "vitienv.training.evaluation.tournament.run_tournament"),
    "Other games": ("vitienv.registry.game_spec", "vitienv.registry.register_game", "vitienv.core.game_spec.GameSpec",
                    "vitienv.core.options.Options"),
}  # fmt: skip


def api_page() -> str:
    """Return the page of the API reference, into which mkdocstrings inserts the docstrings."""
    parts = ["# Programming interface"]
    for heading, names in API.items():
        parts += [f"## {heading}", *(f"::: {name}" for name in names)]
    return "\n\n".join(parts) + "\n"


def command_page() -> str:
    """Return the page of the command line, as documented by typer."""
    import typer
    from typer.cli import get_docs_for_click

    from vitienv.cli import command_line

    command = command_line()
    page = get_docs_for_click(obj=command, ctx=typer.Context(command, info_name="vitienv"), name="vitienv")
    page = page.replace("# `vitienv`", "# Command line", 1)
    return re.sub(r"<(?=[A-Za-z])", "&lt;", page)


def link_package(folder: Path) -> None:
    """Create the installed package layout as symbolic links, where mkdocstrings looks for docstrings."""
    folder.mkdir()
    for path in (ROOT / "vitienv").iterdir():
        if path.name not in ("agents", "training", "__pycache__"):
            (folder / path.name).symlink_to(path)
    for name in ("agents", "training"):
        (folder / name).symlink_to(ROOT / name)


def write(folder: Path) -> None:
    """Write mkdocs.yml, docs/ and package/vitienv, replacing those of an earlier call."""
    if (folder / "Makefile").exists():
        raise SystemExit(f"folder must be a build directory, got {str(folder)!r}")
    for name in ("docs", "package"):
        shutil.rmtree(folder / name, ignore_errors=True)
    docs = folder / "docs"
    shutil.copytree(ROOT / "docs", docs)
    shutil.copytree(ROOT / "results", docs / "results")
    shutil.copytree(
        ROOT / "notebooks", docs / "notebooks", ignore=lambda _, names: {n for n in names if n[-6:] != ".ipynb"}
    )
    (docs / "reference").mkdir()
    (docs / "reference/api.md").write_text(api_page(), encoding="utf-8")
    (docs / "reference/command-line.md").write_text(command_page(), encoding="utf-8")
    (docs / "about").mkdir()
    for name, page in PAGES.items():
        shutil.copy(ROOT / name, docs / page)
    for path in docs.rglob("*.md"):
        page = path.relative_to(docs).as_posix()
        path.write_text(with_site_links(path.read_text(encoding="utf-8"), page), encoding="utf-8")
    (folder / "package").mkdir()
    link_package(folder / "package/vitienv")
    shutil.copy(ROOT / "mkdocs.yml", folder)


def with_site_links(markdown: str, page: str) -> str:
    """Return a page's text with links to files of the repository replaced by links to their copies."""
    markdown = re.sub(r"^```python \w+$", "```python", markdown, flags=re.MULTILINE)  # the word selects the test
    up = "../" * page.count("/")
    if page in PAGES.values():  # its links start at the root
        markdown = re.sub(r"\]\((docs/)?([\w-]+\.md)(#[\w-]+)?\)", lambda m: _from_root(m, up), markdown)
        markdown = markdown.replace("](results/", f"]({up}results/")
    for name, copy in PAGES.items():
        markdown = markdown.replace(f"](../{name})", f"]({up}{copy})")
    if page.startswith("results/"):
        return markdown.replace("](../docs/", "](../")
    return re.sub(r"\]\(\.\./(notebooks|results)/", rf"]({up}\1/", markdown)


def _from_root(link: re.Match[str], up: str) -> str:
    folder, name, anchor = link.group(1), link.group(2), link.group(3) or ""
    return f"]({up}{name if folder else PAGES.get(name, name)}{anchor})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    write(parser.parse_args().folder)
