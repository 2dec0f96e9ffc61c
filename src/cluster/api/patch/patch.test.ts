import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepEqual, deepFreeze } from "../equality.ts";
import type { JsonObject, JsonValue } from "../wire.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { applyMergePatch, createMergePatch, createThreeWayMergePatch } from "./merge-patch.ts";
import { applyStrategicMergePatch } from "./strategic-apply.ts";
import { createThreeWayStrategicPatch, createTwoWayStrategicPatch } from "./strategic-diff.ts";

const live: JsonObject = deepFreeze({
  metadata: { finalizers: ["a", "b"] },
  spec: {
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } },
    template: {
      spec: {
        containers: [{ name: "a", image: "x", env: [{ name: "A", value: "1" }] }, { name: "b" }],
        tolerations: [{ key: "x" }],
      },
    },
  },
});

const withContainers = (containers: JsonValue, more: JsonObject = {}): JsonObject => ({
  spec: { template: { spec: { containers, ...more } } },
});

function containersAfter(patch: JsonObject): JsonValue {
  const { spec } = applyStrategicMergePatch("Deployment", live, patch) as {
    spec: { template: { spec: { containers: JsonValue } } };
  };
  return spec.template.spec.containers;
}

describe("strategic merge patch", () => {
  it("merges list items by their key and puts new ones first", () => {
    expect(containersAfter(withContainers([{ name: "c" }, { name: "a", image: "y" }]))).toEqual([
      { name: "c" },
      { name: "a", image: "y", env: [{ name: "A", value: "1" }] },
      { name: "b" },
    ]);
  });

  it("deletes items, replaces lists, and orders as told", () => {
    expect(containersAfter(withContainers([{ name: "a", $patch: "delete" }]))).toEqual([{ name: "b" }]);
    expect(containersAfter(withContainers([{ $patch: "replace" }, { name: "z" }]))).toEqual([{ name: "z" }]);
    const order = { "$setElementOrder/containers": [{ name: "b" }, { name: "a" }] };
    expect(containersAfter(withContainers([{ name: "b", image: "q" }], order))).toEqual([
      { name: "b", image: "q" },
      { name: "a", image: "x", env: [{ name: "A", value: "1" }] },
    ]);
  });

  it("keeps only the keys of $retainKeys", () => {
    const patched = applyStrategicMergePatch("Deployment", live, {
      spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } },
    });
    expect((patched.spec as JsonObject).strategy).toEqual({ type: "Recreate" });
  });

  it("removes from lists of scalars", () => {
    const patch = { metadata: { "$deleteFromPrimitiveList/finalizers": ["a"], finalizers: ["c"] } };
    expect(applyStrategicMergePatch("Deployment", live, patch).metadata).toEqual({ finalizers: ["c", "b"] });
  });

  it.each([
    [withContainers([{ image: "q" }]), "map: map[image:q] does not contain declared merge key: name"],
    [withContainers([{ name: "a", $patch: "foo" }]), "unknown patch type: foo in map: map[$patch:foo name:a]"],
    [{ spec: { strategy: { $retainKeys: ["x"], type: "Recreate" } } }, "invalid patch format of retainKeys"],
  ])("refuses %j", (patch, message) => {
    expect(() => applyStrategicMergePatch("Deployment", live, patch)).toThrow(expect.objectContaining({ message }));
  });

  it("sends the changes, the deletions and the order in a three-way patch", () => {
    const original = withContainers([{ name: "a", image: "x" }, { name: "b" }]);
    const modified = withContainers([{ name: "a", image: "y" }]);
    expect(createThreeWayStrategicPatch("Deployment", original, modified, live)).toEqual(
      withContainers(
        [
          { name: "a", image: "y" },
          { name: "b", $patch: "delete" },
        ],
        { "$setElementOrder/containers": [{ name: "a" }] },
      ),
    );
  });

  const port = fc.record(
    { containerPort: fc.constantFrom(80, 81, 82), name: fc.constantFrom("a", "b") },
    { requiredKeys: ["containerPort"] },
  );
  const byKey = <T extends { [key: string]: unknown }>(item: fc.Arbitrary<T>, key: string) =>
    fc.uniqueArray(item, { selector: (value) => value[key], maxLength: 3 });
  const container = fc.record(
    {
      name: fc.constantFrom("a", "b", "c"),
      image: fc.constantFrom("x", "y"),
      args: fc.array(fc.constantFrom("p", "q")),
      ports: byKey(port, "containerPort"),
    },
    { requiredKeys: ["name"] },
  );
  const deployment = fc.record({
    metadata: fc.record({ labels: fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("1", "2"), { noNullPrototype: true }) }),
    spec: fc.record(
      {
        replicas: fc.constantFrom(1, 2),
        template: fc.record({ spec: fc.record({ containers: byKey(container, "name") }) }),
      },
      { requiredKeys: ["template"] },
    ),
  }) as fc.Arbitrary<JsonObject>;

  it("makes b of a with the patch from a to b, and changes neither", () => {
    fc.assert(
      fc.property(deployment, deployment, (a, b) => {
        const patch = createTwoWayStrategicPatch("Deployment", deepFreeze(a), deepFreeze(b));
        expect(applyStrategicMergePatch("Deployment", a, deepFreeze(patch))).toEqual(b);
      }),
    );
  });

  it("has nothing to send when all three are the same", () => {
    fc.assert(
      fc.property(deployment, (a) => {
        expect(createThreeWayStrategicPatch("Deployment", a, a, a)).toEqual({});
        expect(createThreeWayMergePatch(a, a, a)).toEqual({});
      }),
    );
  });

  it("brings the live object to where a further patch is empty", () => {
    fc.assert(
      fc.property(deployment, deployment, deployment, (original, modified, current) => {
        const patch = createThreeWayStrategicPatch("Deployment", original, modified, current);
        const after = applyStrategicMergePatch("Deployment", current, patch);
        const again = createThreeWayStrategicPatch("Deployment", modified, modified, after);
        expect(applyStrategicMergePatch("Deployment", after, again)).toEqual(after);
      }),
    );
  });

  it("does the same with JSON merge patches", () => {
    fc.assert(
      fc.property(deployment, deployment, (a, b) => {
        expect(deepEqual(applyMergePatch(deepFreeze(a), deepFreeze(createMergePatch(a, b))), b)).toBe(true);
      }),
    );
  });
});

describe("JSON patch", () => {
  const document = deepFreeze({ a: { b: [1, 2, 3], "d/e": 1 } });

  it("applies operations in order and shares the rest", () => {
    const patched = applyJsonPatch(document, [
      { op: "add", path: "/a/b/1", value: 9 },
      { op: "add", path: "/a/b/-", value: 4 },
      { op: "replace", path: "/a/d~1e", value: 2 },
      { op: "move", from: "/a/b/0", path: "/c" },
      { op: "test", path: "/c", value: 1 },
    ]);
    expect(patched).toEqual({ a: { b: [9, 2, 3, 4], "d/e": 2 }, c: 1 });
  });

  it("keeps a copy apart from what it was made of", () => {
    const patched = applyJsonPatch(document, [
      { op: "add", path: "/a/c", value: { x: 1 } },
      { op: "copy", from: "/a", path: "/z" },
      { op: "replace", path: "/z/c/x", value: 2 },
      { op: "remove", path: "/a/b/0" },
      { op: "add", path: "/__proto__", value: 1 },
    ]);
    expect(JSON.stringify(patched)).toBe(
      '{"a":{"b":[2,3],"d/e":1,"c":{"x":1}},"z":{"b":[1,2,3],"d/e":1,"c":{"x":2}},"__proto__":1}',
    );
  });

  it("refuses copies that add up to more than 3 MiB, before it makes them", () => {
    const doubling = Array.from({ length: 24 }, (_, index) => ({ op: "copy", from: "/a", path: `/a/copy${index}` }));
    expect(() => applyJsonPatch(document, doubling)).toThrow(
      /^Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
    );
  });

  it("copies a container once, however many operations change it", () => {
    const large = deepFreeze({ data: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, "v"])) });
    const many = Array.from({ length: 10_000 }, (_, index) => ({ op: "add", path: `/data/n${index}`, value: "v" }));
    const patched = applyJsonPatch(large, many) as { readonly data: object };
    expect(Object.keys(patched.data)).toHaveLength(15_000);
  });

  it.each([
    [[{ op: "remove", path: "/q" }], "error in remove for path: '/q': Unable to remove nonexistent key: q: missing value"],
    [[{ op: "add", path: "/q/r", value: 1 }], 'add operation does not apply: doc is missing path: "/q/r": missing value'],
    [
      [{ op: "add", path: "/a/b/9", value: 1 }],
      "error in add for path: '/a/b/9': Unable to access invalid index: 9: invalid index referenced",
    ],
    [[{ op: "test", path: "/a/d~1e", value: 5 }], "testing value /a/d~1e failed: test failed"],
    [[{ op: "frob", path: "/a" }], "Unexpected kind: frob"],
    [{ op: "add" }, "json: cannot unmarshal object into Go value of type jsonpatch.Patch"],
  ])("refuses %j", (patch, message) => {
    expect(() => applyJsonPatch(document, patch)).toThrow(expect.objectContaining({ message }));
  });
});
