// agnhost tcp-reset: reads one byte of each connection and closes it. What is still unread then makes the kernel answer with a reset.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { logLine } from "../samples/go-server.ts";
import { command } from "./command.ts";

export const tcpReset = command({
  flags: { port: 8080 },
  *run(self, { flags }) {
    let listening: number;
    try {
      listening = self.listen({ port: flags.port });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      const reason = error.code === "EACCES" ? "permission denied" : "address already in use";
      logLine(self, `Error from net.Listen(): listen tcp :${flags.port}: bind: ${reason}`);
      return 1;
    }
    logLine(self, `Serving on port ${flags.port}.`);
    self.setSignal("TERM", "catch");
    try {
      yield* reset(self, listening);
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
    }
    logLine(self, "Shutting down after receiving signal: terminated.");
    logLine(self, "Awaiting pod deletion.");
    return 0;
  },
});

/** Until a signal comes. */
function* reset(self: Process, listening: number): Sys<void> {
  for (;;) {
    const { fd, peer } = yield* self.accept(listening);
    try {
      yield* self.read(fd, 1);
    } catch (error) {
      // A client that has broken off is none to answer.
      if (!(error instanceof SysError) || error.code !== "ECONNRESET") throw error;
    } finally {
      self.close(fd);
    }
    logLine(self, `TCP request from ${peer.address}:${peer.port}`);
  }
}
