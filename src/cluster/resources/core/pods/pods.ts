import { pods as type } from "#cluster/api/kinds.ts";
import { defineResource } from "../../definition.ts";
import { changed } from "../../filling.ts";
import { specAndStatus } from "../../strategy.ts";
import { latePodRules } from "./late-pod-rules.ts";
import { podColumns, podRow, podRowConditions } from "./pod-columns.ts";
import { podOnlyDefaults, podSpecDefaults } from "./pod-defaults.ts";
import { validatePodStatusUpdate } from "./pod-status-validation.ts";
import { prepareNewPod, preparePodStatus, withoutDisabledFields } from "./pod-strategy.ts";
import { validatePod } from "./pod-validation.ts";

const defaultGracePeriodSeconds = 30;

export const pods = defineResource(type, {
  shortNames: ["po"],
  categories: ["all"],
  returnsDeleted: true,
  generationFields: ["spec"],
  subresources: [
    { name: "attach", kind: "PodAttachOptions", verbs: ["create", "get"] },
    { name: "binding", kind: "Binding", verbs: ["create"] },
    { name: "ephemeralcontainers", kind: "Pod", verbs: ["get", "patch", "update"] },
    { name: "eviction", kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] },
    { name: "exec", kind: "PodExecOptions", verbs: ["create", "get"] },
    { name: "log", kind: "Pod", verbs: ["get"] },
    { name: "portforward", kind: "PodPortForwardOptions", verbs: ["create", "get"] },
    { name: "proxy", kind: "PodProxyOptions", verbs: ["create", "delete", "get", "patch", "update"] },
    { name: "resize", kind: "Pod", verbs: ["get", "patch", "update"] },
    { name: "status", kind: "Pod", verbs: ["get", "patch", "update"] },
  ],
  indexedFields: ["spec.nodeName"],
  selectableFields: {
    "spec.nodeName": (pod) => pod.spec?.nodeName ?? "",
    /** What the first clients of v1 called the node's name. */
    "spec.host": (pod) => pod.spec?.nodeName ?? "",
    "spec.restartPolicy": (pod) => pod.spec?.restartPolicy ?? "",
    "spec.schedulerName": (pod) => pod.spec?.schedulerName ?? "",
    "spec.serviceAccountName": (pod) => pod.spec?.serviceAccountName ?? "",
    "spec.hostNetwork": (pod) => String(pod.spec?.hostNetwork ?? false),
    "status.phase": (pod) => pod.status?.phase ?? "",
    "status.podIP": (pod) => pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP ?? "",
    /** Accepted, but no Pod has a value for it (pkg/apis/core/v1/conversion.go knows it, pkg/registry/core/pod/strategy.go does not). */
    "status.podIPs": () => "",
    "status.nominatedNodeName": (pod) => pod.status?.nominatedNodeName ?? "",
  },
  defaultedFields: ["spec"],
  defaults: (pod) => changed(pod, "spec", (spec) => podOnlyDefaults(podSpecDefaults(spec))),
  prepareForCreate: prepareNewPod,
  prepareForUpdate: (pod, old) =>
    specAndStatus.prepareForUpdate(pod.spec === old.spec ? pod : changed(pod, "spec", withoutDisabledFields), old),
  prepareForStatusUpdate: preparePodStatus,
  subresourceStrategies: {
    ephemeralcontainers: (pod, old) => latePodRules.code.prepareEphemeralContainers(pod, old),
    resize: (pod, old) => latePodRules.code.prepareResize(pod, old),
  },
  validate: validatePod,
  validateUpdate: (pod, old, errors) => latePodRules.code.validatePodUpdate(pod, old, errors),
  validateStatusUpdate: validatePodStatusUpdate,
  subresourceValidators: {
    ephemeralcontainers: (pod, old, errors) => latePodRules.code.validateEphemeralContainersUpdate(pod, old, errors),
    resize: (pod, old, errors) => latePodRules.code.validateResizeUpdate(pod, old, errors),
  },
  warnings: (pod, old) => (old === undefined ? latePodRules.code.podWarnings(pod) : noWarnings),
  /** Pods that run nowhere, or no more, end at once. */
  gracePeriod: (pod, requested) => {
    const ended = pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded";
    if (!pod.spec?.nodeName || ended) return 0;
    const seconds = Number(requested ?? pod.spec.terminationGracePeriodSeconds ?? defaultGracePeriodSeconds);
    return seconds < 0 ? 1 : seconds;
  },
  columns: podColumns,
  row: podRow,
  rowConditions: podRowConditions,
});

/** Updates of pods warn of nothing: mostly components write them. */
const noWarnings: readonly string[] = [];
