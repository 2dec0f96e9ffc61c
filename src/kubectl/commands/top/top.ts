// kubectl top: what nodes and Pods use, as the metrics API says, which a cluster has only with metrics-server
// (kubectl's pkg/cmd/top).

import { formatGoDuration } from "#cluster/api/duration.ts";
import { parseLabelSelector, SelectorError } from "#cluster/api/labels.ts";
import { parseQuantity, type Quantity } from "#cluster/api/quantity.ts";
import { parseTime } from "#cluster/api/time.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import type { Sys } from "#sim/program.ts";
import type { Query } from "../../client/rest-client.ts";
import type { Command, Context } from "../../context.ts";
import { arrayAt, isObject, type JsonObject, textAt, valueAt } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { nodeTable, podTable, type TopOptions, type Usage } from "./top-tables.ts";

const root = "/apis/metrics.k8s.io/v1beta1";
/** Younger Pods may have none yet. */
const creationDelayMs = 120_000;

const topNode: Command = {
  path: "top node",
  *run(context) {
    const { flags } = context;
    const name = nameOf(context);
    const selector = flags.text("selector");
    checkSortBy(context);
    if (name !== "" && selector !== "") throw new KubectlError("only one of NAME or --selector can be provided");
    const query = queryOf(context, ["labelSelector"]);
    yield* requireMetricsApi(context);
    const metrics = yield* read(context, `${root}/nodes`, name, query);
    if (metrics.length === 0) throw new KubectlError("metrics not available yet");
    const available = new Map<string, Usage>();
    const withoutSwap = new Set<string>();
    for (const node of yield* read(context, "/api/v1/nodes", name, query)) {
      const nodeName = textAt(node, "metadata", "name");
      const swap = valueAt(node, "status", "nodeInfo", "swap", "capacity");
      const own = usageIn(valueAt(node, "status", flags.bool("show-capacity") ? "capacity" : "allocatable"));
      if (typeof swap === "number") own.set("swap", parseQuantity(String(swap)));
      else withoutSwap.add(nodeName);
      available.set(nodeName, own);
    }
    const rows = metrics.map((one) => ({ name: textAt(one, "metadata", "name"), usage: usageIn(valueAt(one, "usage")) }));
    yield* context.out(nodeTable(rows, available, withoutSwap, optionsOf(context)));
  },
};

const topPod: Command = {
  path: "top pod",
  *run(context) {
    const { flags } = context;
    const name = nameOf(context);
    checkSortBy(context);
    if (name !== "" && (flags.text("selector") !== "" || flags.text("field-selector") !== "")) {
      throw new KubectlError("only one of NAME or selector can be provided");
    }
    const query = queryOf(context, ["labelSelector", "fieldSelector"]);
    yield* requireMetricsApi(context);
    const everywhere = flags.bool("all-namespaces");
    const namespace = context.namespace().name;
    const place = everywhere ? "" : `/namespaces/${namespace}`;
    const metrics = yield* read(context, `${root}${place}/pods`, name, query);
    if (metrics.length === 0) {
      yield* explainNone(context, namespace, name, query);
      yield* context.err(everywhere ? "No resources found\n" : `No resources found in ${namespace} namespace.\n`);
      return;
    }
    const rows = metrics.map((one) => ({
      namespace: textAt(one, "metadata", "namespace"),
      name: textAt(one, "metadata", "name"),
      containers: arrayAt(one, "containers").map((container) => ({
        name: textAt(container, "name"),
        usage: usageIn(valueAt(container, "usage")),
      })),
    }));
    const options = { containers: flags.bool("containers"), withNamespace: everywhere, sum: flags.bool("sum") };
    yield* context.out(podTable(rows, { ...optionsOf(context), ...options }));
  },
};

export const topCommands: readonly Command[] = [topNode, topPod];

function nameOf(context: Context): string {
  if (context.args.length > 1) throw context.usageError(`${context.command.path.split(" ").at(-1)} [NAME | -l label]`);
  return context.args[0] ?? "";
}

function checkSortBy({ flags }: Context): void {
  if (!["", "cpu", "memory"].includes(flags.text("sort-by"))) throw new KubectlError("--sort-by accepts only cpu or memory");
}

function optionsOf({ flags }: Context): TopOptions {
  return { noHeaders: flags.bool("no-headers"), sortBy: flags.text("sort-by"), showSwap: flags.bool("show-swap") };
}

function queryOf({ flags }: Context, names: readonly ("labelSelector" | "fieldSelector")[]): Query {
  const selector = flags.text("selector");
  try {
    parseLabelSelector(selector);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new KubectlError(error.message);
  }
  const texts = { labelSelector: selector, fieldSelector: names.includes("fieldSelector") ? flags.text("field-selector") : "" };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));
}

function* requireMetricsApi(context: Context): Sys<void> {
  const groups = yield* context.discovery().groups();
  const group = groups.find(({ name }) => name === "metrics.k8s.io");
  if (group?.versions.includes("v1beta1") !== true) throw new KubectlError("Metrics API not available");
}

/** One object, or a list's. */
function* read(context: Context, path: string, name: string, query: Query): Sys<readonly JsonObject[]> {
  if (name !== "") {
    const one = yield* context.client().json({ method: "GET", path: `${path}/${name}` });
    return isObject(one) ? [one] : [];
  }
  return arrayAt(yield* context.client().json({ method: "GET", path, query }), "items").filter(isObject);
}

/** Pods without metrics are too young, or nobody measures them; without Pods there is nothing to explain. */
function* explainNone(context: Context, namespace: string, name: string, query: Query): Sys<void> {
  const pods = yield* read(context, `/api/v1/namespaces/${namespace}/pods`, name, query);
  if (pods.length === 0) return;
  for (const pod of pods) {
    const ageMs = context.self.nowMs - parseTime(textAt(pod, "metadata", "creationTimestamp"));
    if (ageMs <= creationDelayMs) continue;
    const [podNamespace, podName] = [textAt(pod, "metadata", "namespace"), textAt(pod, "metadata", "name")];
    throw new KubectlError(`Metrics not available for pod ${podNamespace}/${podName}, age: ${formatGoDuration(ageMs)}`);
  }
  throw new KubectlError("metrics not available yet");
}

function usageIn(value: JsonValue | undefined): Map<string, Quantity> {
  const usage = new Map<string, Quantity>();
  for (const [resource, text] of Object.entries(isObject(value) ? value : {})) usage.set(resource, parseQuantity(String(text)));
  return usage;
}
