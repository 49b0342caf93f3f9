// The state of a notebook's widget: what its model has, Python reads and sets.

import type { Model } from "./engine/kernel";
import type { Inputs } from "./protocol";
import type { Held, State, Store } from "./state";

const NAMES = ["tab", "inputs", "_at"];

export class ModelStore implements Store {
  private readonly heard: (() => void)[] = [];
  private writing = false;

  constructor(private readonly model: Model) {
    for (const name of NAMES) model.on(`change:${name}`, this.changed);
  }

  read(): State {
    const { model } = this;
    return { tab: model.get("tab") as string, inputs: model.get("inputs") as Inputs, held: model.get("_at") as Held | null };
  }

  // Models tell also those who set them.
  write({ tab, inputs, held }: State): void {
    this.writing = true;
    this.model.set("tab", tab);
    this.model.set("inputs", inputs);
    this.model.set("_at", held);
    this.writing = false;
    this.model.save_changes();
  }

  watch(changed: () => void): void {
    this.heard.push(changed);
  }

  close(): void {
    for (const name of NAMES) this.model.off(`change:${name}`, this.changed);
  }

  private readonly changed = (): void => {
    if (!this.writing) for (const tell of this.heard) tell();
  };
}
