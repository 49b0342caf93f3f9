// The engine behind the server that gave this page.

import type { Engine, Refused } from "../protocol";
import { tooLong } from "../protocol";

const KEPT = "tilewright-token";

// The token stands behind the # of the address that the command printed: it stays in this browser, and out of the URL.
export function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get("token");
  if (token !== null) {
    sessionStorage.setItem(KEPT, token);
    given.delete("token");
    history.replaceState(null, "", given.size ? `#${given}` : location.pathname);
  }
  return token ?? sessionStorage.getItem(KEPT) ?? "";
}

export class RemoteEngine implements Engine {
  constructor(private readonly token: string) {}

  ask<Reply extends object>(request: object): Promise<Reply | Refused> {
    return this.post("ask", JSON.stringify(request));
  }

  async drop(file: Blob): Promise<{ trace: string } | Refused> {
    return tooLong(file) ?? this.post("trace", file);
  }

  private async post<Reply extends object>(path: string, body: BodyInit): Promise<Reply | Refused> {
    try {
      const response = await fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Tilewright-Token": this.token },
        body,
      });
      if (response.ok) return (await response.json()) as Reply;
      return refused(`The server refused: ${(await response.text()).trim() || response.statusText}.`);
    } catch {
      return refused("The server does not answer. Is `tilewright explore` still running?");
    }
  }
}

function refused(message: string): Refused {
  return { problems: [{ field: "", message, position: -1 }] };
}
