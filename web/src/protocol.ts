import type { Written } from "./scene/columns";

// What the engine says, as `docs/explorer.md` describes it. The page draws this and computes nothing.

export interface Field {
  name: string;
  label: string;
  kind: "text" | "lines" | "number" | "choice" | "flag" | "trace";
  default: string;
  help: string;
  options?: string[];
  least?: number;
  most?: number;
  wanted?: [string, string[]];
}

export interface Preset {
  name: string;
  inputs: Inputs;
  note: string;
}

export interface Tab {
  name: string;
  title: string;
  words: string;
  fields: Field[];
  presets: Preset[];
  held: string; // the field that takes what a clicked cell holds; empty: none
  holds: "coordinate" | "thread";
  link: string; // what links cells at first
}

export type Inputs = Record<string, string>;

export interface Ruler {
  title: string;
  labels: string[];
  rules: number[];
}

export type Nested = number | Nested[];

export interface Panel {
  title: string;
  subject: string;
  place: [number, number] | null;
  rows: Ruler;
  columns: Ruler;
  cells: Written;
}

export interface Scene {
  schema: string;
  title: string;
  panels: Panel[];
  legend: { title: string; palette: string; swatches: { tone: number; text: string }[] };
  arrows: unknown[];
  notes: string[];
}

export interface Step {
  text: string;
  steps: Step[];
}

export interface Row {
  cells: string[];
  apply: Inputs;
  tab: string; // that takes what is applied; empty: this one
}

export interface Table {
  title: string;
  heads: string[];
  rows: Row[];
  act: string; // what a click on a row does, in a word
}

export interface Frame {
  title: string;
  text: string;
  marks: [scene: number, panel: number, cells: number[]][];
  apply: Inputs; // what shows more of this moment
}

export interface Answer {
  scenes: Scene[];
  facts: [string, string][];
  tables: Table[];
  steps: Step[];
  frames: Frame[];
  begin: number; // of the frames
  notes: string[];
  python: string;
}

export interface Problem {
  field: string;
  message: string;
  position: number;
}

export interface Description {
  schema: string;
  tabs: Tab[];
  palettes: Record<string, string[]>;
  ink: string;
  links: Record<string, boolean>; // what links cells, and whether across subjects
}

export interface Refused {
  problems: Problem[];
}

export function isRefused(reply: object): reply is Refused {
  return "problems" in reply;
}

const MOST = 1 << 24; // bytes of a trace

// Why a file is not even read.
export function tooLong(file: Blob, most = MOST): Refused | null {
  const message = `The file has ${file.size} bytes, the limit is ${most}: trace fewer lanes.`;
  return file.size > most ? { problems: [{ field: "", message, position: -1 }] } : null;
}

// Whoever answers: a server, Python in this page, a notebook's kernel.
export interface Engine {
  ask<Reply extends object>(request: object): Promise<Reply | Refused>;
  drop(file: Blob): Promise<{ trace: string } | Refused>; // keeps a trace, under a name that its field takes
}
