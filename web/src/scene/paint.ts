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

export function paint(context: CanvasRenderingContext2D, grid: Grid, x: number, y: number, look: Look, what: Painted): void {
  const { width, height } = { width: context.canvas.clientWidth, height: context.canvas.clientHeight };
  context.clearRect(0, 0, width, height);
  context.textBaseline = "middle";
  const view = visible(grid, x, y, width, height);
  context.save();
  context.beginPath();
  context.rect(grid.left, grid.top, width, height);
  context.clip();
  context.translate(-x, -y);
  cells(context, grid, view, look, what);
  rules(context, grid, look);
  for (const cell of what.linked) outline(context, grid, cell, look.mark, 2);
  for (const cell of what.framed) outline(context, grid, cell, look.mark, 3);
  if (what.focus >= 0) outline(context, grid, what.focus, look.focus, 3);
  context.restore();
  rulers(context, grid, view, x, y, look);
}

interface View {
  row: number;
  rows: number;
  column: number;
  columns: number;
}

function visible(grid: Grid, x: number, y: number, width: number, height: number): View {
  const row = Math.max(0, Math.floor(y / grid.height));
  const column = Math.max(0, Math.floor(x / grid.width));
  return {
    row,
    column,
    rows: Math.min(grid.rows, Math.ceil((y + height - grid.top) / grid.height)),
    columns: Math.min(grid.columns, Math.ceil((x + width - grid.left) / grid.width)),
  };
}

function cells(context: CanvasRenderingContext2D, grid: Grid, view: View, look: Look, what: Painted): void {
  const { cells } = grid.panel;
  const gap = grid.width > 8 ? 1 : 0;
  const dim = what.framed.size > 0;
  context.font = `${grid.font}px ${MONO}`;
  context.textAlign = "center";
  for (let row = view.row; row < view.rows; row += 1)
    for (let column = view.column; column < view.columns; column += 1) {
      const cell = grid.cell(row, column);
      if (cell < 0) continue;
      const left = grid.left + column * grid.width;
      const top = grid.top + row * grid.height;
      const tone = cells.tone(cell);
      context.globalAlpha = dim && !what.framed.has(cell) ? 0.35 : 1;
      if (tone !== null) {
        context.fillStyle = look.fills[tone] ?? look.faint;
        context.fillRect(left + gap / 2, top + gap / 2, grid.width - gap, grid.height - gap);
      } else {
        context.strokeStyle = look.faint;
        context.strokeRect(left + 0.5, top + 0.5, grid.width - 1, grid.height - 1);
      }
      if (grid.font >= READABLE) lines(context, cells.label(cell), left, top, grid, tone === null ? look.soft : look.ink);
      context.globalAlpha = 1;
      if (cells.marked(cell)) outline(context, grid, cell, look.text, 1.5);
    }
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
