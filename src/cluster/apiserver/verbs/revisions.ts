// Versions that clients ask for: read as numbers, and not from the future.

import { AnsweredLater } from "#cluster/api/answered-later.ts";
import { otherFailure } from "#cluster/api/errors.ts";
import type { Machinery } from "../machinery.ts";

/** `refuse` makes the error of what Go's ParseUint says. */
export function parseRevision(text: string, refuse: (fault: string) => Error): number {
  const fault = (detail: string): Error => refuse(`strconv.ParseUint: parsing ${JSON.stringify(text)}: ${detail}`);
  if (!/^\d+$/.test(text)) throw fault("invalid syntax");
  if (BigInt(text) >= 2n ** 64n) throw fault("value out of range");
  return Number(text);
}

/** How long a request waits for a version of the future (storage/cacher's blockTimeout), and how often it looks. */
const waitMs = 3_000;
const lookMs = 50;

/** 504 for a version that is still to come: over HTTP the request waits for it first. */
export function requireNotInFuture(machinery: Machinery, revision: number): void {
  if (revision <= machinery.store.revision) return;
  const message = `Timeout: Too large resource version: ${revision}, current: ${machinery.store.revision}`;
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  throw new AnsweredLater(otherFailure(504, "Timeout", message, { causes, retryAfterSeconds: 1 }).status, {
    begin: (resume) => machinery.simulation.after(lookMs, resume),
    forMs: waitMs,
    isRefusedMeanwhile: true,
  });
}
