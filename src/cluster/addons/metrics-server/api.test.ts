// Expected: metrics-server v0.8.0, pkg/api/{pod,node,table,filter}.go over a generic API server.

import { describe, expect, it } from "vitest";
import type { Node, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { HttpHeaders, HttpPeer, HttpResponder } from "#sim/http.ts";
import { metricsApi } from "./api.ts";
import { MetricStorage } from "./metric-storage.ts";
import type { Point } from "./points.ts";

const nowMs = Date.UTC(2026, 0, 1, 0, 2);

function point(ageSeconds: number, cpuNanoSeconds: number, memoryBytes: number): Point {
  return { startMs: 0, timeMs: nowMs - ageSeconds * 1000, cpuNanoSeconds, memoryBytes };
}

function metadata(name: string, namespace: string, labels?: { readonly [key: string]: string }) {
  const common = { name, uid: name, resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
  return { ...common, ...(namespace === "" ? {} : { namespace }), ...(labels === undefined ? {} : { labels }) };
}

const pods: readonly Stored<Pod>[] = [
  { apiVersion: "v1", kind: "Pod", metadata: metadata("web", "default", { app: "web" }) },
  { apiVersion: "v1", kind: "Pod", metadata: metadata("new", "default", { app: "web" }) },
  { apiVersion: "v1", kind: "Pod", metadata: metadata("db", "data", { app: "db" }) },
];
const nodes: readonly Stored<Node>[] = [
  { apiVersion: "v1", kind: "Node", metadata: metadata("node-1", "") },
  { apiVersion: "v1", kind: "Node", metadata: metadata("node-2", "") },
];

function measured(): MetricStorage {
  const storage = new MetricStorage(15_000);
  for (const [age, cpu] of [
    [20, 1_000_000_000],
    [5, 4_000_000_123],
  ] as const) {
    storage.store({
      nodes: new Map([["node-1", point(age, cpu, 417_882_112)]]),
      pods: new Map([
        [
          "default/web",
          new Map([
            ["nginx", point(age, cpu, 10_485_760)],
            ["side", point(age, cpu / 2, 12_288)],
          ]),
        ],
        ["data/db", new Map([["db", point(age, cpu, 4096)]])],
      ]),
    });
  }
  return storage;
}

interface Asked {
  readonly method?: string;
  readonly headers?: HttpHeaders;
  readonly storage?: MetricStorage;
}

const peer: HttpPeer = {
  address: { address: "172.18.0.2", port: 40000 },
  local: { address: "10.244.1.5", port: 10250 },
  certificate: undefined,
  secure: true,
};

const failures: string[] = [];

function ask(target: string, { method = "GET", headers = {}, storage = measured() }: Asked = {}): string {
  const health = {
    hasSynced: () => true,
    isReady: () => storage.isReady,
    onFailure: (name: string) => void failures.push(name),
  };
  const handler = metricsApi({ storage, health, nowMs: () => nowMs, nodes: () => nodes, pods: () => pods });
  let answer = "";
  const responder: HttpResponder = {
    reply: (status, own, body) => {
      answer = `${status} ${own["content-type"]} ${decodeUtf8(body)}`.replace(" application/json ", " ");
    },
    stream: () => {
      throw new Error("nothing here is streamed");
    },
    upgrade: () => {
      throw new Error("nothing here is upgraded");
    },
  };
  handler({ method, target, headers: { "x-remote-user": "jane", ...headers }, body: new Uint8Array() }, peer, responder);
  return answer;
}

const root = "/apis/metrics.k8s.io/v1beta1";
const asTable = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" };
const names = (target: string): readonly string[] =>
  JSON.parse(ask(target).slice(4)).items.map(({ metadata: { name } }: { metadata: { name: string } }) => name);

describe("metrics.k8s.io/v1beta1", () => {
  it.each([
    [
      "/apis",
      '200 {"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"metrics.k8s.io","versions":[{"groupVersion":"metrics.k8s.io/v1beta1","version":"v1beta1"}],"preferredVersion":{"groupVersion":"metrics.k8s.io/v1beta1","version":"v1beta1"}}]}\n',
    ],
    [
      "/apis/metrics.k8s.io",
      '200 {"kind":"APIGroup","apiVersion":"v1","name":"metrics.k8s.io","versions":[{"groupVersion":"metrics.k8s.io/v1beta1","version":"v1beta1"}],"preferredVersion":{"groupVersion":"metrics.k8s.io/v1beta1","version":"v1beta1"}}\n',
    ],
    [
      root,
      '200 {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"metrics.k8s.io/v1beta1","resources":[{"name":"nodes","singularName":"","namespaced":false,"kind":"NodeMetrics","verbs":["get","list"]},{"name":"pods","singularName":"","namespaced":true,"kind":"PodMetrics","verbs":["get","list"]}]}\n',
    ],
    [
      `${root}/namespaces/default/pods/web`,
      '200 {"kind":"PodMetrics","apiVersion":"metrics.k8s.io/v1beta1","metadata":{"name":"web","namespace":"default","creationTimestamp":"2026-01-01T00:02:00Z","labels":{"app":"web"}},"timestamp":"2026-01-01T00:01:55Z","window":"15s","containers":[{"name":"nginx","usage":{"cpu":"200000008n","memory":"10Mi"}},{"name":"side","usage":{"cpu":"100000004n","memory":"12Ki"}}]}\n',
    ],
    [
      `${root}/nodes`,
      '200 {"kind":"NodeMetricsList","apiVersion":"metrics.k8s.io/v1beta1","metadata":{},"items":[{"metadata":{"name":"node-1","creationTimestamp":"2026-01-01T00:02:00Z"},"timestamp":"2026-01-01T00:01:55Z","window":"15s","usage":{"cpu":"200000008n","memory":"408088Ki"}}]}\n',
    ],
    ["/openapi/v2", "404 text/plain; charset=utf-8 404 page not found\n"],
    ["/apis/metrics.k8s.io/v1", "404 text/plain; charset=utf-8 404 page not found\n"],
  ])("answers %s", (target, expected) => {
    expect(ask(target)).toBe(expected);
  });

  it("answers discovery in its aggregated form", () => {
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    const [head, ...rest] = ask("/apis", { headers: { accept } }).split(" {");
    expect([head, JSON.parse(`{${rest.join(" {")}`)]).toMatchObject([
      "200 application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
      { items: [{ metadata: { name: "metrics.k8s.io" }, versions: [{ version: "v1beta1", freshness: "Current" }] }] },
    ]);
  });

  it("answers Tables of four columns, without any when there is no row", () => {
    expect(ask(`${root}/pods?labelSelector=app%3Dweb`, { headers: asTable })).toBe(
      '200 {"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"columnDefinitions":[{"name":"Name","type":"string","format":"name","description":"Name of the resource","priority":0},{"name":"cpu","type":"string","format":"quantity","description":"","priority":0},{"name":"memory","type":"string","format":"quantity","description":"","priority":0},{"name":"Window","type":"string","format":"duration","description":"","priority":0}],"rows":[{"cells":["web","300000012n","10252Ki","15s"],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"web","namespace":"default","creationTimestamp":"2026-01-01T00:02:00Z","labels":{"app":"web"}}}}]}\n',
    );
    expect(ask(`${root}/pods?labelSelector=app%3Dnone`, { headers: asTable })).toBe(
      '200 {"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"columnDefinitions":null,"rows":null}\n',
    );
  });

  it("selects by namespace, labels and name, in the order of names", () => {
    expect([
      names(`${root}/pods`),
      names(`${root}/namespaces/default/pods`),
      names(`${root}/pods?labelSelector=app%3Ddb`),
      names(`${root}/pods?fieldSelector=metadata.name%3Dweb`),
      names(`${root}/pods?fieldSelector=metadata.namespace!%3Ddefault`),
    ]).toEqual([["db", "web"], ["web"], ["db"], ["web"], ["db"]]);
  });

  it.each([
    [`${root}/namespaces/default/pods/new`, {}, 404, 'podmetrics.metrics.k8s.io "default/new" not found'],
    [`${root}/namespaces/default/pods/gone`, {}, 404, 'pods "gone" not found'],
    [`${root}/nodes/node-2`, {}, 404, 'nodemetrics.metrics.k8s.io "node-2" not found'],
    [`${root}/nodes/node-9`, {}, 404, 'node "node-9" not found'],
    [`${root}/pods?watch=true`, {}, 405, 'watch is not supported on resources of kind "pods.metrics.k8s.io"'],
    [`${root}/nodes/node-1`, { method: "DELETE" }, 405, 'delete is not supported on resources of kind "nodes.metrics.k8s.io"'],
    [
      `${root}/namespaces/default/pods/web`,
      { headers: { "x-remote-user": "" } },
      403,
      'pods.metrics.k8s.io "web" is forbidden: User "system:anonymous" cannot get resource "pods" in API group "metrics.k8s.io" in the namespace "default"',
    ],
    ["/apis", { headers: { "x-remote-user": "" } }, 403, 'forbidden: User "system:anonymous" cannot get path "/apis"'],
  ])("refuses %s %j", (target, asked, code, message) => {
    const answer = ask(target, asked);
    expect([answer.slice(0, 3), JSON.parse(answer.slice(4)).message]).toEqual([String(code), message]);
  });

  it("is ready once there are metrics, and says what is missing before", () => {
    const headers = { "x-remote-user": "" };
    const empty = new MetricStorage(15_000);
    expect([ask("/readyz", { headers }), ask("/livez", { headers, storage: empty })]).toEqual([
      "200 text/plain; charset=utf-8 ok",
      "200 text/plain; charset=utf-8 ok",
    ]);
    failures.length = 0;
    expect(ask("/readyz", { headers, storage: empty })).toBe(`500 text/plain; charset=utf-8 [+]ping ok
[+]log ok
[+]poststarthook/max-in-flight-filter ok
[+]poststarthook/storage-object-count-tracker-hook ok
[-]metric-storage-ready failed: reason withheld
[+]metric-informer-sync ok
[+]metadata-informer-sync ok
[+]shutdown ok
readyz check failed
`);
    expect(failures).toEqual(["metric-storage-ready"]);
  });
});
