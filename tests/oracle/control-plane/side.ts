// A control plane as the scenarios see it: requests go in, answers and time come out. Of each scenario both sides are asked the same.

import type { JsonValue } from "#cluster/api/wire.ts";

export interface Call {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: JsonValue | string;
  /** Of the body; JSON unless stated. */
  readonly type?: string;
  /** Impersonated; the administrator unless stated. */
  readonly as?: string;
  /** Further ones, or others than the usual. */
  readonly headers?: { readonly [name: string]: string };
}

export interface Answer {
  readonly status: number;
  readonly warnings: readonly string[];
  /** A text where it is no JSON. */
  readonly body: JsonValue;
}

export interface Side {
  ask(call: Call): Promise<Answer>;
  /** Lets time pass: the wall's, or the world's. */
  wait(durationMs: number): Promise<void>;
  readonly nowMs: number;
}

/** Both sides see the same client: its name becomes the manager of fields. */
const userAgent = "oracle/v1";

export function headersOf({ body, type, as, headers }: Call): { readonly [name: string]: string } {
  return {
    accept: "application/json",
    "user-agent": userAgent,
    ...(body === undefined ? {} : { "content-type": type ?? "application/json" }),
    ...(as === undefined ? {} : { "impersonate-user": as }),
    ...headers,
  };
}

export function bodyOf({ body }: Call): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

export function answerOf(status: number, warning: string | undefined, text: string): Answer {
  let body: JsonValue;
  try {
    body = JSON.parse(text) as JsonValue;
  } catch {
    body = text;
  }
  return { status, warnings: warning === undefined ? [] : warning.split(/, (?=299 )/), body };
}
