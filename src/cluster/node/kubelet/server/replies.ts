// How port 10250 answers.

import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpResponder } from "#sim/http.ts";

const plain = "text/plain; charset=utf-8";
export const prometheusText = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

export function replyText(responder: HttpResponder, status: number, text: string): void {
  responder.reply(status, { "content-type": plain }, encodeUtf8(text));
}

/** Go escapes what HTML would read. */
export function replyJson(responder: HttpResponder, json: string): void {
  const text = json.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
  responder.reply(200, { "content-type": "application/json" }, encodeUtf8(text));
}
