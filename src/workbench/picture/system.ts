// What belongs to the cluster itself rather than to the learner.

const systemNamespaces: ReadonlySet<string> = new Set([
  "kube-system",
  "kube-public",
  "kube-node-lease",
  "local-path-storage",
  "ingress-controller",
]);

export function isSystemNamespace(namespace: string): boolean {
  return systemNamespaces.has(namespace);
}

/** The API server's own Service lies among the learner's. */
export function isSystemService({ namespace, name }: { readonly namespace: string; readonly name: string }): boolean {
  return isSystemNamespace(namespace) || (namespace === "default" && name === "kubernetes");
}
