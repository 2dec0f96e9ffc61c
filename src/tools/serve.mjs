// Gives the files of the built site, as any web server does that knows of packed ones (`pack.mjs`). Runs before anything is installed.

import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { encodings } from "./pack.mjs";

/** @type {Record<string, string>} */
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/** Names in this folder hold a hash of their content: another content has another name. */
const hashed = /^assets\//;

/**
 * Answers requests for the files of `folder`, below the address `base`. `replaced` holds other texts in the place of files, by path from
 * the folder, undefined for one that is gone; with `kept: false` a browser asks again each time.
 * @param {{ folder: string, base?: string, replaced?: ReadonlyMap<string, string | undefined>, kept?: boolean }} options
 * @returns {import("node:http").RequestListener}
 */
export function siteHandler({ folder, base = "/", replaced = new Map(), kept = true }) {
  const root = base.endsWith("/") ? base : `${base}/`;

  /** @param {string} name @returns {Buffer | undefined} */
  const read = (name) => {
    if (replaced.has(name)) {
      const text = replaced.get(name);
      return text === undefined ? undefined : Buffer.from(text);
    }
    return isFile(join(folder, name)) ? readFileSync(join(folder, name)) : undefined;
  };

  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
      return;
    }
    const path = pathOf(request.url ?? "/");
    // `//name/` would be another host.
    const name = path?.startsWith(root) && !path.startsWith("//") ? path.slice(root.length) : undefined;
    const isFolder = name === "" || name?.endsWith("/");
    if (`${path}/` === root || (name !== undefined && !isFolder && isFile(join(folder, name, "index.html")))) {
      redirect(response, `${path}/`);
      return;
    }
    const file = isFolder ? `${name}index.html` : name;
    // The packed files are not files of the site.
    const isThere = file !== undefined && !file.split("/").includes("..") && !/\.(br|gz)$/.test(file);
    const content = isThere ? read(file) : undefined;
    if (content === undefined) send(404, "404.html", read("404.html") ?? Buffer.from("not found"));
    else send(200, /** @type {string} */ (file), content);

    /** @param {number} status @param {string} file @param {Buffer} content */
    function send(status, file, content) {
      const packed = replaced.has(file) ? undefined : packedFor(String(request.headers["accept-encoding"] ?? ""), file);
      const body = packed?.body ?? content;
      const hasPacked = isFile(join(folder, `${file}.gz`));
      const tag = status === 200 && !replaced.has(file) ? tagOf(join(folder, file), packed?.encoding ?? "") : undefined;
      const headers = {
        "Content-Type": types[extname(file)] ?? "application/octet-stream",
        "Cache-Control": kept && status === 200 && hashed.test(file) ? "public, max-age=31536000, immutable" : "no-cache",
        ...(tag === undefined ? {} : { ETag: tag }),
        ...(hasPacked ? { Vary: "Accept-Encoding" } : {}),
      };
      if (tag !== undefined && request.headers["if-none-match"] === tag) {
        response.writeHead(304, headers).end();
        return;
      }
      const encoding = packed === undefined ? {} : { "Content-Encoding": packed.encoding };
      response.writeHead(status, { ...headers, ...encoding, "Content-Length": body.length });
      response.end(request.method === "HEAD" ? undefined : body);
    }
  };

  /** @param {string} accepted @param {string} file */
  function packedFor(accepted, file) {
    for (const [encoding, end] of encodings) {
      const path = join(folder, `${file}${end}`);
      if (accepts(accepted, encoding) && isFile(path)) return { encoding, body: readFileSync(path) };
    }
    return undefined;
  }
}

/** Serves until it is closed. Rejects when the port cannot be had. @returns {Promise<import("node:http").Server>} */
export function serveSite({ port, host = "127.0.0.1", ...site }) {
  const server = createServer(siteHandler(site));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** Undefined for an address that is none. @param {string} url */
function pathOf(url) {
  try {
    return decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return undefined;
  }
}

/** @param {import("node:http").ServerResponse} response @param {string} path */
function redirect(response, path) {
  response.writeHead(301, { Location: encodeURI(path) }).end();
}

/** @param {string} header @param {string} encoding */
function accepts(header, encoding) {
  const offer = header.split(",").map((part) => part.trim().split(/\s*;\s*/));
  return offer.some(([name, quality]) => name === encoding && !/^q=0(\.0*)?$/.test(quality ?? ""));
}

/** @param {string} path @param {string} encoding */
function tagOf(path, encoding) {
  const { size, mtimeMs } = statSync(path);
  return `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}${encoding === "" ? "" : `-${encoding}`}"`;
}

/** @param {string} path */
function isFile(path) {
  // Below a file nothing exists: Node 20's statSync throws for such a path whatever it is told.
  return existsSync(path) && statSync(path).isFile();
}

const isMain = process.argv[1] === import.meta.filename;
if (isMain) {
  const [port = "4321"] = process.argv.slice(2);
  await serveSite({
    folder: process.env["PILOTHOUSE_OUT"] ?? "dist",
    base: process.env["PILOTHOUSE_BASE"] ?? "/",
    port: Number(port),
  });
}
