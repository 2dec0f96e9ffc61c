// The built site on a server like a school's (gzip, no cache), which a test can stop and whose files it can replace: a connection that
// breaks, a new version.

import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

export class SiteServer {
  readonly #folder: string;
  readonly #replaced = new Map<string, string | undefined>();
  /** Packed once, as a school's server keeps it: who measures a page does not measure gzip. */
  readonly #packed = new Map<string, Buffer>();
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
    const server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? "/", this.origin).pathname);
      const name = path.endsWith("/") ? `${path}index.html` : path;
      const content = this.#read(name);
      const type = types[extname(path) || ".html"] ?? "application/octet-stream";
      const packed = !/image\/png|woff2|octet/.test(type) && /\bgzip\b/.test(String(request.headers["accept-encoding"]));
      const headers = { "Content-Type": type, "Cache-Control": "no-cache", ...(packed ? { "Content-Encoding": "gzip" } : {}) };
      if (content === undefined) response.writeHead(404).end();
      else response.writeHead(200, headers).end(packed ? this.#pack(name, content) : content);
    });
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

  /** Another text in a file's place; undefined removes it. */
  replace(path: string, text: string | undefined): void {
    this.#replaced.set(path, text);
    this.#packed.delete(path);
  }

  text(path: string): string {
    return readFileSync(join(this.#folder, path), "utf8");
  }

  #pack(path: string, content: string | Buffer): Buffer {
    const packed = this.#packed.get(path) ?? gzipSync(content);
    this.#packed.set(path, packed);
    return packed;
  }

  #read(path: string): string | Buffer | undefined {
    if (this.#replaced.has(path)) return this.#replaced.get(path);
    const file = join(this.#folder, path);
    return existsSync(file) && statSync(file).isFile() ? readFileSync(file) : undefined;
  }
}
