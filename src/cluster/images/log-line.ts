// Log lines from inside a request handler, which must not wait.

import type { Process } from "#sim/program.ts";

/** Writes to a descriptor as far as it goes without waiting; what does not fit is lost, as with a full non-blocking pipe. */
export function writeWithoutWaiting(self: Process, fd: number, text: string): void {
  const writing = self.write(fd, text);
  // The first step is only the kernel's turn; a further one would wait for a reader.
  if (writing.next().done !== true) writing.next();
}
