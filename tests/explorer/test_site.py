"""The static site: the package's own sources answer in the browser as they do here; no other host is asked."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from explored import click, drawn, settled, write

from tilewright.explorer.engine import Engine

ENGINE = Engine()
ROOT = Path(__file__).parents[2]
KERNEL_HALF = {"ir", "variants", "passes", "targets", "runtime", "lang", "cli", "dumps", "expr"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    found = tmp_path_factory.mktemp("served") / "site"
    built = subprocess.run([sys.executable, ROOT / "scripts/site", found], capture_output=True, text=True, check=False)
    assert built.returncode == 0, (
        f"{built.stdout}{built.stderr}\nis all of web/node_modules there? scripts/page --install"
    )
    return found


class Files(SimpleHTTPRequestHandler):
    """Files as any web server gives them, under the policy of the page, which its worker keeps too."""

    extensions_map: ClassVar = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        page = (Path(self.directory) / "index.html").read_text()
        self.send_header("Content-Security-Policy", re.search('content="(default-src [^"]*)"', page)[1])
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(folder) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder))) as running:
        Thread(target=running.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()


@pytest.fixture(scope="module")
def site(browser, address):
    """The site in one page for all tests, as Python takes seconds to load; its every word on the console is a fault."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    page, said, asked = context.new_page(), [], []
    context.route("**/*", lambda route: route.continue_() if route.request.url.startswith(address) else route.abort())
    context.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(address)
    page.wait_for_selector(".picture")
    yield page
    context.close()
    assert not said
    assert f"{address}tilewright.zip" in asked
    assert [url for url in asked if not url.startswith((address, "data:", f"blob:{address}"))] == []


@pytest.fixture
def layout(site):
    """The tab of layouts with its defaults."""
    site.get_by_role("tab", name="Layout", exact=True).click()
    settled(site)
    return site


@pytest.mark.parametrize("tab", ENGINE.tabs)
def test_a_tab_draws_what_the_engine_answers_here(site, tab):
    site.get_by_role("tab", name=ENGINE.tabs[tab].title, exact=True).click()
    preset = ENGINE.tabs[tab].presets[0]
    site.get_by_label("Preset").select_option(preset.name)
    settled(site)
    assert site.locator(".picture").count() >= 1
    assert site.locator(".problem:not(:empty)").count() == 0
    request = {"ask": "answer", "tab": tab, "inputs": dict(preset.inputs)}
    assert site.evaluate("request => explorer.engine.ask(request)", request) == json.loads(
        ENGINE.text(json.dumps(request))
    )


def test_axe_finds_no_violation_and_a_phone_has_its_width(layout):
    layout.evaluate((ROOT / "web/node_modules/axe-core/axe.min.js").read_text())
    found = layout.evaluate("axe.run().then(found => found.violations.map(one => one.id))")
    assert found == []
    layout.set_viewport_size({"width": 390, "height": 800})
    assert layout.evaluate("document.documentElement.scrollWidth") <= 390
    layout.set_viewport_size({"width": 1280, "height": 900})


def test_a_click_holds_a_cell_and_tells_what_the_engine_says_of_it(layout):
    click(layout, 13)
    cells = drawn(ENGINE.reply({"ask": "answer", "tab": "layout"}))[0].cells
    told = layout.locator(".told").inner_text()
    assert f"held: {cells.note[13]}" in told
    assert cells.formula[13] in told


def test_a_wrong_text_shows_a_caret_and_loses_nothing(layout):
    write(layout, "a", "(4,8):(8,1")
    assert "^" in layout.locator(".problem:not(:empty)").inner_text()
    assert layout.locator("[name=a]").input_value() == "(4,8):(8,1"
    assert layout.locator(".shown.stale .picture").count() == 1
    write(layout, "a", "(4,8):(8,1)")
    assert layout.locator(".problem:not(:empty)").count() == 0


def test_back_goes_back(layout):
    for name in ("composition", "complement"):
        layout.get_by_label("Preset").select_option(name)
        settled(layout)
    layout.go_back()
    settled(layout)
    assert layout.get_by_label("Operation").input_value() == "composition"


def test_the_page_goes_on_while_python_works(site):
    order = site.evaluate("""async () => {
        const order = [];
        const request = { ask: "answer", tab: "layout", inputs: { a: "(128,128):(128,1)" } };
        const asked = explorer.engine.ask(request).then(() => order.push("python"));
        setTimeout(() => order.push("page"), 0);
        await asked;
        return order;
    }""")
    assert order == ["page", "python"]


def test_a_trace_that_is_dropped_has_the_name_that_it_has_here(site):
    (kept, *_) = sorted(
        (ROOT / "src/tilewright/explorer/trace/shipped").glob("*.json"), key=lambda path: path.stat().st_size
    )
    for text in (kept.read_text(), "{"):
        dropped = site.evaluate("text => explorer.engine.drop(new Blob([text]))", text)
        assert dropped == json.loads(Engine().drop(text.encode()))


def test_an_engine_that_cannot_start_is_told(browser, address):
    context = browser.new_context()
    context.route("**/tilewright.zip", lambda route: route.fulfill(status=404))
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("text=Python in this page stopped: ")
    assert "tilewright.zip: 404" in page.locator("#app").inner_text()
    context.close()


def test_only_the_layout_half_is_packed_as_it_stands(folder):
    with zipfile.ZipFile(folder / "tilewright.zip") as packed:
        assert {name.split("/")[1] for name in packed.namelist()} & KERNEL_HALF == set()
        for name in packed.namelist():
            assert packed.read(name) == (ROOT / "src" / name).read_bytes()


def test_a_trace_is_dropped_into_the_worker_and_nonsense_refused(site):
    text = json.loads((ROOT / "src/tilewright/explorer/trace/shipped/mbarrier.json").read_text())
    drop = "text => explorer.engine.drop(new Blob([text]))"
    name = site.evaluate(drop, json.dumps(text))["trace"]
    request = {"ask": "answer", "tab": "kernel", "inputs": {"trace": name}}
    shown = site.evaluate("request => explorer.engine.ask(request)", request)
    assert shown["facts"][0][1].startswith("mbarrier,")
    assert site.evaluate(drop, "nonsense")["problems"][0]["field"] == "trace"
