// Continue tokens as the API server makes them: URL-safe base64 of {"v":"meta.k8s.io/v1","rv":…,"start":…} (apiserver's
// pkg/storage/continue.go).

import { badRequest } from "#cluster/api/errors.ts";
import { JsonSyntaxError, parseJson } from "#cluster/api/json-text.ts";
import { isObject, type JsonObject } from "#cluster/api/wire.ts";

export interface ContinueToken {
  /** −1: go on with whatever is there now. */
  readonly revision: number;
  /** The first key to list, below the prefix of the collection. */
  readonly startKey: string;
}

export function encodeContinue(revision: number, startKey: string): string {
  const json = JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start: startKey });
  return btoa(json).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Throws 400 for a token that this server did not make. */
export function decodeContinue(token: string): ContinueToken {
  const fields = parsed(token);
  const { v: version, rv: revision, start } = fields;
  if (version !== "meta.k8s.io/v1") {
    throw invalidToken(`: server does not recognize this encoded version ${typeof version === "string" ? version : ""}`);
  }
  if (typeof revision !== "number" || revision === 0)
    throw invalidToken(": incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  if (typeof start !== "string" || start === "") throw invalidToken(": encoded start key empty (version meta.k8s.io/v1)");
  const path = start.startsWith("/") ? start.slice(1) : start;
  // A key of another collection must not be reached.
  if (path.split("/").some((part) => part === "" || part === "." || part === "..")) throw invalidToken(`: ${start}`);
  return { revision, startKey: path };
}

function parsed(token: string): JsonObject {
  const fault = /[^A-Za-z0-9_-]/.exec(token)?.index ?? (token.length % 4 === 1 ? token.length - 1 : undefined);
  if (fault !== undefined) throw invalidToken(`: illegal base64 data at input byte ${fault}`);
  try {
    const { value } = parseJson(atob(token.replaceAll("-", "+").replaceAll("_", "/")));
    if (isObject(value)) return value;
    if (value === null) return {};
    throw invalidToken(": json: cannot unmarshal the token");
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw invalidToken(`: ${error.message}`);
    throw error;
  }
}

function invalidToken(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${detail}`);
}
