// The explorer in the page's element, as soon as its engine answers.

import { App } from "./app";
import { el } from "./dom";
import { onDrop } from "./parts/drop";
import { theme } from "./parts/theme";
import type { Description, Engine } from "./protocol";
import { isRefused } from "./protocol";
import { url } from "./state";

export async function start(engine: Engine): Promise<void> {
  const root = document.getElementById("app");
  if (!root) return;
  const described = await engine.ask<Description>({ ask: "tabs" });
  if (isRefused(described)) root.textContent = described.problems.map((problem) => problem.message).join("\n");
  else open(new App(root, { header: el("header"), main: el("main") }, engine, url, described));
}

function open(app: App): void {
  app.frame.header.prepend(el("h1", {}, "Tilewright explorer"));
  app.frame.header.append(theme(() => app.repaint()));
  onDrop(document.body, (file) => app.take(file));
  Object.assign(window, { explorer: app });
}
