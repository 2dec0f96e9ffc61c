import { describe, expect, it } from "vitest";
import type { Pod } from "#cluster/api/generated/types.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { Simulation } from "#sim/simulation.ts";
import { exchange, json } from "../http/http-call.test-kit.ts";
import { ApiServer } from "../server.ts";

const path = "/api/v1/namespaces/default/pods";
const strategic = { "content-type": "application/strategic-merge-patch+json" };

class Requests {
  readonly #server: ApiServer;

  constructor(disableAdmissionPlugins: readonly string[] = ["ServiceAccount"]) {
    const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
    this.#server = new ApiServer({ simulation, disableAdmissionPlugins });
    this.#server.start();
  }

  /** An account of the namespace, or another version of it. */
  putAccount(method: "POST" | "PUT", account: object): number {
    const target = `/api/v1/namespaces/default/serviceaccounts${method === "PUT" ? "/default" : ""}`;
    const body = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" }, ...account };
    return exchange(this.#server, method, target, body as JsonValue).status;
  }

  send(method: string, target: string, body?: object) {
    const reply = exchange(this.#server, method, `${path}${target}`, body as JsonValue, method === "PATCH" ? strategic : {});
    return { code: reply.status, warning: reply.headers["warning"], body: json(reply) };
  }

  /** Code and message of a refusal. */
  refusal(method: string, target: string, body?: object): readonly unknown[] {
    const reply = this.send(method, target, body);
    return [reply.code, reply.body["message"]];
  }

  create(container: object = {}, metadata: object = { name: "web" }, spec: object = {}) {
    const containers = [{ name: "c", image: "nginx:1.27", ...container }];
    return this.send("POST", "", { apiVersion: "v1", kind: "Pod", metadata, spec: { containers, ...spec } });
  }

  table(): readonly object[] {
    const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    return json(exchange(this.#server, "GET", path, undefined, headers))["rows"] as readonly object[];
  }

  pod(name = "web"): Pod {
    return this.send("GET", `/${name}`).body as Pod;
  }
}

function withPod(container: object = {}, spec: object = {}): Requests {
  const requests = new Requests();
  expect(requests.create(container, { name: "web" }, spec).code).toBe(201);
  return requests;
}

describe("creating pods", () => {
  it("[POD-134] [POD-135] [POD-565] names: a DNS subdomain, free, in the namespace of the path, made when asked for", () => {
    const requests = withPod();
    const refusal = (metadata: object) => {
      const { code, body } = requests.create({}, metadata);
      return [code, body["message"]];
    };
    expect(refusal({ name: "web" })).toEqual([409, 'pods "web" already exists']);
    expect(refusal({ name: "Web_1" })).toEqual([
      422,
      "Pod \"Web_1\" is invalid: metadata.name: Invalid value: \"Web_1\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ]);
    expect(refusal({})).toEqual([422, 'Pod "" is invalid: metadata.name: Required value: name or generateName is required']);
    expect(refusal({ name: "x", namespace: "other" })).toEqual([
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ]);
    const { name, uid, creationTimestamp } = requests.create({}, { generateName: "web-" }).body["metadata"] as {
      [field: string]: string;
    };
    expect(name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect([uid?.length, creationTimestamp]).toEqual([36, "2026-01-01T00:00:00Z"]);
  });

  it("[POD-443] [POD-440] [POD-442] keeps the form of amounts, with a warning for parts of bytes", () => {
    const requests = new Requests();
    const limits = { cpu: "1.5", memory: "129e6" };
    const { code, warning, body } = requests.create({ resources: { requests: { cpu: "0.5", memory: "400m" }, limits } });
    expect([code, warning]).toEqual([
      201,
      '299 - "spec.containers[0].resources.requests[memory]: fractional byte value \\"400m\\" is invalid, must be an integer"',
    ]);
    const spec = body["spec"] as NonNullable<Pod["spec"]>;
    expect(spec.containers[0]?.resources).toEqual({
      requests: { cpu: "500m", memory: "400m" },
      limits: { cpu: "1500m", memory: "129e6" },
    });
  });

  it("[POD-056] [POD-121] runs as an account of its namespace, with that account's token and secrets", () => {
    const requests = new Requests([]);
    expect(requests.putAccount("POST", { imagePullSecrets: [{ name: "registry" }] })).toBe(201);
    requests.create();
    requests.create({}, { name: "own" }, { imagePullSecrets: [{ name: "mine" }] });
    expect(requests.putAccount("PUT", { imagePullSecrets: [{ name: "other" }] })).toBe(200);
    const secretsOf = (name: string) => requests.pod(name).spec?.imagePullSecrets;
    expect([secretsOf("web"), secretsOf("own")]).toEqual([[{ name: "registry" }], [{ name: "mine" }]]);
    const { volumes = [], containers = [], serviceAccountName } = requests.pod().spec ?? {};
    expect(serviceAccountName).toBe("default");
    const [volume] = volumes;
    expect(volume?.name).toMatch(/^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(volume?.projected?.sources?.map((source) => Object.keys(source)[0])).toEqual([
      "serviceAccountToken",
      "configMap",
      "downwardAPI",
    ]);
    expect(containers[0]?.volumeMounts).toEqual([
      { name: volume?.name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
    ]);
  });

  it("[POD-120] tolerates nodes that are away for 300 s", () => {
    const requests = withPod();
    expect(requests.pod().spec?.tolerations).toEqual(
      ["not-ready", "unreachable"].map((name) => ({
        key: `node.kubernetes.io/${name}`,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      })),
    );
  });
});

describe("tables of pods", () => {
  it("mark those that are done", () => {
    const requests = withPod();
    expect(requests.table()[0]).not.toHaveProperty("conditions");
    requests.send("PATCH", "/web/status", { status: { phase: "Succeeded" } });
    expect(requests.table()[0]).toMatchObject({
      conditions: [{ type: "Completed", status: "True", reason: "Succeeded", message: "The pod has completed successfully." }],
    });
  });
});

describe("pods/status", () => {
  it("[POD-175] [POD-176] is written by itself only", () => {
    const requests = withPod();
    const before = requests.pod().metadata?.resourceVersion;
    expect(requests.send("PATCH", "/web", { status: { phase: "Failed" } }).code).toBe(200);
    expect([requests.pod().status?.phase, requests.pod().metadata?.resourceVersion]).toEqual(["Pending", before]);
    const conditions = [{ type: "www.example.com/feature-1", status: "True" }];
    expect(requests.send("PATCH", "/web/status", { status: { conditions } }).code).toBe(200);
    const written = conditions.map((condition) => ({ ...condition, lastProbeTime: null, lastTransitionTime: null }));
    expect(requests.pod().status?.conditions).toEqual(written);
  });
});

describe("pods/ephemeralcontainers", () => {
  it("[POD-341] adds a container with defaults, as an update of its own", () => {
    const requests = withPod();
    const ephemeralContainers = [{ name: "debugger", image: "busybox", targetContainerName: "c" }];
    const { code, body } = requests.send("PATCH", "/web/ephemeralcontainers", { spec: { ephemeralContainers } });
    expect(code).toBe(200);
    const { metadata, spec } = body as Pod;
    expect(spec?.ephemeralContainers).toEqual([
      {
        name: "debugger",
        image: "busybox",
        targetContainerName: "c",
        resources: {},
        imagePullPolicy: "Always",
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
      },
    ]);
    expect(metadata?.generation).toBe(2);
    expect(metadata?.managedFields?.map(({ subresource }) => subresource)).toEqual([undefined, "ephemeralcontainers"]);
    expect(requests.send("GET", "/web/ephemeralcontainers").body["spec"]).toEqual(spec);
  });

  it("[POD-355] takes a Pod, not the kind that once was", () => {
    const body = { apiVersion: "v1", kind: "EphemeralContainers", metadata: { name: "web" }, ephemeralContainers: [] };
    expect(withPod().refusal("PUT", "/web/ephemeralcontainers", body)).toEqual([
      400,
      'EphemeralContainers in version "v1" cannot be handled as a Pod: no kind "EphemeralContainers" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ]);
  });
});

describe("pods/resize", () => {
  const resizeTo = (cpu: string) => ({ spec: { containers: [{ name: "c", resources: { requests: { cpu } } }] } });

  it("[POD-449] is the only way to other resources", () => {
    const requests = withPod({ resources: { requests: { cpu: "1" } } });
    expect(requests.send("PATCH", "/web", resizeTo("2")).code).toBe(422);
    expect(requests.send("PATCH", "/web/resize", resizeTo("2")).code).toBe(200);
    const { metadata, spec } = requests.pod();
    expect([metadata?.generation, spec?.containers[0]?.resources]).toEqual([2, { requests: { cpu: "2" } }]);
  });

  it("does not change the class of the pod", () => {
    const requests = withPod();
    expect(requests.refusal("PATCH", "/web/resize", resizeTo("1"))).toEqual([
      422,
      'Pod "web" is invalid: spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing',
    ]);
  });
});

describe("pods/binding", () => {
  const to = (name: string, metadata: object = {}) => ({
    apiVersion: "v1",
    kind: "Binding",
    metadata: { name: "web", ...metadata },
    target: { kind: "Node", name },
  });

  it("[POD-566] [API-287] gives a pod its node, once", () => {
    const requests = withPod();
    requests.send("PATCH", "/web/status", { status: { nominatedNodeName: "m" } });
    const labels = { "topology.kubernetes.io/zone": "a" };
    expect(requests.send("POST", "/web/binding", to("n", { labels }))).toMatchObject({
      code: 201,
      body: { kind: "Status", status: "Success", code: 201 },
    });
    const { metadata, spec, status } = requests.pod();
    expect([metadata?.labels, spec?.nodeName, status?.nominatedNodeName]).toEqual([labels, "n", undefined]);
    expect(status?.conditions?.map(({ type, status }) => [type, status])).toEqual([["PodScheduled", "True"]]);
    expect(requests.refusal("POST", "/web/binding", to("n"))).toEqual([
      409,
      'Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "n"',
    ]);
  });

  it.each<readonly [string, object, number, string]>([
    ["another name", to("n", { name: "w" }), 400, "name in URL does not match name in Binding object"],
    [
      "no node",
      { ...to(""), target: { kind: "Pod" } },
      500,
      '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
    ],
    [
      "a gated pod",
      to("n"),
      409,
      'Operation cannot be fulfilled on pods/binding "web": pod web has non-empty .spec.schedulingGates',
    ],
  ])("refuses %s", (_title, binding, code, message) => {
    const requests = withPod({}, { schedulingGates: [{ name: "example.com/wait" }] });
    expect(requests.refusal("POST", "/web/binding", binding)).toEqual([code, message]);
  });

  it("refuses another pod of that name", () => {
    const requests = withPod();
    const { uid } = requests.pod().metadata ?? {};
    expect(requests.refusal("POST", "/web/binding", to("n", { uid: "1" }))).toEqual([
      409,
      `Operation cannot be fulfilled on pods "web": StorageError: invalid object, Code: 4, Key: /registry/pods/default/web, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: 1, UID in object meta: ${uid}`,
    ]);
  });

  it("[API-288] keeps no object", () => {
    expect(withPod().send("GET", "/web/binding").code).toBe(405);
  });
});
