"""The notebook's widget in a real browser, with a model in place of the notebook's: page and Python have one state."""

from __future__ import annotations

import json

import tilewright as tw
from tilewright.layout.inttuple import to_text
from tilewright.notebook.replies import replied

TILE = tw.composition(tw.Swizzle(2, 0, 2), tw.Layout((4, 8), (8, 1)))

# What anywidget's model does; what it sends goes to the Python of this test.
MODEL = """async ({ esm, state }) => {
    const heard = {}, changed = new Set();
    const tell = (name, ...given) => (heard[name] ?? []).forEach((one) => one(...given));
    window.model = {
        heard,
        get: (name) => state[name],
        set(name, value) { state[name] = value; changed.add(name); tell(`change:${name}`, value); },
        save_changes() {
            window.saved(JSON.stringify(Object.fromEntries([...changed].map((name) => [name, state[name]]))));
            changed.clear();
        },
        async send(content) {
            const [message, reply] = JSON.parse(await window.asked(JSON.stringify(content)));
            tell('msg:custom', message, [new DataView(new TextEncoder().encode(reply).buffer)]);
        },
        on: (name, one) => (heard[name] ??= []).push(one),
        off: (name, one) => (heard[name] = heard[name].filter((other) => other !== one)),
        receive(given) { Object.assign(state, given); Object.keys(given).forEach((name) => tell(`change:${name}`)); },
    };
    const module = await import(URL.createObjectURL(new Blob([esm], { type: 'text/javascript' })));
    document.body.innerHTML = '<h1>a notebook</h1><p>text</p><div id="output"></div>';
    window.before = document.head.innerHTML + getComputedStyle(document.body).font;
    window.leave = module.default.render({ model, el: document.getElementById('output') });
}"""


def shown(page, widget):
    """The widget on a page of its own."""

    def saved(text):
        widget.set_state(json.loads(text))

    def asked(text):
        message, reply = replied(widget.engine, json.loads(text))
        return json.dumps([message, reply.decode()])

    page.expose_function("saved", saved)
    page.expose_function("asked", asked)
    page.evaluate(MODEL, {"esm": widget._esm, "state": widget.get_state(["tab", "inputs", "_at"])})
    page.wait_for_selector(".picture")
    return page


def middle(page, cell, scene=0, panel=0):
    return page.evaluate(
        "([s, p, c]) => document.querySelector('#output > div').explorer.middle(s, p, c)", [scene, panel, cell]
    )


def click(page, cell):
    at = middle(page, cell)
    page.mouse.click(at["x"], at["y"])


def settled(page):
    page.wait_for_timeout(100)
    page.wait_for_selector(".shown:not([aria-busy])")


def told(page):
    return page.locator(".told").first.inner_text()


def test_a_click_is_read_in_python_and_what_python_holds_is_shown(page):
    widget = tw.explore(TILE)
    shown(page, widget)
    assert page.locator("[role=tab]:visible").count() == 0
    click(page, 13)
    page.wait_for_selector("text=held:")
    assert widget.held.coordinate == (1, 5)
    assert f"held: {widget.held.cell.note}" in told(page)
    held = widget.hold(offset=TILE(3, 7))
    page.mouse.move(2, 2)  # away from the cells, of which else the one below it is told
    page.evaluate("state => model.receive(state)", widget.get_state(["_at"]))
    assert f"held: {held.cell.note}" in told(page)
    page.locator(".scroller").focus()
    page.keyboard.press("Escape")
    page.wait_for_timeout(50)
    assert widget.held is None


def test_tabs_and_inputs_are_one_state_and_wrong_texts_stay(page):
    widget = tw.explore(tab="placement")
    shown(page, widget)
    click(page, 37)
    settled(page)
    assert widget.inputs == {"at": to_text(widget.held.coordinate)}
    focused = "document.querySelector('#output > div').shadowRoot.activeElement.getAttribute('role')"
    assert page.evaluate(focused) == "grid"  # of the picture that was drawn anew
    page.locator("[name=shape]").fill("(4,")
    settled(page)
    assert "^" in page.locator(".problem:not(:empty)").inner_text()
    assert widget.inputs["shape"] == "(4,"
    assert page.locator(".shown.stale .picture").count() == 1
    page.get_by_role("tab", name="Layout", exact=True).click()
    settled(page)
    assert (widget.tab, widget.inputs, widget.held) == ("layout", {}, None)
    widget.inputs = {"a": "(3,5):(5,1)"}
    held = widget.hold(offset=7)
    page.evaluate("state => model.receive(state)", widget.get_state(["inputs", "_at"]))
    settled(page)
    assert page.locator("[name=a]").input_value() == "(3,5):(5,1)"
    assert f"held: {held.cell.note}" in told(page)


def test_the_notebook_is_left_alone_and_its_light_and_dark_are_followed(page):
    shown(page, tw.explore(TILE))
    theme = "document.querySelector('#output > div').shadowRoot.querySelector('.tilewright').dataset.theme"
    assert page.evaluate(theme) == "light"
    page.evaluate("document.body.style.background = 'oklch(0.2 0.02 150)'")
    page.wait_for_function(f"{theme} === 'dark'")
    page.evaluate("document.body.style.background = ''")
    page.wait_for_function(f"{theme} === 'light'")
    page.evaluate("window.keys = ''; document.addEventListener('keydown', (event) => (window.keys += event.key))")
    page.locator(".scroller").focus()
    for key in ("d", "ArrowDown", "Enter", "Control+s"):
        page.keyboard.press(key)
    assert page.evaluate("keys") == "Controls"
    page.evaluate("leave()")
    assert page.evaluate("before === document.head.innerHTML + getComputedStyle(document.body).font")
    assert page.evaluate("document.getElementById('output').children.length") == 0
    assert page.evaluate("Object.values(model.heard).flat().length") == 0


def test_it_fits_a_narrow_cell(page):
    page.set_viewport_size({"width": 420, "height": 800})
    shown(page, tw.explore(tab="banks"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
