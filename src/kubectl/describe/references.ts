// Values of the downward API, as a description shows them beside the reference.

import type { Container, Pod, ResourceFieldSelector } from "#cluster/api/generated/types.ts";
import { parseQuantity, quantityMilliValue, quantityValue } from "#cluster/api/quantity.ts";
import { compareTexts } from "#sim/compare-texts.ts";

/** "" for a path that kubectl does not resolve: all but those of metadata. */
export function fieldOfPod(pod: Pod, path: string): string {
  const subscript = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (subscript !== null) return pod.metadata?.[subscript[1] as "labels" | "annotations"]?.[subscript[2] as string] ?? "";
  if (path === "metadata.labels" || path === "metadata.annotations") {
    const entries = Object.entries((path === "metadata.labels" ? pod.metadata?.labels : pod.metadata?.annotations) ?? {});
    return entries
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .join("\n");
  }
  const { name = "", namespace = "", uid = "" } = pod.metadata ?? {};
  const known: { readonly [path: string]: string } = {
    "metadata.name": name,
    "metadata.namespace": namespace,
    "metadata.uid": uid,
  };
  return known[path] ?? "";
}

/** Requests and limits in units of the divisor, rounded up; "0" where the container states none. */
export function resourceOfContainer(container: Container, { resource, divisor }: ResourceFieldSelector): string {
  const [list, name] = resource.split(/\.(.*)/s) as [string, string];
  const text = (list === "limits" ? container.resources?.limits : container.resources?.requests)?.[name];
  if (text === undefined) return "0";
  const unit = divisor === undefined || divisor === "0" ? "1" : divisor;
  const measure = name === "cpu" ? quantityMilliValue : quantityValue;
  return String(Math.ceil(measure(parseQuantity(text)) / measure(parseQuantity(unit))));
}
