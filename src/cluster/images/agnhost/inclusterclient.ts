// agnhost inclusterclient: asks the API server again and again how it is, and shows by a hash which token it used.

import { sha256 } from "@noble/hashes/sha2.js";
import { encodeBase64 } from "#sim/base64.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { logLine } from "../samples/go-server.ts";
import { command } from "./command.ts";
import { klogLine } from "./go-words.ts";
import { GoNetError } from "./http-client.ts";
import { inCluster } from "./in-cluster.ts";

export const inClusterClient = command({
  flags: { "poll-interval": 30 },
  *run(self, { flags }) {
    const log = (level: "I" | "E", line: number, text: string) => klogLine(self, level, `main.go:${line}`, text);
    log("I", 58, "started");
    const cluster = inCluster(self);
    if (typeof cluster === "string") {
      logLine(self, `err: ${cluster}`);
      return 1;
    }
    for (;;) {
      yield* self.sleep(flags["poll-interval"] * 1000);
      log("I", 76, "calling /healthz");
      const hash = encodeBase64(sha256(encodeUtf8(`salt|${cluster.authorization()}`)));
      log("I", 93, `authz_header=${hash.replace(/=+$/u, "").replaceAll("+", "-").replaceAll("/", "_")}`);
      try {
        const { status, body } = yield* cluster.get("/healthz");
        if (status === 200) continue;
        log("E", 79, "status=failed");
        log("E", 80, `error checking /healthz: the server answered ${status}\n${body}\n`);
      } catch (error) {
        if (!(error instanceof GoNetError)) throw error;
        log("E", 79, "status=failed");
        log("E", 80, `error checking /healthz: ${error.message}\n\n`);
      }
    }
  },
});
