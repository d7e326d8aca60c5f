"""Chromium, at a phone's width, in Home Assistant's own frontend."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from .client import Client
from .demo_home import tokens_for_browser

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 390, "height": 780}
DESK = {"width": 1000, "height": 900}
PATIENCE = 20_000

is_needed = os.environ.get("EDGEHOME_BROWSER") == "needed"
NEEDS_CHROMIUM = pytest.mark.skipif(not CHROMIUM.exists() and not is_needed, reason="Chromium is missing")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def page_of(
    browser: Browser, person: Client, path: str = "/edgehome", size: dict[str, int] | None = None
) -> Iterator[Page]:
    """A page of the frontend, as this person sees it."""
    context = browser.new_context(viewport=size or PHONE)  # type: ignore[arg-type]  # width and height
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('hassTokens', {json.dumps(tokens_for_browser(person))})")
    page.goto(person.url + path)
    yield page
    context.close()


def picture(page: Page, name: str) -> None:
    """Takes a picture into the folder that ``EDGEHOME_PICTURES`` names, if it names one."""
    if folder := os.environ.get("EDGEHOME_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled")
