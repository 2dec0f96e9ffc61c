// The code of add-ons that a cluster has only where it is asked for: it may come later than the rest, and clusters with such
// add-ons wait for it. It is no part of any world: it is provided once for all of them.

import type { startLocalPathProvisioner } from "#cluster/addons/local-path-provisioner/local-path-provisioner.ts";
import type { startMetricsServer } from "#cluster/addons/metrics-server/metrics-server.ts";
import type { applyLocalPathProvisioner } from "./manifests/local-path-provisioner.ts";
import type { applyMetricsServer } from "./manifests/metrics-server.ts";

export interface AddonCode {
  readonly startMetricsServer: typeof startMetricsServer;
  readonly startLocalPathProvisioner: typeof startLocalPathProvisioner;
  readonly applyMetricsServer: typeof applyMetricsServer;
  readonly applyLocalPathProvisioner: typeof applyLocalPathProvisioner;
}

let provided: AddonCode | undefined;

export function provideAddons(code: AddonCode): void {
  provided = code;
}

/** To make a cluster with add-ons before their code was provided is a fault of the host: it throws Error. */
export function addonCode(): AddonCode {
  if (provided === undefined) throw new Error("a cluster with add-ons was made before their code was provided");
  return provided;
}
