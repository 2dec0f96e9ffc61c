// agnhost serve-hostname: its host's name, over HTTP, bare TCP or UDP.

import { SysError } from "#sim/errors.ts";
import { awaitSignals } from "../await-signals.ts";
import { answerText, listen, logLine } from "../samples/go-server.ts";
import { command } from "./command.ts";
import { serveDatagrams } from "./datagrams.ts";
import { joinHostPort, reasonOf } from "./http-client.ts";

export const serveHostname = command({
  flags: { tcp: false, udp: false, http: true, close: false, port: 9376 },
  *run(self, { flags }) {
    const { port } = flags;
    if (flags.http && (flags.tcp || flags.udp)) {
      logLine(self, "Can't server TCP/UDP mode and HTTP mode at the same time");
      return 1;
    }
    if (flags.tcp) {
      let listening: number;
      try {
        listening = self.listen({ port });
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        logLine(self, `Error from net.Listen(): listen tcp :${port}: bind: ${reasonOf(error)}`);
        return 1;
      }
      self.startThread(function* () {
        for (;;) {
          const { fd, peer } = yield* self.accept(listening);
          logLine(self, `TCP request from ${joinHostPort(peer.address, peer.port)}`);
          yield* self.write(fd, self.hostname);
          self.close(fd);
        }
      });
    }
    if (flags.udp) {
      const refusal = serveDatagrams(self, port, (_bytes, from) => {
        logLine(self, `UDP request from ${joinHostPort(from.address, from.port)}`);
        return self.hostname;
      });
      if (refusal !== undefined) {
        logLine(self, `Error from ListenUDP(): ${refusal}`);
        return 1;
      }
    }
    if (flags.http) {
      const closing = flags.close ? { connection: "close" } : {};
      const ready = listen(self, port, (_request, peer, responder) => {
        logLine(self, `HTTP request from ${joinHostPort(peer.address.address, peer.address.port)}`);
        answerText(self, responder, 200, self.hostname, closing);
      });
      if (!ready) return 1;
    }
    logLine(self, `Serving on port ${port}.`);
    yield* awaitSignals(self, ["TERM"]);
    logLine(self, "Shutting down after receiving signal: terminated.");
    logLine(self, "Awaiting pod deletion.");
    self.setSignal("TERM", "ignore");
    yield* self.sleep(60_000);
    return 0;
  },
});
