// The profiles of `kubectl debug`: what the debugging container may do, by how it is added.

import { arrayAt, isObject, type JsonObject, objectAt, textAt, valueAt, withValue } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";

export type DebugStyle = "node" | "copy" | "ephemeral";

/** What --keep-… says of a copy. */
export interface Kept {
  readonly labels: boolean;
  readonly annotations: boolean;
  readonly liveness: boolean;
  readonly readiness: boolean;
  readonly startup: boolean;
  readonly initContainers: boolean;
}

const profiles = ["legacy", "general", "baseline", "restricted", "netadmin", "sysadmin"];

export function checkProfile(name: string): void {
  if (!profiles.includes(name)) throw new KubectlError(`unknown profile: ${name}`);
}

type Change = (container: JsonObject) => JsonObject;

function withSecurity(values: JsonObject): Change {
  return (container) => withValue(container, ["securityContext"], { ...objectAt(container, "securityContext"), ...values });
}

function withCapabilities(field: "add" | "drop", ...names: readonly string[]): Change {
  return (container) => {
    const present = arrayAt(container, "securityContext", "capabilities", field).map(String);
    return withValue(container, ["securityContext", "capabilities", field], [...new Set([...present, ...names])]);
  };
}

const withoutSecurity: Change = (container) => withValue(container, ["securityContext"], undefined);

/** What a profile does to the debugging container. */
function containerChanges(profile: string, style: DebugStyle): readonly Change[] {
  switch (profile) {
    case "general":
      return style === "node" ? [withoutSecurity] : [withCapabilities("add", "SYS_PTRACE")];
    case "baseline":
      return [withoutSecurity];
    case "restricted":
      return [
        withoutSecurity,
        withSecurity({ runAsNonRoot: true }),
        withCapabilities("drop", "ALL"),
        withSecurity({ allowPrivilegeEscalation: false, seccompProfile: { type: "RuntimeDefault" } }),
      ];
    case "netadmin":
      return [withCapabilities("add", "NET_ADMIN", "NET_RAW")];
    case "sysadmin":
      return [withSecurity({ privileged: true })];
    default:
      return [];
  }
}

/** The container of that name in any list of the Pod, changed. */
/** The Pod with its container `name` changed. */
export function withContainer(pod: JsonObject, name: string, change: Change): JsonObject {
  let result = pod;
  for (const list of ["containers", "ephemeralContainers"]) {
    const containers = arrayAt(pod, "spec", list);
    if (!containers.some((one) => textAt(one, "name") === name)) continue;
    const next = containers.map((one) => (isObject(one) && textAt(one, "name") === name ? change(one) : one));
    result = withValue(result, ["spec", list], next);
  }
  return result;
}

function onHost(pod: JsonObject): JsonObject {
  const spec = { ...objectAt(pod, "spec"), hostNetwork: true, hostPID: true, hostIPC: true };
  return { ...pod, spec };
}

function withRootMount(pod: JsonObject, container: string): JsonObject {
  const volumes = [...arrayAt(pod, "spec", "volumes"), { name: "host-root", hostPath: { path: "/" } }];
  const mount: Change = (one) =>
    withValue(one, ["volumeMounts"], [...arrayAt(one, "volumeMounts"), { name: "host-root", mountPath: "/host" }]);
  return withContainer(withValue(pod, ["spec", "volumes"], volumes), container, mount);
}

/** A copy loses what would have it taken for the original. */
function stripped(pod: JsonObject, kept: Kept): JsonObject {
  let result = pod;
  if (!kept.labels) result = withValue(result, ["metadata", "labels"], undefined);
  if (!kept.annotations) result = withValue(result, ["metadata", "annotations"], undefined);
  const probes = { livenessProbe: kept.liveness, readinessProbe: kept.readiness, startupProbe: kept.startup };
  const containers = arrayAt(result, "spec", "containers").map((one) => {
    let container = isObject(one) ? one : {};
    for (const [field, keep] of Object.entries(probes)) if (!keep) container = withValue(container, [field], undefined);
    return container;
  });
  result = withValue(result, ["spec", "containers"], containers);
  return kept.initContainers ? result : withValue(result, ["spec", "initContainers"], undefined);
}

/** The Pod with the profile applied to its container `name`. */
export function withProfile(profile: string, style: DebugStyle, pod: JsonObject, name: string, kept: Kept): JsonObject {
  let result = pod;
  for (const change of containerChanges(profile, style)) result = withContainer(result, name, change);
  if (style === "node" && ["legacy", "general", "sysadmin"].includes(profile)) result = onHost(withRootMount(result, name));
  if (style === "node" && profile === "netadmin") result = onHost(result);
  if (style !== "copy") return result;
  if (profile === "legacy") return withValue(result, ["metadata", "labels"], undefined);
  result = stripped(result, kept);
  const shared = valueAt(result, "spec", "shareProcessNamespace");
  return shared === undefined ? withValue(result, ["spec", "shareProcessNamespace"], true) : result;
}
