// The test adapter of kubernetes-sigs/custom-metrics-apiserver: serves metrics that somebody has written before, for autoscalers and people who
// try them. Over HTTPS on 6443 the APIs, over HTTP on 8080 what writes: `POST /write-metrics/namespaces/NAMESPACE/RESOURCE/NAME/METRIC` with a
// quantity in JSON, and labels of the series where there are any (`?labels=verb%3DGET`). External metrics are three fixed series.

import { compileLabelSelector, SelectorError } from "#cluster/api/labels.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { canonicalQuantity, tryParseQuantity } from "#cluster/api/quantity.ts";
import { labelSelectorOf } from "#cluster/api/selector-text.ts";
import { formatTime } from "#cluster/api/time.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import { decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpHandler, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { untilSignalled } from "./go-server.ts";

const [customGroup, externalGroup] = ["custom.metrics.k8s.io", "external.metrics.k8s.io"];
const accountDirectory = "/var/run/secrets/kubernetes.io/serviceaccount";
const yearMs = 365 * 86_400_000;

interface Written {
  readonly namespace: string;
  /** With its group, where it has one: `ingresses.networking.k8s.io`. */
  readonly resource: string;
  readonly name: string;
  readonly metric: string;
  readonly labels: Labels;
  readonly value: string;
}

interface Labels {
  readonly [label: string]: string;
}

const externals: readonly { readonly name: string; readonly labels: Labels; readonly value: string }[] = [
  { name: "my-external-metric", labels: { foo: "bar" }, value: "42" },
  { name: "my-external-metric", labels: { foo: "baz" }, value: "43" },
  { name: "other-external-metric", labels: {}, value: "44" },
];

class Adapter {
  readonly #self: Process;
  readonly #written = new Map<string, Written>();

  constructor(self: Process) {
    this.#self = self;
  }

  readonly write: HttpHandler = (request, _peer, responder) => {
    const { pathname, searchParams } = urlOf(request);
    const match = /^\/write-metrics\/namespaces\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(pathname);
    const value = quoted(decodeUtf8(request.body));
    const labels = labelsOf(searchParams.get("labels") ?? "");
    if (request.method !== "POST" || match === null) reply(responder, 404, { message: "not found" });
    else if (value === undefined) reply(responder, 400, { message: "the body must be a quantity in JSON" });
    else if (labels === undefined) reply(responder, 400, { message: "labels must be a list of NAME=VALUE" });
    else {
      const [, namespace = "", resource = "", name = "", metric = ""] = match.map(decodeURIComponent);
      this.#written.set([namespace, resource, name, metric].join("/"), { namespace, resource, name, metric, labels, value });
      responder.reply(200, {}, noBytes);
    }
  };

  readonly serve: HttpHandler = (request, _peer, responder) => {
    const { pathname: path, searchParams: query } = urlOf(request);
    const [, , group = "", version = "", ...rest] = path.split("/").map(decodeURIComponent);
    try {
      if (group === customGroup && /^v1beta[12]$/.test(version)) this.#custom(rest, query, { version, responder });
      else if (group === externalGroup && version === "v1beta1") this.#external(rest, query, responder);
      else reply(responder, 404, notFound(path));
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      reply(responder, 400, failure(400, "BadRequest", error.message));
    }
  };

  /** Throws SelectorError. */
  #custom(
    [scope = "", namespace = "", resource = "", name = "", metric = ""]: readonly string[],
    query: URLSearchParams,
    { version, responder }: { readonly version: string; readonly responder: HttpResponder },
  ): void {
    const groupVersion = `${customGroup}/${version}`;
    if (scope === "") {
      const names = [...new Set([...this.#written.values()].map((one) => `${one.resource}/${one.metric}`))].sort();
      reply(responder, 200, resourceList(groupVersion, names, "MetricValueList"));
      return;
    }
    // namespaces/NAMESPACE/metrics/METRIC is about the namespace itself.
    const isNamespace = resource === "metrics";
    const wanted = isNamespace ? { resource: "namespaces", name: namespace, metric: name } : { resource, name, metric };
    const metricSelector = query.get("metricLabelSelector") ?? "";
    const matches = compileLabelSelector(metricSelector);
    const found = [...this.#written.values()].filter(
      (one) =>
        one.namespace === namespace &&
        one.resource === wanted.resource &&
        one.metric === wanted.metric &&
        (wanted.name === "*" || one.name === wanted.name) &&
        matches(one.labels),
    );
    const answer = (items: readonly Written[]): void => {
      if (items.length === 0 && wanted.name !== "*") {
        const selected = metricSelector === "" ? "" : ` with selector ${metricSelector}`;
        const message = `the server could not find the metric ${wanted.metric} for ${wanted.resource} ${wanted.name}${selected}`;
        reply(responder, 404, failure(404, "NotFound", message));
      } else
        reply(responder, 200, {
          kind: "MetricValueList",
          apiVersion: groupVersion,
          metadata: {},
          items: items.map(this.#valueIn(version, metricSelector)),
        });
    };
    if (wanted.name !== "*") answer(found);
    else
      this.#selected(wanted.resource, namespace, query.get("labelSelector") ?? "", (names) =>
        answer(found.filter((one) => names.has(one.name))),
      );
  }

  #valueIn(version: string, metricSelector: string): (one: Written) => JsonValue {
    const selector = metricSelector === "" ? {} : { selector: labelSelectorOf(metricSelector) as JsonValue };
    return ({ namespace, resource, name, metric, value }) => ({
      describedObject: { kind: kindOf(resource), namespace, name, apiVersion: "/v1" },
      ...(version === "v1beta1" ? { metricName: metric, ...selector } : { metric: { name: metric, ...selector } }),
      timestamp: formatTime(this.#self.nowMs),
      value,
    });
  }

  /** Throws SelectorError. */
  #external([, , metric = ""]: readonly string[], query: URLSearchParams, responder: HttpResponder): void {
    const groupVersion = `${externalGroup}/v1beta1`;
    if (metric === "") {
      const names = [...new Set(externals.map(({ name }) => name))];
      reply(responder, 200, resourceList(groupVersion, names, "ExternalMetricValueList"));
      return;
    }
    const matches = compileLabelSelector(query.get("labelSelector") ?? "");
    const items = externals
      .filter(({ name, labels }) => name === metric && matches(labels))
      .map(({ name, labels, value }) => ({
        metricName: name,
        metricLabels: labels,
        timestamp: formatTime(this.#self.nowMs),
        value,
      }));
    reply(responder, 200, { kind: "ExternalMetricValueList", apiVersion: groupVersion, metadata: {}, items });
  }

  /** Names of the Pods with these labels, as the API server tells them to the account of the adapter's own Pod. */
  #selected(resource: string, namespace: string, selector: string, done: (names: ReadonlySet<string>) => void): void {
    const self = this.#self;
    self.startThread(function* () {
      const path = `/api/v1/namespaces/${namespace}/${resource}?labelSelector=${encodeURIComponent(selector)}`;
      done(namesIn(yield* askApi(self, path)));
    });
  }
}

function* askApi(self: Process, target: string): Sys<string> {
  const [address = "", port = "443"] = [self.env.get("KUBERNETES_SERVICE_HOST"), self.env.get("KUBERNETES_SERVICE_PORT")];
  try {
    const authorization = `Bearer ${self.readText(`${accountDirectory}/token`).trim()}`;
    const headers = { host: address, accept: "application/json", authorization };
    const tls = { serverName: address };
    const { fd } = yield* self.http({ method: "GET", target, headers, body: noBytes, address, port: Number(port), tls });
    let text = "";
    for (;;) {
      const part = yield* self.read(fd);
      if (part.length === 0) break;
      text += decodeUtf8(part);
    }
    self.close(fd);
    return text;
  } catch (error) {
    if (error instanceof SysError) return "";
    throw error;
  }
}

function namesIn(text: string): ReadonlySet<string> {
  try {
    const { items = [] } = JSON.parse(text) as { readonly items?: readonly { readonly metadata: { readonly name: string } }[] };
    return new Set(items.map(({ metadata }) => metadata.name));
  } catch {
    return new Set();
  }
}

function urlOf(request: HttpRequest): URL {
  return new URL(request.target, "https://adapter");
}

/** Undefined unless the text is a list of equalities. */
function labelsOf(text: string): Labels | undefined {
  if (text === "") return {};
  const pairs = text.split(",").map((pair) => /^([^=]+)=([^=]*)$/.exec(pair));
  return pairs.includes(null) ? undefined : Object.fromEntries(pairs.map((pair) => [pair?.[1]?.trim(), pair?.[2]?.trim()]));
}

function failure(code: number, reason: string, message: string): JsonValue {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
}

function quoted(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/s, "$1");
  return tryParseQuantity(bare) === undefined ? undefined : canonicalQuantity(bare);
}

function resourceList(groupVersion: string, names: readonly string[], kind: string): JsonValue {
  const resources = names.map((name) => ({ name, singularName: "", namespaced: true, kind, verbs: ["get"] }));
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources };
}

function notFound(path: string): JsonValue {
  return { paths: [`/apis/${customGroup}`, `/apis/${externalGroup}`], message: `${path} is not served` };
}

function kindOf(resource: string): string {
  const [plural = ""] = resource.split(".");
  const singular = plural
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch)es$/, "$1")
    .replace(/s$/, "");
  return `${asciiUpperCase(singular.slice(0, 1))}${singular.slice(1)}`;
}

function reply(responder: HttpResponder, status: number, value: JsonValue): void {
  responder.reply(status, { "content-type": "application/json" }, encodeUtf8(`${JSON.stringify(value)}\n`));
}

export const metricsAdapter: Program = (self) => {
  const adapter = new Adapter(self);
  const certificate = {
    commonName: "custom-metrics-apiserver",
    organizations: [],
    alternativeNames: ["localhost"],
    issuer: "custom-metrics-apiserver-ca",
    notBeforeMs: self.nowMs - 3_600_000,
    notAfterMs: self.nowMs + yearMs,
  };
  self.declareUse({ memoryBytes: 20_971_520, cpuMillicores: 2 });
  self.serveHttp({ port: 6443, tls: { certificate }, handler: adapter.serve });
  self.serveHttp({ port: 8080, handler: adapter.write });
  return untilSignalled(self, () => self.pause());
};
