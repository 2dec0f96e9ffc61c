// What an autoscaler asks the API before it decides: the target's scale, then each metric (client-go's scale client,
// pkg/controller/podautoscaler/metrics, k8s.io/metrics). The answers come later where another server has them.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { ApiUnreachable } from "#cluster/api/errors.ts";
import type { Scale, V2HorizontalPodAutoscaler, V2MetricIdentifier, V2MetricSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { formatRequirements, requirementsOf, SelectorError } from "#cluster/api/labels.ts";
import type { JsonValue, ResourceType, Stored } from "#cluster/api/objects.ts";
import { parseQuantity, QuantityError, quantityMilliValue } from "#cluster/api/quantity.ts";
import { goSelectorText } from "#cluster/api/selector-text.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import { isObject, type JsonObject } from "#cluster/api/wire.ts";
import type { Answer, Client } from "#cluster/client/client.ts";
import type { Sample } from "./replica-math.ts";

/** A metric's answer: samples of Pods by name, one value (thousandths), or why there is none. */
export type Measured =
  | { readonly samples: ReadonlyMap<string, Sample> }
  | { readonly value: number }
  | { readonly failure: string };

/** What is to be scaled. */
export interface Target {
  readonly path: string;
  /** As errors about the path name it. */
  readonly subject: string;
  readonly scale: Scale;
}

/** All that one decision needs. */
export interface Findings {
  /** Where the scale is, and what it says; or why there is none. */
  readonly target: Target | { readonly failure: string };
  /** By the metrics of the specification; undefined where the scale alone decides. */
  readonly metrics: readonly Measured[] | undefined;
}

/** Asks for everything and calls `done` once. */
export function findOut(client: Client, autoscaler: Stored<V2HorizontalPodAutoscaler>, done: (findings: Findings) => void): void {
  const located = targetPath(client, autoscaler);
  if ("failure" in located) {
    done({ target: located, metrics: undefined });
    return;
  }
  const { path, subject } = located;
  get(client, path, (answer) => {
    const scale = answer.status === 200 ? (answer.body as Scale | undefined) : undefined;
    if (scale === undefined) done({ target: { failure: failureOf(answer, `get ${subject}`) }, metrics: undefined });
    else askMetrics(client, autoscaler, scale, (metrics) => done({ target: { path, subject, scale }, metrics }));
  });
}

function get(client: Client, target: string, done: (answer: Answer) => void): void {
  try {
    client.ask({ method: "GET", target }, done);
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    done({ status: 503, text: "", body: undefined });
  }
}

function targetPath(
  client: Client,
  { spec, metadata }: Stored<V2HorizontalPodAutoscaler>,
): { readonly path: string; readonly subject: string } | { readonly failure: string } {
  const { apiVersion = "", kind = "", name = "" } = spec?.scaleTargetRef ?? {};
  const parts = apiVersion.split("/");
  if (parts.length > 2) return { failure: `unexpected GroupVersion string: ${apiVersion}` };
  const group = parts.length === 2 ? (parts[0] ?? "") : "";
  const type = typeOf(client, group, kind);
  if (type === undefined) return { failure: `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}` };
  const path = `${pathOf(type, metadata.namespace ?? "")}/${encodeURIComponent(name)}/scale`;
  return { path, subject: `${type.plural} ${name}` };
}

/** Of a group and a kind, in the version that the server prefers. */
function typeOf(client: Client, group: string, kind: string): ResourceType<unknown> | undefined {
  const isMeant = (type: ResourceType<unknown>): boolean => type.group === group && type.kind === kind && client.serves(type);
  return client.customTypes().find(isMeant) ?? kinds.builtInTypes.find(isMeant);
}

function pathOf({ group, version, plural }: ResourceType<unknown>, namespace: string): string {
  return `${group === "" ? `/api/${version}` : `/apis/${group}/${version}`}/namespaces/${namespace}/${plural}`;
}

function qualified({ plural, group }: ResourceType<unknown>): string {
  return group === "" ? plural : `${plural}.${group}`;
}

function askMetrics(
  client: Client,
  { spec, metadata }: Stored<V2HorizontalPodAutoscaler>,
  scale: Scale,
  done: (measured: readonly Measured[] | undefined) => void,
): void {
  const specs = spec?.metrics ?? [];
  const replicas = scale.spec?.replicas ?? 0;
  if (replicas === 0 || replicas > (spec?.maxReplicas ?? 0) || replicas < (spec?.minReplicas ?? 1)) {
    done(undefined);
    return;
  }
  if ((scale.status?.selector ?? "") === "") {
    done([]);
    return;
  }
  const measured: Measured[] = [];
  let left = specs.length;
  for (const [index, metric] of specs.entries()) {
    const asking: Asking = { client, namespace: metadata.namespace ?? "", selector: scale.status?.selector ?? "" };
    const answered = (answer: Measured): void => {
      measured[index] = answer;
      left -= 1;
      if (left === 0) done(measured);
    };
    try {
      askMetric(asking, metric, answered);
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      answered({ failure: error.message });
    }
  }
  if (specs.length === 0) done([]);
}

interface Asking {
  readonly client: Client;
  readonly namespace: string;
  /** Of the target's Pods. */
  readonly selector: string;
}

/** Throws SelectorError. */
function askMetric(asking: Asking, metric: V2MetricSpec, done: (measured: Measured) => void): void {
  const { resource, containerResource, pods, object, external } = metric;
  if (resource !== undefined) askResource(asking, resource.name, "", done);
  else if (containerResource !== undefined) askResource(asking, containerResource.name, containerResource.container, done);
  else if (external !== undefined) askExternal(asking, external.metric, done);
  else if (pods !== undefined) askPods(asking, pods.metric, done);
  else if (object !== undefined) askObject(asking, object, done);
  else done({ failure: `unknown metric source type ${JSON.stringify(metric.type)}` });
}

function askPods(asking: Asking, metric: V2MetricIdentifier, done: (measured: Measured) => void): void {
  const { namespace } = asking;
  const { name } = metric;
  const query = { labelSelector: asking.selector, ...selectorQuery("metricLabelSelector", metric) };
  const question = { place: `namespaces/${namespace}/pods/*/${name}`, subject: "pods.custom.metrics.k8s.io *", query };
  const failed = (why: string) => done({ failure: `unable to get metric ${name}: ${why}` });
  askCustom(asking, question, (result) => {
    if ("failure" in result) failed(`unable to fetch metrics from custom metrics API: ${result.failure}`);
    else if (result.items.length === 0) failed("no metrics returned from custom metrics API");
    else done({ samples: samplesOf(result.items) });
  });
}

/** Of one object; of a namespace always the own. */
function askObject(
  asking: Asking,
  { describedObject: { apiVersion, kind, name }, metric }: NonNullable<V2MetricSpec["object"]>,
  done: (measured: Measured) => void,
): void {
  const { client, namespace } = asking;
  const group = groupOf(apiVersion);
  // The order of the parts is upstream's.
  const failed = (why: string) =>
    done({
      failure: `unable to get metric ${metric.name}: ${kind} on ${namespace} ${name}/unable to fetch metrics from custom metrics API: ${why}`,
    });
  const query = selectorQuery("metricLabelSelector", metric);
  const type = typeOf(client, group, kind);
  const isNamespace = kind === "Namespace" && group === "";
  let question: CustomQuestion | { readonly failure: string };
  if (isNamespace) {
    const subject = `metrics.custom.metrics.k8s.io ${metric.name}`;
    question = { place: `namespaces/${namespace}/metrics/${metric.name}`, subject, query };
  } else if (type === undefined) {
    const qualifiedKind = group === "" ? kind : `${kind}.${group}`;
    const why = `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`;
    question = { failure: `unable to map kind ${qualifiedKind} to resource: ${why}` };
  } else {
    const resource = qualified(type);
    // The client's own group stands behind a name that may have a group already.
    const subject = `${resource}.custom.metrics.k8s.io ${name}`;
    question = { place: `namespaces/${namespace}/${resource}/${name}/${metric.name}`, subject, query };
  }
  askCustom(asking, question, (result) => {
    if ("failure" in result) failed(result.failure);
    else if (result.items.length !== 1)
      failed(`the custom metrics API server returned ${result.items.length} results when we asked for exactly one`);
    else done({ value: milliOf(result.items[0]) });
  });
}

function groupOf(apiVersion = ""): string {
  return apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
}

/** Throws SelectorError. */
function selectorQuery(name: string, { selector }: V2MetricIdentifier): { readonly [name: string]: string } {
  const text = selector === undefined ? "" : formatRequirements(requirementsOf(selector));
  return text === "" ? {} : { [name]: text };
}

function withQuery(path: string, query: { readonly [name: string]: string }): string {
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return text === "" ? path : `${path}?${text}`;
}

/** What metrics-server says of the Pods, or of one container of each. */
function askResource(
  { client, namespace, selector }: Asking,
  name: string,
  container: string,
  done: (measured: Measured) => void,
): void {
  const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`;
  const failed = (why: string) => done({ failure: `unable to get metrics for resource ${name}: ${why}` });
  get(client, withQuery(path, { labelSelector: selector }), (answer) => {
    const items = itemsOf(answer);
    if (items === undefined) {
      failed(`unable to fetch metrics from resource metrics API: ${failureOf(answer, "get pods.metrics.k8s.io")}`);
      return;
    }
    if (items.length === 0) {
      failed("no metrics returned from resource metrics API");
      return;
    }
    const samples = new Map<string, Sample>();
    for (const item of items) {
      const containers = arrayOf(item["containers"]);
      const own = container === "" ? containers : containers.filter((each) => each["name"] === container);
      const pod = nameOf(item);
      const values = own.map(({ usage }) => (isObject(usage) ? usage[name] : undefined));
      // A Pod of which one container says nothing is not measured at all.
      if (values.length > 0 && values.every((value) => typeof value === "string"))
        samples.set(pod, { ...timesOf(item), value: values.reduce<number>((sum, value) => sum + thousandths(value), 0) });
    }
    done({ samples });
  });
}

interface CustomQuestion {
  /** The path below the group's version. */
  readonly place: string;
  /** As errors name it. */
  readonly subject: string;
  readonly query: { readonly [name: string]: string };
}

type CustomAnswer = { readonly items: readonly JsonObject[] } | { readonly failure: string };

const customVersions: readonly string[] = ["v1beta2", "v1beta1"];

/** The group's versions differ, and an adapter may serve one only. */
function askCustom(
  { client }: Asking,
  question: CustomQuestion | { readonly failure: string },
  done: (answer: CustomAnswer) => void,
): void {
  const group = "custom.metrics.k8s.io";
  get(client, `/apis/${group}`, (known) => {
    const version = customVersionOf(known);
    if (version === undefined) {
      const isThere = known.status === 200;
      done({ failure: isThere ? "no known available metric versions found" : `no custom metrics API (${group}) registered` });
      return;
    }
    if ("failure" in question) {
      done(question);
      return;
    }
    get(client, withQuery(`/apis/${group}/${version}/${question.place}`, question.query), (answer) => {
      const items = itemsOf(answer);
      done(items === undefined ? { failure: failureOf(answer, `get ${question.subject}`) } : { items });
    });
  });
}

/** The preferred version, or the first one that is known. */
function customVersionOf({ status, body }: Answer): string | undefined {
  if (status !== 200 || !isObject(body)) return undefined;
  const { preferredVersion } = body;
  const offered = [preferredVersion, ...arrayOf(body["versions"])].map((each) => (isObject(each) ? each["version"] : undefined));
  return offered.filter((version) => typeof version === "string").find((version) => customVersions.includes(version));
}

function askExternal({ client, namespace }: Asking, metric: V2MetricIdentifier, done: (measured: Measured) => void): void {
  const { name, selector } = metric;
  const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${namespace}/${name}`;
  const failed = (why: string) =>
    done({ failure: `unable to get external metric ${namespace}/${name}/${goSelectorText(selector)}: ${why}` });
  get(client, withQuery(path, selectorQuery("labelSelector", metric)), (answer) => {
    const items = itemsOf(answer);
    const subject = `get ${name}.external.metrics.k8s.io`;
    if (items === undefined) failed(`unable to fetch metrics from external metrics API: ${failureOf(answer, subject)}`);
    else if (items.length === 0) failed("no metrics returned from external metrics API");
    else done({ value: items.reduce((sum, item) => sum + milliOf(item), 0) });
  });
}

function samplesOf(items: readonly JsonObject[]): ReadonlyMap<string, Sample> {
  return new Map(
    items.map((item) => {
      const described = item["describedObject"];
      const name = isObject(described) ? String(described["name"] ?? "") : "";
      return [name, { ...timesOf(item), value: milliOf(item) }];
    }),
  );
}

function timesOf(item: JsonObject): { readonly timeMs: number; readonly windowMs: number } {
  const { timestamp, window, windowSeconds } = item;
  const written = typeof window === "string" ? parseGoDuration(window) : undefined;
  // Each group has its own form: a duration, seconds, or seconds under another name.
  const seconds = windowSeconds ?? (typeof window === "number" ? window : 60);
  const windowMs = written !== undefined && "ms" in written ? written.ms : 1000 * Number(seconds);
  return { timeMs: typeof timestamp === "string" ? (tryParseTime(timestamp) ?? 0) : 0, windowMs };
}

function milliOf(item: JsonObject | undefined): number {
  return thousandths(item?.["value"]);
}

function thousandths(value: JsonValue | undefined): number {
  try {
    return quantityMilliValue(parseQuantity(String(value ?? "0")));
  } catch (error) {
    if (error instanceof QuantityError) return 0;
    throw error;
  }
}

function itemsOf({ status, body }: Answer): readonly JsonObject[] | undefined {
  if (status !== 200 || !isObject(body)) return undefined;
  return arrayOf(body["items"]);
}

function arrayOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function nameOf(item: JsonObject): string {
  const { metadata } = item;
  return isObject(metadata) ? String(metadata["name"] ?? "") : "";
}

const messages: { readonly [status: number]: string } = {
  400: "the server rejected our request for an unknown reason",
  404: "the server could not find the requested resource",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};

/** In client-go's words: the server's own, or some for the code (api/errors.NewGenericServerResponse). */
export function failureOf({ status, text, body }: Answer, subject: string): string {
  const own = isObject(body) && body["kind"] === "Status" ? body["message"] : undefined;
  if (typeof own === "string" && own !== "") return own;
  const message =
    messages[status] ?? `an error on the server (${JSON.stringify(text.trim())}) has prevented the request from succeeding`;
  return `${message} (${subject})`;
}
