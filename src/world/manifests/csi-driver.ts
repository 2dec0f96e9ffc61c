// The CSI driver as drivers are installed: its objects, a Deployment with the controller's part and a DaemonSet with the nodes'
// (as kubernetes-csi/csi-driver-host-path, deploy/kubernetes-latest).

import type { Container, DaemonSet, Deployment, PolicyRule, Volume } from "#cluster/api/generated/types.ts";
import {
  clusterRoleBindings,
  clusterRoles,
  csiDrivers,
  customResourceDefinitions,
  daemonSets,
  deployments,
  serviceAccounts,
  storageClasses,
} from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { driverName } from "#cluster/csi/driver-names.ts";
import { marks, snapshotGroup, volumeSnapshotClasses } from "#cluster/csi/snapshot-kinds.ts";
import { snapshotDefinitions } from "./snapshot-kinds.ts";

const namespace = "kube-system";
const apiGroup = "rbac.authorization.k8s.io";
const controller = "csi-sim-controller";
const node = "csi-sim-node";
const snapshots = "snapshot-controller";
const pluginDirectory = `/var/lib/kubelet/plugins/${driverName}`;
const maxVolumes = 8;
const read = ["get", "list", "watch"];

/** Those of external-provisioner, external-attacher, external-resizer and csi-snapshotter. */
const rules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["persistentvolumes"], verbs: [...read, "create", "patch", "update", "delete"] },
  { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: [...read, "update"] },
  { apiGroups: [""], resources: ["persistentvolumeclaims/status"], verbs: ["patch"] },
  { apiGroups: [""], resources: ["events"], verbs: ["list", "watch", "create", "update", "patch"] },
  { apiGroups: [""], resources: ["nodes"], verbs: read },
  { apiGroups: ["storage.k8s.io"], resources: ["storageclasses", "csinodes", "volumeattributesclasses"], verbs: read },
  { apiGroups: ["storage.k8s.io"], resources: ["volumeattachments"], verbs: [...read, "update", "patch"] },
  { apiGroups: ["storage.k8s.io"], resources: ["volumeattachments/status"], verbs: ["update", "patch"] },
  { apiGroups: [snapshotGroup], resources: ["volumesnapshotclasses"], verbs: read },
  { apiGroups: [snapshotGroup], resources: ["volumesnapshots"], verbs: ["get", "list"] },
  { apiGroups: [snapshotGroup], resources: ["volumesnapshotcontents"], verbs: [...read, "update", "patch"] },
  { apiGroups: [snapshotGroup], resources: ["volumesnapshotcontents/status"], verbs: ["update", "patch"] },
];

const snapshotRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["persistentvolumes"], verbs: read },
  { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: [...read, "update"] },
  { apiGroups: [""], resources: ["events"], verbs: ["list", "watch", "create", "update", "patch"] },
  { apiGroups: [snapshotGroup], resources: ["volumesnapshotclasses"], verbs: read },
  {
    apiGroups: [snapshotGroup],
    resources: ["volumesnapshotcontents"],
    verbs: ["create", ...read, "update", "delete", "patch"],
  },
  { apiGroups: [snapshotGroup], resources: ["volumesnapshotcontents/status"], verbs: ["patch"] },
  { apiGroups: [snapshotGroup], resources: ["volumesnapshots"], verbs: ["create", ...read, "update", "patch", "delete"] },
  { apiGroups: [snapshotGroup], resources: ["volumesnapshots/status"], verbs: ["update", "patch"] },
];

export function applyCsiDriver(client: Client): void {
  client.create(csiDrivers, {
    metadata: { name: driverName },
    spec: { attachRequired: true, podInfoOnMount: false, volumeLifecycleModes: ["Persistent"] },
  });
  for (const definition of snapshotDefinitions()) client.create(customResourceDefinitions, definition);
  for (const name of [controller, node, snapshots]) client.create(serviceAccounts, { metadata: { name, namespace } });
  for (const [name, its] of [[controller, rules] as const, [snapshots, snapshotRules] as const]) {
    client.create(clusterRoles, { metadata: { name }, rules: its });
    client.create(clusterRoleBindings, {
      metadata: { name },
      roleRef: { apiGroup, kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    });
  }
  client.create(deployments, deployment());
  client.create(deployments, snapshotController());
  client.create(daemonSets, daemonSet());
  client.create(storageClasses, {
    metadata: { name: "csi-sim" },
    provisioner: driverName,
    reclaimPolicy: "Delete",
    allowVolumeExpansion: true,
    volumeBindingMode: "Immediate",
  });
}

/** The class of its snapshots, which only clusters that serve its kind can have. */
export function applySnapshotClass(client: Client): void {
  client.create(volumeSnapshotClasses, {
    metadata: { name: "csi-sim", annotations: { [marks.isDefaultClass]: "true" } },
    driver: driverName,
    deletionPolicy: "Delete",
  });
}

function driver(): Container {
  return {
    name: "driver",
    image: "docker.io/pilothouse/csi-sim-driver:1.0",
    imagePullPolicy: "IfNotPresent",
    args: ["--endpoint=unix:///csi/csi.sock", "--nodeid=$(NODE_NAME)", `--max-volumes-per-node=${maxVolumes}`],
    env: [{ name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
    volumeMounts: [{ name: "socket-dir", mountPath: "/csi" }],
  };
}

function sidecar(name: string, tag: string, ...args: readonly string[]): Container {
  return {
    name,
    image: `registry.k8s.io/sig-storage/${name}:${tag}`,
    imagePullPolicy: "IfNotPresent",
    args: ["--csi-address=/csi/csi.sock", ...args],
    volumeMounts: [{ name: "socket-dir", mountPath: "/csi" }],
  };
}

function deployment(): Draft<Deployment> {
  const labels = { app: controller };
  return {
    metadata: { name: controller, namespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: controller,
          priorityClassName: "system-cluster-critical",
          // What attaches volumes outlives the nodes that they are attached to.
          nodeSelector: { "kubernetes.io/os": "linux", "node-role.kubernetes.io/control-plane": "" },
          tolerations: [{ key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" }],
          containers: [
            driver(),
            sidecar("csi-provisioner", "v6.1.0", "--feature-gates=Topology=true", "--default-fstype=ext4"),
            sidecar("csi-attacher", "v4.9.0"),
            sidecar("csi-resizer", "v2.1.0"),
            sidecar("csi-snapshotter", "v8.4.0"),
          ],
          volumes: [{ name: "socket-dir", emptyDir: {} }],
        },
      },
    },
  };
}

/** One for the cluster, whatever drivers it has. */
function snapshotController(): Draft<Deployment> {
  const labels = { "app.kubernetes.io/name": snapshots };
  return {
    metadata: { name: snapshots, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: snapshots,
          nodeSelector: { "kubernetes.io/os": "linux", "node-role.kubernetes.io/control-plane": "" },
          tolerations: [{ key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" }],
          containers: [
            {
              name: snapshots,
              image: "registry.k8s.io/sig-storage/snapshot-controller:v8.4.0",
              imagePullPolicy: "IfNotPresent",
            },
          ],
        },
      },
    },
  };
}

function daemonSet(): Draft<DaemonSet> {
  const labels = { app: node };
  const hostPath = (name: string, path: string, type: string): Volume => ({ name, hostPath: { path, type } });
  const registrar = sidecar("csi-node-driver-registrar", "v2.14.0", `--kubelet-registration-path=${pluginDirectory}/csi.sock`);
  const plugin = driver();
  return {
    metadata: { name: node, namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: node,
          priorityClassName: "system-node-critical",
          hostNetwork: true,
          nodeSelector: { "kubernetes.io/os": "linux" },
          tolerations: [{ operator: "Exists" }],
          containers: [
            {
              ...registrar,
              volumeMounts: [...(registrar.volumeMounts ?? []), { name: "registration-dir", mountPath: "/registration" }],
            },
            {
              ...plugin,
              securityContext: { privileged: true },
              volumeMounts: [
                ...(plugin.volumeMounts ?? []),
                { name: "kubelet-dir", mountPath: "/var/lib/kubelet", mountPropagation: "Bidirectional" },
              ],
            },
          ],
          volumes: [
            hostPath("socket-dir", pluginDirectory, "DirectoryOrCreate"),
            hostPath("registration-dir", "/var/lib/kubelet/plugins_registry", "DirectoryOrCreate"),
            hostPath("kubelet-dir", "/var/lib/kubelet", "Directory"),
          ],
        },
      },
    },
  };
}
