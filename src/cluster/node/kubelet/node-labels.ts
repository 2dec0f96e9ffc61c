// Labels of nodes: which of them a kubelet may give its node (--node-labels), and which it puts right at every start.

export const ownNamespaces = ["kubelet.kubernetes.io", "node.kubernetes.io"];

/** What a kubelet knows of its machine; all other labels count at the first registration only (updateDefaultLabels). */
export const defaultLabels: readonly string[] = [
  "beta.kubernetes.io/arch",
  "beta.kubernetes.io/instance-type",
  "beta.kubernetes.io/os",
  "failure-domain.beta.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "kubernetes.io/arch",
  "kubernetes.io/hostname",
  "kubernetes.io/os",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
];

/** Whether a kubelet may give its node a label with this key. */
export function mayLabelItself(key: string): boolean {
  return !isOfKubernetes(key) || isOfKubelets(key);
}

function isOfKubernetes(key: string): boolean {
  return isWithin(namespaceOf(key), "kubernetes.io") || isWithin(namespaceOf(key), "k8s.io");
}

function isOfKubelets(key: string): boolean {
  return defaultLabels.includes(key) || ownNamespaces.some((namespace) => isWithin(namespaceOf(key), namespace));
}

function namespaceOf(key: string): string {
  return key.includes("/") ? key.slice(0, key.indexOf("/")) : "";
}

function isWithin(namespace: string, domain: string): boolean {
  return namespace === domain || namespace.endsWith(`.${domain}`);
}
