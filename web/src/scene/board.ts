// A panel on the page: a canvas that shows the visible part, and a grid of one real cell for keyboards and screen readers.

import { el, unique } from "../dom";
import { Grid, type Sheet } from "./grid";
import { type Look, type Painted, pointed, type Size, still } from "./paint";

export interface Heard {
  point(cell: number): void; // hovered or reached by keys; -1: left
  choose(cell: number): void; // clicked, or Enter
}

const MOVES: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-8, 0],
  PageDown: [8, 0],
};
const NOTHING: Painted = { focus: -1, linked: new Set(), framed: new Set() };

export class Board {
  readonly root: HTMLElement;
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  private readonly kept = el("canvas"); // what stays while the pointer moves
  private keptOf: unknown[] = [];
  private readonly sizer = el("div", { class: "sizer", role: "presentation" });
  private readonly here = el("div", { role: "gridcell", id: unique("cell") });
  private readonly scroller: HTMLElement;
  private grid: Grid;
  private zoom = 1;
  private active: [number, number] = [0, 0];
  private painted: Painted = NOTHING;
  private asked = 0;

  constructor(
    readonly panel: Sheet,
    private readonly look: () => Look,
    private readonly heard: Heard,
  ) {
    this.grid = new Grid(panel, 1);
    const title = panel.title || "cells";
    this.scroller = el(
      "div",
      {
        class: "scroller",
        role: "grid",
        tabindex: 0,
        "aria-label": `${title}. Arrows move, Enter holds a cell.`,
        "aria-rowcount": this.grid.rows,
        "aria-colcount": this.grid.columns,
      },
      this.canvas,
      this.sizer,
      el("div", { role: "row", class: "unseen" }, this.here),
    );
    const titles = [panel.rows.title && `down: ${panel.rows.title}`, panel.columns.title && `right: ${panel.columns.title}`];
    const said = titles.filter(Boolean).join(", ");
    this.root = el("figure", { class: "board" }, ...(panel.title ? [el("figcaption", {}, panel.title)] : []), this.scroller);
    if (said) this.root.append(el("p", { class: "axes" }, said));
    this.listen();
    this.speak();
  }

  zoomTo(zoom: number): void {
    this.zoom = Math.min(4, Math.max(0.05, zoom));
    this.resize();
  }

  zoomBy(factor: number): void {
    this.zoomTo(this.zoom * factor);
  }

  show(painted: Painted): void {
    this.painted = painted;
    this.repaint();
  }

  repaint(): void {
    cancelAnimationFrame(this.asked);
    this.asked = requestAnimationFrame(() => this.paintNow());
  }

  // Keys go on from this cell.
  stand(cell: number): void {
    this.active = [this.panel.cells.row(cell), this.panel.cells.col(cell)];
    this.speak();
  }

  // Where a cell's middle is on the screen: for tests, which click there.
  middle(cell: number): { x: number; y: number } {
    const box = this.scroller.getBoundingClientRect();
    const { cells } = this.panel;
    return {
      x: box.left + this.grid.left + (cells.col(cell) + 0.5) * this.grid.width - this.scroller.scrollLeft,
      y: box.top + this.grid.top + (cells.row(cell) + 0.5) * this.grid.height - this.scroller.scrollTop,
    };
  }

  private resize(): void {
    this.grid = new Grid(this.panel, this.zoom);
    this.sizer.style.width = `${this.grid.across}px`;
    this.sizer.style.height = `${this.grid.down}px`;
    this.scroller.style.width = `${this.grid.across + 2}px`;
    this.scroller.style.height = `${this.grid.down + 2}px`;
    this.repaint();
  }

  private paintNow(): void {
    const { scroller, grid, canvas } = this;
    const ratio = devicePixelRatio || 1;
    const width = Math.min(scroller.clientWidth, Math.ceil(grid.across));
    const height = Math.min(scroller.clientHeight, Math.ceil(grid.down));
    const [x, y, look] = [scroller.scrollLeft, scroller.scrollTop, this.look()];
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    this.keep({ width, height }, ratio, x, y, look);
    const context = sized(canvas, { width, height }, ratio);
    if (!context || !this.kept.width || !this.kept.height) return;
    context.drawImage(this.kept, 0, 0, this.kept.width / ratio, this.kept.height / ratio);
    pointed(context, grid, { width, height }, x, y, look, this.painted);
  }

  // Paints what stays, if anything of it is another.
  private keep(size: Size, ratio: number, x: number, y: number, look: Look): void {
    const { framed } = this.painted;
    const wanted = [this.grid, framed.size ? framed : null, size.width, size.height, ratio, x, y, ...Object.values(look).flat()];
    if (wanted.length === this.keptOf.length && wanted.every((one, i) => one === this.keptOf[i])) return;
    this.keptOf = wanted;
    const context = sized(this.kept, size, ratio);
    if (context) still(context, this.grid, size, x, y, look, framed);
  }

  private listen(): void {
    this.scroller.addEventListener("scroll", () => this.repaint());
    this.scroller.addEventListener("pointermove", (event) => this.heard.point(this.at(event)));
    this.scroller.addEventListener("pointerleave", () => this.heard.point(-1));
    this.scroller.addEventListener("click", (event) => {
      const cell = this.at(event);
      if (cell >= 0) this.stand(cell);
      this.heard.choose(cell);
    });
    this.scroller.addEventListener("keydown", (event) => this.key(event));
  }

  private at(event: MouseEvent): number {
    const box = this.scroller.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    if (x < this.grid.left || y < this.grid.top) return -1;
    return this.grid.hit(x + this.scroller.scrollLeft, y + this.scroller.scrollTop);
  }

  private key(event: KeyboardEvent): void {
    const move = MOVES[event.key];
    if (move) this.go(this.active[0] + move[0], this.active[1] + move[1]);
    else if (event.key === "Home") this.go(this.active[0], 0);
    else if (event.key === "End") this.go(this.active[0], this.grid.columns - 1);
    else if (event.key === "Enter" || event.key === " ") this.heard.choose(this.grid.cell(...this.active));
    else if (event.key === "Escape") this.heard.choose(-1);
    else return;
    event.preventDefault();
  }

  private go(row: number, column: number): void {
    const within = (value: number, most: number) => Math.max(0, Math.min(most - 1, value));
    this.active = [within(row, this.grid.rows), within(column, this.grid.columns)];
    this.reveal();
    this.speak();
    this.heard.point(this.grid.cell(...this.active));
  }

  private reveal(): void {
    const { grid, scroller } = this;
    const [row, column] = this.active;
    const left = column * grid.width;
    const top = row * grid.height;
    scroller.scrollLeft = Math.min(left, Math.max(scroller.scrollLeft, left + grid.width + grid.left - scroller.clientWidth));
    scroller.scrollTop = Math.min(top, Math.max(scroller.scrollTop, top + grid.height + grid.top - scroller.clientHeight));
  }

  private speak(): void {
    const [row, column] = this.active;
    const cell = this.grid.cell(row, column);
    const { label, note } = this.panel.cells;
    const name = (cell >= 0 && (note(cell) || label(cell).replace("\n", " "))) || "blank";
    this.here.setAttribute("aria-rowindex", String(row + 1));
    this.here.setAttribute("aria-colindex", String(column + 1));
    this.here.textContent = name;
    this.scroller.setAttribute("aria-activedescendant", this.here.id);
  }
}

// The canvas as large as that, and nothing on it.
function sized(canvas: HTMLCanvasElement, { width, height }: Size, ratio: number): CanvasRenderingContext2D | null {
  const [across, down] = [Math.floor(width * ratio), Math.floor(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}
