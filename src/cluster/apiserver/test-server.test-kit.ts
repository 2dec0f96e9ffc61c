// For tests: a started server without the service account controller's pods in the way.

import type { Client } from "#cluster/client/client.ts";
import { Simulation } from "#sim/simulation.ts";
import { ApiServer, type ApiServerOptions } from "./server.ts";

/** 2026-01-01T00:00:00Z */
export const testStartMs = 1_767_225_600_000;

export function startServer(options: Partial<ApiServerOptions> = {}): {
  readonly simulation: Simulation;
  readonly server: ApiServer;
  readonly client: Client;
} {
  const simulation = new Simulation({ startMs: testStartMs, seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"], ...options });
  server.start();
  return { simulation, server, client: server.clientFor({ name: "admin", groups: ["system:masters"] }, "test") };
}

/** The message of the refusal that `run` ends with. */
export function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "not refused";
}
