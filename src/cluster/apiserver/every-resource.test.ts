// One suite that every kind passes: create, get, list, watch, update, conflict, patch, apply, dry run, finalizer, delete.

import { describe, expect, it } from "vitest";
import { emptinessOf } from "#cluster/api/emptiness.ts";
import { deepFreeze } from "#cluster/api/equality.ts";
import { groupVersionOf, type JsonValue, qualifiedResource } from "#cluster/api/objects.ts";
import { fieldsOf, type TypeSchema } from "#cluster/api/schema.ts";
import { isObject } from "#cluster/api/wire.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { Registry } from "#cluster/resources/registry.ts";
import { Random } from "#sim/random.ts";
import { Simulation } from "#sim/simulation.ts";
import { subjectName } from "#x509/names.ts";
import { createRequest, requestPem } from "#x509/request.ts";
import { generateKey } from "#x509/rsa.ts";
import { exchange, json, type TestReply } from "./http/http-call.test-kit.ts";
import { runtimeConfigOf } from "./runtime-config-flag.ts";
import { ApiServer } from "./server.ts";

type Fields = { readonly [field: string]: JsonValue };

const container = { name: "web", image: "nginx:1.27" };
const workload = {
  spec: {
    selector: { matchLabels: { app: "x" } },
    template: { metadata: { labels: { app: "x" } }, spec: { containers: [container] } },
  },
};
const jobSpec = { template: { spec: { restartPolicy: "Never", containers: [container] } } };
const certificateRequest = btoa(requestPem(createRequest(subjectName("jane"), generateKey(512, new Random(1)), [])));
/** Of a kind that is not there. */
const noRule = { operations: ["CREATE"], apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["things"] };
const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };

/** The least that each kind asks for beside a name. */
const bodies: { readonly [resource: string]: Fields } = {
  pods: { spec: { containers: [container] } },
  services: { spec: { ports: [{ port: 80 }] } },
  events: { involvedObject: { kind: "Pod", name: "web", namespace: "default" }, reason: "Started", message: "hello" },
  "events.events.k8s.io": {
    eventTime: "2026-01-01T00:00:00.000000Z",
    regarding: { kind: "Pod", name: "web" },
    reason: "Started",
    action: "Start",
    reportingController: "test",
    reportingInstance: "test-1",
    type: "Normal",
  },
  "endpointslices.discovery.k8s.io": { addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.1"] }] },
  "ingresses.networking.k8s.io": { spec: { defaultBackend: { service: { name: "web", port: { number: 80 } } } } },
  "ingressclasses.networking.k8s.io": { spec: { controller: "example.com/ingress" } },
  "networkpolicies.networking.k8s.io": { spec: { podSelector: {} } },
  "ipaddresses.networking.k8s.io": { spec: { parentRef: { resource: "services", namespace: "default", name: "web" } } },
  "servicecidrs.networking.k8s.io": { spec: { cidrs: ["10.120.0.0/16"] } },
  persistentvolumes: {
    spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/data" } },
  },
  persistentvolumeclaims: {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
  "volumeattachments.storage.k8s.io": {
    spec: { attacher: "example.com", nodeName: "node-1", source: { persistentVolumeName: "pv" } },
  },
  "volumeattributesclasses.storage.k8s.io": { driverName: "example.com", parameters: { iops: "100" } },
  "csidrivers.storage.k8s.io": { spec: {} },
  "csinodes.storage.k8s.io": { spec: { drivers: [] } },
  "csistoragecapacities.storage.k8s.io": { storageClassName: "fast" },
  "runtimeclasses.node.k8s.io": { handler: "runc" },
  "resourceclaims.resource.k8s.io": { spec: { devices: { requests: [{ name: "gpu", exactly: { deviceClassName: "gpu" } }] } } },
  "resourceclaimtemplates.resource.k8s.io": {
    spec: { spec: { devices: { requests: [{ name: "gpu", exactly: { deviceClassName: "gpu" } }] } } },
  },
  "deviceclasses.resource.k8s.io": { spec: {} },
  "resourceslices.resource.k8s.io": {
    spec: { driver: "gpu.example.com", nodeName: "node-1", pool: { name: "node-1", generation: 1, resourceSliceCount: 1 } },
  },
  "deployments.apps": workload,
  "replicasets.apps": workload,
  "daemonsets.apps": workload,
  "statefulsets.apps": { spec: { ...workload.spec, serviceName: "x" } },
  "controllerrevisions.apps": { revision: 1, data: {} },
  "horizontalpodautoscalers.autoscaling": {
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
  },
  replicationcontrollers: { spec: { template: workload.spec.template } },
  podtemplates: { template: workload.spec.template },
  "jobs.batch": { spec: jobSpec },
  "cronjobs.batch": { spec: { schedule: "* * * * *", jobTemplate: { spec: jobSpec } } },
  "poddisruptionbudgets.policy": { spec: { minAvailable: 1, selector: { matchLabels: { app: "x" } } } },
  "priorityclasses.scheduling.k8s.io": { value: 100 },
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": {
    spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } },
  },
  "validatingadmissionpolicies.admissionregistration.k8s.io": {
    spec: { matchConstraints: { resourceRules: [noRule] }, validations: [{ expression: "true" }] },
  },
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": { spec: { policyName: "x", validationActions: ["Deny"] } },
  "mutatingadmissionpolicies.admissionregistration.k8s.io": {
    spec: {
      matchConstraints: { resourceRules: [noRule] },
      mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } }],
      reinvocationPolicy: "Never",
    },
  },
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io": { spec: { policyName: "x" } },
  "storageclasses.storage.k8s.io": { provisioner: "example.com/disk" },
  "rolebindings.rbac.authorization.k8s.io": { roleRef },
  "clusterrolebindings.rbac.authorization.k8s.io": { roleRef },
  "certificatesigningrequests.certificates.k8s.io": {
    spec: { request: certificateRequest, signerName: "example.com/signer", usages: ["client auth"] },
  },
};

/** Kinds whose names have a form of their own: what stands for the names of the suite. */
const names: { readonly [resource: string]: { readonly [name: string]: string } } = {
  "ipaddresses.networking.k8s.io": { thing: "10.120.0.1", other: "10.120.0.2", a: "10.120.0.3", b: "10.120.0.4" },
};

function nameOf(definition: ResourceDefinition, name: string): string {
  return names[qualifiedResource(definition)]?.[name] ?? name;
}

function start(): { readonly server: ApiServer; readonly simulation: Simulation } {
  const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
  // Volumes and claims would stay until their protection controllers let them go.
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount", "StorageObjectInUseProtection"] });
  server.runtimeConfig = runtimeConfigOf(["--runtime-config=api/all=true"]);
  server.start();
  return { server, simulation };
}

function draftOf(definition: ResourceDefinition, name = "thing"): Fields {
  return deepFreeze({
    apiVersion: groupVersionOf(definition),
    kind: definition.kind,
    metadata: { name: nameOf(definition, name), ...(definition.namespaced ? { namespace: "default" } : {}) },
    ...bodies[qualifiedResource(definition)],
  });
}

function collectionOf(definition: ResourceDefinition): string {
  const root = definition.group === "" ? "/api/v1" : `/apis/${groupVersionOf(definition)}`;
  return `${root}${definition.namespaced ? "/namespaces/default" : ""}/${definition.plural}`;
}

function metadataOf(reply: TestReply): Fields {
  return json(reply)["metadata"] as Fields;
}

/** Jobs and ReplicationControllers stay for their orphans' sake when a delete says nothing. */
const background = "propagationPolicy=Background";

const merge = { "content-type": "application/merge-patch+json" };

/** Paths of fields that Go would have written. */
function missingFields(type: TypeSchema, value: JsonValue, path = ""): readonly string[] {
  if (type.kind === "list" && Array.isArray(value))
    return value.flatMap((item, index) => missingFields(type.of, item, `${path}[${index}]`));
  if (!isObject(value)) return [];
  if (type.kind === "map") return Object.entries(value).flatMap(([key, item]) => missingFields(type.of, item, `${path}.${key}`));
  if (type.kind !== "object") return [];
  const missing = emptinessOf(type.name).written.filter(([field]) => value[field] === undefined);
  return [
    ...missing.map(([field]) => `${path}.${field}`),
    ...[...fieldsOf(type.name).values()].flatMap(({ name, type: inner }) =>
      missingFields(inner, value[name] ?? null, `${path}.${name}`),
    ),
  ];
}

/** Their names say what they define, or the server writes to them at once: they have tests of their own. */
const apart: ReadonlySet<string> = new Set(["customresourcedefinitions", "apiservices", "flowschemas"]);

/** Kinds that are stored by their clients; of others there is nothing to create, or nothing to read. */
const stored = new Registry().all.filter(
  ({ verbs, plural }) => verbs.includes("create") && verbs.includes("get") && !apart.has(plural),
);

describe.each(stored.map((definition) => [qualifiedResource(definition), definition] as const))("%s", (_name, definition) => {
  const collection = collectionOf(definition);
  const thing = nameOf(definition, "thing");
  const path = `${collection}/${thing}`;

  it("is created, read, listed and watched as the same object", () => {
    const { server, simulation } = start();
    const watch = exchange(server, "GET", `${collection}?watch=true&fieldSelector=metadata.name%3D${thing}`);
    const created = exchange(server, "POST", `${collection}?fieldValidation=Strict`, draftOf(definition));
    expect([created.status, created.text.slice(0, 400)]).toEqual([201, created.text.slice(0, 400)]);
    const object = json(created);
    expect(json(exchange(server, "GET", path))).toEqual(object);
    const list = json(exchange(server, "GET", `${collection}?fieldSelector=metadata.name%3D${thing}`));
    const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
    expect(list["items"]).toEqual([item]);
    simulation.run({ untilMs: simulation.nowMs });
    expect(watch.lines.map((line) => JSON.parse(line))).toEqual([{ type: "ADDED", object }]);
  });

  it("is answered with all fields that Go always writes, null where nothing is said", () => {
    const { server } = start();
    exchange(server, "POST", collection, draftOf(definition));
    expect(missingFields({ kind: "object", name: definition.schemaType as string }, json(exchange(server, "GET", path)))).toEqual(
      [],
    );
  });

  it("prints as a Table with a cell for each column", () => {
    const { server } = start();
    exchange(server, "POST", collection, draftOf(definition));
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const table = json(exchange(server, "GET", path, undefined, { accept }));
    const columns = table["columnDefinitions"] as readonly unknown[];
    const rows = table["rows"] as readonly { readonly cells: readonly unknown[] }[];
    expect(rows.map((row) => row.cells.length)).toEqual([columns.length]);
    expect(rows[0]?.cells.every((cell) => cell !== undefined)).toBe(true);
  });

  it("is updated, and refuses an update of an old version", () => {
    const { server } = start();
    const before = json(exchange(server, "POST", collection, draftOf(definition)));
    const labelled = { ...before, metadata: { ...(before["metadata"] as Fields), labels: { tier: "front" } } };
    const updated = exchange(server, "PUT", path, labelled);
    expect([updated.status, (metadataOf(updated)["labels"] as Fields)["tier"]]).toEqual([200, "front"]);
    expect(exchange(server, "PUT", path, json(updated)).text).toBe(updated.text);
    const stale = exchange(server, "PUT", path, { ...labelled, metadata: { ...labelled.metadata, labels: { tier: "back" } } });
    expect([stale.status, json(stale)["message"]]).toEqual([
      409,
      `Operation cannot be fulfilled on ${qualifiedResource(definition)} "${thing}": the object has been modified; please apply your changes to the latest version and try again`,
    ]);
  });

  it("is patched in three ways, and applied", () => {
    const { server } = start();
    exchange(server, "POST", collection, draftOf(definition));
    const annotate = (value: string) => ({ metadata: { annotations: { note: value } } });
    const noteOf = (reply: TestReply) => [reply.status, (metadataOf(reply)["annotations"] as Fields | undefined)?.["note"]];
    expect(noteOf(exchange(server, "PATCH", path, annotate("a"), merge))).toEqual([200, "a"]);
    const strategic = { "content-type": "application/strategic-merge-patch+json" };
    expect(noteOf(exchange(server, "PATCH", path, annotate("b"), strategic))).toEqual([200, "b"]);
    const operations = [{ op: "replace", path: "/metadata/annotations/note", value: "c" }];
    expect(noteOf(exchange(server, "PATCH", path, operations, { "content-type": "application/json-patch+json" }))).toEqual([
      200,
      "c",
    ]);
    const apply = { "content-type": "application/apply-patch+yaml" };
    const config = { apiVersion: groupVersionOf(definition), kind: definition.kind, ...annotate("d") };
    expect(exchange(server, "PATCH", `${path}?fieldManager=me`, config, apply).status).toBe(409);
    expect(noteOf(exchange(server, "PATCH", `${path}?fieldManager=me&force=true`, config, apply))).toEqual([200, "d"]);
    expect(
      exchange(
        server,
        "PATCH",
        `${collection}/${nameOf(definition, "other")}?fieldManager=me`,
        { ...draftOf(definition, "other") },
        apply,
      ).status,
    ).toBe(201);
  });

  it("[API-037] leaves nothing behind after a dry run", () => {
    const { server } = start();
    const revision = server.store.revision;
    expect(exchange(server, "POST", `${collection}?dryRun=All`, draftOf(definition)).status).toBe(201);
    expect(exchange(server, "GET", path).status).toBe(404);
    expect(server.store.revision).toBe(revision);
  });

  it("[API-075] [API-078] exists once, and is another object when it is made again", () => {
    const { server } = start();
    const first = metadataOf(exchange(server, "POST", collection, draftOf(definition)))["uid"];
    const second = exchange(server, "POST", collection, draftOf(definition));
    expect([second.status, json(second)["message"]]).toEqual([409, `${qualifiedResource(definition)} "${thing}" already exists`]);
    if (definition.kind === "Namespace") return;
    exchange(server, "DELETE", `${path}?${background}`);
    expect(metadataOf(exchange(server, "POST", collection, draftOf(definition)))["uid"]).not.toBe(first);
  });

  it("stays until its finalizers are gone", () => {
    const { server } = start();
    const draft = draftOf(definition);
    exchange(server, "POST", collection, {
      ...draft,
      metadata: { ...(draft["metadata"] as Fields), finalizers: ["example.com/hold"] },
    });
    const deleted = exchange(server, "DELETE", path);
    expect([deleted.status, metadataOf(deleted)["deletionTimestamp"]]).toEqual([200, "2026-01-01T00:00:00Z"]);
    expect(exchange(server, "POST", collection, draft).status).toBe(409);
    exchange(server, "PATCH", path, { metadata: { finalizers: null } }, merge);
    expect(exchange(server, "GET", path).status).toBe(definition.kind === "Namespace" ? 200 : 404);
  });

  it("is gone after a delete, alone or with others", () => {
    const { server } = start();
    if (definition.kind === "Namespace") return;
    exchange(server, "POST", collection, draftOf(definition));
    expect(exchange(server, "DELETE", `${path}?${background}`).status).toBe(200);
    expect(exchange(server, "GET", path).status).toBe(404);
    exchange(server, "POST", collection, draftOf(definition, "a"));
    exchange(server, "POST", collection, draftOf(definition, "b"));
    exchange(server, "PATCH", `${collection}/${nameOf(definition, "b")}`, { metadata: { labels: { keep: "yes" } } }, merge);
    expect(exchange(server, "DELETE", `${collection}?labelSelector=keep%3Dyes&${background}`).status).toBe(200);
    expect([
      exchange(server, "GET", `${collection}/${nameOf(definition, "a")}`).status,
      exchange(server, "GET", `${collection}/${nameOf(definition, "b")}`).status,
    ]).toEqual([200, 404]);
  });
});
