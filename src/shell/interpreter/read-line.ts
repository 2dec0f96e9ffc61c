// Reads a line for read, select and mapfile, without taking more of the input than the line.

import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Shell } from "./shell.ts";

export interface ReadOptions {
  /** Ends the line; "" means a NUL byte. Default newline. */
  readonly delimiter?: string;
  readonly maxCharacters?: number;
  readonly timeoutMs?: number;
}

export interface ReadText {
  readonly text: string;
  /** The delimiter was met (not the end of the input). */
  readonly complete: boolean;
  readonly timedOut: boolean;
}

/** Byte by byte, as a shell must on a shared input. Undefined at the end of the input. Throws SysError EINTR. */
export function* readLine(shell: Shell, fd: number, options: ReadOptions): Sys<ReadText | undefined> {
  const end = options.delimiter === undefined ? 10 : (options.delimiter.codePointAt(0) ?? 0);
  const deadline = options.timeoutMs === undefined ? undefined : shell.self.nowMs + options.timeoutMs;
  const bytes: number[] = [];
  let characters = 0;
  const result = (complete: boolean, timedOut = false): ReadText => ({
    text: new TextDecoder().decode(new Uint8Array(bytes)),
    complete,
    timedOut,
  });
  for (;;) {
    if (options.maxCharacters !== undefined && characters >= options.maxCharacters) return result(true);
    if (deadline !== undefined) {
      const ready = yield* shell.self.poll([fd], Math.max(0, deadline - shell.self.nowMs));
      if (ready.length === 0) return result(false, true);
    }
    const chunk = yield* shell.self.read(fd, 1);
    const byte = chunk[0];
    if (byte === undefined) return bytes.length === 0 ? undefined : result(false);
    if (byte === end) return result(true);
    bytes.push(byte);
    if ((byte & 0xc0) !== 0x80) characters += 1;
    if (bytes.length > 1_000_000) throw new SysError("E2BIG");
  }
}
