// --append-hash: a suffix made of the content of a ConfigMap or Secret; kustomize's generators make theirs in the same way.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { encodeUtf8 } from "#sim/bytes.ts";
import { type JsonObject, objectAt, textAt, writeJson } from "../../documents.ts";

/** Vowels and signs that look like them become consonants. */
const consonants: { readonly [digit: string]: string } = { "0": "g", "1": "h", "3": "k", a: "m", e: "t" };

/** Ten letters and digits from kind, name, type and data. */
export function contentHash(object: JsonObject): string {
  const { binaryData, immutable } = object;
  const isSecret = textAt(object, "kind") === "Secret";
  const noData = isSecret ? {} : null;
  const counted: JsonObject = {
    kind: textAt(object, "kind"),
    name: textAt(object, "metadata", "name"),
    data: object["data"] === undefined ? noData : objectAt(object, "data"),
    ...(isSecret ? { type: textAt(object, "type") } : {}),
    ...(immutable === undefined ? {} : { immutable }),
    ...(binaryData === undefined || isSecret ? {} : { binaryData }),
  };
  return contentSuffix(counted);
}

/** The same of what is counted. */
export function contentSuffix(counted: JsonObject): string {
  return bytesToHex(sha256(encodeUtf8(writeJson(counted))))
    .slice(0, 10)
    .replace(/[013ae]/g, (digit) => consonants[digit] as string);
}
