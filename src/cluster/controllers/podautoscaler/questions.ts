// What an autoscaler asks the API before it decides: the target's scale, then each metric (client-go's scale client,
// pkg/controller/podautoscaler/metrics, k8s.io/metrics). The answers come later where another server has them.

import { ApiUnreachable } from "#cluster/api/errors.ts";
import type { Scale, V2HorizontalPodAutoscaler, V2MetricSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { formatLabelSelector } from "#cluster/api/labels.ts";
import type { JsonValue, ResourceType, Stored } from "#cluster/api/objects.ts";
import { parseQuantity, QuantityError, quantityMilliValue } from "#cluster/api/quantity.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import { isObject, type JsonObject } from "#cluster/api/wire.ts";
import type { Answer, Client } from "#cluster/client/client.ts";
import type { Sample } from "./replica-math.ts";

/** A metric's answer: samples of Pods by name, one value (thousandths), or why there is none. */
export type Measured =
  | { readonly samples: ReadonlyMap<string, Sample> }
  | { readonly value: number }
  | { readonly failure: string };

/** All that one decision needs. */
export interface Findings {
  /** Where the scale is, and what it says; or why there is none. */
  readonly target: { readonly path: string; readonly scale: Scale } | { readonly failure: string };
  /** By the metrics of the specification; empty where the scale alone decides. */
  readonly metrics: readonly Measured[];
}

/** Asks for everything and calls `done` once. */
export function findOut(client: Client, autoscaler: Stored<V2HorizontalPodAutoscaler>, done: (findings: Findings) => void): void {
  const located = targetPath(client, autoscaler);
  if ("failure" in located) {
    done({ target: located, metrics: [] });
    return;
  }
  const { path, subject } = located;
  get(client, path, (answer) => {
    const scale = answer.status === 200 ? (answer.body as Scale | undefined) : undefined;
    if (scale === undefined) done({ target: { failure: failureOf(answer, `get ${subject}`) }, metrics: [] });
    else askMetrics(client, autoscaler, scale, (metrics) => done({ target: { path, scale }, metrics }));
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
  return { path, subject: `${qualified(type)} ${name}` };
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
  done: (measured: readonly Measured[]) => void,
): void {
  const specs = spec?.metrics ?? [];
  const replicas = scale.spec?.replicas ?? 0;
  const isDecided = replicas === 0 || replicas > (spec?.maxReplicas ?? 0) || replicas < (spec?.minReplicas ?? 1);
  if (isDecided || (scale.status?.selector ?? "") === "") {
    done([]);
    return;
  }
  const measured: Measured[] = [];
  let left = specs.length;
  for (const [index, metric] of specs.entries()) {
    const asking: Asking = { client, namespace: metadata.namespace ?? "", selector: scale.status?.selector ?? "" };
    askMetric(asking, metric, (answer) => {
      measured[index] = answer;
      left -= 1;
      if (left === 0) done(measured);
    });
  }
  if (specs.length === 0) done([]);
}

interface Asking {
  readonly client: Client;
  readonly namespace: string;
  /** Of the target's Pods. */
  readonly selector: string;
}

function askMetric(asking: Asking, metric: V2MetricSpec, done: (measured: Measured) => void): void {
  const { resource, containerResource, pods, object, external } = metric;
  if (resource !== undefined) askResource(asking, resource.name, "", done);
  else if (containerResource !== undefined) askResource(asking, containerResource.name, containerResource.container, done);
  else if (external !== undefined) askExternal(asking, external.metric, done);
  else if (pods !== undefined) {
    const query = { labelSelector: asking.selector, ...selectorQuery("metricLabelSelector", pods.metric.selector) };
    askCustom(asking, { place: `namespaces/${asking.namespace}/pods/*`, metric: pods.metric.name, query }, (items) =>
      done(Array.isArray(items) ? { samples: samplesOf(items) } : (items as Measured)),
    );
  } else if (object !== undefined) {
    const { describedObject: described, metric: own } = object;
    const type = typeOf(asking.client, groupOf(described.apiVersion), described.kind);
    if (type === undefined) {
      done({
        failure: `no matches for kind ${JSON.stringify(described.kind)} in group ${JSON.stringify(groupOf(described.apiVersion))}`,
      });
      return;
    }
    const place =
      described.kind === "Namespace"
        ? `namespaces/${described.name}/metrics`
        : `namespaces/${asking.namespace}/${qualified(type)}/${described.name}`;
    askCustom(asking, { place, metric: own.name, query: selectorQuery("metricLabelSelector", own.selector) }, (items) => {
      if (!Array.isArray(items)) done(items as Measured);
      else done({ value: milliOf(items[0]) });
    });
  } else done({ failure: `unknown metric source type ${JSON.stringify(metric.type)}` });
}

function groupOf(apiVersion = ""): string {
  return apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
}

function selectorQuery(name: string, selector: Parameters<typeof formatLabelSelector>[0]): { readonly [name: string]: string } {
  return selector === undefined ? {} : { [name]: formatLabelSelector(selector) };
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
      if (container !== "" && own.length === 0) {
        failed(`container ${container} not present in metrics for pod ${namespace}/${pod}`);
        return;
      }
      const values = own.map(({ usage }) => (isObject(usage) ? usage[name] : undefined));
      if (values.every((value) => typeof value === "string"))
        samples.set(pod, { ...timesOf(item), value: values.reduce<number>((sum, value) => sum + thousandths(value), 0) });
    }
    done({ samples });
  });
}

interface CustomQuestion {
  readonly place: string;
  readonly metric: string;
  readonly query: { readonly [name: string]: string };
}

/** Gives the items, or a failure. The group's versions differ, and an adapter may serve one only. */
function askCustom(
  { client }: Asking,
  { place, metric, query }: CustomQuestion,
  done: (items: readonly JsonObject[] | { readonly failure: string }) => void,
): void {
  const group = "custom.metrics.k8s.io";
  const failed = (why: string) => done({ failure: `unable to fetch metrics from custom metrics API: ${why}` });
  get(client, `/apis/${group}`, (known) => {
    const { body } = known;
    const preferred = isObject(body) ? body["preferredVersion"] : undefined;
    const version = isObject(preferred) ? preferred["version"] : undefined;
    if (known.status !== 200 || typeof version !== "string") {
      failed(`no custom metrics API (${group}) registered`);
      return;
    }
    get(client, withQuery(`/apis/${group}/${version}/${place}/${metric}`, query), (answer) => {
      const items = itemsOf(answer);
      const [, , resource = "", name = ""] = place.split("/");
      if (items === undefined) failed(failureOf(answer, `get ${resource}.${group} ${name}`.trim()));
      else if (items.length === 0) done({ failure: "no metrics returned from custom metrics API" });
      else done(items);
    });
  });
}

function askExternal(
  { client, namespace }: Asking,
  { name, selector }: NonNullable<V2MetricSpec["external"]>["metric"],
  done: (measured: Measured) => void,
): void {
  const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${namespace}/${name}`;
  get(client, withQuery(path, selectorQuery("labelSelector", selector)), (answer) => {
    const items = itemsOf(answer);
    const subject = `get ${name}.external.metrics.k8s.io`;
    if (items === undefined) done({ failure: `unable to fetch metrics from external metrics API: ${failureOf(answer, subject)}` });
    else if (items.length === 0) done({ failure: "no metrics returned from external metrics API" });
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
  const written = typeof window === "string" ? /^(?:(\d+)m)?([\d.]+)s$/.exec(window) : null;
  const seconds = written === null ? Number(windowSeconds ?? 60) : 60 * Number(written[1] ?? 0) + Number(written[2]);
  return { timeMs: typeof timestamp === "string" ? (tryParseTime(timestamp) ?? 0) : 0, windowMs: seconds * 1000 };
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
