// The checks of the restricted level: what a hardened Pod must say, beside the baseline.

import type { Container, Volume } from "#cluster/api/generated/types.ts";
import { isConfinedProfile, procMount, seccompProfile } from "./pod-security-baseline.ts";
import type { CheckPod, PodCheck, PodView, Violation } from "./pod-security-check.ts";
import { containersText, namesOf, plural, quoted, settersText, sortedSet } from "./pod-security-words.ts";

const allowedVolumes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
] as const satisfies readonly (keyof Volume)[];

/** In the order in which a volume's source is looked for. */
const restrictedVolumeTypes = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
] as const satisfies readonly (keyof Volume)[];

/** In the order of their names. Windows has no such things to say; in a user namespace root is nobody outside. */
export const restrictedChecks: readonly PodCheck[] = [
  {
    id: "allowPrivilegeEscalation",
    versions: [
      { since: 8, check: allowPrivilegeEscalation },
      { since: 25, check: butOnWindows(allowPrivilegeEscalation) },
    ],
  },
  {
    id: "capabilities_restricted",
    overrides: "capabilities_baseline",
    versions: [
      { since: 22, check: capabilities },
      { since: 25, check: butOnWindows(capabilities) },
    ],
  },
  { id: "procMount_restricted", overrides: "procMount", versions: [{ since: 35, check: procMount }] },
  { id: "restrictedVolumes", overrides: "hostPathVolumes", versions: [{ since: 0, check: restrictedVolumes }] },
  {
    id: "runAsNonRoot",
    versions: [
      { since: 0, check: runAsNonRoot },
      { since: 35, check: butInUserNamespace(runAsNonRoot) },
    ],
  },
  {
    id: "runAsUser",
    versions: [
      { since: 23, check: runAsUser },
      { since: 35, check: butInUserNamespace(runAsUser) },
    ],
  },
  {
    id: "seccompProfile_restricted",
    overrides: "seccompProfile_baseline",
    versions: [
      { since: 19, check: seccompRequired },
      { since: 25, check: butOnWindows(seccompRequired) },
    ],
  },
];

function butOnWindows(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.os?.name === "windows" ? undefined : check(pod));
}

function butInUserNamespace(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.hostUsers === false ? undefined : check(pod));
}

function allowPrivilegeEscalation(pod: PodView): Violation | undefined {
  const names = namesOf(pod, (container) => container.securityContext?.allowPrivilegeEscalation !== false);
  if (names.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${containersText(names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

function capabilities(pod: PodView): Violation | undefined {
  const keeping = namesOf(pod, (container) => container.securityContext?.capabilities?.drop?.includes("ALL") !== true);
  const added = (container: Container): readonly string[] =>
    (container.securityContext?.capabilities?.add ?? []).filter((name) => name !== "NET_BIND_SERVICE");
  const adding = namesOf(pod, (container) => added(container).length > 0);
  const details = [
    ...(keeping.length === 0 ? [] : [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0
      ? []
      : [
          `${containersText(adding)} must not include ${quoted(sortedSet(pod.containers.flatMap(added)))} in securityContext.capabilities.add`,
        ]),
  ];
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
}

function restrictedVolumes({ spec }: PodView): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((volume) => !allowedVolumes.some((type) => volume[type] !== undefined));
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map((volume) => restrictedVolumeTypes.find((type) => volume[type] !== undefined) ?? "unknown"));
  const volumes = `${plural(bad.length, "volume", "volumes")} ${quoted(bad.map(({ name }) => name))}`;
  const noun = plural(types.length, "restricted volume type", "restricted volume types");
  return { reason: "restricted volume types", detail: `${volumes} ${plural(bad.length, "uses", "use")} ${noun} ${quoted(types)}` };
}

function runAsNonRoot(pod: PodView): Violation | undefined {
  const reason = "runAsNonRoot != true";
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const says = (container: Container): boolean | undefined => container.securityContext?.runAsNonRoot;
  const explicit = settersText(
    ofPod === false,
    namesOf(pod, (container) => says(container) === false),
  );
  if (explicit !== "") return { reason, detail: `${explicit} must not set securityContext.runAsNonRoot=false` };
  const silent = ofPod === true ? [] : namesOf(pod, (container) => says(container) === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
}

function runAsUser(pod: PodView): Violation | undefined {
  const setters = settersText(
    pod.spec.securityContext?.runAsUser === 0,
    namesOf(pod, (container) => container.securityContext?.runAsUser === 0),
  );
  return setters === "" ? undefined : { reason: "runAsUser=0", detail: `${setters} must not set runAsUser=0` };
}

function seccompRequired(pod: PodView): Violation | undefined {
  const explicit = seccompProfile(pod);
  if (explicit !== undefined || isConfinedProfile(pod.spec.securityContext?.seccompProfile?.type)) return explicit;
  const silent = namesOf(pod, (container) => container.securityContext?.seccompProfile === undefined);
  if (silent.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}
