// The views of the explorer in a notebook, as the module that anywidget loads. They live in a shadow tree: neither do
// their styles touch the notebook, nor its styles them.

import { App, type Frame } from "./app";
import { el, replace } from "./dom";
import { KernelEngine, type Model } from "./engine/kernel";
import { ModelStore } from "./model";
import { follow } from "./parts/backdrop";
import { onDrop } from "./parts/drop";
import type { Description } from "./protocol";
import { isRefused } from "./protocol";
import styles from "./style.css?inline";

interface View {
  model: Model;
  el: HTMLElement;
}

export default {
  render({ model, el: place }: View): () => void {
    // JupyterLab looks for its shortcuts from the document on, and stops at this attribute.
    const host = el("div", { "data-lm-suppress-shortcuts": "true", keydown: keep });
    const root = el("div", { class: "tilewright", role: "group", "aria-label": "Tilewright explorer" }, el("p", { role: "status" }, "Waiting for Python .."));
    const tree = host.attachShadow({ mode: "open" });
    tree.adoptedStyleSheets = [sheet()];
    tree.append(root);
    replace(place, host);
    const engine = new KernelEngine(model);
    const store = new ModelStore(model);
    const paint = { repaint: () => {} };
    const leave = follow(place, (dark) => {
      root.dataset.theme = dark ? "dark" : "light";
      paint.repaint();
    });
    void engine.ask<Description>({ ask: "tabs" }).then((described) => {
      if (isRefused(described)) return;
      const app = new App(root, frame(), engine, store, described);
      paint.repaint = () => app.repaint();
      onDrop(root, (file) => app.take(file));
      Object.assign(host, { explorer: app });
    });
    return () => {
      leave();
      engine.close();
      store.close();
      host.remove();
    };
  },
};

function frame(): Frame {
  return { header: el("div", { class: "header" }), main: el("div", { class: "main" }) };
}

function sheet(): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(styles);
  return made;
}

// Keys without Ctrl and the like are for what has the focus here: a notebook would move to another cell, or cut this one.
function keep(event: Event): void {
  const { ctrlKey, metaKey, altKey } = event as KeyboardEvent;
  if (!ctrlKey && !metaKey && !altKey) event.stopPropagation();
}
