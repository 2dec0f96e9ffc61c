// Log lines from inside a request handler, which must not wait.

import { lateKlog } from "#cluster/api/late-klog.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";

/** Writes to a descriptor as far as it goes without waiting; what does not fit is lost, as with a full non-blocking pipe. */
export function writeWithoutWaiting(self: Process, fd: number, text: string): void {
  const writing = self.write(fd, text);
  // The first step is only the kernel's turn; a further one would wait for a reader.
  if (writing.next().done !== true) writing.next();
}

/** When and by whom a line was written. */
export type LogMoment = Pick<Process, "nowMs" | "pid">;

/** Writes lines that are put together when somebody reads the log. A process that has ended says nothing any more. */
export function logLater(self: Process, fd: number, words: (at: LogMoment) => string): void {
  const { nowMs, pid } = self;
  try {
    self.writeLater(fd, () => words({ nowMs, pid }));
  } catch (error) {
    if (!(error instanceof SysError) || error.code !== "EBADF") throw error;
  }
}

/** The same of one line of klog's. */
export function klogLater(self: Process, ...line: [severity: "I" | "W" | "E", place: string, message: string]): void {
  logLater(self, 2, (at) => lateKlog.code(at, ...line));
}
