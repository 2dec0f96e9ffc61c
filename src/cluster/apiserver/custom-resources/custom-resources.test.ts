import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, json } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";
import {
  apply,
  crds,
  create,
  crontab,
  crontabCrd,
  crontabs,
  type Fields,
  merge,
  messageOf,
  plainSpec,
  serveCrd,
} from "./crontabs.test-kit.ts";

const name = `${crds}/crontabs.stable.example.com`;
const one = `${crontabs}/my-crontab`;

describe("a CustomResourceDefinition", () => {
  it("gets its defaults, its names and its conditions", () => {
    const { server } = serveCrd(crontabCrd(plainSpec));
    const crd = json(exchange(server, "GET", name));
    expect((crd["spec"] as Fields)["conversion"]).toEqual({ strategy: "None" });
    expect((crd["spec"] as Fields)["names"]).toMatchObject({ listKind: "CronTabList", singular: "crontab" });
    const time = "2026-01-01T00:00:00Z";
    expect(crd["status"]).toEqual({
      conditions: [
        { lastTransitionTime: time, message: "no conflicts found", reason: "NoConflicts", status: "True", type: "NamesAccepted" },
        {
          lastTransitionTime: time,
          message: "the initial names have been accepted",
          reason: "InitialNamesAccepted",
          status: "True",
          type: "Established",
        },
      ],
      acceptedNames: (crd["spec"] as Fields)["names"],
      storedVersions: ["v1"],
    });
  });

  it("[API-073] appears in discovery and OpenAPI and disappears with its objects", () => {
    const { server, simulation } = serveCrd(crontabCrd(plainSpec));
    expect(json(exchange(server, "GET", "/apis/stable.example.com/v1"))["resources"]).toMatchObject([
      { name: "crontabs", singularName: "crontab", namespaced: true, kind: "CronTab", shortNames: ["ct"], categories: ["all"] },
    ]);
    expect(exchange(server, "GET", "/openapi/v3/apis/stable.example.com/v1").text).toContain("com.example.stable.v1.CronTab");
    expect(exchange(server, "GET", "/openapi/v2").text).toContain("com.example.stable.v1.CronTab");
    expect(create(server, { replicas: 1 }).status).toBe(201);
    const watch = exchange(server, "GET", `${crontabs}?watch=true`);
    simulation.run({ untilMs: simulation.nowMs });
    const deleted = json(exchange(server, "DELETE", name));
    expect((deleted["metadata"] as Fields)["finalizers"]).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
    expect((deleted["status"] as { conditions: Fields[] }).conditions.at(-1)).toMatchObject({
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionPending",
      message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    });
    simulation.run({ untilMs: simulation.nowMs + 6_000 });
    expect(watch.lines.map((line) => JSON.parse(line).type)).toEqual(["ADDED", "DELETED"]);
    expect(watch.ended).toBe(true);
    expect(exchange(server, "GET", name).status).toBe(404);
    expect(exchange(server, "GET", one).text).toBe("404 page not found\n");
    expect(exchange(server, "GET", "/apis/stable.example.com").status).toBe(404);
    expect(server.store.table("crontabs.stable.example.com").list("")).toEqual([]);
  });

  it("keeps its kind while an object has a finalizer, and takes no new ones", () => {
    const { server, simulation } = serveCrd(crontabCrd(plainSpec));
    exchange(server, "POST", crontabs, { ...crontab({}), metadata: { name: "my-crontab", finalizers: ["example.com/hold"] } });
    exchange(server, "DELETE", name);
    simulation.run({ untilMs: simulation.nowMs + 1_000 });
    expect(messageOf(create(server, {}, "another"))).toEqual([
      403,
      'crontabs.stable.example.com "another" is forbidden: create not allowed while custom resource definition is terminating',
    ]);
    const verbs = (json(exchange(server, "GET", "/apis/stable.example.com/v1"))["resources"] as Fields[])[0]?.["verbs"];
    expect(verbs).toEqual(["delete", "deletecollection", "get", "list", "watch"]);
    expect(exchange(server, "PATCH", one, { metadata: { finalizers: null } }, merge).status).toBe(200);
    simulation.run({ untilMs: simulation.nowMs + 6_000 });
    expect(exchange(server, "GET", name).status).toBe(404);
  });

  it("waits for names that another one holds", () => {
    const { server, simulation } = serveCrd(crontabCrd(plainSpec));
    const second = crontabCrd(plainSpec);
    const names = { plural: "others", singular: "crontab", kind: "CronTab" };
    exchange(server, "POST", crds, {
      ...second,
      metadata: { name: "others.stable.example.com" },
      spec: { ...(second["spec"] as Fields), names },
    });
    simulation.run({ untilMs: simulation.nowMs + 1 });
    const status = () => json(exchange(server, "GET", `${crds}/others.stable.example.com`))["status"] as { conditions: Fields[] };
    expect(status().conditions.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual([
      ["NamesAccepted", "False", "ListKindConflict", '"CronTabList" is already in use'],
      ["Established", "False", "NotAccepted", "not all names are accepted"],
    ]);
    exchange(server, "DELETE", name);
    simulation.run({ untilMs: simulation.nowMs + 1 });
    expect(status().conditions.map(({ reason }) => reason)).toEqual(["NoConflicts", "InitialNamesAccepted"]);
  });

  it.each<[string, Fields, string]>([
    [
      "a property without a type",
      crontabCrd({ properties: { a: {} } }),
      "spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Required value: must not be empty for specified object fields",
    ],
    [
      "a name that is not its own",
      { ...crontabCrd(plainSpec), metadata: { name: "x.example.com" } },
      'metadata.name: Invalid value: "x.example.com": must be spec.names.plural+"."+spec.group',
    ],
    ["no schema", crontabCrd(plainSpec, { schema: {} }), "spec.versions[0].schema.openAPIV3Schema: Required value"],
    [
      "no storage version",
      crontabCrd(plainSpec, { storage: false }),
      '[spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version, status.storedVersions: Invalid value: null: must have at least one stored version]',
    ],
    [
      "a default that its schema does not allow",
      crontabCrd({ properties: { replicas: { type: "integer", default: "three" } } }),
      'spec.validation.openAPIV3Schema.properties[spec].properties[replicas].default: Invalid value: "string":  in body must be of type integer: "string"',
    ],
    [
      "list keys that may be absent",
      crontabCrd({
        properties: {
          ports: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["port"],
            items: { type: "object", properties: { port: { type: "integer" } } },
          },
        },
      }),
      "spec.validation.openAPIV3Schema.properties[spec].properties[ports].items.properties[port].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
    ],
    [
      "a rule that does not compile",
      crontabCrd({ ...plainSpec, "x-kubernetes-validations": [{ rule: 'self.replicas > "a"' }] }),
      'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.replicas \\u003e \\"a\\"","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:15: found no matching overload for \'_>_\' applied to \'(int, string)\'\n | self.replicas > "a"\n | ..............^',
    ],
    [
      "a type inside an alternative",
      crontabCrd({ ...plainSpec, anyOf: [{ type: "object" }] }),
      "spec.validation.openAPIV3Schema.properties[spec].anyOf[0].type: Forbidden: must be empty to be structural",
    ],
    [
      "columns of unknown types",
      crontabCrd(plainSpec, { additionalPrinterColumns: [{ name: "Spec", type: "text", jsonPath: "spec" }] }),
      '[spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string, spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .]',
    ],
    [
      "a group of the project without approval",
      (() => {
        const crd = crontabCrd(plainSpec);
        const spec = { ...(crd["spec"] as Fields), group: "stable.k8s.io" };
        return { ...crd, metadata: { name: "crontabs.stable.k8s.io" }, spec };
      })(),
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
  ])("refuses %s", (_title, crd, message) => {
    const { server } = startServer();
    const metadata = crd["metadata"] as Fields;
    expect(messageOf(exchange(server, "POST", crds, crd))).toEqual([
      422,
      `CustomResourceDefinition.apiextensions.k8s.io "${metadata["name"]}" is invalid: ${message}`,
    ]);
  });

  it("say whether their API has been reviewed, in groups of the project", () => {
    const { server, simulation } = startServer();
    const crd = crontabCrd(plainSpec);
    const annotations = { "api-approved.kubernetes.io": "unapproved, experimental" };
    const spec = { ...(crd["spec"] as Fields), group: "stable.k8s.io" };
    exchange(server, "POST", crds, { ...crd, metadata: { name: "crontabs.stable.k8s.io", annotations }, spec });
    simulation.run({ untilMs: simulation.nowMs + 10_000 });
    const { status } = json(exchange(server, "GET", `${crds}/crontabs.stable.k8s.io`)) as { readonly status: Fields };
    expect((status["conditions"] as Fields[]).at(-1)).toMatchObject({
      type: "KubernetesAPIApprovalPolicyConformant",
      status: "False",
      reason: "UnapprovedAnnotation",
      message: 'not approved: "unapproved, experimental"',
    });
  });

  it("cannot change what its storage stands on", () => {
    const { server } = serveCrd(crontabCrd(plainSpec));
    const crd = json(exchange(server, "GET", name));
    const spec = { ...(crd["spec"] as Fields), scope: "Cluster" };
    expect(messageOf(exchange(server, "PUT", name, { ...crd, spec }))).toEqual([
      422,
      'CustomResourceDefinition.apiextensions.k8s.io "crontabs.stable.example.com" is invalid: spec.scope: Invalid value: "Cluster": field is immutable',
    ]);
  });

  it("prints its name and when it was made", () => {
    const { server } = serveCrd(crontabCrd(plainSpec));
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const table = json(exchange(server, "GET", name, undefined, { accept }));
    expect((table["columnDefinitions"] as Fields[]).map(({ name }) => name)).toEqual(["Name", "Created At"]);
    expect((table["rows"] as Fields[])[0]?.["cells"]).toEqual(["crontabs.stable.example.com", "2026-01-01T00:00:00Z"]);
  });
});

describe("custom resources", () => {
  it("are validated in the words of the schema's validator", () => {
    const { server } = serveCrd(crontabCrd({ ...plainSpec, required: ["cronSpec"] }));
    expect(messageOf(create(server, { replicas: "three" }))).toEqual([
      422,
      'CronTab.stable.example.com "my-crontab" is invalid: [spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string", spec.cronSpec: Required value]',
    ]);
    expect(messageOf(create(server, { cronSpec: "* * * * *", replicas: 15 }))).toEqual([
      422,
      'CronTab.stable.example.com "my-crontab" is invalid: spec.replicas: Invalid value: 15: spec.replicas in body should be less than or equal to 10',
    ]);
  });

  it.each<[string, Fields, JsonValue, string]>([
    ["pattern", { type: "string", pattern: "^a+$" }, "b", "spec.x: Invalid value: \"b\": spec.x in body should match '^a+$'"],
    ["enum", { type: "string", enum: ["a", "b"] }, "c", 'spec.x: Unsupported value: "c": supported values: "a", "b"'],
    ["maxLength", { type: "string", maxLength: 2 }, "abc", "spec.x: Too long: may not be more than 2 bytes"],
    [
      "minLength",
      { type: "string", minLength: 2 },
      "a",
      'spec.x: Invalid value: "a": spec.x in body should be at least 2 chars long',
    ],
    [
      "maxItems",
      { type: "array", maxItems: 1, items: { type: "string" } },
      ["a", "b"],
      "spec.x: Too many: 2: must have at most 1 item",
    ],
    [
      "minItems",
      { type: "array", minItems: 1, items: { type: "string" } },
      [],
      "spec.x: Invalid value: 0: spec.x in body should have at least 1 items",
    ],
    [
      "format",
      { type: "string", format: "date-time" },
      "today",
      'spec.x: Invalid value: "today": spec.x in body must be of type date-time: "today"',
    ],
    [
      "int-or-string",
      { "x-kubernetes-int-or-string": true },
      true,
      'spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"',
    ],
    [
      "null",
      { type: "string", nullable: false, default: "a" },
      1,
      'spec.x: Invalid value: "integer": spec.x in body must be of type string: "integer"',
    ],
    [
      "oneOf",
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" } },
        oneOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      {},
      '[<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found none valid, spec.x.a: Required value]',
    ],
    [
      "sets",
      { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
      ["a", "b", "a"],
      'spec.x[2]: Duplicate value: "a"',
    ],
    [
      "maps by keys",
      {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
      },
      [{ k: "a" }, { k: "a" }],
      'spec.x[1]: Duplicate value: {"k":"a"}',
    ],
    [
      "embedded resources",
      { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
      { kind: "Pod" },
      "spec.x.apiVersion: Required value",
    ],
    [
      "minProperties",
      { type: "object", minProperties: 1, additionalProperties: { type: "string" } },
      {},
      "spec.x: Invalid value: 0: spec.x in body should have at least 1 properties",
    ],
    [
      "values of maps",
      { type: "object", additionalProperties: { type: "integer" } },
      { a: "b" },
      'spec.x.a: Invalid value: "string": spec.x.a in body must be of type integer: "string"',
    ],
  ])("are checked: %s", (_title, schema, value, message) => {
    const { server } = serveCrd(crontabCrd({ properties: { x: schema } }));
    expect(messageOf(create(server, { x: value }))).toEqual([
      422,
      `CronTab.stable.example.com "my-crontab" is invalid: ${message}`,
    ]);
  });

  it("lose unknown fields, with a warning or a refusal", () => {
    const { server } = serveCrd(crontabCrd(plainSpec));
    const created = create(server, { cronSpec: "x", someRandomField: 42 });
    expect(created.headers["warning"]).toBe('299 - "unknown field \\"spec.someRandomField\\""');
    expect(json(created)["spec"]).toEqual({ cronSpec: "x" });
    const strict = exchange(server, "POST", `${crontabs}?fieldValidation=Strict`, crontab({ a: 1, replicas: 1 }, "other"));
    expect(messageOf(strict)).toEqual([
      400,
      'CronTab in version "v1" cannot be handled as a CronTab: strict decoding error: unknown field "spec.a"',
    ]);
  });

  it("keep unknown fields where the schema says so", () => {
    const spec = { properties: { free: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } };
    const { server } = serveCrd(crontabCrd(spec));
    expect(json(create(server, { free: { a: { b: 1 } } }))["spec"]).toEqual({ free: { a: { b: 1 } } });
  });

  it("get the schema's defaults, when written and when read", () => {
    const spec = {
      properties: { image: { type: "string", default: "busybox" }, n: { type: "string", nullable: true, default: "x" } },
      default: {},
    };
    const { server, simulation } = serveCrd(crontabCrd(spec));
    expect(json(create(server, { n: null }))["spec"]).toEqual({ image: "busybox", n: null });
    const added = { properties: { ...spec.properties, replicas: { type: "integer", default: 3 } } };
    const crd = json(exchange(server, "GET", name));
    expect(exchange(server, "PUT", name, { ...crontabCrd(added), metadata: crd["metadata"] as Fields }).status).toBe(200);
    simulation.run({ untilMs: simulation.nowMs + 1 });
    expect(json(exchange(server, "GET", one))["spec"]).toEqual({ image: "busybox", n: null, replicas: 3 });
  });

  it("[API-121] are not updated without a resourceVersion", () => {
    const { server } = serveCrd(crontabCrd(plainSpec));
    create(server, { replicas: 1 });
    // Upstream prints the number as JSON does (0x0 in old versions). It names the resource, not the kind.
    expect(messageOf(exchange(server, "PUT", one, crontab({ replicas: 2 })))).toEqual([
      422,
      'crontabs.stable.example.com "my-crontab" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ]);
  });

  it("count generations for all but metadata", () => {
    const { server } = serveCrd(crontabCrd(plainSpec));
    const generation = (reply: ReturnType<typeof exchange>) => (json(reply)["metadata"] as Fields)["generation"];
    expect(generation(create(server, { replicas: 1 }))).toBe(1);
    expect(generation(exchange(server, "PATCH", one, { metadata: { labels: { a: "b" } } }, merge))).toBe(1);
    expect(generation(exchange(server, "PATCH", one, { spec: { replicas: 2 } }, merge))).toBe(2);
  });

  it("[API-035] take no strategic merge patch", () => {
    const { server } = serveCrd(crontabCrd(plainSpec));
    create(server, { replicas: 1 });
    const reply = exchange(server, "PATCH", one, { spec: {} }, { "content-type": "application/strategic-merge-patch+json" });
    expect(messageOf(reply)).toEqual([
      415,
      "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    ]);
  });

  it("have a status apart and a scale", () => {
    const subresources = {
      status: {},
      scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", labelSelectorPath: ".status.selector" },
    };
    const status = { type: "object", properties: { replicas: { type: "integer" }, selector: { type: "string" } } };
    const root = { properties: { spec: { type: "object", ...plainSpec }, status } };
    const { server } = serveCrd(crontabCrd(plainSpec, { subresources }, root as Fields));
    const created = json(exchange(server, "POST", crontabs, { ...crontab({ replicas: 2 }), status: { replicas: 9 } }));
    expect(created["status"]).toBeUndefined();
    const written = exchange(
      server,
      "PATCH",
      `${one}/status`,
      { spec: { replicas: 5 }, status: { replicas: 1, selector: "a=b" } },
      merge,
    );
    expect(json(written)).toMatchObject({ spec: { replicas: 2 }, status: { replicas: 1, selector: "a=b" } });
    expect(json(exchange(server, "GET", `${one}/scale`))).toMatchObject({
      kind: "Scale",
      spec: { replicas: 2 },
      status: { replicas: 1, selector: "a=b" },
    });
    expect(json(exchange(server, "PATCH", `${one}/scale`, { spec: { replicas: 4 } }, merge))["spec"]).toEqual({ replicas: 4 });
    expect(json(exchange(server, "GET", one))).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 4 } });
    expect(json(exchange(server, "GET", "/apis/stable.example.com/v1"))["resources"]).toMatchObject([
      { name: "crontabs" },
      { name: "crontabs/status", kind: "CronTab" },
      { name: "crontabs/scale", group: "autoscaling", version: "v1", kind: "Scale" },
    ]);
  });

  it("print the definition's columns, dates as ages", () => {
    const additionalPrinterColumns = [
      { name: "Spec", type: "string", jsonPath: ".spec.cronSpec", description: "The cron spec" },
      { name: "Replicas", type: "integer", jsonPath: ".spec.replicas", priority: 1 },
      { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    ];
    const { server, simulation } = serveCrd(crontabCrd(plainSpec, { additionalPrinterColumns }));
    create(server, { cronSpec: "* * * * *" });
    simulation.run({ untilMs: simulation.nowMs + 65_000 });
    const table = json(exchange(server, "GET", one, undefined, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" }));
    expect(table["columnDefinitions"]).toMatchObject([
      { name: "Name", type: "string", format: "name" },
      { name: "Spec", type: "string", description: "The cron spec", priority: 0 },
      {
        name: "Replicas",
        type: "integer",
        description: "Custom resource definition column (in JSONPath format): .spec.replicas",
        priority: 1,
      },
      { name: "Age", type: "date" },
    ]);
    expect((table["rows"] as Fields[])[0]?.["cells"]).toEqual(["my-crontab", "* * * * *", null, "65s"]);
  });

  it("[API-152] are selected by the definition's fields only", () => {
    const { server } = serveCrd(crontabCrd(plainSpec, { selectableFields: [{ jsonPath: ".spec.image" }] }));
    create(server, { image: "a" });
    create(server, { image: "b" }, "other");
    const list = json(exchange(server, "GET", `${crontabs}?fieldSelector=spec.image%3Db`));
    expect((list["items"] as Fields[]).map((item) => (item["metadata"] as Fields)["name"])).toEqual(["other"]);
    expect(messageOf(exchange(server, "GET", `${crontabs}?fieldSelector=spec.replicas%3D1`))).toEqual([
      400,
      "field label not supported: spec.replicas",
    ]);
  });

  it("are served in several versions without conversion", () => {
    const crd = crontabCrd(plainSpec);
    const spec = crd["spec"] as { versions: Fields[] };
    const beta = { ...spec.versions[0], name: "v1beta1", storage: false, deprecated: true };
    const { server } = serveCrd({ ...crd, spec: { ...spec, versions: [...spec.versions, beta] } });
    create(server, { replicas: 2 });
    const old = exchange(server, "GET", one.replace("/v1/", "/v1beta1/"));
    expect(json(old)).toMatchObject({ apiVersion: "stable.example.com/v1beta1", spec: { replicas: 2 } });
    expect(old.headers["warning"]).toBe(
      '299 - "stable.example.com/v1beta1 CronTab is deprecated; use stable.example.com/v1 CronTab"',
    );
    expect(json(exchange(server, "GET", "/apis/stable.example.com"))).toMatchObject({
      versions: [{ version: "v1" }, { version: "v1beta1" }],
      preferredVersion: { version: "v1" },
    });
    const written = exchange(server, "PATCH", one.replace("/v1/", "/v1beta1/"), { spec: { replicas: 3 } }, merge);
    expect(json(written)).toMatchObject({ apiVersion: "stable.example.com/v1beta1", spec: { replicas: 3 } });
    expect(json(exchange(server, "GET", one))).toMatchObject({ apiVersion: "stable.example.com/v1", spec: { replicas: 3 } });
  });

  it("are listed by version: stable, beta, alpha, then other names by the alphabet", () => {
    const crd = crontabCrd(plainSpec);
    const spec = crd["spec"] as { versions: Fields[] };
    const others = ["next", "v2alpha1", "first", "v1beta2", "v2"].map((name) => ({ ...spec.versions[0], name, storage: false }));
    const { server } = serveCrd({ ...crd, spec: { ...spec, versions: [...spec.versions, ...others] } });
    const { versions } = json(exchange(server, "GET", "/apis/stable.example.com")) as { versions: { version: string }[] };
    expect(versions.map(({ version }) => version)).toEqual(["v2", "v1", "v1beta2", "v2alpha1", "first", "next"]);
  });

  it("are applied by their schema's lists, with managedFields", () => {
    const ports = {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port"],
      items: { type: "object", required: ["port"], properties: { port: { type: "integer" }, name: { type: "string" } } },
    };
    const { server } = serveCrd(crontabCrd({ properties: { ports } }));
    const config = (entries: Fields[]) => crontab({ ports: entries });
    expect(exchange(server, "PATCH", `${one}?fieldManager=a`, config([{ port: 80, name: "x" }]), apply).status).toBe(201);
    const second = exchange(server, "PATCH", `${one}?fieldManager=b`, config([{ port: 81 }]), apply);
    expect(json(second)["spec"]).toEqual({ ports: [{ port: 80, name: "x" }, { port: 81 }] });
    const conflict = exchange(server, "PATCH", `${one}?fieldManager=b`, config([{ port: 80, name: "y" }]), apply);
    expect(messageOf(conflict)).toEqual([409, 'Apply failed with 1 conflict: conflict with "a": .spec.ports[port=80].name']);
    const managers = (json(exchange(server, "GET", one))["metadata"] as { managedFields: Fields[] }).managedFields;
    expect(managers.map(({ manager, operation, fieldsV1 }) => [manager, operation, fieldsV1])).toEqual([
      ["a", "Apply", { "f:spec": { "f:ports": { 'k:{"port":80}': { ".": {}, "f:name": {}, "f:port": {} } } } }],
      ["b", "Apply", { "f:spec": { "f:ports": { 'k:{"port":81}': { ".": {}, "f:port": {} } } } }],
    ]);
  });

  it("keep track of whoever updates them", () => {
    const { server } = serveCrd(crontabCrd(plainSpec));
    exchange(server, "POST", `${crontabs}?fieldManager=a`, crontab({ replicas: 1, image: "x" }));
    exchange(server, "PATCH", `${one}?fieldManager=b`, { spec: { replicas: 2 } }, merge);
    const managers = (json(exchange(server, "GET", one))["metadata"] as { managedFields: Fields[] }).managedFields;
    expect(managers.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ["a", { "f:spec": { ".": {}, "f:image": {} } }],
      ["b", { "f:spec": { "f:replicas": {} } }],
    ]);
  });
});
