// A statement that the server refuses.

import type { SqlFault } from "./packets.ts";

export class SqlError extends Error {
  readonly fault: SqlFault;

  constructor(code: number, state: string, message: string) {
    super(message);
    this.fault = { code, state, message };
  }
}

/** For SQL that the real server knows and this one does not. */
export function notSupported(what: string): SqlError {
  return new SqlError(1235, "42000", `This version of MySQL doesn't yet support '${what}'`);
}
