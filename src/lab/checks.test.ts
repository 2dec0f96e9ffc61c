import { describe, expect, it } from "vitest";
import { ApiUnreachable, badRequest } from "#cluster/api/errors.ts";
import { CheckCompiler, type Observable, valueText } from "./checks.ts";

const deployment = {
  metadata: { name: "web", namespace: "default", uid: "u1" },
  spec: { replicas: 3 },
  status: { readyReplicas: 2, conditions: [{ type: "Available", status: "False" }] },
};
const observable: Observable = {
  nowMs: 0,
  events: (namespace) => (namespace === "default" ? [{ type: "Warning", reason: "BackOff", name: "web-1", count: 4 }] : []),
  logs: (_namespace, pod, container) => (pod === "web-1" ? `log of ${container || "the only one"}\n` : undefined),
  requests: (host) => (host === "docker.io" ? [{ method: "HEAD", path: "/v2/library/nginx/manifests/1.27", status: 200 }] : []),
  http: (from, url, host) => {
    if (host !== undefined) return { code: 200, body: "", failed: false, certificate: host };
    return from === "node-1" && url === "http://web" ? { code: 200, body: "hello", failed: false } : undefined;
  },
  dns: (namespace, name) => {
    if (name !== "web") return undefined;
    return namespace === "default" ? ["10.96.0.20"] : [];
  },
  traffic: {},
  objects: (resource, namespace) => (resource === "deployments" && namespace !== "other" ? [deployment] : []),
  object: (resource, namespace, name) =>
    resource === "deployments" && namespace === "default" && name === "web" ? deployment : undefined,
  managers: (_resource, _namespace, name) => (name === "web" ? [{ manager: "curl", operation: "Update" }] : undefined),
  file: (path) => (path === "a.yaml" ? "kind: Pod\n" : undefined),
  history: [{ line: "kubectl get pods", code: 0, startedMs: 1, endedMs: 2 }],
};
const traffic = { web: { sent: 9, failed: 1, sentSinceStep: 4, failedSinceStep: 0 } };
const nothing = { recorded: {}, observed: {}, traffic: {} };
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
    ['condition(object("deployments", "default", "web"), "Available") == "False"', true],
    ['objects("deployments").all(d, condition(d, "Progressing") == "Unknown")', true],
    ['managers("deployments", "default", "web").exists(m, m.manager == "curl" && m.?subresource.orValue("") == "")', true],
    ['requests("docker.io").exists(r, r.method == "HEAD" && r.path.endsWith("/1.27")) && requests("quay.io").size() == 0', true],
    ['object("deployments", "default", "web").?status.?availableReplicas.orValue(0) == 0', true],
    ['history.exists(c, c.line.startsWith("kubectl get") && c.code == 0)', true],
    ['recorded.uids == ["u1"]', true],
    ["observed.least == 2 && observed.least > 1", true],
    ['file("a.yaml").contains("Pod")', true],
    ['signedBy(file("a.yaml"), file("a.yaml"))', false],
    ['events("default").exists(e, e.reason == "BackOff" && e.count > 3)', true],
    ['events("other").exists(e, e.reason == "BackOff")', false],
    ['logs("default", "web-1").contains("the only one") && logs("default", "web-1", "app") == "log of app\\n"', true],
    ['http("node-1", "http://web").code == 200 && http("node-1", "http://web").body.contains("hello")', true],
    ['http("node-1", "https://10.0.0.1", "web").certificate == "web"', true],
    ['dns("default", "web") == ["10.96.0.20"] && dns("other", "web").size() == 0', true],
    ["traffic.web.sentSinceStep > 3 && traffic.web.failedSinceStep == 0", true],
  ])("%s is %s", (source, expected) => {
    expect(compiler.compile(source)({ recorded: { uids: ["u1"] }, observed: { least: 2 }, traffic })).toBe(expected);
  });

  it.each([
    ['quantity("1500m").isGreaterThan(quantity("1")) && quantity("1Gi").compareTo(quantity("1024Mi")) == 0', true],
    ['ip("10.96.0.10").family() == 4 && !isIP("10.96.0")', true],
    ['cidr("10.96.0.0/12").containsIP(dns("default", "web")[0])', true],
    ['semver("1.36.0").isLessThan(semver("1.40.0"))', true],
    ['format.dns1123Label().validate("Web").hasValue()', true],
    ['url("https://web.example:8443/a").getHostname() == "web.example"', true],
    ['"a b".split(" ").isSorted() && sets.contains([1, 2], [2])', true],
  ])("knows Kubernetes' functions: %s", (source, expected) => {
    expect(compiler.compile(source)(nothing)).toBe(expected);
  });

  it.each([
    'object("deployments", "default", "api").status.replicas == 1',
    'object("deployments", "default", "web").status.availableReplicas == 1',
    'object("deployments", "default", "web").?status.?availableReplicas.value() == 1',
    'objects("deployments", "other")[0].spec.replicas == 1',
    'condition(object("deployments", "default", "api"), "Available") == "Unknown"',
    'recorded.later == "x"',
    'file("b.yaml") == ""',
    'logs("default", "gone") == ""',
    'x509(file("a.yaml")).commonName == ""',
    'http("node-1", "http://gone").failed',
    'dns("default", "gone").size() == 0',
  ])("has no value while what it looks at is not there: %s", (source) => {
    expect(compiler.compile(source)(nothing)).toBeUndefined();
  });

  it("has no value while the API server does not answer, nor of what it refuses", () => {
    for (const error of [new ApiUnreachable("connection refused"), badRequest("no log yet")]) {
      const silent = new CheckCompiler({
        ...observable,
        object: () => {
          throw error;
        },
      });
      expect(silent.compile('!exists("deployments", "default", "web")')(nothing)).toBeUndefined();
    }
  });

  it.each([
    ['object("deployments", "default", "web").metadata.name > 1', /no such overload/],
    ["1 / 0 == 1", /division by zero/],
    ['int(file("a.yaml")) == 1', /int\(\)/],
    ['quantity(file("a.yaml")).sign() == 1', /quantities must match/],
    ['"a".matches(file("a.yaml") + "(")', /regular expression/],
  ])("throws for what is wrong with the expression itself: %s", (source, message) => {
    expect(() => compiler.compile(source)(nothing)).toThrow(message);
  });

  it("throws what a mistake of the simulator throws", () => {
    const broken = new CheckCompiler({
      ...observable,
      object: () => {
        throw new TypeError("x is not a function");
      },
    });
    expect(() => broken.compile('exists("deployments", "default", "web")')(nothing)).toThrow("x is not a function");
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
