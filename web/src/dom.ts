// Elements, made in one expression. Text is always text: nothing here reads HTML.

type Child = Node | string;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false) made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

let made = 0;

export function unique(prefix: string): string {
  made += 1;
  return `${prefix}-${made}`;
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children);
}

export function later(milliseconds: number, work: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(work, milliseconds);
  };
}

export function save(name: string, content: Blob): void {
  const link = el("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
