// Facts about a Pod as environment variables and files see them: fieldRef and resourceFieldRef.

import type { Container, ResourceFieldSelector } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { parseQuantity, quantityMilliValue, quantityValue } from "#cluster/api/quantity.ts";
import { containersOf, initContainersOf, type StoredPod } from "./pod-spec.ts";

export interface DownwardContext {
  readonly pod: StoredPod;
  readonly podIp: string;
  readonly hostIp: string;
  readonly allocatable: { readonly [resource: string]: string };
}

type Labels = { readonly [key: string]: string } | undefined;

/** `key="value"` lines, sorted: how a whole map is written to a file. */
function formatMap(map: Labels): string {
  return Object.entries(map ?? {})
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join("\n");
}

const subscript = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/;

/** Throws Error with the kubelet's words for paths that do not exist. */
export function fieldValue(context: DownwardContext, path: string): string {
  const { pod, podIp, hostIp } = context;
  const keyed = subscript.exec(path);
  if (keyed !== null) {
    const map = keyed[1] === "metadata.labels" ? pod.metadata.labels : pod.metadata.annotations;
    return map?.[keyed[2] as string] ?? "";
  }
  switch (path) {
    case "metadata.name":
      return pod.metadata.name;
    case "metadata.namespace":
      return pod.metadata.namespace ?? "";
    case "metadata.uid":
      return pod.metadata.uid;
    case "metadata.labels":
      return formatMap(pod.metadata.labels);
    case "metadata.annotations":
      return formatMap(pod.metadata.annotations);
    case "spec.nodeName":
      return pod.spec?.nodeName ?? "";
    case "spec.serviceAccountName":
      return pod.spec?.serviceAccountName ?? "";
    case "status.hostIP":
    case "status.hostIPs":
      return hostIp;
    case "status.podIP":
    case "status.podIPs":
      return podIp;
    default:
      throw new Error(`unsupported fieldPath: ${path}`);
  }
}

function amountOf(
  container: Container,
  resource: string,
  context: DownwardContext,
): { readonly name: string; readonly amount: string } {
  const [kind, name = ""] = resource.split(/\.(.*)/s);
  const { resources } = container;
  const limit = resources?.limits?.[name];
  if (kind === "limits") return { name, amount: limit ?? context.allocatable[name] ?? "0" };
  return { name, amount: resources?.requests?.[name] ?? limit ?? "0" };
}

/** In units of the divisor, rounded up. */
export function resourceValue(selector: ResourceFieldSelector, own: Container, context: DownwardContext): string {
  const all = [...containersOf(context.pod), ...initContainersOf(context.pod)];
  const container = selector.containerName === undefined ? own : all.find((each) => each.name === selector.containerName);
  if (container === undefined) throw new Error(`container ${selector.containerName ?? ""} not found`);
  const { name, amount } = amountOf(container, selector.resource, context);
  const divisor = selector.divisor === undefined || selector.divisor === "0" ? "1" : selector.divisor;
  const isCpu = name === "cpu";
  const measure = isCpu ? quantityMilliValue : quantityValue;
  return String(Math.ceil(measure(parseQuantity(amount)) / measure(parseQuantity(divisor))));
}
