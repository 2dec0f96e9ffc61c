// Extenders: servers that a scheduler asks by HTTP (pkg/scheduler/extender.go; k8s.io/kube-scheduler/extender/v1 has the documents).

import type { Node, Pod } from "#cluster/api/generated/types.ts";
import { JsonSyntaxError, readJson } from "#cluster/api/json-text.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { QuantityError } from "#cluster/api/quantity.ts";
import { isList, isObject, type JsonObject, type JsonValue, jsonKind } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { type BoundByExtender, type ExtenderChain, extenderName, type Filtered } from "../extenders.ts";
import type { Rejection } from "../framework.ts";
import { NodeInfo } from "../node-info.ts";
import type { PodInfo } from "../pod-info.ts";
import type { Candidate } from "../preemption.ts";
import type { PluginScores } from "../trace.ts";
import type { ExtenderCall, Transport } from "./extender-transport.ts";
import type { ExtenderFields } from "./shapes.ts";

const usualTimeoutMs = 5_000;
/** An extender's best score is 10, a plugin's 100. */
const scoreScale = 10;

/** What an extender answered, or why it did not. */
type Answer = { readonly document: JsonValue } | { readonly error: string };

type FilterResult =
  | {
      readonly nodes: readonly NodeInfo[];
      readonly failed: ReadonlyMap<string, string>;
      readonly unresolvable: ReadonlyMap<string, string>;
    }
  | { readonly error: string };

class HttpExtender {
  readonly fields: ExtenderFields;
  readonly #transport: Transport;
  readonly #tls: ExtenderCall["tls"];

  constructor(fields: ExtenderFields, tls: ExtenderCall["tls"], transport: Transport) {
    this.fields = fields;
    this.#tls = tls;
    this.#transport = transport;
  }

  get url(): string {
    return this.fields.urlPrefix ?? "";
  }

  get isIgnorable(): boolean {
    return this.fields.ignorable === true;
  }

  /** Those with resources of their own are asked about Pods that want one. */
  isInterested({ pod }: PodInfo): boolean {
    const managed = new Set((this.fields.managedResources ?? []).map(({ name = "" }) => name));
    if (managed.size === 0) return true;
    const { containers = [], initContainers = [] } = pod.spec ?? {};
    return [...containers, ...initContainers].some(({ resources }) =>
      [...Object.keys(resources?.requests ?? {}), ...Object.keys(resources?.limits ?? {})].some((name) => managed.has(name)),
    );
  }

  filter(pod: PodInfo, nodes: readonly NodeInfo[], done: (result: FilterResult) => void): void {
    this.#send(this.fields.filterVerb ?? "", this.#arguments(pod, nodes), "v1.ExtenderFilterResult", (answer) => {
      done("error" in answer ? answer : this.#filterResult(answer.document, nodes));
    });
  }

  #filterResult(document: JsonValue, nodes: readonly NodeInfo[]): FilterResult {
    const error = textOf(fieldOf(document, "Error"));
    if (error !== "") return { error };
    const left = this.#nodesLeft(document, nodes);
    if ("error" in left) return left;
    return {
      nodes: left.nodes,
      failed: textsOf(fieldOf(document, "FailedNodes")),
      unresolvable: textsOf(fieldOf(document, "FailedAndUnresolvableNodes")),
    };
  }

  #nodesLeft(
    document: JsonValue,
    nodes: readonly NodeInfo[],
  ): { readonly nodes: readonly NodeInfo[] } | { readonly error: string } {
    const names = fieldOf(document, "NodeNames");
    if (this.fields.nodeCacheCapable === true && isList(names)) {
      const unknown = names.find((name) => !nodes.some((node) => node.name === name));
      if (unknown === undefined) return { nodes: names.flatMap((name) => nodes.find((node) => node.name === name) ?? []) };
      const quoted = [this.url, textOf(unknown)].map((one) => JSON.stringify(one));
      return { error: `extender ${quoted[0]} claims a filtered node ${quoted[1]} which is not found in the input node list` };
    }
    try {
      return { nodes: returnedNodes(fieldOf(document, "Nodes")) };
    } catch (error) {
      if (error instanceof QuantityError) return { error: error.message };
      throw error;
    }
  }

  prioritize(pod: PodInfo, nodes: readonly NodeInfo[], done: (scores: ReadonlyMap<string, number>) => void): void {
    this.#send(this.fields.prioritizeVerb ?? "", this.#arguments(pod, nodes), "v1.HostPriorityList", (answer) => {
      const scores = new Map<string, number>();
      if ("document" in answer && isList(answer.document))
        for (const one of answer.document) {
          const host = textOf(fieldOf(one, "Host"));
          scores.set(host, (scores.get(host) ?? 0) + numberOf(fieldOf(one, "Score")));
        }
      done(scores);
    });
  }

  preempt(
    pod: PodInfo,
    candidates: readonly Candidate[],
    nodeOf: (name: string) => NodeInfo | undefined,
    done: (result: { readonly candidates: readonly Candidate[] } | { readonly error: string }) => void,
  ): void {
    const isMeta = this.fields.nodeCacheCapable === true;
    const victims = Object.fromEntries(
      candidates.map(({ nodeName, victims: pods, violations }): [string, JsonValue] => [
        nodeName,
        { Pods: pods.map((one) => (isMeta ? { UID: one.uid } : podDocument(one.pod))), NumPDBViolations: violations },
      ]),
    );
    const body = {
      Pod: podDocument(pod.pod),
      NodeNameToVictims: isMeta ? null : victims,
      NodeNameToMetaVictims: isMeta ? victims : null,
    };
    this.#send(this.fields.preemptVerb ?? "", body, "v1.ExtenderPreemptionResult", (answer) => {
      done("error" in answer ? answer : this.#candidates(answer.document, nodeOf));
    });
  }

  #candidates(
    document: JsonValue,
    nodeOf: (name: string) => NodeInfo | undefined,
  ): { readonly candidates: readonly Candidate[] } | { readonly error: string } {
    const candidates: Candidate[] = [];
    for (const [nodeName, meta] of entriesOf(fieldOf(document, "NodeNameToMetaVictims"))) {
      const node = nodeOf(nodeName);
      if (node === undefined) return { error: `nodeinfo not found for node name ${JSON.stringify(nodeName)}` };
      const victims: PodInfo[] = [];
      for (const one of listOf(fieldOf(meta, "Pods"))) {
        const uid = textOf(fieldOf(one, "UID"));
        const victim = node.pods.get(uid);
        if (victim === undefined) {
          const claim = `extender: ${this.url} claims to preempt pod (UID: &{${uid}}) on node: ${nodeName}`;
          return { error: `${claim}, but the pod is not found on that node` };
        }
        victims.push(victim);
      }
      candidates.push({ nodeName, victims, violations: numberOf(fieldOf(meta, "NumPDBViolations")) });
    }
    return { candidates };
  }

  bind({ pod }: PodInfo, nodeName: string, done: (error: string | undefined) => void): void {
    const { name, namespace = "", uid } = pod.metadata;
    const body = { PodName: name, PodNamespace: namespace, PodUID: uid, Node: nodeName };
    this.#send(this.fields.bindVerb ?? "", body, "v1.ExtenderBindingResult", (answer) => {
      const error = "error" in answer ? answer.error : textOf(fieldOf(answer.document, "Error"));
      done(error === "" ? undefined : error);
    });
  }

  #arguments({ pod }: PodInfo, nodes: readonly NodeInfo[]): JsonObject {
    const isCapable = this.fields.nodeCacheCapable === true;
    const items = nodes.flatMap(({ node }) => (node === undefined ? [] : [nodeDocument(node)]));
    return {
      Pod: podDocument(pod),
      Nodes: isCapable ? null : { metadata: {}, items },
      NodeNames: isCapable ? nodes.map(({ name }) => name) : null,
    };
  }

  #send(verb: string, body: JsonObject, type: string, done: (answer: Answer) => void): void {
    const url = `${this.url.replace(/\/+$/u, "")}/${verb}`;
    const timeoutMs = this.fields.httpTimeout || usualTimeoutMs;
    this.#transport({ url, body: jsonText(body), timeoutMs, tls: this.#tls }, (reply) => {
      if ("error" in reply) done(reply);
      else if (reply.status !== 200) done({ error: `failed ${verb} with extender at URL ${url}, code ${reply.status}` });
      else done(documentOf(reply.text, type));
    });
  }
}

function documentOf(text: string, type: string): Answer {
  if (text.trim() === "") return { error: "EOF" };
  try {
    const document = readJson(text);
    const isRight = document === null || (type === "v1.HostPriorityList" ? isList(document) : isObject(document));
    return isRight ? { document } : { error: `json: cannot unmarshal ${jsonKind(document)} into Go value of type ${type}` };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { error: error.message };
    throw error;
  }
}

/** Go's decoder takes a name in any case of its letters. */
function fieldOf(document: JsonValue | undefined, name: string): JsonValue | undefined {
  if (document === undefined || !isObject(document)) return undefined;
  if (Object.hasOwn(document, name)) return document[name];
  const key = Object.keys(document).find((one) => asciiLowerCase(one) === asciiLowerCase(name));
  return key === undefined ? undefined : document[key];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === "number" ? value : 0;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isList(value) ? value : [];
}

function entriesOf(value: JsonValue | undefined): readonly [string, JsonValue][] {
  return value !== undefined && isObject(value) ? Object.entries(value) : [];
}

function textsOf(value: JsonValue | undefined): ReadonlyMap<string, string> {
  return new Map(entriesOf(value).map(([name, each]) => [name, textOf(each)]));
}

/** As upstream goes on with them: nodes that know of no Pods, whatever runs there. */
function returnedNodes(nodes: JsonValue | undefined): readonly NodeInfo[] {
  return listOf(fieldOf(nodes, "items")).flatMap((item) => {
    const name = textOf(fieldOf(fieldOf(item, "metadata"), "name"));
    const info = new NodeInfo(name, Number.MAX_SAFE_INTEGER);
    info.setNode(item as unknown as Stored<Node>);
    return [info];
  });
}

/** As an informer has it: without kind and version, and without who manages its fields. */
function podDocument(pod: Stored<Pod>): JsonObject {
  const { managedFields: _managed, ...metadata } = pod.metadata;
  return { metadata, spec: pod.spec, status: pod.status ?? {} } as unknown as JsonObject;
}

function nodeDocument(node: Stored<Node>): JsonObject {
  return { metadata: node.metadata, spec: node.spec ?? {}, status: node.status ?? {} } as unknown as JsonObject;
}

/** In the order of the configuration, but those that may be ignored last. */
export function extenderChain(
  extenders: readonly { readonly fields: ExtenderFields; readonly tls: ExtenderCall["tls"] }[],
  transport: Transport,
): ExtenderChain {
  const made = extenders.map(({ fields, tls }) => new HttpExtender(fields, tls, transport));
  return new Chain([...made.filter((one) => !one.isIgnorable), ...made.filter((one) => one.isIgnorable)]);
}

class Chain implements ExtenderChain {
  readonly #extenders: readonly HttpExtender[];

  constructor(extenders: readonly HttpExtender[]) {
    this.#extenders = extenders;
  }

  get hasFilters(): boolean {
    return this.#extenders.some(({ fields }) => (fields.filterVerb ?? "") !== "");
  }

  get hasPrioritizers(): boolean {
    return this.#extenders.some(({ fields }) => (fields.prioritizeVerb ?? "") !== "");
  }

  #interested(pod: PodInfo, verb: "filterVerb" | "prioritizeVerb" | "preemptVerb" | "bindVerb"): readonly HttpExtender[] {
    return this.#extenders.filter((one) => (one.fields[verb] ?? "") !== "" && one.isInterested(pod));
  }

  /** One after the other, each with the nodes that the last one left. */
  filter(pod: PodInfo, nodes: readonly NodeInfo[], done: (answer: Filtered) => void): void {
    const asked = this.#interested(pod, "filterVerb");
    const refused = new Map<string, Rejection>();
    const next = (index: number, left: readonly NodeInfo[]): void => {
      const extender = asked[index];
      if (extender === undefined || left.length === 0) {
        done({ feasible: left, refused });
        return;
      }
      extender.filter(pod, left, (result) => {
        if (!("error" in result)) {
          for (const [name, reason] of result.failed) refused.set(name, refusal(reason, false));
          for (const [name, reason] of result.unresolvable) refused.set(name, refusal(reason, true));
          next(index + 1, result.nodes);
        } else if (extender.isIgnorable) next(index + 1, left);
        else done(result);
      });
    };
    next(0, nodes);
  }

  /** All at once. */
  prioritize(pod: PodInfo, nodes: readonly NodeInfo[], done: (scores: readonly PluginScores[]) => void): void {
    const asked = this.#interested(pod, "prioritizeVerb");
    const scores: PluginScores[] = [];
    let open = asked.length;
    if (open === 0) done(scores);
    for (const extender of asked) {
      extender.prioritize(pod, nodes, (given) => {
        const raw = nodes.map(({ name }) => given.get(name) ?? 0);
        const normalized = raw.map((score) => score * scoreScale);
        if (given.size > 0) scores.push({ plugin: extender.url, weight: extender.fields.weight ?? 0, raw, normalized });
        open -= 1;
        if (open === 0) done(scores);
      });
    }
  }

  preempt(pod: PodInfo, candidates: readonly Candidate[], { nodeOf, done }: Parameters<ExtenderChain["preempt"]>[2]): void {
    const asked = this.#interested(pod, "preemptVerb");
    const next = (index: number, left: readonly Candidate[]): void => {
      const extender = asked[index];
      if (extender === undefined || left.length === 0) {
        done({ candidates: left });
        return;
      }
      extender.preempt(pod, left, nodeOf, (result) => {
        const empty = "error" in result ? undefined : result.candidates.find(({ victims }) => victims.length === 0);
        if ("error" in result) {
          if (extender.isIgnorable) next(index + 1, left);
          else done(result);
        } else if (empty === undefined) next(index + 1, result.candidates);
        else if (extender.isIgnorable)
          next(
            index + 1,
            result.candidates.filter(({ victims }) => victims.length > 0),
          );
        else done({ error: `expected at least one victim pod on node ${JSON.stringify(empty.nodeName)}` });
      });
    };
    next(0, candidates);
  }

  binds(pod: PodInfo): boolean {
    return this.#interested(pod, "bindVerb").length > 0;
  }

  bind(pod: PodInfo, nodeName: string, done: (answer: BoundByExtender) => void): void {
    const asked = this.#interested(pod, "bindVerb");
    const next = (index: number): void => {
      const extender = asked[index];
      if (extender === undefined) {
        done({ kind: "ignored" });
        return;
      }
      extender.bind(pod, nodeName, (error) => {
        if (error === undefined) done({ kind: "bound" });
        else if (extender.isIgnorable) next(index + 1);
        else done({ kind: "failed", error });
      });
    };
    next(0);
  }
}

function refusal(reason: string, unresolvable: boolean): Rejection {
  return { plugin: extenderName, reasons: [reason], unresolvable };
}
