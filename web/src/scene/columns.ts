// The cells of a panel as columns, each in one of the forms of docs/scenes.md, and read where it is asked for.

import type { Nested } from "../protocol";

export type Value = Nested | string | boolean | null;
export type Form =
  | unknown[]
  | { all: unknown }
  | { of: string }
  | { rows: unknown[]; columns: unknown[] }
  | { text: (string | Form)[] }
  | { copies: Record<string, Form>[] };
export type Column<Item> = (cell: number) => Item;
export type Owner = [thread: number | null, value: number | null];
export type Place = Record<string, number>;
export type Counted = "offset" | "byte" | "bank" | "line" | "phase" | "group";

export interface Written {
  count: number;
  row?: number[]; // without them cell n is the n-th, row by row
  column?: number[];
  [name: string]: unknown;
}

// In this order: a column may name those before it.
const NAMES = "elements coordinate offset place owner byte bank line phase group tone marked label note formula".split(" ");

export class Cells {
  readonly count: number;
  readonly tone: Column<number | null>;
  readonly marked: Column<boolean>;
  readonly label: Column<string>;
  readonly note: Column<string>;
  readonly formula: Column<string>;
  readonly elements: Column<number[]>;
  readonly coordinate: Column<Nested | null>;
  readonly place: Column<Place[]>;
  readonly owner: Column<Owner[]>;
  private readonly columns = new Map<string, Column<unknown>>();
  private readonly at: Int32Array | null;

  constructor(
    private readonly written: Written,
    rows: number,
    readonly width: number,
  ) {
    this.count = written.count;
    for (const name of NAMES) {
      const form = written[name] as Form | undefined;
      if (form !== undefined) this.columns.set(name, this.read(form, name));
    }
    this.tone = this.column("tone", null);
    this.marked = this.column("marked", false);
    this.label = this.column("label", "");
    this.note = this.column("note", "");
    this.formula = this.column("formula", "");
    this.coordinate = this.column<Nested | null>("coordinate", null);
    this.place = this.column<Place[]>("place", []);
    this.owner = this.column<Owner[]>("owner", []);
    const elements = this.column<number | number[]>("elements", []);
    this.elements = (cell) => {
      const found = elements(cell);
      return typeof found === "number" ? [found] : found;
    };
    this.at = written.row ? this.places(written.row, rows) : null;
  }

  row(cell: number): number {
    return this.written.row?.[cell] ?? Math.floor(cell / this.width);
  }

  col(cell: number): number {
    return this.written.column?.[cell] ?? cell % this.width;
  }

  // The cell at a row and column of the panel, -1 where there is none.
  find(row: number, column: number): number {
    const at = row * this.width + column;
    return this.at ? (this.at[at] ?? -1) : at < this.count ? at : -1;
  }

  // Is anything said in this column?
  has(name: string): boolean {
    return this.columns.has(name);
  }

  number(name: Counted): Column<number | null> {
    return this.column<number | null>(name, null);
  }

  private column<Item>(name: string, none: Item): Column<Item> {
    return (this.columns.get(name) as Column<Item> | undefined) ?? (() => none);
  }

  private places(down: number[], rows: number): Int32Array {
    const found = new Int32Array(rows * this.width).fill(-1);
    down.forEach((row, cell) => (found[row * this.width + this.col(cell)] = cell));
    return found;
  }

  private read(form: Form, name = ""): Column<unknown> {
    if (Array.isArray(form)) return (cell) => form[cell];
    if ("all" in form) return () => form.all;
    if ("of" in form) return this.column<unknown>(form.of, null);
    if ("text" in form) return this.text(form.text);
    if ("copies" in form) return this.copies(form.copies, name);
    const { rows, columns } = form;
    return (cell) => sum(rows[Math.floor(cell / this.width)], columns[cell % this.width]);
  }

  private text(parts: (string | Form)[]): Column<string> {
    const each = parts.map((part) => (typeof part === "string" ? () => part : this.read(part)));
    return (cell) => {
      let text = "";
      for (const part of each) text += String(part(cell));
      return text;
    };
  }

  private copies(copies: Record<string, Form>[], name: string): Column<Place[]> {
    const each = copies.map((axes, number) =>
      Object.entries(axes).map(([axis, form]): [string, Column<unknown>] => {
        const column = this.read(form);
        this.columns.set(`${name}.${number}.${axis}`, column);
        return [axis, column];
      }),
    );
    return (cell) => each.map((axes) => Object.fromEntries(axes.map(([axis, column]) => [axis, column(cell) as number])));
  }
}

// What a row and a column have, added: numbers, texts, or lists.
function sum(row: unknown, column: unknown): unknown {
  if (Array.isArray(row) && Array.isArray(column)) return [...row, ...column];
  return typeof row === "number" && typeof column === "number" ? row + column : `${String(row)}${String(column)}`;
}
