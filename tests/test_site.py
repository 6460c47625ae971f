"""The documentation site: built without warnings and external resources."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

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


def test_site_has_all_pages_and_no_external_resources(site):
    elsewhere = re.compile(
        r'<(script|img|iframe)[^>]*\bsrc="(https?:)?//|<link[^>]*rel="stylesheet"[^>]*href="(https?:)?//'
    )
    pages = {path.name: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    assert {path.with_suffix(".html").name for path in (ROOT / "docs").glob("*.md")} <= pages.keys()
    assert [name for name, text in pages.items() if elsewhere.search(text)] == []


def test_api_reference_is_generated(site):
    api = (site / "reference" / "api.html").read_text(encoding="utf-8")
    for name in ("vitienv.game.Game.determinize", "vitienv.data.DataSet.arrays", "vitienv.envs.vector.GameVec.step"):
        assert f'id="{name}"' in api, name
    commands = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"vitienv {name}" not in commands] == []
    assert "--max-years" in commands
