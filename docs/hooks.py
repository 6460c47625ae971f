"""MkDocs hooks: generated reference pages, pages of the repository's root, and copies of linked files.

Links of the pages work in the repository; on the site they lead to the copies.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files

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
    import click
    from typer.cli import get_docs_for_click

    from vitienv.cli import command_line

    command = command_line()
    page = get_docs_for_click(obj=command, ctx=click.Context(command, info_name="vitienv"), name="vitienv")
    page = page.replace("# `vitienv`", "# Command line", 1)
    return re.sub(r"<(?=[A-Za-z])", "&lt;", page)


def package_tree() -> str:
    """Return a directory with links to the sources as they are installed, in which mkdocstrings finds docstrings."""
    folder = Path(tempfile.mkdtemp(prefix="vitienv-site-"))
    package = folder / "vitienv"
    package.mkdir()
    for path in (ROOT / "vitienv").iterdir():
        if path.name not in ("agents", "training", "__pycache__"):
            (package / path.name).symlink_to(path)
    for name in ("agents", "training"):
        (package / name).symlink_to(ROOT / name)
    return str(folder)


@event_priority(100)  # before mkdocstrings reads it
def on_config(config: Any) -> Any:
    """Set the paths of mkdocstrings."""
    handlers = config.plugins["mkdocstrings"].config["handlers"]
    handlers["python"]["paths"] = [package_tree()]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add generated pages and copies of linked files outside of docs/."""
    generated = {"reference/api.md": api_page(), "reference/command-line.md": command_page()}
    generated |= {page: (ROOT / name).read_text(encoding="utf-8") for name, page in PAGES.items()}
    for page, text in generated.items():
        files.append(File.generated(config, page, content=text))
    for path in sorted([*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "results").rglob("*.*")]):
        files.append(File.generated(config, path.relative_to(ROOT).as_posix(), content=path.read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Replace links to files of the repository by links to their copies."""
    markdown = re.sub(r"^```python \w+$", "```python", markdown, flags=re.MULTILINE)  # the word selects the test
    up = "../" * page.file.src_uri.count("/")
    if page.file.src_uri in PAGES.values():  # its links start at the root
        markdown = re.sub(r"\]\((docs/)?([\w-]+\.md)(#[\w-]+)?\)", lambda m: _from_root(m, up), markdown)
        markdown = markdown.replace("](results/", f"]({up}results/")
    for name, copy in PAGES.items():
        markdown = markdown.replace(f"](../{name})", f"]({up}{copy})")
    if page.file.src_uri.startswith("results/"):
        return markdown.replace("](../docs/", "](../")
    return re.sub(r"\]\(\.\./(notebooks|results)/", rf"]({up}\1/", markdown)


def _from_root(link: re.Match[str], up: str) -> str:
    folder, name, anchor = link.group(1), link.group(2), link.group(3) or ""
    return f"]({up}{name if folder else PAGES.get(name, name)}{anchor})"
