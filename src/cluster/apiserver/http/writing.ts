// JSON text as the API server sends it, and replies.

import { DecodeError } from "#cluster/api/decode.ts";
import { ApiError, badRequest, internalError } from "#cluster/api/errors.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import { SelectorError } from "#cluster/api/labels.ts";
import type { JsonValue, Status } from "#cluster/api/objects.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { wordsOf } from "#sim/errors.ts";
import type { HttpHeaders, HttpResponder } from "#sim/http.ts";
import { lateRequests } from "../late-requests.ts";
import type { ApiResponder } from "./api-responder.ts";
import type { HttpCall } from "./call.ts";
import { type OutputFormat, wantsPretty } from "./negotiation.ts";

const escapes: { readonly [character: string]: string } = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** One line (or indented by two blanks), with the characters escaped that Go escapes. */
export function escapedJson(value: JsonValue, pretty: boolean): string {
  const text = jsonText(value, pretty ? 2 : undefined);
  return text.replace(/[<>&\u2028\u2029]/g, (character) => escapes[character] as string);
}

/** A reply in the format the client accepts. */
export function replyValue(
  responder: ApiResponder,
  code: number,
  value: JsonValue,
  format: Pick<OutputFormat, "mediaType" | "pretty">,
  headers: HttpHeaders,
): void {
  responder.answering?.(value);
  const isYaml = format.mediaType === "application/yaml";
  const text = isYaml ? lateRequests.code.writeYaml(value) : escapedJson(value, format.pretty);
  const end = isYaml || format.pretty ? "" : "\n";
  responder.reply(code, { ...headers, "content-type": format.mediaType }, encodeUtf8(text + end));
}

export function replyText(responder: HttpResponder, code: number, text: string, headers: HttpHeaders = {}): void {
  const plain = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  responder.reply(code, { ...plain, ...headers }, encodeUtf8(text));
}

/** The Status of anything thrown: what is no ApiError is a fault of ours, told as an internal error. */
export function statusOf(error: unknown): Status {
  if (error instanceof ApiError) return error.status;
  // What could not be read of a request is the client's fault wherever it is noticed.
  if (error instanceof DecodeError || error instanceof PatchError || error instanceof SelectorError)
    return badRequest(error.message).status;
  return internalError(wordsOf(error)).status;
}

/** Errors are JSON whatever the client accepts (every client of the API reads it), indented for people. */
export function replyStatus(call: Pick<HttpCall, "request" | "responder" | "headers">, error: unknown): void {
  const { request, responder, headers } = call;
  const status = statusOf(error);
  const retry = status.details?.retryAfterSeconds;
  const all = retry === undefined ? headers : { ...headers, "retry-after": String(retry) };
  const pretty = wantsPretty(request.headers, request.target);
  replyValue(responder, status.code ?? 500, status as JsonValue, { mediaType: "application/json", pretty }, all);
}

/** `Warning: 299 - "text"`, one a text; several are joined as one header. */
export function warningHeaders(warnings: readonly string[]): HttpHeaders {
  if (warnings.length === 0) return {};
  const unique = [...new Set(warnings)];
  return { warning: unique.map((text) => `299 - ${JSON.stringify(text.replace(/[\u0000-\u001f\u007f]/g, " "))}`).join(", ") };
}
