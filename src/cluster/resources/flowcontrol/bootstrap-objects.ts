// The flow schemas and priority levels that every cluster begins with (apiserver, pkg/apis/flowcontrol/bootstrap). Two of each
// kind are mandatory: their specs cannot be changed.

import type {
  FlowSchema,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  FlowcontrolV1Subject as Subject,
} from "#cluster/api/generated/types.ts";
import type { Draft } from "#cluster/api/objects.ts";

type FlowSchemaSpec = NonNullable<FlowSchema["spec"]>;
type Rules = NonNullable<FlowSchemaSpec["rules"]>[number];
type ResourceRule = NonNullable<Rules["resourceRules"]>[number];

const annotations = { "apf.kubernetes.io/autoupdate-spec": "true" };

/** Shares of the whole, what may be lent, and with queues: how many, the hand's size, the longest queue. */
function limited(shares: number, lendable: number, queues?: readonly [number, number, number]): PriorityLevelConfigurationSpec {
  const queuing = queues === undefined ? undefined : { queues: queues[0], handSize: queues[1], queueLengthLimit: queues[2] };
  return {
    type: "Limited",
    limited: {
      nominalConcurrencyShares: shares,
      lendablePercent: lendable,
      limitResponse: queuing === undefined ? { type: "Reject" } : { type: "Queue", queuing },
    },
  };
}

export const mandatoryLevels: { readonly [name: string]: PriorityLevelConfigurationSpec } = {
  "catch-all": limited(5, 0),
  exempt: { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
};

const levels: { readonly [name: string]: PriorityLevelConfigurationSpec } = {
  ...mandatoryLevels,
  system: limited(30, 33, [64, 6, 50]),
  "node-high": limited(40, 25, [64, 6, 50]),
  "leader-election": limited(10, 0, [16, 4, 50]),
  "workload-high": limited(40, 50, [128, 6, 50]),
  "workload-low": limited(100, 90, [128, 6, 50]),
  "global-default": limited(20, 50, [128, 6, 50]),
};

const groups = (...names: readonly string[]): readonly Subject[] => names.map((name) => ({ kind: "Group", group: { name } }));
const users = (...names: readonly string[]): readonly Subject[] => names.map((name) => ({ kind: "User", user: { name } }));
const systemAccounts: Subject = { kind: "ServiceAccount", serviceAccount: { name: "*", namespace: "kube-system" } };
const everyone = groups("system:unauthenticated", "system:authenticated");

const anyResource: ResourceRule = { verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] };
const anyPath = { verbs: ["*"], nonResourceURLs: ["*"] };
const anything = (subjects: readonly Subject[]): Rules => ({ subjects, resourceRules: [anyResource], nonResourceRules: [anyPath] });
const leases = (verbs: readonly string[]): ResourceRule => ({
  verbs,
  apiGroups: ["coordination.k8s.io"],
  resources: ["leases"],
  namespaces: ["*"],
});

function schema(level: string, matchingPrecedence: number, method: "" | "ByUser" | "ByNamespace", rules: Rules): FlowSchemaSpec {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    ...(method === "" ? {} : { distinguisherMethod: { type: method } }),
    rules: [rules],
  };
}

export const mandatorySchemas: { readonly [name: string]: FlowSchemaSpec } = {
  exempt: schema("exempt", 1, "", anything(groups("system:masters"))),
  "catch-all": schema("catch-all", 10_000, "ByUser", anything(everyone)),
};

const schemas: { readonly [name: string]: FlowSchemaSpec } = {
  ...mandatorySchemas,
  "system-nodes": schema("system", 500, "ByUser", anything(groups("system:nodes"))),
  "system-node-high": schema("node-high", 400, "ByUser", {
    subjects: groups("system:nodes"),
    resourceRules: [
      { verbs: ["*"], apiGroups: [""], resources: ["nodes", "nodes/status"], clusterScope: true, namespaces: ["*"] },
      leases(["*"]),
    ],
  }),
  probes: schema("exempt", 2, "", {
    subjects: everyone,
    nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }],
  }),
  "system-leader-election": schema("leader-election", 100, "ByUser", {
    subjects: [...users("system:kube-controller-manager", "system:kube-scheduler"), systemAccounts],
    resourceRules: [leases(["get", "create", "update"])],
  }),
  "kube-controller-manager": schema("workload-high", 800, "ByNamespace", anything(users("system:kube-controller-manager"))),
  "kube-scheduler": schema("workload-high", 800, "ByNamespace", anything(users("system:kube-scheduler"))),
  "kube-system-service-accounts": schema("workload-high", 900, "ByNamespace", anything([systemAccounts])),
  "service-accounts": schema("workload-low", 9_000, "ByUser", anything(groups("system:serviceaccounts"))),
  "global-default": schema("global-default", 9_900, "ByUser", anything(everyone)),
};

export const bootstrapLevels: readonly Draft<PriorityLevelConfiguration>[] = Object.entries(levels).map(([name, spec]) => ({
  metadata: { name, annotations },
  spec,
}));

export const bootstrapSchemas: readonly Draft<FlowSchema>[] = Object.entries(schemas).map(([name, spec]) => ({
  metadata: { name, annotations },
  spec,
}));
