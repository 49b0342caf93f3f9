// Focus stays where it was while what surrounds it is drawn anew.

const FOCUSABLE = "a[href], button, input, select, textarea, [tabindex]";

interface Place {
  region: string; // the class of a child of the root, and which of them
  number: number;
  kind: string;
  label: string;
  nth: number; // of this kind in the region
}

export function keepingFocus(root: HTMLElement, draw: () => void): void {
  const kept = placeIn(root);
  draw();
  if (kept) found(root, kept)?.focus({ preventScroll: true });
}

function placeIn(root: HTMLElement): Place | null {
  const focused = (root.getRootNode() as Document | ShadowRoot).activeElement;
  const region = [...root.children].find((child) => child.contains(focused));
  if (!region || !(focused instanceof HTMLElement)) return null;
  const alike = reachable(region).filter((one) => kindOf(one) === kindOf(focused));
  const number = regions(root, region.className).indexOf(region);
  return { region: region.className, number, kind: kindOf(focused), label: labelOf(focused), nth: alike.indexOf(focused) };
}

// The same control; else one of its kind in the same place; else the first that the region has.
function found(root: HTMLElement, { region, number, kind, label, nth }: Place): HTMLElement | undefined {
  const all = reachable(regions(root, region)[number] ?? root);
  const alike = all.filter((one) => kindOf(one) === kind);
  const named = alike.filter((one) => labelOf(one) === label);
  return named[0] ?? (kind.includes("grid") ? alike[nth] : undefined) ?? all.find((one) => one.tagName === "INPUT") ?? all[0];
}

function regions(root: HTMLElement, name: string): Element[] {
  return [...root.children].filter((child) => child.className === name);
}

function reachable(region: Element): HTMLElement[] {
  const within = [...(region.matches(FOCUSABLE) ? [region] : []), ...region.querySelectorAll(FOCUSABLE)];
  return (within as HTMLElement[]).filter((one) => !one.hidden && one.tabIndex >= 0);
}

function kindOf(one: Element): string {
  return `${one.tagName} ${one.getAttribute("role") ?? ""}`;
}

function labelOf(one: Element): string {
  return one.getAttribute("aria-label") ?? one.textContent ?? "";
}
