// The order of group versions with the aggregator: priorities of built-in ones (pkg/controlplane, DefaultGenericAPIServicePriorities
// and the server's own), and those of custom resources.

export interface Priority {
  readonly group: number;
  readonly version: number;
}

const groups: { readonly [group: string]: number } = {
  "": 18_000,
  apps: 17_800,
  "events.k8s.io": 17_750,
  "authentication.k8s.io": 17_700,
  "authorization.k8s.io": 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  "certificates.k8s.io": 17_300,
  "networking.k8s.io": 17_200,
  policy: 17_100,
  "rbac.authorization.k8s.io": 17_000,
  "storage.k8s.io": 16_800,
  "apiextensions.k8s.io": 16_700,
  "admissionregistration.k8s.io": 16_700,
  "scheduling.k8s.io": 16_600,
  "coordination.k8s.io": 16_500,
  "node.k8s.io": 16_300,
  "discovery.k8s.io": 16_200,
  "resource.k8s.io": 16_200,
  "flowcontrol.apiserver.k8s.io": 16_100,
};

/** Versions that do not have the usual 15. */
const versions: { readonly [groupVersion: string]: number } = {
  "/v1": 1,
  "autoscaling/v2": 30,
  "flowcontrol.apiserver.k8s.io/v1": 21,
  "resource.k8s.io/v1": 20,
  "storage.k8s.io/v1beta1": 9,
};

/** Undefined for a group that has no APIService of its own (the aggregator's). */
export function builtInPriority(group: string, version: string): Priority | undefined {
  const own = groups[group];
  return own === undefined ? undefined : { group: own, version: versions[`${group}/${version}`] ?? 15 };
}

export const customPriority: Priority = { group: 1000, version: 100 };

/** What decides about a group's place in discovery. */
export function groupPriority(group: string): number {
  return groups[group] ?? customPriority.group;
}
