// The code of add-ons that a cluster has only where it is asked for: clusters with such add-ons wait for it.

import type { startLocalPathProvisioner } from "#cluster/addons/local-path-provisioner/local-path-provisioner.ts";
import type { startMetricsServer } from "#cluster/addons/metrics-server/metrics-server.ts";
import { Late } from "#sim/late.ts";
import type { applyLocalPathProvisioner } from "./manifests/local-path-provisioner.ts";
import type { applyMetricsServer } from "./manifests/metrics-server.ts";

export interface AddonCode {
  readonly startMetricsServer: typeof startMetricsServer;
  readonly startLocalPathProvisioner: typeof startLocalPathProvisioner;
  readonly applyMetricsServer: typeof applyMetricsServer;
  readonly applyLocalPathProvisioner: typeof applyLocalPathProvisioner;
}

export const lateAddons = new Late<AddonCode>("add-ons");
