// Plays what goes on in time: phases, rounds, steps of a kernel.

import { el } from "../dom";
import type { Frame, Inputs } from "../protocol";

const BEAT = 900; // milliseconds a frame

export class Timeline {
  readonly root: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly told = el("p", { class: "frame", role: "status" });
  private readonly playing: HTMLButtonElement;
  private readonly closer: HTMLButtonElement;
  private timer = 0;
  private current = -1;

  constructor(
    private readonly frames: Frame[],
    private readonly begin: number,
    private readonly show: (frame: number) => void,
    apply: (inputs: Inputs) => void,
  ) {
    const button = (text: string, name: string, click: () => void) =>
      el("button", { type: "button", "aria-label": name, title: name, click }, text);
    this.slider = el("input", {
      type: "range",
      min: 0,
      max: frames.length - 1,
      value: begin,
      "aria-label": "moment",
      input: () => this.go(Number(this.slider.value)),
    });
    this.playing = button("play", "play", () => (this.timer ? this.stop() : this.play()));
    const steps = [button("‹ back", "step back", () => this.step(-1)), this.playing, button("on ›", "step on", () => this.step(1))];
    this.closer = button("look closer", "look closer at this moment", () => apply(this.frames[this.current]?.apply ?? {}));
    const ends = [button("all", "show all moments", () => this.all()), this.closer];
    this.root = el("div", { class: "timeline", role: "group", "aria-label": "moments in time" }, ...steps, this.slider, ...ends, this.told);
    this.all();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = 0;
    this.playing.textContent = "play";
    this.playing.setAttribute("aria-label", "play");
  }

  private play(): void {
    this.timer = window.setInterval(() => this.go((Number(this.slider.value) + 1) % this.frames.length), BEAT);
    this.playing.textContent = "pause";
    this.playing.setAttribute("aria-label", "pause");
    this.go(Number(this.slider.value));
  }

  private step(by: number): void {
    this.stop();
    this.go(Math.max(0, Math.min(this.frames.length - 1, Number(this.slider.value) + by)));
  }

  private all(): void {
    this.stop();
    this.slider.value = String(this.begin);
    const [first, last] = [this.frames[0]?.title, this.frames.at(-1)?.title];
    this.told.textContent = `${this.frames.length} moments, from "${first}" to "${last}": step or play through them.`;
    this.current = -1;
    this.closer.hidden = true;
    this.show(-1);
  }

  private go(frame: number): void {
    const one = this.frames[frame];
    if (!one) return;
    this.current = frame;
    this.closer.hidden = !Object.keys(one.apply).length;
    this.slider.value = String(frame);
    this.slider.setAttribute("aria-valuetext", one.title);
    this.told.textContent = `${frame + 1} of ${this.frames.length}: ${one.title}${one.text ? `\n${one.text}` : ""}`;
    this.show(frame);
  }
}
