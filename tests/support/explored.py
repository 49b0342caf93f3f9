"""What a user does on the explorer's page, in a browser that playwright drives."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tilewright.figures.scene import Panel, Scene


def drawn(reply: Any, scene: int = 0) -> tuple[Panel, ...]:
    """The panels of a picture in an engine's reply."""
    return Scene.from_json(reply["scenes"][scene]).panels


def lines_run(lines: str) -> dict[str, Any]:
    """What the lines of Python of an answer define, the picture that they draw last as `figure`.

    They are the package's own text, and that they run as they stand is what a test of them says.
    """
    known: dict[str, Any] = {}
    exec(lines.replace("\ntw.draw(", "\nfigure = tw.draw("), known)
    return known


def settled(page: Page) -> None:
    """Waits until the last request is answered."""
    page.wait_for_selector(".shown:not([aria-busy])")


def write(page: Page, field: str, text: str) -> None:
    """Writes a text into a field, and waits for its answer."""
    page.locator(f"[name={field}]").fill(text)
    settled(page)


def click(page: Page, cell: int, scene: int = 0, panel: int = 0) -> None:
    """Clicks on a cell of a picture."""
    at = page.evaluate("([s, p, c]) => explorer.middle(s, p, c)", [scene, panel, cell])
    page.mouse.click(at["x"], at["y"])
