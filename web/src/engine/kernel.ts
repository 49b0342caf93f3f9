// The engine in the kernel of a notebook, which an anywidget model reaches.

import type { Engine, Refused } from "../protocol";
import { tooLong } from "../protocol";

type Heard = (message: unknown, buffers: DataView[]) => void;

// What is used of anywidget's model.
export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(content: object, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
  on(event: string, heard: Heard): void;
  off(event: string, heard: Heard): void;
}

const MOST = 1 << 23; // bytes of a trace: notebooks close a connection that brings more than 10 MiB at once

export class KernelEngine implements Engine {
  private readonly waiting = new Map<string, (reply: string) => void>();
  private readonly name = Math.random().toString(36).slice(2); // each view of a model hears the replies to all
  private asked = 0;

  constructor(private readonly model: Model) {
    model.on("msg:custom", this.heard);
  }

  ask<Reply extends object>(request: object): Promise<Reply | Refused> {
    return this.post({ ask: JSON.stringify(request) });
  }

  async drop(file: Blob): Promise<{ trace: string } | Refused> {
    return tooLong(file, MOST) ?? this.post({ drop: true }, [await file.arrayBuffer()]);
  }

  close(): void {
    this.model.off("msg:custom", this.heard);
  }

  private async post<Reply extends object>(work: object, buffers?: ArrayBuffer[]): Promise<Reply | Refused> {
    this.asked += 1;
    const id = `${this.name}.${this.asked}`;
    const reply = new Promise<string>((answered) => this.waiting.set(id, answered));
    this.model.send({ id, ...work }, undefined, buffers);
    return JSON.parse(await reply) as Reply | Refused;
  }

  private readonly heard: Heard = (message, [reply]) => {
    const { id } = message as { id: string };
    if (reply) this.waiting.get(id)?.(new TextDecoder().decode(reply));
    this.waiting.delete(id);
  };
}
