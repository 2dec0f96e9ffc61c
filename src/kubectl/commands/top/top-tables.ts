// The tables of kubectl top: what nodes, Pods and containers use (kubectl's pkg/metricsutil).

import {
  addQuantities,
  isZeroQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
} from "#cluster/api/quantity.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { TabWriter } from "../../printers/tab-writer.ts";

const mebibyte = 1024 * 1024;
const unknown = "<unknown>";
const zero = parseQuantity("0");
const rule = "________";

/** By resource: `cpu`, `memory`, `swap`. */
export type Usage = ReadonlyMap<string, Quantity>;
type Measured = readonly ("cpu" | "memory" | "swap")[];

export interface NodeMetrics {
  readonly name: string;
  readonly usage: Usage;
}

export interface PodMetrics {
  readonly namespace: string;
  readonly name: string;
  readonly containers: readonly { readonly name: string; readonly usage: Usage }[];
}

export interface TopOptions {
  readonly noHeaders: boolean;
  /** `cpu`, `memory` or "": by name. */
  readonly sortBy: string;
  readonly showSwap: boolean;
}

export interface PodTopOptions extends TopOptions {
  readonly containers: boolean;
  readonly withNamespace: boolean;
  readonly sum: boolean;
}

function measuredOf({ showSwap }: TopOptions): Measured {
  return showSwap ? ["cpu", "memory", "swap"] : ["cpu", "memory"];
}

/** `available`: what each node has to give; `withoutSwap`: nodes that do not say. Nodes without metrics come last. */
export function nodeTable(
  metrics: readonly NodeMetrics[],
  available: ReadonlyMap<string, Usage>,
  withoutSwap: ReadonlySet<string>,
  options: TopOptions,
): string {
  const writer = new TabWriter();
  const measured = measuredOf(options);
  const titles = ["NAME", "CPU(cores)", "CPU(%)", "MEMORY(bytes)", "MEMORY(%)"];
  if (!options.noHeaders) line(writer, options.showSwap ? [...titles, "SWAP(bytes)", "SWAP(%)"] : titles);
  const sorted = metrics.toSorted(byUse<NodeMetrics>(options.sortBy, ({ usage }) => usage, byName));
  for (const { name, usage } of sorted) {
    const cells = measured.flatMap((resource) => {
      if (resource === "swap" && withoutSwap.has(name)) return [unknown, unknown];
      return [amount(usage, resource), ...share(usage, available.get(name), resource)];
    });
    line(writer, [name, ...cells]);
  }
  const seen = new Set(metrics.map(({ name }) => name));
  for (const name of [...available.keys()].sort()) {
    if (!seen.has(name)) line(writer, [name, ...measured.flatMap(() => [unknown, unknown])]);
  }
  return writer.flush();
}

export function podTable(metrics: readonly PodMetrics[], options: PodTopOptions): string {
  const { noHeaders, withNamespace, containers, sortBy, sum } = options;
  const writer = new TabWriter();
  const measured = measuredOf(options);
  const titles = ["NAME", "CPU(cores)", "MEMORY(bytes)", ...(options.showSwap ? ["SWAP(bytes)"] : [])];
  let width = titles.length;
  if (!noHeaders) {
    const first = [...(withNamespace ? ["NAMESPACE"] : []), ...(containers ? ["POD"] : [])];
    width += first.length;
    line(writer, [...first, ...titles]);
  }
  const byPlace = (a: PodMetrics, b: PodMetrics): number =>
    (withNamespace ? compareTexts(a.namespace, b.namespace) : 0) || byName(a, b);
  const sorted = metrics.toSorted(byUse(sortBy, (pod) => usageOf(pod), byPlace));
  for (const pod of sorted) {
    const place = withNamespace ? [pod.namespace] : [];
    if (!containers) line(writer, [...place, pod.name, ...amounts(usageOf(pod), measured)]);
    else {
      for (const { name, usage } of pod.containers.toSorted(
        byUse<PodMetrics["containers"][number]>(sortBy, (container) => container.usage, byName),
      )) {
        line(writer, [...place, pod.name, name, ...amounts(usage, measured)]);
      }
    }
  }
  if (sum) {
    line(writer, [...blank(width - 2), rule, rule]);
    line(writer, [...blank(width - 3), "", ...amounts(total(metrics.flatMap((pod) => pod.containers)), measured)]);
  }
  return writer.flush();
}

/** Every cell is closed, the last one too. */
function line(writer: TabWriter, cells: readonly string[]): void {
  writer.row([...cells, ""]);
}

function blank(count: number): readonly string[] {
  return new Array<string>(Math.max(0, count)).fill("");
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareTexts(a.name, b.name);
}

/** The greatest use first. */
function byUse<T>(sortBy: string, use: (item: T) => Usage, otherwise: (a: T, b: T) => number): (a: T, b: T) => number {
  if (sortBy === "cpu")
    return (a, b) => quantityMilliValue(quantityOf(use(b), "cpu")) - quantityMilliValue(quantityOf(use(a), "cpu"));
  if (sortBy === "memory")
    return (a, b) => quantityValue(quantityOf(use(b), "memory")) - quantityValue(quantityOf(use(a), "memory"));
  return otherwise;
}

function quantityOf(usage: Usage, resource: string): Quantity {
  return usage.get(resource) ?? zero;
}

function usageOf({ containers }: PodMetrics): Usage {
  return total(containers);
}

function total(containers: PodMetrics["containers"]): Usage {
  const sum = new Map<string, Quantity>();
  for (const { usage } of containers) {
    for (const [resource, quantity] of usage) sum.set(resource, addQuantities(sum.get(resource) ?? zero, quantity));
  }
  return sum;
}

function amounts(usage: Usage, measured: Measured): readonly string[] {
  return measured.map((resource) => amount(usage, resource));
}

function amount(usage: Usage, resource: Measured[number]): string {
  const quantity = quantityOf(usage, resource);
  return resource === "cpu" ? `${quantityMilliValue(quantity)}m` : `${Math.trunc(quantityValue(quantity) / mebibyte)}Mi`;
}

/** A column of its own, of nodes that say how much there is. */
function share(usage: Usage, available: Usage | undefined, resource: Measured[number]): readonly string[] {
  const whole = available?.get(resource);
  if (whole === undefined) return [];
  if (isZeroQuantity(whole)) return ["0%"];
  return [`${Math.trunc((quantityMilliValue(quantityOf(usage, resource)) / quantityMilliValue(whole)) * 100)}%`];
}
