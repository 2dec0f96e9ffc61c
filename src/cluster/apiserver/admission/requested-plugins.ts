// Plugins that nobody has unless a flag asks for them, but for NodeRestriction, which kubeadm's does. They come with the programs by
// which a flag is changed.

import { alwaysAdmit, alwaysDeny } from "./always-deny.ts";
import { alwaysPullImages } from "./always-pull-images.ts";
import type { AdmissionPlugin } from "./chain.ts";
import { denyServiceExternalIps } from "./deny-service-external-ips.ts";
import { eventRateLimit } from "./event-rate-limit.ts";
import { extendedResourceToleration } from "./extended-resource-toleration.ts";
import { limitPodHardAntiAffinityTopology } from "./limit-pod-hard-anti-affinity-topology.ts";
import { namespaceAutoProvision } from "./namespace-auto-provision.ts";
import { namespaceExists } from "./namespace-exists.ts";
import { ownerReferencesPermissionEnforcement } from "./owner-references-permission-enforcement.ts";
import type { AdmissionOptions } from "./plugins.ts";
import { podNodeSelector } from "./pod-node-selector.ts";
import { podTolerationRestriction } from "./pod-toleration-restriction.ts";

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
