// local-path-provisioner as its release is installed (deploy/local-path-storage.yaml), with the default class that kind gives it.

import type { Deployment, PolicyRule } from "#cluster/api/generated/types.ts";
import {
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  deployments,
  namespaces,
  serviceAccounts,
  storageClasses,
} from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";

const name = "local-path-provisioner";
const namespace = "local-path-storage";
const account = "local-path-provisioner-service-account";
const image = "rancher/local-path-provisioner:v0.0.32";
const apiGroup = "rbac.authorization.k8s.io";

const rules: readonly PolicyRule[] = [
  {
    apiGroups: [""],
    resources: ["nodes", "persistentvolumeclaims", "configmaps", "pods", "pods/log"],
    verbs: ["get", "list", "watch"],
  },
  { apiGroups: [""], resources: ["pods"], verbs: ["create", "patch", "update", "delete"] },
  { apiGroups: [""], resources: ["persistentvolumes"], verbs: ["get", "list", "watch", "create", "patch", "update", "delete"] },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
  { apiGroups: ["storage.k8s.io"], resources: ["storageclasses"], verbs: ["get", "list", "watch"] },
];

const paths = { nodePathMap: [{ node: "DEFAULT_PATH_FOR_NON_LISTED_NODES", paths: ["/opt/local-path-provisioner"] }] };

export function applyLocalPathProvisioner(client: Client): void {
  client.create(namespaces, { metadata: { name: namespace } });
  client.create(serviceAccounts, { metadata: { name: account, namespace } });
  client.create(clusterRoles, { metadata: { name: "local-path-provisioner-role" }, rules });
  client.create(clusterRoleBindings, {
    metadata: { name: "local-path-provisioner-bind" },
    roleRef: { apiGroup, kind: "ClusterRole", name: "local-path-provisioner-role" },
    subjects: [{ kind: "ServiceAccount", name: account, namespace }],
  });
  client.create(configMaps, {
    metadata: { name: "local-path-config", namespace },
    data: {
      "config.json": `${JSON.stringify(paths, null, 2)}\n`,
      setup: '#!/bin/sh\nset -eu\nmkdir -m 0777 -p "$VOL_DIR"\n',
      teardown: '#!/bin/sh\nset -eu\nrm -rf "$VOL_DIR"\n',
    },
  });
  client.create(deployments, deployment());
  client.create(storageClasses, {
    metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    provisioner: "rancher.io/local-path",
    reclaimPolicy: "Delete",
    volumeBindingMode: "WaitForFirstConsumer",
  });
}

function deployment(): Draft<Deployment> {
  return {
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          serviceAccountName: account,
          nodeSelector: { "kubernetes.io/os": "linux" },
          tolerations: [{ key: "node-role.kubernetes.io/control-plane", operator: "Equal", effect: "NoSchedule" }],
          containers: [
            {
              name,
              image,
              imagePullPolicy: "IfNotPresent",
              command: [name, "--debug", "start", "--config", "/etc/config/config.json"],
              env: [{ name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } }],
              volumeMounts: [{ name: "config-volume", mountPath: "/etc/config/" }],
            },
          ],
          volumes: [{ name: "config-volume", configMap: { name: "local-path-config" } }],
        },
      },
    },
  };
}
