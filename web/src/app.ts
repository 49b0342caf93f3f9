// The explorer: tabs, each with a form and what the engine answers to it.

import { el, later, replace, unique } from "./dom";
import { keepingFocus } from "./parts/focus";
import { Form, alike } from "./parts/form";
import { Timeline } from "./parts/timeline";
import { words } from "./parts/words";
import type { Answer, Description, Engine, Inputs, Tab } from "./protocol";
import { isRefused } from "./protocol";
import { Picture, marksOf } from "./scene/picture";
import type { Held, State, Store } from "./state";

const RESIZED = 20; // pixels, more than a scroll bar that comes or goes with what is drawn

// What holds the tabs and what is below them: landmarks on a page of our own.
export interface Frame {
  header: HTMLElement;
  main: HTMLElement;
}

export class App {
  private readonly tabs = el("div", { role: "tablist", "aria-label": "What to look at", class: "tabs" });
  private readonly form = el("div", { class: "side" });
  private readonly shown = el("div", { class: "shown" });
  private readonly panel: HTMLElement;
  private readonly panelId = unique("panel");
  private state: State = { tab: "", inputs: {}, held: null };
  private width = 0;
  private current: Form | null = null;
  private pictures: Picture[] = [];
  private timeline: Timeline | null = null;
  private asked = 0;
  private underWay = 0; // requests
  private again = false;

  constructor(
    readonly root: HTMLElement,
    readonly frame: Frame,
    private readonly engine: Engine,
    private readonly store: Store,
    private readonly described: Description,
  ) {
    this.panel = el("div", { role: "tabpanel", id: this.panelId, class: "panel" }, this.form, this.shown);
    frame.header.append(this.tabs);
    frame.header.hidden = described.tabs.length < 2;
    frame.main.append(this.panel);
    replace(root, frame.header, frame.main);
    this.tabs.append(...described.tabs.map((tab) => this.tabButton(tab)));
    this.tabs.addEventListener("keydown", (event) => this.tabKey(event));
    store.watch(() => this.restore());
    const resized = later(120, () => this.pictures.forEach((picture) => picture.fit()));
    new ResizeObserver(() => {
      if (Math.abs(root.clientWidth - this.width) <= RESIZED) return;
      this.width = root.clientWidth;
      resized();
    }).observe(root);
    this.restore();
  }

  // A file that was dropped.
  take(file: File): void {
    void this.current?.take(file);
  }

  repaint(): void {
    for (const picture of this.pictures) picture.repaint();
  }

  // Where a cell is on the screen, for tests.
  middle(scene: number, panel: number, cell: number): { x: number; y: number } | undefined {
    return this.pictures[scene]?.middle(panel, cell);
  }

  private restore(): void {
    const { tab, inputs = {}, held } = this.store.read();
    const known = this.described.tabs.find((one) => one.name === tab) ?? this.described.tabs[0];
    if (!known) return;
    const stays = known.name === this.state.tab;
    const holds = held === undefined ? (stays ? this.state.held : null) : held;
    if (!stays || !alike(inputs, this.state.inputs)) this.turned(known, inputs, holds);
    else if (String(holds) !== String(this.state.held)) this.hold(holds);
  }

  private turned(tab: Tab, inputs: Inputs, held: Held | null): void {
    if (tab.name === this.state.tab) this.current?.set(inputs);
    else this.open(tab, inputs);
    this.state = { tab: tab.name, inputs: this.current?.inputs ?? {}, held };
    void this.ask();
  }

  private open(tab: Tab, inputs: Inputs): void {
    this.pictures = [];
    this.current = new Form(tab, inputs, (given, step) => this.changed(given, step), (file) => this.engine.drop(file));
    replace(this.form, el("p", { class: "words" }, tab.words), this.current.root);
    replace(this.shown);
    this.panel.classList.toggle("alone", !tab.fields.length);
    for (const button of this.tabs.children) {
      const chosen = button.getAttribute("data-tab") === tab.name;
      button.setAttribute("aria-selected", String(chosen));
      button.setAttribute("tabindex", chosen ? "0" : "-1");
      if (chosen) this.panel.setAttribute("aria-labelledby", button.id);
    }
  }

  private changed(inputs: Inputs, step: boolean): void {
    this.state = { ...this.state, inputs };
    this.store.write(this.state, step);
    if (step) void this.ask();
    else this.soon();
  }

  // As soon as a key, but one request after the other: what is typed meanwhile is asked when its answer is here.
  private soon(): void {
    if (this.underWay) this.again = true;
    else void this.ask();
  }

  private async ask(): Promise<void> {
    this.asked += 1;
    this.again = false;
    const mine = this.asked;
    this.shown.setAttribute("aria-busy", "true");
    const { tab, inputs } = this.state;
    this.underWay += 1;
    const reply = await this.engine.ask<Answer>({ ask: "answer", tab, inputs });
    this.underWay -= 1;
    if (mine !== this.asked) return;
    if (this.again) return this.ask();
    this.shown.removeAttribute("aria-busy");
    this.current?.refuse(isRefused(reply) ? reply.problems : []);
    this.shown.classList.toggle("stale", isRefused(reply));
    if (!isRefused(reply)) this.draw(reply);
  }

  private draw(answer: Answer): void {
    this.timeline?.stop();
    const links = this.pictures.map((picture) => picture.link); // which a picture that is drawn anew keeps
    this.pictures = answer.scenes.map((scene, number) => {
      const picture = new Picture(scene, this.described, (at) => this.hold(at && [number, at.panel, at.cell]), this.svg(number), `${this.state.tab}${number ? `-${number}` : ""}`);
      picture.link = links[number] ?? this.tab?.link ?? "";
      return picture;
    });
    const frame = (number: number) => this.pictures.forEach((picture, scene) => picture.frame(marksOf(answer, number, scene)));
    const apply = (inputs: Inputs) => this.current?.apply(inputs);
    this.timeline = answer.frames.length ? new Timeline(answer.frames, answer.begin, frame, apply) : null;
    const said = words(answer, (row) => (row.tab ? this.see(row.tab, row.apply) : apply(row.apply)));
    const timelines = this.timeline ? [this.timeline.root] : [];
    keepingFocus(this.shown, () => replace(this.shown, ...timelines, ...this.pictures.map((picture) => picture.root), ...said));
    for (const picture of this.pictures) picture.fit();
    if (!this.keep()) this.hold(null);
  }

  private get tab(): Tab | undefined {
    return this.described.tabs.find((tab) => tab.name === this.state.tab);
  }

  // A tab may explain the cell that is held: its coordinate, or its thread, is then one of the inputs.
  private hold(held: Held | null): void {
    this.state = { ...this.state, held };
    this.keep();
    this.store.write(this.state, false);
    if (!held || !this.tab?.held) return;
    const [scene, panel, cell] = held;
    const holds = this.pictures[scene]?.holds({ panel, cell }, this.tab.holds);
    if (holds) this.current?.apply({ [this.tab.held]: holds });
  }

  // Of all pictures one shows the cell that is held, unless it has no such cell.
  private keep(): boolean {
    const [scene, panel = 0, cell = 0] = this.state.held ?? [];
    const kept = this.pictures.map((picture, number) => picture.keep(scene === number ? { panel, cell } : null));
    return scene === undefined || kept[scene] === true;
  }

  private svg(scene: number): () => Promise<string | null> {
    const { tab, inputs } = this.state;
    return async () => {
      const reply = await this.engine.ask<{ svg: string }>({ ask: "svg", tab, inputs, scene });
      return isRefused(reply) ? null : reply.svg;
    };
  }

  private tabButton(tab: Tab): HTMLElement {
    return el(
      "button",
      { type: "button", role: "tab", id: unique("tab"), "data-tab": tab.name, "aria-controls": this.panelId, click: () => this.turn(tab.name) },
      tab.title,
    );
  }

  // What a row leads to: the tab's button has the focus, as what had it is gone.
  private see(tab: string, inputs: Inputs): void {
    this.turn(tab, inputs);
    this.tabs.querySelector<HTMLElement>("[aria-selected='true']")?.focus();
  }

  private turn(tab: string, inputs: Inputs = {}): void {
    this.store.write({ tab, inputs, held: null }, true);
    this.restore();
  }

  private tabKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const all = [...this.tabs.children] as HTMLElement[];
    const next = all[(all.indexOf(event.target as HTMLElement) + step + all.length) % all.length];
    next?.focus();
    next?.click();
    event.preventDefault();
  }
}
