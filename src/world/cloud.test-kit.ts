// A world whose machines are a cloud's, with the manifest of its controller manager, for tests.

import type { CoreV1Event } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { CloudWish, HostWish } from "./cluster-shape.ts";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

export const managerFlags = ["--cloud-provider=sim", "--cluster-cidr=10.244.0.0/16"];

/** Rights as in Kubernetes' own example, for leader election too. */
const rules: readonly string[] = [
  '{apiGroups: [""], resources: [events], verbs: [create, patch, update]}',
  '{apiGroups: [""], resources: [nodes], verbs: ["*"]}',
  '{apiGroups: [""], resources: [nodes/status], verbs: [patch]}',
  '{apiGroups: [""], resources: [services], verbs: [list, patch, update, watch]}',
  '{apiGroups: [""], resources: [services/status], verbs: [list, patch, update, watch]}',
  "{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update]}",
];

export interface ManagerWish {
  readonly flags?: readonly string[];
  readonly rules?: readonly string[];
}

export function managerManifest({ flags = managerFlags, rules: given = rules }: ManagerWish = {}): string {
  return `apiVersion: v1
kind: ServiceAccount
metadata: {name: cloud-controller-manager, namespace: kube-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: cloud-controller-manager}
rules: [${given.join(", ")}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: cloud-controller-manager}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cloud-controller-manager}
subjects: [{kind: ServiceAccount, name: cloud-controller-manager, namespace: kube-system}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: cloud-controller-manager, namespace: kube-system}
spec:
  selector: {matchLabels: {app: ccm}}
  template:
    metadata: {labels: {app: ccm}}
    spec:
      serviceAccountName: cloud-controller-manager
      hostNetwork: true
      nodeSelector: {node-role.kubernetes.io/control-plane: ""}
      tolerations:
      - {key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}
      - {key: node-role.kubernetes.io/control-plane, operator: Exists, effect: NoSchedule}
      containers:
      - name: manager
        image: registry.sim.example/cloud-controller-manager:v1.36.0
        command: [/bin/cloud-controller-manager, ${flags.map((flag) => JSON.stringify(flag)).join(", ")}]
        livenessProbe: {httpGet: {path: /healthz, port: 10258, scheme: HTTPS}}
`;
}

export const rulesWithout = (resource: string, replacement?: string): readonly string[] =>
  rules.flatMap((rule) => (rule.includes(`resources: [${resource}]`) ? (replacement ?? []) : [rule]));

export function cloudWorld(
  cloud: CloudWish | "none" = {},
  { nodes = 3, manager = {} as ManagerWish, hosts = [] as readonly HostWish[] } = {},
) {
  const files = { "ccm.yaml": managerManifest(manager) };
  const world = new World({ startMs: 1_767_225_600_000, seed: 3, nodes, files, hosts, ...(cloud === "none" ? {} : { cloud }) });
  world.boot();
  const learner = sitDown(world, { columns: 300, rows: 100 });
  const wait = (seconds: number): void => world.simulation.advance(seconds * 1000);
  const node = (name: string) => world.client.list(kinds.nodes).items.find(({ metadata }) => metadata.name === name);
  return {
    world,
    learner,
    wait,
    node,
    taints: (name: string): readonly string[] => (node(name)?.spec?.taints ?? []).map(({ key }) => key),
    service: (name: string) => world.client.list(kinds.services).items.find(({ metadata }) => metadata.name === name),
    startManager: (): void => {
      learner.run("kubectl apply -f ccm.yaml");
      wait(15);
    },
    /** `type reason message` by the time of their writing. */
    events: (name: string): readonly string[] =>
      world.client
        .list<CoreV1Event>(kinds.events)
        .items.filter(
          ({ involvedObject, source }) => involvedObject.name === name && /cloud|service-c|route_/.test(source?.component ?? ""),
        )
        .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map(({ type, reason, message }) => `${type} ${reason} ${message}`),
    /** Without times and process numbers. */
    log: (): string =>
      learner
        .run("kubectl logs -n kube-system deploy/cloud-controller-manager --tail=60")
        .replace(/^([IWEF])\d{4} \S+ +\d+ \S+\] /gmu, "$1 "),
  };
}
