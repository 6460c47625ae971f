"""The documentation site: built without warnings, with working links and no external resources."""

import re
import subprocess
import sys
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import vitienv
from tools.site import write
from vitienv.cli import COMMANDS
from vitienv.extras import missing_message

ROOT = Path(vitienv.__file__).resolve().parent.parent

pytestmark = pytest.mark.skipif(
    not all(map(find_spec, ("mkdocs", "material", "mkdocstrings"))),
    reason=missing_message("the site", "MkDocs", "docs"),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site. Missing pages, links, anchors or docstrings are warnings, which fail the build."""
    folder = tmp_path_factory.mktemp("site")
    write(folder / "pages")
    words = ["mkdocs", "build", "--quiet", "--config-file", "pages/mkdocs.yml", "--site-dir", str(folder / "site")]
    done = subprocess.run([sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def pages(site):
    return {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}


def test_all_pages_are_built(site):
    for path in (ROOT / "docs").glob("*.md"):
        assert (site / path.with_suffix(".html").name).is_file(), path.name


def test_links_of_the_site(site):
    texts = pages(site)
    ids = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in texts.items()}
    broken = []
    for path, text in texts.items():
        if path.name == "404.html":  # its links start at the root
            continue
        for link in re.findall(r'(?:href|src)="([^"]*)"', text):
            parts = urlsplit(unescape(link))
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.exists() or (anchor not in ("", "__skip") and target in ids and anchor not in ids[target]):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert not broken and len(texts) > 30


def test_site_has_no_external_resources(site):
    elsewhere = re.compile(
        r'<(script|img|iframe)[^>]*\bsrc="(https?:)?//|<link[^>]*rel="stylesheet"[^>]*href="(https?:)?//'
    )
    assert [path.name for path, text in pages(site).items() if elsewhere.search(text)] == []


def test_api_reference_is_generated(site):
    api = (site / "reference" / "api.html").read_text(encoding="utf-8")
    for name in ("vitienv.game.Game.determinize", "vitienv.data.DataSet.arrays", "vitienv.envs.vector.GameVec.step"):
        assert f'id="{name}"' in api, name
    commands = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"vitienv {name}" not in commands] == []
    assert "--max-years" in commands
