// The engine in this page's own worker: Python waits there, and the page stays responsive.

import type { Engine, Refused } from "../protocol";
import { tooLong } from "../protocol";
import type { Work } from "./worker";

type Answered = (reply: string) => void;

export class PyodideEngine implements Engine {
  private readonly waiting: Answered[] = []; // the worker answers in the order in which it is asked
  private broken: string | null = null;

  constructor(private readonly worker: Worker) {
    worker.addEventListener("message", (event: MessageEvent<string>) => this.waiting.shift()?.(event.data));
    worker.addEventListener("error", (event) => this.fail(event.message || "its files cannot be read"));
  }

  ask<Reply extends object>(request: object): Promise<Reply | Refused> {
    return this.post({ ask: JSON.stringify(request) });
  }

  async drop(file: Blob): Promise<{ trace: string } | Refused> {
    return tooLong(file) ?? this.post({ drop: await file.text() });
  }

  private async post<Reply extends object>(work: Work): Promise<Reply | Refused> {
    const text = await new Promise<string>((answered) => {
      if (this.broken !== null) return answered(this.broken);
      this.waiting.push(answered);
      this.worker.postMessage(work);
    });
    return JSON.parse(text) as Reply | Refused;
  }

  private fail(message: string): void {
    this.broken = JSON.stringify({ problems: [{ field: "", message: `Python in this page stopped: ${message}`, position: -1 }] });
    for (const answered of this.waiting.splice(0)) answered(this.broken);
  }
}
