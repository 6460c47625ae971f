"""Fixture: Chromium."""

from tests.web.conftest import chromium

__all__ = ["chromium"]
