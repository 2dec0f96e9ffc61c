// A line of standard input, without taking more than the line.

import type { Process, Sys } from "#sim/program.ts";

const newline = 10;

/** Undefined at the end of the input. */
export function* inputLine(self: Process): Sys<string | undefined> {
  const bytes: number[] = [];
  for (;;) {
    const byte = (yield* self.read(0, 1))[0];
    if (byte === undefined && bytes.length === 0) return undefined;
    if (byte === undefined || byte === newline) return new TextDecoder().decode(Uint8Array.from(bytes));
    bytes.push(byte);
  }
}
