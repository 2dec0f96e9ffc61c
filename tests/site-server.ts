// The built site on the server of `npm start`, which a test can stop and whose files it can replace: a connection that breaks, a new
// version. No file is kept longer than until the next question, so that nothing is there which the server has lost.

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { siteHandler } from "../src/tools/serve.mjs";

export class SiteServer {
  readonly #folder: string;
  readonly #replaced = new Map<string, string | undefined>();
  #server: Server | undefined;
  #port = 0;

  constructor(folder = process.env["PILOTHOUSE_OUT"] ?? "dist") {
    this.#folder = folder;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Serves; a second time on the same port. */
  async start(port = this.#port): Promise<void> {
    const server = createServer(siteHandler({ folder: this.#folder, replaced: this.#replaced, kept: false }));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await new Promise<void>((resolve) => {
      if (server === undefined) resolve();
      else {
        server.close(() => resolve());
        server.closeAllConnections();
      }
    });
  }

  /** Another text in a file's place, by its path below the site; undefined removes it. */
  replace(path: string, text: string | undefined): void {
    this.#replaced.set(path.replace(/^\//, ""), text);
  }

  text(path: string): string {
    return readFileSync(join(this.#folder, path), "utf8");
  }
}
