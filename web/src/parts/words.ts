// What an answer says beside its pictures: facts, tables, steps, notes, lines of Python.

import { el, unique } from "../dom";
import type { Answer, Row, Step, Table } from "../protocol";

export function words(answer: Answer, apply: (row: Row) => void): HTMLElement[] {
  return [
    ...(answer.facts.length ? [facts(answer.facts)] : []),
    ...answer.tables.map((table) => tableOf(table, apply)),
    ...(answer.steps.length ? [el("section", {}, el("h2", {}, "Step by step"), steps(answer.steps))] : []),
    ...answer.notes.map((note) => el("p", { class: "note" }, note)),
    ...(answer.python ? [python(answer.python)] : []),
  ];
}

function facts(all: [string, string][]): HTMLElement {
  return el("dl", { class: "facts" }, ...all.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

function tableOf({ title, heads, rows, act }: Table, apply: (row: Row) => void): HTMLElement {
  const acts = rows.some((row) => Object.keys(row.apply).length);
  const head = el("tr", {}, ...(acts ? [el("th", { scope: "col" }, "use")] : []), ...heads.map((text) => el("th", { scope: "col" }, text)));
  const body = rows.map((row) => {
    const cells = row.cells.map((text) => el("td", {}, text));
    const word = row.tab ? "see" : act;
    const button = el("button", { type: "button", "aria-label": `${word} ${row.cells[0] ?? ""}`, click: () => apply(row) }, word);
    return el("tr", {}, ...(acts ? [el("td", {}, ...(Object.keys(row.apply).length ? [button] : []))] : []), ...cells);
  });
  const table = el("table", {}, el("thead", {}, head), el("tbody", {}, ...body));
  const name = unique("table"); // the heading stays where it is while a wide table is scrolled
  const region = el("div", { class: "scrolled", tabindex: 0, role: "region", "aria-labelledby": name }, table);
  return el("section", { class: "table" }, el("h3", { id: name }, title), region);
}

function steps(all: Step[]): HTMLElement {
  return el("ol", { class: "steps" }, ...all.map((step) => el("li", {}, el("code", {}, step.text), ...(step.steps.length ? [steps(step.steps)] : []))));
}

function python(code: string): HTMLElement {
  const copy = el("button", { type: "button" }, "copy as Python");
  copy.addEventListener("click", () => {
    void navigator.clipboard.writeText(code).then(
      () => (copy.textContent = "copied"),
      () => (copy.textContent = "select the lines to copy them"),
    );
  });
  return el("section", { class: "python" }, copy, el("pre", { tabindex: 0, role: "region", "aria-label": "Python" }, code));
}
