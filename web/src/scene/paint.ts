// Paints the visible part of a panel on a canvas: cells, labels, heavy rules, rulers, and what is pointed at.

import type { Grid } from "./grid";

export interface Look {
  fills: string[];
  ink: string;
  page: string;
  text: string;
  soft: string;
  faint: string;
  mark: string;
  focus: string;
}

export interface Painted {
  focus: number; // the cell pointed at, -1: none
  linked: ReadonlySet<number>;
  framed: ReadonlySet<number>; // of the moment that a timeline shows
}

const MONO = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
const READABLE = 6; // pixels of a font

export interface Size {
  width: number;
  height: number;
}

// What stays while the pointer moves: cells, rules, rulers, and the frames of a moment.
export function still(context: CanvasRenderingContext2D, grid: Grid, size: Size, x: number, y: number, look: Look, framed: ReadonlySet<number>): void {
  const view = visible(grid, x, y, size);
  context.textBaseline = "middle";
  context.clearRect(0, 0, size.width, size.height);
  within(context, grid, size, x, y, () => {
    cells(context, grid, view, look, framed);
    if (grid.font >= READABLE) labels(context, grid, view, look, framed);
    rules(context, grid, look);
    for (const cell of framed) outline(context, grid, cell, look.mark, 3);
  });
  rulers(context, grid, view, x, y, look);
}

// What is pointed at, and what is linked with it.
export function pointed(context: CanvasRenderingContext2D, grid: Grid, size: Size, x: number, y: number, look: Look, what: Painted): void {
  const view = visible(grid, x, y, size);
  const { cells } = grid.panel;
  within(context, grid, size, x, y, () => {
    for (const cell of what.linked) {
      const [row, column] = [cells.row(cell), cells.col(cell)];
      const seen = row >= view.row && row < view.rows && column >= view.column && column < view.columns;
      if (seen) outline(context, grid, cell, look.mark, 2);
    }
    if (what.focus >= 0) outline(context, grid, what.focus, look.focus, 3);
  });
}

function within(context: CanvasRenderingContext2D, grid: Grid, size: Size, x: number, y: number, draw: () => void): void {
  context.save();
  context.beginPath();
  context.rect(grid.left, grid.top, size.width, size.height);
  context.clip();
  context.translate(-x, -y);
  draw();
  context.restore();
}

interface View {
  row: number;
  rows: number;
  column: number;
  columns: number;
}

function visible(grid: Grid, x: number, y: number, { width, height }: Size): View {
  const row = Math.max(0, Math.floor(y / grid.height));
  const column = Math.max(0, Math.floor(x / grid.width));
  return {
    row,
    column,
    rows: Math.min(grid.rows, Math.ceil((y + height - grid.top) / grid.height)),
    columns: Math.min(grid.columns, Math.ceil((x + width - grid.left) / grid.width)),
  };
}

// Cells without a gap between them are painted as runs of one tone.
function cells(context: CanvasRenderingContext2D, grid: Grid, view: View, look: Look, framed: ReadonlySet<number>): void {
  const { cells } = grid.panel;
  const gap = grid.width > 8 ? 1 : 0;
  const tone = (row: number, column: number) => {
    const cell = grid.cell(row, column);
    return cell < 0 ? undefined : cells.tone(cell);
  };
  for (let row = view.row; row < view.rows; row += 1)
    for (let column = view.column, end = column; column < view.columns; column = end) {
      const own = tone(row, column);
      end = column + 1;
      if (own === undefined) continue;
      if (!gap && !framed.size && own !== null) while (end < view.columns && tone(row, end) === own) end += 1;
      const left = grid.left + column * grid.width;
      const top = grid.top + row * grid.height;
      context.globalAlpha = alpha(framed, grid.cell(row, column));
      if (own !== null) {
        context.fillStyle = look.fills[own] ?? look.faint;
        context.fillRect(left + gap / 2, top + gap / 2, (end - column) * grid.width - gap, grid.height - gap);
      } else {
        context.strokeStyle = look.faint;
        context.strokeRect(left + 0.5, top + 0.5, grid.width - 1, grid.height - 1);
      }
    }
  context.globalAlpha = 1;
  if (cells.has("marked")) seen(grid, view, (cell) => cells.marked(cell) && outline(context, grid, cell, look.text, 1.5));
}

function labels(context: CanvasRenderingContext2D, grid: Grid, view: View, look: Look, framed: ReadonlySet<number>): void {
  const { cells } = grid.panel;
  context.font = `${grid.font}px ${MONO}`;
  context.textAlign = "center";
  seen(grid, view, (cell, row, column) => {
    context.globalAlpha = alpha(framed, cell);
    const ink = cells.tone(cell) === null ? look.soft : look.ink;
    lines(context, cells.label(cell), grid.left + column * grid.width, grid.top + row * grid.height, grid, ink);
  });
  context.globalAlpha = 1;
}

function seen(grid: Grid, view: View, each: (cell: number, row: number, column: number) => void): void {
  for (let row = view.row; row < view.rows; row += 1)
    for (let column = view.column; column < view.columns; column += 1) {
      const cell = grid.cell(row, column);
      if (cell >= 0) each(cell, row, column);
    }
}

// What a moment does not frame steps back.
function alpha(framed: ReadonlySet<number>, cell: number): number {
  return framed.size && !framed.has(cell) ? 0.35 : 1;
}

function lines(context: CanvasRenderingContext2D, label: string, left: number, top: number, grid: Grid, ink: string): void {
  if (!label) return;
  const each = label.split("\n");
  const step = grid.font * 1.25;
  context.fillStyle = ink;
  each.forEach((line, i) => {
    context.fillText(line, left + grid.width / 2, top + grid.height / 2 + (i - (each.length - 1) / 2) * step);
  });
}

function rules(context: CanvasRenderingContext2D, grid: Grid, look: Look): void {
  const { rows, columns } = grid.panel;
  context.strokeStyle = look.text;
  context.lineWidth = grid.width > 8 ? 1.5 : 1;
  context.beginPath();
  for (const row of rows.rules) {
    context.moveTo(grid.left, grid.top + row * grid.height);
    context.lineTo(grid.left + grid.columns * grid.width, grid.top + row * grid.height);
  }
  for (const column of columns.rules) {
    context.moveTo(grid.left + column * grid.width, grid.top);
    context.lineTo(grid.left + column * grid.width, grid.top + grid.rows * grid.height);
  }
  context.stroke();
  context.lineWidth = 1;
}

function outline(context: CanvasRenderingContext2D, grid: Grid, cell: number, colour: string, width: number): void {
  const { cells } = grid.panel;
  context.strokeStyle = colour;
  context.lineWidth = Math.min(width, Math.max(1, grid.width / 4));
  const inset = context.lineWidth / 2;
  const left = grid.left + cells.col(cell) * grid.width;
  const top = grid.top + cells.row(cell) * grid.height;
  context.strokeRect(left + inset, top + inset, grid.width - 2 * inset, grid.height - 2 * inset);
  context.lineWidth = 1;
}

function rulers(context: CanvasRenderingContext2D, grid: Grid, view: View, x: number, y: number, look: Look): void {
  const { rows, columns } = grid.panel;
  context.font = `11px ${MONO}`;
  context.fillStyle = look.soft;
  context.textAlign = "right";
  const down = stride(grid.height, 12);
  for (let row = view.row - (view.row % down); row < view.rows; row += down) {
    const middle = grid.top + (row + 0.5) * grid.height - y;
    if (middle > grid.top) context.fillText(rows.labels[row] ?? "", grid.left - 6, middle);
  }
  context.textAlign = "center";
  const widest = Math.max(1, ...columns.labels.map((label) => label.length));
  const along = stride(grid.width, widest * 6.7 + 3);
  for (let column = view.column - (view.column % along); column < view.columns; column += along) {
    const middle = grid.left + (column + 0.5) * grid.width - x;
    if (middle > grid.left) context.fillText(columns.labels[column] ?? "", middle, grid.top - 9);
  }
}

// Every label where there is room, else every 2nd, 4th ..
function stride(room: number, need: number): number {
  let step = 1;
  while (step * room < need) step *= 2;
  return step;
}
