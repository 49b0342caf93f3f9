// A tab's inputs. What is wrong is said beside its field, with a caret, and nothing that was written is lost.

import { el, replace, unique } from "../dom";
import type { Engine, Field, Inputs, Problem, Tab } from "../protocol";
import { isRefused } from "../protocol";
import { chooser } from "./drop";

interface Row {
  field: Field;
  root: HTMLElement;
  input: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  problem: HTMLElement;
}

export class Form {
  readonly root = el("form", { class: "form", novalidate: true, submit: (event) => event.preventDefault() });
  private readonly rows: Row[];
  private readonly presets: HTMLSelectElement;
  private readonly note = el("p", { class: "note" });
  private dropped = 0;
  private readonly general = el("pre", { class: "problem", role: "alert" });
  private readonly fold = el("button", { type: "button", class: "fold", click: () => this.folded(!this.root.classList.contains("folded")) });

  constructor(
    private readonly tab: Tab,
    inputs: Inputs,
    private readonly changed: (inputs: Inputs, step: boolean) => void,
    private readonly drop: Engine["drop"],
  ) {
    const id = unique("preset");
    this.presets = el(
      "select",
      { id, change: () => this.preset() },
      el("option", { value: "" }, "choose .."),
      ...tab.presets.map((preset, number) => el("option", { value: number }, preset.name)),
    );
    this.rows = tab.fields.map((field) => this.row(field, inputs[field.name] ?? field.default));
    const presets = el("div", { class: "field preset" }, el("label", { for: id }, "Preset"), this.presets, this.note);
    this.root.append(...(tab.presets.length ? [presets] : []), this.fold, ...this.rows.map((row) => row.root), this.general);
    this.folded(tab.presets.length > 0);
    this.refresh();
  }

  // Where the page is narrow, the fields would stand above all that they make: they are folded away behind the presets.
  private folded(away: boolean): void {
    this.root.classList.toggle("folded", away);
    this.fold.setAttribute("aria-expanded", String(!away));
    this.fold.textContent = away ? "show all inputs" : "hide the inputs";
  }

  // What differs from the defaults.
  get inputs(): Inputs {
    const given = this.rows.map(({ field, input }): [Field, string] => [field, valueOf(input)]);
    return Object.fromEntries(given.filter(([field, value]) => value !== field.default).map(([field, value]) => [field.name, value]));
  }

  set(inputs: Inputs): void {
    for (const { field, input } of this.rows) put(input, inputs[field.name] ?? field.default);
    this.refresh();
  }

  // What a click on a row of a table gives.
  apply(inputs: Inputs): void {
    this.set({ ...this.inputs, ...inputs });
    this.changed(this.inputs, true);
  }

  refuse(problems: Problem[]): void {
    const known = new Set(this.rows.map(({ field }) => field.name));
    if (problems.some(({ field }) => known.has(field))) this.folded(false);
    for (const { field, input, problem } of this.rows) {
      const own = problems.filter((one) => one.field === field.name);
      problem.textContent = own.map((one) => told(one, valueOf(input))).join("\n");
      if (own.length) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    this.general.textContent = problems
      .filter((one) => !known.has(one.field))
      .map((one) => one.message)
      .join("\n");
  }

  // A file goes to the field that takes one; what else was given belongs to the trace before.
  async take(file: File): Promise<void> {
    const field = this.rows.find((row) => row.field.kind === "trace")?.field;
    if (!field) return;
    const mine = ++this.dropped;
    const reply = await this.drop(file);
    if (mine !== this.dropped || !this.root.isConnected) return; // another file, or another tab, was chosen meanwhile
    if (isRefused(reply)) this.refuse(reply.problems.map((problem) => ({ ...problem, field: field.name })));
    else this.apply(Object.fromEntries(this.rows.map(({ field: { name, default: none } }) => [name, name === field.name ? reply.trace : none])));
  }

  private preset(): void {
    const preset = this.tab.presets[Number(this.presets.value || -1)];
    if (!preset) return;
    this.set(preset.inputs);
    this.changed(this.inputs, true);
  }

  private row(field: Field, value: string): Row {
    const id = unique(field.name);
    const input = made(field, id);
    put(input, value);
    input.addEventListener("input", () => {
      this.refresh();
      this.changed(this.inputs, ["choice", "flag", "trace"].includes(field.kind));
    });
    const problem = el("pre", { class: "problem", id: `${id}-problem`, role: "alert" });
    const help = el("p", { class: "note", id: `${id}-help` }, field.help);
    input.setAttribute("aria-describedby", `${id}-problem${field.help ? ` ${id}-help` : ""}`);
    const root = el("div", { class: `field ${field.kind}` }, el("label", { for: id }, field.label), input, problem);
    if (field.help) root.append(help);
    if (field.kind === "trace") root.append(chooser(`${field.label} of a file`, (file) => void this.take(file)));
    return { field, root, input, problem };
  }

  private refresh(): void {
    const values = new Map(this.rows.map(({ field, input }) => [field.name, valueOf(input)]));
    for (const { field, root } of this.rows) {
      root.hidden = !wanted(field, values);
      if (root.hidden) values.delete(field.name); // what wants one that is not asked for is not asked for either
    }
    const same = this.tab.presets.findIndex((preset) => alike(preset.inputs, this.inputs));
    this.presets.value = same < 0 ? "" : String(same);
    replace(this.note, this.tab.presets[same]?.note ?? "");
  }
}

function wanted(field: Field, values: Map<string, string>): boolean {
  return !field.wanted || field.wanted[1].includes(values.get(field.wanted[0]) ?? "");
}

export function alike(left: Inputs, right: Inputs): boolean {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => left[key] === right[key]);
}

function made(field: Field, id: string): Row["input"] {
  const name = { id, name: field.name, spellcheck: "false", autocomplete: "off" };
  if (field.kind === "choice" || field.kind === "trace") return el("select", name, ...(field.options ?? []).map((option) => el("option", { value: option }, option)));
  if (field.kind === "lines") return el("textarea", { ...name, rows: 4 });
  if (field.kind === "flag") return el("input", { ...name, type: "checkbox" });
  return el("input", { ...name, type: "text", inputmode: field.kind === "number" ? "numeric" : "text" });
}

function valueOf(input: Row["input"]): string {
  return input instanceof HTMLInputElement && input.type === "checkbox" ? (input.checked ? "1" : "") : input.value;
}

function put(input: Row["input"], value: string): void {
  if (input instanceof HTMLInputElement && input.type === "checkbox") input.checked = value === "1";
  else if (input instanceof HTMLSelectElement && ![...input.options].some((option) => option.value === value)) {
    input.append(el("option", { value }, value)); // what a URL asks for and there is not: the engine says so
    input.value = value;
  } else if (input.value !== value) input.value = value;
}

const WIDTH = 60;

function told(problem: Problem, text: string): string {
  if (problem.position < 0 || !text) return problem.message;
  const start = text.length > WIDTH ? Math.max(0, problem.position - WIDTH / 2) : 0;
  const part = text.slice(start, start + WIDTH).replaceAll("\n", " ");
  return `${problem.message}\n${part}\n${" ".repeat(problem.position - start)}^`;
}
