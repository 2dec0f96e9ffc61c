// What the HTTP servers of agnhost share: net/http's ways of answering.

import { asciiLowerCase } from "#sim/ascii.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process } from "#sim/program.ts";
import { answerText, parametersOf } from "../samples/go-server.ts";

export function pathOf({ target }: HttpRequest): string {
  const path = /^[^?]*/u.exec(target)?.[0] ?? "/";
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A parameter of the query, or of a form that was posted (Request.FormValue); "" when there is none. */
export function formValues(request: HttpRequest): (name: string) => string {
  const query = parametersOf(request.target);
  const type = asciiLowerCase(request.headers["content-type"] ?? "");
  const form = type.startsWith("application/x-www-form-urlencoded") ? parametersOf(`?${decodeUtf8(request.body)}`) : undefined;
  return (name) => form?.get(name) ?? query.get(name) ?? "";
}

/** http.Error */
export function answerError(self: Process, responder: HttpResponder, status: number, text: string): void {
  answerText(self, responder, status, `${text}\n`, { "x-content-type-options": "nosniff" });
}

/** http.NotFound */
export function answerNotFound(self: Process, responder: HttpResponder): void {
  answerError(self, responder, 404, "404 page not found");
}

const words: { readonly [status: number]: string } = {
  300: "Multiple Choices",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  304: "Not Modified",
  305: "Use Proxy",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
};

/** http.Redirect: with a link in the body for GET. */
export function redirect(self: Process, request: HttpRequest, responder: HttpResponder, to: string, status: number): void {
  const isAbsolute = /^[a-z][\w+.-]*:/iu.test(to) || to.startsWith("/");
  const path = request.target.replace(/\?.*$/u, "");
  const location = isAbsolute ? to : `${path.slice(0, path.lastIndexOf("/") + 1)}${to}`;
  const escaped = location
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&#34;")
    .replaceAll("'", "&#39;");
  const body = request.method === "GET" ? `<a href="${escaped}">${words[status] ?? ""}</a>.\n\n` : "";
  const type = request.method === "GET" || request.method === "HEAD" ? { "content-type": "text/html; charset=utf-8" } : {};
  answerText(self, responder, status, body, { location, ...type });
}

const markup = /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]/iu;

/** What net/http calls a text that has no type (http.DetectContentType). */
export function sniffedType(text: string): string {
  if (markup.test(text)) return "text/html; charset=utf-8";
  if (/^[\t\n\f\r ]*<\?xml/u.test(text)) return "text/xml; charset=utf-8";
  if (text.startsWith("%PDF-")) return "application/pdf";
  return /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/u.test(text.slice(0, 512))
    ? "application/octet-stream"
    : "text/plain; charset=utf-8";
}

/** The object that a body is in JSON; undefined for everything else. */
export function objectIn<T extends object>(text: string): T | undefined {
  try {
    const read = JSON.parse(text) as unknown;
    return typeof read === "object" && read !== null ? (read as T) : undefined;
  } catch {
    return undefined;
  }
}
