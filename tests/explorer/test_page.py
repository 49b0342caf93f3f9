"""The page in a real browser: what it shows is what the engine says, and nothing that is written is lost."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from explored import click, drawn, settled, write

from tilewright.explorer.engine import Engine
from tilewright.figures.links import linked
from tilewright.figures.scene import Place, Scene
from tilewright.notation import parse
from tilewright.tirx.layout import explain_element

ENGINE = Engine()
ROOT = Path(__file__).parents[2]
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"


def opened(page, server, state=""):
    page.goto(server.address)
    page.wait_for_selector(".picture")
    if state:
        page.evaluate("state => { location.hash = state }", state)
        page.wait_for_selector(".shown:not([aria-busy]) .picture")
    return page


def test_the_token_leaves_the_address(page, server):
    opened(page, server)
    assert server.guard.token not in page.url


@pytest.mark.parametrize("tab", ENGINE.tabs)
def test_every_tab_loads_and_its_presets_draw(page, server, tab):
    opened(page, server)
    page.get_by_role("tab", name=ENGINE.tabs[tab].title, exact=True).click()
    settled(page)
    for preset in ENGINE.tabs[tab].presets:
        page.get_by_label("Preset").select_option(preset.name)
        settled(page)
        assert page.get_by_label("Preset").locator("option:checked").inner_text() == preset.name
        assert page.locator(".picture").count() >= 1
        assert page.locator(".problem:not(:empty)").count() == 0


def test_a_click_holds_a_cell_and_tells_what_the_engine_says_of_it(page, server):
    opened(page, server)
    click(page, 13)
    cells = drawn(ENGINE.reply({"ask": "answer", "tab": "layout"}))[0].cells
    told = page.locator(".told").inner_text()
    assert f"held: {cells.note[13]}" in told
    assert cells.formula[13] in told


def test_a_click_on_an_element_shows_all_its_places_and_its_steps(page, server):
    opened(page, server, "tab=placement")
    page.wait_for_selector("text=warpid x m x laneid")
    click(page, 37)
    settled(page)
    layout = parse("S[(8,2,4,2):(4@laneid,1@warpid,1@laneid,1)] + R[2:4@warpid] + 5@warpid")
    told = page.locator(".told").inner_text()
    for place in layout.apply(2, 5, shape=(8, 16)):
        assert f"laneid {place['laneid']}, warpid {place['warpid']}, m {place['m']}" in told
    steps = page.locator(".steps").first.inner_text()
    for line in str(explain_element(layout, (2, 5), (8, 16), 16)).split("\n"):
        assert line in steps
    assert "at=%282%2C5%29" in page.url
    assert "held: " in told  # the cell is held in the picture that was drawn anew


def test_a_click_takes_the_thread_and_its_elements_stay_linked(page, server):
    opened(page, server, "tab=atoms")
    page.wait_for_selector("text=what thread 0 holds")
    click(page, 21, panel=1)
    ((thread, _),) = drawn(ENGINE.reply({"ask": "answer", "tab": "atoms"}))[1].cells.owner[21]
    page.wait_for_selector(f"text=what thread {thread} holds")
    assert "16 cells" in page.locator(".told").inner_text()  # 8 of A, 4 of B, 4 of C
    page.get_by_role("button", name="see plain, by rows").first.click()
    page.wait_for_selector("text=what they cost")
    assert "tab=banks" in page.url
    assert "8-way conflict" in page.locator(".table").first.inner_text()


def test_the_page_links_the_cells_that_the_rule_links(page, server):
    opened(page, server, "tab=layout&a=(4,4):(0,1)")
    scene = Scene.from_json(
        ENGINE.reply({"ask": "answer", "tab": "layout", "inputs": {"a": "(4,4):(0,1)"}})["scenes"][0]
    )
    page.get_by_label("link by").select_option("offset")
    click(page, 5)
    cell = scene.panels[0].cells[5]
    expected = linked(scene, Place(0, cell.row, cell.column), by="offset")
    assert f"{len(expected)} cells" in page.locator(".told").inner_text()
    assert len(expected) == 4


def test_a_wrong_text_shows_a_caret_and_loses_nothing(page, server):
    opened(page, server)
    write(page, "a", "(4,8):(8,1")
    assert "^" in page.locator(".problem:not(:empty)").inner_text()
    assert page.locator("[name=a]").input_value() == "(4,8):(8,1"
    assert page.locator(".shown.stale .picture").count() == 1  # the last picture stays, faded
    write(page, "a", "(4,8):(8,1)")
    assert page.locator(".problem:not(:empty)").count() == 0
    assert page.locator(".shown.stale").count() == 0


def test_the_address_has_the_state_and_back_goes_back(page, server):
    opened(page, server)
    page.get_by_label("Preset").select_option("composition")
    settled(page)
    page.get_by_label("Preset").select_option("complement")
    settled(page)
    url = page.url
    page.go_back()
    settled(page)
    assert page.get_by_label("Operation").input_value() == "composition"
    page.goto("about:blank")
    page.goto(url)
    page.wait_for_selector(".picture")
    assert page.get_by_label("Operation").input_value() == "complement in"


def focused(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName")


def test_keys_alone_reach_and_hold_a_cell(page, server):
    opened(page, server)
    page.locator(".scroller").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    settled(page)
    assert "held: " in page.locator(".told").inner_text()
    assert "(1, 2)" in page.locator(".told").inner_text() or "(1,2)" in page.locator(".told").inner_text()
    settled(page)
    assert focused(page).startswith("cells.")  # though the picture is drawn anew, and its keys go on from the cell
    page.keyboard.press("ArrowRight")
    assert "(1,3)" in page.locator(".told").inner_text()
    page.keyboard.press("Escape")
    assert "Point at a cell" in page.locator(".told").inner_text()


def test_names_that_are_markup_stay_text(page, server):
    opened(page, server)
    write(page, "a", "<img src=x onerror=alert(1)>")
    assert page.locator("img").count() == 0
    assert page.locator(".problem:not(:empty)").count() == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("tab", ENGINE.tabs)
def test_axe_finds_no_violation(page, server, tab, theme):
    opened(page, server, f"tab={tab}")
    page.get_by_label("theme").select_option(theme)
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run().then(found => found.violations.map(one => [one.id, one.nodes.map(n => n.html)]))")
    assert found == []


def test_a_phone_shows_each_tab_in_its_width_and_its_inputs_when_asked(page, server):
    page.set_viewport_size({"width": 360, "height": 740})
    opened(page, server)
    for tab in ENGINE.tabs.values():
        page.get_by_role("tab", name=tab.title, exact=True).click()
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        first = page.locator(f"[name={tab.fields[0].name}]")
        assert not first.is_visible()
        page.get_by_role("button", name="show all inputs").click()
        assert first.is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.evaluate("location.hash = 'tab=layout&a=(4,8'")
    page.wait_for_selector(".problem:not(:empty)")
    assert page.locator("[name=a]").is_visible()  # what is wrong is told where it is


def test_tab_alone_goes_through_the_whole_page_and_out_again(page, server):
    opened(page, server, "tab=banks&suggest=1")
    page.evaluate("document.activeElement.blur()")
    seen = []
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        seen.append(focused(page))
    reachable = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, [tabindex]")]
        .filter(one => one.tabIndex >= 0 && one.checkVisibility()).length"""
    assert len(seen) == page.evaluate(reachable)
    page.get_by_role("button", name="apply Sw<3,3,3>").focus()
    page.keyboard.press("Enter")
    settled(page)
    assert focused(page) != "BODY"


def test_a_picture_is_saved_as_svg_png_and_json(page, server):
    opened(page, server)
    for name in ("SVG", "PNG", "JSON"):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        assert download.value.suggested_filename.endswith(name.lower())
        assert Path(download.value.path()).stat().st_size > 500


DROP = """text => {
    const files = new DataTransfer();
    files.items.add(new File([text], 'trace.json', {type: 'application/json'}));
    document.querySelector('main').dispatchEvent(
        new DragEvent('drop', {dataTransfer: files, bubbles: true, cancelable: true}));
}"""


def test_a_file_that_is_dropped_or_chosen_is_shown_and_a_wrong_one_refused(page, server, tmp_path):
    opened(page, server, "tab=kernel&step=3")
    text = (files("tilewright.explorer.trace") / "shipped/mbarrier.json").read_text()
    page.evaluate(DROP, text)
    page.wait_for_selector("h2:has-text('mbarrier, step 1')")
    assert "trace=drop%3A" in page.url
    assert "step=" not in page.url
    page.evaluate(DROP, "nonsense")
    page.wait_for_selector(".problem:has-text('a trace is JSON text')")
    assert page.locator(".picture").count() == 1
    path = tmp_path / "other.json"
    path.write_text(text.replace('"kernel":"mbarrier"', '"kernel":"<b>other</b>"'))
    page.locator("input[type=file]").set_input_files(path)
    page.wait_for_selector("h2:has-text('<b>other</b>, step 1')")
    page.go_back()
    page.wait_for_selector("h2:has-text('mbarrier, step 1')")


HOLD = """() => {
    const fetched = window.fetch;
    window.held = [];
    window.fetch = (path, asked) =>
        path === 'trace' ? new Promise(go => held.push(go)).then(() => fetched(path, asked)) : fetched(path, asked);
}"""


def test_a_slow_file_takes_no_later_ones_place_nor_another_tabs(page, server):
    opened(page, server, "tab=kernel")
    page.evaluate(HOLD)
    text = (files("tilewright.explorer.trace") / "shipped/mbarrier.json").read_text()
    page.evaluate(DROP, text.replace('"kernel":"mbarrier"', '"kernel":"first"'))
    page.evaluate(DROP, text.replace('"kernel":"mbarrier"', '"kernel":"second"'))
    page.evaluate("held[1]()")
    page.wait_for_selector("h2:has-text('second, step 1')")
    page.evaluate("held[0]()")
    page.wait_for_timeout(150)
    assert page.locator("h2:has-text('second, step 1')").count() == 1
    page.evaluate(DROP, text)
    page.get_by_role("tab", name="Layout", exact=True).click()
    write(page, "a", "(2,3):(3,1)")
    page.evaluate("held[2]()")
    page.wait_for_timeout(150)
    assert "trace" not in page.url
    assert page.locator("h2:has-text('(2,3):(3,1)')").count() == 1


def test_a_moment_of_the_timeline_is_looked_at_closer(page, server):
    opened(page, server, "tab=kernel&step=3")
    page.get_by_role("button", name="step on").click()  # from the step that is shown
    page.get_by_role("button", name="look closer at this moment").click()
    page.wait_for_selector("h2:has-text('step 4: store s')")
    assert "step=4" in page.url
    assert focused(page) == "moment"  # the button is gone: the slider of the same timeline has the focus
