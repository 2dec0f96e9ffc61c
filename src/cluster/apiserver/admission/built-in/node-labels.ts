// Which labels a kubelet may not give its node, so that no node draws pods to itself that were meant for others
// (NodeRestriction; staging/src/k8s.io/kubelet/pkg/apis/well_known_labels.go).

type Labels = { readonly [label: string]: string } | undefined;

const restricted = "node-restriction.kubernetes.io";

/** Labels of kubernetes.io and k8s.io that are the kubelet's own. */
const kubeletLabels: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);
const kubeletNamespaces = ["kubelet.kubernetes.io", "node.kubernetes.io"] as const;

/** Those of the labels that differ between two states which a kubelet may not touch, sorted. */
export function forbiddenLabels(labels: Labels, old: Labels): readonly string[] {
  if (labels === old) return [];
  const keys = new Set([...Object.keys(labels ?? {}), ...Object.keys(old ?? {})]);
  return [...keys].filter((key) => labels?.[key] !== old?.[key] && isForbidden(key)).sort();
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf("/");
  const namespace = slash < 0 ? "" : label.slice(0, slash);
  const isIn = (domain: string): boolean => namespace === domain || namespace.endsWith(`.${domain}`);
  if (isIn(restricted)) return true;
  if (!isIn("kubernetes.io") && !isIn("k8s.io")) return false;
  return !kubeletLabels.has(label) && !kubeletNamespaces.some(isIn);
}
