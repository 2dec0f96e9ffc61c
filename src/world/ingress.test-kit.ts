// A world with an Ingress controller, with the manifest of further ones, for tests.

import type { CoreV1Event } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { ClusterWish } from "./cluster-shape.ts";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

export interface ControllerWish {
  /** Of everything: namespace, account, Deployment, IngressClass. */
  readonly name: string;
  readonly flags?: readonly string[];
  /** Resources that its account may not read. */
  readonly mayNotRead?: readonly string[];
}

/** A controller with a class of its own name, behind a Service of type NodePort. */
export function controllerManifest({ name, flags = [], mayNotRead = [] }: ControllerWish): string {
  const rule = (group: string, resources: readonly string[], verbs: string): string => {
    const left = resources.filter((resource) => !mayNotRead.includes(resource));
    return left.length === 0 ? "" : `- {apiGroups: ["${group}"], resources: [${left.join(", ")}], verbs: [${verbs}]}\n`;
  };
  const args = [`--controller-class=example.com/${name}`, `--election-id=${name}-leader`, `--ingress-class=${name}`, ...flags];
  return `apiVersion: v1
kind: Namespace
metadata: {name: ${name}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: ${name}, namespace: ${name}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ${name}}
rules:
${rule("", ["pods", "secrets", "namespaces", "nodes", "services"], "get, list, watch")}${rule("", ["events"], "create, patch")}${rule(
  "networking.k8s.io",
  ["ingresses", "ingressclasses"],
  "get, list, watch",
)}${rule("networking.k8s.io", ["ingresses/status"], "update")}${rule(
  "discovery.k8s.io",
  ["endpointslices"],
  "get, list, watch",
)}${rule("coordination.k8s.io", ["leases"], "get, create, update")}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: ${name}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name}}
subjects: [{kind: ServiceAccount, name: ${name}, namespace: ${name}}]
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: ${name}}
spec: {controller: example.com/${name}}
---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: ${name}}
spec:
  type: NodePort
  selector: {app: ${name}}
  ports: [{name: http, port: 80}, {name: https, port: 443}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      serviceAccountName: ${name}
      containers:
      - name: controller
        image: pilothouse/ingress-controller:1.0
        args: [${args.map((arg) => JSON.stringify(arg)).join(", ")}]
        env:
        - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
        - {name: POD_NAMESPACE, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}
        readinessProbe: {httpGet: {path: /healthz, port: 10254}}
`;
}

/** Deployments and Services that answer with the names of their Pods: `name` on `port`. */
export function backend(name: string, port: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers: [{name: web, image: "registry.k8s.io/e2e-test-images/agnhost:2.63.0", args: [netexec]}]
---
apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec:
  selector: {app: ${name}}
  ports: [{port: ${port}, targetPort: 8080}]
`;
}

export function ingressWorld(files: { readonly [name: string]: string } = {}, wish: Partial<ClusterWish> = {}) {
  const shape = { nodes: 2, addons: ["ingress-controller"] as const, ...wish };
  const world = new World({ startMs: 1_767_225_600_000, seed: 3, files, ...shape });
  world.boot();
  const learner = sitDown(world, { columns: 300, rows: 100 });
  const wait = (seconds: number): void => world.simulation.advance(seconds * 1000);
  const ingress = (name: string) => world.client.get(kinds.ingresses, { namespace: "default", name });
  return {
    world,
    learner,
    wait,
    ingress,
    apply: (manifest: string): string => {
      world.apply({ kind: "file-write", path: "given.yaml", text: manifest });
      const printed = learner.run("kubectl apply -f given.yaml");
      wait(6);
      return printed;
    },
    address: (name: string): string => ingress(name).status?.loadBalancer?.ingress?.[0]?.ip ?? "",
    /** `CODE BODY` of a request of the workstation for a host, by default where the controller of the add-on is. */
    ask: (host: string, path: string, flags = ""): string =>
      learner
        .run(
          `curl -s -m 5 ${flags} -w ' %{http_code}\\n' -H 'Host: ${host}' http://$(kubectl get pods -n ingress-controller -o jsonpath='{.items[0].status.hostIP}')${path}`,
        )
        .trim(),
    /** `type reason message` in the order of their writing. */
    events: (name: string): readonly string[] =>
      world.client
        .list<CoreV1Event>(kinds.events)
        .items.filter(({ involvedObject }) => involvedObject.name === name)
        .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map(({ type, reason, message }) => `${type} ${reason} ${message}`),
    /** Without times and process numbers. */
    log: (name = "ingress-controller"): string =>
      learner.run(`kubectl logs -n ${name} deploy/${name} --tail=60`).replace(/^([IWEF])\d{4} \S+ +\d+ \S+\] /gmu, "$1 "),
  };
}
