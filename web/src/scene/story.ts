// All that the scene tells of one cell.

import { el } from "../dom";
import type { Nested } from "../protocol";
import type { Sheet } from "./grid";
import type { At } from "./links";

const MOST = 32; // owners or places told

export function story(panels: Sheet[], at: At, linked: number, by: string, held: boolean): HTMLElement[] {
  const panel = panels[at.panel];
  if (!panel) return [];
  const { cells } = panel;
  const facts: [string, string][] = [];
  const tell = (name: string, value: string | number | null) => {
    if (value !== null && value !== "") facts.push([name, String(value)]);
  };
  const coordinate = cells.coordinate(at.cell);
  tell("coordinate", coordinate === null ? null : shown(coordinate));
  const elements = cells.elements(at.cell);
  if (coordinate !== null && elements.length === 1) tell("index", elements[0] ?? null);
  tell("offset", cells.number("offset")(at.cell));
  tell("formula", cells.formula(at.cell));
  tell("owners", listed(cells.owner(at.cell).map(([thread, value]) => owner(thread, value))));
  tell("places", listed(cells.place(at.cell).map(place)));
  for (const name of ["byte", "bank", "line", "phase"] as const) tell(name, cells.number(name)(at.cell));
  if (by) tell(`same ${by === "group" ? "colour" : by}`, `${linked} cell${linked === 1 ? "" : "s"}`);
  const head = cells.note(at.cell) || cells.label(at.cell).replace("\n", " ") || "blank";
  return [
    el("p", { class: held ? "head held" : "head" }, held ? `held: ${head}` : head),
    el("dl", {}, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
  ];
}

function owner(thread: number | null, value: number | null): string {
  return [thread === null ? "all threads" : `T${thread}`, value === null ? "" : `V${value}`].filter(Boolean).join(" ");
}

function place(on: Record<string, number>): string {
  return Object.entries(on)
    .map(([axis, position]) => `${axis} ${position}`)
    .join(", ");
}

function listed(texts: string[]): string | null {
  if (!texts.length) return null;
  const more = texts.length > MOST ? ` and ${texts.length - MOST} more` : "";
  return texts.slice(0, MOST).join("; ") + more;
}

export function shown(value: Nested): string {
  return Array.isArray(value) ? `(${value.map(shown).join(",")})` : String(value);
}
