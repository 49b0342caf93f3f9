"""A server of the test session, and pages of a real browser that look at it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tilewright.explorer.server import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with Server() as running:
        Thread(target=running.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield running
        running.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "Debian's package chromium is missing"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page, whose every word on the console is a fault."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(10_000)
    opened, said = context.new_page(), []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    context.close()
    assert not said
