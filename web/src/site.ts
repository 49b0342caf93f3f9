// The page of the static site: Python answers in the browser itself.

import { PyodideEngine } from "./engine/pyodide";
import { start } from "./start";

void start(new PyodideEngine(new Worker(new URL("./engine/worker.ts", import.meta.url), { type: "module" })));
