import type { PodCondition, PodSpec } from "#cluster/api/generated/types.ts";
import { pods as type } from "#cluster/api/kinds.ts";
import { defineResource } from "../definition.ts";
import { changed } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { podColumns, podRow } from "./pod-columns.ts";
import { podOnlyDefaults, podSpecDefaults } from "./pod-defaults.ts";
import { podQosClass } from "./pod-qos.ts";
import { validatePod, validatePodUpdate } from "./pod-validation.ts";

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
    "spec.restartPolicy": (pod) => pod.spec?.restartPolicy ?? "",
    "spec.schedulerName": (pod) => pod.spec?.schedulerName ?? "",
    "spec.serviceAccountName": (pod) => pod.spec?.serviceAccountName ?? "",
    "spec.hostNetwork": (pod) => String(pod.spec?.hostNetwork ?? false),
    "status.phase": (pod) => pod.status?.phase ?? "",
    "status.podIP": (pod) => pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP ?? "",
    "status.podIPs": (pod) => pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP ?? "",
    "status.nominatedNodeName": (pod) => pod.status?.nominatedNodeName ?? "",
  },
  defaultedFields: ["spec"],
  defaults: (pod) => changed(pod, "spec", (spec) => podOnlyDefaults(podSpecDefaults(spec))),
  prepareForCreate: (pod) => ({
    ...pod,
    status: {
      phase: "Pending",
      ...((pod.spec?.schedulingGates?.length ?? 0) > 0 ? { conditions: [gatedCondition] } : {}),
      qosClass: podQosClass(pod.spec ?? noSpec),
    },
  }),
  prepareForUpdate: specAndStatus.prepareForUpdate,
  prepareForStatusUpdate: (pod, old) => {
    const kept = specAndStatus.prepareForStatusUpdate(pod, old);
    const qosClass = kept.status?.qosClass ?? old.status?.qosClass;
    return qosClass === undefined || kept.status?.qosClass !== undefined ? kept : { ...kept, status: { ...kept.status, qosClass } };
  },
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  /** Pods that run nowhere, or no more, end at once. */
  gracePeriod: (pod, requested) => {
    const ended = pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded";
    if (!pod.spec?.nodeName || ended) return 0;
    return requested ?? pod.spec.terminationGracePeriodSeconds ?? defaultGracePeriodSeconds;
  },
  columns: podColumns,
  row: podRow,
});

const noSpec: PodSpec = { containers: [] };

const gatedCondition: PodCondition = {
  type: "PodScheduled",
  status: "False",
  reason: "SchedulingGated",
  message: "Scheduling is blocked due to non-empty scheduling gates",
};
