"""Files about the project exist and are consistent."""

import re
import tomllib
from pathlib import Path

import pytest

import vitienv

ROOT = Path(vitienv.__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_license_and_authors_are_consistent():
    assert PROJECT["license"] == "MIT" and PROJECT["license-files"] == ["LICENSE"]
    (author,) = [author["name"] for author in PROJECT["authors"]]
    assert text("LICENSE").startswith("MIT License") and author in text("LICENSE")
    citation = text("CITATION.cff")
    assert f"name: {author}" in citation and "license: MIT" in citation


def test_version_is_consistent():
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", vitienv.__version__)  # semver.org in Python's notation
    assert PROJECT["dynamic"] == ["version"] and "version" not in PROJECT
    assert f"version: {vitienv.__version__}" in text("CITATION.cff").splitlines()
    assert f"version = {{{vitienv.__version__}}}" in text("README.md")
    assert f"## {vitienv.__version__}" in text("CHANGELOG.md").splitlines()
    assert f"`{vitienv.__version__}`" in text("docs/versioning.md")


def test_bibtex_has_no_comment_inside_its_entry():
    """BibTeX stops at one."""
    (entry,) = re.findall(r"```bibtex\n(.*?)```", text("README.md"), re.DOTALL)
    assert re.fullmatch(r"@software\{vitienv,\n(  \w+ += \{.*\},\n)+\}\n", entry)


PAGES = [path.relative_to(ROOT).as_posix() for name in (".", "docs", "results") for path in (ROOT / name).glob("*.md")]


@pytest.mark.parametrize("page", sorted(PAGES))
def test_links_between_pages(page):
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text(page))
    missing = [target for target in targets if not ((ROOT / page).parent / target).exists()]
    assert missing == []


def test_references_of_agent_files_exist():
    """Each path and link in AGENTS.md and llms.txt."""
    pages = (ROOT / "AGENTS.md").read_text() + (ROOT / "llms.txt").read_text()
    paths = re.findall(r"`([\w./]+(?:/|\.md|\.py|\.txt))`", pages) + re.findall(r"\]\(([^)#]+)", pages)
    assert len(paths) > 30 and [path for path in paths if not (ROOT / path).exists()] == []
