// What chance and time decide in an answer. Values that are the same in one answer stay the same; nothing else is taken out.

import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import type { Answer } from "./side.ts";

const chance = "[bcdfghjklmnpqrstvwxz2456789]";

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<UID>"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| [+-]\d{4} \w+(?: m=[+-][\d.]+)?)/g, "<TIME>"],
  [/(?<=[a-z0-9]\.)[0-9a-f]{16}\b/g, "<EVENT>"],
  [new RegExp(`(?<=[a-z0-9]-)${chance}{5}\\b`, "g"), "<CHANCE>"],
  [/\b10\.(?:9[6-9]|10\d|11[01])\.\d+\.\d+/g, "<CLUSTER IP>"],
  [new RegExp(`(?<=[a-z0-9]-|^)${chance}{8,10}\\b(?=-|$|["\\s])`, "g"), "<HASH>"],
  [/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n/gs, "<CERTIFICATE>"],
  [/\b10\.244\.\d+\.\d+/g, "<POD IP>"],
  [/(?<=\\?"resourceVersion\\?": ?\\?"|resourceVersion: "|in record \()\d+/g, "<VERSION>"],
  [/LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t[A-Za-z0-9+/=]+/g, "<CERTIFICATE>"],
  [/(?<=^|: )default-scheduler-\S+$/g, "<SCHEDULER>"],
];

/** By name of the field. */
const chanced: { readonly [name: string]: string } = {
  resourceVersion: "<VERSION>",
  /** Of its group, which has the name of the scenario's namespace. */
  storageVersionHash: "<HASH>",
  nodePort: "<PORT>",
  healthCheckNodePort: "<PORT>",
};

export function normalise(value: JsonValue): JsonValue {
  if (typeof value === "string" && signedToken.test(value)) return claimsOf(value);
  if (typeof value === "string")
    return patterns.reduce((text, [pattern, name]) => text.replace(pattern, name), sortedWithin(value));
  if (Array.isArray(value)) return value.map(normalise);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(isAsked(value) ? asked(value) : value).map(([name, field]) => {
      const mark = chanced[name];
      const plain = normalise(field as JsonValue);
      return [
        String(normalise(name)),
        mark !== undefined && (typeof field === "string" || typeof field === "number") ? mark : plain,
      ];
    }),
  );
}

/** Of a request for a certificate: the administrator shows a token there and a certificate here, which leave other marks. */
function isAsked(value: JsonObject): boolean {
  return typeof value["signerName"] === "string" && typeof value["username"] === "string";
}

function asked({ uid: _uid, extra: _extra, ...rest }: JsonObject): JsonObject {
  return rest;
}

const signedToken = /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/;

/** What a token says; its times as seconds from when it was issued. */
function claimsOf(token: string): JsonObject {
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as JsonObject;
  const issued = Number(claims["iat"]);
  const times = ["iat", "nbf", "exp"].map((name) => [name, Number(claims[name]) - issued] as const);
  return { ...(normalise(claims) as JsonObject), ...Object.fromEntries(times) };
}

/** What the simulator says of what it accepts without acting on it: upstream has nothing to say there. */
const ownWarning = /: accepted, but nothing in this simulated cluster acts on it"$/;

export function normaliseAnswer({ status, warnings, body }: Answer): JsonObject {
  const told = warnings.filter((warning) => !ownWarning.test(warning));
  return { status, warnings: told.map(normalise), body: normalise(body) };
}

/** A text with the objects in JSON that stand in it written in the order of their names: Go writes those of its structs in theirs. */
function sortedWithin(text: string): string {
  return text.replace(/(?<=Invalid value: |Duplicate value: )[{[].*?[}\]](?=: )/g, (found) => {
    try {
      return JSON.stringify(sorted(JSON.parse(found) as JsonValue));
    } catch {
      return found;
    }
  });
}

export function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field as JsonValue)]));
}
