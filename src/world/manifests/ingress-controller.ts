// The Ingress controller as people install it: a Deployment behind ports 80 and 443 of its node, or behind the load balancer of a cloud,
// with a class of its own. Labs that want several write manifests like this one.

import type { Deployment, PolicyRule, Service } from "#cluster/api/generated/types.ts";
import {
  clusterRoleBindings,
  clusterRoles,
  deployments,
  ingressClasses,
  namespaces,
  roleBindings,
  roles,
  serviceAccounts,
  services,
} from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { usualControllerClass } from "#cluster/ingress/flags.ts";

const name = "ingress-controller";
const namespace = "ingress-controller";
const labels = { "app.kubernetes.io/name": name };
const image = "docker.io/pilothouse/ingress-controller:1.0";
const apiGroup = "rbac.authorization.k8s.io";
const electionId = "ingress-controller-leader";
const read = ["get", "list", "watch"];

const clusterRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["configmaps", "endpoints", "pods", "secrets", "namespaces"], verbs: ["list", "watch"] },
  { apiGroups: [""], resources: ["nodes", "services"], verbs: read },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
  { apiGroups: ["networking.k8s.io"], resources: ["ingresses", "ingressclasses"], verbs: read },
  { apiGroups: ["networking.k8s.io"], resources: ["ingresses/status"], verbs: ["update"] },
  { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: read },
];

const ownRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
  { apiGroups: [""], resources: ["configmaps", "pods", "secrets", "endpoints"], verbs: read },
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], resourceNames: [electionId], verbs: ["get", "update"] },
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
];

/** `inCloud`: behind a load balancer, whose address Ingresses get; else they get that of the node. */
export function applyIngressController(client: Client, inCloud: boolean): void {
  const metadata = { name, labels };
  const subjects = [{ kind: "ServiceAccount", name, namespace }];
  client.create(namespaces, { metadata });
  client.create(serviceAccounts, { metadata: { ...metadata, namespace } });
  client.create(clusterRoles, { metadata, rules: clusterRules });
  client.create(clusterRoleBindings, { metadata, roleRef: { apiGroup, kind: "ClusterRole", name }, subjects });
  client.create(roles, { metadata: { ...metadata, namespace }, rules: ownRules });
  client.create(roleBindings, { metadata: { ...metadata, namespace }, roleRef: { apiGroup, kind: "Role", name }, subjects });
  client.create(services, service(inCloud));
  client.create(deployments, deployment(inCloud));
  client.create(ingressClasses, { metadata: { name: "nginx", labels }, spec: { controller: usualControllerClass } });
}

function service(inCloud: boolean): Draft<Service> {
  const port = (portName: string, port: number, nodePort: number) => {
    return { name: portName, port, targetPort: portName, protocol: "TCP", ...(inCloud ? {} : { nodePort }) };
  };
  const kind = inCloud ? { type: "LoadBalancer", externalTrafficPolicy: "Local" } : { type: "NodePort" };
  return {
    metadata: { name, namespace, labels },
    spec: { ...kind, selector: labels, ports: [port("http", 80, 30080), port("https", 443, 30443)] },
  };
}

function deployment(inCloud: boolean): Draft<Deployment> {
  const fieldRef = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } });
  const probe = { httpGet: { path: "/healthz", port: 10254, scheme: "HTTP" }, periodSeconds: 10, timeoutSeconds: 1 };
  const port = (portName: string, containerPort: number) => {
    return { name: portName, containerPort, protocol: "TCP", ...(inCloud ? {} : { hostPort: containerPort }) };
  };
  return {
    metadata: { name, namespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          terminationGracePeriodSeconds: 300,
          nodeSelector: { "kubernetes.io/os": "linux" },
          containers: [
            {
              name: "controller",
              image,
              imagePullPolicy: "IfNotPresent",
              args: [
                `--election-id=${electionId}`,
                `--controller-class=${usualControllerClass}`,
                "--ingress-class=nginx",
                ...(inCloud ? [`--publish-service=${namespace}/${name}`] : []),
              ],
              env: [
                { name: "POD_NAME", ...fieldRef("metadata.name") },
                { name: "POD_NAMESPACE", ...fieldRef("metadata.namespace") },
              ],
              ports: [port("http", 80), port("https", 443)],
              livenessProbe: { ...probe, initialDelaySeconds: 10, failureThreshold: 5 },
              readinessProbe: { ...probe, initialDelaySeconds: 10, failureThreshold: 3 },
              resources: { requests: { cpu: "100m", memory: "90Mi" } },
              securityContext: {
                runAsUser: 101,
                runAsNonRoot: true,
                allowPrivilegeEscalation: false,
                capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] },
              },
            },
          ],
        },
      },
    },
  };
}
