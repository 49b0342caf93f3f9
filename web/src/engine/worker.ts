// The site's worker: Python from the folder beside this file, with the package's sources, answers requests in order.

// What is used of Pyodide, whose files are beside this one rather than bundled.
interface Pyodide {
  unpackArchive(archive: ArrayBuffer, format: string, options: { extractDir: string }): void;
  runPython(source: string): unknown;
}

type Answer = (request: string) => string;

const SOURCES = "/lib/tilewright";
const START = `
import sys
sys.path.insert(0, "${SOURCES}")
from tilewright.explorer.engine import Engine
Engine().text
`;

const engine = start();
engine.catch((error: unknown) => reportError(error)); // which tells the page
addEventListener("message", (event: MessageEvent<string>) => {
  void engine.then((answer) => postMessage(answered(answer, event.data)));
});

async function start(): Promise<Answer> {
  const folder = beside("pyodide/");
  const loading = import(/* @vite-ignore */ `${folder}pyodide.mjs`) as Promise<{ loadPyodide(options: object): Promise<Pyodide> }>;
  const [python, sources] = await Promise.all([loading.then((found) => found.loadPyodide({ indexURL: folder })), read("tilewright.zip")]);
  python.unpackArchive(sources, "zip", { extractDir: SOURCES });
  return python.runPython(START) as Answer;
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
function answered(answer: Answer, request: string): string {
  try {
    return answer(request);
  } catch (error) {
    const message = String(error).trim().split("\n").pop();
    return JSON.stringify({ problems: [{ field: "", message, position: -1 }] });
  }
}
