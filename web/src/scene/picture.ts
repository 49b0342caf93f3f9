// A scene on the page: its panels, linked cells, what is known of the one pointed at, and ways to save it.

import { el, replace, save, unique } from "../dom";
import type { Answer, Description, Scene } from "../protocol";
import { Board } from "./board";
import { fitting, type Sheet, sheet } from "./grid";
import { type At, Links } from "./links";
import type { Look } from "./paint";
import { shown, story } from "./story";

const GAP = 20; // between panels
const READABLE = 0.6; // a zoom

export class Picture {
  private readonly laid = el("div", { class: "boards" });
  readonly root = el("section", { class: "picture" });
  private readonly panels: Sheet[];
  private readonly boards: Board[];
  private readonly links: Links;
  private readonly by: HTMLSelectElement;
  private readonly told = el("div", { class: "told" });
  private pointed: At | null = null;
  private held: At | null = null;
  private framed = new Map<number, Set<number>>();

  constructor(
    private readonly scene: Scene,
    private readonly described: Description,
    private readonly chosen: (at: At | null) => void,
    private readonly svg: () => Promise<string | null>, // as the engine draws it
    private readonly name: string, // of its files
  ) {
    this.panels = scene.panels.map(sheet);
    this.links = new Links(this.panels, described.links);
    this.by = el("select", { change: () => this.repaint() }, ...this.links.names.map((name) => el("option", { value: name }, name === "group" ? "colour" : name)));
    this.boards = this.panels.map(
      (panel, number) =>
        new Board(panel, () => this.look(), {
          point: (cell) => this.point(cell < 0 ? null : { panel: number, cell }),
          choose: (cell) => this.choose(cell < 0 ? null : { panel: number, cell }),
        }),
    );
    this.build();
  }

  // Once it is on the page, and has a width: panels that have places lie so where that leaves them readable.
  fit(): void {
    const width = this.root.clientWidth;
    const alone = this.boards.map(({ panel }) => fitting([panel], width));
    const rows = Map.groupBy(this.boards, ({ panel }) => panel.place?.[0] ?? -1);
    const beside = Math.min(...[...rows].map(([, row]) => fitting(row.map(({ panel }) => panel), width - GAP * row.length)));
    const placed = this.scene.panels.every((panel) => panel.place) && (beside >= READABLE || beside >= Math.min(...alone));
    this.laid.classList.toggle("placed", placed);
    this.boards.forEach((board, i) => board.zoomTo(placed ? beside : (alone[i] ?? 1)));
  }

  repaint(): void {
    const at = this.pointed ?? this.held;
    const linked = at ? this.links.linked(at, this.by.value) : [];
    this.boards.forEach((board, panel) => {
      const own = new Set(linked.filter((one) => one.panel === panel).map((one) => one.cell));
      const focus = at?.panel === panel ? at.cell : -1;
      board.show({ focus, linked: own, framed: this.framed.get(panel) ?? new Set() });
    });
    replace(this.told, ...(at ? story(this.panels, at, linked.length, this.by.value, alike(this.held, at)) : [hint()]));
  }

  frame(marks: Map<number, Set<number>>): void {
    this.framed = marks;
    this.repaint();
  }

  middle(panel: number, cell: number): { x: number; y: number } | undefined {
    return this.boards[panel]?.middle(cell);
  }

  private point(at: At | null): void {
    if (alike(at, this.pointed)) return;
    this.pointed = at;
    this.repaint();
  }

  // Holds a cell, or none; false: there is no such cell here.
  keep(at: At | null): boolean {
    const known = at !== null && at.cell < (this.panels[at.panel]?.cells.count ?? 0);
    this.held = known ? at : null;
    if (known) this.boards[at.panel]?.stand(at.cell);
    this.repaint();
    return known;
  }

  holds(at: At, what: "coordinate" | "thread"): string {
    const cells = this.panels[at.panel]?.cells;
    const found = what === "thread" ? cells?.owner(at.cell)[0]?.[0] : cells?.coordinate(at.cell);
    return found == null ? "" : shown(found);
  }

  get link(): string {
    return this.by.value;
  }

  set link(name: string) {
    if (this.links.names.includes(name)) this.by.value = name;
  }

  private choose(at: At | null): void {
    this.pointed = at;
    this.chosen(at);
  }

  private build(): void {
    const { scene } = this;
    this.boards.forEach(({ root, panel }) => {
      if (panel.place) root.style.setProperty("--at", `${panel.place[0] + 1} / ${panel.place[1] + 1}`);
      this.laid.append(root);
    });
    const by = unique("by");
    this.by.id = by;
    const links = this.by.options.length ? [el("label", { for: by }, "link by"), this.by] : [];
    this.root.append(
      el("h2", {}, scene.title),
      el("div", { class: "tools" }, ...links, ...this.zooms(), ...this.saves()),
      this.laid,
      this.legend(),
      ...scene.notes.map((note) => el("p", { class: "note" }, note)),
      this.told,
    );
    this.told.setAttribute("role", "status");
    this.repaint();
  }

  private zooms(): HTMLElement[] {
    const button = (text: string, name: string, click: () => void) =>
      el("button", { type: "button", "aria-label": name, title: name, click }, text);
    const each = (work: (board: Board) => void) => () => this.boards.forEach(work);
    return [
      button("−", "smaller", each((board) => board.zoomBy(0.8))),
      button("+", "larger", each((board) => board.zoomBy(1.25))),
      button("fit", "fit the width", () => this.fit()),
    ];
  }

  private saves(): HTMLElement[] {
    const button = (text: string, click: () => void) => el("button", { type: "button", click }, text);
    return [
      button("SVG", () => void this.svg().then((text) => text && save(`${this.name}.svg`, new Blob([text], { type: "image/svg+xml" })))),
      button("PNG", () => void this.png().then((blob) => blob && save(`${this.name}.png`, blob))),
      button("JSON", () => save(`${this.name}.json`, new Blob([JSON.stringify(this.scene)], { type: "application/json" }))),
    ];
  }

  private async png(): Promise<Blob | null> {
    const text = await this.svg();
    if (!text) return null;
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    await image.decode();
    const canvas = el("canvas", { width: image.width * 2, height: image.height * 2 });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(image.src);
    return new Promise((resolve) => canvas.toBlob(resolve));
  }

  private legend(): HTMLElement {
    const { title, swatches } = this.scene.legend;
    const fills = this.look().fills;
    const items = swatches.map(({ tone, text }) => {
      const swatch = el("span", { class: "swatch" });
      swatch.style.background = fills[tone] ?? "";
      return el("li", {}, swatch, text);
    });
    return el("ul", { class: "legend", "aria-label": title || "colours" }, ...(title ? [el("li", {}, `${title}:`)] : []), ...items);
  }

  private look(): Look {
    const style = getComputedStyle(this.root);
    const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
    const { palettes, ink } = this.described;
    return {
      fills: palettes[this.scene.legend.palette] ?? [],
      ink,
      page: colour("page"),
      text: colour("text"),
      soft: colour("soft"),
      faint: colour("faint"),
      mark: colour("mark"),
      focus: colour("focus"),
    };
  }
}

function alike(left: At | null, right: At | null): boolean {
  return left?.panel === right?.panel && left?.cell === right?.cell;
}

function hint(): HTMLElement {
  return el("p", { class: "note" }, "Point at a cell, or move with the arrow keys; a click holds it.");
}

export function marksOf(answer: Answer, frame: number, scene: number): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const [where, panel, cells] of answer.frames[frame]?.marks ?? []) if (where === scene) found.set(panel, new Set(cells));
  return found;
}
