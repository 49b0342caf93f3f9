// Which cells stand for the same: those that share an element, an owner, a thread, a bank .. (docs/scenes.md, "Links").

import type { Cells, Counted } from "./columns";
import type { Sheet } from "./grid";

export interface At {
  panel: number;
  cell: number;
}

type Values = (cells: Cells, cell: number) => (number | string)[];

// The column that a link reads, where it has another name.
const COLUMN: Record<string, string> = { element: "elements", thread: "owner" };

const single = (name: Counted): Values => {
  return (cells, cell) => {
    const value = cells.number(name)(cell);
    return value === null ? [] : [value];
  };
};

const VALUES: Record<string, Values> = {
  element: (cells, cell) => cells.elements(cell),
  place: (cells, cell) => cells.place(cell).map((place) => JSON.stringify(Object.entries(place).sort())),
  owner: (cells, cell) => cells.owner(cell).map(String),
  thread: (cells, cell) => cells.owner(cell).map(([thread]) => String(thread)),
  offset: single("offset"),
  byte: single("byte"),
  bank: single("bank"),
  line: single("line"),
  phase: single("phase"),
  group: single("group"),
};

export class Links {
  private readonly known = new Map<string, Map<number | string, At[]>>();

  constructor(
    private readonly panels: Sheet[],
    private readonly across: Record<string, boolean>,
  ) {}

  // The names by which cells of this scene are linked.
  get names(): string[] {
    return Object.keys(this.across).filter((name) => this.panels.some(({ cells }) => cells.has(COLUMN[name] ?? name)));
  }

  linked(at: At, by: string): At[] {
    const read = VALUES[by];
    const panel = this.panels[at.panel];
    if (!read || !panel) return [];
    const index = this.index(by, read);
    const keys = read(panel.cells, at.cell).map((value) => this.key(by, panel.subject, value));
    const found = new Map<string, At>();
    for (const one of keys.flatMap((key) => index.get(key) ?? [])) found.set(`${one.panel}.${one.cell}`, one);
    return [...found.values()];
  }

  private key(by: string, subject: string, value: number | string): number | string {
    return this.across[by] ? value : `${subject}\n${value}`;
  }

  private index(by: string, read: Values): Map<number | string, At[]> {
    const before = this.known.get(by);
    if (before) return before;
    const found = new Map<number | string, At[]>();
    this.panels.forEach(({ cells, subject }, panel) => {
      for (let cell = 0; cell < cells.count; cell += 1)
        for (const value of read(cells, cell)) {
          const key = this.key(by, subject, value);
          const there = found.get(key);
          if (there) there.push({ panel, cell });
          else found.set(key, [{ panel, cell }]);
        }
    });
    this.known.set(by, found);
    return found;
  }
}
