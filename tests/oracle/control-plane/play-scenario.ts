// Plays a scenario on one side, in a namespace of its own: what each step was answered, and what there is at the end.

import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import { normalise, normaliseAnswer, sorted } from "./normalise-answers.ts";
import { placeOf } from "./play-objects.ts";
import type { Scenario, Step } from "./scenario.ts";
import type { Call, Side } from "./side.ts";

/** What is looked at in the namespace at the end. */
const collections = [
  ...["configmaps", "endpoints", "limitranges", "persistentvolumeclaims", "pods", "replicationcontrollers", "resourcequotas"],
  ...["secrets", "serviceaccounts", "services"],
].map((name) => ["v1", name] as const);
const grouped = [
  ["apps/v1", "controllerrevisions"],
  ["apps/v1", "daemonsets"],
  ["apps/v1", "deployments"],
  ["apps/v1", "replicasets"],
  ["apps/v1", "statefulsets"],
  ["autoscaling/v2", "horizontalpodautoscalers"],
  ["batch/v1", "cronjobs"],
  ["batch/v1", "jobs"],
  ["discovery.k8s.io/v1", "endpointslices"],
  ["networking.k8s.io/v1", "ingresses"],
  ["policy/v1", "poddisruptionbudgets"],
  ["rbac.authorization.k8s.io/v1", "roles"],
  ["rbac.authorization.k8s.io/v1", "rolebindings"],
] as const;
const settleLimitMs = 60_000;
const quietMs = 2_500;
const lookMs = 500;
const patchTypes = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
};

export interface Played {
  readonly steps: readonly JsonValue[];
  readonly objects: JsonObject;
  /** By the object that they are about, in the order in which they were written. */
  readonly events: JsonObject;
}

/** `isAlone`: it leaves nothing behind that the next would notice. */
export async function playScenario(side: Side, scenario: Scenario, namespace: string, isAlone: boolean): Promise<Played> {
  await side.ask({
    method: "POST",
    path: "/api/v1/namespaces",
    body: { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  });
  await until(side, async () => {
    const account = await side.ask({ method: "GET", path: `/api/v1/namespaces/${namespace}/serviceaccounts/default` });
    return account.status === 200;
  });
  const { places = false } = scenario;
  const steps: JsonValue[] = [];
  for (const step of scenario.steps) {
    if (step.settle !== undefined) await settle(side, namespace, step.settle * 1000);
    else {
      const answer = normaliseAnswer(await side.ask(callOf(within(step, namespace), namespace)));
      steps.push({ ...answer, body: placed(answer["body"] as JsonValue, places) });
    }
  }
  await settle(side, namespace, 0);
  const objects: { [name: string]: JsonValue } = {};
  for (const [version, resource] of [...collections, ...grouped]) {
    const items = await itemsOf(side, namespace, version, resource);
    if (items.length > 0) objects[resource] = sortedTexts(items.map((item) => placed(normalise(item), places))) as JsonValue;
  }
  const nodes = await ownNodes(side, namespace);
  if (nodes.length > 0) objects["nodes"] = sortedTexts(nodes.map((node) => placed(normalise(node), places))) as JsonValue;
  const ofNodes = (await itemsOf(side, "default", "v1", "events")).filter((event) =>
    String((event["involvedObject"] as JsonObject)["name"]).startsWith(namespace),
  );
  const events = eventsOf([...(await itemsOf(side, namespace, "v1", "events")), ...ofNodes], places);
  await side.ask({ method: "DELETE", path: `/api/v1/namespaces/${namespace}` });
  if (nodes.length > 0 || isAlone) await clear(side, namespace);
  return {
    steps: JSON.parse(JSON.stringify(steps).replaceAll(namespace, "<NAMESPACE>")),
    objects: unnamed(objects, namespace),
    events: unnamed(events, namespace),
  };
}

/** Those whose names begin with the namespace's. */
async function ownNodes(side: Side, namespace: string): Promise<readonly JsonObject[]> {
  const { body } = await side.ask({ method: "GET", path: "/api/v1/nodes" });
  const { items = [] } = body as { readonly items?: readonly JsonObject[] };
  return items.filter(({ metadata }) => String((metadata as JsonObject)["name"]).startsWith(namespace));
}

/** Leaves the nodes as they were before: neither Pods of the scenario nor nodes. */
async function clear(side: Side, namespace: string): Promise<void> {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await until(side, async () => {
    const left = await itemsOf(side, namespace, "v1", "pods");
    for (const { metadata } of left) {
      const path = `${pods}/${String((metadata as JsonObject)["name"])}`;
      await side.ask({ method: "DELETE", path, body: { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 } });
    }
    return left.length === 0;
  });
  await until(side, async () => {
    const left = await ownNodes(side, namespace);
    for (const { metadata } of left)
      await side.ask({ method: "DELETE", path: `/api/v1/nodes/${String((metadata as JsonObject)["name"])}` });
    return left.length === 0;
  });
}

function unnamed(value: JsonObject, namespace: string): JsonObject {
  return JSON.parse(JSON.stringify(value).replaceAll(namespace, "<NAMESPACE>")) as JsonObject;
}

function within(step: Step, namespace: string): Step {
  return JSON.parse(JSON.stringify(step).replaceAll("$NAMESPACE", namespace)) as Step;
}

function callOf(step: Step, namespace: string): Call {
  const who = {
    ...(step.as === undefined ? {} : { as: step.as }),
    ...(step.headers === undefined ? {} : { headers: step.headers }),
  };
  const below = step.subresource === undefined ? "" : `/${step.subresource}`;
  if (step.create !== undefined) {
    const { name } = step.create["metadata"] as { readonly name?: string };
    const { collection } = placeOf(step.create, namespace);
    return { ...who, method: "POST", path: `${collection}${below === "" ? "" : `/${name}${below}`}`, body: step.create };
  }
  if (step.apply !== undefined) {
    const { name } = step.apply["metadata"] as { readonly name: string };
    const query = `fieldManager=${step.manager ?? "applier"}${step.force === true ? "&force=true" : ""}`;
    const path = `${placeOf(step.apply, namespace).collection}/${name}${below}?${query}`;
    return { ...who, method: "PATCH", path, type: "application/apply-patch+yaml", body: step.apply };
  }
  if (step.call !== undefined) {
    const [method = "", path = ""] = step.call.split(" ");
    return { ...who, method, path, ...(step.with === undefined ? {} : { body: step.with }) };
  }
  const named = step.patch ?? step.delete ?? step.get;
  if (named === undefined) throw new Error(`a step does nothing: ${JSON.stringify(step)}`);
  const [apiVersion = "", kind = "", name = ""] = named.split(" ");
  const path = `${placeOf({ apiVersion, kind }, namespace).collection}/${name}${below}`;
  if (step.patch !== undefined)
    return { ...who, method: "PATCH", path, type: patchTypes[step.type ?? "merge"], body: step.with ?? {} };
  if (step.get !== undefined) return { ...who, method: "GET", path };
  return {
    ...who,
    method: "DELETE",
    path,
    ...(step.options === undefined ? {} : { body: { apiVersion: "v1", kind: "DeleteOptions", ...step.options } }),
  };
}

async function itemsOf(side: Side, namespace: string, version: string, resource: string): Promise<readonly JsonObject[]> {
  const root = version.includes("/") ? `/apis/${version}` : `/api/${version}`;
  const { body } = await side.ask({ method: "GET", path: `${root}/namespaces/${namespace}/${resource}` });
  return (body as { readonly items?: readonly JsonObject[] }).items ?? [];
}

async function settle(side: Side, namespace: string, atLeastMs: number): Promise<void> {
  if (atLeastMs > 0) await side.wait(atLeastMs);
  let former = "";
  let sinceMs = side.nowMs;
  await until(side, async () => {
    const versions: string[] = [];
    for (const [version, resource] of [["v1", "events"], ...collections, ...grouped] as const)
      for (const item of await itemsOf(side, namespace, version, resource))
        versions.push(String((item["metadata"] as JsonObject)["resourceVersion"]));
    for (const { metadata } of await ownNodes(side, namespace)) versions.push(String((metadata as JsonObject)["resourceVersion"]));
    const now = versions.join();
    if (now !== former) sinceMs = side.nowMs;
    former = now;
    return side.nowMs - sinceMs >= quietMs;
  });
}

async function until(side: Side, condition: () => Promise<boolean>): Promise<void> {
  const endMs = side.nowMs + settleLimitMs;
  while (!(await condition()) && side.nowMs < endMs) await side.wait(lookMs);
}

/** Told of a node whose addresses are given out twice at once: its second write is refused. */
const chanceEvents: ReadonlySet<string> = new Set(["CIDRAssignmentFailed"]);

/** What happens to Pods of one owner happens to them in any order. */
function eventsOf(events: readonly JsonObject[], places: boolean): JsonObject {
  const inOrder = events
    .filter(({ reason }) => !chanceEvents.has(String(reason)))
    .sort((left, right) => versionOf(left) - versionOf(right));
  const told = Map.groupBy(inOrder, (event) => {
    const about = event["involvedObject"] as JsonObject;
    return `${String(about["kind"])} ${String(normalise(about["name"] as JsonValue))}`;
  });
  const entries = [...told].sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(
    entries.map(([about, list]) => {
      const lines = list.map((event) => {
        const source = (event["source"] as JsonObject)["component"] ?? event["reportingComponent"];
        const count = event["count"] ?? 1;
        const whole = String(normalise(event["message"] as JsonValue));
        const message = places ? whole : whole.replace(/node-[12]/g, "<NODE>");
        return `${String(event["type"])} ${String(event["reason"])} ${JSON.stringify(source)} x${JSON.stringify(count)}: ${message}`;
      });
      return [about, /<CHANCE>|<HASH>/.test(about) ? lines.sort() : withSameSorted(lines)];
    }),
  );
}

/** Pods of chance's names are made and deleted several at once, in any order: those that follow each other stand sorted. */
function withSameSorted(lines: readonly string[]): readonly string[] {
  const runs: string[][] = [];
  let former = "";
  for (const line of lines) {
    const [, kind = ""] = /^(.*?: (?:Created|Deleted) pod: ).*<CHANCE>$/.exec(line) ?? [];
    if (kind === "" || kind !== former) runs.push([]);
    runs.at(-1)?.push(line);
    former = kind;
  }
  return runs.flatMap((run) => run.sort());
}

function versionOf(object: JsonObject): number {
  return Number((object["metadata"] as JsonObject)["resourceVersion"]);
}

/** Without the node that a Pod came to unless `places`, and with the managers of its fields in one order: within a second theirs is that of chance. */
function placed(value: JsonValue, places: boolean): JsonValue {
  if (!isObject(value)) return value;
  const plain = JSON.stringify(value);
  const text = places ? plain : plain.replace(/"node-[12]"/g, '"<NODE>"').replace(/"zone-[ab]"/g, '"<ZONE>"');
  const object = JSON.parse(text) as { readonly metadata?: JsonObject };
  const managedFields = object.metadata?.["managedFields"];
  if (!Array.isArray(managedFields)) return object as unknown as JsonValue;
  return { ...object, metadata: { ...object.metadata, managedFields: sortedTexts(managedFields) } };
}

/** By their texts with fields in the order of their names. */
function sortedTexts(values: readonly JsonValue[]): readonly JsonValue[] {
  return values
    .map((value) => [JSON.stringify(sorted(value)), value] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, value]) => value);
}
