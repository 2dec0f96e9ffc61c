// Plugins that nobody has unless a flag asks for them, but for NodeRestriction, which kubeadm's does. They come with the programs by
// which a flag is changed.

import { alwaysAdmit, alwaysDeny } from "./built-in/always-deny.ts";
import { alwaysPullImages } from "./built-in/always-pull-images.ts";
import { denyServiceExternalIps } from "./built-in/deny-service-external-ips.ts";
import { eventRateLimit } from "./built-in/event-rate-limit.ts";
import { extendedResourceToleration } from "./built-in/extended-resource-toleration.ts";
import { limitPodHardAntiAffinityTopology } from "./built-in/limit-pod-hard-anti-affinity-topology.ts";
import { namespaceAutoProvision } from "./built-in/namespace-auto-provision.ts";
import { namespaceExists } from "./built-in/namespace-exists.ts";
import { ownerReferencesPermissionEnforcement } from "./built-in/owner-references-permission-enforcement.ts";
import { podNodeSelector } from "./built-in/pod-node-selector.ts";
import { podTolerationRestriction } from "./built-in/pod-toleration-restriction.ts";
import type { AdmissionPlugin } from "./chain.ts";
import type { AdmissionOptions } from "./plugins.ts";

export function requestedPlugins({
  client,
  enabled,
  eventLimits,
  simulation,
  world,
}: AdmissionOptions): readonly AdmissionPlugin[] {
  const { store } = world;
  const plugins = [
    alwaysAdmit,
    namespaceAutoProvision(store, client),
    namespaceExists(store),
    limitPodHardAntiAffinityTopology,
    alwaysPullImages,
    podNodeSelector(store),
    podTolerationRestriction(store),
    // Nobody else has its configuration.
    ...(enabled.includes("EventRateLimit") ? [eventRateLimit(eventLimits, simulation)] : []),
    extendedResourceToleration,
    ownerReferencesPermissionEnforcement(world),
    denyServiceExternalIps,
    alwaysDeny,
  ];
  return plugins.filter(({ name }) => enabled.includes(name));
}
