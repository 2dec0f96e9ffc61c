// Labels of nodes: which of them a kubelet may give its node (--node-labels), and which it puts right at every start.

import { labelValueReasons, qualifiedNameReasons } from "#cluster/api/names.ts";

const ownNamespaces = ["kubelet.kubernetes.io", "node.kubernetes.io"];

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

/** Throws Error in the words of the kubelet that does not start (ValidateKubeletFlags). */
export function checkNodeLabels(labels: { readonly [key: string]: string }): void {
  const unknown = Object.keys(labels).filter((key) => !mayLabelItself(key));
  if (unknown.length === 0) {
    checkForm(labels);
    return;
  }
  throw new Error(
    `unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [${unknown.sort().join(" ")}]\n--node-labels in the 'kubernetes.io' namespace must begin with an allowed prefix (${ownNamespaces.join(", ")}) or be in the specifically allowed set (${defaultLabels.join(", ")})`,
  );
}

function checkForm(labels: { readonly [key: string]: string }): void {
  const problems = Object.entries(labels).flatMap(([key, value]) => [
    [key, qualifiedNameReasons(key)] as const,
    [value, value === "" ? [] : labelValueReasons(value)] as const,
  ]);
  const texts = problems.flatMap(([text, reasons]) => (reasons.length === 0 ? [] : [`'${text}' - ${reasons.join(", ")}`]));
  if (texts.length > 0) throw new Error(`invalid node labels: ${texts.join("; ")}`);
}

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
