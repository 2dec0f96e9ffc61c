// Bytes both ways between a connection and standard input and output, for nc, telnet and openssl's client.

import { type Bytes, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { isAddress } from "./http-client.ts";
import { ToolFailure } from "./tool.ts";

export interface TalkOptions {
  /** Nothing moved for so long: it is over. */
  readonly idleMs?: number | undefined;
  /** After standard input has ended. */
  readonly afterInputMs?: number | undefined;
  /** The end of standard input is the end of what is sent. */
  readonly endsWriting?: boolean;
  /** What is sent for what was typed; undefined: it was an order to stop. */
  readonly translate?: (bytes: Bytes) => Sys<Bytes | undefined>;
}

/** How it ended: by the other side, by standard input, or because nothing moved. */
export type TalkEnd = "peer" | "input" | "idle";

/** Until the connection ends, or what the options say. The descriptor stays open. */
export function* talk(self: Process, fd: number, options: TalkOptions): Sys<TalkEnd> {
  let inputEnded = false;
  for (;;) {
    const limitMs = inputEnded ? (options.afterInputMs ?? options.idleMs) : options.idleMs;
    const ready = yield* self.poll(inputEnded ? [fd] : [0, fd], limitMs);
    if (ready.length === 0) return inputEnded ? "input" : "idle";
    if (ready.includes(fd)) {
      const bytes = yield* received(self, fd);
      if (bytes.length === 0) return "peer";
      yield* self.write(1, bytes);
    }
    if (!ready.includes(0)) continue;
    const typed = yield* self.read(0);
    if (typed.length === 0) {
      inputEnded = true;
      if (options.endsWriting === true) self.endWriting(fd);
      continue;
    }
    const sent = options.translate === undefined ? typed : yield* options.translate(typed);
    if (sent === undefined) return "input";
    try {
      yield* self.write(fd, sent);
    } catch (error) {
      if (error instanceof SysError && (error.code === "ECONNRESET" || error.code === "ECONNREFUSED")) return "peer";
      throw error;
    }
  }
}

/** Nothing at the end, which a datagram that was refused is as well. */
function* received(self: Process, fd: number): Sys<Bytes> {
  try {
    return yield* self.read(fd);
  } catch (error) {
    if (error instanceof SysError && error.code === "ECONNREFUSED") return noBytes;
    throw error;
  }
}

/** The first address of a name; throws ToolFailure with what `unknown` says. */
export function* addressOf(self: Process, name: string, unknown: string): Sys<string> {
  if (isAddress(name)) return name;
  let addresses: readonly string[] = [];
  try {
    addresses = yield* self.resolve(name);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
  const [first] = addresses;
  if (first === undefined) throw new ToolFailure(unknown);
  return first;
}
