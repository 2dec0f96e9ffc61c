// How a good object is varied, field by field.

import { describe, expect, it } from "vitest";
import { mutationsOf, randomMutations } from "./mutations.ts";

describe("mutations of an object", () => {
  const object = { apiVersion: "v1", kind: "A", metadata: { name: "a" }, spec: { list: ["x"], flag: true, count: 2 } };
  const mutations = mutationsOf(object);
  const titles = mutations.map(({ title }) => title);

  it("begins with the object itself and never changes what it is", () => {
    expect(mutations[0]).toEqual({ title: "as it is", object });
    expect(mutations.every(({ object: { apiVersion, kind } }) => apiVersion === "v1" && kind === "A")).toBe(true);
  });

  it("leaves out, empties, repeats and mistakes each field", () => {
    for (const title of ["without spec", "spec.list = []", "without spec.list[0]", "spec.flag = false", "spec.count = -1"])
      expect(titles).toContain(title);
    expect(mutations.find(({ title }) => title === "without spec.list[0]")?.object["spec"]).toEqual({
      list: [],
      flag: true,
      count: 2,
    });
    expect(mutations.find(({ title }) => title === 'spec.list = ["x","x"]')?.object["spec"]).toMatchObject({ list: ["x", "x"] });
  });

  it("gives no two the same title", () => {
    expect(new Set(titles).size).toBe(titles.length);
  });

  it("come several at once by chance, the same for the same seed", () => {
    const some = randomMutations(object, 20, 7);
    expect(randomMutations(object, 20, 7)).toEqual(some);
    expect(randomMutations(object, 20, 8)).not.toEqual(some);
    expect(some.length).toBeGreaterThan(15);
    expect(some.every(({ title }) => title.includes("; "))).toBe(true);
  });
});
