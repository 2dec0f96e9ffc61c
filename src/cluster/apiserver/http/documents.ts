// Documents that many clients ask for again and again: made once for what is served, sent with an ETag.

import { fnv32a } from "#cluster/api/equality.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { ServedResource } from "#cluster/api/openapi/served.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import { type Bytes, encodeUtf8, noBytes } from "#sim/bytes.ts";
import type { HttpHeaders } from "#sim/http.ts";
import type { HttpCall } from "./call.ts";
import { escapedJson } from "./writing.ts";

export interface ServedDocument {
  readonly bytes: Bytes;
  /** Without its quotes. */
  readonly etag: string;
}

/** What is served while a set of kinds is, and the documents that were asked for. */
export class ServedDocuments {
  readonly resources: readonly ServedResource[];
  /** When this set of kinds was first asked for. */
  readonly sinceMs: number;
  readonly #definitions: readonly ResourceDefinition[];
  readonly #documents = new Map<string, ServedDocument>();

  constructor(definitions: readonly ResourceDefinition[], resources: readonly ServedResource[], sinceMs: number) {
    this.#definitions = definitions;
    this.resources = resources;
    this.sinceMs = sinceMs;
  }

  isOf(definitions: readonly ResourceDefinition[]): boolean {
    const known = this.#definitions;
    return known.length === definitions.length && known.every((definition, index) => definition === definitions[index]);
  }

  /** `make` is asked once a key. */
  document(key: string, make: () => JsonValue, etag?: string): ServedDocument {
    let document = this.#documents.get(key);
    if (document === undefined) {
      document = documentOf(make(), etag);
      this.#documents.set(key, document);
    }
    return document;
  }
}

/** `etag`: default is made of the text. */
export function documentOf(value: JsonValue, etag?: string): ServedDocument {
  const text = escapedJson(value, false);
  return { bytes: encodeUtf8(`${text}\n`), etag: etag ?? textHash(text) };
}

const hashParts = 14;

/** Tells texts apart, in as many hexadecimal digits as upstream's SHA-512 has: 128. */
export function textHash(text: string): string {
  const words = [text, `${text}/`].map(hashWord);
  for (let part = 0; part < hashParts; part += 1) words.push(hashWord(`${words.at(-2)}${words.at(-1)}${part}`));
  return words.join("");
}

function hashWord(text: string): string {
  return asciiUpperCase(fnv32a(text).toString(16).padStart(8, "0"));
}

/** 304 for whoever has it already. */
export function replyDocument(call: HttpCall, { bytes, etag }: ServedDocument, headers: HttpHeaders): void {
  const quoted = `"${etag}"`;
  const all = { ...call.headers, ...headers, etag: quoted };
  const { "if-none-match": known = "" } = call.request.headers;
  if (known.split(",").some((each) => each.trim() === quoted)) {
    const { "content-type": _type, ...rest } = all as HttpHeaders & { readonly "content-type"?: string };
    call.responder.reply(304, rest, noBytes);
  } else call.responder.reply(200, all, bytes);
}
