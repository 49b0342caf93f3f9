// The geometry of a panel: where its cells are, in CSS pixels, at a zoom.

import type { Panel } from "../protocol";

const FONT = 12;
const ADVANCE = 7.3; // of a character at FONT
const LEAST = 4;

export class Grid {
  readonly rows: number;
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  readonly font: number;
  readonly left: number; // room of the row labels
  readonly top: number; // of the column labels
  private readonly at: Int32Array;

  constructor(
    readonly panel: Panel,
    zoom: number,
  ) {
    const { rows, columns, cells } = panel;
    this.rows = rows.labels.length;
    this.columns = columns.labels.length;
    const lines = (cells.label ?? []).map((label) => label.split("\n"));
    const widest = lines.reduce((most, own) => Math.max(most, ...own.map((line) => line.length)), 1);
    const most = lines.reduce((found, own) => Math.max(found, own.length), 1);
    this.font = FONT * zoom;
    this.width = Math.max(LEAST, Math.floor((widest * ADVANCE + 10) * zoom));
    this.height = Math.max(LEAST, Math.round((most * 15 + 9) * zoom));
    this.left = Math.max(0, ...rows.labels.map((label) => label.length)) * ADVANCE * 0.92 + 10;
    this.top = columns.labels.some(Boolean) ? 20 : 4;
    this.at = new Int32Array(this.rows * this.columns).fill(-1);
    cells.row.forEach((row, cell) => (this.at[row * this.columns + (cells.column[cell] ?? 0)] = cell));
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
    return inside ? (this.at[row * this.columns + column] ?? -1) : -1;
  }

  // The cell at a point of the whole picture.
  hit(x: number, y: number): number {
    return this.cell(Math.floor((y - this.top) / this.height), Math.floor((x - this.left) / this.width));
  }
}

// The zoom at which panels fit side by side into a width, 1 where they do as they are, and none below which cells vanish.
export function fitting(panels: Panel[], width: number): number {
  const whole = panels.map((panel) => new Grid(panel, 1));
  const sum = (of: (grid: Grid) => number) => whole.reduce((found, grid) => found + of(grid), 0);
  const zoom = Math.min(1, (width - sum((grid) => grid.left + 4)) / sum((grid) => grid.columns * grid.width));
  return Math.max(zoom, ...whole.map((grid) => LEAST / grid.width), 0.05);
}
