// The sample API server of Kubernetes (k8s.io/sample-apiserver): Flunders and Fischers in a group of their own.

import { SysError } from "#sim/errors.ts";
import type { Program } from "#sim/program.ts";
import { readFlags, UsageError } from "../agnhost/flags.ts";
import { klogHead, klogLine } from "../agnhost/go-words.ts";
import { GoNetError } from "../agnhost/http-client.ts";
import { readKeyPair } from "../agnhost/key-pair.ts";
import { listen, untilSignalled } from "../samples/go-server.ts";
import { WardleApi } from "./api.ts";
import { EtcdClient } from "./etcd-client.ts";

const flags = {
  "etcd-servers": "",
  "tls-cert-file": "",
  "tls-private-key-file": "",
  "secure-port": 443,
  "audit-log-path": "",
  "audit-log-maxage": 0,
  "audit-log-maxbackup": 0,
};
const retryMs = 1000;

export const sampleApiServer: Program = function* (self) {
  self.declareUse({ memoryBytes: 31_457_280 });
  const fail = function* (text: string) {
    yield* self.write(2, `Error: ${text}\n`);
    return 1;
  };
  let given: ReturnType<typeof readFlags<typeof flags>>["flags"];
  try {
    given = readFlags(flags, {}, self.argv.slice(1)).flags;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return yield* fail(error.message);
  }
  const [server = ""] = given["etcd-servers"].split(",");
  if (server === "") return yield* fail("--etcd-servers must be specified");
  const pair = readKeyPair(self, given["tls-cert-file"], given["tls-private-key-file"]);
  if (typeof pair === "string") return yield* fail(`failed to load server certificate: ${pair}`);
  const api = new WardleApi(self, new EtcdClient(self, server));
  if (!listen(self, given["secure-port"], api.handler, { tls: pair })) return 1;
  // There is no log of requests here: who asks for one is told.
  if (given["audit-log-path"] !== "") klogLine(self, "W", "main.go:34", "--audit-log-path has no effect here");
  yield* self.write(2, `${klogHead(self, "I", "secure_serving.go:211")}Serving securely on [::]:${given["secure-port"]}\n`);
  const etcd = new EtcdClient(self, server);
  self.startThread(function* () {
    for (;;) {
      try {
        api.isReady = yield* etcd.isHealthy();
      } catch (error) {
        if (error instanceof SysError) throw error;
        if (!(error instanceof GoNetError)) throw error;
        api.isReady = false;
      }
      yield* self.sleep(retryMs);
    }
  });
  return yield* untilSignalled(self, () => self.pause());
};
