// What `--controllers` may name: upstream's controllers, also those that are not part of this simulation
// (cmd/kube-controller-manager/names).

/** Name → the name that it had before v1.28, which still counts. */
const names: { readonly [name: string]: string } = {
  "serviceaccount-token-controller": "serviceaccount-token",
  "endpoints-controller": "endpoint",
  "endpointslice-controller": "endpointslice",
  "endpointslice-mirroring-controller": "endpointslicemirroring",
  "replicationcontroller-controller": "replicationcontroller",
  "pod-garbage-collector-controller": "podgc",
  "resourcequota-controller": "resourcequota",
  "namespace-controller": "namespace",
  "serviceaccount-controller": "serviceaccount",
  "garbage-collector-controller": "garbagecollector",
  "daemonset-controller": "daemonset",
  "job-controller": "job",
  "deployment-controller": "deployment",
  "replicaset-controller": "replicaset",
  "horizontal-pod-autoscaler-controller": "horizontalpodautoscaling",
  "disruption-controller": "disruption",
  "statefulset-controller": "statefulset",
  "cronjob-controller": "cronjob",
  "certificatesigningrequest-signing-controller": "csrsigning",
  "certificatesigningrequest-approving-controller": "csrapproving",
  "certificatesigningrequest-cleaner-controller": "csrcleaner",
  "ttl-controller": "ttl",
  "bootstrap-signer-controller": "bootstrapsigner",
  "token-cleaner-controller": "tokencleaner",
  "node-ipam-controller": "nodeipam",
  "node-lifecycle-controller": "nodelifecycle",
  "taint-eviction-controller": "",
  "service-lb-controller": "service",
  "node-route-controller": "route",
  "cloud-node-lifecycle-controller": "cloud-node-lifecycle",
  "persistentvolume-binder-controller": "persistentvolume-binder",
  "persistentvolume-attach-detach-controller": "attachdetach",
  "persistentvolume-expander-controller": "persistentvolume-expander",
  "clusterrole-aggregation-controller": "clusterrole-aggregation",
  "persistentvolumeclaim-protection-controller": "pvc-protection",
  "persistentvolume-protection-controller": "pv-protection",
  "volumeattributesclass-protection-controller": "",
  "ttl-after-finished-controller": "ttl-after-finished",
  "root-ca-certificate-publisher-controller": "root-ca-cert-publisher",
  "kube-apiserver-serving-clustertrustbundle-publisher-controller": "",
  "ephemeral-volume-controller": "ephemeral-volume",
  "storageversion-garbage-collector-controller": "storage-version-gc",
  "resourceclaim-controller": "resource-claim-controller",
  "device-taint-eviction-controller": "",
  "legacy-serviceaccount-token-cleaner-controller": "legacy-service-account-token-cleaner",
  "validatingadmissionpolicy-status-controller": "",
  "service-cidr-controller": "",
  "storage-version-migrator-controller": "",
  "selinux-warning-controller": "",
  "podcertificaterequest-cleaner-controller": "",
};

export const controllerNames: ReadonlySet<string> = new Set(Object.keys(names));

/** Name of old → name. */
export const controllerNamesOfOld: ReadonlyMap<string, string> = new Map(
  Object.entries(names)
    .filter(([, old]) => old !== "")
    .map(([name, old]) => [old, name]),
);
