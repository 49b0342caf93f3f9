// The geometry of a panel: where its cells are, in CSS pixels, at a zoom.

import type { Panel } from "../protocol";
import { Cells } from "./columns";

const FONT = 12;
const ADVANCE = 7.3; // of a character at FONT
const LEAST = 4;

// A panel whose cells are read, and the size of its longest label.
export interface Sheet extends Omit<Panel, "cells"> {
  cells: Cells;
  widest: number; // characters
  lines: number;
}

export function sheet(panel: Panel): Sheet {
  const cells = new Cells(panel.cells, panel.rows.labels.length, panel.columns.labels.length);
  let [widest, lines] = [1, 1];
  for (let cell = 0; cell < cells.count; cell += 1) {
    const label = cells.label(cell);
    if (label.includes("\n")) {
      const own = label.split("\n");
      lines = Math.max(lines, own.length);
      widest = Math.max(widest, ...own.map((line) => line.length));
    } else if (label.length > widest) widest = label.length;
  }
  return { ...panel, cells, widest, lines };
}

export class Grid {
  readonly rows: number;
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  readonly font: number;
  readonly left: number; // room of the row labels
  readonly top: number; // of the column labels

  constructor(
    readonly panel: Sheet,
    zoom: number,
  ) {
    const { rows, columns, widest, lines } = panel;
    this.rows = rows.labels.length;
    this.columns = columns.labels.length;
    this.font = FONT * zoom;
    this.width = Math.max(LEAST, Math.floor((widest * ADVANCE + 10) * zoom));
    this.height = Math.max(LEAST, Math.round((lines * 15 + 9) * zoom));
    this.left = Math.max(0, ...rows.labels.map((label) => label.length)) * ADVANCE * 0.92 + 10;
    this.top = columns.labels.some(Boolean) ? 20 : 4;
  }

  get across(): number {
    return this.left + this.columns * this.width + 1;
  }

  get down(): number {
    return this.top + this.rows * this.height + 1;
  }

  // The cell at a row and column, -1 where there is none.
  cell(row: number, column: number): number {
    const inside = row >= 0 && row < this.rows && column >= 0 && column < this.columns;
    return inside ? this.panel.cells.find(row, column) : -1;
  }

  // The cell at a point of the whole picture.
  hit(x: number, y: number): number {
    return this.cell(Math.floor((y - this.top) / this.height), Math.floor((x - this.left) / this.width));
  }
}

// The zoom at which panels fit side by side into a width, 1 where they do as they are, and none below which cells vanish.
export function fitting(panels: Sheet[], width: number): number {
  const whole = panels.map((panel) => new Grid(panel, 1));
  const sum = (of: (grid: Grid) => number) => whole.reduce((found, grid) => found + of(grid), 0);
  const zoom = Math.min(1, (width - sum((grid) => grid.left + 4)) / sum((grid) => grid.columns * grid.width));
  return Math.max(zoom, ...whole.map((grid) => LEAST / grid.width), 0.05);
}
