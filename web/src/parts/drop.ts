// A file that is chosen, or dropped on the page.

import { el, unique } from "../dom";

export function chooser(name: string, given: (file: File) => void): HTMLElement {
  const id = unique("file");
  const input = el("input", { id, type: "file", accept: ".json,application/json" });
  input.addEventListener("change", () => {
    if (input.files?.[0]) given(input.files[0]);
    input.value = "";
  });
  return el("div", { class: "drop" }, el("label", { for: id }, `${name}: choose one, or drop it on the page`), input);
}

// Elsewhere a browser would leave the page and open the file.
export function onDrop(root: HTMLElement, given: (file: File) => void): void {
  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault();
    root.classList.toggle("over", is);
  };
  root.addEventListener("dragover", over(true));
  root.addEventListener("dragleave", over(false));
  root.addEventListener("drop", (event) => {
    over(false)(event);
    const file = event.dataTransfer?.files[0];
    if (file) given(file);
  });
}
