// The test adapter of kubernetes-sigs/custom-metrics-apiserver: serves metrics that somebody has written before, for autoscalers and people who
// try them. Over HTTPS on 6443 the APIs, over HTTP on 8080 what writes: `POST /write-metrics/namespaces/NAMESPACE/RESOURCE/NAME/METRIC` with a
// quantity in JSON. External metrics are three fixed series.

import { parseLabelSelector } from "#cluster/api/labels.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { canonicalQuantity, tryParseQuantity } from "#cluster/api/quantity.ts";
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
  readonly value: string;
}

const externals = [
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
    const match = /^\/write-metrics\/namespaces\/([^/]+)\/([^/]+)\/([^/]+)\/([^/?]+)$/.exec(request.target);
    const value = quoted(decodeUtf8(request.body));
    if (request.method !== "POST" || match === null) reply(responder, 404, { message: "not found" });
    else if (value === undefined) reply(responder, 400, { message: "the body must be a quantity in JSON" });
    else {
      const [, namespace = "", resource = "", name = "", metric = ""] = match.map(decodeURIComponent);
      this.#written.set([namespace, resource, name, metric].join("/"), { namespace, resource, name, metric, value });
      responder.reply(200, {}, noBytes);
    }
  };

  readonly serve: HttpHandler = (request, _peer, responder) => {
    const { pathname: path, searchParams: query } = new URL(request.target, "https://adapter");
    const [, , group = "", version = "", ...rest] = path.split("/").map(decodeURIComponent);
    if (group === customGroup && /^v1beta[12]$/.test(version)) this.#custom(rest, query, { version, responder, request });
    else if (group === externalGroup && version === "v1beta1") this.#external(rest, query, responder);
    else reply(responder, 404, notFound(path));
  };

  #custom(
    [scope = "", namespace = "", resource = "", name = "", metric = ""]: readonly string[],
    query: URLSearchParams,
    { version, responder }: { readonly version: string; readonly responder: HttpResponder; readonly request: HttpRequest },
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
    const found = [...this.#written.values()].filter(
      (one) =>
        one.namespace === namespace &&
        one.resource === wanted.resource &&
        one.metric === wanted.metric &&
        (wanted.name === "*" || one.name === wanted.name),
    );
    const answer = (items: readonly Written[]): void => {
      if (items.length === 0 && wanted.name !== "*") {
        const message = `the server could not find the metric ${wanted.metric} for ${wanted.resource} ${wanted.name}`;
        reply(responder, 404, {
          kind: "Status",
          apiVersion: "v1",
          metadata: {},
          status: "Failure",
          message,
          reason: "NotFound",
          code: 404,
        });
      } else
        reply(responder, 200, {
          kind: "MetricValueList",
          apiVersion: groupVersion,
          metadata: {},
          items: items.map(this.#valueIn(version)),
        });
    };
    if (wanted.name !== "*") answer(found);
    else
      this.#selected(wanted.resource, namespace, query.get("labelSelector") ?? "", (names) =>
        answer(found.filter((one) => names.has(one.name))),
      );
  }

  #valueIn(version: string): (one: Written) => JsonValue {
    return ({ namespace, resource, name, metric, value }) => ({
      describedObject: { kind: kindOf(resource), namespace, name, apiVersion: "/v1" },
      ...(version === "v1beta1" ? { metricName: metric } : { metric: { name: metric } }),
      timestamp: formatTime(this.#self.nowMs),
      value,
    });
  }

  #external([, , metric = ""]: readonly string[], query: URLSearchParams, responder: HttpResponder): void {
    const groupVersion = `${externalGroup}/v1beta1`;
    if (metric === "") {
      const names = [...new Set(externals.map(({ name }) => name))];
      reply(responder, 200, resourceList(groupVersion, names, "ExternalMetricValueList"));
      return;
    }
    const required = parseLabelSelector(query.get("labelSelector") ?? "");
    const items = externals
      .filter(({ name, labels }) => {
        const own: { readonly [label: string]: string } = labels;
        return name === metric && required.every(({ key, values }) => values.includes(own[key] ?? ""));
      })
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
