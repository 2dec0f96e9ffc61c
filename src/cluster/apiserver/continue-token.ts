// Continue tokens as the API server makes them: URL-safe base64 of {"v":"meta.k8s.io/v1","rv":…,"start":…}.

import { badRequest } from "#cluster/api/errors.ts";

export interface ContinueToken {
  /** −1: go on with whatever is there now. */
  readonly revision: number;
  readonly startKey: string;
}

export function encodeContinue(revision: number, startKey: string): string {
  const json = JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start: `${startKey}\u0000` });
  return btoa(json).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Throws 400 for a token that this server did not make. */
export function decodeContinue(token: string): ContinueToken {
  let parsed: { v?: unknown; rv?: unknown; start?: unknown };
  try {
    parsed = JSON.parse(atob(token.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    throw badRequest("continue key is not valid: illegal base64 data at input byte 0");
  }
  if (parsed?.v !== "meta.k8s.io/v1") {
    throw badRequest(
      `continue key is not valid: server does not recognize this encoded version ${JSON.stringify(String(parsed?.v ?? ""))}`,
    );
  }
  if (typeof parsed.rv !== "number" || typeof parsed.start !== "string") {
    throw badRequest("continue key is not valid: encoded start key empty (version meta.k8s.io/v1)");
  }
  return { revision: parsed.rv, startKey: parsed.start.replace(/\u0000$/, "") };
}
