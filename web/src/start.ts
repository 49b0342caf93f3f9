// The explorer in the page's element, as soon as its engine answers.

import { App } from "./app";
import type { Description, Engine } from "./protocol";
import { isRefused } from "./protocol";
import { url } from "./state";

export async function start(engine: Engine): Promise<void> {
  const root = document.getElementById("app");
  if (!root) return;
  const described = await engine.ask<Description>({ ask: "tabs" });
  if (isRefused(described)) root.textContent = described.problems.map((problem) => problem.message).join("\n");
  else Object.assign(window, { explorer: new App(root, engine, url, described) });
}
