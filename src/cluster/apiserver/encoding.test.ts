// Objects as they travel. Expected: the struct tags of k8s.io/api, and encoding/json.

import { describe, expect, it } from "vitest";
import { endpointSlices, events, pods } from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, json } from "./http/http-call.test-kit.ts";
import { startServer } from "./test-server.test-kit.ts";

type Fields = { readonly [field: string]: JsonValue };

const core = "/api/v1/namespaces/default";
const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
const claims = `${core}/persistentvolumeclaims`;
const key = { namespace: "default", name: "a" };

function start() {
  const { server, client, simulation } = startServer();
  const get = (path: string) => json(exchange(server, "GET", path)) as { readonly [field: string]: Fields };
  return { server, client, simulation, get };
}

describe("what a field without a value says", () => {
  it("is null for times that never were, as those of a Pod's conditions and ended containers", () => {
    const { client, get } = start();
    client.create(pods, { metadata: key, spec: { containers: [{ name: "c", image: "nginx" }] } });
    const terminated = { exitCode: 137, reason: "ContainerStatusUnknown" };
    const status = { name: "c", image: "nginx", imageID: "", ready: false, restartCount: 0, state: { terminated } };
    const condition = { type: "Ready", status: "False", lastTransitionTime: "2026-01-01T00:00:00Z" };
    client.update(
      pods,
      { ...client.get(pods, key), status: { conditions: [condition], containerStatuses: [status] } },
      { subresource: "status" },
    );
    expect(get(`${core}/pods/a`)["status"]).toMatchObject({
      conditions: [{ ...condition, lastProbeTime: null }],
      containerStatuses: [{ lastState: {}, state: { terminated: { ...terminated, startedAt: null, finishedAt: null } } }],
    });
  });

  it("is null in Events of either group for what only the other knows", () => {
    const { client, get } = start();
    const involvedObject = { kind: "Pod", name: "web", namespace: "default" };
    const time = "2026-01-01T00:00:00Z";
    client.create(events, { metadata: key, involvedObject, reason: "Pulled", firstTimestamp: time, lastTimestamp: time });
    expect(get(`${core}/events/a`)).toMatchObject({ firstTimestamp: time, lastTimestamp: time, eventTime: null });
    expect(get("/apis/events.k8s.io/v1/namespaces/default/events/a")).toMatchObject({
      deprecatedFirstTimestamp: time,
      eventTime: null,
    });
  });

  it("is null for lists that are empty, whoever wrote them: the store does not tell them from none", () => {
    const { server, client, get } = start();
    exchange(server, "POST", roles, { metadata: { name: "a" }, rules: [] });
    expect(get(`${roles}/a`)["rules"]).toBeNull();
    client.create(endpointSlices, { metadata: key, addressType: "IPv4", endpoints: [], ports: [] });
    expect(get("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/a")).toMatchObject({ endpoints: null, ports: null });
  });

  it("is null for a pointer, as the group of a claim's source", () => {
    const { server, get } = start();
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    const dataSource = { kind: "PersistentVolumeClaim", name: "b" };
    exchange(server, "POST", claims, { metadata: { name: "a" }, spec: { ...spec, dataSource } });
    expect(get(`${claims}/a`)["spec"]?.["dataSource"]).toEqual({ ...dataSource, apiGroup: null });
  });

  it("is not said of the time of creation in templates", () => {
    const { server } = start();
    const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "nginx" }] } };
    const spec = { selector: { matchLabels: { app: "a" } }, template };
    const reply = exchange(server, "POST", "/apis/apps/v1/namespaces/default/deployments", { metadata: { name: "a" }, spec });
    expect((json(reply)["spec"] as Fields)["template"]).toMatchObject({ metadata: { labels: { app: "a" } } });
    expect(JSON.stringify((json(reply)["spec"] as Fields)["template"])).not.toContain("creationTimestamp");
  });

  it("is the same in lists, watches, and where it is sent back as it came", () => {
    const { server, simulation, get } = start();
    exchange(server, "POST", roles, { metadata: { name: "a" } });
    const role = get(`${roles}/a`);
    expect(get(roles)["items"]).toMatchObject([{ rules: null }]);
    const watch = exchange(server, "GET", `${roles}?watch=true&resourceVersion=0`);
    simulation.run({ untilMs: simulation.nowMs });
    expect(watch.text).toContain('"rules":null');
    expect(json(exchange(server, "PUT", `${roles}/a?fieldValidation=Strict`, role))).toEqual(role);
  });
});

describe("managedFields", () => {
  it("tell also who left a time of a new condition empty", () => {
    const { client, get } = start();
    client.create(pods, { metadata: key, spec: { containers: [{ name: "c", image: "nginx" }] } });
    const condition = { type: "Ready", status: "False", lastTransitionTime: "2026-01-01T00:00:00Z" };
    client.update(pods, { ...client.get(pods, key), status: { conditions: [condition] } }, { subresource: "status" });
    const entries = get(`${core}/pods/a`)["metadata"]?.["managedFields"] as readonly Fields[];
    expect(entries.find(({ subresource }) => subresource === "status")?.["fieldsV1"]).toEqual({
      "f:status": {
        "f:conditions": {
          ".": {},
          'k:{"type":"Ready"}': {
            ".": {},
            "f:lastProbeTime": {},
            "f:lastTransitionTime": {},
            "f:status": {},
            "f:type": {},
          },
        },
      },
    });
  });
});
