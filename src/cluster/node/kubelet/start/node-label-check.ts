// What a kubelet makes of --node-labels before it starts.

import { labelValueReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import { defaultLabels, mayLabelItself, ownNamespaces } from "../node-labels.ts";

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
