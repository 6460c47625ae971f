"""What a project needs to be used, cited and added to is there, and says the same everywhere."""

import re
import tomllib
from pathlib import Path

import pytest

import vitienv
from vitienv.viticulture.cards import ORDERS, SUMMER_VISITORS, WINTER_VISITORS
from vitienv.viticulture.render.text.cards import CARDS

ROOT = Path(vitienv.__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_license_and_authors_are_the_same_everywhere():
    assert PROJECT["license"] == "MIT" and PROJECT["license-files"] == ["LICENSE"]
    (author,) = [author["name"] for author in PROJECT["authors"]]
    assert text("LICENSE").startswith("MIT License") and author in text("LICENSE")
    citation = text("CITATION.cff")
    assert f"name: {author}" in citation and "license: MIT" in citation


def test_the_version_stands_in_one_place_and_its_copies_follow():
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", vitienv.__version__)  # semver.org, as Python writes it
    assert PROJECT["dynamic"] == ["version"] and "version" not in PROJECT
    assert f"version: {vitienv.__version__}" in text("CITATION.cff").splitlines()
    assert f"version = {{{vitienv.__version__}}}" in text("README.md")
    assert f"## {vitienv.__version__}" in text("CHANGELOG.md").splitlines()
    assert f"`{vitienv.__version__}`" in text("docs/versioning.md")


def test_issues_have_forms_that_ask_for_what_can_be_replayed():
    folder = ROOT / ".github" / "ISSUE_TEMPLATE"
    forms = {path.stem for path in folder.glob("*.md")}
    assert forms == {"bug", "rules", "feature"}
    for form in forms:
        told = (folder / f"{form}.md").read_text(encoding="utf-8")
        assert re.match(r"---\nname: .+\nabout: .+\nlabels: .+\n---\n", told)
    assert "vitienv --version" in text(".github/ISSUE_TEMPLATE/bug.md")
    assert "docs/rulings.md" in text(".github/ISSUE_TEMPLATE/rules.md")


PAGES = [path.relative_to(ROOT).as_posix() for name in (".", "docs", "results") for path in (ROOT / name).glob("*.md")]


@pytest.mark.parametrize("page", sorted(PAGES))
def test_links_between_pages_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text(page))
    missing = [target for target in targets if not ((ROOT / page).parent / target).exists()]
    assert missing == []


def test_every_card_stands_on_the_page_of_texts():
    page = text("docs/cards.md")
    assert [row.id for row in (*SUMMER_VISITORS, *WINTER_VISITORS) if f"| {CARDS[row.id].title} |" not in page] == []
    assert page.count("\n| ") == 3 * 2 + len(SUMMER_VISITORS) + len(WINTER_VISITORS) + len(ORDERS)


def test_what_agents_are_told_exists():
    """Each path, link and target of make in AGENTS.md and llms.txt."""
    pages = (ROOT / "AGENTS.md").read_text() + (ROOT / "llms.txt").read_text()
    paths = re.findall(r"`([\w./]+(?:/|\.md|\.py|\.txt))`", pages) + re.findall(r"\]\(([^)#]+)", pages)
    assert len(paths) > 30 and [path for path in paths if not (ROOT / path).exists()] == []
    targets = re.findall(r"^[\w -]+(?=:(?!=))", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = [name for line in re.findall(r"^make ([a-z -]+)", pages, re.MULTILINE) for name in line.split()]
    assert len(named) >= 4 and set(named) <= set(" ".join(targets).split())
