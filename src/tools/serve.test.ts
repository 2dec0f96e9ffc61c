import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packFolder } from "./pack.mjs";
import { serveSite } from "./serve.mjs";

const code = "export const words = 'packed';\n".repeat(100);
const folder = mkdtempSync(join(tmpdir(), "pilothouse-site-"));
let server: Server;

beforeAll(async () => {
  mkdirSync(join(folder, "assets"));
  mkdirSync(join(folder, "fr"));
  writeFileSync(join(folder, "assets", "worker-1.js"), code);
  writeFileSync(join(folder, "assets", "small-1.js"), "export {};\n");
  writeFileSync(join(folder, "fr", "index.html"), `<h1>Cours</h1>${"<p>texte</p>".repeat(100)}`);
  writeFileSync(join(folder, "index.html"), "<h1>Pilothouse</h1>");
  writeFileSync(join(folder, "404.html"), "<h1>404</h1>");
  await packFolder(folder);
  server = await serveSite({ folder, base: "/k8s/", port: 0 });
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const outgoing = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("end", () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(parts) }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

describe("the site's server", () => {
  it("gives the best packed form that a browser takes, and the plain one to whoever takes none", async () => {
    const all = { "accept-encoding": "gzip, deflate, br, zstd" };
    const brotli = await ask("/k8s/assets/worker-1.js", all);
    expect(brotli.headers).toMatchObject({
      "content-encoding": "br",
      "content-type": "text/javascript; charset=utf-8",
      "content-length": String(brotli.body.length),
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    expect(brotliDecompressSync(brotli.body).toString()).toBe(code);
    const zipped = await ask("/k8s/assets/worker-1.js", { "accept-encoding": "br;q=0, gzip" });
    expect([zipped.headers["content-encoding"], gunzipSync(zipped.body).toString()]).toEqual(["gzip", code]);
    const plain = await ask("/k8s/assets/worker-1.js");
    expect([plain.headers["content-encoding"], plain.headers.vary, plain.body.toString()]).toEqual([
      undefined,
      "Accept-Encoding",
      code,
    ]);
    const small = await ask("/k8s/assets/small-1.js", all);
    expect([small.headers["content-encoding"], small.headers.vary]).toEqual([undefined, undefined]);
  });

  it("answers for a folder with its page, which is asked for again and sent once", async () => {
    const page = await ask("/k8s/fr/");
    expect([page.status, page.headers["content-type"], page.headers["cache-control"]]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-cache",
    ]);
    const again = await ask("/k8s/fr/", { "if-none-match": page.headers.etag ?? "" });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const packed = await ask("/k8s/fr/", { "accept-encoding": "br", "if-none-match": page.headers.etag ?? "" });
    expect([packed.status, packed.headers["content-encoding"]]).toEqual([200, "br"]);
    const head = await ask("/k8s/fr/", {}, "HEAD");
    expect([head.status, head.headers["content-length"], head.body.length]).toEqual([200, page.headers["content-length"], 0]);
  });

  it.each([
    ["/k8s/", 200, undefined],
    ["/k8s", 301, "/k8s/"],
    ["/k8s/fr", 301, "/k8s/fr/"],
    ["/k8s/nothing/", 404, undefined],
    ["/fr/", 404, undefined],
    ["/k8s/fr/index.html.br", 404, undefined],
    ["/k8s/%2e%2e/%2e%2e/etc/passwd", 404, undefined],
    ["/k8s/..%2f..%2fetc/passwd", 404, undefined],
    ["/k8s/%ff", 404, undefined],
  ])("answers for %s with %i", async (path, status, location) => {
    const reply = await ask(path);
    expect([reply.status, reply.headers.location]).toEqual([status, location]);
    if (status === 404) expect([reply.body.toString(), reply.headers["cache-control"]]).toEqual(["<h1>404</h1>", "no-cache"]);
  });

  it("takes no writes", async () => {
    const reply = await ask("/k8s/fr/", {}, "POST");
    expect([reply.status, reply.headers.allow]).toEqual([405, "GET, HEAD"]);
  });
});
