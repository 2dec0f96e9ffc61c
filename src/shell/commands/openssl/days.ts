// `-days` of openssl's commands, as OpenSSL 3.0 reads it: strtol looks whether it is a number, in any of its bases, and atoi counts.

import type { Arguments } from "./arguments.ts";
import { OpensslFailure } from "./failure.ts";

const dayMs = 86_400_000;
const largestInteger = 2_147_483_647;

/** Milliseconds that a certificate lasts. Throws OpensslFailure. */
export function lifetimeMs(command: "req" | "x509", args: Arguments, usualDays: number): number {
  const text = args.value("days");
  if (text === undefined) return usualDays * dayMs;
  const refuse = (problem: string): OpensslFailure =>
    new OpensslFailure(`${command}: ${problem}\n${command}: Use -help for summary.`);
  const [, sign = "", digits = ""] = /^\s*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)$/.exec(text) ?? [];
  if (digits === "") throw refuse(`Can't parse ${JSON.stringify(text)} as a number`);
  const value = Number(digits.replace(/^0(?=[0-7])/, "0o")) * (sign === "-" ? -1 : 1);
  if (Math.abs(value) > largestInteger) throw refuse(`Value ${JSON.stringify(text)} outside integer range`);
  if (command === "req" && value <= 0) throw refuse(`Non-positive number ${JSON.stringify(text)} for option -days`);
  const days = Number(/^\s*([+-]?\d+)/.exec(text)?.[1] ?? 0);
  if (days < -1) throw new OpensslFailure(`${command}: -days parameter arg must be >= -1`);
  return days * dayMs;
}
