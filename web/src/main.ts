// The page that the command serves.

import { App } from "./app";
import { RemoteEngine, takeToken } from "./engine/remote";
import type { Description } from "./protocol";
import { isRefused } from "./protocol";
import { url } from "./state";

async function start(): Promise<void> {
  const root = document.getElementById("app");
  if (!root) return;
  const engine = new RemoteEngine(takeToken());
  const described = await engine.ask<Description>({ ask: "tabs" });
  if (isRefused(described)) root.textContent = described.problems.map((problem) => problem.message).join("\n");
  else Object.assign(window, { explorer: new App(root, engine, url, described) });
}

void start();
