// The choice of light or dark on a page of our own.

import { el, unique } from "../dom";

const THEMES = ["auto", "light", "dark"];

// Light or dark, as this browser keeps it; `changed` paints again.
export function theme(changed: () => void): HTMLElement {
  const id = unique("theme");
  const kept = localStorage.getItem("tilewright-theme") ?? "auto";
  const select = el("select", { id }, ...THEMES.map((name) => el("option", { value: name }, name)));
  const apply = () => {
    document.documentElement.dataset.theme = select.value;
    localStorage.setItem("tilewright-theme", select.value);
    changed();
  };
  select.value = THEMES.includes(kept) ? kept : "auto";
  select.addEventListener("change", apply);
  document.documentElement.dataset.theme = select.value;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  return el("div", { class: "theme" }, el("label", { for: id }, "theme"), select);
}
