// Auditing as a server's process begins it: the policy is read, the log is opened (apiserver, pkg/server/options/audit.go, ApplyTo).

import { klogLine } from "#cluster/api/klog.ts";
import { writeWithoutWaiting } from "#cluster/images/log-line.ts";
import type { Store } from "#cluster/storage/store.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { AuditLog } from "../audit.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import { LogFile } from "./log-file.ts";
import type { LogSettings } from "./log-settings.ts";
import { type LineSink, LogFault, LogWriter } from "./log-writer.ts";
import type { AuditPolicy } from "./policy.ts";
import { PolicyFault, readPolicy } from "./policy-file.ts";
import { PolicySink } from "./sink.ts";

interface AuditedServer {
  readonly simulation: Simulation;
  readonly store: Store;
  readonly authorizer: Authorizer;
  readonly audit: AuditLog;
  /** `172.18.0.2:6443` */
  readonly advertisedAddress: string;
}

/** Why the server cannot start; undefined when its audit log is open, or none is asked for. */
export function openAudit(self: Process, settings: LogSettings, server: AuditedServer): string | undefined {
  const { simulation, store, authorizer, advertisedAddress } = server;
  try {
    const policy = settings.policyFile === "" ? undefined : loadPolicy(self, settings.policyFile);
    const lines = settings.path === "" ? undefined : openLines(self, settings);
    if (policy === undefined || lines === undefined) return undefined;
    const tell = (text: string): void => {
      if (self.exit === undefined) writeWithoutWaiting(self, 2, klogLine(self, "E", "metrics.go:110", text));
    };
    const writer = new LogWriter(simulation, settings, lines, tell);
    const address = advertisedAddress.slice(0, advertisedAddress.lastIndexOf(":"));
    server.audit.sink = new PolicySink({ simulation, store, authorizer, policy, address, writer });
    return undefined;
  } catch (error) {
    if (error instanceof PolicyFault) return `loading audit policy file: ${error.message}`;
    if (error instanceof LogFault) return `ensureLogFile: ${error.message}`;
    throw error;
  }
}

/** Throws PolicyFault. */
function loadPolicy(self: Process, path: string): AuditPolicy {
  const warn = (fault: string): void => {
    const text = `Audit policy contains errors, falling back to lenient decoding: ${fault}`;
    writeWithoutWaiting(self, 2, klogLine(self, "W", "reader.go:81", text));
  };
  const text = readFile(self, path);
  try {
    return readPolicy(text, warn);
  } catch (error) {
    if (error instanceof PolicyFault) throw new PolicyFault(`${error.message}: from file ${path}`);
    throw error;
  }
}

function readFile(self: Process, path: string): string {
  try {
    return self.readText(path);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const call = error.code === "EISDIR" ? "read" : "open";
    throw new PolicyFault(`failed to read file path ${JSON.stringify(path)}: ${call} ${path}: ${asciiLowerCase(error.message)}`);
  }
}

/** Throws LogFault. */
function openLines(self: Process, settings: LogSettings): LineSink {
  if (settings.path === "-") return (line) => (self.exit === undefined ? writeWithoutWaiting(self, 1, line) : undefined);
  const file = new LogFile(self, settings);
  return (line) => file.write(line);
}
