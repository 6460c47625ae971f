"""Fixtures: a client of a server in this process; for the tests in a real browser a server, Chromium, pages."""

import pytest
from playwright import sync_api

from tests.web.browser import CHROMIUM, WIDE, tables
from tests.web.client import client_of


@pytest.fixture
def client(tmp_path):
    return client_of(tmp_path / "tables")


@pytest.fixture
def running(tmp_path):
    server = tables(tmp_path / "tables")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def chromium():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """Open pages; at the end none may have had an error without `but`, or sent a request to another server."""
    pages, errors = [], []

    def opened(address, size=WIDE, but="\0", **options):
        page = chromium.new_page(viewport={"width": size[0], "height": size[1]}, **options)
        page.set_default_timeout(60_000)
        page.on("console", lambda message: errors.append(message.text)
                if message.type in ("error", "warning") and but not in message.text else None)  # fmt: skip
        page.on("pageerror", lambda error: errors.append(str(error)))
        origin = address.partition("#")[0].removeprefix("file://")
        page.on("request", lambda request: None if origin in request.url or request.url.startswith(("data:", "blob:"))
                else errors.append(request.url))  # fmt: skip
        page.goto(address)
        pages.append(page)
        return page

    yield opened
    for page in pages:
        page.close()
    assert not errors


@pytest.fixture
def page(running, open_page):
    """The start page of a server."""
    return open_page(running.address)
