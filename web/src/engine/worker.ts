// The site's worker: Python from the folder beside this file, with the package's sources, answers requests in order.

// What is used of Pyodide, whose files are beside this one rather than bundled.
interface Pyodide {
  unpackArchive(archive: ArrayBuffer, format: string, options: { extractDir: string }): void;
  runPython(source: string): unknown;
}

type Answer = (text: string) => string;
export type Work = { ask: string } | { drop: string };

const SOURCES = "/lib/tilewright";
const START = `
import sys
sys.path.insert(0, "${SOURCES}")
from tilewright.explorer.engine import Engine
engine = Engine()
`;
const ASK = "engine.text";
const DROP = "lambda text: engine.drop(text.encode())";

const engine = start();
engine.catch((error: unknown) => reportError(error)); // which tells the page
addEventListener("message", ({ data }: MessageEvent<Work>) => {
  void engine.then(({ ask, drop }) => postMessage("ask" in data ? answered(ask, data.ask) : answered(drop, data.drop)));
});

async function start(): Promise<{ ask: Answer; drop: Answer }> {
  const folder = beside("pyodide/");
  const loading = import(/* @vite-ignore */ `${folder}pyodide.mjs`) as Promise<{ loadPyodide(options: object): Promise<Pyodide> }>;
  const [python, sources] = await Promise.all([loading.then((found) => found.loadPyodide({ indexURL: folder })), read("tilewright.zip")]);
  python.unpackArchive(sources, "zip", { extractDir: SOURCES });
  python.runPython(START);
  return { ask: python.runPython(ASK) as Answer, drop: python.runPython(DROP) as Answer };
}

async function read(name: string): Promise<ArrayBuffer> {
  const response = await fetch(beside(name));
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

function beside(name: string): string {
  return new URL(name, location.href).href;
}

// What the engine does not refuse itself, such as a size that needs numpy, is told as its refusals are.
function answered(answer: Answer, text: string): string {
  try {
    return answer(text);
  } catch (error) {
    const message = String(error).trim().split("\n").pop();
    return JSON.stringify({ problems: [{ field: "", message, position: -1 }] });
  }
}
