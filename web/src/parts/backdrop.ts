// Light or dark, as what lies behind an element is: so a widget follows its notebook, whichever that is.

const SETTLED = 400; // milliseconds in which colours may change slowly

export function follow(place: Element, told: (dark: boolean) => void): () => void {
  let last: boolean | null = null;
  const look = () => {
    const now = dark(place);
    if (now !== last) told((last = now));
  };
  const later = () => [0, SETTLED].forEach((pause) => setTimeout(look, pause));
  const themed = new MutationObserver(later);
  for (const one of [document.documentElement, document.body]) themed.observe(one, { attributes: true });
  const placed = new ResizeObserver(look);
  placed.observe(place);
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", later);
  look();
  return () => {
    themed.disconnect();
    placed.disconnect();
    system.removeEventListener("change", later);
  };
}

// The colour of the nearest that has one; where nothing has, a browser paints what the page's colour scheme says.
function dark(place: Element): boolean {
  for (let at: Element | null = place; at; at = around(at)) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = painted(getComputedStyle(at).backgroundColor);
    if (alpha > 127) return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return scheme.includes("dark") && (!scheme.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
}

function around(at: Element): Element | null {
  const root = at.getRootNode();
  return at.assignedSlot ?? at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

// Any colour that CSS can write, as red, green, blue and alpha.
function painted(colour: string): Uint8ClampedArray | number[] {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (!context) return [];
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data;
}
