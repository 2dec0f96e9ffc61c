// agnhost, the image of Kubernetes' own tests: one program of many commands (test/images/agnhost).

import type { Process, Program, Sys } from "#sim/program.ts";
import { untilSignalled } from "../samples/go-server.ts";
import { auditProxy } from "./audit-proxy.ts";
import type { Command } from "./command.ts";
import { connect } from "./connect.ts";
import { crdConversionWebhook } from "./crd-conversion-webhook.ts";
import { UsageError } from "./flags.ts";
import { grpcHealthChecking } from "./grpc-health-checking.ts";
import { guestbook } from "./guestbook.ts";
import { inClusterClient } from "./inclusterclient.ts";
import { issuerDiscovery } from "./issuer-discovery.ts";
import { liveness } from "./liveness.ts";
import { logsGenerator } from "./logs-generator.ts";
import { mounttest } from "./mounttest.ts";
import { netexec } from "./netexec.ts";
import { nettest } from "./nettest.ts";
import { pause } from "./pause.ts";
import { portForwardTester } from "./port-forward-tester.ts";
import { porter } from "./porter.ts";
import { dnsServerList, dnsSuffix, entrypointTester, etcHosts, noNewPrivileges } from "./printers.ts";
import { serveHostname } from "./serve-hostname.ts";
import { fakeGitServer, noSnatTest, noSnatTestProxy } from "./small-servers.ts";
import { tcpReset } from "./tcp-reset.ts";
import { testWebserver } from "./test-webserver.ts";
import { webhook } from "./webhook.ts";

const memoryBytes = 12_582_912;

const commands: { readonly [name: string]: Command } = {
  "audit-proxy": auditProxy,
  connect,
  "crd-conversion-webhook": crdConversionWebhook,
  "dns-server-list": dnsServerList,
  "dns-suffix": dnsSuffix,
  "entrypoint-tester": entrypointTester,
  "etc-hosts": etcHosts,
  "fake-gitserver": fakeGitServer,
  "grpc-health-checking": grpcHealthChecking,
  guestbook,
  inclusterclient: inClusterClient,
  liveness,
  "logs-generator": logsGenerator,
  mounttest,
  netexec,
  nettest,
  "no-snat-test": noSnatTest,
  "no-snat-test-proxy": noSnatTestProxy,
  nonewprivs: noNewPrivileges,
  pause,
  "port-forward-tester": portForwardTester,
  porter,
  "serve-hostname": serveHostname,
  "tcp-reset": tcpReset,
  "test-service-account-issuer-discovery": issuerDiscovery,
  "test-webserver": testWebserver,
  webhook,
};

/** What upstream's has and ours does not. */
const absent: readonly string[] = [
  "external-metrics",
  "fake-registry-server",
  "mtlsclient",
  "mtlsserver",
  "net",
  "podcertificatesigner",
  "resource-consumer-controller",
  "stress",
];

/** The program of one release of the image. */
export function agnhost(version: string): Program {
  return function* (self) {
    self.declareUse({ memoryBytes });
    const [name = "", ...line] = self.argv.slice(1);
    if (name === "--version") {
      yield* self.write(1, `app version ${version}\n`);
      return 0;
    }
    if (["", "help", "--help", "-h"].includes(name)) return yield* help(self, line[0]);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) {
      const message = absent.includes(name) ? `"${name}" is not supported here` : `unknown command "${name}" for "app"`;
      yield* self.write(2, `Error: ${message}\nRun 'app --help' for usage.\n`);
      return 1;
    }
    let read: ReturnType<Command["read"]>;
    try {
      read = command.read(name, line);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      yield* self.write(2, `${error.isAboutFlags ? command.usage(name) : ""}Error: ${error.message}\n`);
      return 1;
    }
    if (typeof read !== "string") {
      const run = read;
      return yield* untilSignalled(self, () => run(self));
    }
    yield* self.write(1, read);
    return 0;
  };
}

function* help(self: Process, name: string | undefined): Sys<number> {
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (name !== undefined && command !== undefined) yield* self.write(1, command.usage(name));
  else {
    const names = Object.keys(commands).map((each) => `  ${each}\n`);
    yield* self.write(1, `Usage:\n  app [command]\n\nAvailable Commands:\n${names.join("")}`);
  }
  return 0;
}
