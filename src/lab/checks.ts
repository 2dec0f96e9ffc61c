// Lab checks are CEL over the live cluster. The vocabulary:
//   objects(resource)                     all objects of a kind, `objects("pods")`
//   objects(resource, namespace)          those of one namespace
//   object(resource, namespace, name)     one object; "" as namespace for cluster-scoped kinds
//   exists(resource, namespace, name)     whether it is there
//   condition(object, type)               the status of one of its conditions: "True", "False" or "Unknown", also where it has none
//   file(path)                            text of a file on the learner's workstation
//   x509(text)                            what a certificate, a request or a private key says: {kind, commonName, organizations, names, …}
//   signedBy(text, text)                  whether the first certificate is signed by the second, an authority's
//   events(namespace)                     events: {type, reason, message, kind, name, count}
//   logs(namespace, pod[, container])     what a container has written since it last started
//   managers(resource, namespace, name)   who wrote which fields of an object: its metadata.managedFields
//   requests(host)                        what a registry was asked for: {method, path, status, from, user, timeMs}
//   http(from, url)                       last answer to a GET: {code, body, failed, certificate}; from a place, see below
//   http(from, url, host)                 the same of another host at the URL's address, whatever its certificate
//   dns(namespace, name)                  addresses that a Pod of the namespace finds for a name, none when it finds none
//   history                               commands that ended: {line, code, startedMs, endedMs}
//   traffic.name                          counts of a steady client: {sent, failed, sentSinceStep, failedSinceStep}
//   recorded                              values kept by earlier steps
//   observed                              values followed since the step was opened (`observe`)
// Places: "workstation"; a node, for a client among its Pods; "namespace/pod". Pages and names are asked for by themselves,
// a few times a minute, as long as a check looks at them; until there is an answer, checks cannot be judged.
// Besides these, all functions that Kubernetes gives CEL (`src/cluster/cel`): `quantity()`, `ip()`, `cidr()`, `semver()`, `format` …
// Optional fields are read with `.?`: `d.?status.?readyReplicas.orValue(0)`.

import type { Environment } from "@marcbachmann/cel-js";
import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import { lateCel } from "#cluster/cel/late-cel.ts";
import { certificateFacts, isSignedBy } from "./certificate-facts.ts";

/** A command that the learner ran, as the workstation's shell saw it. */
export interface CommandRecord {
  readonly line: string;
  readonly code: number;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** What a steady client has sent, and what of it failed. */
export interface TrafficCounts {
  readonly sent: number;
  readonly failed: number;
}

/** What checks may look at. Undefined: it is not there, or not known yet. */
export interface Observable {
  readonly nowMs: number;
  objects(resource: string, namespace: string | undefined): readonly unknown[];
  object(resource: string, namespace: string, name: string): unknown;
  managers(resource: string, namespace: string, name: string): readonly unknown[] | undefined;
  file(path: string): string | undefined;
  events(namespace: string): readonly unknown[];
  logs(namespace: string, pod: string, container: string): string | undefined;
  requests(host: string): readonly unknown[];
  http(from: string, url: string, host?: string): unknown;
  dns(namespace: string, name: string): readonly string[] | undefined;
  readonly history: readonly CommandRecord[];
  readonly traffic: { readonly [name: string]: TrafficCounts };
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** What is known of the run: values by name. */
export interface Known {
  readonly recorded: { readonly [name: string]: unknown };
  readonly observed: { readonly [name: string]: number | boolean };
  readonly traffic: { readonly [name: string]: TrafficCounts & { readonly [since: string]: number } };
}

/**
 * A compiled expression. Undefined while what it looks at is not there: an object, a file, an answer, a field, a place in a list.
 * Throws for everything else that keeps it from having a value, which is a mistake of its author or of the simulator.
 */
export type Expression = (known: Known) => unknown;

/** What an expression asks for is not there, or not known yet. */
class NotThere extends Error {}

/** Codes of the CEL library's errors that say the same. */
const absenceCodes: ReadonlySet<unknown> = new Set(["no_such_key", "index_out_of_bounds", "optional_value_missing"]);

/** What the API server refuses, or does not answer, is the cluster's word and no mistake. */
function isAbsence(error: unknown): boolean {
  if (error instanceof NotThere || error instanceof ApiError || error instanceof ApiUnreachable) return true;
  return error instanceof Error && "code" in error && absenceCodes.has(error.code);
}

/** Makes expressions over one world, once the tools (`#world/tools.ts`) are there. Throws with the author's mistake when an expression is not CEL. */
export class CheckCompiler {
  readonly #environment: Environment;
  readonly #observable: Observable;

  constructor(observable: Observable) {
    this.#observable = observable;
    const missing = (what: string): never => {
      throw new NotThere(what);
    };
    this.#environment = lateCel.code
      .kubernetesEnvironment()
      .registerVariable("history", "list")
      .registerVariable("recorded", "map")
      .registerVariable("observed", "map")
      .registerVariable("traffic", "map")
      .registerFunction("objects(string): list", (resource: string) => observable.objects(resource, undefined))
      .registerFunction("objects(string, string): list", (resource: string, namespace: string) =>
        observable.objects(resource, namespace),
      )
      .registerFunction(
        "object(string, string, string): dyn",
        (resource: string, namespace: string, name: string) =>
          observable.object(resource, namespace, name) ?? missing(`${resource} ${name}`),
      )
      .registerFunction(
        "exists(string, string, string): bool",
        (resource: string, namespace: string, name: string) => observable.object(resource, namespace, name) !== undefined,
      )
      .registerFunction(
        "managers(string, string, string): list",
        (resource: string, namespace: string, name: string) =>
          observable.managers(resource, namespace, name) ?? missing(`${resource} ${name}`),
      )
      .registerFunction("condition(dyn, string): string", conditionStatus)
      .registerFunction("file(string): string", (path: string) => observable.file(path) ?? missing(`file ${path}`))
      .registerFunction("x509(string): dyn", (text: string) => certificateFacts(text) ?? missing("certificate, request or key"))
      .registerFunction("signedBy(string, string): bool", isSignedBy)
      .registerFunction("events(string): list", (namespace: string) => observable.events(namespace))
      .registerFunction("requests(string): list", (host: string) => observable.requests(host))
      .registerFunction(
        "logs(string, string): string",
        (namespace: string, pod: string) => observable.logs(namespace, pod, "") ?? missing(`pod ${pod}`),
      )
      .registerFunction(
        "logs(string, string, string): string",
        (namespace: string, pod: string, container: string) => observable.logs(namespace, pod, container) ?? missing(`pod ${pod}`),
      )
      .registerFunction(
        "http(string, string): dyn",
        (from: string, url: string) => observable.http(from, url) ?? missing(`answer from ${url}`),
      )
      .registerFunction(
        "http(string, string, string): dyn",
        (from: string, url: string, host: string) => observable.http(from, url, host) ?? missing(`answer from ${url}`),
      )
      .registerFunction(
        "dns(string, string): list",
        (namespace: string, name: string) => observable.dns(namespace, name) ?? missing(`answer about ${name}`),
      );
  }

  compile(source: string): Expression {
    const parsed = this.#environment.parse(source);
    const { valid, error } = parsed.check();
    if (!valid) throw error ?? new Error(`not a CEL expression: ${source}`);
    return (known) => {
      try {
        return parsed({ history: this.#observable.history, ...known });
      } catch (error) {
        if (isAbsence(error)) return undefined;
        throw error;
      }
    };
  }
}

/**
 * The status of an object's condition. One that is not there means the same as Unknown
 * (kubernetes/community, contributors/devel/sig-architecture/api-conventions.md, "Typical status properties").
 */
function conditionStatus(object: unknown, type: string): string {
  const { status } = object as { readonly status?: { readonly conditions?: readonly Condition[] } };
  return status?.conditions?.find((each) => each.type === type)?.status ?? "Unknown";
}

/** An expression's value as text for a person: numbers without exponent, lists joined by commas. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  if (isMap(value)) {
    const pairs = Object.entries(value).map(([key, each]) => `${key}=${valueText(each)}`);
    return pairs.join(", ");
  }
  return value === undefined || value === null ? "" : String(value);
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
