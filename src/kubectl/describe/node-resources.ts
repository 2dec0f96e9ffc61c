// What the Pods of a node ask for, each and together, in percent of what the node can give.

import type { Node, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
} from "#cluster/api/quantity.ts";
import type { Description } from "./description.ts";
import { since } from "./when.ts";

type Side = "requests" | "limits";

const zero = parseQuantity("0");
const standardResources = new Set(["cpu", "memory", "ephemeral-storage", "pods", "storage"]);

export function describeNodeResources(out: Description, node: Stored<Node>, pods: readonly Stored<Pod>[], nowMs: number): void {
  const room = Object.keys(node.status?.allocatable ?? {}).length > 0 ? node.status?.allocatable : node.status?.capacity;
  const share = (amount: Quantity, resource: string): string => `${formatQuantity(amount)} (${percent(amount, room?.[resource])}%)`;
  out.field("Non-terminated Pods", `(${pods.length} in total)`);
  out.line("Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge", 1);
  out.line("---------\t----\t\t------------\t----------\t---------------\t-------------\t---", 1);
  for (const pod of pods) {
    const cells = (["cpu", "memory"] as const).flatMap((resource) =>
      (["requests", "limits"] as const).map((side) => share(amountOfPod(pod, side, resource), resource)),
    );
    const { namespace = "", name, creationTimestamp } = pod.metadata;
    out.line(`${namespace}\t${name}\t\t${cells.join("\t")}\t${since(creationTimestamp, nowMs)}`, 1);
  }
  out.line("Allocated resources:");
  out.line("(Total limits may be over 100 percent, i.e., overcommitted.)", 1);
  out.line("Resource\tRequests\tLimits", 1);
  out.line("--------\t--------\t------", 1);
  const total = (side: Side, resource: string): Quantity => sum(pods.map((pod) => amountOfPod(pod, side, resource)));
  const extended = Object.keys(room ?? {}).filter((resource) => !standardResources.has(resource));
  const hugePages = extended.filter((resource) => resource.startsWith("hugepages-")).sort();
  for (const resource of ["cpu", "memory", "ephemeral-storage", ...hugePages]) {
    out.line(`${resource}\t${share(total("requests", resource), resource)}\t${share(total("limits", resource), resource)}`, 1);
  }
  for (const resource of extended.filter((name) => !name.startsWith("hugepages-")).sort()) {
    out.line(`${resource}\t${formatQuantity(total("requests", resource))}\t${formatQuantity(total("limits", resource))}`, 1);
  }
}

function percent(amount: Quantity, room: string | undefined): number {
  const whole = room === undefined ? 0 : quantityMilliValue(parseQuantity(room));
  return whole === 0 ? 0 : Math.trunc((quantityMilliValue(amount) / whole) * 100);
}

/**
 * The effective request or limit: what the containers and sidecars need together, or the largest init container with the
 * sidecars started before it; plus the overhead of the Pod's runtime class.
 */
function amountOfPod({ spec }: Stored<Pod>, side: Side, resource: string): Quantity {
  const amount = (container: {
    readonly resources?: { readonly [side in Side]?: { readonly [resource: string]: string } };
  }): Quantity => {
    const text = container.resources?.[side]?.[resource];
    return text === undefined ? zero : parseQuantity(text);
  };
  let running = zero;
  let largest = zero;
  for (const container of spec?.initContainers ?? []) {
    if (container.restartPolicy === "Always") running = addQuantities(running, amount(container));
    const needed = container.restartPolicy === "Always" ? running : addQuantities(running, amount(container));
    if (compareQuantities(needed, largest) > 0) largest = needed;
  }
  for (const container of spec?.containers ?? []) running = addQuantities(running, amount(container));
  const together = compareQuantities(largest, running) > 0 ? largest : running;
  const overhead = spec?.overhead?.[resource];
  return overhead === undefined || (side === "limits" && quantityMilliValue(together) === 0)
    ? together
    : addQuantities(together, parseQuantity(overhead));
}

function sum(quantities: readonly Quantity[]): Quantity {
  return quantities.reduce(addQuantities, zero);
}
