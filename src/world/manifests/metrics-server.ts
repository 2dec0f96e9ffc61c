// metrics-server as its release v0.8.0 is installed (components.yaml), in that file's order. One flag is added, as everyone
// does whose kubelets sign their serving certificates themselves: --kubelet-insecure-tls.

import { usualArguments } from "#cluster/addons/metrics-server/usual-flags.ts";
import type { Deployment, PolicyRule, RbacV1Subject } from "#cluster/api/generated/types.ts";
import {
  apiServices,
  clusterRoleBindings,
  clusterRoles,
  deployments,
  roleBindings,
  serviceAccounts,
  services,
} from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";

const name = "metrics-server";
const namespace = "kube-system";
const labels = { "k8s-app": name };
const image = "registry.k8s.io/metrics-server/metrics-server:v0.8.0";
const apiGroup = "rbac.authorization.k8s.io";
const account: RbacV1Subject = { kind: "ServiceAccount", name, namespace };
const port = 10250;

const ownRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["nodes/metrics"], verbs: ["get"] },
  { apiGroups: [""], resources: ["pods", "nodes"], verbs: ["get", "list", "watch"] },
];

export function applyMetricsServer(client: Client): void {
  client.create(serviceAccounts, { metadata: { name, namespace, labels } });
  client.create(clusterRoles, {
    metadata: {
      name: "system:aggregated-metrics-reader",
      labels: {
        ...labels,
        "rbac.authorization.k8s.io/aggregate-to-admin": "true",
        "rbac.authorization.k8s.io/aggregate-to-edit": "true",
        "rbac.authorization.k8s.io/aggregate-to-view": "true",
      },
    },
    rules: [{ apiGroups: ["metrics.k8s.io"], resources: ["pods", "nodes"], verbs: ["get", "list", "watch"] }],
  });
  client.create(clusterRoles, { metadata: { name: "system:metrics-server", labels }, rules: ownRules });
  client.create(roleBindings, {
    metadata: { name: "metrics-server-auth-reader", namespace, labels },
    roleRef: { apiGroup, kind: "Role", name: "extension-apiserver-authentication-reader" },
    subjects: [account],
  });
  for (const [binding, role] of [
    ["metrics-server:system:auth-delegator", "system:auth-delegator"],
    ["system:metrics-server", "system:metrics-server"],
  ] as const) {
    client.create(clusterRoleBindings, {
      metadata: { name: binding, labels },
      roleRef: { apiGroup, kind: "ClusterRole", name: role },
      subjects: [account],
    });
  }
  client.create(services, {
    metadata: { name, namespace, labels },
    spec: { ports: [{ appProtocol: "https", name: "https", port: 443, protocol: "TCP", targetPort: "https" }], selector: labels },
  });
  client.create(deployments, deployment());
  client.create(apiServices, {
    metadata: { name: "v1beta1.metrics.k8s.io", labels },
    spec: {
      group: "metrics.k8s.io",
      groupPriorityMinimum: 100,
      insecureSkipTLSVerify: true,
      service: { name, namespace },
      version: "v1beta1",
      versionPriority: 100,
    },
  });
}

function probe(path: string) {
  return { failureThreshold: 3, httpGet: { path, port: "https", scheme: "HTTPS" }, periodSeconds: 10 };
}

function deployment(): Draft<Deployment> {
  return {
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      strategy: { rollingUpdate: { maxUnavailable: 0 } },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              args: [...usualArguments],
              image,
              imagePullPolicy: "IfNotPresent",
              livenessProbe: probe("/livez"),
              name,
              ports: [{ containerPort: port, name: "https", protocol: "TCP" }],
              readinessProbe: { ...probe("/readyz"), initialDelaySeconds: 20 },
              resources: { requests: { cpu: "100m", memory: "200Mi" } },
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ["ALL"] },
                readOnlyRootFilesystem: true,
                runAsNonRoot: true,
                runAsUser: 1000,
                seccompProfile: { type: "RuntimeDefault" },
              },
              volumeMounts: [{ mountPath: "/tmp", name: "tmp-dir" }],
            },
          ],
          nodeSelector: { "kubernetes.io/os": "linux" },
          priorityClassName: "system-cluster-critical",
          serviceAccountName: name,
          volumes: [{ emptyDir: {}, name: "tmp-dir" }],
        },
      },
    },
  };
}
