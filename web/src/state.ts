// Where the user is: a tab, its inputs, and the cell that is held.

import type { Inputs } from "./protocol";

export type Held = [scene: number, panel: number, cell: number];

export interface State {
  tab: string;
  inputs: Inputs;
  held: Held | null;
}

// Who keeps the state: the URL of a page, which leaves out the cell, or the model of a notebook's widget.
export interface Store {
  read(): Partial<State>;
  write(state: State, step: boolean): void; // a step is one that Back undoes
  watch(changed: () => void): void;
}

export const url: Store = {
  read() {
    const found = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    const { tab, ...inputs } = found;
    return tab === undefined ? {} : { tab, inputs };
  },
  write({ tab, inputs }, step) {
    const hash = `#${new URLSearchParams({ tab, ...inputs })}`;
    if (hash === location.hash) return;
    if (step) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  },
  watch(changed) {
    addEventListener("popstate", changed);
    addEventListener("hashchange", changed);
  },
};
