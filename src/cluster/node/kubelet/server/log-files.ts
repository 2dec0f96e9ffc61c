// /logs/: the files below /var/log, as Go's http.FileServer shows them: a page of links for a directory, else what is in the file.
// `?query=` asks for nothing without enableSystemLogQuery, which is off.

import { httpDate } from "#cluster/images/http-dates.ts";
import { type Bytes, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { HttpRequest, HttpResponder } from "#sim/http.ts";
import { replyText } from "./replies.ts";

const folder = "/var/log";
const entities: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };

/** `path` begins with `/logs/`. */
export function serveLogs(files: HostFiles, path: string, { target }: HttpRequest, responder: HttpResponder): void {
  const wanted = decoded(path.slice("/logs/".length));
  const clean = cleaned(wanted);
  try {
    const place = `${folder}${clean === "/" ? "" : clean}`;
    const { type, modifiedMs } = files.stat(place);
    const isDirectory = type === "directory";
    const hasSlash = wanted === "" || wanted.endsWith("/");
    const base = clean.slice(clean.lastIndexOf("/") + 1);
    const query = target.includes("?") ? target.slice(target.indexOf("?")) : "";
    if (isDirectory !== hasSlash) {
      responder.reply(301, { location: `${isDirectory ? `${base}/` : `../${base}`}${query}` }, noBytes);
      return;
    }
    const headers = { "last-modified": httpDate(modifiedMs) };
    if (isDirectory) {
      responder.reply(200, { ...headers, "content-type": "text/html; charset=utf-8" }, encodeUtf8(listing(files, place)));
      return;
    }
    const content = files.readFile(place);
    responder.reply(200, { ...headers, "content-type": typeOf(content) }, content);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    replyText(responder, 404, "404 page not found\n");
  }
}

function listing(files: HostFiles, place: string): string {
  const lines = [...files.readdir(place)].sort().map((entry) => {
    const name = files.lstat(`${place}/${entry}`).type === "directory" ? `${entry}/` : entry;
    return `<a href="${link(name)}">${name.replace(/[&<>"']/g, (character) => entities[character] ?? character)}</a>\n`;
  });
  return `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${lines.join("")}</pre>\n`;
}

/** A relative link may not begin with what reads as a scheme. */
function link(name: string): string {
  const path = encodeURI(name).replaceAll("?", "%3F").replaceAll("#", "%23");
  return path.includes(":") ? `./${path}` : path;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Nothing above the folder is reached. */
function cleaned(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** By its first 512 bytes, as http.DetectContentType finds text. */
function typeOf(content: Bytes): string {
  if (content[0] === 0x1f && content[1] === 0x8b) return "application/x-gzip";
  const isBinary = content
    .subarray(0, 512)
    .some((byte) => byte < 0x09 || byte === 0x0b || (byte > 0x0d && byte < 0x20 && byte !== 0x1b));
  return isBinary ? "application/octet-stream" : "text/plain; charset=utf-8";
}
