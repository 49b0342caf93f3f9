"""The explorer in headless Chromium: first view, from an edit to its picture, the static site, the bundle.

python benchmarks/explorer.py [WORD..]     those whose name has one of the words; needs Debian's chromium
"""

from __future__ import annotations

import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
BUNDLE = ROOT / "src" / "tilewright" / "explorer" / "page"
TURNS = 5
# Edits go to and fro between two layouts of one size, so that each is another picture.
EDITS = {
    "4,096 elements": ("(64,64):(64,1)", "(64,64):(1,64)"),
    "4,096 elements, swizzled": ("Swizzle<3,3,3> o 0 o (64,64):(64,1)", "Swizzle<2,3,3> o 0 o (64,64):(64,1)"),
    "4,096 elements, named axes": (
        "S[(8,8,4,16):(4@laneid,1@warpid,1@laneid,1@m)]",
        "S[(8,8,4,16):(4@laneid,2@warpid,1@laneid,1@m)]",
    ),
    "65,536 elements": ("(256,256):(256,1)", "(256,256):(1,256)"),
    "65,536 elements, swizzled": ("Swizzle<3,3,3> o 0 o (256,256):(256,1)", "Swizzle<2,3,3> o 0 o (256,256):(256,1)"),
    "65,536 elements, named axes": (
        "S[(8,32,4,64):(4@laneid,1@warpid,1@laneid,1@m)]",
        "S[(8,32,4,64):(4@laneid,2@warpid,1@laneid,1@m)]",
    ),
}
# From a key to the frame that shows the new picture: an answer is drawn as soon as the page is no longer busy.
EDITED = """([text]) => new Promise((done) => {
  const field = document.querySelector("[name=a]");
  const began = performance.now();
  const board = document.querySelector(".shown");
  const answered = new MutationObserver(() => {
    if (board.hasAttribute("aria-busy")) return;
    answered.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  });
  answered.observe(board, { attributes: true, attributeFilter: ["aria-busy"] });
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
})"""
# From a pointer that moves onto another cell to the frame that shows what is linked with it.
POINTED = """([x, y]) => new Promise((done) => {
  const board = document.querySelector(".scroller");
  const began = performance.now();
  board.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y, bubbles: true }));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
})"""


@contextmanager
def command(compiled: str) -> Iterator[str]:
    """The address of a command that has just been started, with the package compiled, as installed ones are."""
    words = [sys.executable, "-m", "tilewright", "explore", "--no-open"]
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    own["PYTHONPYCACHEPREFIX"] = compiled
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=own) as running:
        try:
            assert running.stdout
            yield running.stdout.readline().split()[-1]
        finally:
            running.kill()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def site() -> Iterator[str]:
    """The address of the static site, behind a plain web server."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, ROOT / "scripts" / "site", folder], check=True)
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_address[1]}/"
            server.shutdown()


def view(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".picture canvas")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.set_default_timeout(120_000)
        view(page, address)
        yield page


def first_view(browser: Browser, compiled: str) -> Iterator[float]:
    """Milliseconds from the command to its first picture, in a browser that runs; the first turn compiles."""
    for _ in range(TURNS + 1):
        began = time.perf_counter()
        with command(compiled) as address, opened(browser, address):
            yield (time.perf_counter() - began) * 1e3


def first_view_of_site(browser: Browser, address: str) -> Iterator[float]:
    """Milliseconds from the address to the first picture."""
    for _ in range(TURNS):
        began = time.perf_counter()
        with opened(browser, address):
            yield (time.perf_counter() - began) * 1e3


def edits(page: Page, texts: tuple[str, str]) -> Iterator[float]:
    """Milliseconds from a key to the picture."""
    for text in (*texts, *texts * TURNS):
        yield page.evaluate(EDITED, [text])


def pointed(page: Page, text: str) -> Iterator[float]:
    """Milliseconds from the pointer on a cell to its links."""
    page.evaluate(EDITED, [text])
    for cell in range(0, 100, 7):
        at = page.evaluate("(cell) => { const { x, y } = explorer.middle(0, 0, cell); return [x, y]; }", cell)
        yield page.evaluate(POINTED, at)


def row(name: str, values: Iterator[float], limit: float | None, skipped: int = 0) -> None:
    found = list(values)[skipped:]
    goal = "" if limit is None else f"{limit:.0f}"
    print(f"| {name} | {statistics.median(found):.0f} | {min(found):.0f} | {max(found):.0f} | {goal} |", flush=True)


def measured(browser: Browser, compiled: str, wanted: Callable[[str], bool]) -> None:
    if wanted("first view of the command"):
        row("first view of the command", first_view(browser, compiled), 1000, 1)
    if any(wanted(f"local page, {kind} {size}") for kind in ("edit,", "hover,") for size in EDITS):
        with command(compiled) as address, opened(browser, address) as page:
            for size, texts in EDITS.items():
                if wanted(f"local page, edit, {size}"):
                    row(f"local page, edit, {size}", edits(page, texts), 100 if size[0] == "4" else 400, 2)
                if wanted(f"local page, hover, {size}"):
                    row(f"local page, hover, {size}", pointed(page, texts[0]), 50, 1)
    if any(wanted(f"static site, {what}") for what in ("first view", *EDITS)):
        with site() as address:
            row("static site, first view", first_view_of_site(browser, address), None)
            with opened(browser, address) as page:
                for size, texts in EDITS.items():
                    row(f"static site, edit, {size}", edits(page, texts), 400 if size[0] == "4" else None, 2)


def bundle() -> None:
    for name in ("app.js", "app.css", "index.html"):
        kilobytes = len(gzip.compress((BUNDLE / name).read_bytes(), 9)) / 1e3
        print(f"| {name}, gzipped, kB | {kilobytes:.1f} | | | {200 if name == 'app.js' else ''} |")


def main(words: list[str]) -> None:
    print("| what | median ms | least | most | goal |\n|---|---|---|---|---|")
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as compiled:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        measured(browser, compiled, lambda name: not words or any(word in name for word in words))
        browser.close()
    bundle()


if __name__ == "__main__":
    main(sys.argv[1:])
