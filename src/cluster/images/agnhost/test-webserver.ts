// agnhost test-webserver: Go's file server over the whole file system.

import { type Bytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process } from "#sim/program.ts";
import { httpDate } from "../http-dates.ts";
import { serve } from "../samples/go-server.ts";
import { pathOf, sniffedType } from "./answers.ts";
import { command } from "./command.ts";

const shared = {
  "cache-control": "private",
  "access-control-allow-origin": "*",
  "access-control-allow-credentials": "true",
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "DNT,X-Mx-ReqToken,Keep-Alive,User-Agent,X-Requested-With,Cache-Control,Content-Type",
};

export const testWebserver = command({
  flags: { port: 80 },
  run: (self, { flags }) => serve(self, flags.port, (request, _peer, responder) => answer(self, request, responder)),
});

function answer(self: Process, request: HttpRequest, responder: HttpResponder): void {
  const { status, body, headers } = answerTo(self, cleaned(pathOf(request)), request.target);
  const head = { date: httpDate(self.nowMs), "content-length": String(body.length), ...shared, ...headers };
  responder.reply(status, head, request.method === "HEAD" ? noBytes : body);
}

interface Reply {
  readonly status: number;
  readonly body: Bytes;
  readonly headers: { readonly [name: string]: string };
}

function failed(status: number, text: string): Reply {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return { status, body: encodeUtf8(`${text}\n`), headers };
}

function answerTo(self: Process, path: string, target: string): Reply {
  const moved = (to: string): Reply => {
    const query = target.includes("?") ? target.slice(target.indexOf("?")) : "";
    return { status: 301, body: noBytes, headers: { location: `${to}${query}` } };
  };
  if (path.endsWith("/index.html")) return moved("./");
  try {
    const { type, modifiedMs } = self.stat(path);
    const last = path.slice(path.replace(/\/$/u, "").lastIndexOf("/") + 1);
    if (type === "directory" && !path.endsWith("/")) return moved(`${last}/`);
    if (type !== "directory" && path.endsWith("/")) return moved(`../${last.replace(/\/$/u, "")}`);
    if (type === "directory" && !self.exists(`${path}index.html`)) {
      const headers = { "content-type": "text/html; charset=utf-8", "last-modified": httpDate(modifiedMs) };
      return { status: 200, body: encodeUtf8(listing(self, path)), headers };
    }
    const file = type === "directory" ? `${path}index.html` : path;
    const body = self.readFile(file);
    const modified = httpDate(self.stat(file).modifiedMs);
    return {
      status: 200,
      body,
      headers: { "accept-ranges": "bytes", "content-type": typeOf(file, body), "last-modified": modified },
    };
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    if (error.code === "EACCES") return failed(403, "403 Forbidden");
    const isMissing = error.code === "ENOENT" || error.code === "ENOTDIR";
    return isMissing ? failed(404, "404 page not found") : failed(500, "500 Internal Server Error");
  }
}

/** path.Clean below the root, with its last slash. */
function cleaned(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}${path.endsWith("/") && parts.length > 0 ? "/" : ""}`;
}

function listing(self: Process, path: string): string {
  const lines = self.readdir(path).map((name) => {
    const shown = `${name}${self.lstat(`${path}${name}`).type === "directory" ? "/" : ""}`;
    const text = shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&#34;");
    return `<a href="${encodeURI(shown)}">${text}</a>\n`;
  });
  return `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${lines.join("")}</pre>\n`;
}

/** mime.TypeByExtension without a table of the system's. */
const types: { readonly [extension: string]: string } = {
  css: "text/css; charset=utf-8",
  gif: "image/gif",
  htm: "text/html; charset=utf-8",
  html: "text/html; charset=utf-8",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  xml: "text/xml; charset=utf-8",
};

/** By the name, otherwise by what it begins with (http.DetectContentType). */
function typeOf(file: string, content: Bytes): string {
  const known = types[/\.([a-z]+)$/u.exec(file)?.[1] ?? ""];
  if (known !== undefined) return known;
  return sniffedType(decodeUtf8(content.subarray(0, 512)));
}
