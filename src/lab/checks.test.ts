import { describe, expect, it } from "vitest";
import { CheckCompiler, type Observable, valueText } from "./checks.ts";

const deployment = {
  metadata: { name: "web", namespace: "default", uid: "u1" },
  spec: { replicas: 3 },
  status: { readyReplicas: 2 },
};
const observable: Observable = {
  nowMs: 0,
  events: (namespace) => (namespace === "default" ? [{ type: "Warning", reason: "BackOff", name: "web-1", count: 4 }] : []),
  logs: (_namespace, pod, container) => (pod === "web-1" ? `log of ${container || "the only one"}\n` : undefined),
  requests: (host) => (host === "docker.io" ? [{ method: "HEAD", path: "/v2/library/nginx/manifests/1.27", status: 200 }] : []),
  http: (from, url) => (from === "node-1" && url === "http://web" ? { code: 200, body: "hello", failed: false } : undefined),
  dns: (namespace, name) => (name === "web" ? (namespace === "default" ? ["10.96.0.20"] : []) : undefined),
  traffic: {},
  objects: (resource, namespace) => (resource === "deployments" && namespace !== "other" ? [deployment] : []),
  object: (resource, namespace, name) =>
    resource === "deployments" && namespace === "default" && name === "web" ? deployment : undefined,
  file: (path) => (path === "a.yaml" ? "kind: Pod\n" : undefined),
  history: [{ line: "kubectl get pods", code: 0, startedMs: 1, endedMs: 2 }],
};
const traffic = { web: { sent: 9, failed: 1, sentSinceStep: 4, failedSinceStep: 0 } };
const compiler = new CheckCompiler(observable);

describe("lab checks", () => {
  it.each([
    ['object("deployments", "default", "web").status.readyReplicas == 2', true],
    [
      'object("deployments", "default", "web").status.readyReplicas == object("deployments", "default", "web").spec.replicas',
      false,
    ],
    ['objects("deployments").exists(d, d.metadata.name == "web" && d.spec.replicas >= 3)', true],
    ['objects("deployments", "other").size() == 0', true],
    ['exists("deployments", "default", "api")', false],
    ['requests("docker.io").exists(r, r.method == "HEAD" && r.path.endsWith("/1.27")) && requests("quay.io").size() == 0', true],
    ['object("deployments", "default", "web").?status.?availableReplicas.orValue(0) == 0', true],
    ['history.exists(c, c.line.startsWith("kubectl get") && c.code == 0)', true],
    ['recorded.uids == ["u1"]', true],
    ["observed.least == 2 && observed.least > 1", true],
    ['file("a.yaml").contains("Pod")', true],
    ['events("default").exists(e, e.reason == "BackOff" && e.count > 3)', true],
    ['events("other").exists(e, e.reason == "BackOff")', false],
    ['logs("default", "web-1").contains("the only one") && logs("default", "web-1", "app") == "log of app\\n"', true],
    ['http("node-1", "http://web").code == 200 && http("node-1", "http://web").body.contains("hello")', true],
    ['dns("default", "web") == ["10.96.0.20"] && dns("other", "web").size() == 0', true],
    ["traffic.web.sentSinceStep > 3 && traffic.web.failedSinceStep == 0", true],
  ])("%s is %s", (source, expected) => {
    expect(compiler.compile(source)({ recorded: { uids: ["u1"] }, observed: { least: 2 }, traffic })).toBe(expected);
  });

  const nothing = { recorded: {}, observed: {}, traffic: {} };
  it("throws while what it looks at is not there yet", () => {
    expect(() => compiler.compile('object("deployments", "default", "api").status.replicas == 1')(nothing)).toThrow();
    expect(() => compiler.compile('recorded.later == "x"')(nothing)).toThrow();
    for (const source of [
      'logs("default", "gone") == ""',
      'http("node-1", "http://gone").failed',
      'dns("default", "gone").size() == 0',
    ]) {
      expect(() => compiler.compile(source)(nothing), source).toThrow();
    }
  });

  it.each(["object(", "nosuch(1)", "1 + 'a' == 2"])("refuses %s when it is compiled", (source) => {
    expect(() => compiler.compile(source)).toThrow();
  });

  it("writes values as a person reads them", () => {
    expect([3n, 2, ["a", "b"], null, true, { app: "web", track: "beta" }].map(valueText)).toEqual([
      "3",
      "2",
      "a, b",
      "",
      "true",
      "app=web, track=beta",
    ]);
  });
});
