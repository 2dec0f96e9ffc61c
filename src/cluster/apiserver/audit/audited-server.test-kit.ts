// For tests: a server that writes its audit events to a list.

import type { JsonValue } from "#cluster/api/objects.ts";
import type { HttpHeaders, HttpPeer } from "#sim/http.ts";
import { flagValues } from "../../component-flags.ts";
import { knownFlagsOf } from "../../flag-name-code.ts";
import { adminPeer, exchangeAs, type TestReply } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";
import { logSettings } from "./log-settings.ts";
import { LogWriter } from "./log-writer.ts";
import { readPolicy } from "./policy-file.ts";
import { PolicySink } from "./sink.ts";

/** `rules`: YAML of a policy's rules and what stands beside them. */
export function auditedServer(rules: string, ...flags: readonly string[]) {
  const started = startServer();
  const { server } = started;
  return {
    ...started,
    ...audit(started, rules, ...flags),
    send: (
      method: string,
      target: string,
      body?: JsonValue | string,
      headers: HttpHeaders = {},
      peer: HttpPeer = adminPeer,
    ): TestReply => exchangeAs(peer, server, { method, target, body, headers }),
  };
}

/** From now on the server writes events. */
export function audit({ server, simulation }: Audited, rules: string, ...flags: readonly string[]) {
  const lines: string[] = [];
  const faults: string[] = [];
  const policy = readPolicy(`apiVersion: audit.k8s.io/v1\nkind: Policy\n${rules}\n`, (fault) => faults.push(fault));
  const settings = logSettings(
    flagValues(["kube-apiserver", "--audit-log-path=/log", ...flags], () => [knownFlagsOf("kube-apiserver")]),
  );
  const writer = new LogWriter(
    simulation,
    settings,
    (line) => lines.push(line),
    (fault) => faults.push(fault),
  );
  const { store, authorizer } = server;
  server.audit.sink = new PolicySink({ simulation, store, authorizer, policy, address: "172.18.0.2", writer });
  return {
    lines,
    faults,
    /** The events since the last call. */
    events: (): readonly AuditedEvent[] => lines.splice(0).map((line) => JSON.parse(line)),
  };
}

type Audited = Pick<ReturnType<typeof startServer>, "server" | "simulation">;

export interface AuditedEvent {
  readonly [field: string]: JsonValue;
}
