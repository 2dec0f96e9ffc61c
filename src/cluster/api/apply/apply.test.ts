import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeObject } from "../decode.ts";
import { emptyObjectOf } from "../emptiness.ts";
import { deepFreeze } from "../equality.ts";
import { ApiError } from "../errors.ts";
import type { JsonValue, KubeObject } from "../objects.ts";
import { applyPatch } from "./apply-patch.ts";
import { difference, type FieldSet, intersection, union } from "./field-set.ts";
import { shapeOfCustomResource, shapeOfType } from "./shape.ts";
import { trackUpdate } from "./track-update.ts";

const shape = shapeOfType("Deployment");
const apiVersion = "apps/v1";

function deployment(spec: JsonValue): KubeObject {
  const value = { apiVersion, kind: "Deployment", metadata: { name: "web", namespace: "default" }, spec };
  return deepFreeze(value) as KubeObject;
}

const full = deployment({
  replicas: 2,
  selector: { matchLabels: { app: "web" } },
  template: {
    metadata: { labels: { app: "web" } },
    spec: { containers: [{ name: "c", image: "nginx", ports: [{ containerPort: 80, protocol: "TCP" }] }] },
  },
});

function created(): KubeObject {
  const after = decodeObject("Deployment", full as JsonValue).value as KubeObject;
  const stored = trackUpdate({
    shape,
    before: emptyObjectOf("Deployment", "written"),
    after,
    manager: "kubectl-create",
    apiVersion,
    nowMs: 0,
  });
  return deepFreeze({ ...stored, metadata: { ...stored.metadata, uid: "u" } });
}

const apply = (live: KubeObject, config: KubeObject, options: { manager?: string; force?: boolean } = {}) =>
  applyPatch({ shape, live, config, manager: options.manager ?? "me", force: options.force ?? false, apiVersion, nowMs: 1000 });

describe("managedFields", () => {
  it("gives the creator the fields that were set, as upstream writes them", () => {
    expect(created().metadata.managedFields).toEqual([
      {
        manager: "kubectl-create",
        operation: "Update",
        apiVersion,
        time: "1970-01-01T00:00:00Z",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:spec": {
            "f:replicas": {},
            "f:selector": {},
            "f:template": {
              "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
              "f:spec": {
                "f:containers": {
                  'k:{"name":"c"}': {
                    ".": {},
                    "f:image": {},
                    "f:name": {},
                    "f:ports": {
                      ".": {},
                      'k:{"containerPort":80,"protocol":"TCP"}': { ".": {}, "f:containerPort": {}, "f:protocol": {} },
                    },
                    "f:resources": {},
                  },
                },
              },
            },
          },
        },
      },
    ]);
  });

  it("gives no time to what is written through a Scale, which stands first", () => {
    const before = created();
    const scaled = (object: KubeObject, replicas: number, nowMs: number) => {
      const after = { ...object, spec: { ...(object["spec"] as { [field: string]: unknown }), replicas } } as KubeObject;
      return trackUpdate({ shape, before: object, after, manager: "kubectl", apiVersion, subresource: "scale", nowMs });
    };
    const once = scaled(before, 5, 2000);
    for (const { metadata } of [once, scaled(once, 6, 3000)]) {
      expect(metadata.managedFields?.[0]).toEqual({
        manager: "kubectl",
        operation: "Update",
        apiVersion,
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:replicas": {} } },
        subresource: "scale",
      });
    }
  });

  it("moves a changed field to whoever changed it", () => {
    const before = created();
    const after = { ...before, spec: { ...(before.spec as { [field: string]: unknown }), replicas: 5 } };
    const tracked = trackUpdate({ shape, before, after, manager: "kubectl", apiVersion, nowMs: 2000 });
    const [creator, scaler] = tracked.metadata.managedFields ?? [];
    expect(scaler).toEqual({
      manager: "kubectl",
      operation: "Update",
      apiVersion,
      time: "1970-01-01T00:00:02Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:replicas": {} } },
    });
    const left = (creator?.fieldsV1 ?? {}) as FieldSet;
    expect(left["f:spec"]?.["f:replicas"]).toBeUndefined();
  });

  it("changes nothing when nothing changed", () => {
    const before = created();
    expect(trackUpdate({ shape, before, after: before, manager: "kubectl", apiVersion, nowMs: 2000 })).toBe(before);
  });
});

describe("server-side apply", () => {
  it("refuses to change what another manager owns", () => {
    const refusal = () => apply(created(), deployment({ replicas: 3 }));
    expect(refusal).toThrow(
      expect.objectContaining({
        message: 'Apply failed with 1 conflict: conflict with "kubectl-create" using apps/v1: .spec.replicas',
        code: 409,
      }),
    );
    expect(refusal).toThrow(ApiError);
  });

  it("lists several conflicts by manager", () => {
    const config = deployment({ replicas: 3, template: { spec: { containers: [{ name: "c", image: "httpd" }] } } });
    expect(() => apply(created(), config)).toThrow(
      expect.objectContaining({
        message:
          'Apply failed with 2 conflicts: conflicts with "kubectl-create" using apps/v1:\n- .spec.replicas\n- .spec.template.spec.containers[name="c"].image',
      }),
    );
  });

  it("takes the field when forced, and removes it when no longer applied", () => {
    const forced = apply(created(), deployment({ replicas: 3 }), { force: true });
    expect(forced.spec).toMatchObject({ replicas: 3 });
    expect(forced.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual([
      "me Apply",
      "kubectl-create Update",
    ]);
    const released = apply(forced, deployment({}));
    expect(released.spec).not.toHaveProperty("replicas");
  });

  it("shares a field that both want the same, and keeps it until both let go", () => {
    const shared = apply(created(), deployment({ replicas: 2 }));
    expect(apply(shared, deployment({})).spec).toMatchObject({ replicas: 2 });
  });

  it("refuses fields that do not exist and items that stand twice", () => {
    const subject = "failed to create typed patch object (default/web; apps/v1, Kind=Deployment)";
    expect(() => apply(created(), deployment({ foo: 1 }))).toThrow(
      expect.objectContaining({ message: `${subject}: .spec.foo: field not declared in schema` }),
    );
    const twice = deployment({ template: { spec: { containers: [{ name: "c" }, { name: "c" }] } } });
    expect(() => apply(created(), twice)).toThrow(
      expect.objectContaining({ message: `${subject}: .spec.template.spec.containers: duplicate entries for key [name="c"]` }),
    );
  });

  it("merges lists of custom resources by their declared keys", () => {
    const schema = {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            items: {
              type: "array",
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["name"],
              items: { type: "object", properties: { name: { type: "string" }, size: { type: "integer" } } },
            },
          },
        },
      },
    };
    const custom = (items: JsonValue) =>
      ({ apiVersion: "x.io/v1", kind: "X", metadata: { name: "a" }, spec: { items } }) as KubeObject;
    const request = { shape: shapeOfCustomResource(schema), manager: "me", force: false, apiVersion: "x.io/v1", nowMs: 0 };
    const live = applyPatch({ ...request, live: custom([{ name: "a", size: 1 }]), config: custom([{ name: "b", size: 2 }]) });
    expect(live.spec).toEqual({
      items: [
        { name: "a", size: 1 },
        { name: "b", size: 2 },
      ],
    });
  });

  const container = fc.record(
    { name: fc.constantFrom("a", "b", "c"), image: fc.constantFrom("x", "y") },
    { requiredKeys: ["name"] },
  );
  const config = fc
    .record(
      {
        replicas: fc.constantFrom(1, 2),
        template: fc.record({ spec: fc.record({ containers: fc.uniqueArray(container, { selector: ({ name }) => name }) }) }),
      },
      { requiredKeys: [] },
    )
    .map((spec) => deployment(spec as JsonValue));

  it("changes nothing when the same is applied twice", () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const once = deepFreeze(apply(apply(created(), first, { manager: "other", force: true }), second, { force: true }));
        expect(apply(once, second)).toEqual(once);
      }),
    );
  });
});

describe("field sets", () => {
  const set: fc.Arbitrary<FieldSet> = fc.letrec<{ set: FieldSet }>((tie) => ({
    set: fc
      .dictionary(fc.constantFrom("f:a", "f:b", "."), fc.oneof({ maxDepth: 3 }, fc.constant({}), tie("set")), {
        noNullPrototype: true,
      })
      .map((node) => {
        if (node["."] === undefined) return node;
        return Object.keys(node).length === 1 ? {} : { ...node, ".": {} };
      }),
  })).set;
  const root = set.map(({ ".": _, ...rest }): FieldSet => rest);

  it("obeys the laws of sets", () => {
    fc.assert(
      fc.property(root, root, (a, b) => {
        expect(difference(union(a, b), b)).toEqual(difference(a, b));
        expect(intersection(a, b)).toEqual(intersection(b, a));
        expect(intersection(difference(a, b), b)).toEqual({});
      }),
    );
  });
});
