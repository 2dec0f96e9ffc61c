import { pods as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { changed } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { podOnlyDefaults, podSpecDefaults } from "./pod-defaults.ts";

export const pods = defineResource(type, {
  shortNames: ["po"],
  categories: ["all"],
  returnsDeleted: true,
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
    "status.podIP": (pod) => pod.status?.podIP ?? "",
    "status.podIPs": (pod) => pod.status?.podIP ?? "",
    "status.nominatedNodeName": (pod) => pod.status?.nominatedNodeName ?? "",
  },
  defaults: (pod) => changed(pod, "spec", (spec) => podOnlyDefaults(podSpecDefaults(spec))),
  prepareForCreate: (pod) => ({ ...pod, status: { phase: "Pending" } }),
  prepareForUpdate: specAndStatus.prepareForUpdate,
  prepareForStatusUpdate: specAndStatus.prepareForStatusUpdate,
  gracePeriod: (pod, requested) => {
    const period = requested ?? pod.spec?.terminationGracePeriodSeconds ?? 30;
    return !pod.spec?.nodeName || pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded" ? 0 : period;
  },
  columns: [nameColumn, ageColumn],
  row: (object, context) => [nameCell(object), ageCell(object, context)],
});
