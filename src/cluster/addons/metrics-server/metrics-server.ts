// metrics-server v0.8.0 as its container's program runs it: reads the kubelets every resolution, answers on its port.

import { nodes as nodeType, pods as podType } from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";
import { Informer } from "#cluster/client/informer.ts";
import { klogLater } from "#cluster/images/log-line.ts";
import { StartFailure } from "#cluster/images/system-images.ts";
import { SysError } from "#sim/errors.ts";
import type { Certificate } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { AccountToken, accountDirectory } from "./account-token.ts";
import { metricsApi } from "./api.ts";
import type { HealthChecks } from "./health.ts";
import { MetricStorage } from "./metric-storage.ts";
import { scrapeAll } from "./scraper.ts";
import { flagsOf } from "./usual-flags.ts";

export interface MetricsServerOptions {
  readonly simulation: Simulation;
  /** As the service account of its Pod. */
  readonly client: Client;
  readonly self: Process;
}

const syncLookMs = 100;
const yearMs = 365 * 86_400_000;

/** Throws StartFailure. */
export function startMetricsServer({ simulation, client, self }: MetricsServerOptions): { stop(): void } {
  const flags = flagsOf(self.argv.slice(1));
  requireAccount(self);
  const storage = new MetricStorage(flags.resolutionMs);
  const nodes = new Informer(simulation, client, nodeType);
  const pods = new Informer(simulation, client, podType, { fieldSelector: "status.phase=Running" });
  const hasSynced = () => nodes.hasSynced && pods.hasSynced;
  const health: HealthChecks = {
    hasSynced,
    isReady: () => storage.isReady,
    onFailure: (check) => {
      const told = probeFailures[check];
      if (told === undefined) return;
      klogLater(self, "I", told.place, `"Failed probe" probe="${check}" err="${told.cause}"`);
    },
  };
  const handler = metricsApi({ storage, health, nowMs: () => self.nowMs, nodes: () => nodes.list(), pods: () => pods.list() });
  serve(self, flags.securePort, handler);
  nodes.start();
  pods.start();
  self.startThread(function* (): Sys<void> {
    tellStart(self, flags.certificateDirectory, flags.securePort);
    while (!hasSynced()) yield* self.sleep(syncLookMs);
    const startMs = self.nowMs;
    const scraping = { self, flags, token: new AccountToken(self) };
    for (let tick = 1; ; tick += 1) {
      scrapeAll(scraping, [...nodes.list()], (batch) => storage.store(batch));
      yield* self.sleep(startMs + tick * flags.resolutionMs - self.nowMs);
    }
  });
  return {
    stop: () => {
      nodes.stop();
      pods.stop();
    },
  };
}

const probeFailures: { readonly [check: string]: { readonly place: string; readonly cause: string } } = {
  "metric-storage-ready": { place: "server.go:192", cause: "no metrics to serve" },
  "metric-informer-sync": { place: "server.go:204", cause: "cache for node informer has not synced" },
};

function requireAccount(self: Process): void {
  try {
    self.readDraft(`${accountDirectory}/token`);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new StartFailure(
      `Error: unable to construct lister client config: open ${accountDirectory}/token: no such file or directory`,
    );
  }
}

function serve(self: Process, port: number, handler: ReturnType<typeof metricsApi>): void {
  try {
    self.serveHttp({ port, tls: { certificate: selfSigned(self.nowMs) }, handler });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new StartFailure(
      `Error: failed to create listener: failed to listen on 0.0.0.0:${port}: listen tcp 0.0.0.0:${port}: bind: address already in use`,
    );
  }
}

function selfSigned(nowMs: number): Certificate {
  const seconds = Math.floor(nowMs / 1000);
  return {
    commonName: `localhost@${seconds}`,
    organizations: [],
    alternativeNames: ["localhost", "127.0.0.1"],
    issuer: `localhost-ca@${seconds}`,
    notBeforeMs: nowMs - 3_600_000,
    notAfterMs: nowMs + yearMs,
  };
}

function tellStart(self: Process, directory: string, port: number): void {
  klogLater(self, "I", "serving.go:380", `Generated self-signed cert (${directory}/apiserver.crt, ${directory}/apiserver.key)`);
  klogLater(self, "I", "handler.go:288", "Adding GroupVersion metrics.k8s.io v1beta1 to ResourceManager");
  klogLater(self, "I", "secure_serving.go:211", `Serving securely on [::]:${port}`);
}
