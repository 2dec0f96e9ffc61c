// Which nodes get a daemon Pod, and what that Pod looks like (pkg/controller/daemon/util, nodeShouldRunDaemonPod).

import type { Affinity, DaemonSet, Node, Pod, PodTemplateSpec, Taint, Toleration } from "#cluster/api/generated/types.ts";
import type { Draft, Stored } from "#cluster/api/objects.ts";
import { requiredNodeMatcher } from "#cluster/scheduler/node-selector.ts";
import { findUntolerated } from "#cluster/scheduler/tolerations.ts";
import { controllerReference } from "../ownership.ts";
import { podFromTemplate } from "../pods.ts";

export const revisionLabel = "controller-revision-hash";
const generationLabel = "pod-template-generation";

const automaticTolerations: readonly Toleration[] = [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/disk-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/pid-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" },
];
const networkToleration: Toleration = { key: "node.kubernetes.io/network-unavailable", operator: "Exists", effect: "NoSchedule" };

/** The template's tolerations, with those that daemons always have. */
export function daemonTolerations(template: PodTemplateSpec): readonly Toleration[] {
  const own = template.spec?.tolerations ?? [];
  const added = template.spec?.hostNetwork === true ? [...automaticTolerations, networkToleration] : automaticTolerations;
  const isNew = (one: Toleration): boolean =>
    !own.some(({ key, operator, effect }) => key === one.key && operator === one.operator && effect === one.effect);
  return [...own, ...added.filter(isNew)];
}

export interface NodeDecision {
  readonly shouldRun: boolean;
  /** A Pod that is there may stay. */
  readonly shouldContinue: boolean;
}

const no: NodeDecision = { shouldRun: false, shouldContinue: false };

export function decideNode(template: PodTemplateSpec, tolerations: readonly Toleration[], node: Stored<Node>): NodeDecision {
  const { spec } = template;
  if (spec === undefined) return no;
  if (spec.nodeName !== undefined && spec.nodeName !== "" && spec.nodeName !== node.metadata.name) return no;
  const matches = requiredNodeMatcher(spec);
  if (matches !== undefined && !matches(node)) return no;
  const taints: readonly Taint[] =
    node.spec?.unschedulable === true
      ? [...(node.spec.taints ?? []), { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }]
      : (node.spec?.taints ?? []);
  if (findUntolerated(taints, tolerations, ["NoExecute"]) !== undefined) return no;
  return { shouldRun: findUntolerated(taints, tolerations, ["NoSchedule"]) === undefined, shouldContinue: true };
}

/** The node that a daemon Pod is bound to, or made for. */
export function nodeOfDaemonPod(pod: Stored<Pod>): string {
  if (pod.spec?.nodeName !== undefined && pod.spec.nodeName !== "") return pod.spec.nodeName;
  const terms = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const { matchFields = [] } of terms) {
    for (const { key, operator, values = [] } of matchFields)
      if (key === "metadata.name" && operator === "In" && values.length === 1) return values[0] ?? "";
  }
  return "";
}

/** The Pod for one node: the scheduler binds it, and may bind it nowhere else. */
export function daemonPod(set: Stored<DaemonSet>, nodeName: string, revision: string): Draft<Pod> {
  const template: PodTemplateSpec = set.spec?.template ?? {};
  const generation = set.metadata.annotations?.["deprecated.daemonset.template.generation"];
  const labels = {
    ...template.metadata?.labels,
    [revisionLabel]: revision,
    ...(generation === undefined ? {} : { [generationLabel]: generation }),
  };
  const made: PodTemplateSpec = {
    metadata: { ...template.metadata, labels },
    spec: {
      ...(template.spec ?? { containers: [] }),
      affinity: pinnedAffinity(template.spec?.affinity, nodeName),
      tolerations: daemonTolerations(template),
    },
  };
  return podFromTemplate(set.metadata.namespace ?? "", made, controllerReference(set), `${set.metadata.name}-`);
}

/** The required node affinity of the template decided already; here it gives way to the node's name. */
function pinnedAffinity(affinity: Affinity | undefined, nodeName: string): Affinity {
  const required = { nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [nodeName] }] }] };
  return { ...affinity, nodeAffinity: { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required } };
}
