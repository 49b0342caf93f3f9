// Where the user is: a tab and its inputs, kept in the URL.

import type { Inputs } from "./protocol";

export interface State {
  tab: string;
  inputs: Inputs;
}

// Who keeps the state: the URL of a page, or the model of a notebook's widget.
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
